//! Speed of the Cachex rules: random playouts and perft, one figure a line. The last ply of a perft
//! is counted, not played.

use std::hint::black_box;
use std::time::{Duration, Instant};

use referee::game::cachex::{Action, Options, State};
use referee::game::{Chance, Position, View};
use referee::random::Stream;

/// How long each figure is measured.
const SPAN: Duration = Duration::from_millis(700);

fn start(size: u8) -> State {
    State::new(Options::with_size(size).expect("a size"))
}

/// Plies of random games, with all rules of the end, until the time is over.
fn playouts(size: u8) -> (u64, Duration) {
    let mut chance = Stream::new(1, 0);
    let begun = Instant::now();
    let (mut plies, mut actions) = (0, Vec::new());
    while begun.elapsed() < SPAN {
        let mut state = start(size);
        while let Some(action) = random_action(&state, &mut actions, &mut chance) {
            state.apply(action).expect("legal");
        }
        plies += u64::from(state.ply());
        black_box(state.outcome());
    }
    (plies, begun.elapsed())
}

fn random_action(state: &State, actions: &mut Vec<Action>, chance: &mut Stream) -> Option<Action> {
    state.legal(actions);
    (!actions.is_empty()).then(|| actions[chance.below(actions.len() as u32) as usize])
}

fn perft(state: &State, depth: usize, lists: &mut [Vec<Action>]) -> u64 {
    let Some((list, deeper)) = lists.split_first_mut() else {
        return 1;
    };
    state.legal(list);
    if depth == 1 {
        return list.len() as u64;
    }
    let mut nodes = 0;
    for &action in list.iter() {
        let mut next = state.clone();
        next.apply(action).expect("legal");
        nodes += perft(&next, depth - 1, deeper);
    }
    nodes
}

fn report(what: &str, unit: &str, (count, time): (u64, Duration)) {
    let rate = count as f64 / time.as_secs_f64() / 1e6;
    println!(
        "cachex {what}: {rate:.2} M {unit}/s ({count} in {:.2} s)",
        time.as_secs_f64()
    );
}

fn main() {
    for size in [5, 9, 15, 26] {
        report(
            &format!("random playouts, size {size}"),
            "plies",
            playouts(size),
        );
    }
    for (size, depth) in [(5, 5), (9, 4)] {
        let begun = Instant::now();
        let nodes = perft(&start(size), depth, &mut vec![Vec::new(); depth]);
        report(
            &format!("perft {depth}, size {size}"),
            "leaf nodes",
            (nodes, begun.elapsed()),
        );
    }
}
