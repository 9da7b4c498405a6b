//! How fast a machine is, by a house bot's search, and how busy it is.

use std::time::Instant;

use crate::game::cachex::{Options, State};
use crate::game::{Position, Seat};
use crate::opponents::cachex::Search;
use crate::opponents::{Brain, Budget};
use crate::random::Stream;

/// How many nodes are searched, and how often: the fastest time is the one that nothing disturbed.
const NODES: u64 = 20_000;
const REPEATS: usize = 5;

/// How many nodes of a search this machine does in a second on one processor.
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

/// How many processes were ready to run, on average over the last minute; 0 where the system does not say.
pub(super) fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split(' ').next().and_then(|load| load.parse().ok());
    first.unwrap_or(0.0)
}
