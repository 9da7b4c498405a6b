//! How good a position looks.

use crate::game::watch_your_back::{Direction, State};
use crate::game::{Seat, View};

/// What a piece is worth.
pub(super) const PIECE: i32 = 100;

/// More than any sum of the other terms and any number of plies.
pub(super) const WIN: i32 = 1 << 30;

/// The twelve squares that are left after the second shrink.
const LAST_SQUARES: u64 = 0x0000_183c_3c18_0000;

/// What a piece on one of them gains after no, one and two shrinks. Once they are full, the pieces
/// outside are lost.
const FOOTHOLD: [i32; 3] = [12, 45, 0];

/// From how many own moves before a shrink pieces on doomed squares lose value.
const SHRINK_HORIZON: i32 = 16;

/// The value of a position for the seat whose turn it is: exact if the game is over, else an
/// estimate.
pub(super) fn evaluate(state: &State) -> i32 {
    if let Some(value) = decided(state) {
        return value;
    }
    let board = state.layout();
    let [own, enemy] =
        seats(state).map(|seat| (board.pieces(seat) & LAST_SQUARES).count_ones() as i32);
    balance(state) + FOOTHOLD[usize::from(board.shrinks())] * (own - enemy)
}

/// The value of a game that is over, for the seat that would act next. An earlier win is worth more.
pub(super) fn decided(state: &State) -> Option<i32> {
    let value = WIN - state.ply() as i32;
    state.outcome().map(|outcome| match outcome.winner {
        None => 0,
        Some(seat) if seat == seats(state)[0] => value,
        Some(_) => -value,
    })
}

/// The seat whose turn it is, or would be if the game were not over, and the other.
pub(super) fn seats(state: &State) -> [Seat; 2] {
    match state.ply() % 2 {
        0 => Seat::BOTH,
        _ => [Seat::Second, Seat::First],
    }
}

/// Pieces, their freedom and their dangers, for the seat whose turn it is.
pub(super) fn balance(state: &State) -> i32 {
    let [own, enemy] = seats(state);
    side(state, own, true) - side(state, enemy, false)
}

fn side(state: &State, seat: Seat, to_act: bool) -> i32 {
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

/// The squares where an arriving piece of `seat` would eliminate an enemy, for each direction in
/// which that enemy then stands.
pub(super) fn strikes(state: &State, seat: Seat) -> [u64; 4] {
    let board = state.layout();
    let allies = board.pieces(seat) | board.corners();
    let (enemies, empty) = (board.pieces(seat.other()), board.empty());
    Direction::ALL.map(|direction| {
        let back = direction.back();
        back.shift(enemies & back.shift(allies)) & empty
    })
}

/// The enemies of `seat` that it could eliminate if it were to act.
pub(super) fn threats(state: &State, seat: Seat) -> u64 {
    let strikes = strikes(state, seat);
    if state.is_placing() {
        // The starting zones differ by two rows at the edge only, which is close enough here.
        return struck(strikes);
    }
    let reach = state.layout().reach(seat);
    let reached = |without: Direction| {
        Direction::ALL
            .into_iter()
            .zip(reach)
            .fold(0, |set, (direction, [steps, jumps])| {
                // A jump back over the enemy takes away the piece that holds it from behind.
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
