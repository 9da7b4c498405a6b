//! Answers that come too late: a slow bot is called slow, and one that does not flush is told to.

use crate::support::config::{GREEDY, greedy, shell, small_cachex};
use crate::support::{TestRun, columns, referee};
use referee::game::Seat;

const READY: &str = "read a; echo bot 1 late; read b; echo ready; read c; ";

/// What a game says of an answer without a line end.
const UNENDED: &str = "; its answer came without a line end: end each line with a newline";

/// What a game says of an answer that lay in a buffer.
const BUFFERED: &str =
    "; its answer came only when its input was closed: flush standard output after each line";

#[test]
#[ignore = "slow"]
fn check_tells_a_slow_bot_from_one_that_does_not_flush() {
    let at_once = "->";
    for row in [
        // Half a second too late, and the bot reads on after that.
        "READY sleep 0.8; echo a1; cat >/dev/null | -> `a1` came 0.",
        // It does not read on, and answers only when it has slept.
        "READY sleep 2; echo a1 | -> `a1` came 1.",
        "READY cat >/dev/null; echo a1 | -> `a1` came when its input was closed",
        "cat >/dev/null; echo bot 1 late | -> `bot 1 late` came when its input was closed",
        // Without a line end.
        "READY printf a1; cat >/dev/null | -> `a1` came without a line end",
        "READY cat >/dev/null; printf a1 | -> `a1` came without a line end",
        // No answer.
        "READY read d; echo a1 | -> it used next to no processor time",
        "READY cat >/dev/null | -> it used next to no processor time",
        // It answers the next line.
        "READY read d; echo a1; cat >/dev/null | -> `a1` came only with the next line that the bot was sent",
        "while read a; do read b; echo bot 1 late; done | -> `bot 1 late` came only with the next line",
        "while read -r a; do read b; sleep 0.01; echo bot 1 late; done | -> `bot 1 late` came only with the next line",
        "printf \"Name? \"; cat >/dev/null | -> `Name?` came without a line end: end each answer with a newline, and flush it; a prompt",
        "READY while :; do :; done | -> it computed all that time: an endless loop?",
        // Other beginnings of a bot.
        "printf \"> \"; read a; echo bot 1 late | -> what stands before `bot` is a prompt",
        "READY echo MemoryError >&2; exit 1 | -> no limit was set here",
        // It reads in one process and computes in another.
        "READY cat <&0 >/dev/null & while [ $(date +%s) -lt $(($S + 3)) ]; do :; done; echo a1 | ->",
    ] {
        let [bot, hint] = columns(row);
        let line = bot.replace("READY ", READY);
        let line = format!("S=$(date +%s); {line}");
        let command = format!("sh -c '{line}'");
        let command = shlex::try_quote(&command).expect("no zero byte");
        let options =
            "--game cachex --set size=3 --games 1 --handshake 1s --per-move 300ms --quit 20s";
        let ran = referee(&format!("check {command} {options}"));
        assert_eq!(ran.exit, 1, "{bot}: {ran:?}");
        let hints = ran.stdout.lines().map(str::trim_start);
        let mut hints = hints.filter(|line| line.starts_with("->"));
        let found = hints.next().unwrap_or_default();
        assert!(found.starts_with(hint), "{bot}: {}", ran.stdout);
        let slow = found.contains("the bot is too slow");
        let buffered = found.contains("flush after every line: print(..., flush=True)");
        assert!(!(slow && buffered), "{bot}: {found}");
        match hint == at_once {
            true => assert!(!found.contains("its input was closed"), "{bot}: {found}"),
            false => assert_eq!(slow, found.contains("after the limit"), "{bot}: {found}"),
        }
    }
}

#[test]
#[ignore = "slow"]
fn a_game_says_what_became_of_an_answer() {
    let clock = "[clock]\nper-move = \"300ms\"\n[limits]\nhandshake = \"1s\"\nquit = \"20s\"\n";
    for row in [
        "time | BUFFERED | READY cat >/dev/null; echo b1",
        "time |  | READY sleep 0.6; echo b1; cat >/dev/null",
        "time | UNENDED | READY printf b1; cat >/dev/null",
        "handshake | UNENDED | printf \"bot 1 late\"; cat >/dev/null",
        // Not an action.
        "time |  | READY cat >/dev/null; echo bye!",
        "handshake | BUFFERED | cat >/dev/null; echo bot 1 late",
        "handshake | BUFFERED | read a; echo bot 1 late; cat >/dev/null; echo ready",
        "handshake |  | cat >/dev/null; echo goodbye",
    ] {
        let [termination, remark, bot] = columns(row);
        let bot = bot.replace("READY ", READY);
        let remark = match remark {
            "BUFFERED" => BUFFERED,
            "UNENDED" => UNENDED,
            _ => "",
        };
        for fresh in ["", "fresh-process = true\n"] {
            let bot = shell("late", &bot) + fresh;
            let run = TestRun::played(&small_cachex(2, &[clock, &bot, GREEDY]));
            for row in run.games() {
                let detail = row.detail();
                assert_eq!(row.end.termination.name(), termination, "{bot}: {detail}");
                for other in [BUFFERED, UNENDED] {
                    assert_eq!(detail.ends_with(other), remark == other, "{bot}: {detail}");
                }
                assert!(detail.contains(" within "), "{detail}");
            }
            run.referee("verify out").ok();
            // It was found out after the bot had been told the end.
            let told = run.referee("replay out 0 --seat late --transcript").stdout;
            assert!(told.contains("\nend "), "{told}");
            assert!(!told.contains("its answer came"), "{told}");
            let shown = run.referee("replay out 0").ok();
            let has_remark = shown.contains("its answer came");
            assert_eq!(has_remark, !remark.is_empty(), "{shown}");
        }
    }
}

#[test]
fn a_replay_says_what_a_slow_player_took_before() {
    let clock = "[clock]\nper-move = \"300ms\"\n";
    for (bot, words) in [
        (
            format!("{READY} echo b1; cat >/dev/null"),
            "\nbefore that red acted 1 time: 0.",
        ),
        (
            format!("{READY} cat >/dev/null"),
            "\nthat was the first action that red was asked for\n",
        ),
    ] {
        let run = TestRun::played(&small_cachex(2, &[clock, &shell("late", &bot), GREEDY]));
        let games = run.games();
        let red = games.iter().find(|row| row.names()[Seat::FIRST] == "late");
        let id = red.expect("a game as red").id;
        let shown = run.referee(&format!("replay out {id}")).ok();
        assert!(shown.contains(words), "{shown}");
        let found = shown.contains(" of processor time; at most 0.");
        assert_eq!(found, words.contains("before"), "{shown}");
    }
}

#[test]
fn the_time_of_an_action_that_failed_is_in_the_row() {
    let clock = "[clock]\nmeasure = \"wall\"\nper-move = \"200ms\"\n";
    let players = [
        greedy(&[("a", 1)]),
        shell("silent", &format!("{READY}sleep 60")),
    ]
    .concat();
    let run = TestRun::played(&small_cachex(2, &[clock, &players]));
    let rows = run.rows();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let own = match &*row["first"] {
            "silent" => "first",
            _ => "second",
        };
        assert_eq!(row[&format!("{own}_fault")], "late", "{row:?}");
        // Its waits for a processor are not charged.
        let times = ["wall", "waited"].map(|it| row[&format!("{own}_{it}_us")].parse::<u64>());
        let times = times.map(|it| it.expect("a time"));
        assert!(times.iter().sum::<u64>() >= 200_000, "{row:?}");
    }
}
