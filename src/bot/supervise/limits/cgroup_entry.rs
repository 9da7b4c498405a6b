//! Entering a control group.
//!
//! Moving a process into a group of the unified hierarchy makes the kernel wait for a grace period of all processors,
//! 10 to 25 ms after a quiet time. A process created in its group (`CLONE_INTO_CGROUP`) waits for nothing, nor does a
//! single thread that moves itself in a legacy hierarchy.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::process::{Pid, WaitOptions, waitpid};

use crate::bot::supervise::messages::{StartError, StartFailure};
use crate::bot::supervise::sys;

/// Open files by which a process enters a group, opened while that is still allowed.
#[derive(Debug, Default)]
pub struct CgroupEntry {
    /// Folder in the unified hierarchy, and its `cgroup.procs`.
    unified: Option<(File, File)>,
    /// The `tasks` files in legacy hierarchies.
    older: Vec<File>,
}

impl CgroupEntry {
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

    /// Starts a command in the group, if the system allows. The command's closures between fork and exec run in the
    /// group. Only for a single-threaded process.
    ///
    /// The error comes from the command or from one of its closures.
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
        // The pipe closes empty once the command is executed, by its close-on-exec flag.
        if errors.read_to_end(&mut failure)? == 0 {
            return Ok(child);
        }
        waitpid(Some(child), WaitOptions::empty()).map_err(io::Error::from)?;
        let failure: StartFailure = serde_json::from_slice(&failure).map_err(io::Error::from)?;
        Err(failure.into())
    }

    /// Forks, if possible into the group of the unified hierarchy, which then needs no further entry.
    fn fork(&mut self) -> io::Result<Option<Pid>> {
        if let Some((folder, processes)) = self.unified.take() {
            match sys::fork_into(folder.as_fd()) {
                Ok(child) => return Ok(child),
                Err(_) => self.unified = Some((folder, processes)),
            }
        }
        sys::fork()
    }

    /// Moves this process into the remaining groups. A refusal is ignored: every limit is also enforced by other
    /// means.
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
