//! The plies of a game before its players take over.

use crate::game::{AnyPosition, Chance, RulesFault};

/// Chooses the plies of an opening.
pub trait Opening {
    /// The next action in a position that is not over.
    ///
    /// # Errors
    /// The rules failed.
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<String, RulesFault>;
}

/// A random opening: each legal action is equally likely.
impl<C: Chance> Opening for C {
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<String, RulesFault> {
        let mut legal = position.legal()?;
        if legal.is_empty() {
            return Err(RulesFault::NoAction);
        }
        Ok(legal.swap_remove(self.below(legal.len() as u32) as usize))
    }
}

/// A fixed opening: its actions in order.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a>(pub &'a [String]);

impl Opening for Line<'_> {
    /// The action at the position's ply. An empty string after the last one, which no game accepts.
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<String, RulesFault> {
        let ply = self.0.get(position.ply() as usize);
        Ok(ply.cloned().unwrap_or_default())
    }
}
