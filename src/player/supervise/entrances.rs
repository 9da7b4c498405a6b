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

use super::cgroup::write_only;
use super::sys;

/// The way into a group, opened while that is still allowed.
#[derive(Debug, Default)]
pub(super) struct Entrances {
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
    /// The error is that of the command; one that no number tells has the number of an invalid argument.
    pub fn spawn(mut self, command: &mut Command) -> io::Result<Pid> {
        let (mut errors, mut theirs) = io::pipe()?;
        let Some(child) = self.fork()? else {
            self.enter();
            let error = command.exec().raw_os_error();
            let number = error.unwrap_or(rustix::io::Errno::INVAL.raw_os_error());
            let _ = theirs.write_all(&number.to_le_bytes());
            std::process::exit(127);
        };
        drop(theirs);
        let mut number = [0; 4];
        match errors.read_exact(&mut number) {
            // The pipe closes without a number once the command begins.
            Err(_) => Ok(child),
            Ok(()) => {
                waitpid(Some(child), WaitOptions::empty())?;
                Err(io::Error::from_raw_os_error(i32::from_le_bytes(number)))
            }
        }
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
