//! Object-safe access to a game in progress, with actions as text.

use std::fmt::Write;

use crate::game::{
    ActError, Drawing, News, Outcome, ParseError, Position, Refusal, RulesFault, Seat, View,
};

/// A game in progress: the object-safe form of a [`Position`]. Rules that are a program may fail at any question
/// to them; after that, every question may fail.
pub trait AnyPosition {
    /// Number of plies played.
    fn ply(&self) -> u32;

    /// Who acts next; `None` once the game is over.
    fn to_act(&self) -> Option<Seat>;

    /// Adds what the start of the game tells the seats, such as their private cards.
    fn dealt(&self, _news: &mut News) {}

    /// Plays the action written in `token`, and adds what became known by it to `news`. A refused token changes
    /// nothing.
    ///
    /// # Errors
    /// The token is not an action, or not a legal one now, or the rules failed.
    fn act(&mut self, token: &str, news: &mut News) -> Result<(), ActError>;

    /// Outcome by the game's rules; `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// All legal actions, in a fixed order.
    ///
    /// # Errors
    /// The rules failed.
    fn legal(&self) -> Result<Vec<String>, RulesFault>;

    /// All legal actions, sorted by distance from the action in `token`, nearest first.
    ///
    /// # Errors
    /// The rules failed.
    fn legal_near(&self, token: &str) -> Result<Vec<String>, RulesFault>;

    /// Points of both seats; `None` for a game without points. Watch Your Back! counts pieces on the board.
    fn score(&self) -> Option<[u32; 2]>;

    /// The position as a seat may see it, or with everything revealed for `None`.
    ///
    /// # Errors
    /// The rules failed.
    fn drawing(&self, seat: Option<Seat>) -> Result<Drawing, RulesFault>;
}

impl<P: Position> AnyPosition for P {
    fn ply(&self) -> u32 {
        self.view(Seat::First).ply()
    }

    fn to_act(&self) -> Option<Seat> {
        self.view(Seat::First).to_act()
    }

    fn act(&mut self, token: &str, news: &mut News) -> Result<(), ActError> {
        let action = token
            .parse::<<P::View as View>::Action>()
            .map_err(|error| match error {
                ParseError::Malformed => Refusal::Unparsable {
                    expected: P::View::NOTATION.into(),
                },
                ParseError::OffBoard => Refusal::Illegal {
                    rule: error.to_string(),
                },
            })?;
        let shown = self.apply(action).map_err(|rule| Refusal::Illegal {
            rule: rule.to_string(),
        })?;
        // Writing to a `String` cannot fail.
        let _ = write!(news.public, "{shown}");
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.view(Seat::First).outcome()
    }

    fn legal(&self) -> Result<Vec<String>, RulesFault> {
        Ok(actions(self).iter().map(ToString::to_string).collect())
    }

    fn legal_near(&self, token: &str) -> Result<Vec<String>, RulesFault> {
        let mut actions = actions(self);
        if let Ok(wanted) = token.parse::<<P::View as View>::Action>() {
            actions.sort_by_key(|action| P::View::apart(wanted, *action));
        }
        Ok(actions.iter().map(ToString::to_string).collect())
    }

    fn score(&self) -> Option<[u32; 2]> {
        self.view(Seat::First).score()
    }

    fn drawing(&self, seat: Option<Seat>) -> Result<Drawing, RulesFault> {
        Ok(match seat {
            Some(seat) => self.view(seat).drawing(),
            None => self.revealed(),
        })
    }
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
