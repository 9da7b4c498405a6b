//! Greedy house bot: one ply.

use super::distance::ConnectionMeasure;
use crate::game::cachex::{Action, State};
use crate::game::{Position, View, shuffle};
use crate::opponents::{Brain, Budget};
use crate::random::Stream;

/// Plays the action with the best difference of plain distances; ties go to the action with more captures.
#[derive(Debug, Default)]
pub struct Greedy;

impl Brain<State> for Greedy {
    fn choose(&mut self, view: &State, budget: &mut Budget, chance: &mut Stream) -> Action {
        let mover = view.stones().mover();
        let mut actions = Vec::new();
        view.legal(&mut actions);
        // Random order breaks ties, and selects the actions that a short budget covers.
        shuffle(&mut actions, chance);
        let (mut best, mut best_value) = (actions[0], i32::MIN);
        for action in actions {
            if !super::spend(budget, view.stones()) {
                break;
            }
            let mut next = view.clone();
            let Ok(captured) = next.apply(action) else {
                continue;
            };
            let value = match next.outcome() {
                Some(outcome) if outcome.winner == Some(mover.into()) => i32::MAX,
                // A draw is valued like a deficit of ten stones.
                Some(_) => -100,
                None => {
                    let measure = ConnectionMeasure::new(next.stones());
                    let ours = measure.distance::<false>(mover);
                    let theirs = measure.distance::<false>(mover.other());
                    10 * (theirs - ours) + captured.iter().count() as i32
                }
            };
            if value > best_value {
                (best, best_value) = (action, value);
            }
        }
        best
    }
}
