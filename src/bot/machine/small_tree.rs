//! The process tree of most bots: one single-threaded process. It is sampled many times a second, so its files in
//! `/proc` stay open.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::str::SplitAsciiWhitespace;
use std::time::Duration;

use rustix::process::Pid;

use super::process_tree::{Stat, kib_of_statm};

/// Open files of a bot and of its parent.
#[derive(Debug)]
pub struct SmallTree {
    bot: Pid,
    /// `children` of the parent's only thread.
    of_root: File,
    root: File,
    of_bot: File,
    stat: File,
    memory: File,
}

/// Sample of a bot without descendants.
#[derive(Debug, Clone, Copy)]
pub struct BotSample {
    /// Resident memory in KiB, shared pages counted in full.
    pub resident_kib: u64,
    /// CPU time of reaped children, cumulative, of the parent and of the bot.
    pub ended_children: [Duration; 2],
}

impl SmallTree {
    /// Opens the files; `None` if the system lacks one.
    pub fn open(root: Pid, bot: Pid) -> Option<Self> {
        let [above, own] = [root, bot].map(Pid::as_raw_nonzero);
        let open = |path: String| File::open(path).ok();
        Some(Self {
            bot,
            of_root: open(format!("/proc/{above}/task/{above}/children"))?,
            root: open(format!("/proc/{above}/stat"))?,
            of_bot: open(format!("/proc/{own}/task/{own}/children"))?,
            stat: open(format!("/proc/{own}/stat"))?,
            memory: open(format!("/proc/{own}/statm"))?,
        })
    }

    /// Samples the bot; `None` if it has a second thread, a sibling or a child, or has ended.
    pub fn sample(&self) -> Option<BotSample> {
        let mut room = [0; 1024];
        let is_alone = |mut children: SplitAsciiWhitespace<'_>, expected: Option<Pid>| {
            let child = children.next().map(str::parse);
            child == expected.map(|pid| Ok(pid.as_raw_nonzero().get())) && children.next().is_none()
        };
        let children = words(&self.of_root, &mut room)?;
        is_alone(children, Some(self.bot)).then_some(())?;
        let children = words(&self.of_bot, &mut room)?;
        is_alone(children, None).then_some(())?;
        let stat = Stat::parse(text(&self.stat, &mut room)?)?;
        (stat.threads == 1).then_some(())?;
        let of_bot = stat.time_of_ended_children();
        let resident_kib = kib_of_statm(text(&self.memory, &mut room)?)?;
        let root = Stat::parse(text(&self.root, &mut room)?)?;
        Some(BotSample {
            resident_kib,
            ended_children: [root.time_of_ended_children(), of_bot],
        })
    }
}

/// Current content of a file in `/proc`; `None` if it exceeds `room`.
fn text<'a>(file: &File, room: &'a mut [u8]) -> Option<&'a str> {
    let count = file.read_at(room, 0).ok()?;
    let whole = room.get(..count).filter(|_| count < room.len())?;
    std::str::from_utf8(whole).ok()
}

fn words<'a>(file: &File, room: &'a mut [u8]) -> Option<SplitAsciiWhitespace<'a>> {
    text(file, room).map(str::split_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};
    use std::time::Instant;

    use super::super::process_tree::descendants;
    use super::*;

    /// A shell with children, which end with its input.
    struct Shell(Child);

    impl Drop for Shell {
        fn drop(&mut self) {
            drop(self.0.stdin.take());
            let _ = self.0.wait();
        }
    }

    /// Starts a shell with this number of children. Returns its PID and theirs.
    fn shell(children: usize) -> (Shell, Pid, Vec<Pid>) {
        let script = format!("exec 3<&0; {} wait", "cat <&3 & ".repeat(children));
        let shell = Command::new("sh")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn();
        let shell = Shell(shell.expect("a shell"));
        let root = Pid::from_child(&shell.0);
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let found = descendants(root);
            // A fork of the shell becomes `cat` a moment later.
            let names = found.iter().filter(|pid| {
                let name = format!("/proc/{}/comm", pid.as_raw_nonzero());
                std::fs::read_to_string(name).is_ok_and(|name| name == "cat\n")
            });
            if names.count() == children {
                return (shell, root, found);
            }
            assert!(Instant::now() < until, "{found:?}");
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_bot_is_seen_while_it_is_alone() {
        let (shell, root, bots) = shell(1);
        let tree = SmallTree::open(root, bots[0]).expect("files of /proc");
        let alone = tree.sample().expect("it is alone");
        assert!(alone.resident_kib > 0 && alone.ended_children[1].is_zero());
        assert!(tree.sample().is_some(), "again");
        drop(shell);
        assert!(tree.sample().is_none());
    }

    #[test]
    fn a_bot_with_company_or_threads_is_not_alone() {
        let (_shell, root, bots) = shell(2);
        for bot in bots {
            let tree = SmallTree::open(root, bot).expect("files of /proc");
            assert!(tree.sample().is_none());
        }
        // The shell as a bot: it has children.
        let own = rustix::process::getpid();
        let tree = SmallTree::open(own, root).expect("files of /proc");
        assert!(tree.sample().is_none());
    }
}
