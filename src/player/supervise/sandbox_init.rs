//! The first process inside a bot's room: this program again, which starts the bot, waits for all
//! that becomes its child, and tells the shim how the bot ended.
//!
//! It is here since bubblewrap itself tells a signal from an exit code by convention only, and would
//! stand between the shim and the fences that go up right before the bot begins.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{DumpableBehavior, Pid, WaitOptions, getpid, set_dumpable_behavior, wait};

use super::bubblewrap::SCRATCH;
use super::restrictions::Restrictions;
use super::shim::{end_of, say};
use super::shim_command::{self, Order};
use super::{ShimMessage, sys};

/// The argument by which this program knows that it is the first process of a room.
pub(super) const SUBCOMMAND: &str = "sandbox";

/// Is the first process: the arguments are the numbers of the bot's three streams, and the
/// [`Order`]. Its own standard error is the channel to the shim.
pub(super) fn main(mut args: impl Iterator<Item = OsString>) -> io::Result<()> {
    // The bot is of the same user, and is not to look in here.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let mut streams = Vec::new();
    for _ in 0..3 {
        streams.push(sys::take_over(shim_command::number(args.next())?)?);
    }
    let channel = fcntl_dupfd_cloexec(rustix::stdio::stderr(), 3)?;
    let [stdin, stdout, stderr] = &streams[..] else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    rustix::stdio::dup2_stdin(stdin)?;
    rustix::stdio::dup2_stdout(stdout)?;
    rustix::stdio::dup2_stderr(stderr)?;
    drop(streams);
    let started = start(args);
    shim_command::let_go_of_streams()?;
    match started {
        Ok(bot) => {
            let (pid, tree_root) = (bot.as_raw_nonzero().get(), 1);
            let time = None;
            say(
                &channel,
                &ShimMessage::Started {
                    pid,
                    tree_root,
                    time,
                },
            );
            attend(bot, &channel)
        }
        Err(error) => {
            let (errno, why) = (error.raw_os_error(), error.to_string());
            say(&channel, &ShimMessage::Failed { errno, why });
            Ok(())
        }
    }
}

fn start(order: impl Iterator<Item = OsString>) -> io::Result<Pid> {
    let order = Order::parse(order)?;
    let restrictions = Restrictions::new(&order.confinement, getpid(), None)?;
    let child = order
        .command(restrictions, Some(Path::new(SCRATCH)), Vec::new())?
        .spawn()?;
    Ok(Pid::from_child(&child))
}

/// Waits for everybody. When this returns, the kernel ends whoever is left in the room.
fn attend(bot: Pid, channel: &OwnedFd) -> io::Result<()> {
    // A bot may be dead already: it stays to be seen until the shim has found it.
    rustix::io::read(channel, &mut [0; 1])?;
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((process, status))) if process == bot => {
                if let Some(end) = end_of(status) {
                    say(channel, &ShimMessage::Ended(end));
                }
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return Ok(()),
        }
    }
}
