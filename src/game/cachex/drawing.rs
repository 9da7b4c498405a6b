//! The pieces and sides of Cachex, as they are drawn.

use crate::game::{Colour, Piece, Shape};

pub(super) const PIECES: &[Piece] = &[
    Piece::new('.', Shape::None, Colour::None, "", "empty"),
    Piece::new('r', Shape::Disc, Colour::Red, "", "red"),
    Piece::new('b', Shape::Disc, Colour::Blue, "", "blue"),
];

/// The upper, right, lower and left side: the seat that joins it with its opposite.
pub(super) const SIDES: [Colour; 4] = [Colour::Red, Colour::Blue, Colour::Red, Colour::Blue];
