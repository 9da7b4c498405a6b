//! Books of Polyglot: moves of positions with weights, by the key of the position.
//!
//! An entry has 16 bytes, the most significant ones first: the key (8), the move (2), its weight (2), and 4 that engines use.

use std::collections::HashSet;

use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square, get_pawn_attacks};

use super::ends::castling;
use super::movetext::Action;
use super::state::State;
use crate::game::Position;

/// The random numbers of the format: of pieces on squares, rights to castle, files of en passant, and the side to move.
const NUMBERS: &str = include_str!("polyglot-numbers.txt");
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

const ENTRY: usize = 16;

pub(super) struct PolyglotBook<'a> {
    entries: &'a [u8],
    numbers: Vec<u64>,
}

impl<'a> PolyglotBook<'a> {
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        let numbers = NUMBERS
            .lines()
            .map(|line| u64::from_str_radix(line, 16).unwrap_or_default());
        (!bytes.is_empty() && bytes.len().is_multiple_of(ENTRY)).then(|| Self {
            entries: bytes,
            numbers: numbers.collect(),
        })
    }

    /// A line of moves to each position that is `plies` moves away, or at which the book ends before.
    pub fn openings(&self, start: &State, plies: usize) -> Vec<String> {
        let mut walk = Walk {
            book: self,
            plies,
            words: Vec::new(),
            seen: HashSet::new(),
            openings: Vec::new(),
        };
        walk.from(start);
        walk.openings
    }

    /// The moves of a position that have a weight, the heaviest first.
    fn moves(&self, state: &State) -> Vec<Action> {
        let key = self.key(state.pieces());
        let number = |at: usize, length: usize| {
            let bytes = self.entries.iter().skip(at).take(length);
            bytes.fold(0, |number, byte| number << 8 | u64::from(*byte))
        };
        let (mut low, mut high) = (0, self.entries.len() / ENTRY);
        while low < high {
            let middle = low.midpoint(high);
            match number(ENTRY * middle, 8) < key {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let own = (low..self.entries.len() / ENTRY).map(|at| ENTRY * at);
        let own = own.take_while(|at| number(*at, 8) == key);
        let mut moves: Vec<(u64, Move)> = own
            .map(|at| (number(at + 10, 2), move_of(number(at + 8, 2))))
            .filter(|(weight, played)| *weight > 0 && state.pieces().is_legal(*played))
            .collect();
        moves.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        moves
            .into_iter()
            .map(|(_, played)| state.action_of(played))
            .collect()
    }

    fn key(&self, board: &Board) -> u64 {
        let mover = board.side_to_move();
        let mut parts = Vec::with_capacity(40);
        for square in board.occupied() {
            if let Some((piece, color)) = board.piece_on(square).zip(board.color_on(square)) {
                let kind = 2 * piece as usize + usize::from(color == Color::White);
                parts.push(64 * kind + square as usize);
            }
        }
        let [white, black] = [Color::White, Color::Black].map(|side| castling(board, side));
        let rights = white.into_iter().chain(black).enumerate();
        parts.extend(rights.filter_map(|(at, right)| right.map(|_| CASTLING + at)));
        let takes = |file: &File| {
            let target = Square::new(*file, Rank::Sixth.relative_to(mover));
            let from = get_pawn_attacks(target, !mover);
            !(from & board.colored_pieces(mover, Piece::Pawn)).is_empty()
        };
        let en_passant = board.en_passant().filter(takes);
        parts.extend(en_passant.map(|file| EN_PASSANT + file as usize));
        parts.extend((mover == Color::White).then_some(WHITE_TO_MOVE));
        parts.iter().fold(0, |key, part| key ^ self.numbers[*part])
    }
}

/// The squares of a move, six bits each, and its promotion.
fn move_of(bits: u64) -> Move {
    let square = |shift: u32| Square::index((bits >> shift & 63) as usize);
    let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    let promotion = (bits >> 12 & 7).checked_sub(1);
    Move {
        from: square(6),
        to: square(0),
        promotion: promotion.and_then(|at| pieces.get(at as usize).copied()),
    }
}

struct Walk<'a> {
    book: &'a PolyglotBook<'a>,
    plies: usize,
    words: Vec<String>,
    /// The positions that were reached, with their plies.
    seen: HashSet<(u64, usize)>,
    openings: Vec<String>,
}

impl Walk<'_> {
    fn from(&mut self, state: &State) {
        let moves = match self.words.len() < self.plies {
            true => self.book.moves(state),
            false => Vec::new(),
        };
        if moves.is_empty() && !self.words.is_empty() {
            self.openings.push(self.words.join(" "));
        }
        for action in moves {
            let mut next = state.clone();
            let is_new = next.apply(action).is_ok()
                && self
                    .seen
                    .insert((self.book.key(next.pieces()), self.words.len()));
            if is_new {
                self.words.push(action.to_string());
                self.from(&next);
                self.words.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::chess::fen;

    #[test]
    fn keys_are_those_of_the_format() {
        let book = PolyglotBook::new(&[0; ENTRY]).expect("an entry");
        assert_eq!(book.numbers.len(), 781);
        // The positions of Polyglot's own description.
        for (position, key) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                0x463b_9618_1691_fc9c,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                0x823c_9b50_fd11_4196,
            ),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                0x22a4_8b5a_8e47_ff78,
            ),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3",
                0x652a_607c_a3f2_42c1,
            ),
            (
                "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4",
                0x00fd_d303_c946_bdd9,
            ),
            (
                "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
                0x3c81_23ea_7b06_7637,
            ),
            (
                "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
                0x5c3f_9b82_9b27_9560,
            ),
        ] {
            let board = fen::read(position).expect(position);
            assert_eq!(book.key(&board), key, "{position}");
        }
    }
}
