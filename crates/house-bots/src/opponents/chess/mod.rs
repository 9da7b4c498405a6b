//! House bots for chess.

mod search;

use cozy_chess::{BitBoard, Board, Color, Move, Piece, Rank};
pub use search::Search;

use crate::game::View;
use crate::game::chess::{Action, State};
use crate::opponents::{Brain, Budget, best_action};
use crate::random::Stream;

const MATE: i32 = 1_000_000;

const CENTRE: BitBoard = BitBoard(0x0000_0018_1800_0000);
const MIDDLE: BitBoard = BitBoard(0x0000_3C3C_3C3C_0000);

/// Value of a piece, in hundredths of a pawn.
fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight => 320,
        Piece::Bishop => 330,
        Piece::Rook => 500,
        Piece::Queen => 900,
        Piece::King => 0,
    }
}

/// Value of a position for the side to move.
fn evaluate(board: &Board) -> i32 {
    let mover = board.side_to_move();
    side(board, mover) - side(board, !mover)
}

fn side(board: &Board, color: Color) -> i32 {
    let count = |squares: BitBoard| squares.len() as i32;
    let mut value = 0;
    for piece in Piece::ALL {
        let pieces = board.colored_pieces(color, piece);
        value += count(pieces) * worth(piece);
        value += match piece {
            Piece::Pawn => advance(pieces, color) + 8 * count(pieces & CENTRE),
            Piece::Knight => 8 * count(pieces & MIDDLE) + 8 * count(pieces & CENTRE),
            Piece::Bishop => 6 * count(pieces & MIDDLE),
            Piece::Rook => 10 * count(pieces & Rank::Seventh.relative_to(color).bitboard()),
            Piece::Queen => 2 * count(pieces & MIDDLE),
            Piece::King => king(board, pieces, color),
        };
    }
    value
}

/// Pawns are worth more, the nearer they are to their last row.
fn advance(pawns: BitBoard, color: Color) -> i32 {
    let rows = [(Rank::Fifth, 5), (Rank::Sixth, 20), (Rank::Seventh, 50)];
    let rows = rows.into_iter();
    rows.map(|(rank, value)| value * (pawns & rank.relative_to(color).bitboard()).len() as i32)
        .sum()
}

/// A king belongs in the corner while there are queens, and in the middle without them.
fn king(board: &Board, king: BitBoard, color: Color) -> i32 {
    let is_home = !(king & Rank::First.relative_to(color).bitboard()).is_empty();
    match board.pieces(Piece::Queen).is_empty() {
        true => 15 * (king & MIDDLE).len() as i32,
        false => 20 * i32::from(is_home),
    }
}

/// Value of the piece that a move captures, with a promotion counted too; 0 for a quiet move.
fn gain(board: &Board, played: Move) -> i32 {
    let is_capture = board.colors(!board.side_to_move()).has(played.to);
    let captured = board.piece_on(played.to).filter(|_| is_capture);
    let promoted = played
        .promotion
        .map_or(0, |piece| worth(piece) - worth(Piece::Pawn));
    captured.map_or(0, worth) + promoted
}

/// Plays the move that leads to the most valuable position.
#[derive(Debug, Default)]
pub struct Greedy;

impl Brain<State> for Greedy {
    fn choose(&mut self, view: &State, budget: &mut Budget, chance: &mut Stream) -> Action {
        best_action(
            view,
            chance,
            || budget.spend(),
            |next, _| match next.outcome() {
                Some(outcome) if outcome.winner.is_some() => MATE,
                Some(_) => 0,
                None => -evaluate(next.pieces()),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Search;
    use crate::game::GameOptions;
    use crate::game::chess::{Options, State};
    use crate::opponents::{Brain, Budget};
    use crate::random::Stream;

    fn state(fen: &str) -> State {
        let mut options = Options::default();
        options.set("start", fen).expect("a position");
        State::new(&options, &mut Stream::new(0, 0))
    }

    #[test]
    fn search_finds_a_mate() {
        let chosen = |fen: &str| {
            let view = state(fen);
            let action = Search.choose(
                &view,
                &mut Budget::new(20_000, None),
                &mut Stream::new(1, 0),
            );
            action.to_string()
        };
        assert_eq!(chosen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"), "a1a8");
        // Mate in two by two rooks.
        let first = chosen("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1");
        assert!(["a2a7", "b1b7"].contains(&first.as_str()), "{first}");
    }
}
