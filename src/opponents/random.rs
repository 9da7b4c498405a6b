//! The random house bot.

use super::{Brain, Budget};
use crate::game::{Chance, View};
use crate::random::Stream;

/// Plays a uniformly random legal action of any game.
#[derive(Debug, Default)]
pub struct Random;

impl<V: View> Brain<V> for Random {
    fn choose(&mut self, view: &V, _budget: &mut Budget, chance: &mut Stream) -> V::Action {
        let mut actions = Vec::new();
        view.legal(&mut actions);
        actions[chance.below(actions.len() as u32) as usize]
    }
}
