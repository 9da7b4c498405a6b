//! `referee play`: one game drawn move by move, with a person or without.

use crate::support::program::{referee, referee_reading, root, screens};

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
    assert!(
        ran.stdout
            .contains("`z9` is not legal now; ? lists the legal actions\n")
    );
    assert!(ran.stdout.contains("`nonsense` is not legal now"));

    let ran = referee("play watch-your-back human random <<< 1,\n");
    let like = "legal actions that begin with `1,`: 1,0 1,1 1,2 1,3 1,4 1,5\n";
    assert!(ran.stdout.contains(like), "{}", ran.stdout);
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
    ];
    assert_screen!(screens(root(), &lines));
}
