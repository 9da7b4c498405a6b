//! Tournament of the class.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::{Conditions, play_run, write_results};
use crate::config::{Entry, Export, KeepLogs, Plan};
use crate::grade::bots::restore;
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::results::Rated;
use crate::runner::Event;
use crate::runs::{Run, hex, make_parent};
use crate::schedule::GameCount;

const CONFIDENCE: f64 = 0.95;

#[derive(Debug, Clone, PartialEq)]
pub struct TournamentRank {
    /// Range of ranks that are indistinguishable, from 1: all bands of the student.
    pub band: [usize; 2],
    pub of: usize,
}

impl TournamentRank {
    pub fn band_text(&self) -> String {
        match self.band {
            [first, last] if first == last => first.to_string(),
            [first, last] => format!("{first} to {last}"),
        }
    }
}

/// Plays the unplayed games of the tournament between the bots of a class, and returns each bot's rank by
/// name. Games of changed bots are played again, and no others if pairings do not depend on results. The order
/// of the bots has no influence.
///
/// # Errors
/// The tournament was not played to the end; finished games are kept.
pub fn tournament(
    of: Conditions<'_>,
    folder: &GradeFolder,
    bots: &[&Entry],
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<BTreeMap<String, TournamentRank>, GradeError> {
    let Conditions { grading, seed, .. } = of;
    let Some(format) = &grading.tournament else {
        return Ok(BTreeMap::new());
    };
    // Sort the bots: pairings and seeds depend on the order, but a reordered roster is still one class.
    let mut bots = bots.to_vec();
    bots.sort_by(|one, other| one.name.cmp(&other.name));
    let names: Vec<String> = bots.iter().map(|bot| bot.name.clone()).collect();
    let seats = grading.game.game().seat_count();
    if names.len() < seats {
        return Ok(BTreeMap::new());
    }
    let format = format.format(&names, seats)?;
    for bot in &bots {
        // If the folder cannot be restored, the bot plays with its leftovers.
        let _ = GradeError::apart(restore(bot))?;
    }
    let plan = Plan {
        name: format!("{}-tournament", grading.name),
        seed: Some(seed),
        games: vec![grading.game.clone()],
        format,
        time: grading.time.clone(),
        limits: grading.limits.clone(),
        keep_logs: KeepLogs::Forfeits,
        pages: Some(false),
        export: Export::default(),
        players: bots.iter().map(|bot| (*bot).clone()).collect(),
    };
    let key = format!(
        "{names:?} {:?} {} {} {:?} {seed}",
        plan.format,
        plan.games[0].game().name(),
        plan.games[0].options_text(),
        plan.time
    );
    let key = hex(&Sha256::digest(key)[..8]);
    let path = folder.tournaments().join(key);
    make_parent(&path)?;
    play_run(&path, &plan, true, of.host, of.interrupt, listen)?;
    write_results(&Run::open(&path, grading.known_games)?)
}

pub fn tournament_games(grading: &Grading, bots: usize) -> Result<Option<GameCount>, GradeError> {
    let seats = grading.game.game().seat_count();
    let Some(format) = grading.tournament.as_ref().filter(|_| bots >= seats) else {
        return Ok(None);
    };
    let names: Vec<String> = (0..bots).map(|bot| bot.to_string()).collect();
    let format = format.format(&names, seats)?;
    Ok(Some(format.schedule(bots, seats).count()))
}

pub(super) fn ranks_in(rated: &Rated<'_>) -> Vec<(String, TournamentRank)> {
    let bands = rated.bands(CONFIDENCE);
    let ranks = rated.order.iter().enumerate().map(|(place, player)| {
        let own = bands.iter().filter(|band| band.contains(&place));
        let first = own.clone().map(|band| band.start).min().unwrap_or(place);
        let last = own.map(|band| band.end).max().unwrap_or(place + 1);
        let rank = TournamentRank {
            band: [first + 1, last],
            of: rated.order.len(),
        };
        (rated.name(*player).to_owned(), rank)
    });
    ranks.collect()
}
