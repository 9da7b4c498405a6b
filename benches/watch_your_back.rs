//! How fast the rules of Watch Your Back! are: one line a figure.

use std::hint::black_box;
use std::time::{Duration, Instant};

use referee::game::watch_your_back::{Options, State};
use referee::game::{Chance, Position, View};
use referee::random::Stream;

fn main() {
    playouts();
    perft();
}

/// Whole random games, for two seconds.
fn playouts() {
    let mut chance = Stream::new(1, 0);
    let (mut plies, mut games, mut actions) = (0u64, 0u64, Vec::new());
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(2) {
        let mut state = State::new(Options::default());
        loop {
            state.legal(&mut actions);
            if actions.is_empty() {
                break;
            }
            let action = actions[chance.below(actions.len() as u32) as usize];
            let _ = black_box(state.apply(action));
        }
        plies += u64::from(state.ply());
        games += 1;
    }
    let rate = plies as f64 / start.elapsed().as_secs_f64();
    println!("watch-your-back random playouts: {rate:.3e} plies/s ({games} games)");
}

/// Every sequence of five actions from the start.
fn perft() {
    let start = Instant::now();
    let nodes = count(&State::new(Options::default()), 5, &mut Default::default());
    let rate = nodes as f64 / start.elapsed().as_secs_f64();
    println!("watch-your-back perft 5 from the start: {rate:.3e} nodes/s ({nodes} nodes)");
}

fn count(state: &State, depth: usize, lists: &mut [Vec<<State as View>::Action>; 5]) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut actions = std::mem::take(&mut lists[depth - 1]);
    state.legal(&mut actions);
    let mut nodes = 0;
    for action in &actions {
        let mut after = *state;
        let _ = black_box(after.apply(*action));
        nodes += count(&after, depth - 1, lists);
    }
    lists[depth - 1] = actions;
    nodes
}
