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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::cachex::{Action, Options, State};
    use crate::opponents::Brain;
    use crate::random::Stream;

    fn choose(brain: &mut dyn Brain<State>, state: &State, nodes: u64) -> Action {
        brain.choose(state, &mut Budget::new(nodes, None), &mut Stream::new(1, 0))
    }

    /// Red needs only c3.
    fn one_short(turns: u16) -> State {
        let options = Options::with_size(5).expect("a size");
        let board = ["..r.b", "..r.b", ".....", "b.r..", "b.r.."].concat();
        State::from_parts(options, turns, &board).expect("a position")
    }

    #[test]
    fn a_win_is_taken_and_a_threat_answered() {
        let c3: Action = "c3".parse().expect("a cell");
        assert_eq!(choose(&mut Search::default(), &one_short(8), 0), c3);
        assert_eq!(choose(&mut Greedy, &one_short(8), u64::MAX), c3);
        assert_eq!(choose(&mut Search::default(), &one_short(9), 2000), c3);
    }
}
