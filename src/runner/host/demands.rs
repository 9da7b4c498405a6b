//! Demands of a plan on the machine that plays it.

use std::path::PathBuf;

use super::machine::Turns;
use crate::bot::Launch;
use crate::clock::TimeControl;
use crate::config::{Entry, Limits, Plan, PlannedGame};

/// Demands on a machine.
#[derive(Debug)]
pub struct Demands<'a> {
    /// Launches of the programs of bots. House bots are left out, as they need nothing of the machine.
    pub bots: Vec<&'a Launch>,
    /// Folders where other bots will lie.
    pub folders: Vec<PathBuf>,
    /// Whether there are builds.
    pub builds: bool,
    /// How many players of a game act at a time.
    pub turns: Turns,
    /// Whether any player's time has a limit besides the wall cap.
    pub is_limited: bool,
    /// The time control.
    pub time: &'a TimeControl,
    /// All other limits.
    pub limits: &'a Limits,
}

impl<'a> Demands<'a> {
    /// Demands of a plan.
    pub fn of(plan: &'a Plan) -> Self {
        let mut players = 0..plan.players.len();
        let entries = plan.players.iter();
        Self {
            turns: turns_of(&plan.games),
            bots: program_launches(&plan.players),
            folders: Vec::new(),
            builds: entries.clone().any(|player| player.build.is_some()),
            is_limited: players.any(|player| plan.time_of(player).is_limited()),
            time: &plan.time,
            limits: &plan.limits,
        }
    }
}

/// How many players act at a time in these games, at most.
pub fn turns_of<'a>(games: impl IntoIterator<Item = &'a PlannedGame>) -> Turns {
    match games.into_iter().any(PlannedGame::acts_at_once) {
        true => Turns::AtOnce,
        false => Turns::Alternate,
    }
}

/// Launches of the players that are no house bots.
pub fn program_launches(players: &[Entry]) -> Vec<&Launch> {
    let programs = players.iter().filter(|player| player.house.is_none());
    programs.map(|player| &player.launch).collect()
}
