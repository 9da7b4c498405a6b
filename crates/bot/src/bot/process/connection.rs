//! A child process, and the lines that go through its pipes.

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Instant;

use super::child_process::ChildProcess;
use super::output::EXCERPT;
use crate::bot::Fault;
use crate::bot::pipes::{
    CancelPipe, LineBuffer, Log, Outbox, OutputLimits, ReadOutcome, ReadyStreams, Streams,
};
use crate::protocol::is_debug;
use crate::text::{excerpt, foreign_encoding};

#[derive(Debug)]
pub(super) struct Connection {
    pub child: ChildProcess,
    pub limits: OutputLimits,
    pub outbox: Outbox,
    pub stdout: LineBuffer,
    stderr_open: bool,
    pub log: Log,
    pub cancel: Option<Arc<CancelPipe>>,
}

impl Connection {
    pub fn new(mut child: ChildProcess, limits: OutputLimits) -> io::Result<Self> {
        child.set_nonblocking()?;
        Ok(Self {
            outbox: Outbox::new(child.take_stdin()),
            child,
            limits,
            stdout: LineBuffer::default(),
            stderr_open: true,
            log: Log::default(),
            cancel: None,
        })
    }

    pub fn streams_until(&self, until: Instant) -> Option<Streams<'_>> {
        Some(Streams {
            stdout: self.child.stdout()?,
            stderr: self.child.stderr().filter(|_| self.stderr_open),
            stdin: self.outbox.unsent(),
            cancel: self.cancel.as_deref(),
            until,
        })
    }

    pub fn serve(&mut self, ready: ReadyStreams) -> Result<(), Fault> {
        if ready.cancelled {
            return Err(Fault::BrokenOff);
        }
        if ready.stdin {
            self.outbox.flush();
        }
        if ready.stderr {
            let pipe = self.child.stderr();
            let read = pipe.and_then(|pipe| self.log.read_from(pipe, self.limits.log));
            self.stderr_open &= read.is_some();
        }
        Ok(())
    }

    pub fn pull_stdout(&mut self) -> Result<ReadOutcome, Fault> {
        match self.child.stdout() {
            Some(pipe) => self.stdout.pull(pipe.as_fd()).map_err(Fault::Machine),
            None => Ok(ReadOutcome::End),
        }
    }

    /// Takes the next line that is no debug line, which goes to the log. Returns whether there was one. `note` is handed each
    /// line.
    pub fn take_line(
        &mut self,
        line: &mut String,
        mut note: impl FnMut(&str) -> Result<(), Fault>,
    ) -> Result<bool, Fault> {
        let limit = self.limits.line;
        while let Some(bytes) = self.stdout.next_line() {
            // Applies to debug lines too. Otherwise timing would decide about a long one: the check below sees it only
            // if it is read in parts.
            if bytes.len() > limit {
                return Err(Fault::LineTooLong { limit });
            }
            let text = std::str::from_utf8(bytes).map_err(|_| Fault::NotText {
                line: excerpt(&String::from_utf8_lossy(bytes), EXCERPT),
                encoding: foreign_encoding(bytes).unwrap_or_default(),
            })?;
            note(text)?;
            if is_debug(text) {
                self.log.push(bytes, self.limits.log);
                self.log.push(b"\n", self.limits.log);
                continue;
            }
            line.clear();
            line.push_str(text);
            return Ok(true);
        }
        match self.stdout.unfinished() > limit {
            true => Err(Fault::LineTooLong { limit }),
            false => Ok(false),
        }
    }

    pub fn drain_stderr(&mut self) {
        let pipe = self.child.stderr().filter(|_| self.stderr_open);
        self.stderr_open = pipe.is_some_and(|pipe| self.log.drain(pipe, self.limits.log));
    }

    /// Takes the output on stderr and the debug lines since the last call.
    pub fn take_log(&mut self) -> Log {
        // The last output may still be in the pipe.
        self.drain_stderr();
        std::mem::take(&mut self.log)
    }
}
