//! Measures the speed of a machine, with the search of a house bot, and its load.

use std::time::Instant;

use crate::game::cachex::{Options, State};
use crate::game::{Position, Seat};
use crate::opponents::cachex::Search;
use crate::opponents::{Brain, Budget};
use crate::random::Stream;

/// Nodes per search, and number of searches. The fastest is kept: it was disturbed least.
const NODES: u64 = 20_000;
const REPEATS: usize = 5;

/// Search nodes per second of one processor of this machine.
pub fn speed() -> f64 {
    let options = Options::default();
    let position = State::new(options);
    let best = (0..REPEATS).map(|_| {
        let begun = Instant::now();
        let mut chance = Stream::new(0, 0);
        Search.choose(
            position.view(Seat::First),
            &mut Budget::new(NODES, None),
            &mut chance,
        );
        begun.elapsed().as_secs_f64()
    });
    NODES as f64 / best.fold(f64::INFINITY, f64::min).max(f64::MIN_POSITIVE)
}

/// Load average over one minute; 0 if the system does not report one.
pub(super) fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split(' ').next().and_then(|load| load.parse().ok());
    first.unwrap_or(0.0)
}
