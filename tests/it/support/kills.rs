//! Programs that are killed at random moments.

use std::ops::Range;
use std::process::{Command, Stdio};
use std::time::Duration;

use referee::game::Chance as _;
use referee::random::Stream;

use super::content::content;
use super::run::TestRun;

/// How often a test tries something. More often: `RUN_KILLS=200 cargo test --test it resume:: -- --ignored`.
pub fn times(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |text| text.parse().expect("a number"))
}

/// Whether each value is combined with each other, and not only some: `ALL_COMBINATIONS=1 cargo test …`.
pub fn all_combinations() -> bool {
    std::env::var_os("ALL_COMBINATIONS").is_some()
}

pub struct Killer {
    chance: Stream,
    left: usize,
}

impl Killer {
    pub fn new(chance: Stream, variable: &str, default: usize) -> Self {
        Self {
            chance,
            left: times(variable, default),
        }
    }

    pub fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Starts a program, kills it after a random number of milliseconds and starts it again, until it ends well by
    /// itself.
    pub fn run_to_the_end(
        &mut self,
        pause: Range<u32>,
        command: &mut dyn FnMut(&mut Stream) -> Command,
    ) {
        loop {
            let mut child = command(&mut self.chance)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it runs");
            // Any moment will do, since the assertions hold for all of them.
            let pause = pause.start + self.chance.below(pause.end - pause.start);
            std::thread::sleep(Duration::from_millis(pause.into()));
            if child.try_wait().expect("a child").is_none() && self.left > 0 {
                child.kill().expect("killed");
                child.wait().expect("it is gone");
                self.left -= 1;
                continue;
            }
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{output:?}");
            return;
        }
    }

    /// Plays the tournament of `run` to its end as often as something is left to kill, by one or two jobs. Each time it has
    /// the content of `whole`, which nobody killed.
    pub fn resume_until_done(&mut self, pause: Range<u32>, run: &TestRun, whole: &TestRun) {
        while !self.is_done() {
            if run.out().exists() {
                std::fs::remove_dir_all(run.out()).expect("removed");
            }
            self.run_to_the_end(pause.clone(), &mut |chance| {
                let jobs = ["1", "2"][chance.below(2) as usize];
                run.command(&["-j", jobs, "--resume"])
            });
            assert_eq!(content(&run.out()), content(&whole.out()));
            run.referee("verify out").ok();
        }
    }
}
