//! Greedy house bot: one ply.

use super::evaluate::{MATE, evaluate};
use crate::game::chess::{Action, State};
use crate::game::{Position, View, shuffle};
use crate::opponents::{Brain, Budget};
use crate::random::Stream;

/// Plays the move that leads to the most valuable position.
#[derive(Debug, Default)]
pub struct Greedy;

impl Brain<State> for Greedy {
    fn choose(&mut self, view: &State, budget: &mut Budget, chance: &mut Stream) -> Action {
        let mut actions = Vec::new();
        view.legal(&mut actions);
        // Random order breaks ties, and selects the actions that a short budget covers.
        shuffle(&mut actions, chance);
        let (mut best, mut best_value) = (actions[0], i32::MIN);
        for action in actions {
            if !budget.spend() {
                break;
            }
            let mut next = view.clone();
            if next.apply(action).is_err() {
                continue;
            }
            let value = match next.outcome() {
                Some(outcome) if outcome.winner.is_some() => MATE,
                Some(_) => 0,
                None => -evaluate(next.pieces()),
            };
            if value > best_value {
                (best, best_value) = (action, value);
            }
        }
        best
    }
}
