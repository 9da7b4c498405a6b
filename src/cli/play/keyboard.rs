//! Keyboard input of a person.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, read};
use signal_hook::consts::SIGINT;
use signal_hook::{flag, low_level};

use crate::cli::output::print;
use crate::config::LONGEST_ROW;

/// Reader of stdin's lines. While it waits for one, Ctrl-C ends the input instead of the program.
#[derive(Debug)]
pub(super) struct Keyboard {
    /// Bytes read but not returned yet.
    typed: Vec<u8>,
    /// Becomes readable on Ctrl-C.
    interrupts: UnixStream,
    /// Whether Ctrl-C has its default effect.
    ends_program: Arc<AtomicBool>,
}

impl Keyboard {
    /// Registers the handlers for Ctrl-C.
    pub fn new() -> io::Result<Self> {
        let (interrupts, noticed) = UnixStream::pair()?;
        let ends_program = Arc::new(AtomicBool::new(true));
        flag::register_conditional_default(SIGINT, Arc::clone(&ends_program))?;
        low_level::pipe::register(SIGINT, noticed)?;
        Ok(Self {
            typed: Vec::new(),
            interrupts,
            ends_program,
        })
    }

    /// Asks for the next line; `None` at the end of input and after Ctrl-C.
    pub fn line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        self.ends_program.store(false, Ordering::Relaxed);
        // A closed stdout shows at the next read, because the person is gone too.
        let _ = print(prompt);
        let line = self.wait();
        self.ends_program.store(true, Ordering::Relaxed);
        Ok(line?.map(|line| String::from_utf8_lossy(&line).into_owned()))
    }

    fn wait(&mut self) -> io::Result<Option<Vec<u8>>> {
        let stdin = io::stdin();
        let mut block = [0; 4096];
        loop {
            if let Some(end) = self.typed.iter().position(|byte| *byte == b'\n') {
                return Ok(Some(self.typed.drain(..=end).collect()));
            }
            if self.typed.len() >= LONGEST_ROW {
                return Ok(Some(std::mem::take(&mut self.typed)));
            }
            let mut waiting = [
                PollFd::new(&stdin, PollFlags::IN),
                PollFd::new(&self.interrupts, PollFlags::IN),
            ];
            match poll(&mut waiting, None) {
                Err(Errno::INTR) => continue,
                polled => polled?,
            };
            if !waiting[1].revents().is_empty() {
                return Ok(None);
            }
            match read(&stdin, &mut block[..]) {
                Err(Errno::INTR) => {}
                Ok(0) if self.typed.is_empty() => return Ok(None),
                Ok(0) => return Ok(Some(std::mem::take(&mut self.typed))),
                Ok(count) => self.typed.extend_from_slice(&block[..count]),
                Err(error) => return Err(error.into()),
            }
        }
    }
}
