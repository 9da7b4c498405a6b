//! `referee play`: one game drawn move by move, with a person or without.

use crate::support::program::referee_reading;

#[test]
fn a_person_plays_a_whole_game() {
    // Every cell again and again: what is taken by then is not legal and is asked for again.
    let cells = "a1 b1 c1 a2 b2 c2 a3 b3 c3 ".repeat(50).replace(' ', "\n");
    let ran = referee_reading(
        cells.as_bytes(),
        &["play", "cachex", "human", "random", "--set", "size=3"],
    );
    assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout.contains("red (? for help)> \n1. red a1"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("\n2. blue "), "{}", ran.stdout);
    let last = ran.stdout.lines().last().expect("a line");
    assert!(last.contains(" plies (rules: connection)"), "{last}");
}

#[test]
fn a_person_is_helped() {
    let ran = referee_reading(
        b"?\n\nz9\na\nnonsense\n",
        &["play", "cachex", "human", "random", "--set", "size=3"],
    );
    let legal = "legal: a1 b1 c1 a2 c2 a3 b3 c3\n";
    assert_eq!(ran.stdout.matches(legal).count(), 2, "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains("`z9` is not legal now; ? lists the legal actions\n")
    );
    assert!(ran.stdout.contains("`nonsense` is not legal now"));

    let ran = referee_reading(b"1,\n", &["play", "watch-your-back", "human", "random"]);
    let like = "legal actions that begin with `1,`: 1,0 1,1 1,2 1,3 1,4 1,5\n";
    assert!(ran.stdout.contains(like), "{}", ran.stdout);
}

#[test]
fn a_person_who_leaves_forfeits() {
    for (players, winner) in [(["human", "random"], "blue"), (["random", "human"], "red")] {
        let ran = referee_reading(b"", &["play", "cachex", players[0], players[1]]);
        assert_eq!(ran.exit, 0, "{ran:?}");
        let last = ran.stdout.lines().last().expect("a line");
        assert!(last.starts_with(&format!("{winner} wins after ")), "{last}");
        assert!(last.ends_with("(crash: the player left)"), "{last}");
    }
}

#[test]
fn two_bots_play_every_game() {
    for game in ["watch-your-back", "cachex", "dark-chess"] {
        let args = [
            "play",
            game,
            "random",
            "random",
            "--seed",
            "4",
            "--opening-plies",
            "2",
        ];
        let (ran, again) = (referee_reading(b"", &args), referee_reading(b"", &args));
        assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{game}");
        assert_eq!(ran.stdout.matches("   opening\n").count(), 2, "{game}");
        // All but how long they took.
        let ends = |text: &str| text.lines().last().map(str::to_owned);
        assert_eq!(ends(&ran.stdout), ends(&again.stdout), "{game}");
        let end = ends(&ran.stdout).expect("a line");
        assert!(
            end.contains("(rules: ") || end.contains("(adjudication: "),
            "{end}"
        );
    }
}

#[test]
fn what_is_hidden_is_not_drawn_before_it_is_public() {
    let ran = referee_reading(b"", &["play", "dark-chess", "human", "random"]);
    let start = ran
        .stdout
        .split("first (? for help)>")
        .next()
        .expect("text");
    assert_eq!(start.matches('?').count(), 32, "{start}");
}

#[test]
fn a_bot_that_fails_is_shown_with_its_last_words() {
    let bot = "sh -c 'echo out of ideas >&2; exit 4'";
    let ran = referee_reading(b"", &["play", "cachex", bot, "random"]);
    assert_eq!(ran.exit, 0);
    assert!(
        ran.stdout.ends_with(
            "blue wins after 0 plies (handshake: the bot's process exited with code 4; its standard \
             error ends with `out of ideas`)\n"
        ),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stderr, "what red wrote to stderr:\nout of ideas\n");
}

#[test]
fn players_that_cannot_play_are_usage_errors() {
    for (player, words) in [
        (
            "no-such-bot",
            "player `no-such-bot`: there is no program `no-such-bot` in PATH",
        ),
        (
            "python3 'x",
            "player `python3 'x`: expected a command, with its quotes closed",
        ),
        ("", "player ``: expected a command"),
    ] {
        let ran = referee_reading(b"", &["play", "cachex", "random", player]);
        assert_eq!((ran.exit, ran.stdout.as_str()), (2, ""), "{player}");
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}
