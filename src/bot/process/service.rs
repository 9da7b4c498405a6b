//! A program that answers requests in several lines each and is no player: it has a deadline for an answer, and no
//! clock of a game.

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::child_process::ChildProcess;
use crate::bot::pipes::{CancelPipe, LineBuffer, Log, Outbox, ReadOutcome, Streams};
use crate::bot::supervise::{Confinement, Supervisor};
use crate::bot::{Fault, Launch, OutputLimits};
use crate::protocol::is_debug;

/// A contained program behind pipes. Dropping this value ends it, with everything that it started.
#[derive(Debug)]
pub struct Service {
    child: ChildProcess,
    /// For the blame of a failed start, until the program runs.
    launch: Option<Launch>,
    limits: OutputLimits,
    outbox: Outbox,
    stdout: LineBuffer,
    stderr_open: bool,
    log: Log,
    /// Bytes of lines taken since the answer began.
    taken: usize,
    cancel: Option<Arc<CancelPipe>>,
}

impl Service {
    /// Starts the program below a shim, without waiting for it. The first line that is waited for reports a failed
    /// start.
    ///
    /// # Errors
    ///
    /// The machine failed.
    pub fn start(
        launch: &Launch,
        limits: OutputLimits,
        supervisor: &Supervisor,
        confinement: &Confinement,
    ) -> Result<Self, Fault> {
        let child = ChildProcess::supervised(launch, supervisor, confinement);
        let started = child.and_then(|child| Self::new(child, launch, limits));
        started.map_err(Fault::Machine)
    }

    fn new(mut child: ChildProcess, launch: &Launch, limits: OutputLimits) -> io::Result<Self> {
        child.set_nonblocking()?;
        Ok(Self {
            outbox: Outbox::new(child.take_stdin()),
            child,
            launch: Some(launch.clone()),
            limits,
            stdout: LineBuffer::default(),
            stderr_open: true,
            log: Log::default(),
            taken: 0,
            cancel: None,
        })
    }

    /// Every wait ends with [`Fault::BrokenOff`] once `pipe` is cancelled.
    pub fn cancelled_by(mut self, pipe: Arc<CancelPipe>) -> Self {
        self.cancel = Some(pipe);
        self
    }

    /// Queues bytes of a request. They are sent while the next line is waited for, in one write where the pipe takes
    /// them.
    pub fn queue(&mut self, bytes: &[u8]) {
        self.outbox.push(bytes);
    }

    /// Sets the count of bytes of an answer back to zero.
    pub fn begin_answer(&mut self) {
        self.taken = 0;
    }

    /// Sends the queue, and waits until `deadline` for the next line that is no comment. `line` has it without
    /// its ending. Comments go to the log.
    ///
    /// # Errors
    ///
    /// No line came, or one beyond the limits. `limit` is the time that the error names.
    pub fn line(
        &mut self,
        deadline: Instant,
        limit: Duration,
        line: &mut String,
    ) -> Result<(), Fault> {
        self.outbox.flush();
        if let Some(launch) = self.launch.take() {
            self.child
                .wait_for_start()
                .map_err(|error| launch.blame(error))?;
        }
        loop {
            if self.take_line(line)? {
                return Ok(());
            }
            match self.pull()? {
                ReadOutcome::Bytes(_) => continue,
                ReadOutcome::End => return Err(self.child.fault()),
                ReadOutcome::Nothing => {}
            }
            if Instant::now() >= deadline {
                return Err(Fault::Late {
                    limit,
                    waited: limit,
                });
            }
            self.wait(deadline)?;
        }
    }

    fn wait(&mut self, deadline: Instant) -> Result<(), Fault> {
        let Some(stdout) = self.child.stdout() else {
            return Err(self.child.fault());
        };
        let streams = Streams {
            stdout,
            stderr: self.child.stderr().filter(|_| self.stderr_open),
            stdin: self.outbox.unsent(),
            cancel: self.cancel.as_deref(),
            until: deadline,
        };
        let ready = streams.wait().map_err(Fault::Machine)?;
        if ready.cancelled {
            return Err(Fault::BrokenOff);
        }
        if ready.stdin {
            self.outbox.flush();
        }
        if ready.stderr {
            self.pull_stderr();
        }
        Ok(())
    }

    fn take_line(&mut self, line: &mut String) -> Result<bool, Fault> {
        while let Some(bytes) = self.stdout.next_line() {
            self.taken += bytes.len() + 1;
            if bytes.len() > self.limits.line {
                return Err(Fault::LineTooLong {
                    limit: self.limits.line,
                });
            }
            if self.taken > self.limits.turn {
                return Err(Fault::Flood {
                    limit: self.limits.turn,
                });
            }
            let text = std::str::from_utf8(bytes).map_err(|_| Fault::NotText)?;
            if is_debug(text) {
                self.log.push(bytes, self.limits.log);
                self.log.push(b"\n", self.limits.log);
                continue;
            }
            line.clear();
            line.push_str(text);
            return Ok(true);
        }
        if self.stdout.unfinished() > self.limits.line {
            return Err(Fault::LineTooLong {
                limit: self.limits.line,
            });
        }
        Ok(false)
    }

    fn pull(&mut self) -> Result<ReadOutcome, Fault> {
        match self.child.stdout() {
            Some(pipe) => self.stdout.pull(pipe.as_fd()).map_err(Fault::Machine),
            None => Ok(ReadOutcome::End),
        }
    }

    fn pull_stderr(&mut self) {
        let pipe = self.child.stderr();
        let read = pipe.and_then(|pipe| self.log.read_from(pipe, self.limits.log));
        if read.is_none() {
            self.stderr_open = false;
        }
    }

    /// Takes the output on stderr and the comments since the last call.
    pub fn take_log(&mut self) -> Log {
        let pipe = self.child.stderr().filter(|_| self.stderr_open);
        self.stderr_open = pipe.is_some_and(|pipe| self.log.drain(pipe, self.limits.log));
        std::mem::take(&mut self.log)
    }

    /// Peak memory of the program and its descendants since the last call, in KiB, where known.
    pub fn peak_kib(&mut self) -> Option<u64> {
        self.child.peak_kib()
    }

    /// Sends the queue, and waits for the program to exit by itself within `grace`. Returns whether it did.
    pub fn exits(&mut self, grace: Duration) -> bool {
        self.outbox.flush();
        self.child.wait(grace)
    }

    /// Closes the program's stdin and ends it, by force if it has not exited within `grace`. Returns whether it
    /// exited by itself.
    pub fn close(&mut self, grace: Duration) -> bool {
        self.outbox.close();
        let exited = self.child.wait(grace);
        self.child.finish();
        exited
    }
}
