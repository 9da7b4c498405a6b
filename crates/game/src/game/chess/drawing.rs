//! The pieces of chess, as they are drawn.

use cozy_chess::{Board, Color, File, Rank, Square};

use crate::game::{Colour, Piece, Shape};

/// Both colours have the same glyphs: filled ones are legible on light and on dark squares.
pub(super) const PIECES: &[Piece] = &[
    Piece::new('.', Shape::None, Colour::None, "", "empty"),
    white('K', "♚", "white king"),
    white('Q', "♛", "white queen"),
    white('R', "♜", "white rook"),
    white('B', "♝", "white bishop"),
    white('N', "♞", "white knight"),
    white('P', "♟", "white pawn"),
    black('k', "♚", "black king"),
    black('q', "♛", "black queen"),
    black('r', "♜", "black rook"),
    black('b', "♝", "black bishop"),
    black('n', "♞", "black knight"),
    black('p', "♟", "black pawn"),
];

const fn white(letter: char, glyph: &'static str, name: &'static str) -> Piece {
    Piece::new(letter, Shape::None, Colour::White, glyph, name)
}

const fn black(letter: char, glyph: &'static str, name: &'static str) -> Piece {
    Piece::new(letter, Shape::None, Colour::Black, glyph, name)
}

/// A letter a square from a8 to h1, as in a FEN, and `.` for an empty one.
pub(super) fn letters(board: &Board) -> String {
    let ranks = Rank::ALL.iter().rev();
    let squares = ranks.flat_map(|rank| File::ALL.map(|file| Square::new(file, *rank)));
    squares.map(|square| letter(board, square)).collect()
}

fn letter(board: &Board, square: Square) -> char {
    let Some(piece) = board.piece_on(square) else {
        return '.';
    };
    let letter = char::from(piece);
    match board.color_on(square) {
        Some(Color::White) => letter.to_ascii_uppercase(),
        _ => letter,
    }
}

pub(super) fn place(square: Square) -> usize {
    square.flip_rank() as usize
}
