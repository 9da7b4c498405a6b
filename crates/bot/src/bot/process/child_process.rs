//! A bot's process below a shim, and its pipes.

use std::cell::RefCell;
use std::io;
use std::marker::PhantomData;
use std::os::fd::AsFd;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::Pid;

use crate::bot::machine::{CpuCounter, Lane, StartedBot};
use crate::bot::pipes::CancelPipe;
use crate::bot::supervise::{Cleanup, Confinement, ProcessEnd, ShimHandle, StartError, Supervisor};
use crate::bot::{Fault, Launch};

/// Maximum delay between a closed stdout and the end of its process for the two to count as one event.
const EXIT_LAG: Duration = Duration::from_millis(200);

/// A bot's process and the pipes to it. Dropping this value ends the process.
#[derive(Debug)]
pub(super) struct ChildProcess {
    shim: ShimHandle,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    end: Option<ProcessEnd>,
    cleanup: Option<Cleanup>,
}

impl ChildProcess {
    pub(super) fn start(
        launch: &Launch,
        supervisor: &Supervisor,
        confinement: &Confinement,
    ) -> io::Result<Self> {
        let (shim, streams) = launch.supervise(supervisor, confinement)?;
        Ok(Self {
            stdin: Some(streams.stdin),
            stdout: Some(streams.stdout),
            stderr: Some(streams.stderr),
            shim,
            end: None,
            cleanup: None,
        })
    }

    pub(super) fn set_nonblocking(&self) -> io::Result<()> {
        let pipes = [
            self.stdin.as_ref().map(AsFd::as_fd),
            self.stdout.as_ref().map(AsFd::as_fd),
            self.stderr.as_ref().map(AsFd::as_fd),
        ];
        for pipe in pipes.into_iter().flatten() {
            fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
        }
        Ok(())
    }

    pub(super) fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.stdin.take()
    }

    pub(super) fn stdout(&self) -> Option<&ChildStdout> {
        self.stdout.as_ref()
    }

    pub(super) fn stderr(&self) -> Option<&ChildStderr> {
        self.stderr.as_ref()
    }

    pub(super) fn close_stdout(&mut self) {
        self.stdout = None;
    }

    pub(super) fn wait_for_start(&mut self) -> Result<StartedBot, StartError> {
        self.shim.wait_for_start()
    }

    /// The counter of the CPU time of the bot and its descendants, if the system allows one.
    pub(super) fn take_cpu_counter(&mut self) -> Option<CpuCounter> {
        self.shim.take_cpu_counter()
    }

    /// Root of the bot's process tree, if the shim has reported descendants, present or past.
    pub(super) fn tree_root(&mut self, now: Instant) -> Option<Pid> {
        self.shim.tree_root(now)
    }

    /// Root of the bot's process tree, whether or not it has descendants.
    pub(super) fn tree_root_in_any_case(&self) -> Option<Pid> {
        self.shim.tree_root_in_any_case()
    }

    pub(super) fn fault(&mut self) -> Fault {
        match self.look_for_end(EXIT_LAG) {
            Ok(Some(ProcessEnd::Memory { held, limit })) => Fault::Memory { held, limit },
            Ok(Some(end)) => Fault::Exited {
                how: end.to_string(),
            },
            Ok(None) => Fault::HungUp,
            Err(error) => Fault::Machine(error),
        }
    }

    /// Exit status of the bot's own process, if it ends within `patience`.
    pub(super) fn look_for_end(&mut self, patience: Duration) -> io::Result<Option<ProcessEnd>> {
        if self.end.is_none() {
            self.end = self.shim.end(Instant::now() + patience)?;
        }
        Ok(self.end)
    }

    pub(super) fn peak_kib(&mut self) -> Option<u64> {
        self.shim.peak_kib()
    }

    /// Lets the bot exit by itself within `grace`. Returns whether it did.
    pub(super) fn wait(&mut self, grace: Duration) -> bool {
        self.shim.wait(grace)
    }

    pub(super) fn finish(&mut self) -> Cleanup {
        *self.cleanup.get_or_insert_with(|| self.shim.finish())
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.finish();
    }
}

thread_local! {
    static HERE: RefCell<Option<Arc<Workplace>>> = const { RefCell::new(None) };
}

#[derive(Debug, Default)]
pub struct Workplace {
    pub lane: Option<Arc<Lane>>,
    /// The logical processors of its games; empty if they have no fixed ones.
    pub cpus: Vec<u32>,
    /// Ends every wait once it is cancelled.
    pub cancel: Option<Arc<CancelPipe>>,
    was_left: AtomicBool,
}

/// A thread at its workplace, until dropped.
#[derive(Debug)]
pub struct AtWork {
    place: Arc<Workplace>,
    /// Dropped by the thread that entered.
    _of_this_thread: PhantomData<*const ()>,
}

impl Workplace {
    /// A place with these processors, whose waits `cancel` ends.
    pub fn new(lane: Option<Arc<Lane>>, cpus: Vec<u32>, cancel: Option<Arc<CancelPipe>>) -> Self {
        Self {
            lane,
            cpus,
            cancel,
            was_left: AtomicBool::new(false),
        }
    }

    pub fn enter(self) -> AtWork {
        let place = Arc::new(self);
        HERE.with_borrow_mut(|here| *here = Some(Arc::clone(&place)));
        AtWork {
            place,
            _of_this_thread: PhantomData,
        }
    }

    pub fn of_this_thread() -> Option<Arc<Self>> {
        HERE.with_borrow(Clone::clone)
    }

    pub(super) fn binds(&self) -> bool {
        self.lane.is_some() || !self.cpus.is_empty()
    }

    pub fn was_left(&self) -> bool {
        self.was_left.load(Ordering::Relaxed)
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.place.was_left.store(true, Ordering::Relaxed);
        HERE.with_borrow_mut(|here| *here = None);
    }
}
