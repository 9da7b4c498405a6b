//! The plies of a game before its players take over.

use std::borrow::Cow;

use crate::game::{AnyPosition, Chance, PerSeat, RulesFault};

/// Chooses the plies of an opening.
pub trait Opening {
    /// The next ply in a position that is not over, as one word.
    ///
    /// # Errors
    /// The rules failed.
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<String, RulesFault>;
}

/// A random opening: each legal action is equally likely, for each seat that acts.
impl<C: Chance> Opening for C {
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<String, RulesFault> {
        let actors = position.to_act();
        let mut actions = PerSeat::<String>::defaults(position.seats());
        for seat in actors.seats() {
            let mut legal = position.legal(seat)?;
            if legal.is_empty() {
                return Err(RulesFault::NoAction);
            }
            actions[seat] = legal.swap_remove(self.below(legal.len() as u32) as usize);
        }
        Ok(actors.join(&actions.each_ref().map(String::as_str)))
    }
}

/// A fixed opening: its plies in order.
#[derive(Debug, Clone)]
pub struct Line<'a>(pub Cow<'a, [String]>);

impl Opening for Line<'_> {
    /// The word for the position's ply. An empty string after the last one, which no game accepts.
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<String, RulesFault> {
        let ply = self.0.get(position.ply() as usize);
        Ok(ply.cloned().unwrap_or_default())
    }
}
