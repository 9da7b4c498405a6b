//! How a process comes into a control group.
//!
//! A process that moves into a group of the unified hierarchy has the kernel wait until every processor has
//! noticed, for 10 to 25 ms after a quiet time. One that is born in its group waits for nothing, nor does a
//! single thread that moves itself in an older hierarchy.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::process::{Pid, WaitOptions, waitpid};

use crate::player::supervise::messages::{StartError, StartFailure};
use crate::player::supervise::sys;

/// The way into a group, opened while that is still allowed.
#[derive(Debug, Default)]
pub struct Entrances {
    /// The folder in the unified hierarchy, and the file in it into which a process writes itself.
    unified: Option<(File, File)>,
    /// The files in older hierarchies into which a thread writes itself.
    older: Vec<File>,
}

impl Entrances {
    /// Adds the group in a folder.
    pub fn open(&mut self, folder: &Path) -> io::Result<()> {
        match write_only(&folder.join("tasks")) {
            Some(tasks) => self.older.push(tasks),
            None => {
                let processes = File::options()
                    .write(true)
                    .open(folder.join("cgroup.procs"))?;
                self.unified = Some((File::open(folder)?, processes));
            }
        }
        Ok(())
    }

    /// Starts a command, in the group as far as the system allows. Its closures for the time between fork
    /// and exec run in the group. Only for a process with one thread.
    ///
    /// The error is that of the command, or of one of its closures.
    pub fn spawn(mut self, command: &mut Command) -> Result<Pid, StartError> {
        let (mut errors, mut theirs) = io::pipe()?;
        let Some(child) = self.fork()? else {
            self.enter();
            let error = StartError::of_exec(command.exec());
            let _ = serde_json::to_writer(&mut theirs, &StartFailure::from(&error));
            std::process::exit(127);
        };
        drop(theirs);
        let mut failure = Vec::new();
        // The pipe closes with nothing in it once the command begins.
        if errors.read_to_end(&mut failure)? == 0 {
            return Ok(child);
        }
        waitpid(Some(child), WaitOptions::empty()).map_err(io::Error::from)?;
        let failure: StartFailure = serde_json::from_slice(&failure).map_err(io::Error::from)?;
        Err(failure.into())
    }

    /// Forks, if possible into the unified hierarchy's group, whose entrance is then used up.
    fn fork(&mut self) -> io::Result<Option<Pid>> {
        if let Some((folder, processes)) = self.unified.take() {
            match sys::fork_into(folder.as_fd()) {
                Ok(child) => return Ok(child),
                Err(_) => self.unified = Some((folder, processes)),
            }
        }
        sys::fork()
    }

    /// Puts this process into what is left. If the system refuses, there are other means for every limit.
    fn enter(&mut self) {
        let unified = self.unified.iter_mut().map(|(_, processes)| processes);
        for entrance in unified.chain(&mut self.older) {
            let _ = entrance.write_all(b"0");
        }
    }
}

/// Opens a file that exists: in a control group's folder none can be created.
pub(super) fn write_only(path: &Path) -> Option<File> {
    File::options().write(true).open(path).ok()
}
