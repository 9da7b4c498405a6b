//! Makes the programs of bots that are built, before the first game.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::{Event, Host, RunError, Stop};
use crate::config::Plan;
use crate::player::{BuildLimits, Built, Launch, Supervisor, build};
use crate::record::RunFolder;

/// Why the programs of players could not be built, by the player's index.
pub(super) type Unbuilt = Vec<Option<String>>;

/// One command, and the players whose program it makes.
struct Order<'a> {
    command: &'a Launch,
    players: Vec<usize>,
}

/// What a worker tells.
enum Word<'a> {
    Begun(&'a Order<'a>),
    Ended(&'a Order<'a>, std::io::Result<Built>),
}

/// Builds what is to be built, as many at a time as games are played, and one at a time in each folder. Once `stop` is set
/// no build is begun any more.
pub(super) fn build_all(
    plan: &Plan,
    host: &Host,
    folder: &mut RunFolder,
    stop: &Stop,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<Unbuilt, RunError> {
    let mut unbuilt = vec![None; plan.players.len()];
    let orders = orders(plan);
    if orders.is_empty() {
        return Ok(unbuilt);
    }
    let limits = host.build_limits(plan);
    let supervisor = host.supervisor.as_ref();
    let before = folder.before_builds(plan);
    let mut ended = 0;
    let queue = Mutex::new(orders.iter());
    let (tell, told) = channel();
    thread::scope(|scope| {
        for index in 0..host.jobs.get().min(orders.len()) {
            let tell = tell.clone();
            let (queue, limits) = (&queue, &limits);
            thread::Builder::new()
                .name(format!("build-{index}"))
                .spawn_scoped(scope, move || work(limits, supervisor, queue, stop, &tell))
                .map_err(|error| RunError::Worker(error.to_string()))?;
        }
        drop(tell);
        for word in told {
            match word {
                Word::Begun(order) => listen(&Event::Building {
                    players: &names(plan, order),
                    command: &order.command.to_string(),
                }),
                Word::Ended(order, built) => {
                    let names = names(plan, order);
                    let built = built.map_err(|error| RunError::Build {
                        player: names[0].to_owned(),
                        detail: error.to_string(),
                    })?;
                    ended += 1;
                    if !built.log.is_empty() {
                        folder
                            .logs()
                            .write_build(names[0], &built.log)
                            .map_err(RunError::Record)?;
                    }
                    for (index, player) in order.players.iter().zip(names) {
                        let problem = match &built.result {
                            Ok(()) => missing(plan, *index),
                            Err(error) => Some(error.to_string()),
                        };
                        if let Some(problem) = &problem {
                            listen(&Event::Unbuilt { player, problem });
                        }
                        unbuilt[*index] = problem;
                    }
                }
            }
        }
        Ok(())
    })?;
    if ended == orders.iter().map(Vec::len).sum::<usize>() {
        folder
            .after_builds(plan, before)
            .map_err(RunError::Record)?;
    }
    Ok(unbuilt)
}

/// Why the program of a player cannot be started although its build ended well.
fn missing(plan: &Plan, player: usize) -> Option<String> {
    let error = plan.players[player].launch.check().err()?;
    Some(format!("it ended well, but {error}"))
}

/// All builds, those of one folder together. Players who share folder, command and environment share
/// a build.
fn orders(plan: &Plan) -> Vec<Vec<Order<'_>>> {
    let mut folders: BTreeMap<PathBuf, Vec<Order<'_>>> = BTreeMap::new();
    for (player, entry) in plan.players.iter().enumerate() {
        let Some(command) = &entry.build else {
            continue;
        };
        let folder = command.folder();
        let orders = folders.entry(folder).or_default();
        let same = |order: &&mut Order<'_>| {
            let other = order.command;
            (&other.program, &other.args, &other.env)
                == (&command.program, &command.args, &command.env)
        };
        match orders.iter_mut().find(same) {
            Some(order) => order.players.push(player),
            None => orders.push(Order {
                command,
                players: vec![player],
            }),
        }
    }
    folders.into_values().collect()
}

fn names<'a>(plan: &'a Plan, order: &Order<'_>) -> Vec<&'a str> {
    let players = order.players.iter();
    players
        .map(|player| plan.players[*player].name.as_str())
        .collect()
}

fn work<'a>(
    limits: &BuildLimits,
    supervisor: Option<&Supervisor>,
    queue: &Mutex<std::slice::Iter<'a, Vec<Order<'a>>>>,
    stop: &Stop,
    tell: &Sender<Word<'a>>,
) {
    let next = || queue.lock().ok()?.next();
    while let Some(folder) = next() {
        for order in folder {
            if stop.is_soon() || tell.send(Word::Begun(order)).is_err() {
                return;
            }
            let run = || build(order.command, limits, supervisor);
            // What the machine refuses once it may grant a moment later.
            let built = run().or_else(|_| run());
            if tell.send(Word::Ended(order, built)).is_err() {
                return;
            }
        }
    }
}
