//! Algebraic notation, as PGN has it.

use cozy_chess::util::parse_san_move;
use cozy_chess::{Board, Move, Piece};

crate::named! {
    #[derive(Default)]
    pub enum MoveNotation {
        /// Standard algebraic notation, such as `Nf3`.
        #[default]
        San = "san",
        /// Long algebraic notation, such as `Ng1-f3`.
        Lan = "lan",
        /// The squares, such as `g1f3`.
        Uci = "uci",
    }
}

impl MoveNotation {
    pub const NAMES: [&'static str; 3] = [Self::San.name(), Self::Lan.name(), Self::Uci.name()];
}

/// A move in long algebraic notation, by its standard one.
pub(super) fn long(board: &Board, played: Move, san: &str) -> String {
    // Castling has no squares.
    let Some(target) = san.rfind(&played.to.to_string()) else {
        return san.to_owned();
    };
    let piece = match board.piece_on(played.from) {
        Some(Piece::Pawn) | None => "",
        Some(_) => &san[..1],
    };
    let sign = if san.contains('x') { "x" } else { "-" };
    format!("{piece}{}{sign}{}", played.from, &san[target..])
}

/// The legal move that a token means. More than the least is read: the file and rank of the piece even where they say
/// nothing new, `0-0`, `o-o`, `e8Q`, `e8(Q)`, and marks such as `+` and `!?`.
pub(super) fn read(board: &Board, token: &str) -> Option<Move> {
    let token = token.trim_end_matches(['+', '#', '!', '?']);
    match token {
        "O-O" | "O-O-O" => parse_san_move(board, token).ok(),
        "0-0" | "0-0-0" | "o-o" | "o-o-o" => {
            parse_san_move(board, &token.replace(['0', 'o'], "O")).ok()
        }
        _ => {
            let played = parse_san_move(board, &token.replace(['-', '(', ')'], "")).ok()?;
            // Castling is the king's move to its own rook, and is not written so.
            let takes_own = board.colors(board.side_to_move()).has(played.to);
            (!takes_own).then_some(played)
        }
    }
}
