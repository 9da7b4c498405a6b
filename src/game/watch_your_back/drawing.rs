//! The pieces of Watch Your Back!, as they are drawn.

use crate::game::{Colour, Piece, Shape};

pub(super) const PIECES: &[Piece] = &[
    Piece::new('-', Shape::None, Colour::None, "", "empty"),
    Piece::new('W', Shape::Disc, Colour::White, "", "white"),
    Piece::new('B', Shape::Disc, Colour::Black, "", "black"),
    Piece::new('X', Shape::Block, Colour::Brown, "×", "corner"),
    Piece::new('#', Shape::Gap, Colour::None, "", "removed"),
];
