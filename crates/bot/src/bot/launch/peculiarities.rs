//! Environment variables that may make a program behave differently as a bot.

use super::Launch;

/// A language whose programs depend on environment variables.
struct Language {
    /// File extensions, and prefixes of interpreters, that identify it in a command or the first line of a script.
    marks: &'static [&'static str],
    /// Variables that change a program's behaviour, and are not passed on. A bot that misses `PYTHONUNBUFFERED` is told when it
    /// does not flush.
    withheld: &'static [&'static str],
}

const LANGUAGES: [Language; 3] = [
    Language {
        marks: &["python", ".py"],
        withheld: &[
            "PYTHONDEVMODE",
            "PYTHONHASHSEED",
            "PYTHONINSPECT",
            "PYTHONIOENCODING",
            "PYTHONOPTIMIZE",
            "PYTHONSAFEPATH",
            "PYTHONUTF8",
            "PYTHONWARNINGS",
            "OMP_NUM_THREADS",
            "OPENBLAS_NUM_THREADS",
            "MKL_NUM_THREADS",
        ],
    },
    Language {
        marks: &["java", ".jar"],
        withheld: &[
            "CLASSPATH",
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS",
        ],
    },
    Language {
        marks: &["node", ".js", ".mjs"],
        withheld: &["NODE_OPTIONS"],
    },
];

impl Language {
    /// Whether a bot is written in it, judged by its command and the first line of its program.
    fn is_of(&self, bot: &Launch) -> bool {
        let is_mark = |word: &str| {
            let mut marks = self.marks.iter();
            marks.any(|mark| {
                if mark.starts_with('.') {
                    return word.ends_with(mark);
                }
                let name = word.rsplit('/').next();
                name.is_some_and(|name| name.starts_with(mark))
            })
        };
        let program = bot.program.to_string_lossy();
        let words = bot.args.iter().flat_map(|word| word.split_whitespace());
        let line = bot.first_line();
        let interpreter = line.strip_prefix("#!").unwrap_or_default();
        words.chain([&*program]).any(is_mark) || interpreter.split(' ').any(is_mark)
    }
}

/// Variables that are set for a program that is started by hand, and not for one of these bots, whose own `env` counts.
pub fn withheld_variables<'a>(bots: impl Iterator<Item = &'a Launch> + Clone) -> Vec<&'static str> {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    withheld_of(bots, is_set)
}

fn withheld_of<'a>(
    bots: impl Iterator<Item = &'a Launch> + Clone,
    is_set: impl Fn(&str) -> bool,
) -> Vec<&'static str> {
    let lacks = |bot: &Launch, name: &str| bot.env.iter().all(|(key, _)| key != name);
    let mut found = Vec::new();
    for language in &LANGUAGES {
        let bots: Vec<&Launch> = bots.clone().filter(|bot| language.is_of(bot)).collect();
        let names = language.withheld.iter().copied();
        found.extend(names.filter(|name| is_set(name) && bots.iter().any(|bot| lacks(bot, name))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::is_of_the_harness;

    #[test]
    fn bots_are_given_no_withheld_variable() {
        let mut withheld = LANGUAGES.iter().flat_map(|language| language.withheld);
        assert!(withheld.all(|name| !is_of_the_harness(name)));
    }
}
