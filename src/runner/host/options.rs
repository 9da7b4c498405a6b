//! Options of the user for the machine.

use std::num::NonZeroUsize;

/// Placement of the bots of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placing {
    /// On the core of the thread that referees them while they answer at once; otherwise the system decides.
    #[default]
    Lanes,
    /// On cores of their own.
    Pinned,
    /// The system decides.
    Free,
}

impl Placing {
    /// [`Self::Pinned`] or the default.
    pub fn pinned(pin: bool) -> Self {
        if pin { Self::Pinned } else { Self::Lanes }
    }
}

/// Options that the user sets for the machine.
#[derive(Debug, Clone, Copy)]
pub struct HostOptions {
    /// Number of games at a time; `None` takes one per core.
    pub jobs: Option<NonZeroUsize>,
    /// Placement of bots on processors.
    pub placing: Placing,
}
