//! A bell that ends every wait for a bot.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Mutex, PoisonError};

/// Rung once, it ends every wait of the players that heed it, now and from then on.
#[derive(Debug)]
pub struct Alarm {
    /// The writing end of a pipe. That it is closed is what every waiting thread notices.
    rope: Mutex<Option<PipeWriter>>,
    bell: PipeReader,
}

impl Alarm {
    /// An alarm that has not been rung. The error is the machine's: it has no pipe to spare.
    pub fn new() -> io::Result<Self> {
        let (bell, rope) = io::pipe()?;
        Ok(Self {
            rope: Mutex::new(Some(rope)),
            bell,
        })
    }

    /// Rings it. It cannot be silenced.
    pub fn ring(&self) {
        drop(self.rope().take());
    }

    /// Whether it has been rung.
    pub fn is_rung(&self) -> bool {
        self.rope().is_none()
    }

    fn rope(&self) -> std::sync::MutexGuard<'_, Option<PipeWriter>> {
        // Nothing is done under the lock that could fail half-way.
        self.rope.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsFd for Alarm {
    /// What to poll: it hangs up when the alarm is rung.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }
}
