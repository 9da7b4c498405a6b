//! `referee play`: one game drawn move by move, with a person or without.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::support::program::{REFEREE, referee, referee_reading, root, screens};

#[test]
fn a_person_plays_a_whole_game() {
    // All cells again and again. A cell that is taken is refused, and the next one is tried.
    let cells = "a1 b1 c1 a2 b2 c2 a3 b3 c3 ".repeat(50).replace(' ', "\n");
    let args = ["play", "cachex", "human", "random", "--set", "size=3"];
    let shown = referee_reading(root(), cells.as_bytes(), &args).ok();
    assert!(shown.contains("red (? for help)> \n1. red a1"), "{shown}");
    assert!(shown.contains("\n2. blue "), "{shown}");
    let last = shown.lines().last().expect("a line");
    assert!(last.contains(" plies (rules: connection)"), "{last}");
}

#[test]
fn a_person_is_helped() {
    let ran = referee("play cachex human random --set size=3 <<< ?\n\nz9\na\nnonsense\n");
    let legal = "legal: a1 b1 c1 a2 c2 a3 b3 c3\n";
    assert_eq!(ran.stdout.matches(legal).count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("> type an action, or its beginning"));
    for refused in [
        "`z9` is illegal: z9 is off the board: at size 3 columns are a to c and rows 1 to 3;",
        "`nonsense` is not an action: expected ",
    ] {
        assert!(ran.stdout.contains(refused), "{}", ran.stdout);
    }
    assert!(ran.stdout.contains("; Enter lists the legal actions\n"));

    let ran = referee("play watch-your-back human random <<< 1,\n");
    let like = "legal actions that begin with `1,`: 1,0 1,1 1,2 1,3 1,4 1,5\n";
    assert!(ran.stdout.contains(like), "{}", ran.stdout);
}

#[test]
fn the_prompt_is_there_before_anything_is_typed() {
    let mut child = Command::new(REFEREE)
        .args(["play", "cachex", "human", "random"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut shown = Vec::new();
    while !shown.ends_with(b"red (? for help)> ") {
        let mut byte = [0];
        assert_eq!(stdout.read(&mut byte).expect("output"), 1, "it ended");
        shown.push(byte[0]);
    }
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"quit\n").expect("written");
    stdout.read_to_end(&mut shown).expect("output");
    let shown = String::from_utf8(shown).expect("text");
    assert!(shown.ends_with("(crash: the player left)\n"), "{shown}");
    assert!(child.wait().expect("an end").success());
}

#[test]
fn an_opening_that_is_the_whole_game_is_told() {
    let ran = referee("play cachex random random --set size=3 --opening-plies 1000");
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(
        ran.stderr.contains("ended within its --opening-plies 1000"),
        "{ran:?}"
    );
}

#[test]
fn a_person_who_leaves_forfeits() {
    for (players, winner) in [("human random", "blue"), ("random human", "red")] {
        let ran = referee(&format!("play cachex {players}"));
        assert_eq!(ran.exit, 0, "{ran:?}");
        let last = ran.stdout.lines().last().expect("a line");
        assert!(last.starts_with(&format!("{winner} wins after ")), "{last}");
        assert!(last.ends_with("(crash: the player left)"), "{last}");
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
        assert!(
            end.contains("(rules: ") || end.contains("(adjudication: "),
            "{end}"
        );
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
