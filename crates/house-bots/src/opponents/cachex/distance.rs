//! Connection distances of a colour, and the cells that matter for them.
//!
//! The distance is the minimum number of stones that a colour must add to join its two sides if its opponent never
//! answers. It is computed in layers from one side: cells at one stone, then at two, and so on. All cells of a layer
//! are found at once, by row bitboards. Two stones that share two empty neighbours count as joined (a *bridge*), since
//! each of these cells answers an attack on the other; likewise a stone and a side. The *plain* distance counts
//! contacts only.

use crate::game::Side;
use crate::game::cachex::Board;
use crate::game::cachex::hex::{MARGIN, RING, Stones, WORDS, down, fill, up};

/// Cells beyond two neighbours each, as (row, column) steps: cell i is beyond neighbours i and i + 1.
const BEYOND: [(isize, i32); 6] = [(-2, 1), (-1, 2), (1, 1), (2, -1), (1, -2), (-1, -1)];

/// Maximum distance; a colour at this distance counts as cut off.
const FARTHEST: usize = 31;

const NONE: Stones = [0; WORDS];

/// Cells by their distance in stones from one side; the first entry stays empty.
type Layers = [Stones; FARTHEST + 2];

/// Shortest paths of a colour between its sides.
pub(super) struct Paths {
    pub distance: i32,
    /// Empty cells on a shortest path.
    pub shortest: Stones,
    /// Empty cells on a path that is longer by one.
    pub longer: Stones,
}

pub(super) struct ConnectionMeasure {
    board: Board,
    empty: Stones,
    /// For each neighbour: cells whose neighbour i and the next in the ring are both empty.
    pairs: [Stones; 6],
}

/// Row `word` of a set, shifted so that each cell's bit is the one `step` away from it.
fn at(stones: &Stones, word: usize, (row, column): (isize, i32)) -> u32 {
    let row = stones[word.wrapping_add_signed(row)];
    if column < 0 {
        row << -column
    } else {
        row >> column
    }
}

impl ConnectionMeasure {
    pub(super) fn new(board: &Board) -> Self {
        let mut empty = NONE;
        for word in board.words() {
            empty[word] = board.empty(word);
        }
        let mut pairs = [NONE; 6];
        for (i, pair) in pairs.iter_mut().enumerate() {
            for word in board.words() {
                pair[word] = at(&empty, word, RING[i]) & at(&empty, word, RING[(i + 1) % 6]);
            }
        }
        Self {
            board: *board,
            empty,
            pairs,
        }
    }

    /// Shortest paths of a colour, with or without bridges.
    pub(super) fn paths<const BRIDGES: bool>(&self, seat: Side) -> Paths {
        let sides = self.sides::<BRIDGES>(seat);
        let mut from = [[NONE; FARTHEST + 2]; 2];
        let [near, far] = &mut from;
        let distance = self.layers::<BRIDGES>(seat, &sides[0], &sides[1], near);
        self.layers::<BRIDGES>(seat, &sides[1], &sides[0], far);
        let mut paths = Paths {
            distance: distance as i32,
            shortest: NONE,
            longer: NONE,
        };
        for (first, near) in near.iter().enumerate().take(distance + 2).skip(1) {
            let second = distance + 1 - first;
            for word in self.board.words() {
                paths.shortest[word] |= near[word] & far[second][word];
                paths.longer[word] |= near[word] & far[second + 1][word];
            }
        }
        paths
    }

    pub(super) fn distance<const BRIDGES: bool>(&self, seat: Side) -> i32 {
        let sides = self.sides::<BRIDGES>(seat);
        let mut layers = [NONE; FARTHEST + 2];
        self.layers::<BRIDGES>(seat, &sides[0], &sides[1], &mut layers) as i32
    }

    /// Cells that touch each side of a colour, or have a bridge to it.
    fn sides<const BRIDGES: bool>(&self, seat: Side) -> [Stones; 2] {
        let words = self.board.words();
        let (first, last) = (words.start, words.end - 1);
        let mut sides = [NONE; 2];
        match seat {
            Side::First => {
                let all = self.board.columns();
                sides[0][first] = all;
                sides[1][last] = all;
                if BRIDGES {
                    sides[0][first + 1] = self.pairs[0][first + 1];
                    sides[1][last - 1] = self.pairs[3][last - 1];
                }
            }
            Side::Second => {
                for word in words {
                    sides[0][word] = 1 << MARGIN;
                    sides[1][word] = 1 << last;
                    if BRIDGES {
                        sides[0][word] |= self.pairs[4][word] & 1 << (MARGIN + 1);
                        sides[1][word] |= self.pairs[1][word] & 1 << (last - 1);
                    }
                }
            }
        }
        sides
    }

    /// Grows layers from one side, up to one past the first that meets the other side, which [`Paths::longer`] needs.
    /// Returns the distance.
    fn layers<const BRIDGES: bool>(
        &self,
        seat: Side,
        from: &Stones,
        to: &Stones,
        layers: &mut Layers,
    ) -> usize {
        let own = self.board.stones(seat);
        let words = self.board.words();
        let mut reached = NONE;
        for word in words.clone() {
            reached[word] = from[word] & own[word];
        }
        self.join::<BRIDGES>(own, reached, &mut reached);
        let mut distance = FARTHEST;
        for layer in 0..=FARTHEST {
            if distance == FARTHEST && words.clone().any(|word| reached[word] & to[word] != 0) {
                distance = layer;
            }
            if layer > distance {
                break;
            }
            let mut any = 0;
            let next = &mut layers[layer + 1];
            for word in words.clone() {
                let touched = from[word] | self.touched::<BRIDGES>(&reached, word);
                next[word] = touched & self.empty[word] & !reached[word];
                any |= next[word];
            }
            if any == 0 {
                break;
            }
            for word in words.clone() {
                reached[word] |= next[word];
            }
            self.join::<BRIDGES>(own, *next, &mut reached);
        }
        distance
    }

    /// Adds the own stones connected to `front`, the newest part of `reached`.
    fn join<const BRIDGES: bool>(&self, own: &Stones, mut front: Stones, reached: &mut Stones) {
        loop {
            let mut new = NONE;
            let mut any = 0;
            for word in self.board.words() {
                let rest = own[word] & !reached[word];
                if rest != 0 {
                    new[word] = fill(rest, rest & self.touched::<BRIDGES>(&front, word));
                    any |= new[word];
                }
            }
            if any == 0 {
                return;
            }
            for word in self.board.words() {
                reached[word] |= new[word];
            }
            front = new;
        }
    }

    /// Cells of a row that touch a set or have a bridge to it.
    fn touched<const BRIDGES: bool>(&self, set: &Stones, word: usize) -> u32 {
        let here = set[word];
        let mut touched = here << 1 | here >> 1 | up(set[word - 1]) | down(set[word + 1]);
        if BRIDGES {
            for (&step, pair) in BEYOND.iter().zip(&self.pairs) {
                touched |= at(set, word, step) & pair[word];
            }
        }
        touched
    }

    /// Empty cells where a stone of `seat` captures.
    pub(super) fn captures(&self, seat: Side) -> Stones {
        let ours = self.board.stones(seat);
        let theirs = self.board.stones(seat.other());
        let mut cells = NONE;
        for word in self.board.words() {
            let ring = RING.map(|step| at(theirs, word, step));
            let mut captures = 0;
            for i in 0..6 {
                let (last, next) = (ring[(i + 5) % 6], ring[(i + 1) % 6]);
                captures |= ring[i] & next & at(ours, word, BEYOND[i]);
                captures |= last & next & at(ours, word, RING[i]);
            }
            cells[word] = captures & self.empty[word];
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::cachex::hex::{bits, place_of};
    use crate::game::cachex::{Action, Cell, Options, State};
    use crate::game::{Position, View};
    use crate::opponents::duel::random_action;
    use crate::random::Stream;

    fn start(size: u8) -> State {
        State::new(Options::with_size(size).expect("a size"))
    }

    #[test]
    fn captures_agree_with_the_rules_and_bridges_make_no_way_longer() {
        for game in 0..24 {
            let mut chance = Stream::new(17, game);
            let mut state = start(3 + game as u8);
            while let Some(action) = random_action(&state, &mut chance) {
                state.apply(action).expect("legal");
                if !state.ply().is_multiple_of(7) || state.outcome().is_some() {
                    continue;
                }
                let board = state.stones();
                let measure = ConnectionMeasure::new(board);
                for seat in Side::BOTH {
                    let plain = measure.distance::<false>(seat);
                    assert!(measure.distance::<true>(seat) <= plain);
                    let captures = measure.captures(seat);
                    for word in board.words() {
                        for bit in bits(board.columns()) {
                            let cell = Cell::at(word, bit);
                            let any =
                                board.stone(cell).is_none() && board.captured_by(seat, cell) != 0;
                            assert_eq!(captures[word] >> bit & 1 == 1, any, "{cell}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_stone_on_a_shortest_way_brings_its_colour_nearer() {
        let mut chance = Stream::new(23, 0);
        for size in [3, 9, 26] {
            let mut state = start(size);
            for _ in 0..size {
                let action = random_action(&state, &mut chance).expect("not over");
                state.apply(action).expect("legal");
            }
            let measure = ConnectionMeasure::new(state.stones());
            let paths = measure.paths::<false>(state.stones().mover());
            for word in state.stones().words() {
                for bit in bits(paths.shortest[word]) {
                    let cell = Cell::at(word, bit);
                    assert_eq!(place_of(cell), (word, bit));
                    let mut next = *state.stones();
                    next.play(Action::Place(cell));
                    let nearer =
                        ConnectionMeasure::new(&next).distance::<false>(state.stones().mover());
                    assert_eq!(nearer, paths.distance - 1, "{cell}");
                }
            }
        }
    }

    #[test]
    fn bridges_count_as_joined() {
        let measure = |actions: &str| {
            let mut state = start(5);
            for token in actions.split(' ') {
                state
                    .apply(token.parse().expect("an action"))
                    .expect("legal");
            }
            ConnectionMeasure::new(state.stones())
        };
        // c2 has a bridge to the bottom, b4 one to the top, and they share a bridge.
        let safe = measure("c2 e2 b4 e1");
        assert_eq!(safe.distance::<true>(Side::First), 0);
        assert_eq!(safe.distance::<false>(Side::First), 3);
        let broken = measure("c2 e1 b4 c3");
        assert_eq!(broken.distance::<true>(Side::First), 1);
    }
}
