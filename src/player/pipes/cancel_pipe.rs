//! Ends every wait for a bot, from another thread.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A pipe that every waiting player polls. Once it is cancelled, all their waits end, now and from
/// then on.
#[derive(Debug)]
pub struct CancelPipe {
    /// Closing this end wakes every thread that polls the other one. Nothing is ever written.
    writer: Mutex<Option<PipeWriter>>,
    reader: PipeReader,
}

impl CancelPipe {
    /// A pipe that is not cancelled.
    ///
    /// # Errors
    ///
    /// The machine has no pipe to spare.
    pub fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        Ok(Self {
            writer: Mutex::new(Some(writer)),
            reader,
        })
    }

    /// Cancels every wait. This cannot be taken back.
    pub fn cancel(&self) {
        drop(self.writer().take());
    }

    /// Whether it has been cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.writer().is_none()
    }

    fn writer(&self) -> MutexGuard<'_, Option<PipeWriter>> {
        // Nothing is done under the lock that could fail half-way.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsFd for CancelPipe {
    /// The end to poll: it hangs up once the pipe is cancelled.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}
