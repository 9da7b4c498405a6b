//! A bot's process, with a shim above it or without.

use std::io;
use std::path::Path;
use std::process::{Child, ChildStdin};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::os::unix::process::ExitStatusExt;
use wait_timeout::ChildExt;

use super::supervise::{
    Cleanup, Confinement, ProcessEnd, ResourceUsage, ShimHandle, Supervisor, forget, tree,
};
use super::{Fault, Launch};

/// How long a closed stdout may precede the end of its process for the two to count as one event.
const EXIT_LAG: Duration = Duration::from_millis(200);

/// A bot's process and the pipes to it.
#[derive(Debug)]
pub(super) struct ChildProcess {
    /// The shim, or without one the bot itself.
    child: Child,
    shim: Option<ShimHandle>,
    end: Option<ProcessEnd>,
    cleared: Option<Cleanup>,
}

impl ChildProcess {
    /// Starts the bot in a process group of its own.
    pub(super) fn bare(launch: &Launch) -> io::Result<Self> {
        Ok(Self::new(launch.spawn()?, None))
    }

    /// Starts a shim that starts the bot.
    pub(super) fn supervised(
        launch: &Launch,
        supervisor: &Supervisor,
        confinement: &Confinement,
    ) -> io::Result<Self> {
        let (child, shim) = launch.supervise(supervisor, confinement)?;
        Ok(Self::new(child, Some(shim)))
    }

    fn new(child: Child, shim: Option<ShimHandle>) -> Self {
        Self {
            child,
            shim,
            end: None,
            cleared: None,
        }
    }

    /// Stdin, to be kept by the caller; stdout and stderr stay here.
    pub(super) fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    pub(super) fn stdout(&self) -> Option<&std::process::ChildStdout> {
        self.child.stdout.as_ref()
    }

    pub(super) fn stderr(&self) -> Option<&std::process::ChildStderr> {
        self.child.stderr.as_ref()
    }

    pub(super) fn close_stdout(&mut self) {
        self.child.stdout = None;
    }

    /// The bot's own process. Waits until a shim has started it; an error is why it could not be.
    pub(super) fn pid(&mut self) -> io::Result<Pid> {
        match &mut self.shim {
            Some(shim) => shim.bot(),
            None => Ok(Pid::from_child(&self.child)),
        }
    }

    /// The file that tells what processor time the bot's control group has used, if it has one.
    pub(super) fn time(&self) -> Option<&Path> {
        self.shim.as_ref().and_then(ShimHandle::time)
    }

    /// The process above the bot's whole tree, if the bot is known to have descendants or to have had
    /// some.
    pub(super) fn tree_root(&mut self) -> Option<Pid> {
        self.shim.as_mut().and_then(ShimHandle::tree_root)
    }

    /// The bot's process, once it is known to run, and all its descendants where some are known.
    pub(super) fn tree(&mut self) -> Vec<Pid> {
        let tree_root = self.tree_root();
        let Ok(bot) = self.pid() else {
            return Vec::new();
        };
        let mut tree = vec![bot];
        let descendants = tree_root.map(tree::descendants).unwrap_or_default();
        tree.extend(descendants.into_iter().filter(|process| *process != bot));
        tree
    }

    /// Sends a signal to the bot's process group, and to all its descendants where some are known.
    pub(super) fn signal(&mut self, signal: Signal) {
        let tree = self.tree();
        let Some(bot) = tree.first() else {
            return;
        };
        // Who has ended meanwhile needs no signal.
        let _ = kill_process_group(*bot, signal);
        for process in &tree[1..] {
            let _ = kill_process(*process, signal);
        }
    }

    /// The fault of a bot whose stdout has ended.
    pub(super) fn fault(&mut self) -> Fault {
        match self.look_for_end(EXIT_LAG) {
            Ok(Some(ProcessEnd::Memory { held, limit })) => Fault::Memory { held, limit },
            Ok(Some(end)) => Fault::Exited { how: describe(end) },
            Ok(None) => Fault::HungUp,
            Err(error) => Fault::Machine(error),
        }
    }

    /// How the bot's own process ended, if it has, or does within `patience`.
    pub(super) fn look_for_end(&mut self, patience: Duration) -> io::Result<Option<ProcessEnd>> {
        if self.end.is_none() {
            self.end = match &mut self.shim {
                Some(shim) => shim.end(Instant::now() + patience)?,
                None => self.wait_for_child(patience)?,
            };
        }
        Ok(self.end)
    }

    fn wait_for_child(&mut self, patience: Duration) -> io::Result<Option<ProcessEnd>> {
        let status = self.child.wait_timeout(patience)?;
        if status.is_some() {
            forget(&self.child);
        }
        Ok(status.map(|status| match (status.code(), status.signal()) {
            (Some(code), _) => ProcessEnd::Code(code),
            (None, signal) => ProcessEnd::Signal(signal.unwrap_or_default()),
        }))
    }

    /// What the bot and its descendants used since this was last asked, where that is known.
    pub(super) fn usage(&mut self) -> Option<ResourceUsage> {
        self.shim.as_mut().and_then(ShimHandle::usage)
    }

    /// Lets the bot exit by itself for as long as `grace`; whether it did.
    pub(super) fn wait(&mut self, grace: Duration) -> bool {
        match &mut self.shim {
            Some(shim) => shim.wait(grace),
            None => {
                if self.end.is_none() {
                    self.end = self.wait_for_child(grace).ok().flatten();
                }
                self.end.is_some()
            }
        }
    }

    /// Ends whatever still runs.
    pub(super) fn finish(&mut self) -> Cleanup {
        if let Some(cleared) = self.cleared {
            return cleared;
        }
        let cleared = match &mut self.shim {
            Some(shim) => shim.finish(&mut self.child),
            None => {
                // The group may be gone already; there is nothing to do about that.
                let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
                if self.end.is_none() {
                    // A killed process ends; waiting for it leaves no zombie.
                    let _ = self.child.wait();
                    forget(&self.child);
                }
                Cleanup::default()
            }
        };
        self.cleared = Some(cleared);
        cleared
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.finish();
    }
}

/// How a process ended, as a fragment that follows its name.
pub(super) fn describe(end: ProcessEnd) -> String {
    const SIGNALS: [(i32, &str); 10] = [
        (4, "SIGILL, an illegal instruction"),
        (6, "SIGABRT, it aborted itself"),
        (7, "SIGBUS, a bad memory access"),
        (8, "SIGFPE, an arithmetic error"),
        (9, "SIGKILL, it was killed"),
        (11, "SIGSEGV, a bad memory access"),
        (13, "SIGPIPE, it wrote to a closed pipe"),
        (15, "SIGTERM, it was told to end"),
        (24, "SIGXCPU, it used too much processor time"),
        (25, "SIGXFSZ, it wrote a file larger than it may"),
    ];
    match end {
        ProcessEnd::Code(code) => format!("exited with code {code}"),
        ProcessEnd::Signal(signal) => match SIGNALS.iter().find(|(number, _)| *number == signal) {
            Some((_, name)) => format!("was ended by {name}"),
            None => format!("was ended by signal {signal}"),
        },
        ProcessEnd::Memory { held, limit } => {
            format!("held {held} bytes of memory; it may {limit}")
        }
        ProcessEnd::Processes { count, limit } => {
            format!("was killed with {count} processes at one time; it may have {limit}")
        }
        ProcessEnd::Unsupervised => "or a child of it killed its supervisor".to_owned(),
    }
}
