//! Command lines that people type by mistake, and what helps them on.

use crate::support::{Ran, columns, referee_in};
use tempfile::tempdir;

#[test]
fn each_mistake_is_answered_with_the_right_line() {
    let folder = tempdir().expect("a folder");
    let typed = |line: &str| -> Ran { referee_in(folder.path(), line) };
    // Stderr may warn of a language that is missing.
    assert_eq!(typed("new bot alice").exit, 0);
    std::os::unix::fs::symlink("gone.py", folder.path().join("link.py")).expect("linked");
    for row in [
        "check python3 alice/bot.py --game cachex | referee check \"python3 alice/bot.py\" --game cachex",
        "play --game cachex python3 -u alice/bot.py random | referee play --game cachex \"python3 -u \
         alice/bot.py\" random",
        "run --game cachex --jbs java -jar a.jar python3 b.py | referee run --game cachex --jbs \"java -jar \
         a.jar\" python3 b.py",
        "play cachex python3 -m agent search | referee play cachex \"python3 -m agent\" search",
        "run alice | referee run alice/kit.toml",
        "run alice/bot.py | referee run --game cachex \"python3 alice/bot.py\" random",
        "check alice --game cachex | referee check --config alice/kit.toml --player NAME",
        "check alice/kit.toml --game cachex | referee check --config alice/kit.toml --player NAME",
        "run --game cachex random alice/README.md | `alice/README.md` is no program: expected a program that was built",
        "play 'python3 alice/bot.py' greedy | which game do `python3 alice/bot.py` and `greedy` play?",
        "play cachex alice random | \"python3 alice/bot.py\"",
        "run --game cachx random greedy | did you mean `cachex`?",
        "run --game cachex serch greedy | did you mean `search`?",
        "tournament x | that is `referee run`",
        "run --game cachex --size 5 random greedy | an option of a game is set by --set size=5",
        "run --game cachex random greedy --memory 500MB | (did you mean `500MiB`?)",
        "docs confg | did you mean `config`?",
        "check \"source venv/bin/activate && python3 good.py\" --game cachex | no shell reads a command",
        "check \"cd alice && python3 bot.py\" --game cachex | write it as `sh -c '…'`",
        "check \"PYTHONUNBUFFERED=1 sh alice/bot.py\" --game cachex | `env NAME=VALUE` before a program",
        "run --game cachex random \"sh alice/bot.py > out.txt\" | no shell reads a command",
        "check \"sh link.py\" --game cachex | there is no file `link.py`: it is a link that leads nowhere, to `gone.py`",
        "check ./link.py --game cachex | there is no program `./link.py`: it is a link that leads nowhere",
        "play --game cachex random greedy random | cachex is a game for 2 players, and 3 are named",
    ] {
        let [line, hint] = columns(row);
        typed(line).fails(2, hint);
    }
}

#[test]
fn runs_are_listed_where_no_run_is_named() {
    let folder = tempdir().expect("a folder");
    let typed = |line: &str| -> Ran { referee_in(folder.path(), line) };
    typed("run --game cachex random greedy --games 2 --set size=3 -q").ok();
    for line in ["games", "games results"] {
        let list = typed(line).ok();
        assert!(list.contains("results/cachex-match  "), "{list}");
        assert_has!(list, "random, greedy");
        assert_has!(list, "ended");
    }
}

#[test]
fn pages_and_rules_travel_with_the_program() {
    let folder = tempdir().expect("a folder");
    let list = referee_in(folder.path(), "docs").ok();
    for page in list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
    {
        let text = referee_in(folder.path(), &format!("docs {page}")).ok();
        assert!(text.starts_with("# "), "{page}");
    }
    let rules = referee_in(folder.path(), "rules --game cachex --text").ok();
    assert_eq!(rules, referee_in(folder.path(), "docs rules/cachex").ok());
}
