//! Measures the speed of a machine.

use std::time::Instant;

use super::Search;
use crate::game::cachex::{Options, State};
use crate::game::{Position, Side};
use crate::opponents::{Brain, Budget};
use crate::random::Stream;

/// Nodes per search, and number of searches. The fastest is kept: it was disturbed least.
const NODES: u64 = 20_000;
const REPEATS: usize = 5;

/// Nodes per second of the search, on one processor of this machine.
pub fn nodes_per_second() -> f64 {
    let options = Options::default();
    let position = State::new(options);
    let best = (0..REPEATS).map(|_| {
        let begun = Instant::now();
        let mut chance = Stream::new(0, 0);
        Search.choose(
            position.view(Side::First),
            &mut Budget::new(NODES, None),
            &mut chance,
        );
        begun.elapsed().as_secs_f64()
    });
    NODES as f64 / best.fold(f64::INFINITY, f64::min).max(f64::MIN_POSITIVE)
}
