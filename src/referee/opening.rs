//! The plies of a game before its players take over.

use crate::game::{AnyPosition, Chance};

/// Chooses the plies of an opening.
pub trait Opening {
    /// The next ply, in a position in which there are legal actions.
    fn choose(&mut self, position: &dyn AnyPosition) -> String;
}

/// Any legal action, each as likely.
impl<C: Chance> Opening for C {
    fn choose(&mut self, position: &dyn AnyPosition) -> String {
        let mut legal = position.legal();
        legal.swap_remove(self.below(legal.len() as u32) as usize)
    }
}

/// An opening that is written down.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a>(pub &'a [String]);

impl Opening for Line<'_> {
    /// The ply that stands there; nothing after the last, which no game takes for an action.
    fn choose(&mut self, position: &dyn AnyPosition) -> String {
        let ply = self.0.get(position.ply() as usize);
        ply.cloned().unwrap_or_default()
    }
}
