//! Speed of the rules of dark chess on one core: `cargo bench --bench dark_chess`.

use std::time::{Duration, Instant};

use referee::game::dark_chess::{Options, State};
use referee::game::{Position, Side, View};
use referee::random::Stream;

const TIME: Duration = Duration::from_secs(2);

fn main() {
    let options = Options::default();

    let (mut games, mut plies) = (0u64, 0u64);
    let start = Instant::now();
    while start.elapsed() < TIME {
        let mut chance = Stream::new(1, games);
        let mut state = State::new(&options, &mut chance);
        while let Some(action) = state.random_action(&mut chance) {
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
    if depth == 1 {
        return u64::from(moves.count());
    }
    let mut nodes = 0;
    moves.for_each(|action| {
        let mut next = state.clone();
        if next.apply(action).is_err() {
            unreachable!("{action} is legal");
        }
        nodes += perft(&next, depth - 1);
    });
    nodes
}
