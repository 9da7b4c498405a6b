//! Alpha-beta search with iterative deepening.

use cozy_chess::{Board, Move};

use super::{MATE, evaluate, gain};
use crate::game::chess::{Action, State};
use crate::game::{Position, View, shuffle};
use crate::opponents::{Brain, Budget};
use crate::random::Stream;

/// Maximum depth, in plies from the root.
const MAX_DEPTH: i32 = 32;

/// Values from here on mean a checkmate.
const DECIDED: i32 = MATE / 2;

/// Alpha-beta with iterative deepening, and a quiescence search over captures and promotions.
#[derive(Debug, Default)]
pub struct Search;

/// The budget is spent; the unfinished search has no value.
struct Spent;

impl Brain<State> for Search {
    fn choose(&mut self, view: &State, budget: &mut Budget, chance: &mut Stream) -> Action {
        let board = view.pieces();
        let mut moves = all_moves(board);
        // Among equal values, the first searched move is played.
        shuffle(&mut moves, chance);
        moves.sort_by_key(|played| -gain(board, *played));
        if moves.len() > 1 {
            for depth in 1..=MAX_DEPTH {
                match root(view, &mut moves, depth, budget) {
                    Ok(value) if value.abs() < DECIDED => {}
                    _ => break,
                }
            }
        }
        view.action_of(moves[0])
    }
}

/// Searches all moves and puts the best in front, even if the budget runs out. A move that draws by the rules of the
/// game, such as a repetition, is worth nothing.
fn root(view: &State, moves: &mut [Move], depth: i32, budget: &mut Budget) -> Result<i32, Spent> {
    let mut alpha = -2 * MATE;
    for index in 0..moves.len() {
        let mut after = view.clone();
        if after.apply(view.action_of(moves[index])).is_err() {
            continue;
        }
        let value = match after.outcome() {
            Some(outcome) if outcome.winner.is_none() => 0,
            _ => -negamax(after.pieces(), depth - 1, 1, -2 * MATE, -alpha, budget)?,
        };
        if value > alpha {
            alpha = value;
            moves[..=index].rotate_right(1);
        }
    }
    Ok(alpha)
}

/// Value of a position for the side to move, if it lies between `alpha` and `beta`, else a bound beyond them.
fn negamax(
    board: &Board,
    depth: i32,
    height: i32,
    mut alpha: i32,
    beta: i32,
    budget: &mut Budget,
) -> Result<i32, Spent> {
    if !budget.spend() {
        return Err(Spent);
    }
    let mut moves = all_moves(board);
    let is_in_check = !board.checkers().is_empty();
    if moves.is_empty() {
        return Ok(if is_in_check { height - MATE } else { 0 });
    }
    if board.halfmove_clock() >= 100 {
        return Ok(0);
    }
    if depth <= 0 && !is_in_check {
        let standing = evaluate(board);
        if standing >= beta {
            return Ok(standing);
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
    Ok(alpha)
}

fn all_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}
