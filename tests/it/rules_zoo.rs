//! Hostile rules programs in tournaments: no player loses by them, no run hangs, and nothing of them is left.

use std::collections::VecDeque;
use std::fs::File;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use wait_timeout::ChildExt as _;

use crate::support::{REFEREE, Ran, TestRun, command, randoms, root, wait_for_the_end_of_all_with};

/// A variable that rules programs are passed, which marks the processes of one run.
const MARK: &str = "LC_IDENTIFICATION";

/// Longer than any member takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// Number of members that run at a time. Most of them wait.
const AT_A_TIME: usize = 6;

/// A rules program of `tests/hostile_rules/zoo.py`, and how its run ends.
#[derive(Debug)]
struct Member {
    name: String,
    end: String,
    words: String,
    limits: String,
}

fn zoo() -> String {
    let path = root().join("tests/hostile_rules/zoo.py");
    path.display().to_string()
}

/// The members; `None` where there is no Python.
fn members() -> Option<VecDeque<Member>> {
    let ran = command("python3")?.args([&zoo(), "--list"]).output();
    let ran = Ran::from(ran.expect("it runs"));
    let lines = ran.stdout.lines().map(|line| {
        let mut parts = line.split('\t').map(str::to_owned);
        let mut part = || parts.next().expect("four parts");
        Member {
            name: part(),
            end: part(),
            words: part(),
            limits: part(),
        }
    });
    Some(lines.collect())
}

impl Member {
    fn config(&self) -> String {
        let rules = format!("[\"python3\", \"{}\", \"{}\", \"notes\"]", zoo(), self.name);
        format!(
            "seed = 7\n[game]\nrules = {rules}\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 6\n\
             [report]\npages = false\n[limits]\n{}\n{}",
            self.limits,
            randoms(&["a", "b"])
        )
    }

    /// Runs a command, which must end by itself.
    fn referee(&self, run: &TestRun, args: &[&str]) -> Ran {
        let file = |name: &str| File::create(run.path(name)).expect("made");
        let mut child = Command::new(REFEREE)
            .args(args)
            .env(MARK, run.folder())
            .current_dir(run.folder())
            .stdout(file("stdout"))
            .stderr(file("stderr"))
            .spawn()
            .expect("started");
        let status = child.wait_timeout(PATIENCE).expect("waited for");
        if status.is_none() {
            child.kill().expect("ended");
        }
        // What it started ends with it, or a moment later.
        wait_for_the_end_of_all_with(&format!("{MARK}={}", run.folder().display()));
        Ran {
            exit: status.and_then(|status| status.code()).unwrap_or(-1),
            stdout: run.read("stdout"),
            stderr: run.read("stderr"),
        }
    }

    fn ends_as_declared(&self) {
        let run = TestRun::new(&self.config());
        let args = ["run", "config.toml", "--out", "out", "-j", "1", "--spread"];
        let ran = self.referee(&run, &args);
        let exit = match self.end.as_str() {
            "refused" => 2,
            "stops" => 10,
            _ => 0,
        };
        assert_eq!(ran.exit, exit, "{}: {ran:?}", self.name);
        assert!(!ran.stderr.contains("panicked"), "{}: {ran:?}", self.name);
        if self.end == "refused" {
            assert!(!run.out().exists(), "{}", self.name);
            return assert!(ran.stderr.contains(&self.words), "{}: {ran:?}", self.name);
        }
        let games = run.rows();
        for game in &games {
            assert_eq!(game["forfeited_by"], "", "{}: {game:?}", self.name);
        }
        match self.end.as_str() {
            "stops" => {
                assert_eq!(games.len(), 0, "{}", self.name);
                assert_eq!(run.table("set-aside.csv").len(), 3, "{}", self.name);
                assert!(ran.stderr.contains(&self.words), "{}: {ran:?}", self.name);
            }
            end => {
                assert_eq!(games.len(), 6, "{}", self.name);
                let is_void = ran.stderr.contains("void");
                assert_eq!(is_void, end == "again", "{}: {ran:?}", self.name);
                assert!(
                    end != "again" || ran.stderr.contains(&self.words),
                    "{ran:?}"
                );
                let verified = self.referee(&run, &["verify", "out"]);
                if end == "changed" {
                    assert_ne!(verified.exit, 0, "{}: {verified:?}", self.name);
                    assert!(
                        verified.stderr.contains(&self.words),
                        "{}: {verified:?}",
                        self.name
                    );
                } else {
                    assert_eq!(verified.exit, 0, "{}: {verified:?}", self.name);
                }
            }
        }
    }
}

#[test]
#[ignore = "slow"]
fn hostile_rules_are_no_players_loss_and_leave_nothing() {
    let members = needed!(members());
    assert!(members.len() >= 45, "{}", members.len());
    let members = Mutex::new(members);
    let next = || {
        let mut left = members.lock().unwrap_or_else(PoisonError::into_inner);
        left.pop_front()
    };
    let failed: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_A_TIME)
            .map(|_| {
                scope.spawn(|| {
                    let mut failed = Vec::new();
                    while let Some(member) = next() {
                        let ended =
                            thread::scope(|scope| scope.spawn(|| member.ends_as_declared()).join());
                        if ended.is_err() {
                            failed.push(member.name);
                        }
                    }
                    failed
                })
            })
            .collect();
        let failed = workers.into_iter().map(|worker| worker.join());
        failed
            .flat_map(|failed| failed.expect("no panic"))
            .collect()
    });
    assert!(failed.is_empty(), "{failed:?}");
}
