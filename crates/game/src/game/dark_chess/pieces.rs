//! Colours, kinds and pieces.

use std::fmt::{self, Display};

use super::{Board, Options, Square, State, View, WINNING_SCORE};
use crate::game::{self, Colour, Shape, Side};

/// A colour; upper-case letters are red, lower-case letters black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Color {
    Red,
    Black,
}

impl Color {
    pub const BOTH: [Color; 2] = [Color::Red, Color::Black];

    pub fn other(self) -> Self {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }

    /// 0 for red, 1 for black.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Red => "red",
            Color::Black => "black",
        })
    }
}

crate::named! {
    /// From the highest rank to the lowest. The Cannon, which has no rank, stands before the Soldier.
    pub enum Kind {
        General = "General",
        Advisor = "Advisor",
        Minister = "Minister",
        Chariot = "Chariot",
        Horse = "Horse",
        Cannon = "Cannon",
        Soldier = "Soldier",
    }
}

impl Kind {
    /// Letter, points, and the number that a side starts with.
    const FACTS: [(char, u32, u8); 7] = [
        ('K', 30, 1),
        ('G', 10, 2),
        ('M', 5, 2),
        ('R', 5, 2),
        ('N', 5, 2),
        ('C', 5, 2),
        ('P', 1, 5),
    ];

    pub const fn points(self) -> u32 {
        Self::FACTS[self.index()].1
    }

    pub const fn count(self) -> u8 {
        Self::FACTS[self.index()].2
    }

    pub const fn index(self) -> usize {
        self as usize
    }

    fn letter(self) -> char {
        Self::FACTS[self.index()].0
    }
}

impl Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A piece. `Display` writes its letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    pub color: Color,
    pub kind: Kind,
}

impl Piece {
    pub const DIFFERENT: usize = 14;

    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() {
            Color::Red
        } else {
            Color::Black
        };
        let kind = Kind::ALL
            .into_iter()
            .find(|kind| kind.letter() == letter.to_ascii_uppercase())?;
        Some(Self { color, kind })
    }

    pub fn letter(self) -> char {
        match self.color {
            Color::Red => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// A number in `0..Piece::DIFFERENT`.
    pub const fn index(self) -> usize {
        self.color as usize * 7 + self.kind as usize
    }

    pub fn all() -> impl Iterator<Item = Piece> {
        Color::BOTH
            .into_iter()
            .flat_map(|color| Kind::ALL.into_iter().map(move |kind| Piece { color, kind }))
    }

    pub fn full_set() -> impl Iterator<Item = Piece> {
        Self::all().flat_map(|piece| (0..piece.kind.count()).map(move |_| piece))
    }
}

impl Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The letters on a board, as they are drawn.
pub(super) const DRAWN_PIECES: &[game::Piece] = &[
    game::Piece::new('.', Shape::None, Colour::None, "", "empty"),
    game::Piece::new('?', Shape::Disc, Colour::Grey, "", "face-down"),
    red('K', "帥", "red General"),
    black('k', "將", "black General"),
    red('G', "仕", "red Advisor"),
    black('g', "士", "black Advisor"),
    red('M', "相", "red Minister"),
    black('m', "象", "black Minister"),
    red('R', "俥", "red Chariot"),
    black('r', "車", "black Chariot"),
    red('N', "傌", "red Horse"),
    black('n', "馬", "black Horse"),
    red('C', "炮", "red Cannon"),
    black('c', "包", "black Cannon"),
    red('P', "兵", "red Soldier"),
    black('p', "卒", "black Soldier"),
];

const fn red(letter: char, glyph: &'static str, name: &'static str) -> game::Piece {
    game::Piece::new(letter, Shape::Ring, Colour::Red, glyph, name)
}

const fn black(letter: char, glyph: &'static str, name: &'static str) -> game::Piece {
    game::Piece::new(letter, Shape::Ring, Colour::Black, glyph, name)
}

/// A position without its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The piece on each square, face-up or face-down. At most five of any piece.
    pub truth: [Option<Piece>; 32],
    /// The squares whose piece is face-up: bit `i` for square `i`.
    pub face_up: u32,
    pub turn: Side,
    /// The colour of the first seat; `None` before the first flip.
    pub first_color: Option<Color>,
    /// The points of both seats, which need not fit the pieces that are missing.
    pub score: [u32; 2],
}

impl State {
    /// A position from its parts, with no ply played; `None` for parts of none. It may be over: the seat
    /// to act may have no action.
    pub fn from_parts(options: &Options, parts: &Parts) -> Option<Self> {
        let count = |piece| parts.truth.iter().filter(|&&at| at == Some(piece)).count();
        let are_too_many = Piece::all().any(|piece| count(piece) > Board::MOST_OF_A_PIECE);
        let untouched = parts.face_up == 0 && parts.turn == Side::First && parts.score == [0, 0];
        let has_won = |score: &u32| *score >= WINNING_SCORE && !options.rules().ntu;
        if are_too_many
            || (parts.first_color.is_none() && !untouched)
            || parts.score.iter().any(has_won)
        {
            return None;
        }

        let mut board = Board::EMPTY;
        let mut hidden = [None; 32];
        for square in Square::all() {
            let face_up = parts.face_up & square.bit() != 0;
            match (parts.truth[square.index()], face_up) {
                (None, false) => {}
                (None, true) => return None,
                (Some(piece), true) => board.put(square, piece),
                (Some(piece), false) => {
                    board.put_down(square, piece);
                    hidden[square.index()] = Some(piece);
                }
            }
        }
        let mut view = View {
            board,
            turn: parts.turn,
            first_color: parts.first_color,
            captured: parts.score,
            ..View::new(options)
        };
        view.outcome = view.decide();
        Some(Self { view, hidden })
    }
}
