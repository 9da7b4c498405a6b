//! Searching house bot: iterative deepening within the budget.
//!
//! Alpha-beta with quiescence over captures. Chance is handled in three ways:
//! - a flip at the root is averaged over every piece that it may show, each searched separately;
//! - a flip deeper in the tree counts as a pass, as if it showed nothing important;
//! - a face-down piece captured by a Cannon leaves the same board whatever it was, so one piece is searched for
//!   all of them, and the difference in worth is averaged.

use super::super::{Brain, Budget, legal};
use super::{WIN, evaluate, result, unseen, worth};
use crate::game::dark_chess::{Action, Cell, Piece, Square, View};
use crate::game::{View as _, shuffle};
use crate::random::Stream;

const INFINITE: i32 = 4 * WIN;

/// Added to the rank of a capture, so that captures precede all other moves.
const CAPTURE: i32 = 1 << 24;
const DEEPEST: i32 = 40;

#[derive(Debug, Default)]
pub struct Search;

impl Brain<View> for Search {
    fn choose(&mut self, view: &View, budget: &mut Budget, chance: &mut Stream) -> Action {
        let mut candidates = candidates(view, chance);
        let mut tree = Tree {
            budget,
            lists: Vec::new(),
            history: [[0; 32]; 32],
        };
        for depth in 1..=DEEPEST {
            if candidates.len() == 1 || !tree.iterate(view, depth, &mut candidates) {
                break;
            }
            // Best first, so that an interrupted iteration still finds a good action.
            candidates.sort_by_key(|candidate| -candidate.value);
            if candidates[0].value.abs() >= WIN - 2 * DEEPEST {
                break;
            }
        }
        candidates[0].action
    }
}

#[derive(Debug, Clone, Copy)]
struct RootAction {
    action: Action,
    value: i32,
    /// Depth at which the value of a flip was searched.
    searched: Option<i32>,
}

/// Legal actions, captures first. Flips with identical surroundings are represented by one.
fn candidates(view: &View, chance: &mut Stream) -> Vec<RootAction> {
    let mut actions = legal(view);
    shuffle(&mut actions, chance);
    let mut kinds_of_flip = Vec::new();
    actions.retain(|action| match action {
        Action::Move(..) => true,
        Action::Flip(square) => {
            let kind = surroundings(view, *square);
            let new = !kinds_of_flip.contains(&kind);
            if new {
                kinds_of_flip.push(kind);
            }
            new
        }
    });
    let mut candidates: Vec<_> = actions
        .into_iter()
        .map(|action| RootAction {
            action,
            value: match action {
                Action::Flip(_) => 0,
                Action::Move(..) => gain(view, action) - 1,
            },
            searched: None,
        })
        .collect();
    candidates.sort_by_key(|candidate| -candidate.value);
    candidates
}

/// Letters of the face-up pieces that a piece on a face-down square could take or be taken by.
fn surroundings(view: &View, square: Square) -> [Vec<char>; 2] {
    let board = view.seen();
    let letters = |near: &dyn Fn(Square) -> bool| {
        let mut letters: Vec<char> = Square::all()
            .filter(|&other| near(other))
            .filter_map(|other| match board.at(other) {
                Cell::Up(piece) => Some(piece.letter()),
                Cell::Empty | Cell::Down => None,
            })
            .collect();
        letters.sort_unstable();
        letters
    };
    let jumps = board.jump_targets(square);
    [
        letters(&|other| square.distance(other) == 1),
        letters(&|other| jumps & other.bit() != 0),
    ]
}

/// Worth of the piece captured by a move; 0 for a face-down piece.
fn gain(view: &View, action: Action) -> i32 {
    let (Action::Flip(to) | Action::Move(_, to)) = action;
    worth_at(view, to)
}

/// Worth of the face-up piece on a square, or 0.
fn worth_at(view: &View, square: Square) -> i32 {
    match view.seen().at(square) {
        Cell::Up(piece) => worth(piece.kind),
        Cell::Down | Cell::Empty => 0,
    }
}

struct Tree<'a> {
    budget: &'a mut Budget,
    /// One list of moves per ply, reused to avoid allocation.
    lists: Vec<Vec<(i32, Action)>>,
    /// History heuristic: cutoffs by quiet moves, weighted by depth.
    history: [[i32; 32]; 32],
}

impl Tree<'_> {
    /// Searches all candidates to `depth`. Once the budget is spent, moves the best so far to the front and returns
    /// `false`.
    fn iterate(&mut self, view: &View, depth: i32, candidates: &mut [RootAction]) -> bool {
        let mut best = -INFINITE;
        let mut best_index = 0;
        for index in 0..candidates.len() {
            let candidate = &mut candidates[index];
            let value = match candidate.action {
                Action::Flip(_) => self.flip(view, depth, candidate),
                Action::Move(..) => self.child(view, candidate.action, depth, (best, INFINITE), 0),
            };
            let Some(value) = value else {
                candidates[..=best_index].rotate_right(1);
                return false;
            };
            candidates[index].value = value;
            if value > best {
                (best, best_index) = (value, index);
            }
        }
        true
    }

    /// Value of a flip: average over the pieces that it may show.
    fn flip(&mut self, view: &View, depth: i32, candidate: &mut RootAction) -> Option<i32> {
        let depth = (depth - 3).max(0);
        if candidate.searched == Some(depth) {
            return Some(candidate.value);
        }
        let (mut sum, mut total) = (0, 0);
        for (piece, count) in unseen(view) {
            let mut next = *view;
            next.follow(candidate.action, Some(piece));
            sum -= count * self.search(&next, depth, (-INFINITE, INFINITE), 1)?;
            total += count;
        }
        candidate.searched = Some(depth);
        Some(sum / total.max(1))
    }

    /// Value of a move for the seat that plays it.
    fn child(
        &mut self,
        view: &View,
        action: Action,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: i32,
    ) -> Option<i32> {
        if view.shows(action).is_some() {
            return self.capture_face_down(view, action, depth, (alpha, beta), ply);
        }
        let mut next = *view;
        next.follow(action, None);
        Some(-self.search(&next, depth - 1, (-beta, -alpha), ply + 1)?)
    }

    /// Value of a Cannon's capture of a face-down piece.
    fn capture_face_down(
        &mut self,
        view: &View,
        action: Action,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: i32,
    ) -> Option<i32> {
        let change = |piece: Piece| {
            if view.color(view.turn) == Some(piece.color) {
                -worth(piece.kind)
            } else {
                worth(piece.kind)
            }
        };
        let after = |piece: Piece| {
            let mut next = *view;
            next.follow(action, Some(piece));
            next
        };
        // Pieces that end the game have an exact value; the others share one search.
        let (mut ended, mut ends, mut changes, mut goes_on) = (0, 0, 0, 0);
        for (piece, count) in unseen(view) {
            match after(piece).outcome() {
                Some(outcome) => {
                    ended += count * result(outcome, view.turn, ply + 1);
                    ends += count;
                }
                None => {
                    changes += count * change(piece);
                    goes_on += count;
                }
            }
        }
        if goes_on == 0 {
            return Some(ended / ends.max(1));
        }
        let mean = changes / goes_on;
        let next = unseen(view)
            .map(|(piece, _)| (piece, after(piece)))
            .filter(|(_, next)| next.outcome().is_none())
            .min_by_key(|&(piece, _)| (change(piece) - mean).abs());
        let (typical, next) = next?;
        let shift = mean - change(typical);
        // A shift of the window is valid for the shared search only if no piece ends the game.
        let (alpha, beta) = match ends {
            0 => (alpha - shift, beta - shift),
            _ => (-INFINITE, INFINITE),
        };
        let value = shift - self.search(&next, depth - 1, (-beta, -alpha), ply + 1)?;
        Some((ended + goes_on * value) / (ends + goes_on))
    }

    fn search(
        &mut self,
        view: &View,
        depth: i32,
        (mut alpha, beta): (i32, i32),
        ply: i32,
    ) -> Option<i32> {
        if !self.budget.spend() {
            return None;
        }
        if let Some(outcome) = view.outcome() {
            return Some(result(outcome, view.turn, ply));
        }
        let quiescent = depth <= 0;
        let mut best = -INFINITE;
        if quiescent {
            best = evaluate(view, view.turn);
        } else if view.seen().down() != 0 {
            let passed = view.passed();
            best = -self.search(&passed, depth - 2, (-beta, -alpha), ply + 1)?;
        }
        if best >= beta {
            return Some(best);
        }
        alpha = alpha.max(best);

        let list = self.moves_in_order(view, ply, quiescent);
        let mut value_of_all = Some(best);
        for &(_, action) in &list {
            let Some(value) = self.child(view, action, depth, (alpha, beta), ply) else {
                value_of_all = None;
                break;
            };
            best = best.max(value);
            value_of_all = Some(best);
            alpha = alpha.max(best);
            if best >= beta {
                if let Action::Move(from, to) = action
                    && gain(view, action) == 0
                {
                    let history = &mut self.history[from.index()][to.index()];
                    *history = (*history + depth * depth).min(CAPTURE - 1);
                }
                break;
            }
        }
        self.lists[ply as usize] = list;
        value_of_all
    }

    /// Moves in search order, with their ranks. Only captures if `quiescent`.
    fn moves_in_order(&mut self, view: &View, ply: i32, quiescent: bool) -> Vec<(i32, Action)> {
        let ply = ply as usize;
        if self.lists.len() <= ply {
            self.lists.resize_with(ply + 1, Vec::new);
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        view.moves().for_each(|action| {
            let Action::Move(from, to) = action else {
                return;
            };
            let gain = gain(view, action);
            if gain > 0 || !quiescent {
                let order = match gain {
                    0 => self.history[from.index()][to.index()],
                    // Captures of more worth first, by smaller attackers first, and all before quiet moves.
                    _ => CAPTURE + 8 * gain - worth_at(view, from),
                };
                list.push((order, action));
            }
        });
        list.sort_unstable_by_key(|&(order, action)| (-order, place(action)));
        list
    }
}

fn place(action: Action) -> usize {
    match action {
        Action::Flip(square) => square.index(),
        Action::Move(from, to) => from.index() * 32 + to.index(),
    }
}
