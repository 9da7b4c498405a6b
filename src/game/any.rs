//! Object-safe access to a game in progress, with actions as text.

use std::fmt::Write;

use super::{Outcome, ParseError, Picture, Position, Seat, View};

/// Why a token was not played. The words complete "the token is …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The token is not an action in this game's notation.
    #[error("not an action: expected {expected}")]
    Unparsable {
        /// Notation of an action, for the player.
        expected: &'static str,
    },
    /// The token is an action, but not a legal one now.
    #[error("illegal: {rule}")]
    Illegal {
        /// The rule it breaks, in words for the player.
        rule: String,
    },
}

/// A game in progress: the object-safe form of a [`Position`].
pub trait AnyPosition {
    /// Number of plies played.
    fn ply(&self) -> u32;

    /// Who acts next; `None` once the game is over.
    fn to_act(&self) -> Option<Seat>;

    /// Plays the action written in `token`, and appends what became public to `public`:
    /// space-separated tokens, or nothing. A refused token changes nothing.
    ///
    /// # Errors
    /// If the token is not an action, or not a legal one now.
    fn act(&mut self, token: &str, public: &mut String) -> Result<(), Refusal>;

    /// Outcome by the game's rules; `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// All legal actions, in a fixed order.
    fn legal(&self) -> Vec<String>;

    /// All legal actions, sorted by distance from the action in `token`, nearest first.
    fn legal_near(&self, token: &str) -> Vec<String>;

    /// Points of both seats; `None` for a game without points. Watch Your Back! counts pieces on the board.
    fn score(&self) -> Option<[u32; 2]>;

    /// The board as `seat` may see it, a letter a square.
    fn board(&self, seat: Seat) -> String;

    /// The board as `seat` may see it, with `/` between the rows.
    fn rows(&self, seat: Seat) -> String;

    /// The board as `seat` may see it, with `/` between the rows, in drawing order (top row first).
    fn drawn_rows(&self, seat: Seat) -> String;

    /// The board with hidden pieces revealed, a letter a square.
    fn revealed_board(&self) -> String;

    /// Indices into [`AnyPosition::board`] of the squares that decided the game, such as a winning chain.
    fn decisive_squares(&self) -> Vec<usize>;

    /// The board as `seat` may see it, drawn for people, ending with one newline. Marks the squares of
    /// the action in `last`.
    fn picture(&self, seat: Seat, last: Option<&str>) -> Picture;
}

impl<P: Position> AnyPosition for P {
    fn ply(&self) -> u32 {
        self.view(Seat::First).ply()
    }

    fn to_act(&self) -> Option<Seat> {
        self.view(Seat::First).to_act()
    }

    fn act(&mut self, token: &str, public: &mut String) -> Result<(), Refusal> {
        let action = token
            .parse::<<P::View as View>::Action>()
            .map_err(|error| match error {
                ParseError::Malformed => Refusal::Unparsable {
                    expected: P::View::NOTATION,
                },
                ParseError::OffBoard => Refusal::Illegal {
                    rule: error.to_string(),
                },
            })?;
        let shown = self.apply(action).map_err(|rule| Refusal::Illegal {
            rule: rule.to_string(),
        })?;
        // Writing to a `String` cannot fail.
        let _ = write!(public, "{shown}");
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.view(Seat::First).outcome()
    }

    fn legal(&self) -> Vec<String> {
        actions(self).iter().map(ToString::to_string).collect()
    }

    fn legal_near(&self, token: &str) -> Vec<String> {
        let mut actions = actions(self);
        if let Ok(wanted) = token.parse::<<P::View as View>::Action>() {
            actions.sort_by_key(|action| P::View::apart(wanted, *action));
        }
        actions.iter().map(ToString::to_string).collect()
    }

    fn score(&self) -> Option<[u32; 2]> {
        self.view(Seat::First).score()
    }

    fn board(&self, seat: Seat) -> String {
        self.view(seat).board()
    }

    fn rows(&self, seat: Seat) -> String {
        let view = self.view(seat);
        in_rows(view, view.board().chars())
    }

    fn drawn_rows(&self, seat: Seat) -> String {
        let view = self.view(seat);
        in_rows(view, view.picture().letters())
    }

    fn revealed_board(&self) -> String {
        Position::revealed_board(self)
    }

    fn decisive_squares(&self) -> Vec<usize> {
        self.view(Seat::First).decisive_squares()
    }

    fn picture(&self, seat: Seat, last: Option<&str>) -> Picture {
        let view = self.view(seat);
        let mut picture = view.picture();
        picture.end_line();
        let last = last.and_then(|token| token.parse().ok());
        if let Some(action) = last {
            picture.mark(&view.squares(action));
        }
        picture
    }
}

/// The letters of a board with `/` between the rows.
fn in_rows<V: View>(view: &V, letters: impl Iterator<Item = char>) -> String {
    let letters: Vec<char> = letters.collect();
    let rows = letters.chunks(view.columns().max(1));
    let rows: Vec<String> = rows.map(|row| row.iter().collect()).collect();
    rows.join("/")
}

/// Legal actions of the seat to act, from that seat's view.
fn actions<P: Position>(position: &P) -> Vec<<P::View as View>::Action> {
    let mut actions = Vec::new();
    if let Some(seat) = position.view(Seat::First).to_act() {
        position.view(seat).legal(&mut actions);
    }
    actions
}

#[cfg(test)]
mod tests {
    use crate::game::{View, cachex, dark_chess, watch_your_back};

    /// The actions in `others`, sorted by distance from `one`.
    fn in_order<V: View>(one: &str, others: &str) -> String {
        let action = |token: &str| token.parse::<V::Action>().expect("an action");
        let mut others: Vec<V::Action> = others.split(' ').map(action).collect();
        others.sort_by_key(|other| V::apart(action(one), *other));
        let tokens: Vec<String> = others.iter().map(ToString::to_string).collect();
        tokens.join(" ")
    }

    #[test]
    fn actions_of_the_same_piece_come_first_then_those_nearby() {
        assert_eq!(
            in_order::<watch_your_back::State>("3,3-3,6", "3,2-3,3 7,7-7,6 3,3-2,3 3,3-3,4"),
            "3,3-3,4 3,3-2,3 3,2-3,3 7,7-7,6"
        );
        assert_eq!(
            in_order::<watch_your_back::State>("0,0", "5,5 1,1 0,2 pass 1,0"),
            "pass 1,0 1,1 0,2 5,5"
        );
        // Cells touch along one of the two diagonals only.
        assert_eq!(
            in_order::<cachex::State>("c3", "steal a1 d4 d2 b4 c3"),
            "c3 d2 b4 d4 a1 steal"
        );
        assert_eq!(
            in_order::<dark_chess::View>("b3-b5", "b2 b3-c3 a8 b3-b4 c3"),
            "b3-b4 b3-c3 b2 c3 a8"
        );
    }
}
