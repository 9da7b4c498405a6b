//! The tournament of the class.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::bot::restore;
use super::folder::GradeFolder;
use super::loaded::Loaded;
use super::play::{play_run, write_results};
use super::{GradeError, Grading, Program};
use crate::config::{Entry, KeepLogs, Plan};
use crate::record::{Run, make_parent, write_whole};
use crate::report::{Results, run_settings};
use crate::runner::{Event, Host, Interrupt};
use crate::schedule::GameCount;

/// With this confidence players of different bands differ.
const CONFIDENCE: f64 = 0.95;

/// Where a student stands in the class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stand {
    /// The share of the points.
    pub share: f64,
    /// The rank, from 1.
    pub rank: usize,
    /// The ranks that cannot be told from it: those of all bands in which it is.
    pub band: [usize; 2],
    /// How many played.
    pub of: usize,
}

/// Plays the tournament between the bots of a class, as far as it was not played yet, and gives where each
/// stands, by its name. Games of a bot that changed since are played again, and no others where pairings depend on
/// no results. The order of the bots changes nothing.
///
/// # Errors
/// It was not played to its end; what was played is kept.
#[expect(
    clippy::too_many_arguments,
    reason = "all that decides games, each once"
)]
pub fn tournament(
    grading: &Grading,
    folder: &GradeFolder,
    bots: &[&Entry],
    loaded: &Loaded,
    seed: u64,
    host: &Host,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<BTreeMap<String, Stand>, GradeError> {
    let Some(class) = &grading.tournament else {
        return Ok(BTreeMap::new());
    };
    // Pairings and seeds depend on the order, and a roster that is sorted anew has the same class.
    let mut bots = bots.to_vec();
    bots.sort_by(|one, other| one.name.cmp(&other.name));
    let names: Vec<String> = bots.iter().map(|bot| bot.name.clone()).collect();
    if names.len() < 2 {
        return Ok(BTreeMap::new());
    }
    let format = class.format.format(&names)?;
    for bot in &bots {
        // A bot whose folder cannot be put right plays with what it left there.
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
        players: bots.iter().map(|bot| (*bot).clone()).collect(),
    };
    let is_kit = matches!(grading.submission.program, Program::Kit);
    let packages: BTreeSet<String> = bots
        .iter()
        .map(|bot| loaded.digest(bot, is_kit))
        .filter(|digest| !digest.is_empty())
        .collect();
    let mut key = format!(
        "{names:?} {:?} {} {} {:?} {seed}",
        plan.format,
        plan.games[0].game().name(),
        plan.games[0].options_text(),
        plan.time
    );
    if !packages.is_empty() {
        key.push_str(&format!(" {packages:?}"));
    }
    let digest = Sha256::digest(key);
    let key: String = digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let path = folder.tournaments().join(key);
    make_parent(&path)?;
    play_run(&path, &plan, true, host, interrupt, listen)?;
    write_results(&path)?;
    stands(&path)
}

/// Keeps where everybody stands, for gradings of one student alone.
pub(super) fn keep_stands(
    folder: &GradeFolder,
    stands: &BTreeMap<String, Stand>,
) -> Result<(), GradeError> {
    Ok(write_whole(&folder.stands(), &mut |file| {
        Ok(serde_json::to_writer(file, stands)?)
    })?)
}

/// Where everybody stood in the last grading of the class; nothing before there was one.
pub(super) fn kept_stands(folder: &GradeFolder) -> BTreeMap<String, Stand> {
    let kept = fs::read(folder.stands()).ok();
    let stands = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    stands.unwrap_or_default()
}

/// How many games the tournament of a class with so many bots has; `None` if it has none.
///
/// # Errors
/// There can be no such tournament.
pub fn tournament_games(grading: &Grading, bots: usize) -> Result<Option<GameCount>, GradeError> {
    let Some(class) = grading.tournament.as_ref().filter(|_| bots > 1) else {
        return Ok(None);
    };
    let names: Vec<String> = (0..bots).map(|bot| bot.to_string()).collect();
    Ok(Some(class.format.format(&names)?.schedule(bots).count()))
}

/// Where each player of a run stands.
fn stands(path: &Path) -> Result<BTreeMap<String, Stand>, GradeError> {
    let run = Run::open(path)?;
    let results = Results::of_run(&run)?;
    let settings = run_settings(&run);
    let mut stands = BTreeMap::new();
    for rated in results.rate(&settings) {
        let ranks = rated.ranks();
        let bands = rated.ratings.bands(&rated.order, CONFIDENCE);
        for (place, player) in rated.order.iter().enumerate() {
            let own = bands.iter().filter(|band| band.contains(&place));
            let first = own.clone().map(|band| band.start).min().unwrap_or(place);
            let last = own.map(|band| band.end).max().unwrap_or(place + 1);
            let tally = rated.standings.players()[*player].tally;
            let stand = Stand {
                share: tally.points() / (tally.games().max(1) as f64),
                rank: ranks[place] as usize,
                band: [first + 1, last],
                of: rated.order.len(),
            };
            stands.insert(rated.name(*player).to_owned(), stand);
        }
    }
    Ok(stands)
}
