//! House bots for Cachex.

mod distance;
mod search;

use distance::ConnectionMeasure;
pub use search::Search;

use crate::game::View;
use crate::game::cachex::{Action, Board, State};
use crate::opponents::{Brain, Budget, best_action};
use crate::random::Stream;

/// Spends the cost of one position. A node of the budget should take about a microsecond, so that the clock is read
/// often enough; a larger board costs several nodes.
fn spend(budget: &mut Budget, board: &Board) -> bool {
    let size = u32::from(board.size);
    (0..size * size / 24 + 1).all(|_| budget.spend())
}

/// Plays the action with the best difference of plain distances; ties go to the action with more captures.
#[derive(Debug, Default)]
pub struct Greedy;

impl Brain<State> for Greedy {
    fn choose(&mut self, view: &State, budget: &mut Budget, chance: &mut Stream) -> Action {
        let mover = view.stones().mover();
        best_action(
            view,
            chance,
            || spend(budget, view.stones()),
            |next, captured| match next.outcome() {
                Some(outcome) if outcome.winner == Some(mover.into()) => i32::MAX,
                // A draw is valued like a deficit of ten stones.
                Some(_) => -100,
                None => {
                    let measure = ConnectionMeasure::new(next.stones());
                    let ours = measure.distance::<false>(mover);
                    let theirs = measure.distance::<false>(mover.other());
                    10 * (theirs - ours) + captured.iter().count() as i32
                }
            },
        )
    }
}
