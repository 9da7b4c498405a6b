//! PID 1 of a bot's sandbox: this program again. It starts the bot, reaps every child, and reports the bot's exit
//! status to the shim.
//!
//! Bubblewrap could start the bot itself. But it reports a signal as an exit code, and it would have to run under the
//! restrictions that are applied right before the bot begins.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Pid, WaitOptions, getpid, set_dumpable_behavior, wait};

use super::bubblewrap::SCRATCH;
use crate::bot::supervise::bot_command::{BotStreams, SandboxedBot};
use crate::bot::supervise::fd_passing;
use crate::bot::supervise::limits::{CgroupEntry, Restrictions};
use crate::bot::supervise::messages::{ProcessEnd, ShimMessage, StartError};

/// Runs as PID 1 of the sandbox. `channel` leads to the shim, which sends the order. The working directory is the
/// bot's.
pub fn main(channel: UnixStream) -> io::Result<()> {
    // The bot runs as the same user and must not read this process's memory.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let Some((sandboxed, streams)) = fd_passing::receive(&channel)? else {
        return Ok(());
    };
    // `start` consumes the pipes, so only the bot holds them and the harness sees when it closes them.
    let started = start(sandboxed, streams);
    match started {
        Ok(bot) => {
            let started = ShimMessage::Started {
                pid: bot.as_raw_nonzero().get(),
                tree_root: getpid().as_raw_nonzero().get(),
                cpu_file: None,
                earlier: Duration::ZERO,
            };
            started.send(&channel);
            wait_for_all(bot, &channel)
        }
        Err(error) => {
            ShimMessage::Failed((&error).into()).send(&channel);
            Ok(())
        }
    }
}

fn start(
    SandboxedBot { bot, environment }: SandboxedBot,
    streams: BotStreams,
) -> Result<Pid, StartError> {
    let restrictions = Restrictions::new(&bot.confinement, getpid(), None)?;
    let scratch = Some(Path::new(SCRATCH));
    let mut command = bot.into_command(streams, environment.into_iter(), restrictions, scratch)?;
    // The process is in the sandbox's control group already.
    CgroupEntry::default().spawn(&mut command)
}

/// Reaps until no child is left. When this process exits, the kernel kills every other process in the sandbox.
fn wait_for_all(bot: Pid, channel: &UnixStream) -> io::Result<()> {
    // The shim finds the bot by its PID, which stays valid until a dead bot is reaped. So reaping starts only once the
    // shim has sent the byte that says it has found the bot.
    rustix::io::read(channel, &mut [0; 1])?;
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((process, status))) if process == bot => {
                if let Some(end) = ProcessEnd::from_status(status) {
                    ShimMessage::Ended(end).send(channel);
                }
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return Ok(()),
        }
    }
}
