//! Alpha-beta search with iterative deepening.

use super::{Bound, TranspositionTable, WIN, evaluate, key, seats, strikes};
use crate::game::watch_your_back::{Action, State};
use crate::game::{View, shuffle};
use crate::opponents::{Brain, Budget, deepen, legal};
use crate::random::Stream;

/// Maximum depth, in plies from the root.
const MAX_DEPTH: usize = 48;

const MAX_QUIET: usize = 8;

/// Values from here on mean a decided game.
const DECIDED: i32 = WIN / 2;

/// Alpha-beta with iterative deepening, a transposition table, killer moves, a history heuristic, and a quiescence
/// search over eliminations.
#[derive(Debug)]
pub struct Search {
    table: TranspositionTable,
    /// History heuristic: weighted count of cutoffs, by seat, start square (64 for a placement) and target square.
    history: Vec<[[i32; 64]; 65]>,
    killers: [[Option<Action>; 2]; MAX_DEPTH + MAX_QUIET],
    /// Reused buffers: the ranked actions at each height, and the legal actions of one position.
    lists: Vec<Vec<Ranked>>,
    legal: Vec<Action>,
}

/// An action with its rank: the lowest is searched first.
type Ranked = (i32, Action);

// Ranks of actions, above any history value.
const KILLER: i32 = 1 << 24;
const CAPTURE: i32 = 1 << 25;
const FIRST: i32 = 1 << 30;

impl Default for Search {
    fn default() -> Self {
        Self {
            table: TranspositionTable::new(),
            history: vec![[[0; 64]; 65]; 2],
            killers: [[None; 2]; MAX_DEPTH + MAX_QUIET],
            lists: vec![Vec::new(); MAX_DEPTH + MAX_QUIET],
            legal: Vec::new(),
        }
    }
}

impl Brain<State> for Search {
    fn choose(&mut self, view: &State, budget: &mut Budget, chance: &mut Stream) -> Action {
        self.table.generation += 1;
        self.history.fill([[0; 64]; 65]);
        self.killers = [[None; 2]; MAX_DEPTH + MAX_QUIET];

        let mut actions = legal(view);
        // Among equal values, the first searched action is played.
        shuffle(&mut actions, chance);
        actions.sort_by_key(|action| -captures(view, *action));
        deepen(
            &mut actions,
            MAX_DEPTH as i32,
            DECIDED,
            |action, depth, best| {
                let depth = depth as usize - 1;
                let alpha = best.max(-WIN);
                let window = Window { alpha, beta: WIN };
                let mut after = *view;
                after.play(action);
                // The best of the last iteration is searched first, so an action that beats it is better.
                if best > -WIN {
                    let value =
                        -self.negamax(&after, depth, 1, window.narrow().turned(), budget)?;
                    if value <= alpha {
                        return Some(value);
                    }
                }
                Some(-self.negamax(&after, depth, 1, window.turned(), budget)?)
            },
        );
        actions[0]
    }
}

impl Search {
    /// Value of a position for the seat to act if it lies within the window, else a bound on its side of the window.
    fn negamax(
        &mut self,
        state: &State,
        depth: usize,
        height: usize,
        window: Window,
        budget: &mut Budget,
    ) -> Option<i32> {
        if depth == 0 || height >= MAX_DEPTH || state.outcome().is_some() {
            return self.quiet(state, height, MAX_QUIET, window, budget);
        }
        if !budget.spend() {
            return None;
        }
        let key = key(state);
        let known = self.table.get(key);
        if let Some(entry) = known {
            let settled = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= window.beta,
                Bound::Upper => entry.value <= window.alpha,
            };
            if settled && usize::from(entry.depth) >= depth {
                return Some(entry.value);
            }
        }

        let actions = self.order(state, known.and_then(|entry| entry.best), height);
        let found = self.best_of(state, &actions, depth, height, window, budget);
        self.lists[height] = actions;
        let (value, best) = found?;
        let bound = match value {
            value if value >= window.beta => Bound::Lower,
            value if value > window.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        self.table.put(key, depth as u8, value, bound, best);
        Some(value)
    }

    /// The best of these actions and its value; `None` if no action reaches the window.
    fn best_of(
        &mut self,
        state: &State,
        actions: &[Ranked],
        depth: usize,
        height: usize,
        window: Window,
        budget: &mut Budget,
    ) -> Option<(i32, Option<Action>)> {
        let (mut best, mut value_of_best) = (None, -WIN);
        let mut alpha = window.alpha;
        for (index, (_, action)) in actions.iter().enumerate() {
            let mut after = *state;
            let quiet = after.play(*action).squares().is_empty();
            let full = Window { alpha, ..window };
            // Principal variation search: the first action is expected to be the best. The others get a null window,
            // late quiet ones at reduced depth, and a full window only if they exceed alpha.
            let less = match index {
                _ if !quiet || depth < 3 => 0,
                0..4 => 0,
                4..16 => 1,
                _ => 2,
            };
            let mut value = i32::MAX;
            if index > 0 {
                let test = full.narrow().turned();
                value = -self.negamax(&after, depth - 1 - less, height + 1, test, budget)?;
                if less > 0 && value > alpha {
                    value = -self.negamax(&after, depth - 1, height + 1, test, budget)?;
                }
            }
            if index == 0 || (value > alpha && value < window.beta) {
                value = -self.negamax(&after, depth - 1, height + 1, full.turned(), budget)?;
            }
            value_of_best = value_of_best.max(value);
            if value > alpha {
                alpha = value;
                best = Some(*action);
            }
            if alpha >= window.beta {
                if quiet {
                    self.remember(state, *action, depth, height);
                }
                break;
            }
        }
        Some((value_of_best, best))
    }

    /// Quiescence search: follows eliminations until none is possible, since an evaluation in the middle of an
    /// exchange is unreliable.
    fn quiet(
        &mut self,
        state: &State,
        height: usize,
        left: usize,
        mut window: Window,
        budget: &mut Budget,
    ) -> Option<i32> {
        if !budget.spend() {
            return None;
        }
        let mut best = evaluate(state);
        window.alpha = window.alpha.max(best);
        if left == 0 || window.alpha >= window.beta || state.outcome().is_some() {
            return Some(best);
        }
        if strikes(state, seats(state)[0]) == [0; 4] {
            return Some(best);
        }
        let mut actions = self.order(state, None, height);
        actions.retain(|(_, action)| captures(state, *action) > 0);
        let mut value_of_all = Some(best);
        for (_, action) in &actions {
            let mut after = *state;
            after.play(*action);
            let value = self.quiet(&after, height + 1, left - 1, window.turned(), budget);
            let Some(value) = value else {
                value_of_all = None;
                break;
            };
            best = best.max(-value);
            value_of_all = Some(best);
            window.alpha = window.alpha.max(best);
            if window.alpha >= window.beta {
                break;
            }
        }
        self.lists[height] = actions;
        value_of_all
    }

    /// Fills this height's buffer with the legal actions in search order: the table's best action, eliminations,
    /// killers, then by history.
    fn order(&mut self, state: &State, first: Option<Action>, height: usize) -> Vec<Ranked> {
        let mut ranked = std::mem::take(&mut self.lists[height]);
        ranked.clear();
        state.legal(&mut self.legal);
        let killers = &self.killers[height];
        let history = &self.history[seats(state)[0].index()];
        ranked.extend(self.legal.iter().map(|action| {
            let [from, to] = indices(*action);
            let rank = if Some(*action) == first {
                FIRST
            } else if killers.contains(&Some(*action)) {
                KILLER
            } else {
                history[from][to]
            };
            (-rank - captures(state, *action) * CAPTURE, *action)
        }));
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked
    }

    /// Records a quiet action that caused a cutoff.
    fn remember(&mut self, state: &State, action: Action, depth: usize, height: usize) {
        let killers = &mut self.killers[height];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        let [from, to] = indices(action);
        let count = &mut self.history[seats(state)[0].index()][from][to];
        *count = (*count + (depth * depth) as i32).min(KILLER - 1);
    }
}

/// The search window: results at or below `alpha`, or at or above `beta`, are only bounds.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    fn narrow(self) -> Self {
        Self {
            beta: self.alpha + 1,
            ..self
        }
    }

    /// The window from the other seat's point of view.
    fn turned(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

/// Start and target of an action, as indices into the history.
fn indices(action: Action) -> [usize; 2] {
    match action {
        Action::Place(to) => [64, to.index()],
        Action::Move { from, to } => [from.index(), to.index()],
        Action::Pass => [64, 0],
    }
}

/// Number of enemies that an action eliminates: at most four. It wrongly counts a jump by the very piece that holds an
/// enemy from behind, which is good enough for sorting.
fn captures(state: &State, action: Action) -> i32 {
    match action {
        Action::Place(to) | Action::Move { to, .. } => {
            state.layout().surrounded(seats(state)[0], to).count_ones() as i32
        }
        Action::Pass => 0,
    }
}
