//! Builds the programs of bots before the first game.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::slice::Iter;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::{io, thread};

use super::dispatch::Interrupt;
use super::host::Host;
use super::{Event, RunError};
use crate::bot::{BuildLimits, BuildOutput, Launch, Supervisor, build};
use crate::config::Plan;
use crate::runner;
use crate::runs::RunFolder;

pub(super) type Unbuilt = Vec<Option<String>>;

struct Build<'a> {
    command: &'a Launch,
    players: Vec<usize>,
}

enum Message<'a> {
    Begun(&'a Build<'a>),
    Ended(&'a Build<'a>, io::Result<BuildOutput>),
    Failed(String),
}

/// Runs all builds: as many at a time as games, but one at a time in each folder. No build begins after an
/// interrupt.
pub(super) fn build_all(
    plan: &Plan,
    host: &Host,
    folder: &mut RunFolder,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<Unbuilt, RunError> {
    let mut unbuilt = vec![None; plan.players.len()];
    let builds = builds_by_folder(plan);
    if builds.is_empty() {
        return Ok(unbuilt);
    }
    let before = folder.before_builds(plan);
    let builder = Builder {
        limits: host.build_limits(&plan.limits),
        supervisor: &host.supervisor,
        interrupt,
        folders: Mutex::new(builds.iter()),
    };
    let mut left: usize = builds.iter().map(Vec::len).sum();
    thread::scope(|scope| {
        let (sender, messages) = channel();
        for index in 0..host.jobs.get().min(builds.len()) {
            let (builder, tell, failed) = (&builder, sender.clone(), sender.clone());
            let work = move || builder.work(&tell);
            let failed = move |problem| {
                // If nobody listens, another build has ended the run with an error already.
                let _ = failed.send(Message::Failed(problem));
            };
            runner::spawn(scope, format!("build-{index}"), work, failed)?;
        }
        drop(sender);
        for message in messages {
            match message {
                Message::Begun(build) => listen(&Event::Building {
                    players: &names(plan, build),
                    command: &build.command.to_string(),
                }),
                Message::Ended(build, built) => {
                    left -= 1;
                    take_in(plan, build, built, folder, &mut unbuilt, listen)?;
                }
                Message::Failed(problem) => return Err(RunError::WorkerFailed { problem }),
            }
        }
        Ok(())
    })?;
    if left == 0 {
        folder.after_builds(plan, before)?;
    }
    Ok(unbuilt)
}

/// All builds, grouped by folder. Players with the same folder, command and environment share one.
fn builds_by_folder(plan: &Plan) -> Vec<Vec<Build<'_>>> {
    let mut folders: BTreeMap<PathBuf, Vec<Build<'_>>> = BTreeMap::new();
    for (player, entry) in plan.players.iter().enumerate() {
        let Some(command) = &entry.build else {
            continue;
        };
        let builds = folders.entry(command.folder()).or_default();
        let same = |build: &&mut Build<'_>| {
            let other = build.command;
            (&other.program, &other.args, &other.env)
                == (&command.program, &command.args, &command.env)
        };
        match builds.iter_mut().find(same) {
            Some(build) => build.players.push(player),
            None => builds.push(Build {
                command,
                players: vec![player],
            }),
        }
    }
    folders.into_values().collect()
}

/// Keeps the log of a build, and notes why its players cannot play if it failed.
fn take_in(
    plan: &Plan,
    build: &Build<'_>,
    built: io::Result<BuildOutput>,
    folder: &RunFolder,
    unbuilt: &mut Unbuilt,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<(), RunError> {
    let names = names(plan, build);
    let built = built.map_err(|cause| RunError::Build {
        player: names[0].to_owned(),
        cause,
    })?;
    if !built.log.is_empty() {
        folder.logs().write_build(names[0], &built.log)?;
    }
    for (index, player) in build.players.iter().zip(names) {
        let problem = match &built.result {
            Ok(()) => missing(plan, *index),
            Err(error) => Some(error.to_string()),
        };
        if let Some(problem) = &problem {
            listen(&Event::Unbuilt { player, problem });
        }
        unbuilt[*index] = problem;
    }
    Ok(())
}

fn missing(plan: &Plan, player: usize) -> Option<String> {
    let error = plan.players[player].launch.check().err()?;
    Some(format!("it ended well, but {error}"))
}

fn names<'a>(plan: &'a Plan, build: &Build<'_>) -> Vec<&'a str> {
    let players = build.players.iter();
    players
        .map(|player| plan.players[*player].name.as_str())
        .collect()
}

struct Builder<'a> {
    limits: BuildLimits,
    supervisor: &'a Supervisor,
    interrupt: &'a Interrupt,
    /// Folders that no thread has taken yet. Builds of one folder run in one thread, so they never overlap.
    folders: Mutex<Iter<'a, Vec<Build<'a>>>>,
}

impl<'a> Builder<'a> {
    fn work(&self, tell: &Sender<Message<'a>>) {
        let next = || self.folders.lock().ok()?.next();
        while let Some(folder) = next() {
            for job in folder {
                let interrupted = self.interrupt.level().is_some();
                if interrupted || tell.send(Message::Begun(job)).is_err() {
                    return;
                }
                let run = || build(job.command, &self.limits, self.supervisor, None);
                // Retry once: the machine may have been short of a resource for a moment.
                let built = run().or_else(|_| run());
                if tell.send(Message::Ended(job, built)).is_err() {
                    return;
                }
            }
        }
    }
}
