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
    use crate::game::{Position, View};
    use crate::opponents::{Brain, Random, duel};
    use crate::random::Stream;

    fn start(size: u8) -> State {
        State::new(Options::with_size(size).expect("a size"))
    }

    fn choose(brain: &mut dyn Brain<State>, state: &State, nodes: u64) -> Action {
        brain.choose(state, &mut Budget::new(nodes, None), &mut Stream::new(1, 0))
    }

    #[test]
    fn each_bot_beats_the_weaker_one() {
        let greedy = || Box::new(Greedy) as Box<dyn Brain<State>>;
        let over_random = duel::points(|_| start(7), greedy, || Box::new(Random), u64::MAX, 20);
        assert!(over_random >= 0.85 * 40.0, "{over_random}");
        let over_greedy = duel::points(
            |_| start(7),
            || Box::new(Search::default()),
            greedy,
            2000,
            10,
        );
        assert!(over_greedy >= 0.8 * 20.0, "{over_greedy}");
    }

    #[test]
    fn actions_are_legal_even_without_time_and_the_same_each_time() {
        for size in [3, 4, 9, 26] {
            let mut state = start(size);
            let mut chance = Stream::new(9, size.into());
            while let Some(action) = duel::random_action(&state, &mut chance) {
                if size < 9 || state.ply() % 40 < 2 {
                    duel::check(&state, &mut Greedy);
                    duel::check(&state, &mut Search::default());
                }
                state.apply(action).expect("legal");
            }
        }
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
