//! How a run is told to stop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::player::CancelPipe;

/// Tells a run, from any thread, that no game is to be begun any more, or that all is to end now.
#[derive(Debug)]
pub struct Stop {
    soon: AtomicBool,
    now: Arc<CancelPipe>,
}

impl Stop {
    /// Nothing is to stop yet. The error is the machine's.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            soon: AtomicBool::new(false),
            now: Arc::new(CancelPipe::new()?),
        })
    }

    /// Lets the games in play finish, and begins no other.
    pub fn soon(&self) {
        self.soon.store(true, Ordering::Relaxed);
    }

    /// Breaks off the games in play too. They count for nothing.
    pub fn now(&self) {
        self.soon();
        self.now.cancel();
    }

    /// Whether no game is to be begun any more.
    pub fn is_soon(&self) -> bool {
        self.soon.load(Ordering::Relaxed)
    }

    /// Whether the games in play are broken off.
    pub fn is_now(&self) -> bool {
        self.now.is_cancelled()
    }

    /// What a player heeds whose games can be broken off.
    pub fn cancel_pipe(&self) -> Arc<CancelPipe> {
        Arc::clone(&self.now)
    }
}
