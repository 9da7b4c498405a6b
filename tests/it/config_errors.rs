//! What `referee run` says about a configuration that cannot be run, word for word.
//!
//! Every error is one line on stderr: where, what is wrong, what was expected. The exit code is 2,
//! and nothing is written.

use std::path::Path;

use crate::support::{Ran, columns, referee, referee_in, root};

/// A valid configuration, apart from what a case adds.
const GAME: &str = "[game]\nname = \"cachex\"\n";
const FORMAT: &str = "[format]\nkind = \"round-robin\"\ngames-per-pairing = 1\n";
const PLAYERS: &str = "[[player]]\nhouse = \"random\"\n[[player]]\nhouse = \"greedy\"\n";

fn run(folder: &Path, args: &str) -> Ran {
    referee_in(folder, &format!("run config.toml {args}"))
}

fn files_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("text"))
        .collect();
    names.sort_unstable();
    names
}

fn said_about(config: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("config.toml"), config).expect("written");
    let ran = run(folder.path(), "");
    ran.fails(2, "referee: config.toml:");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    assert_eq!(files_in(folder.path()), ["config.toml"], "nothing written");
    ran.stderr
}

/// The files in `tests/config_errors` have configurations with a blank line between them, and below each what is said
/// about it. The tables that most of them share are lines such as GAME.
#[test]
fn each_mistake_is_named_with_its_place_and_what_was_expected() {
    let folder = root().join("tests/config_errors");
    for file in files_in(&folder) {
        let cases = std::fs::read_to_string(folder.join(&file)).expect("cases");
        for case in cases.trim_end().split("\n\n") {
            let (config, said) = case.rsplit_once("\n=> ").expect("a message");
            let config = config.lines().map(|line| match line {
                "GAME" => GAME.to_owned(),
                "FORMAT" => FORMAT.to_owned(),
                "PLAYERS" => PLAYERS.to_owned(),
                line => format!("{line}\n"),
            });
            let config: String = config.collect();
            let said = format!("referee: {said}\n");
            assert_eq!(said_about(config.as_bytes()), said, "{file}:\n{config}");
        }
    }
}

#[test]
fn the_right_configuration_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = [GAME, "size = 3\n", FORMAT, PLAYERS].concat();
    std::fs::write(folder.path().join("config.toml"), config).expect("written");
    assert_eq!(run(folder.path(), "-j 1").exit, 0);
    assert_eq!(files_in(folder.path()), ["config.toml", "results"]);
    assert_eq!(files_in(&folder.path().join("results")), ["tournament"]);
    // The next run gets a folder of its own.
    assert_eq!(run(folder.path(), "-j 1").exit, 0);
    let results = files_in(&folder.path().join("results"));
    assert_eq!(results, ["tournament", "tournament-2"]);
}

#[test]
fn all_errors_of_a_file_are_told_at_once() {
    let first = "[game]\nname = \"cachex\"\nsise = 3\n[format]\nkind = \"round-robbin\"\ngames-per-pairing = 1\n\
         [clock]\nper-game = \"10\"\n[[player]]\nhouse = \"random\"\n[[player]]\nhouse = \"greedi\"\n\
         [player.limits]\nmemory = \"1B\"\n";
    let of_first = [
        "config.toml:3:1: unknown key `sise` (did you mean `size`?), ",
        "config.toml:5:8: `kind` cannot be `round-robbin` ",
        "config.toml:8:12: `per-game` cannot be `10`: ",
        "config.toml:14:10: `memory` cannot be `1B`: ",
    ];
    let second = "[game]\nname = \"cachx\"\n[format]\nkind = \"swis\"\nrounds = 2\n[[player]]\nhouse = \"serch\"\n\
         [[player]]\nhouse = \"greedy\"\n";
    let of_second = [
        "config.toml:2:8: unknown game \"cachx\" ",
        "config.toml:4:8: `kind` cannot be `swis` ",
        "config.toml:7:9: unknown house bot `serch` ",
    ];
    for (config, begun) in [(first, &of_first[..]), (second, &of_second)] {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("config.toml"), config).expect("written");
        let ran = run(folder.path(), "");
        ran.fails(2, "referee: config.toml:");
        let told: Vec<&str> = ran.stderr.lines().collect();
        assert_eq!(told.len(), begun.len(), "{told:#?}");
        for (line, begun) in told.iter().zip(begun) {
            let line = line.strip_prefix("referee: ").unwrap_or(line);
            assert!(line.starts_with(begun), "{line}");
        }
        assert_eq!(files_in(folder.path()), ["config.toml"], "nothing written");
    }
}

#[test]
fn a_configuration_may_come_from_stdin() {
    let config = [GAME, FORMAT, PLAYERS].concat();
    let said = referee(&format!("run - --check <<< {config}")).ok();
    assert_eq!(said, "-: valid, 1 game\n");
    referee("run - <<< seed = 1").fails(2, "referee: stdin:");
}

#[test]
fn a_configuration_that_is_no_text_or_not_there() {
    let said = "referee: config.toml: cannot be read: line 1 is not UTF-8\n";
    assert_eq!(said_about(b"name = \"\xff\""), said);
    let folder = tempfile::tempdir().expect("a folder");
    let said = "referee: config.toml: cannot be read: No such file or directory (os error 2)\n";
    run(folder.path(), "").fails(2, said);
    assert!(files_in(folder.path()).is_empty());
}

#[test]
fn a_folder_of_results_that_cannot_be_used_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let config = [GAME, FORMAT, PLAYERS].concat();
    std::fs::write(place("config.toml"), config).expect("written");
    std::fs::create_dir(place("full")).expect("made");
    std::fs::write(place("full/thesis.tex"), "").expect("written");
    for row in [
        "full | holds something already, and it is not a run: name another folder with --out",
        "config.toml | cannot be made: File exists (os error 17)",
        "config.toml/out | cannot be made: Not a directory (os error 20)",
    ] {
        let [out, message] = columns(row);
        let ran = run(folder.path(), &format!("--out {out}"));
        ran.fails(5, "");
        assert_eq!(ran.stderr, format!("referee: {out}: {message}\n"));
        assert_eq!(files_in(folder.path()), ["config.toml", "full"]);
        assert_eq!(files_in(&place("full")), ["thesis.tex"]);
    }
}

#[test]
fn numbers_beyond_what_a_manifest_holds_are_refused_wherever_they_enter() {
    let folder = tempfile::tempdir().expect("a folder");
    let most = i64::MAX as u64;
    for seed in [most + 1, u64::MAX] {
        let config = [&format!("seed = {seed}\n"), GAME, FORMAT, PLAYERS];
        let said = said_about(config.concat().as_bytes());
        let words = format!("config.toml:1:8: the number is too large: expected at most {most}");
        assert!(said.contains(&words), "{said}");
        let games = format!(
            "{GAME}[format]\nkind = \"sprt\"\nelo0 = 0\nelo1 = 5\nmax-games = {seed}\n{PLAYERS}"
        );
        let said = said_about(games.as_bytes());
        assert!(said.contains("the number is too large"), "{said}");
        for line in [
            "run --game cachex random greedy",
            "play cachex random greedy",
            "check random --game cachex",
            "position cachex",
        ] {
            let ran = referee_in(folder.path(), &format!("{line} --seed {seed}"));
            assert_eq!(ran.exit, 2, "{ran:?}");
            assert_has!(ran.stderr, &format!("from 0 to {most}"));
        }
    }
    let seed = format!("seed = {most}\n");
    let config = [&seed, GAME, "size = 3\n", FORMAT, PLAYERS].concat();
    std::fs::write(folder.path().join("config.toml"), config).expect("written");
    for args in ["-j 1 --out out", "--out out --resume"] {
        assert_eq!(run(folder.path(), args).exit, 0);
    }
    referee_in(folder.path(), "verify out").ok();
    referee_in(folder.path(), "plan config.toml --out plan --shards 1").ok();
    referee_in(folder.path(), "work plan --shard 0/1 --quiet").ok();
}

#[test]
fn what_cannot_be_seen_tells_no_two_players_apart() {
    let named = |name: &str| format!("[[player]]\nname = \"{name}\"\nhouse = \"random\"\n");
    let shown = |name: &str, shown: &str| format!("{}display-name = \"{shown}\"\n", named(name));
    let of_names = [
        "a | a\u{3164} | the character U+3164",
        "한 | \u{1112}\u{1161}\u{11ab} | a second player is called `한`",
        "alice | \u{430}lice | a second player is called `\u{430}lice`",
        "alice | \u{ff41}lice | expected names that differ visibly, in more than case",
        "alice | aIice | a second player is called `aIice`",
        "bill | BILL | a second player is called `BILL`",
    ];
    let of_display_names = [
        "Jose | J\u{3bf}se | a second player is shown as `J\u{3bf}se`",
        "Bob | Bob\u{200b} | the character U+200B, which cannot be seen",
        "B B | B\u{a0}B | the character U+00A0, which cannot be seen",
        "José | Jose\u{301} | a second player is shown as `José`",
    ];
    let of_names = of_names.map(|row| {
        let [one, other, words] = columns(row);
        (named(one) + &named(other), words)
    });
    let of_display_names = of_display_names.map(|row| {
        let [one, other, words] = columns(row);
        (shown("a", one) + &shown("b", other), words)
    });
    for (players, words) in of_names.into_iter().chain(of_display_names) {
        let said = said_about([GAME, FORMAT, &players].concat().as_bytes());
        assert!(said.contains(words), "{words}: {said}");
    }
}
