//! Standard algebraic notation, as PGN has it.

use cozy_chess::util::parse_san_move;
use cozy_chess::{Board, Move};

/// The legal move that a token means. More than the least is read: the file and rank of the piece even where they say
/// nothing new, `0-0`, `e8Q`, and marks such as `+` and `!?`.
pub(super) fn read(board: &Board, token: &str) -> Option<Move> {
    let token = token.trim_end_matches(['+', '#', '!', '?']);
    match token {
        "O-O" | "O-O-O" => parse_san_move(board, token).ok(),
        "0-0" | "0-0-0" => parse_san_move(board, &token.replace('0', "O")).ok(),
        _ => {
            let played = parse_san_move(board, &token.replace('-', "")).ok()?;
            // Castling is the king's move to its own rook, and is not written so.
            let takes_own = board.colors(board.side_to_move()).has(played.to);
            (!takes_own).then_some(played)
        }
    }
}
