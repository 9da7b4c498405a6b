//! Alpha-beta search with iterative deepening.

use cozy_chess::{Board, Move};

use super::{MATE, evaluate, gain};
use crate::game::chess::{Action, State};
use crate::game::{Position, View, shuffle};
use crate::opponents::{Brain, Budget, deepen};
use crate::random::Stream;

/// Maximum depth, in plies from the root.
const MAX_DEPTH: i32 = 32;

/// Values from here on mean a checkmate.
const DECIDED: i32 = MATE / 2;

/// Alpha-beta with iterative deepening, and a quiescence search over captures and promotions.
#[derive(Debug, Default)]
pub struct Search;

impl Brain<State> for Search {
    fn choose(&mut self, view: &State, budget: &mut Budget, chance: &mut Stream) -> Action {
        let board = view.pieces();
        let mut moves = all_moves(board);
        // Among equal values, the first searched move is played.
        shuffle(&mut moves, chance);
        moves.sort_by_key(|played| -gain(board, *played));
        deepen(&mut moves, MAX_DEPTH, DECIDED, |played, depth, alpha| {
            let mut after = view.clone();
            after.apply(view.action_of(played)).ok()?;
            match after.outcome() {
                // A move that draws by the rules of the game, such as a repetition, is worth nothing.
                Some(outcome) if outcome.winner.is_none() => Some(0),
                _ => Some(-negamax(
                    after.pieces(),
                    depth - 1,
                    1,
                    -2 * MATE,
                    -alpha,
                    budget,
                )?),
            }
        });
        view.action_of(moves[0])
    }
}

/// Value of a position for the side to move, if it lies between `alpha` and `beta`, else a bound beyond them.
fn negamax(
    board: &Board,
    depth: i32,
    height: i32,
    mut alpha: i32,
    beta: i32,
    budget: &mut Budget,
) -> Option<i32> {
    if !budget.spend() {
        return None;
    }
    let mut moves = all_moves(board);
    let is_in_check = !board.checkers().is_empty();
    if moves.is_empty() {
        return Some(if is_in_check { height - MATE } else { 0 });
    }
    if board.halfmove_clock() >= 100 {
        return Some(0);
    }
    if depth <= 0 && !is_in_check {
        let standing = evaluate(board);
        if standing >= beta {
            return Some(standing);
        }
        alpha = alpha.max(standing);
        moves.retain(|played| gain(board, *played) > 0);
    }
    moves.sort_by_cached_key(|played| -gain(board, *played));
    for played in moves {
        let mut after = board.clone();
        after.play_unchecked(played);
        let value = -negamax(&after, depth - 1, height + 1, -beta, -alpha, budget)?;
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    Some(alpha)
}

fn all_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}
