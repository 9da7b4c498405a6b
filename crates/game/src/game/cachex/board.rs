//! The stones and what one turn does to them, without the history of the game.

use std::collections::VecDeque;

use super::super::OutcomeOfTwo;
use super::hex::{
    MARGIN, RING, Ring, Stones, WORDS, after, before, beyond, bits, down, fill, neighbours,
    place_of, ring, step, up,
};
use super::notation::{Action, Cell, Public};
use super::{CONNECTION, MAX_TURNS_PLAYED, Options, Rule};
use crate::game::Side;

pub const MAX_TURNS: u16 = 343;

/// The ring's indices in the order of rows, then columns.
const RING_SORTED: [usize; 6] = [0, 1, 5, 2, 4, 3];

/// The stones, whose turn it is, and whether the game is over by any rule but repetition, which
/// needs the history. Small and `Copy`, for searching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    stones: [Stones; 2],
    /// The number of rows and of columns.
    pub size: u8,
    pub turns: u16,
    pub count: u16,
    pub outcome: Option<OutcomeOfTwo>,
}

impl Board {
    pub fn new(options: Options) -> Self {
        Self {
            stones: [[0; WORDS]; 2],
            size: options.size(),
            turns: 0,
            count: 0,
            outcome: None,
        }
    }

    /// A board with these stones after `turns` turns.
    pub(super) fn set_up(options: Options, turns: u16, stones: [Stones; 2]) -> Self {
        let count = stones
            .iter()
            .flatten()
            .map(|word| word.count_ones())
            .sum::<u32>();
        Self {
            stones,
            turns,
            count: count as u16,
            ..Self::new(options)
        }
    }

    /// Whose turn it is, or would be if the game were not over.
    pub fn mover(&self) -> Side {
        Side::BOTH[usize::from(self.turns % 2)]
    }

    pub fn stones(&self, seat: Side) -> &Stones {
        &self.stones[seat.index()]
    }

    pub fn words(&self) -> std::ops::Range<usize> {
        MARGIN..MARGIN + usize::from(self.size)
    }

    /// The bits of a row word that lie on the board.
    pub fn columns(&self) -> u32 {
        ((1 << self.size) - 1) << MARGIN
    }

    pub fn empty(&self, word: usize) -> u32 {
        self.columns() & !(self.stones[0][word] | self.stones[1][word])
    }

    pub fn stone(&self, cell: Cell) -> Option<Side> {
        let (word, bit) = place_of(cell);
        Side::BOTH
            .into_iter()
            .find(|seat| self.stones[seat.index()][word] >> bit & 1 == 1)
    }

    /// Indices of one colour's stones in the board string, row by row.
    pub(super) fn places(&self, seat: Side) -> impl Iterator<Item = usize> {
        let size = usize::from(self.size);
        self.words().enumerate().flat_map(move |(row, word)| {
            let stones = bits(self.stones[seat.index()][word]);
            stones.map(move |bit| row * size + bit as usize - MARGIN)
        })
    }

    /// The cell where the first stone may not go; boards of even size have none.
    pub(crate) fn centre(&self) -> Option<Cell> {
        let middle = self.size / 2;
        Cell::new(middle, middle).filter(|_| self.size % 2 == 1)
    }

    pub fn check(&self, action: Action) -> Result<(), Rule> {
        if self.outcome.is_some() {
            return Err(Rule::Over);
        }
        match action {
            Action::Steal if self.turns == 1 => Ok(()),
            Action::Steal => Err(Rule::Steal {
                turn: self.turns + 1,
            }),
            Action::Place(cell) if cell.r() >= self.size || cell.q() >= self.size => {
                Err(Rule::OffBoard {
                    cell,
                    size: self.size,
                })
            }
            Action::Place(cell) if self.turns == 0 && self.centre() == Some(cell) => {
                Err(Rule::Centre { cell })
            }
            Action::Place(cell) => match self.stone(cell) {
                Some(by) => Err(Rule::Taken { cell, by }),
                None => Ok(()),
            },
        }
    }

    /// All legal actions: the empty cells by row and then by column, then the steal.
    pub fn legal(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.outcome.is_some() {
            return;
        }
        for word in self.words() {
            actions.extend(bits(self.empty(word)).map(|bit| Action::Place(Cell::at(word, bit))));
        }
        match self.turns {
            0 => actions.retain(|&action| self.check(action).is_ok()),
            1 => actions.push(Action::Steal),
            _ => {}
        }
    }

    /// Plays a legal action, and returns its cell and the captured neighbours of that cell. Sets the
    /// outcome for a connection and for the last turn, but not for a repetition.
    pub fn play(&mut self, action: Action) -> (Cell, Ring) {
        let mover = self.mover();
        self.turns += 1;
        let (cell, captured) = match action {
            Action::Place(cell) => {
                let captured = self.place(mover, cell);
                if self.connects(mover, cell) {
                    self.outcome = Some(OutcomeOfTwo::won(mover, CONNECTION));
                }
                (cell, captured)
            }
            Action::Steal => (self.steal(), 0),
        };
        if self.outcome.is_none() && self.turns == MAX_TURNS {
            self.outcome = Some(OutcomeOfTwo::drawn(MAX_TURNS_PLAYED));
        }
        (cell, captured)
    }

    /// Puts a stone down and removes the captured ones.
    fn place(&mut self, mover: Side, cell: Cell) -> Ring {
        let (word, bit) = place_of(cell);
        let captured = self.captured_by(mover, cell);
        self.stones[mover.index()][word] |= 1 << bit;
        self.count += 1;
        if captured != 0 {
            let theirs = &mut self.stones[mover.other().index()];
            for (word, bit) in neighbours(cell, captured) {
                theirs[word] &= !(1 << bit);
            }
            self.count -= captured.count_ones() as u16;
        }
        captured
    }

    /// The neighbours of an empty cell that `mover` would capture by a stone on it.
    pub fn captured_by(&self, mover: Side, cell: Cell) -> Ring {
        let (word, bit) = place_of(cell);
        let ours = &self.stones[mover.index()];
        let theirs = ring(&self.stones[mover.other().index()], word, bit);
        // A capture takes two stones, and most cells have fewer enemies beside them.
        if theirs & theirs.wrapping_sub(1) == 0 {
            return 0;
        }
        // The new stone at a sharp corner: two neighbours that touch, ours beyond both.
        let pairs = theirs & before(theirs);
        let sharp = if pairs == 0 {
            0
        } else {
            pairs & beyond(ours, word, bit)
        };
        // The new stone at a blunt corner: one of ours beside it between two of theirs.
        let gaps = after(theirs) & before(theirs);
        let blunt = if gaps == 0 {
            0
        } else {
            gaps & ring(ours, word, bit)
        };
        sharp | after(sharp) | after(blunt) | before(blunt)
    }

    /// Turns Red's only stone into a mirrored blue one, and returns its cell.
    fn steal(&mut self) -> Cell {
        let mut to = Cell::at(MARGIN, MARGIN as u32);
        for word in self.words() {
            if let Some(bit) = bits(self.stones[0][word]).next() {
                to = Cell::at(word, bit).mirrored();
            }
        }
        self.stones[0] = [0; WORDS];
        let (word, bit) = place_of(to);
        self.stones[1][word] |= 1 << bit;
        to
    }

    /// Whether the chain of the stone just put on `cell` joins its colour's two sides.
    fn connects(&self, mover: Side, cell: Cell) -> bool {
        let stones = &self.stones[mover.index()];
        let (word, bit) = place_of(cell);
        ring(stones, word, bit) != 0 && self.spans(mover) && self.flood(mover, word, bit)
    }

    /// Whether each row between Red's sides, or each column between Blue's, holds a stone: a cheap
    /// test that every chain passes.
    fn spans(&self, mover: Side) -> bool {
        let mut rows = self.stones[mover.index()][self.words()].iter();
        match mover {
            Side::First => rows.all(|&row| row != 0),
            Side::Second => rows.fold(0, |all, row| all | row) == self.columns(),
        }
    }

    /// Whether the chain through a stone reaches both sides. Sweeps up and down the rows, filling
    /// whole runs of stones, until a sweep adds nothing.
    fn flood(&self, mover: Side, word: usize, bit: u32) -> bool {
        let stones = &self.stones[mover.index()];
        let (first, last) = (MARGIN, MARGIN + usize::from(self.size) - 1);
        let mut reached = [0; WORDS];
        reached[word] = fill(stones[word], 1 << bit);
        let (mut low, mut high) = (word, word);
        loop {
            let mut row = low;
            while row < last {
                row += 1;
                let new = fill(
                    stones[row],
                    stones[row] & (reached[row] | up(reached[row - 1])),
                );
                if new == 0 {
                    break;
                }
                reached[row] = new;
                high = high.max(row);
            }
            let mut row = high;
            let mut grew = false;
            while row > first {
                row -= 1;
                let new = fill(
                    stones[row],
                    stones[row] & (reached[row] | down(reached[row + 1])),
                );
                if new == 0 {
                    break;
                }
                grew |= new != reached[row];
                reached[row] = new;
                low = low.min(row);
            }
            let both = match mover {
                Side::First => low == first && high == last,
                Side::Second => {
                    let columns = reached[low..=high].iter().fold(0, |all, row| all | row);
                    let sides = 1 << MARGIN | 1 << last;
                    columns & sides == sides
                }
            };
            if both || !grew {
                return both;
            }
        }
    }

    /// The cells of `captured` around `cell`, as the public result of an action.
    pub(super) fn public(cell: Cell, captured: Ring) -> Public {
        let (word, bit) = place_of(cell);
        Public::from_cells(RING_SORTED.map(|i| {
            (captured >> i & 1 == 1).then(|| {
                let (word, bit) = step(word, bit, i);
                Cell::at(word, bit)
            })
        }))
    }
}

/// A shortest chain of a seat's stones between its two sides, by breadth-first search; empty if
/// there is none.
pub(super) fn shortest_chain(board: &Board, seat: Side) -> Vec<Cell> {
    let size = board.size;
    let is_own = |cell: &Cell| board.stone(*cell) == Some(seat);
    // Distance of a cell from the first side.
    let depth = |cell: Cell| match seat {
        Side::First => cell.r(),
        Side::Second => cell.q(),
    };
    let side = (0..size).filter_map(|along| match seat {
        Side::First => Cell::new(0, along),
        Side::Second => Cell::new(along, 0),
    });
    let mut next: VecDeque<Cell> = side.filter(is_own).collect();
    // Predecessor of each visited cell; a cell on the first side is its own.
    let mut before: Vec<(Cell, Cell)> = next.iter().map(|cell| (*cell, *cell)).collect();
    let find = |before: &[(Cell, Cell)], cell| {
        let known = before.iter().find(|(of, _)| *of == cell);
        known.map(|(_, before)| *before)
    };
    while let Some(cell) = next.pop_front() {
        if depth(cell) + 1 == size {
            let chain = std::iter::successors(Some(cell), |cell| {
                find(&before, *cell).filter(|before| before != cell)
            });
            return chain.collect();
        }
        for (r, q) in RING {
            let r = u8::try_from(isize::from(cell.r()) + r).ok();
            let q = u8::try_from(i32::from(cell.q()) + q).ok();
            let Some(neighbour) = r.zip(q).and_then(|(r, q)| Cell::new(r, q)) else {
                continue;
            };
            if is_own(&neighbour) && find(&before, neighbour).is_none() {
                before.push((neighbour, cell));
                next.push_back(neighbour);
            }
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use crate::game::cachex::{Action, Options, State};
    use crate::game::{Position, View};

    #[test]
    fn the_chain_is_short_and_whole() {
        let mut state = State::new(Options::default());
        // Red goes up the column a, with one stone aside that is not needed; Blue stays away.
        let red = ["a1", "a2", "b2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"];
        let blue = ["d2", "d4", "d6", "d8", "f2", "f4", "f6", "f8", "h2"];
        let mut actions = Vec::new();
        for (number, action) in red.iter().enumerate() {
            actions.push(*action);
            actions.extend(blue.get(number));
        }
        for action in actions {
            assert_eq!(View::drawing(&state).marks, [0; 0]);
            let action: Action = action.parse().expect("an action");
            state.apply(action).expect("legal");
        }
        let mut squares = View::drawing(&state).marks;
        squares.sort_unstable();
        assert_eq!(squares, (0..9).map(|row| row * 9).collect::<Vec<_>>());
    }
}
