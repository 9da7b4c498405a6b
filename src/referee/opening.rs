//! The plies of a game before its players take over.

use crate::game::{AnyPosition, Chance};

/// Chooses the plies of an opening.
pub trait Opening {
    /// The next action. The position must have legal actions.
    fn choose(&mut self, position: &dyn AnyPosition) -> String;
}

/// A random opening: each legal action is equally likely.
impl<C: Chance> Opening for C {
    fn choose(&mut self, position: &dyn AnyPosition) -> String {
        let mut legal = position.legal();
        legal.swap_remove(self.below(legal.len() as u32) as usize)
    }
}

/// A fixed opening: its actions in order.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a>(pub &'a [String]);

impl Opening for Line<'_> {
    /// The action at the position's ply. An empty string after the last one, which no game accepts.
    fn choose(&mut self, position: &dyn AnyPosition) -> String {
        let ply = self.0.get(position.ply() as usize);
        ply.cloned().unwrap_or_default()
    }
}
