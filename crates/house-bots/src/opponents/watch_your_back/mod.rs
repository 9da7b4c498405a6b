//! House bots for Watch Your Back!

mod search;
#[cfg(test)]
mod tests;

pub use search::Search;

use crate::game::watch_your_back::{Action, Direction, State};
use crate::game::{Side, View};
use crate::opponents::{Brain, Budget, legal, one_of_the_best};
use crate::random::Stream;

const PIECE: i32 = 100;

/// Exceeds any sum of the other terms and any number of plies.
const WIN: i32 = 1 << 30;

/// The twelve squares left after the second shrink.
const LAST_SQUARES: u64 = 0x0000_183c_3c18_0000;

/// Bonus for a piece on one of them after 0, 1 and 2 shrinks. Once they are full, the pieces outside are lost.
const FOOTHOLD: [i32; 3] = [12, 45, 0];

/// Number of own moves before a shrink from which pieces on doomed squares lose value.
const SHRINK_HORIZON: i32 = 16;

/// Value of a position for the seat to act: exact if the game is over, an estimate otherwise.
fn evaluate(state: &State) -> i32 {
    if let Some(value) = decided(state) {
        return value;
    }
    let board = state.layout();
    let [own, enemy] =
        seats(state).map(|seat| (board.pieces(seat) & LAST_SQUARES).count_ones() as i32);
    balance(state) + FOOTHOLD[usize::from(board.shrinks())] * (own - enemy)
}

/// Value of a finished game for the seat that would act next. An earlier win has a higher value.
fn decided(state: &State) -> Option<i32> {
    let value = WIN - state.ply() as i32;
    state.outcome().map(|outcome| match outcome.winner {
        None => 0,
        Some(winner) if winner == seats(state)[0].into() => value,
        Some(_) => -value,
    })
}

/// The seat to act, or next in turn if the game is over, and the other seat.
fn seats(state: &State) -> [Side; 2] {
    match state.ply() % 2 {
        0 => Side::BOTH,
        _ => [Side::Second, Side::First],
    }
}

/// Material, mobility and threats, for the seat to act.
fn balance(state: &State) -> i32 {
    let [own, enemy] = seats(state);
    side(state, own, true) - side(state, enemy, false)
}

fn side(state: &State, seat: Side, to_act: bool) -> i32 {
    let board = state.layout();
    let pieces = board.pieces(seat);
    let count = |set: u64| set.count_ones() as i32;
    let mut value = PIECE * count(pieces);
    if !state.is_placing() {
        let reach = board.reach(seat);
        value += reach
            .as_flattened()
            .iter()
            .map(|set| count(*set))
            .sum::<i32>();
    }
    let threatened = count(threats(state, seat.other()));
    value -= if to_act { 10 } else { 25 } * threatened;

    let exposed = count(pieces & board.doomed());
    if let Some(plies) = state.plies_to_shrink().filter(|_| exposed > 0) {
        let moves = (plies as i32 + i32::from(to_act)) / 2;
        let urgency = (SHRINK_HORIZON - moves).max(0);
        value -= exposed * (5 + 2 * urgency);
        value -= (exposed - moves).max(0) * PIECE / 2;
    }
    value
}

/// Squares where an arriving piece of `seat` would eliminate an enemy, by the direction from the square to that enemy.
fn strikes(state: &State, seat: Side) -> [u64; 4] {
    let board = state.layout();
    let allies = board.pieces(seat) | board.corners();
    let (enemies, empty) = (board.pieces(seat.other()), board.empty());
    Direction::ALL.map(|direction| {
        let back = direction.back();
        back.shift(enemies & back.shift(allies)) & empty
    })
}

/// Enemies that `seat` could eliminate if it were to act.
fn threats(state: &State, seat: Side) -> u64 {
    let strikes = strikes(state, seat);
    if state.is_placing() {
        // The starting zones differ only by two rows at the edge, which is close enough here.
        return struck(strikes);
    }
    let reach = state.layout().reach(seat);
    let reached = |without: Direction| {
        Direction::ALL
            .into_iter()
            .zip(reach)
            .fold(0, |set, (direction, [steps, jumps])| {
                // A jump back over the enemy removes the piece that holds it from behind.
                let jumps = if direction == without { 0 } else { jumps };
                set | steps | jumps
            })
    };
    let mut possible = strikes;
    for (direction, set) in Direction::ALL.into_iter().zip(&mut possible) {
        if *set != 0 {
            *set &= reached(direction.back());
        }
    }
    struck(possible)
}

fn struck(strikes: [u64; 4]) -> u64 {
    Direction::ALL
        .into_iter()
        .zip(strikes)
        .fold(0, |set, (direction, from)| set | direction.shift(from))
}

/// The 4 × 4 squares in the middle. No shrink before the second touches them.
const CENTRE: u64 = 0x0000_3c3c_3c3c_0000;

/// Plays the best action by a one-ply evaluation, with a penalty for pieces that the opponent could eliminate next.
#[derive(Debug, Default)]
pub struct Greedy;

impl Brain<State> for Greedy {
    fn choose(&mut self, view: &State, _budget: &mut Budget, chance: &mut Stream) -> Action {
        let value = |action| {
            let mut after = *view;
            after.play(action);
            value_after(&after)
        };
        one_of_the_best(&legal(view), value, chance)
    }
}

/// Value of a position for the seat that has just acted.
fn value_after(state: &State) -> i32 {
    if let Some(value) = decided(state) {
        return -value;
    }
    let [opponent, own] = seats(state);
    let central = (state.layout().pieces(own) & CENTRE).count_ones() as i32;
    let in_danger = threats(state, opponent) != 0;
    -balance(state) + 4 * central - i32::from(in_danger) * PIECE / 2
}

/// Number of entries: a power of two, about six megabytes.
const ENTRIES: usize = 1 << 18;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Bound {
    #[default]
    Exact,
    Lower,
    Upper,
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    key: u64,
    generation: u32,
    value: i32,
    best: Option<Action>,
    depth: u8,
    bound: Bound,
}

/// A table of fixed size. Each search starts a new generation and ignores entries of earlier ones, so its play does
/// not depend on earlier games.
#[derive(Debug)]
struct TranspositionTable {
    entries: Vec<Entry>,
    generation: u32,
}

impl TranspositionTable {
    fn new() -> Self {
        Self {
            entries: vec![Entry::default(); ENTRIES],
            generation: 0,
        }
    }

    fn get(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[slot(key)];
        (entry.key == key && entry.generation == self.generation).then_some(entry)
    }

    fn put(&mut self, key: u64, depth: u8, value: i32, bound: Bound, best: Option<Action>) {
        self.entries[slot(key)] = Entry {
            key,
            generation: self.generation,
            value,
            best,
            depth,
            bound,
        };
    }
}

fn slot(key: u64) -> usize {
    key as usize & (ENTRIES - 1)
}

/// Hash of a position including its ply, since shrinks and the ply limit depend on it. Two words hold all pieces, so
/// mixing them is cheaper than Zobrist hashing.
fn key(state: &State) -> u64 {
    let board = state.layout();
    let mix = |a: u64, b: u64| {
        let wide = u128::from(a) * u128::from(b);
        wide as u64 ^ (wide >> 64) as u64
    };
    let white = board.pieces(Side::First) ^ 0x9e37_79b9_7f4a_7c15;
    let black = board.pieces(Side::Second) ^ 0xd1b5_4a32_d192_ed03;
    let pieces = mix(white, 0xa076_1d64_78bd_642f) ^ mix(black, 0xe703_7ed1_a0b4_28db);
    mix(pieces ^ u64::from(state.ply()), 0x8ebc_6af0_9c88_c6e3)
}
