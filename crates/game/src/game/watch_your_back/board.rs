//! Squares and pieces: one bit a square, one word a colour.

use std::fmt;

use super::super::Side;
use super::{Options, PLACING_PLIES, SHRINKS_AFTER, State};

/// A square of the 8 × 8 board, whether a shrink has removed it or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Square(u8);

impl Square {
    pub const TOP_LEFT: Self = Self(0);

    /// The square in column `x` from the left and row `y` from the top.
    pub fn new(x: u8, y: u8) -> Option<Self> {
        (x < 8 && y < 8).then(|| Self(8 * y + x))
    }

    /// All squares, row by row from the top left: the square order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..64).map(Self)
    }

    /// The squares of a set, in square order.
    pub fn of(set: u64) -> impl Iterator<Item = Self> {
        let mut left = set;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let square = Self::first(left);
                left &= left - 1;
                square
            })
        })
    }

    /// The first square of a set that is not empty.
    fn first(set: u64) -> Self {
        Self((set.trailing_zeros() & 63) as u8)
    }

    pub fn x(self) -> u8 {
        self.0 % 8
    }

    pub fn y(self) -> u8 {
        self.0 / 8
    }

    pub fn distance(self, other: Self) -> u32 {
        u32::from(self.x().abs_diff(other.x()) + self.y().abs_diff(other.y()))
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Up,
    Left,
    Right,
    Down,
}

impl Direction {
    /// All four, in square order of the squares they lead to.
    pub const ALL: [Direction; 4] = [Self::Up, Self::Left, Self::Right, Self::Down];

    /// Every square of `set` moved one square on; those that leave the board are dropped.
    #[inline]
    pub fn shift(self, set: u64) -> u64 {
        const COLUMN_0: u64 = 0x0101_0101_0101_0101;
        match self {
            Self::Up => set >> 8,
            Self::Left => (set & !COLUMN_0) >> 1,
            Self::Right => (set << 1) & !COLUMN_0,
            Self::Down => set << 8,
        }
    }

    #[inline]
    pub fn back(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
        }
    }
}

/// The corners after 0, 1 and 2 shrinks.
const CORNERS: [u64; 3] = [
    0x8100_0000_0000_0081,
    0x0042_0000_0000_4200,
    0x0000_2400_0024_0000,
];

/// The squares that are not removed after 0, 1 and 2 shrinks, corners included.
const INSIDE: [u64; 3] = [u64::MAX, 0x007e_7e7e_7e7e_7e00, 0x0000_3c3c_3c3c_0000];

/// The corners that each shrink creates, in order of creation: top left, bottom left, bottom right,
/// top right. The order matters, since a piece eliminated by one corner is no enemy at the next.
const NEW_CORNERS: [[Square; 4]; 2] = [
    [Square(9), Square(49), Square(54), Square(14)],
    [Square(18), Square(42), Square(45), Square(21)],
];

/// The squares where each seat may place a piece.
pub(super) const ZONES: [u64; 2] = [0x0000_ffff_ffff_ff7e, 0x7eff_ffff_ffff_0000];

/// The pieces of both seats and the number of shrinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    pieces: [u64; 2],
    shrinks: u8,
}

impl Board {
    /// A board with these pieces. Pieces on squares where none can stand are dropped.
    pub(super) fn new(pieces: [u64; 2], shrinks: u8) -> Self {
        let mut board = Self {
            pieces: [0; 2],
            shrinks: shrinks.min(2),
        };
        let empty = board.empty();
        board.pieces = [pieces[0] & empty, pieces[1] & empty & !pieces[0]];
        board
    }

    pub fn pieces(&self, seat: Side) -> u64 {
        self.pieces[seat.index()]
    }

    pub fn occupied(&self) -> u64 {
        self.pieces[0] | self.pieces[1]
    }

    pub fn shrinks(&self) -> u8 {
        self.shrinks
    }

    pub fn corners(&self) -> u64 {
        CORNERS[usize::from(self.shrinks)]
    }

    /// The squares, corners included, that no shrink has removed.
    pub fn inside(&self) -> u64 {
        INSIDE[usize::from(self.shrinks)]
    }

    pub fn empty(&self) -> u64 {
        self.inside() & !self.corners() & !self.occupied()
    }

    /// The squares where no piece can stand after the next shrink; none after the last one.
    pub fn doomed(&self) -> u64 {
        match self.shrinks {
            0 | 1 => {
                let next = usize::from(self.shrinks) + 1;
                self.inside() & !self.corners() & (CORNERS[next] | !INSIDE[next])
            }
            _ => 0,
        }
    }

    pub fn at(&self, square: Square) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|seat| self.pieces(*seat) & square.bit() != 0)
    }

    /// Targets of a seat's pieces: for each direction the squares reached by a step and by a jump. A
    /// square appears once for each piece that can go there.
    #[inline]
    pub fn reach(&self, seat: Side) -> [[u64; 2]; 4] {
        let (own, occupied, empty) = (self.pieces(seat), self.occupied(), self.empty());
        Direction::ALL.map(|direction| {
            let next = direction.shift(own);
            [next & empty, direction.shift(next & occupied) & empty]
        })
    }

    /// Targets of the piece on `from`, in square order by direction.
    #[inline]
    pub fn targets(&self, from: Square) -> impl Iterator<Item = Square> + use<> {
        let (occupied, empty) = (self.occupied(), self.empty());
        Direction::ALL.into_iter().filter_map(move |direction| {
            let next = direction.shift(from.bit());
            let to = (next | direction.shift(next & occupied)) & empty;
            (to != 0).then(|| Square::first(to))
        })
    }

    pub(super) fn lift(&mut self, square: Square) {
        self.pieces.iter_mut().for_each(|set| *set &= !square.bit());
    }

    /// Puts a piece of `seat` on an empty square and eliminates surrounded pieces: first enemies, then
    /// the piece itself. Returns both sets.
    #[inline]
    pub(super) fn arrive(&mut self, seat: Side, square: Square) -> [u64; 2] {
        let bit = square.bit();
        self.pieces[seat.index()] |= bit;
        let enemies = self.surrounded(seat, square);
        self.pieces[seat.other().index()] &= !enemies;

        let hostile = self.pieces(seat.other()) | self.corners();
        let between = |line: Direction| line.shift(hostile) & line.back().shift(hostile);
        let own = bit & (between(Direction::Up) | between(Direction::Left));
        self.pieces[seat.index()] &= !own;
        [enemies, own]
    }

    /// The enemies that a piece of `seat` eliminates by arriving on `square`, also for a piece that is
    /// not there yet.
    #[inline]
    pub fn surrounded(&self, seat: Side, square: Square) -> u64 {
        let allies = self.pieces(seat) | self.corners();
        let neighbours = Direction::ALL
            .map(|direction| direction.shift(square.bit()) & direction.back().shift(allies));
        (neighbours[0] | neighbours[1] | neighbours[2] | neighbours[3]) & self.pieces(seat.other())
    }

    /// Shrinks the board once and returns the squares of all eliminated pieces. After two shrinks
    /// nothing changes.
    pub(super) fn shrink(&mut self) -> u64 {
        let before = self.occupied();
        let Some(corners) = NEW_CORNERS.get(usize::from(self.shrinks)) else {
            return 0;
        };
        self.shrinks += 1;
        self.keep(self.inside());
        for corner in corners {
            self.keep(!corner.bit());
            for direction in Direction::ALL {
                let next = direction.shift(corner.bit());
                let opposite = direction.shift(next);
                for seat in Side::BOTH {
                    if self.pieces(seat.other()) & opposite != 0 {
                        self.pieces[seat.index()] &= !next;
                    }
                }
            }
        }
        before & !self.occupied()
    }

    fn keep(&mut self, squares: u64) {
        self.pieces.iter_mut().for_each(|set| *set &= squares);
    }

    /// The content of a square as one letter: `W`, `B`, `-` empty, `X` corner, `#` removed.
    pub(super) fn letter(&self, square: Square) -> char {
        let bit = square.bit();
        match self.at(square) {
            Some(Side::First) => 'W',
            Some(Side::Second) => 'B',
            None if self.inside() & bit == 0 => '#',
            None if self.corners() & bit != 0 => 'X',
            None => '-',
        }
    }
}

/// Upper bound on the ply of a position set up by hand, equal to the largest limit on plies.
const LAST_PLY: u32 = 1_000_000;

impl State {
    /// A position set up by hand, after `ply` plies: `letters` is the board as
    /// [`board`](crate::game::View::board) writes it, with the shrinks that are due by then.
    ///
    /// Any number of pieces may stand on any squares open to pieces. A game ends only by an action, so
    /// a position set up here is never over.
    pub fn from_parts(options: Options, letters: &str, ply: u32) -> Option<Self> {
        if ply > LAST_PLY || letters.chars().count() != 64 {
            return None;
        }
        let moves = ply.saturating_sub(PLACING_PLIES);
        let shrinks = SHRINKS_AFTER
            .iter()
            .filter(|after| **after <= moves)
            .count();
        let set = |wanted: char| {
            Square::all()
                .zip(letters.chars())
                .filter(|(_, letter)| *letter == wanted)
                .fold(0, |set, (square, _)| set | square.bit())
        };
        let board = Board::new([set('W'), set('B')], shrinks as u8);
        let mut squares = Square::all().zip(letters.chars());
        let fits = squares.all(|(square, letter)| board.letter(square) == letter);
        let to_place = PLACING_PLIES.saturating_sub(ply);
        let room = |zone: &u64| (zone & board.empty()).count_ones();
        (fits && ZONES.iter().all(|zone| room(zone) >= to_place)).then(|| Self {
            board,
            ply,
            ..Self::new(options)
        })
    }
}
