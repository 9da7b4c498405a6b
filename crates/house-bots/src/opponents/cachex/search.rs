//! Searching house bot: alpha-beta over promising cells, with iterative deepening.

use super::distance::{ConnectionMeasure, Paths};
use crate::game::cachex::hex::{Stones, bits, place_of};
use crate::game::cachex::{Action, Board, Cell, State};
use crate::game::{OutcomeOfTwo, Position, Side, View, shuffle};
use crate::opponents::{Brain, Budget, Widths, deepen, legal};
use crate::random::Stream;

/// Searches the most promising replies, and evaluates leaves by both colours' connection distances.
#[derive(Debug, Default)]
pub struct Search {
    widths: Widths,
}

/// Value of a win, minus one per ply until then.
const WON: i32 = 1_000_000;

const INFINITE: i32 = 2 * WON;

/// Maximum depth. It only ends a search that has seen everything; no game gets this deep.
const DEEPEST: i32 = 60;

impl Brain<State> for Search {
    fn set_widths(&mut self, widths: Widths) {
        self.widths = widths;
    }

    fn choose(&mut self, view: &State, budget: &mut Budget, chance: &mut Stream) -> Action {
        let mut roots = roots(view, chance, self.widths.root);
        let mut tree = Tree {
            budget,
            widths: self.widths,
        };
        deepen(&mut roots, DEEPEST, WON / 2, |root, depth, highest| {
            root.known.or_else(|| {
                let mut next = *view.stones();
                next.play(root.action);
                let value = tree.value(&next, depth - 1, -INFINITE, -highest);
                value.map(|value| -value)
            })
        });
        roots[0].action
    }
}

#[derive(Clone, Copy)]
struct Root {
    action: Action,
    /// Exact value, if known without a search.
    known: Option<i32>,
}

/// Promising actions, best first.
fn roots(view: &State, chance: &mut Stream, width: usize) -> Vec<Root> {
    let mut actions = legal(view);
    shuffle(&mut actions, chance);
    Interest::new(view.stones()).sort(&mut actions);
    // The opponent steals a good first stone, so any cell may be the best.
    if view.ply() > 0 {
        actions.truncate(width);
    }
    let known = |action| {
        let mut next = view.clone();
        next.apply(action).ok()?;
        match next.outcome() {
            Some(outcome) => Some(ended(outcome, next.stones())),
            // Repetition leads to a draw.
            None => (next.occurrences() > 1).then_some(0),
        }
    };
    let mut roots: Vec<_> = actions
        .into_iter()
        .map(|action| Root {
            action,
            known: known(action),
        })
        .collect();
    // Wins come first: one is played even if the budget is spent at once.
    roots.sort_by_key(|root| root.known.is_none_or(|value| value <= 0));
    roots
}

/// Value of a finished game for the last mover. An earlier win has a higher value.
fn ended(outcome: OutcomeOfTwo, board: &Board) -> i32 {
    match outcome.winner {
        Some(_) => WON - i32::from(board.turns),
        None => 0,
    }
}

struct Tree<'a> {
    budget: &'a mut Budget,
    widths: Widths,
}

impl Tree<'_> {
    /// Value of `board` for its mover, within the window; `None` once the budget is spent.
    fn value(&mut self, board: &Board, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        if !super::spend(self.budget, board) {
            return None;
        }
        if let Some(outcome) = board.outcome {
            return Some(-ended(outcome, board));
        }
        if depth == 0 {
            return self.settled(board, beta);
        }
        let mut actions = Vec::new();
        board.legal(&mut actions);
        Interest::new(board).sort(&mut actions);
        actions.truncate(self.widths.inner);
        let mut best = -INFINITE;
        for action in actions {
            let mut next = *board;
            next.play(action);
            let value = -self.value(&next, depth - 1, -beta, -alpha.max(best))?;
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Value of a leaf for its mover, after the mover's best capture if it has one.
    fn settled(&mut self, board: &Board, beta: i32) -> Option<i32> {
        let measure = ConnectionMeasure::new(board);
        let mover = board.mover();
        let mut best = worth(&measure, mover);
        if best >= beta {
            return Some(best);
        }
        let captures = measure.captures(mover);
        for cell in cells(board, &captures).take(self.widths.captures) {
            if !super::spend(self.budget, board) {
                return None;
            }
            let mut next = *board;
            next.play(Action::Place(cell));
            let value = match next.outcome {
                Some(outcome) => ended(outcome, &next),
                None => -worth(&ConnectionMeasure::new(&next), mover.other()),
            };
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }
}

fn worth(measure: &ConnectionMeasure, mover: Side) -> i32 {
    let side = |seat| {
        let Paths {
            distance, shortest, ..
        } = measure.paths::<true>(seat);
        let plain = measure.distance::<false>(seat);
        let choice = shortest.iter().map(|row| row.count_ones()).sum::<u32>() as i32;
        -100 * distance - 12 * plain + 2 * choice.min(15)
    };
    // The right to move is worth half a stone.
    side(mover) - side(mover.other()) + 50
}

/// Move-ordering weights: cells on shortest paths of either colour, and captures.
struct Interest {
    /// Sets of cells, each with the weight that membership adds.
    sets: [(Stones, i32); 8],
}

impl Interest {
    fn new(board: &Board) -> Self {
        let measure = ConnectionMeasure::new(board);
        let mover = board.mover();
        let [ours, theirs] = [mover, mover.other()].map(|seat| measure.paths::<true>(seat));
        let [our_plain, their_plain] =
            [mover, mover.other()].map(|seat| measure.paths::<false>(seat));
        Self {
            sets: [
                (ours.shortest, 4),
                (theirs.shortest, 4),
                (ours.longer, 2),
                (theirs.longer, 2),
                (our_plain.shortest, 2),
                (their_plain.shortest, 2),
                (measure.captures(mover), 5),
                (measure.captures(mover.other()), 3),
            ],
        }
    }

    fn of(&self, cell: Cell) -> i32 {
        let (word, bit) = place_of(cell);
        let sets = self.sets.iter();
        sets.map(|(set, weight)| (set[word] >> bit & 1) as i32 * weight)
            .sum()
    }

    /// Sorts actions by weight, highest first. A legal steal comes before all others.
    fn sort(&self, actions: &mut [Action]) {
        actions.sort_by_cached_key(|&action| match action {
            Action::Steal => i32::MIN,
            Action::Place(cell) => -self.of(cell),
        });
    }
}

fn cells<'a>(board: &Board, set: &'a Stones) -> impl Iterator<Item = Cell> + 'a {
    let words = board.words();
    words.flat_map(move |word| bits(set[word]).map(move |bit| Cell::at(word, bit)))
}
