//! A strategy, and the limits on its search.

use std::time::Instant;

use crate::game::View;
use crate::random::Stream;

/// A strategy: chooses actions.
pub trait Brain<V: View> {
    /// Chooses a legal action for the seat to act in `view`, which must not be over. `chance` breaks ties. The choice
    /// is a function of view, budget and stream, unless the budget's deadline passes.
    fn choose(&mut self, view: &V, budget: &mut Budget, chance: &mut Stream) -> V::Action;
}

/// Limits on the search for one action.
#[derive(Debug, Clone)]
pub struct Budget {
    nodes_left: u64,
    deadline: Option<Instant>,
    until_look: u32,
}

/// Nodes between two readings of the clock: well under a millisecond, at a few million nodes per second.
const NODES_PER_LOOK: u32 = 512;

impl Budget {
    /// At most `nodes` search nodes, and none after `deadline`.
    pub fn new(nodes: u64, deadline: Option<Instant>) -> Self {
        Self {
            nodes_left: nodes,
            deadline,
            until_look: NODES_PER_LOOK,
        }
    }

    /// Spends one node. Returns `false` once the budget is spent: stop, and play the best action so far.
    pub fn spend(&mut self) -> bool {
        if self.nodes_left == 0 {
            return false;
        }
        self.nodes_left -= 1;
        self.until_look -= 1;
        if self.until_look == 0 {
            self.until_look = NODES_PER_LOOK;
            if self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
            {
                self.nodes_left = 0;
                return false;
            }
        }
        true
    }
}
