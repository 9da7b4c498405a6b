//! What `referee run` says about a configuration that cannot be run, word for word.
//!
//! Every error is one line on stderr: where, what is wrong, what was expected. The exit code is 2,
//! and nothing is written.

use std::path::Path;

use crate::support::program::{Ran, referee, referee_in};
use crate::support::tables::columns;

/// A valid configuration, apart from what a case adds.
const GAME: &str = "[game]\nname = \"cachex\"\n";
const FORMAT: &str = "[format]\nkind = \"round-robin\"\ngames-per-pairing = 1\n";
const PLAYERS: &str = "[[player]]\nhouse = \"random\"\n[[player]]\nhouse = \"greedy\"\n";

/// Runs `config.toml` in `folder`.
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

/// Each of these configurations, given in parts, and what is said about it.
fn messages(configs: &[&[&str]]) -> String {
    let names = [(GAME, "GAME"), (FORMAT, "FORMAT"), (PLAYERS, "PLAYERS")];
    let mut messages = String::new();
    for parts in configs {
        for part in *parts {
            let name = names.iter().find(|(text, _)| text == part);
            messages.push_str(name.map_or(part.trim_end(), |(_, name)| name));
            messages.push('\n');
        }
        messages.push_str(&format!("=> {}\n", said_about(parts.concat().as_bytes())));
    }
    messages
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
    assert_eq!(
        files_in(&folder.path().join("results")),
        ["tournament", "tournament-2"]
    );
}

#[test]
fn all_errors_of_a_file_are_told_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = "[game]\nname = \"cachex\"\nsise = 3\n[format]\nkind = \"round-robbin\"\ngames-per-pairing = 1\n\
         [clock]\nper-game = \"10\"\n[[player]]\nhouse = \"random\"\n[[player]]\nhouse = \"greedi\"\n\
         [player.limits]\nmemory = \"1B\"\n";
    std::fs::write(folder.path().join("config.toml"), config).expect("written");
    let ran = run(folder.path(), "");
    ran.fails(2, "referee: config.toml:");
    let told: Vec<&str> = ran.stderr.lines().collect();
    let begun = [
        "referee: config.toml:8:12: `per-game` cannot be `10`: ",
        "config.toml:14:10: `memory` cannot be `1B`: ",
        "config.toml:3:1: unknown key `sise` (did you mean `size`?), ",
        "config.toml:5:8: `kind` cannot be `round-robbin` ",
    ];
    assert_eq!(told.len(), begun.len(), "{told:#?}");
    for (line, begun) in told.iter().zip(begun) {
        assert!(line.starts_with(begun), "{line}");
    }
    assert_eq!(files_in(folder.path()), ["config.toml"], "nothing written");
}

#[test]
fn a_configuration_may_come_from_stdin() {
    let config = [GAME, FORMAT, PLAYERS].concat();
    let said = referee(&format!("run - --check <<< {config}")).ok();
    assert_eq!(said, "-: valid, 1 game\n");
    referee("run - <<< seed = 1").fails(2, "referee: stdin:");
}

#[test]
#[rustfmt::skip]
fn not_toml() {
    assert_screen!(messages(&[
        &["name = \"t"],
        &["\n\n  name"],
        &["seed = 1\nseed = 2\n"],
    ]));
    assert_eq!(
        said_about(b"name = \"\xff\""),
        "referee: config.toml: cannot be read: line 1 is not UTF-8\n"
    );
}

#[test]
#[rustfmt::skip]
fn unknown_keys_at_every_level() {
    assert_screen!(messages(&[
        &["nmae = \"t\"\n", GAME, FORMAT, PLAYERS],
        &[GAME, "sice = 5\n", FORMAT, PLAYERS],
        &[GAME, FORMAT, "plies = 2\n", PLAYERS],
        &[GAME, FORMAT, "[clock]\nper_game = \"5s\"\n", PLAYERS],
        &[GAME, FORMAT, "[limits]\nram = \"1GiB\"\n", PLAYERS],
        &[GAME, FORMAT, PLAYERS, "comand = [\"x\"]\n"],
    ]));
}

#[test]
#[rustfmt::skip]
fn missing_keys() {
    assert_screen!(messages(&[
        &[FORMAT, PLAYERS],
        &[GAME, PLAYERS],
        &["[game]\nsize = 5\n", FORMAT, PLAYERS],
        &[GAME, "[format]\nkind = \"round-robin\"\n", PLAYERS],
        &[GAME, FORMAT],
        &[GAME, FORMAT, "[[player]]\nhouse = \"random\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\ncommand = [\"sh\"]\n"],
        &[GAME, FORMAT, "[limits]\nisolation = \"landlock\"\n", PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"sh\"]\n"],
        &[GAME, FORMAT, "[limits]\nisolation-fallback = \"strict\"\n", PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"sh\"]\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\n"],
    ]));
}

#[test]
#[rustfmt::skip]
fn games() {
    assert_screen!(messages(&[
        &["[game]\nname = \"shogi\"\n", FORMAT, PLAYERS],
        &["game = \"cachex\"\n", FORMAT, PLAYERS],
        &[GAME, "size = 99\n", FORMAT, PLAYERS],
        &["[game]\nname = \"dark-chess\"\nreading = \"odd\"\n", FORMAT, PLAYERS],
        &["[game]\nname = \"watch-your-back\"\nmax-plies = 0\n", FORMAT, PLAYERS],
        &["[[game]]\nname = \"cachex\"\n[[game]]\nname = \"cachex\"\nsize = 5\n", FORMAT, PLAYERS],
    ]));
}

#[test]
#[rustfmt::skip]
fn adjudication() {
    let dark = "[game]\nname = \"dark-chess\"\n";
    assert_screen!(messages(&[
        &[GAME, "adjudicate-lead = 3\n", FORMAT, PLAYERS],
        &[dark, "reading = \"ntu\"\nadjudicate-draw-plies = 3\n", FORMAT, PLAYERS],
        &[dark, "adjudicate-lead = 0\n", FORMAT, PLAYERS],
        &[dark, "adjudicate-lead = \"much\"\n", FORMAT, PLAYERS],
        &[dark, "adjudicate-lead-plies = 3\n", FORMAT, PLAYERS],
    ]));
}

#[test]
#[rustfmt::skip]
fn numbers_times_and_sizes() {
    assert_screen!(messages(&[
        &["seed = -1\n", GAME, FORMAT, PLAYERS],
        &["seed = \"x\"\n", GAME, FORMAT, PLAYERS],
        &["seed = 99999999999999999999999999\n", GAME, FORMAT, PLAYERS],
        &[GAME, "[format]\nkind = \"league\"\ngames-per-pairing = 1\n", PLAYERS],
        &[GAME, "[format]\nkind = \"round-robin\"\ngames-per-pairing = 0\n", PLAYERS],
        &[GAME, "[format]\nkind = \"round-robin\"\ngames-per-pairing = -2\n", PLAYERS],
        &[GAME, FORMAT, "opening-plies = 101\n", PLAYERS],
        &[GAME, FORMAT, "[clock]\nmeasure = \"sundial\"\n", PLAYERS],
        &[GAME, FORMAT, "[clock]\nper-game = 5\n", PLAYERS],
        &[GAME, FORMAT, "[clock]\nper-game = \"5\"\n", PLAYERS],
        &[GAME, FORMAT, "[clock]\nper-move = \"0s\"\n", PLAYERS],
        &[GAME, FORMAT, "[clock]\nwall-cap = \"none\"\n", PLAYERS],
        &[GAME, FORMAT, "[clock]\nincrement = \"2 years\"\n", PLAYERS],
        &[GAME, FORMAT, "[clock]\nincrement = \"1s\"\n", PLAYERS],
        &[GAME, FORMAT, "[limits]\nline = \"4 cubits\"\n", PLAYERS],
        &[GAME, FORMAT, "[limits]\nlog = \"0B\"\n", PLAYERS],
    ]));
}

#[test]
#[rustfmt::skip]
fn players() {
    assert_screen!(messages(&[
        &[GAME, FORMAT, PLAYERS, "[[player]]\nhouse = \"gredy\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nhouse = \"random\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nhouse = \"search\"\nname = \"greedy\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"../x\"\nhouse = \"random\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"no-such-program\"]\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"./bot\"]\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"./config.toml\"]\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"bin/bot\"]\ndir = \"/dev/fd\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"./bot\"]\ndir = \"bots/x\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = []\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = \"python3 bot.py\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"sh\"]\nargs = [\"x\"]\n"],
        &[GAME, FORMAT, PLAYERS, "env = { SEED = 1 }\n"],
        &[GAME, FORMAT, "[player]\nhouse = \"random\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"Jose\\u0301\"\nhouse = \"random\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"Team 7\"\nhouse = \"random\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"a\\nb\"\nhouse = \"random\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\nhouse = \"search\"\nargs = [\"--nodez\", \"4\"]\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\nhouse = \"search\"\nargs = [\"--nodes\"]\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\nhouse = \"search\"\nargs = [\"--nodes=few\"]\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"sh\", \"nofile.sh\"]\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"sh\", \"nofile.sh\"]\ndir = \"/\"\n"],
    ]));
}

#[test]
#[rustfmt::skip]
fn terms_of_a_player() {
    let terms = |line: &str| format!("[[player]]\nname = \"x\"\nhouse = \"random\"\n{line}\n");
    assert_screen!(messages(&[
        &[GAME, FORMAT, PLAYERS, &terms("[player.clock]\nmeasure = \"cpu\"")],
        &[GAME, FORMAT, PLAYERS, &terms("[player.clock]\nper-game = \"5\"")],
        &[GAME, FORMAT, PLAYERS, &terms("[player.clock]\nper-gmae = \"5s\"")],
        &[GAME, FORMAT, PLAYERS, &terms("[player.clock]\nwall-cap = \"none\"")],
        &[GAME, FORMAT, PLAYERS, &terms("clock = \"5s\"")],
        &[GAME, FORMAT, PLAYERS, &terms("[player.limits]\nisolation = \"containment\"")],
        &[GAME, FORMAT, PLAYERS, &terms("[player.limits]\nisolation-fallback = \"containment\"")],
        &[GAME, FORMAT, PLAYERS, &terms("[player.limits]\noff-turn = \"log\"")],
        &[GAME, FORMAT, PLAYERS, &terms("[player.limits]\nbuild-memory = \"1GiB\"")],
        &[GAME, FORMAT, PLAYERS, &terms("[player.limits]\nmemory = \"1KiB\"")],
        &[GAME, FORMAT, PLAYERS, &terms("[player.limits]\nprocesses = 0")],
        &[GAME, FORMAT, PLAYERS, &terms("clock = { per-game = \"{t}\" }\ngrid = { t = [1] }")],
        &[GAME, FORMAT, PLAYERS, "[each]\ncommand = [\"sh\"]\n"],
        &[GAME, FORMAT, PLAYERS, "[each]\nspeak = \"uci\"\n"],
        &[GAME, FORMAT, PLAYERS, "[each.clock]\nmeasure = \"cpu\"\n"],
        &[GAME, FORMAT, PLAYERS, "[each.clock]\nper-game = \"5\"\n"],
    ]));
}

#[test]
#[rustfmt::skip]
fn display_names() {
    let named = |name: &str| format!("[[player]]\nname = \"x\"\nhouse = \"random\"\ndisplay-name = \"{name}\"\n");
    let (same, other) = (named("greedy"), named("Émile").replace("\"x\"", "\"y\""));
    assert_screen!(messages(&[
        &[GAME, FORMAT, PLAYERS, &named("")],
        &[GAME, FORMAT, PLAYERS, &named(" x")],
        &[GAME, FORMAT, PLAYERS, &named("a\\nb")],
        &[GAME, FORMAT, PLAYERS, &named("a\\u202eb")],
        &[GAME, FORMAT, PLAYERS, &named(&"王".repeat(61))],
        &[GAME, FORMAT, PLAYERS, &same],
        &[GAME, FORMAT, PLAYERS, &named("Émile"), &other],
    ]));
}

#[test]
#[rustfmt::skip]
fn formats() {
    assert_screen!(messages(&[
        &[GAME, "[format]\nkind = \"gauntlet\"\ngames-per-pairing = 2\n", PLAYERS],
        &[GAME, "[format]\nkind = \"gauntlet\"\ngames-per-pairing = 2\nchallengers = []\n", PLAYERS],
        &[GAME, "[format]\nkind = \"knockout\"\ngames-per-pairing = 3\n", PLAYERS],
        &[GAME, "[format]\nkind = \"swiss\"\ngames-per-pairing = 2\nrounds = 0\n", PLAYERS],
        &[GAME, "[format]\nkind = \"sprt\"\ngames-per-pairing = 2\nchallengers = [\"random\"]\n", PLAYERS],
        &[GAME, "[format]\nkind = \"adaptive\"\ngames-per-pairing = 2\n", PLAYERS],
        &[GAME, FORMAT, "confidence = 0.9\n", PLAYERS],
        &[GAME, FORMAT, "elo0 = 3\n", PLAYERS],
        &[GAME, FORMAT, "rounds = 3\n", PLAYERS],
        &[GAME, "[format]\nkind = \"gauntlet\"\ngames-per-pairing = 2\nchallengers = \"random\"\n", PLAYERS],
    ]));
}

#[test]
#[rustfmt::skip]
fn openings_variants_and_builds() {
    let built = "[[player]]\nname = \"x\"\nshell = \"exit\"\ndir = \".\"\n";
    assert_screen!(messages(&[
        &[GAME, "openings = \"no/such/file\"\n", FORMAT, PLAYERS],
        &[GAME, "opening-order = \"random\"\n", FORMAT, PLAYERS],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"both\"\nhouse = \"random\"\n"],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nhouse = \"greedy\"\nargs = [\"{nodes}\"]\ngrid = { nodes = [1, 2] }\n"],
        &[GAME, FORMAT, "[limits]\nbuild-time = \"none\"\n", PLAYERS],
        &[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\nhouse = \"random\"\nbuild = [\"make\"]\n"],
        &[GAME, FORMAT, PLAYERS, built, "build = []\n"],
        &[GAME, FORMAT, PLAYERS, built, "build = [\"no-such-compiler\"]\n"],
    ]));
}

#[test]
fn a_configuration_that_is_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path(), "").fails(
        2,
        "referee: config.toml: cannot be read: No such file or directory (os error 2)\n",
    );
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
        let said = said_about(
            [&format!("seed = {seed}\n"), GAME, FORMAT, PLAYERS]
                .concat()
                .as_bytes(),
        );
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
            assert!(
                ran.exit == 2 && ran.stderr.contains(&format!("from 0 to {most}")),
                "{ran:?}"
            );
        }
    }
    let config = [
        &format!("seed = {most}\n"),
        GAME,
        "size = 3\n",
        FORMAT,
        PLAYERS,
    ]
    .concat();
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
    for (players, words) in [
        ([named("a"), named("a\u{3164}")], "the character U+3164"),
        (
            [named("한"), named("\u{1112}\u{1161}\u{11ab}")],
            "a second player is called `한`",
        ),
        (
            [shown("a", "Bob"), shown("b", "Bob\u{200b}")],
            "the character U+200B, which cannot be seen",
        ),
        (
            [shown("a", "B B"), shown("b", "B\u{a0}B")],
            "the character U+00A0, which cannot be seen",
        ),
        (
            [shown("a", "José"), shown("b", "Jose\u{301}")],
            "a second player is shown as `José`",
        ),
    ] {
        let said = said_about([GAME, FORMAT, &players.concat()].concat().as_bytes());
        assert!(said.contains(words), "{words}: {said}");
    }
}
