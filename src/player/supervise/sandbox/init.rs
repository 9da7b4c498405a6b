//! The first process in a bot's sandbox: this program again, which starts the bot, waits for every
//! process that becomes its child, and tells the shim how the bot ended.
//!
//! Bubblewrap could start the bot itself. But it reports a signal as an exit code, and it would have
//! to run under the restrictions that are applied right before the bot begins.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Pid, WaitOptions, getpid, set_dumpable_behavior, wait};

use super::bubblewrap::SCRATCH;
use crate::player::supervise::bot_command::{BotStreams, SandboxedBot};
use crate::player::supervise::fd_passing;
use crate::player::supervise::limits::{Entrances, Restrictions};
use crate::player::supervise::messages::{ProcessEnd, ShimMessage, StartError};

/// Is the first process. `channel` leads to the shim, which sends what is to be started. The working directory
/// is the bot's.
pub fn main(channel: UnixStream) -> io::Result<()> {
    // The bot is of the same user, and must not look in here.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let Some((sandboxed, streams)) = fd_passing::receive(&channel)? else {
        return Ok(());
    };
    // Only the bot holds its pipes, so that the harness sees when it closes them.
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
    // It is in the control group of the sandbox.
    Entrances::default().spawn(&mut command)
}

/// Waits until no child is left. When this process ends, the kernel ends whatever else is in the
/// sandbox.
fn wait_for_all(bot: Pid, channel: &UnixStream) -> io::Result<()> {
    // The shim finds the bot by its number, which a dead bot keeps until it is waited for. So
    // nothing is waited for before the shim says that it has found it.
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
