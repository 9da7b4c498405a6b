//! What is said about mistakes in the configuration and in the files of the class, word for word.

use super::can_be_graded;
use super::class::TestClass;
use crate::support::Ran;

/// A text of a file of the class, what stands there instead, and what is said about it.
struct Mistake {
    file: &'static str,
    right: String,
    wrong: String,
    said: &'static str,
}

fn mistakes(text: &'static str) -> impl Iterator<Item = Mistake> {
    text.trim_end().split("\n\n").map(|case| {
        let line = |begin| case.lines().find_map(|line| line.strip_prefix(begin));
        let lines = |begin| -> Vec<_> {
            let lines = case.lines();
            lines.filter_map(|line| line.strip_prefix(begin)).collect()
        };
        Mistake {
            file: line("@ ").expect("a file"),
            right: lines("- ").join("\n"),
            wrong: lines("+ ").join("\n"),
            said: line("=> ").expect("a message"),
        }
    })
}

#[test]
fn a_mistake_in_the_configuration_is_named_with_its_place_and_what_to_do() {
    let class = needed!(TestClass::new());
    let config = class.read("grading.toml");
    for case in mistakes(include_str!("mistakes.txt")) {
        let right = &case.right;
        assert!(config.contains(right), "{right}");
        class.write(case.file, &config.replacen(right, &case.wrong, 1));
        let said = case.said.replace("CONFIG", "tests/class/grading.toml");
        for args in [&["--check"][..], &[]] {
            let ran = Ran::from(class.command(args).output().expect("it runs"));
            let all = (ran.exit, ran.stdout.as_str(), ran.stderr.as_str());
            assert_eq!(all, (2, "", format!("referee: {said}\n").as_str()));
            assert!(!class.out().exists(), "nothing is written");
        }
    }
}

const VALID: &str = "tests/class/grading.toml: valid; 12 students or teams, 5 handed in; 100 games; the \
     tournament of the class: 8 games\n";
const VALID_WITHOUT_TWO: &str = "tests/class/grading.toml: valid; 12 students or teams, 6 handed in, 2 of them too late \
     or no bot; 80 games; the tournament of the class: 8 games\n";
pub const TWICE: &str = "s1011: handed in 2 times, or in 2 parts: `s1011-second-try` is the latest by the times of the files and counts: see that \
     it is the right one, since a copy changes these times; not graded: `s1011-first-try`\n";
const UNBUILT: &str = "s1006: it cannot be built: `python3 -m py_compile bot.py` exited with code 1: File \"bot.py\", line 22 / ";
const EMPTY: &str = "s1009: what was handed in cannot be unpacked: it holds nothing but `.DS_Store`, which is left out: send the program's own files\n";
pub const OFFSET: &str = "deadline: it has an offset and no `zone`, so days late are counted as if clocks were never changed: \
                      write `zone = \"Australia/Melbourne\"`, or yours, into [class]\n";

#[test]
fn a_check_plays_nothing_and_says_what_is_wrong_with_the_class() {
    needed!(can_be_graded());
    let class = needed!(TestClass::new());
    let remove = |folder: &str| {
        let folder = class.path("submissions").join(folder);
        std::fs::remove_dir_all(folder).expect("removed");
    };
    let others = ["s1003-slow", "s1004-crashing", "s1005-hanging"];
    others.into_iter().for_each(remove);
    ["s1007-memory", "s1008-hostile", "s1013-twin"]
        .into_iter()
        .for_each(remove);
    let check = |exit| {
        let ran = Ran::from(class.command(&["--check"]).output().expect("it runs"));
        assert_eq!(ran.exit, exit, "{ran:?}");
        assert!(!class.out().exists(), "nothing is written");
        class.nothing_is_left();
        ran.stdout
    };
    let said = check(1);
    let (before, after) = said.split_once(UNBUILT).expect(&said);
    assert_eq!(before, format!("{TWICE}{OFFSET}"));
    let after = after.split_once('\n').map(|(_, lines)| lines.to_owned());
    assert_eq!(after, Some(format!("{EMPTY}{VALID_WITHOUT_TWO}")));
    remove("s1006-uncompilable");
    let good = class.read("submissions/crows-good/bot.py");
    let content = format!("{good}# another\n");
    class.write("submissions/s1009-empty/bot.py", &content);
    // That somebody handed in twice is good to know, and nothing is wrong with it.
    assert_eq!(check(0), format!("{TWICE}{OFFSET}{VALID}"));
    // With these flaws the class can be graded all the same.
    std::fs::remove_dir_all(class.path("submissions")).expect("removed");
    std::fs::create_dir(class.path("submissions")).expect("made");
    for flaw in mistakes(include_str!("flaws.txt")) {
        let (file, said) = (flaw.file, flaw.said);
        let text = class.read(file);
        class.write(file, &text.replacen(&flaw.right, &flaw.wrong, 1));
        let lines = check(1);
        assert!(lines.lines().any(|line| line == said), "{said}\n{lines}");
        class.write(file, &text);
    }
}
