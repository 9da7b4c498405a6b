//! Engines that speak GTP, in the Go of `examples/rules`: stand-ins that are wrong in one way each, and real ones where
//! they are installed.

use crate::support::python::python;
use crate::support::{
    TestRun, columns, end_as_declared, engine, root, stand_in, wait_for_the_end_of_all_with,
};

/// Stand-ins of `tests/engines/gtp.py`, the termination of their games, and its reason or words of the detail.
const STAND_INS: [&str; 19] = [
    "plays | rules | two_passes",
    "is-silent | handshake | no answer to `name` within 4.000 s",
    "has-no-list | rules | two_passes",
    "refuses-the-board | handshake | the engine refused `boardsize`: unacceptable size",
    "refuses-a-move | protocol_error | the engine refused `play`: illegal move",
    "has-no-clock | rules | two_passes",
    "resigns | rules | resigned",
    "has-no-move | illegal_action | the engine answered `= ` to `genmove`, which is no move",
    "does-not-know | illegal_action | the engine answered `? no idea` to `genmove`, which is no move",
    "plays-on-a-stone | illegal_action | D4 is taken",
    "plays-beside-the-board | protocol_error | answered `Z99` at ply ",
    "whispers | rules | two_passes",
    "writes-small-letters | rules | two_passes",
    "talks | rules | two_passes",
    "forgets-the-blank-line | rules | two_passes",
    "answers-twice | protocol_error | without a command: one answer belongs to one command",
    "is-late | time | no answer to `genmove` within 3.000 s",
    "exits-at-genmove | crash | exited with code 3; its output ends with `out of ideas`",
    "floods | protocol_error | the bot wrote a line of more than 1048576 bytes",
];

/// The game of Go of the examples, on a small board.
fn go(more: &str) -> Option<String> {
    let python = python()?.program;
    let folder = root().join("examples/rules");
    Some(format!(
        "[game]\nrules = [{python:?}, \"go.py\"]\ndir = {folder:?}\n{more}"
    ))
}

#[test]
#[ignore = "slow"]
fn stand_ins_end_as_declared_and_none_halts_the_run() {
    let go = needed!(go(""));
    if let Some(run) = end_as_declared("gtp.py", &go, &STAND_INS) {
        run.referee("replay out 0 --seat black --transcript").ok();
    }
}

#[test]
fn options_are_commands_that_the_engine_has() {
    let plays = needed!(stand_in("gtp.py", &["plays"]));
    let go = needed!(go(""));
    let config = |keys: &str| {
        format!(
            "{go}[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             [[player]]\nname = \"a\"\nspeaks = \"gtp\"\ncommand = {plays:?}\n{keys}\n\
             [[player]]\nname = \"b\"\nspeaks = \"gtp\"\ncommand = {plays:?}\n"
        )
    };
    let run = TestRun::played(&config("options = { style = \"wild\" }"));
    let seat = if run.rows()[0]["first"] == "a" {
        "black"
    } else {
        "white"
    };
    let lines = run
        .referee(&format!("replay out 0 --seat {seat} --transcript"))
        .ok();
    let words = "name\nlist_commands\nstyle wild\nboardsize 9\nclear_board\nkomi 7.5\n";
    assert_starts!(lines, words);
    for row in [
        "options = { stile = \"wild\" } | player `a`: the engine has no command `stile`: did you mean `style`?",
        "options = { komi = 5 } | `komi` is sent by the referee, as the game and the clock are",
        "go = { depth = 5 } | GTP has no limits of a search",
    ] {
        let [keys, problem] = columns(row);
        TestRun::new(&config(keys))
            .referee("run config.toml --check")
            .fails(2, problem);
    }
    // The value is not looked at before the handshake of a game.
    let run = TestRun::played(&config("options = { style = \"mild\" }"));
    for row in run.rows() {
        assert_eq!(row["termination"], "handshake");
        let said = format!("{}{}", row["first_detail"], row["second_detail"]);
        assert_eq!(said, "the engine refused `style mild`: unknown style");
    }
}

#[test]
#[ignore = "slow"]
fn gnugo_plays_to_the_end_by_area() {
    let gnugo = needed!(engine("gnugo"));
    let go = needed!(go("ko = \"superko\"\nkomi = \"6.5\"\n"));
    let mark = format!("REFEREE_TEST_GO={}", std::process::id());
    let (key, value) = mark.split_once('=').expect("a variable");
    let players: String = [1, 5]
        .into_iter()
        .map(|level| {
            format!(
                "[[player]]\nname = \"gnugo-{level}\"\nspeaks = \"gtp\"\nenv = {{ {key} = {value:?} }}\n\
                 command = [{gnugo:?}, \"--mode\", \"gtp\", \"--level\", \"{level}\", \"--chinese-rules\", \
                 \"--play-out-aftermath\", \"--capture-all-dead\", \"--positional-superko\"]\n"
            )
        })
        .collect();
    let run = TestRun::played(&format!(
        "seed = 5\n{go}[format]\nkind = \"round-robin\"\ngames-per-pairing = 4\nopening-plies = 2\n{players}"
    ));
    let rows = run.rows();
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert_eq!(row["reason"], "two_passes", "{row:?}");
    }
    run.referee("verify out").ok();
    wait_for_the_end_of_all_with(&mark);
}
