//! Speed of the rules of dark chess on one core: `cargo bench --bench dark_chess`.

use std::time::{Duration, Instant};

use referee::game::dark_chess::{Options, State};
use referee::game::{Chance, Position, Side, View};
use referee::random::Stream;

const TIME: Duration = Duration::from_secs(2);

fn main() {
    let options = Options::default();

    let (mut games, mut plies, mut actions) = (0u64, 0u64, Vec::new());
    let start = Instant::now();
    while start.elapsed() < TIME {
        let mut chance = Stream::new(1, games);
        let mut state = State::new(&options, &mut chance);
        loop {
            state.view(Side::First).legal(&mut actions);
            if actions.is_empty() {
                break;
            }
            let action = actions[chance.below(actions.len() as u32) as usize];
            if state.apply(action).is_err() {
                unreachable!("{action} is legal");
            }
        }
        games += 1;
        plies += u64::from(state.view(Side::First).ply());
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "dark-chess random playouts: {:.2} million plies/s ({games} games of {:.1} plies)",
        plies as f64 / seconds / 1e6,
        plies as f64 / games as f64
    );

    let state = State::new(&options, &mut Stream::new(1, 0));
    let start = Instant::now();
    let nodes = perft(&state, 5);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "dark-chess perft 5 from a start: {:.1} million nodes/s ({nodes} nodes)",
        nodes as f64 / seconds / 1e6
    );
}

/// Sequences of `depth` legal actions; the last action of each is counted and not played.
fn perft(state: &State, depth: u32) -> u64 {
    let view = state.view(Side::First);
    let moves = view.moves();
    let mut nodes = 0;
    if depth == 1 {
        moves.for_each(|_| nodes += 1);
        return nodes;
    }
    moves.for_each(|action| {
        let mut next = state.clone();
        if next.apply(action).is_err() {
            unreachable!("{action} is legal");
        }
        nodes += perft(&next, depth - 1);
    });
    nodes
}
