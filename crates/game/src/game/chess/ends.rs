//! The rules that end a game.

use cozy_chess::{BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_pawn_attacks};

use super::movetext::seat;
use crate::game::{OutcomeOfTwo, Reason, ReasonInfo};

pub const CHECKMATE: Reason = Reason(&ReasonInfo::rule("checkmate"));
pub const STALEMATE: Reason = Reason(&ReasonInfo::rule("stalemate"));
/// Neither side has the pieces for a checkmate.
pub const INSUFFICIENT_MATERIAL: Reason = Reason(&ReasonInfo::rule("insufficient_material"));
pub const THREEFOLD_REPETITION: Reason = Reason(&ReasonInfo::rule("threefold_repetition"));
/// Fifty moves of each side without a capture or a pawn's move.
pub const FIFTY_MOVES: Reason = Reason(&ReasonInfo::rule("fifty_moves"));

const OCCURRENCES: usize = 3;
const QUIET_PLIES: u8 = 100;

/// The outcome of a position; `past` has the earlier positions since the last capture or pawn's move.
pub(super) fn outcome(board: &Board, past: &[Board]) -> Option<OutcomeOfTwo> {
    let has_legal = board.generate_moves(|_| true);
    match (has_legal, board.checkers().is_empty()) {
        (false, false) => Some(OutcomeOfTwo::won(seat(!board.side_to_move()), CHECKMATE)),
        (false, true) => Some(OutcomeOfTwo::drawn(STALEMATE)),
        (true, _) if is_insufficient(board) => Some(OutcomeOfTwo::drawn(INSUFFICIENT_MATERIAL)),
        (true, _) if times(board, past) >= OCCURRENCES => {
            Some(OutcomeOfTwo::drawn(THREEFOLD_REPETITION))
        }
        (true, _) if board.halfmove_clock() >= QUIET_PLIES => {
            Some(OutcomeOfTwo::drawn(FIFTY_MOVES))
        }
        (true, _) => None,
    }
}

/// Whether no sequence of moves leads to a checkmate, by the pieces alone: a single bishop or knight, or any bishops
/// on squares of one colour.
fn is_insufficient(board: &Board) -> bool {
    let others = [Piece::Pawn, Piece::Rook, Piece::Queen];
    if others.iter().any(|piece| !board.pieces(*piece).is_empty()) {
        return false;
    }
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    match knights.len() {
        0 => {
            let dark = bishops & BitBoard::DARK_SQUARES;
            dark.is_empty() || dark == bishops
        }
        1 => bishops.is_empty(),
        _ => false,
    }
}

/// Occurrences of a position, this one included.
fn times(board: &Board, past: &[Board]) -> usize {
    // One side is to move in every other position.
    let earlier = past.iter().rev().skip(1).step_by(2);
    1 + earlier.filter(|other| is_same(board, other)).count()
}

/// Whether two positions are the same: pieces, side to move, castling rights, and captures en passant that are legal.
fn is_same(one: &Board, other: &Board) -> bool {
    one.hash_without_ep() == other.hash_without_ep()
        && one.side_to_move() == other.side_to_move()
        && Piece::ALL
            .iter()
            .all(|piece| one.pieces(*piece) == other.pieces(*piece))
        && Color::ALL.iter().all(|color| {
            one.colors(*color) == other.colors(*color)
                && one.castle_rights(*color) == other.castle_rights(*color)
        })
        && en_passant(one) == en_passant(other)
}

/// The square on which a pawn can legally be captured en passant.
pub(super) fn en_passant(board: &Board) -> Option<Square> {
    let color = board.side_to_move();
    let to = Square::new(board.en_passant()?, Rank::Sixth.relative_to(color));
    let pawns = get_pawn_attacks(to, !color) & board.colored_pieces(color, Piece::Pawn);
    let mut captures = pawns.into_iter().map(|from| Move {
        from,
        to,
        promotion: None,
    });
    captures
        .any(|capture| board.is_legal(capture))
        .then_some(to)
}

/// The files of the rooks that a side may castle with, the king's side first.
pub(super) fn castling(board: &Board, color: Color) -> [Option<File>; 2] {
    let rights = board.castle_rights(color);
    [rights.short, rights.long]
}
