//! `referee play`: one game drawn move by move, with a person or without.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, ChildStdout, Command};

use referee::referee::Termination;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::python::python;
use crate::support::{REFEREE, TestRun, columns, referee, referee_reading, root, screens, started};

#[test]
fn a_person_is_helped() {
    let ran = referee("play cachex human random --set size=3 <<< ?\n\nz9\na\nnonsense\n");
    let legal = "legal: a1 b1 c1 a2 c2 a3 b3 c3\n";
    assert_eq!(ran.stdout.matches(legal).count(), 2, "{}", ran.stdout);
    let goal = "Join your two edges by a chain of your stones: red the bottom row with the top row, blue the left column \
                with the right column.\nType an action, or its beginning";
    // At the start, and for `?`.
    assert_eq!(ran.stdout.matches(goal).count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.starts_with(goal), "{}", ran.stdout);
    for refused in [
        "`z9` is illegal: z9 is off the board: at size 3 columns are a to c and rows 1 to 3;",
        "`nonsense` is not an action: expected ",
    ] {
        assert!(ran.stdout.contains(refused), "{}", ran.stdout);
    }
    assert!(ran.stdout.contains("; Enter lists the legal actions\n"));

    let like = "legal actions that begin with `a`: a1 a2 a3\n";
    assert!(ran.stdout.contains(like), "{}", ran.stdout);
    let seating = "\n\nred is human, blue is random\n\n";
    assert!(ran.stdout.contains(seating), "{}", ran.stdout);

    let ran = referee("play watch-your-back human random <<< 1,\n");
    let like = "legal actions that begin with `1,`: 1,0 1,1 1,2 1,3 1,4 1,5\n";
    assert!(ran.stdout.contains(like), "{}", ran.stdout);
}

/// Each seat sees a card of its own, and the first one sees the other's at the end.
const CARDS: &str = r#"
from game import act, end, rules, serve

@rules("cards", seats="red blue", reasons={"shown": "both were shown"}, has="legal hidden")
def cards(game):
    for seat in 0, 1:
        game.see(seat, f"card {seat + 5}")
    for seat in 0, 1:
        yield act(seat, can=["show", "fold"])
    game.see(0, "blue had 6")
    return end([0, 1], "shown")

serve(cards)
"#;

#[test]
fn a_person_is_told_what_their_seat_alone_sees() {
    needed!(python());
    let run = TestRun::new("");
    run.copy(&root().join("examples/rules/game.py"), "game.py");
    run.write("cards.py", CARDS);
    let shown = run.referee("play --game 'python3 cards.py' human random <<< show");
    let shown = shown.ok();
    assert_has!(shown, "red is told: card 5\nred (? for help)> ");
    assert_has!(shown, "\nred is told: blue had 6\n");
    assert_lacks!(shown, "card 6");
    assert_has!(shown, "1. red show ");
    assert_has!(shown, "2. blue (hidden) ");
}

/// A child that is asked for an action of red, its input, its output and what it showed.
fn asked(args: &[&str]) -> (Child, ChildStdin, ChildStdout, Vec<u8>) {
    let mut command = Command::new("env");
    // A program that a shell started in the background does not hear Ctrl-C.
    command.args(["--default-signal=INT", REFEREE]).args(args);
    let mut child = started(&mut command);
    let stdin = child.stdin.take().expect("a pipe");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut shown = Vec::new();
    while !shown.ends_with(b"red (? for help)> ") {
        let mut byte = [0];
        assert_eq!(stdout.read(&mut byte).expect("output"), 1, "it ended");
        shown.push(byte[0]);
    }
    (child, stdin, stdout, shown)
}

#[test]
fn ctrl_c_leaves_the_game_and_a_kept_one_has_its_row() {
    let run = TestRun::new("");
    let out = run.path("out");
    let out = out.to_str().expect("text");
    for kept in [&["--out", out][..], &[]] {
        let args = [&["play", "cachex", "human", "random"], kept].concat();
        let (mut child, stdin, mut stdout, _) = asked(&args);
        let process = Pid::from_child(&child);
        kill_process(process, Signal::INT).expect("sent");
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).expect("text");
        drop(stdin);
        assert!(child.wait().expect("an end").success(), "{rest}");
        let words = "red (human) left the game after 0 plies; blue (random) wins\n";
        assert_has!(rest, words);
    }
    let [game] = &run.games()[..] else {
        panic!("not one game");
    };
    assert_eq!(game.end.termination, Termination::Left);
    run.referee("verify out").ok();
}

/// Bots play in a game without a person, so Ctrl-C ends the program; a person who is asked is interrupted by SIGTERM.
#[test]
fn a_signal_that_ends_the_program_leaves_no_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = "search --nodes 300000";
    let bots = ["play", "dark-chess", bot, bot];
    let person = ["play", "cachex", "human", "random"];
    for (args, signal) in [(&bots, Signal::INT), (&person, Signal::TERM)] {
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", REFEREE]).args(args);
        let mut child = started(command.env("TMPDIR", folder.path()));
        // The folder is there before the first board.
        let mut byte = [0];
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut byte).expect("output");
        kill_process(Pid::from_child(&child), signal).expect("sent");
        let end = child.wait().expect("an end");
        assert_eq!(end.signal(), Some(signal.as_raw()), "{args:?}");
        let mut said = String::new();
        let mut stderr = child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut said).expect("text");
        let word = "\nstopped: the game has no result\n";
        assert_eq!(said, if signal == Signal::INT { word } else { "" });
        let left: Vec<_> = std::fs::read_dir(folder.path()).expect("read").collect();
        assert!(left.is_empty(), "{args:?}: {left:?}");
    }
}

#[test]
fn a_person_who_leaves_has_left() {
    for (players, person, winner) in [
        ("human random", "red", "blue"),
        ("random human", "blue", "red"),
    ] {
        let ran = referee(&format!("play cachex {players}")).done();
        let last = ran.stdout.lines().last().expect("a line");
        assert_starts!(last, &format!("{person} (human) left the game after "));
        let end = format!("; {winner} (random) wins");
        assert!(last.ends_with(&end), "{last}");
    }
}

#[test]
fn two_bots_play_every_game() {
    for game in ["watch-your-back", "cachex", "dark-chess"] {
        let line = format!("play {game} random random --seed 4 --opening-plies 2");
        let [shown, again] = [(); 2].map(|()| referee(&line).ok());
        assert_eq!(shown.matches("   opening\n").count(), 2, "{game}");
        // All but the times.
        let end = shown.lines().last().expect("a line");
        assert_eq!(Some(end), again.lines().last(), "{game}");
        let is_end = end.contains("(rules: ") || end.contains("(adjudication: ");
        assert!(is_end, "{end}");
    }
}

#[test]
fn hidden_pieces_are_not_drawn_before_they_are_public() {
    let shown = referee("play dark-chess human random").stdout;
    let start = shown.split("first (? for help)>").next().expect("text");
    assert_eq!(start.matches('?').count(), 32, "{start}");
}

#[test]
fn a_bot_that_fails_is_shown_with_its_last_words() {
    let line = "play cachex \"sh -c 'echo out of ideas >&2; exit 4'\" random";
    assert_screen!(screens(root(), &[line]));
}

#[test]
fn players_that_cannot_play_are_usage_errors() {
    let lines = [
        "play cachex random no-such-bot",
        "play cachex random \"python3 'x\"",
        "play cachex random ''",
        "play cachex random random --per-game 0s",
        "play cachex random random --per-move -1s",
        "play cachex random random --opening-plies -1",
        "play cachex random random --seed abc",
    ];
    assert_screen!(screens(root(), &lines));
}

#[test]
fn a_kept_game_is_drawn_like_any_other() {
    let run = TestRun::new("");
    for seed in 0..4 {
        let line = format!("play dark-chess random greedy --set max-plies=12 --seed {seed}");
        let drawn = run.referee(&line).ok();
        let kept = run.referee(&format!("{line} --out kept{seed}")).ok();
        let boards = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| line.starts_with("  "));
            lines.map(str::to_owned).collect()
        };
        assert_eq!(boards(&drawn), boards(&kept), "{kept}");
        let end = format!("again: referee replay kept{seed} 0\nkept in kept{seed}\n");
        assert!(kept.ends_with(&end), "{kept}");
    }
    let used = run.referee("play dark-chess random greedy --out kept0");
    used.fails(
        5,
        "kept0: holds a run already: name another folder with --out\n",
    );
}

#[test]
fn a_person_plays_a_game_that_is_kept() {
    let run = TestRun::new("");
    let cells = "a1 b1 c1 a2 b2 c2 a3 b3 c3 ".repeat(6).replace(' ', "\n");
    let args = "play cachex human random --set size=3 --out out";
    let args: Vec<&str> = args.split(' ').collect();
    let ran = referee_reading(run.folder(), cells.repeat(8).as_bytes(), &args).done();
    assert!(ran.stdout.contains("red (? for help)> "), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n2. blue "), "{}", ran.stdout);
    run.referee("verify out").ok();
    let [game] = &run.games()[..] else {
        panic!("not one game");
    };
    assert_eq!(game.names().pair().expect("two seats"), ["human", "random"]);
    run.referee("replay out 0 --seat human --into").fails(
        2,
        "the bot of `human` cannot be started as the manifest has it: it was a person",
    );

    // A person who leaves ends the game.
    let args = "play cachex human human --out left";
    let args: Vec<&str> = args.split(' ').collect();
    let ran = referee_reading(run.folder(), b"a1\nquit\n", &args).done();
    let end = "\nblue (human-2) left the game after 1 ply; red (human) wins\n\
               again: referee replay left 0\nkept in left\n";
    assert!(ran.stdout.ends_with(end), "{ran:?}");
    let shown = run.referee("replay left 0").ok();
    assert!(!shown.contains("--into"), "{shown}");
    run.referee("verify left").ok();
}

#[test]
fn the_last_action_is_marked_and_colours_are_for_terminals() {
    for row in [
        "cachex --set size=3 | b1 a2 |  2[b]. .",
        "cachex --set size=3 | b1 steal |  2[b]. .",
        "watch-your-back | 3,4 5,5 | 5 - - - - -[B]- -",
        // The end of a row, and a move.
        "dark-chess --set layout=KGGMMRRNNCCPPPPPkggmmrrnnccppppp | d1 | 1 ? ? ?[p]",
        "dark-chess --set layout=pPGMMRRNNCCPPGPPkggmmrrnnccppppK | a8 b8 a8-b8 | ",
    ] {
        let [game, actions, line] = columns(row);
        let position = format!("position {game} --actions - <<< {actions}");
        let black = referee(&position).stdout;
        let is_marked = line.is_empty() || black.lines().any(|shown| shown == line);
        assert!(is_marked, "{black}");
        let ran = referee(&format!("--color always {position}"));
        assert!(ran.stdout.contains("\u{1b}["), "{}", ran.stdout);
        // In colour it is the same text.
        let mut plain = String::new();
        for (index, part) in ran.stdout.split("\u{1b}[").enumerate() {
            let part = match index {
                0 => part,
                _ => part.split_once('m').expect("a colour").1,
            };
            plain.push_str(part);
        }
        assert_eq!(plain, black);
    }
    for command in ["play cachex random random --set size=3", "position cachex"] {
        let ran = referee(command).ok();
        assert!(!ran.contains('\u{1b}'), "{ran}");
    }
}
