//! The batches of a league: planned, played and ended one after another.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::matchmaking::choose;
use super::terms::nobody;
use super::{League, LeagueError, Roster, Standing, State, Terms, Version};
use crate::bot::Supervisor;
use crate::config::Plan;
use crate::grade::restore;
use crate::report::finish_run;
use crate::results::{Results, Settings};
use crate::runner::{Demands, Event, Host, HostOptions, Interrupt, Programs, Tournament};
use crate::runs::{
    GameRow, Lock, Repeat, Run, RunFileError, RunFileProblem, RunFolder, make_parent, write_bytes,
};

/// A batch has at least this share of all blocks before it, so that a long league has few runs.
const SHARE_OF_PLAYED: u64 = 64;

/// Plays and checks the bots of a league.
pub struct Session<'a> {
    pub league: &'a League,
    pub supervisor: &'a Supervisor,
    pub options: HostOptions,
    pub interrupt: &'a Interrupt,
}

/// A batch that is begun, with the folder of its run.
#[derive(Debug)]
pub struct Batch {
    pub number: u32,
    pub plan: Plan,
    pub host: Host,
    folder: RunFolder,
    pub warnings: Vec<String>,
}

impl Session<'_> {
    /// Opens the batch that is not ended, or plans the next one from all runs.
    ///
    /// # Errors
    /// Too few bots play, another process plays the batch, or it cannot be begun.
    pub fn next(
        &self,
        standing: &mut Standing,
        played_before: &mut dyn FnMut(&GameRow),
    ) -> Result<Batch, LeagueError> {
        let league = self.league;
        let _lock = Lock::take(league.folder())?;
        let roster = league.roster()?;
        let newest = league.batches().last().copied();
        let number = match newest.filter(|number| !self.is_ended(*number)) {
            Some(unfinished) => unfinished,
            None => {
                standing.update(league)?;
                let number = newest.unwrap_or(0) + 1;
                self.plan(number, standing, &roster, 0)?;
                number
            }
        };
        self.open(number, &roster, played_before)
    }

    /// Plans the next batch, of at least so many games, and begins nothing. Returns its number.
    pub fn plan_ahead(&self, standing: &Standing, games: u64) -> Result<u32, LeagueError> {
        let league = self.league;
        let _lock = Lock::take(league.folder())?;
        let newest = league.batches().last().copied();
        if let Some(unfinished) = newest.filter(|number| !self.is_ended(*number)) {
            return Err(LeagueError::usage(format!(
                "run {unfinished:04} is not ended: play it first, or remove {} if nobody has begun it",
                league.config(unfinished).display()
            )));
        }
        let number = newest.unwrap_or(0) + 1;
        self.plan(number, standing, &league.roster()?, games)?;
        Ok(number)
    }

    fn is_ended(&self, batch: u32) -> bool {
        let run = Run::open(&self.league.run(batch), self.league.games());
        run.is_ok_and(|run| run.has_digests())
    }

    /// Writes the configuration of the next batch, of at least so many games.
    fn plan(
        &self,
        number: u32,
        standing: &Standing,
        roster: &Roster,
        games: u64,
    ) -> Result<(), LeagueError> {
        let league = self.league;
        let terms = league.terms()?;
        let seats = terms.probe(["nobody", "somebody"].map(nobody))?.seats();
        let rated = standing.rate(roster);
        let (versions, field) = standing.field(rated.as_ref(), roster, terms.matchmaking.anchors);
        let active = roster.active().count();
        let least = (standing.games() / SHARE_OF_PLAYED).max(games);
        let least = least.div_ceil(seats as u64);
        let blocks = (terms.matchmaking.blocks as usize)
            .max(active / 2)
            .max(usize::try_from(least).unwrap_or(usize::MAX));
        let seed = seed_of(&terms, number);
        let chosen = choose(&field, seats, blocks, seed);
        if chosen.is_empty() {
            return Err(LeagueError::usage(format!(
                "{active} of the bots play, and a game has {seats} seats: `referee league add {} NAME --command …` \
                 adds one",
                league.folder().display()
            )));
        }
        let mut players: Vec<usize> = chosen.concat();
        players.sort_unstable();
        players.dedup();
        let players: Vec<&Version> = players.iter().map(|at| versions[*at]).collect();
        let names = |block: &Vec<usize>| -> Vec<String> {
            let players = block.iter().map(|at| versions[*at].player_name());
            players.collect()
        };
        let pairings: Vec<Vec<String>> = chosen.iter().map(names).collect();
        let has_folder = |version: &Version| league.home(version).join("bot").exists();
        let text = terms.config(number, seed, &players, has_folder, &pairings);
        let path = league.config(number);
        make_parent(&path)?;
        Ok(write_bytes(&path, text)?)
    }

    fn open(
        &self,
        number: u32,
        roster: &Roster,
        played_before: &mut dyn FnMut(&GameRow),
    ) -> Result<Batch, LeagueError> {
        let league = self.league;
        let path = league.run(number);
        if Run::open(&path, league.games()).is_ok_and(|run| run.is_in_play()) {
            return Err(in_use(&path).into());
        }
        let mut plan = Plan::load(&league.config(number), league.games())?;
        for entry in &mut plan.players {
            let mut versions = roster.versions.iter();
            let version = versions.find(|it| it.player_name() == entry.name);
            entry.launch.submitted = version.is_some_and(|it| it.submitted);
            // Files that a bot left in earlier games must not influence these.
            if entry.launch.dir.is_some() {
                restore(entry)?;
            }
        }
        let (host, warnings) =
            Host::new(&Demands::of(&plan), self.supervisor.clone(), self.options)?;
        let repeat = Repeat {
            changed: true,
            below: host.again_below,
        };
        let folder = RunFolder::resume(&path, &plan, host.stamp(), repeat, played_before);
        let folder = folder.map_err(|problem| LeagueError::Resume {
            path,
            problem: Box::new(problem),
        })?;
        Ok(Batch {
            number,
            plan,
            host,
            folder,
            warnings: warnings.iter().map(ToString::to_string).collect(),
        })
    }

    /// Plays a batch to its end and writes the tables of its run.
    ///
    /// # Errors
    /// Not all games were played; those that ended are kept.
    pub fn play(
        &self,
        batch: &mut Batch,
        listen: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(), LeagueError> {
        let built = vec![None; batch.plan.players.len()];
        let tournament = Tournament {
            programs: Programs::Built(&built),
            ..Tournament::new(&batch.plan, &batch.host, self.interrupt)
        };
        tournament.play(&mut batch.folder, listen)?;
        let run = Run::open(&self.league.run(batch.number), self.league.games())?;
        let settings = Settings::of_run(&run);
        let rated = Results::of_run(&run)?.rate(&settings);
        Ok(finish_run(&run, &rated, &[])?)
    }

    /// Benches the versions that forfeit again and again. Returns them.
    pub fn bench(&self, standing: &Standing) -> Result<Vec<Version>, LeagueError> {
        let most = self.league.terms()?.matchmaking.bench_after as usize;
        let is_due = |version: &Version| {
            let forfeits = standing.conduct(version).recent_forfeits();
            version.state == State::Active && most > 0 && forfeits >= most
        };
        if !self.league.roster()?.versions.iter().any(is_due) {
            return Ok(Vec::new());
        }
        self.league.change(|roster| {
            let mut benched = Vec::new();
            for version in roster.versions.iter_mut().filter(|it| is_due(it)) {
                let conduct = standing.conduct(version);
                version.state = State::Benched;
                version.why = format!(
                    "it forfeited {} of its last {} games, the last one because {}",
                    conduct.recent_forfeits(),
                    conduct.games.min(2 * most as u64),
                    conduct.fault
                );
                benched.push(version.clone());
            }
            Ok(benched)
        })
    }
}

fn in_use(path: &Path) -> RunFileError {
    RunFileError {
        path: path.to_owned(),
        problem: RunFileProblem::InUse,
    }
}

/// The seed of a batch.
fn seed_of(terms: &Terms, batch: u32) -> u64 {
    let digest = Sha256::new()
        .chain_update(terms.seed.to_le_bytes())
        .chain_update(batch.to_le_bytes())
        .finalize();
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&digest[..8]);
    u64::from_le_bytes(bytes)
}
