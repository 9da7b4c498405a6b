//! A game that is not built in is played like one that is: nothing outside its folder knows it.

mod drawn_boards;
mod high_card;
mod private_hands;
mod rules_that_fail;
mod scripted;
mod tic_tac_toe;

use referee::game::{GameResult, Seat, Setup};

use crate::support::doubles::{no_limits, plays, told, watched_game};

#[test]
fn its_rules_seats_and_reasons_reach_the_players() {
    let mut setup = Setup::new(tic_tac_toe::GAME);
    setup.set("misere", "yes").expect("an option");
    let (mut crosses, mut noughts) = (plays(&["a3", "b3", "c3"], &[]), plays(&["a1", "b2"], &[]));
    let mut boards = Vec::new();
    let players = [&mut crosses as _, &mut noughts as _];
    let end = watched_game(&setup, &no_limits(), 0, players, |_, position| {
        let drawing = position.drawing(Some(Seat::FIRST)).expect("built in");
        boards.extend(drawing.board.map(|board| board.rows()));
    });
    let end = end.expect("a game that counts");
    assert_eq!(end.result, GameResult::Won(Seat::SECOND));
    assert_eq!(end.reason, Some(tic_tac_toe::LINE));
    assert_eq!(boards.last().map(String::as_str), Some("xxx/.o./o.."));
    let lines = &noughts.player.received;
    assert!(
        lines[1].starts_with("start tic-tac-toe noughts "),
        "{lines:?}"
    );
    assert!(lines[1].ends_with(" misere=yes"), "{lines:?}");
    assert_eq!(told(lines, "end"), ["end noughts rules line"]);
}
