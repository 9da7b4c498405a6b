//! The chain that wins.

use std::collections::VecDeque;

use super::super::Side;
use super::board::Board;
use super::hex::RING;
use super::notation::Cell;

/// A shortest chain of a seat's stones between its two sides, by breadth-first search; empty if
/// there is none.
pub(super) fn shortest_chain(board: &Board, seat: Side) -> Vec<Cell> {
    let size = board.size();
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
    use crate::game::Position;
    use crate::game::View;
    use crate::game::cachex::{Action, Options, State};

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
