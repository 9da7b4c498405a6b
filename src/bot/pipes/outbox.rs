//! Bytes on their way to a program.

use std::fmt;
use std::process::ChildStdin;

use rustix::io::{Errno, ioctl_fionread};

/// Bytes for the stdin of a program, which is a non-blocking pipe. A program that reads nothing blocks nobody.
#[derive(Debug)]
pub struct Outbox {
    /// `None` once either side closed it.
    pipe: Option<ChildStdin>,
    bytes: Vec<u8>,
    /// The first bytes, which are written.
    sent: usize,
}

impl Outbox {
    /// An empty outbox.
    pub fn new(pipe: Option<ChildStdin>) -> Self {
        Self {
            pipe,
            bytes: Vec::with_capacity(256),
            sent: 0,
        }
    }

    /// Queues bytes for the next write.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The bytes that are not written yet, as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes[self.sent..]).into_owned()
    }

    /// Writes as much as the pipe takes.
    pub fn flush(&mut self) {
        if let Some(pipe) = &self.pipe {
            while self.sent < self.bytes.len() {
                match rustix::io::write(pipe, &self.bytes[self.sent..]) {
                    Ok(count) => self.sent += count,
                    Err(Errno::INTR) => {}
                    Err(Errno::AGAIN) => return,
                    // The program closed its stdin. That alone is no fault; a missing answer will be.
                    Err(_) => {
                        self.pipe = None;
                        break;
                    }
                }
            }
        }
        self.bytes.clear();
        self.sent = 0;
    }

    /// The pipe to wait for, while it has not taken everything.
    pub fn unsent(&self) -> Option<&ChildStdin> {
        self.pipe.as_ref().filter(|_| self.sent < self.bytes.len())
    }

    /// Whether the program has read everything: the pipe is empty, and so is the queue.
    pub fn is_read(&self) -> bool {
        let unread = |pipe| ioctl_fionread(pipe).unwrap_or(u64::MAX);
        let has_read = self.pipe.as_ref().is_some_and(|pipe| unread(pipe) == 0);
        has_read && self.sent == self.bytes.len()
    }

    /// Closes the program's stdin, with a last try to write the rest.
    pub fn close(&mut self) {
        self.flush();
        self.pipe = None;
    }
}

impl fmt::Write for Outbox {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}
