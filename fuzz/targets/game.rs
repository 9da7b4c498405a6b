//! What holds for the tokens of every game.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use referee::game::{Game, News, Setup, View};
use referee::random::Stream;

/// A value that was read from text reads back as the same value after it is written.
fn reads<T: FromStr + Display + PartialEq + Debug>(text: &str) {
    if let Ok(value) = text.parse::<T>() {
        assert_eq!(value.to_string().parse::<T>().ok(), Some(value));
    }
}

pub fn tokens_are_read_as_written<V: View>(text: &str) {
    for line in text.lines() {
        reads::<V::Action>(line);
        reads::<V::Public>(line);
    }
}

/// Plays the words of `text` one after another. A refused word changes nothing.
pub fn refusals_change_nothing(game: Game, text: &str) {
    let mut position = Setup::new(game)
        .start(&mut Stream::new(1, 0))
        .expect("built in");
    for token in text.split_whitespace() {
        let before = (position.ply(), position.revealed_board());
        let known = position.to_act().seats().any(|seat| {
            let legal = position.legal(seat).expect("built in");
            legal.iter().any(|action| action == token)
        });
        let played = position.act(token, &mut News::default()).is_ok();
        assert_eq!(played, known, "{token}");
        if !played {
            assert_eq!((position.ply(), position.revealed_board()), before);
        }
    }
}
