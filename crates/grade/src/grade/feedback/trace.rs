//! Finds the line of a student's program in a crash report.

use std::collections::BTreeSet;

use crate::text::output_line;

const LAST: usize = 64 << 10;

const LINE: usize = 200;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Trace {
    pub place: String,
    /// Lines to show: the place, the code there, and the name of the failure.
    pub lines: Vec<String>,
}

/// The last report in a bot's output with a file of its own.
pub(super) fn trace(text: &str, own: &BTreeSet<String>) -> Option<Trace> {
    let text = &text[text.ceil_char_boundary(text.len().saturating_sub(LAST))..];
    let lines: Vec<&str> = text.lines().collect();
    let named = |at: usize| place(lines[at], own);
    let last = (0..lines.len()).rev().find(|at| named(*at).is_some())?;
    let is_python = lines[last].trim_start().starts_with("File \"");
    if is_python {
        // Python: the innermost call comes last, then its line of code, and at the end the exception.
        let code = lines.get(last + 1).copied().into_iter();
        let after = lines.get(last + 1..).unwrap_or_default().iter().copied();
        let exception = after
            .clone()
            .find(|line| !line.starts_with([' ', '\t']) && !line.is_empty());
        let lines = [lines[last]]
            .into_iter()
            .chain(code.filter(|line| line.starts_with(' ')));
        return Some(Trace {
            place: named(last)?,
            lines: lines.chain(exception).map(shown).collect(),
        });
    }
    // Java, JavaScript, Rust: the innermost call comes first, below the failure.
    let is_call = |at: usize| lines[at].trim_start().starts_with("at ");
    let mut top = last;
    while top > 0 && is_call(top) && is_call(top - 1) {
        top -= 1;
    }
    let inner = (top..=last).find(|at| named(*at).is_some())?;
    // A panic of Rust names its place in the first line and its message in the next.
    let what = if is_call(top) {
        top.checked_sub(1).map(|at| lines[at])
    } else {
        None
    };
    let after = if is_call(top) {
        None
    } else {
        lines.get(inner + 1).copied()
    };
    let all = what.into_iter().chain([lines[inner]]).chain(after);
    Some(Trace {
        place: named(inner)?,
        lines: all.map(shown).collect(),
    })
}

fn shown(line: &str) -> String {
    output_line(line, LINE)
}

/// File and line named in a line, if the file is the bot's own.
fn place(line: &str, own: &BTreeSet<String>) -> Option<String> {
    let is_own = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        // Files elsewhere on the machine may have equal names.
        let is_elsewhere = path.starts_with(['/', '…', '<']) || path.contains("node_modules");
        (!is_elsewhere && own.contains(name)).then(|| name.to_owned())
    };
    let python = line.trim_start().strip_prefix("File \"");
    if let Some((path, rest)) = python.and_then(|rest| rest.split_once('"')) {
        let number = digits(rest.strip_prefix(", line ")?)?;
        return Some(format!("{}:{number}", is_own(path)?));
    }
    // `at act (./bot.js:12:3)`, `at Bot.act(Bot.java:12)`, `panicked at src/main.rs:12:3:`. Python always uses
    // the form above: any other line with a Python file is output of a program, for example an adapter's report
    // of growing memory.
    let words = line.split(|c: char| c.is_whitespace() || "()\"'`,".contains(c));
    words
        .filter_map(|word| {
            let word = word.strip_prefix("file://").unwrap_or(word);
            let (path, rest) = word.split_once(':')?;
            let name = is_own(path).filter(|name| !name.ends_with(".py"))?;
            Some(format!("{name}:{}", digits(rest)?))
        })
        .next()
}

fn digits(text: &str) -> Option<&str> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    (1..=9).contains(&end).then(|| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace_of(text: &str, own: &[&str]) -> Option<Trace> {
        let own = own.iter().map(|name| (*name).to_owned()).collect();
        trace(text, &own)
    }

    #[test]
    fn python_names_the_innermost_line_of_the_students_last() {
        let text = "starting\nTraceback (most recent call last):\n  File \"./bot.py\", line 3, in <module>\n    \
                    main()\n  File \"./agent/search.py\", line 12, in act\n    return best[0]\n           ~~~~^^^\n  \
                    File \"/usr/lib/python3.11/random.py\", line 7, in choice\n    x\nIndexError: list index out of range\n";
        let found = trace_of(text, &["bot.py", "search.py"]).expect("a trace");
        assert_eq!(found.place, "search.py:12");
        assert_eq!(
            found.lines,
            [
                "  File \"./agent/search.py\", line 12, in act",
                "    return best[0]",
                "IndexError: list index out of range"
            ]
        );
        assert_eq!(trace_of(text, &["other.py"]), None);
        let adapter = "[adapter] memory: 40.0 MiB in import('team') at team/agent/search.py:3; 9.0 MiB before\n";
        assert_eq!(trace_of(adapter, &["search.py"]), None);
        let summary =
            "action(2) raised IndexError: list index out of range at agent/search.py:12\n";
        let found = trace_of(
            &format!("{adapter}{text}{summary}"),
            &["bot.py", "search.py"],
        );
        let found = found.expect("a trace");
        assert_eq!(found.place, "search.py:12");
        assert_eq!(found.lines[2], "IndexError: list index out of range");
    }

    #[test]
    fn java_node_and_rust_name_the_innermost_line_first() {
        let java = "Exception in thread \"main\" java.lang.RuntimeException: no move\n\tat java.base/java.util.List.get(List.java:9)\n\
                    \tat Bot.act(Bot.java:40)\n\tat Bot.main(Bot.java:7)\n";
        let found = trace_of(java, &["Bot.java"]).expect("a trace");
        assert_eq!(found.place, "Bot.java:40");
        assert_eq!(found.lines[1], "    at Bot.act(Bot.java:40)");
        let node = "./bot.js:5\n    throw new Error('x');\n    ^\n\nError: x\n    at act (./bot.js:5:11)\n    \
                    at main (./bot.js:9:3)\n    at node:internal/main:1:1\n\nNode.js v18\n";
        let found = trace_of(node, &["bot.js"]).expect("a trace");
        assert_eq!(
            (found.place.as_str(), found.lines[0].as_str()),
            ("bot.js:5", "Error: x")
        );
        let rust =
            "thread 'main' panicked at src/main.rs:10:5:\nno move\nnote: run with RUST_BACKTRACE\n";
        let found = trace_of(rust, &["main.rs"]).expect("a trace");
        assert_eq!(found.place, "main.rs:10");
        assert_eq!(found.lines[1], "no move");
    }

    #[test]
    fn what_is_no_report_is_none() {
        for text in
            "|:|bot.py|bot.py:|bot.py:x|File \"bot.py\", line|at |File \"|bot.py:99999999999"
                .split('|')
        {
            assert_eq!(trace_of(text, &["bot.py"]), None, "{text}");
        }
    }
}
