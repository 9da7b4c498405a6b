//! Greedy house bot: one ply.

use super::evaluate::{PIECE, balance, decided, seats, threats};
use crate::game::watch_your_back::{Action, State};
use crate::game::{Chance, View};
use crate::opponents::{Brain, Budget};
use crate::random::Stream;

/// The 4 × 4 squares in the middle. No shrink before the second touches them.
const CENTRE: u64 = 0x0000_3c3c_3c3c_0000;

/// Plays the best action by a one-ply evaluation, with a penalty for pieces that the opponent could eliminate next.
#[derive(Debug, Default)]
pub struct Greedy;

impl Brain<State> for Greedy {
    fn choose(&mut self, view: &State, _budget: &mut Budget, chance: &mut Stream) -> Action {
        let mut actions = Vec::new();
        view.legal(&mut actions);
        let value = |action: &Action| {
            let mut after = *view;
            after.play(*action);
            value_after(&after)
        };
        let values: Vec<i32> = actions.iter().map(value).collect();
        let best = values.iter().max();
        let ties: Vec<Action> = actions
            .iter()
            .zip(&values)
            .filter(|(_, value)| Some(*value) == best)
            .map(|(action, _)| *action)
            .collect();
        ties[chance.below(ties.len() as u32) as usize]
    }
}

/// Value of a position for the seat that has just acted.
fn value_after(state: &State) -> i32 {
    if let Some(value) = decided(state) {
        return -value;
    }
    let [opponent, own] = seats(state);
    let central = (state.layout().pieces(own) & CENTRE).count_ones() as i32;
    let in_danger = threats(state, opponent) != 0;
    -balance(state) + 4 * central - i32::from(in_danger) * PIECE / 2
}
