//! Splits bytes from a pipe or a socket into lines.

use std::io;
use std::os::fd::BorrowedFd;

use memchr::memchr;
use rustix::buffer::spare_capacity;
use rustix::io::Errno;

/// Bytes per read.
const CHUNK: usize = 8 << 10;

/// Bytes read and not yet taken: whole lines and the beginning of one.
#[derive(Debug, Default)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// Offset of the first line not yet taken.
    taken: usize,
    /// Offset up to which no line ending was found. Keeps repeated searches of a long partial line linear.
    searched: usize,
}

/// Result of one read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadOutcome {
    /// This many new bytes.
    Bytes(usize),
    /// No data for now.
    Nothing,
    /// The other end is closed.
    End,
}

impl LineBuffer {
    /// Reads once from a non-blocking pipe.
    pub fn pull(&mut self, pipe: BorrowedFd<'_>) -> io::Result<ReadOutcome> {
        if self.taken == self.bytes.len() {
            self.bytes.clear();
            self.taken = 0;
            self.searched = 0;
        } else if self.taken > CHUNK {
            // Compacts only after a chunk was taken, which limits the copying.
            self.bytes.drain(..self.taken);
            self.searched -= self.taken;
            self.taken = 0;
        }
        self.bytes.reserve(CHUNK);
        loop {
            return match rustix::io::read(pipe, spare_capacity(&mut self.bytes)) {
                Ok(0) => Ok(ReadOutcome::End),
                Ok(count) => Ok(ReadOutcome::Bytes(count)),
                Err(Errno::AGAIN) => Ok(ReadOutcome::Nothing),
                Err(Errno::INTR) => continue,
                Err(error) => Err(error.into()),
            };
        }
    }

    /// Takes the next whole line, without its line ending (`\n` or `\r\n`).
    pub fn next_line(&mut self) -> Option<&[u8]> {
        let end = memchr(b'\n', &self.bytes[self.searched..]);
        let Some(end) = end.map(|offset| self.searched + offset) else {
            self.searched = self.bytes.len();
            return None;
        };
        let line = &self.bytes[self.taken..end];
        self.taken = end + 1;
        self.searched = end + 1;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Length of the partial line at the end.
    pub fn unfinished(&self) -> usize {
        self.bytes.len() - self.taken
    }

    /// Bytes read and not yet taken.
    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.taken..]
    }
}
