//! The board as everybody sees it, and the moves that are possible on it.
//!
//! A set of squares is a `u32`, bit `i` for square `i`. A Cannon's jump targets along a line depend
//! only on the occupied squares of that line, so two small tables hold them.

use super::notation::{Action, Square};
use super::options::Rules;
use super::pieces::{Color, Kind, Piece};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    Empty,
    Down,
    Up(Piece),
}

impl Cell {
    /// The piece's letter, `?` for a face-down piece, `.` for nothing.
    pub fn letter(self) -> char {
        match self {
            Cell::Empty => '.',
            Cell::Down => '?',
            Cell::Up(piece) => piece.letter(),
        }
    }
}

/// The visible board, and the number of unseen copies of each piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    cells: [Cell; 32],
    up: [u32; Piece::DIFFERENT],
    colors: [u32; 2],
    down: u32,
    unseen: [u8; Piece::DIFFERENT],
}

impl Board {
    /// Upper bound on the copies of one piece on a board: a side has five Soldiers, and a position set
    /// up by hand may have as many of any other piece.
    pub(super) const MOST_OF_A_PIECE: usize = 5;

    /// An empty board, and no piece left to be seen.
    pub(super) const EMPTY: Board = Board {
        cells: [Cell::Empty; 32],
        up: [0; Piece::DIFFERENT],
        colors: [0; 2],
        down: 0,
        unseen: [0; Piece::DIFFERENT],
    };

    pub fn at(&self, square: Square) -> Cell {
        self.cells[square.index()]
    }

    pub fn down(&self) -> u32 {
        self.down
    }

    pub fn of_color(&self, color: Color) -> u32 {
        self.colors[color.index()]
    }

    pub fn of_piece(&self, piece: Piece) -> u32 {
        self.up[piece.index()]
    }

    pub fn occupied(&self) -> u32 {
        self.colors[0] | self.colors[1] | self.down
    }

    pub fn unseen(&self, piece: Piece) -> u8 {
        self.unseen[piece.index()]
    }

    /// Whether no piece of that colour is left, face-up or face-down.
    pub fn is_gone(&self, color: Color) -> bool {
        let unseen = |kind| self.unseen(Piece { color, kind }) > 0;
        self.of_color(color) == 0 && !Kind::ALL.into_iter().any(unseen)
    }

    /// The squares with a piece on them that a jump over exactly one piece reaches from `from`.
    pub fn jump_targets(&self, from: Square) -> u32 {
        jump_targets(self.occupied(), from)
    }

    /// Whether the seat that plays `color` has an action.
    pub fn can_act(&self, color: Option<Color>, rules: Rules) -> bool {
        let has_step = |color| {
            let kind = Kind::Cannon;
            let pieces = if rules.ntu {
                self.of_color(color)
            } else {
                self.of_color(color) & !self.of_piece(Piece { color, kind })
            };
            beside(pieces) & !self.occupied() != 0
        };
        // Nearly always one of the first two tests decides.
        self.down != 0 || color.is_some_and(has_step) || !self.moves(color, rules).is_empty()
    }

    /// All actions of the seat that plays `color`. A seat without a colour can only flip.
    pub fn moves(&self, color: Option<Color>, rules: Rules) -> Moves {
        let mut moves = Moves {
            flips: self.down,
            ..Moves::NONE
        };
        let Some(color) = color else { return moves };
        let own = |kind| self.of_piece(Piece { color, kind });
        let theirs = |kind| {
            self.of_piece(Piece {
                color: color.other(),
                kind,
            })
        };
        let empty = !self.occupied();
        let step = |moves: &mut Moves, pieces: u32, targets: u32| {
            for (steps, reached) in moves.steps.iter_mut().zip(stepped(pieces)) {
                *steps |= reached & targets;
            }
        };

        // `Rules::takes` for all pieces of a kind at once; a test compares the two.
        let (general, soldiers) = (theirs(Kind::General), theirs(Kind::Soldier));
        step(&mut moves, own(Kind::Soldier), empty | general | soldiers);
        let mut targets = empty | soldiers | theirs(Kind::Cannon);
        for kind in [Kind::Horse, Kind::Chariot, Kind::Minister, Kind::Advisor] {
            targets |= theirs(kind);
            step(&mut moves, own(kind), targets);
        }
        if rules.general_takes_general {
            targets |= general;
        }
        if !rules.general_takes_soldier {
            targets &= !soldiers;
        }
        step(&mut moves, own(Kind::General), targets);

        let enemies = self.of_color(color.other());
        for (square, slot) in Square::of_mask(own(Kind::Cannon)).zip(&mut moves.cannons) {
            let jumps = self.jump_targets(square);
            let targets = if rules.ntu {
                jumps & enemies | beside(square.bit()) & empty
            } else {
                jumps & (self.down | enemies)
            };
            *slot = (square, targets);
        }
        moves
    }

    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.cells[square.index()] = Cell::Up(piece);
        self.up[piece.index()] |= square.bit();
        self.colors[piece.color.index()] |= square.bit();
    }

    /// Puts a face-down piece on an empty square: `piece` is one more to be seen, anywhere.
    pub(super) fn put_down(&mut self, square: Square, piece: Piece) {
        self.cells[square.index()] = Cell::Down;
        self.down |= square.bit();
        self.unseen[piece.index()] += 1;
    }

    pub(super) fn take(&mut self, square: Square, piece: Piece) {
        self.cells[square.index()] = Cell::Empty;
        self.up[piece.index()] &= !square.bit();
        self.colors[piece.color.index()] &= !square.bit();
    }

    /// Takes a face-down piece off the board, which turns out to be `piece`.
    pub(super) fn take_down(&mut self, square: Square, piece: Piece) {
        self.cells[square.index()] = Cell::Empty;
        self.down &= !square.bit();
        self.unseen[piece.index()] = self.unseen[piece.index()].saturating_sub(1);
    }
}

/// All actions of a seat, as sets of target squares.
#[derive(Debug, Clone, Copy)]
pub struct Moves {
    flips: u32,
    /// Targets of steps up, left, right and down. One bit is one move, since two pieces that step the
    /// same way never reach the same square.
    steps: [u32; 4],
    cannons: [(Square, u32); Board::MOST_OF_A_PIECE],
}

/// Index of a step's origin minus the index of its target, in the order of [`Moves::steps`].
const ORIGINS: [i32; 4] = [4, 1, -1, -4];

impl Moves {
    pub(super) const NONE: Moves = Moves {
        flips: 0,
        steps: [0; 4],
        cannons: [(Square::A8, 0); Board::MOST_OF_A_PIECE],
    };

    pub fn is_empty(&self) -> bool {
        let steps = self.steps.iter().fold(0, |all, mask| all | mask);
        let jumps = self.cannons.iter().fold(0, |all, jump| all | jump.1);
        self.flips | steps | jumps == 0
    }

    pub fn for_each(&self, mut act: impl FnMut(Action)) {
        let mut origins = self.flips;
        for (&mask, origin) in self.steps.iter().zip(ORIGINS) {
            origins |= if origin > 0 {
                mask << origin
            } else {
                mask >> -origin
            };
        }
        for (from, mask) in self.cannons {
            if mask != 0 {
                origins |= from.bit();
            }
        }
        for from in Square::of_mask(origins) {
            if self.flips & from.bit() != 0 {
                act(Action::Flip(from));
            }
            for (mask, origin) in self.steps.into_iter().zip(ORIGINS) {
                let to = Square::new((from.index() as i32 - origin) as usize);
                if let Some(to) = to.filter(|to| mask & to.bit() != 0) {
                    act(Action::Move(from, to));
                }
            }
            for (cannon, mask) in self.cannons {
                if cannon == from {
                    Square::of_mask(mask).for_each(|to| act(Action::Move(from, to)));
                }
            }
        }
    }
}

const COLUMN_A: u32 = 0x1111_1111;
const COLUMN_D: u32 = COLUMN_A << 3;

/// The squares one step up, left, right and down of a set.
fn stepped(set: u32) -> [u32; 4] {
    [
        set >> 4,
        (set & !COLUMN_A) >> 1,
        (set & !COLUMN_D) << 1,
        set << 4,
    ]
}

fn beside(set: u32) -> u32 {
    stepped(set)
        .into_iter()
        .fold(0, |all, stepped| all | stepped)
}

/// The occupied squares that a jump over exactly one piece reaches from `from`.
fn jump_targets(occupied: u32, from: Square) -> u32 {
    let (row, column) = (from.row(), from.column());
    let along_row = ROW_JUMPS[column][(occupied >> (4 * row) & 0xf) as usize];
    let along_column = COLUMN_JUMPS[row][gather_column(occupied >> column)];
    u32::from(along_row) << (4 * row) | along_column << column
}

/// The eight squares of the first column as eight bits side by side.
const fn gather_column(mask: u32) -> usize {
    let mask = mask & COLUMN_A;
    let mask = (mask | mask >> 3) & 0x0303_0303;
    let mask = (mask | mask >> 6) & 0x000f_000f;
    ((mask | mask >> 12) & 0xff) as usize
}

const fn line_jumps(place: usize, occupied: usize, length: usize) -> usize {
    let mut targets = 0;
    let mut seen = 0;
    let mut other = place + 1;
    while other < length {
        if occupied >> other & 1 == 1 {
            seen += 1;
            if seen == 2 {
                targets |= 1 << other;
            }
        }
        other += 1;
    }
    seen = 0;
    other = place;
    while other > 0 {
        other -= 1;
        if occupied >> other & 1 == 1 {
            seen += 1;
            if seen == 2 {
                targets |= 1 << other;
            }
        }
    }
    targets
}

static ROW_JUMPS: [[u8; 16]; 4] = {
    let mut table = [[0; 16]; 4];
    let mut place = 0;
    while place < 4 {
        let mut occupied = 0;
        while occupied < 16 {
            table[place][occupied] = line_jumps(place, occupied, 4) as u8;
            occupied += 1;
        }
        place += 1;
    }
    table
};

static COLUMN_JUMPS: [[u32; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut occupied = 0;
        while occupied < 256 {
            let targets = line_jumps(place, occupied, 8);
            let mut row = 0;
            while row < 8 {
                if targets >> row & 1 == 1 {
                    table[place][occupied] |= 1 << (4 * row);
                }
                row += 1;
            }
            occupied += 1;
        }
        place += 1;
    }
    table
};
