//! The first process in a bot's sandbox: this program again, which starts the bot, waits for every
//! process that becomes its child, and tells the shim how the bot ended.
//!
//! Bubblewrap could start the bot itself. But it reports a signal as an exit code, and it would have
//! to run under the restrictions that are applied right before the bot begins.

use std::io;
use std::os::fd::RawFd;
use std::os::unix::net::UnixStream;
use std::path::Path;

use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Pid, WaitOptions, getpid, set_dumpable_behavior, wait};

use super::bubblewrap::SCRATCH;
use super::messages::ShimMessage;
use super::restrictions::Restrictions;
use super::shim_command::{BotCommand, close_streams};
use super::{ProcessEnd, sys};

/// Is the first process. `channel` leads to the shim.
pub(super) fn main(channel: UnixStream, streams: [RawFd; 3], bot: BotCommand) -> io::Result<()> {
    // The bot is of the same user, and must not look in here.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let [stdin, stdout, stderr] = streams.map(sys::take_over);
    rustix::stdio::dup2_stdin(stdin?)?;
    rustix::stdio::dup2_stdout(stdout?)?;
    rustix::stdio::dup2_stderr(stderr?)?;
    let started = start(bot);
    close_streams()?;
    match started {
        Ok(bot) => {
            let started = ShimMessage::Started {
                pid: bot.as_raw_nonzero().get(),
                tree_root: getpid().as_raw_nonzero().get(),
                cpu_file: None,
            };
            started.send(&channel);
            wait_for_all(bot, &channel)
        }
        Err(error) => {
            ShimMessage::Failed(error.into()).send(&channel);
            Ok(())
        }
    }
}

fn start(bot: BotCommand) -> io::Result<Pid> {
    let restrictions = Restrictions::new(&bot.confinement, getpid(), None)?;
    let child = bot
        .into_command(restrictions, Some(Path::new(SCRATCH)), Vec::new())?
        .spawn()?;
    Ok(Pid::from_child(&child))
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
