//! Cancels every wait for a bot, from another thread.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A pipe that every waiting player polls. Once cancelled, all present and future waits end.
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
    /// No pipe could be created.
    pub fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        Ok(Self {
            writer: Mutex::new(Some(writer)),
            reader,
        })
    }

    /// Cancels every wait, for good.
    pub fn cancel(&self) {
        drop(self.writer().take());
    }

    /// Whether it has been cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.writer().is_none()
    }

    fn writer(&self) -> MutexGuard<'_, Option<PipeWriter>> {
        // No code under the lock can panic half-way, so a poisoned lock is still consistent.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsFd for CancelPipe {
    /// The end to poll: it hangs up once the pipe is cancelled.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}
