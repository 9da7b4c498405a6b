//! The games of a class: tests in rounds, and the tournament.
//!
//! It is handed bots that can play, and gives runs on disk. Marks tell it only where more games are needed.

mod kept_rules;
mod known;
mod rounds;
mod tournament;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

pub use known::{keep_course_files, unused_games};
pub use rounds::{Player, Rounds};
use sha2::{Digest, Sha256};
use tournament::ranks_in;
pub use tournament::{TournamentRank, tournament, tournament_games};

use crate::config::{Entry, Export, KeepLogs, Plan};
use crate::grade::bots::restore;
use crate::grade::config::{Grading, Test};
use crate::grade::error::GradeError;
use crate::grade::marks::{ends_early, first_portion};
use crate::report::finish_run;
use crate::results::{Results, Settings};
use crate::runner::{Event, Host, Interrupt, Programs, RunError, Tournament};
use crate::runs::{Repeat, Run, RunFolder, SetAsideGame, make_parent, plan_key};
use crate::schedule::Format;

#[derive(Clone, Copy)]
pub struct Conditions<'a> {
    pub grading: &'a Grading,
    pub references: &'a [Entry],
    pub host: &'a Host,
    pub interrupt: &'a Interrupt,
    pub seed: u64,
}

#[derive(Clone)]
pub struct TestRun<'a> {
    of: Conditions<'a>,
    test: &'a Test,
    bot: &'a Entry,
    pub path: PathBuf,
}

impl<'a> TestRun<'a> {
    /// Games of a bot in a test, with their run below the folder `runs`. The folder's name is a digest of all
    /// inputs: the bot, its opponents, the game, clock, limits and seed.
    pub fn new(
        of: Conditions<'a>,
        test: &'a Test,
        bot: &'a Entry,
        runs: &Path,
    ) -> Result<Self, GradeError> {
        let mut run = Self {
            of,
            test,
            bot,
            path: runs.join(&test.name),
        };
        let plan = run.plan(test.seats() as u32);
        let key = plan_key(&plan, run.seed(), of.host.stamp())?;
        run.path.push(&key[..16]);
        Ok(run)
    }

    fn seed(&self) -> u64 {
        let digest = Sha256::new()
            .chain_update(self.of.seed.to_le_bytes())
            .chain_update(&self.test.name)
            .finalize();
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&digest[..8]);
        // TOML integers are signed.
        u64::from_le_bytes(bytes) >> 1
    }

    fn open(&self) -> Option<Run> {
        Run::open(&self.path, self.of.grading.known_games).ok()
    }

    fn plan(&self, games: u32) -> Plan {
        let opponents = self.test.against.iter().map(|at| &self.of.references[*at]);
        let players = std::iter::once(self.bot).chain(opponents);
        Plan {
            name: format!("{}-{}", self.bot.name, self.test.name),
            seed: Some(self.seed()),
            games: vec![self.test.game.clone()],
            format: self.format(games),
            time: self.test.time.clone(),
            limits: self.of.grading.limits.clone(),
            keep_logs: KeepLogs::All,
            pages: Some(false),
            export: Export::default(),
            players: players.cloned().collect(),
        }
    }

    fn format(&self, games: u32) -> Format {
        // In a game the bot meets each opponent, or as many as there are seats beside it.
        let opponents = self.test.against.len() as u64;
        let met = opponents.min(self.test.seats() as u64 - 1);
        let games = (self.all(games) * met / opponents.max(1)) as u32;
        Format::Gauntlet {
            challengers: vec![0],
            games: NonZeroU32::new(games).unwrap_or(NonZeroU32::MIN),
        }
    }

    /// Plays until there are `games` per seating of opponents, unless the test ends early. `each` is called for each game.
    ///
    /// # Errors
    /// The games could not be played; finished games are kept.
    pub fn play(&self, games: u32, host: &Host, each: &mut Each<'_>) -> Result<(), GradeError> {
        let begun = self.progress(host.again_below);
        if begun.is_enough_for(games) {
            return Ok(());
        }
        // Files that the bot left in earlier games must not influence these.
        restore(self.bot)?;
        make_parent(&self.path)?;
        // A run that was killed while it had more games to play continues with that number.
        let all = games.max(begun.planned);
        let first = first_portion(self.test);
        if begun.planned <= first && begun.games() < first && first < all {
            self.play_to(first, host, each)?;
            let now = self.progress(host.again_below);
            if now.ends_early {
                (now.kept..self.all(all)).for_each(|_| each(None));
                return Ok(());
            }
        }
        self.play_to(all, host, each)
    }

    fn play_to(&self, games: u32, host: &Host, each: &mut Each<'_>) -> Result<(), GradeError> {
        let (plan, interrupt) = (self.plan(games), self.of.interrupt);
        play_run(
            &self.path,
            &plan,
            false,
            host,
            interrupt,
            &mut |event| match event {
                Event::Finished(_) => each(None),
                Event::SetAside(game) => each(Some(game)),
                _ => {}
            },
        )
    }

    /// Number of games missing for `games` per seating, or for a larger number in a stopped run.
    pub fn games_left(&self, games: u32) -> u64 {
        let progress = self.progress(None);
        if progress.is_enough_for(games) {
            return 0;
        }
        self.all(games.max(progress.planned))
            .saturating_sub(progress.kept)
    }

    fn all(&self, games: u32) -> u64 {
        u64::from(games) * u64::from(self.test.seatings())
    }

    /// Number of games played per seating; 0 if the run is incomplete, or was killed before it had a journal.
    pub fn games(&self) -> u32 {
        self.progress(None).games()
    }

    fn is_below(&self, share: Option<f64>) -> bool {
        let rows = self.open().and_then(|run| run.rows().ok());
        rows.into_iter()
            .flatten()
            .flatten()
            .any(|row| row.is_below(share))
    }

    /// The progress; games are to be played again of a player with a lower share of the processor than `below`.
    fn progress(&self, below: Option<f64>) -> Progress {
        let Some(run) = self.open() else {
            return Progress::default();
        };
        let schedules = run.schedules();
        let counts = schedules.iter().map(|it| it.count().exactly().unwrap_or(0));
        let all: u64 = counts.sum();
        let mut kept = 0;
        let mut forfeits = BTreeMap::new();
        // A row truncated by a kill does not count.
        let rows = run.rows().into_iter().flatten().map_while(Result::ok);
        for row in rows.filter(|row| !row.is_below(below)) {
            kept += 1;
            let seat = row.names().find(|name| *name == self.bot.name);
            if let Some(seat) = seat.filter(|seat| row.end.forfeiters().contains(*seat)) {
                let termination = row.end.counted_termination(seat).name();
                *forfeits.entry(termination).or_default() += 1;
            }
        }
        let is_whole = kept == all;
        Progress {
            planned: (all / u64::from(self.test.seatings())) as u32,
            kept,
            is_whole,
            ends_early: is_whole && ends_early(&self.test.game, kept, &forfeits).is_some(),
        }
    }

    /// Writes the tables of the run and the digests of its files, unless they exist.
    pub fn end(&self) -> Result<(), GradeError> {
        match self.open() {
            Some(run) if !run.has_digests() => write_results(&run).map(drop),
            _ => Ok(()),
        }
    }
}

/// Progress of a run on disk; nothing if it never began, or was killed before it had a journal.
#[derive(Default)]
struct Progress {
    planned: u32,
    kept: u64,
    is_whole: bool,
    ends_early: bool,
}

impl Progress {
    fn games(&self) -> u32 {
        if self.is_whole { self.planned } else { 0 }
    }

    fn is_enough_for(&self, games: u32) -> bool {
        games > 0 && self.games() >= games || self.ends_early
    }
}

/// Called for each game that is over, with one that was set aside.
type Each<'a> = dyn FnMut(Option<&SetAsideGame>) + 'a;

/// Plays the rest of a run with built bots; `accept_changes` allows changed bots.
///
/// # Errors
/// The run was not played to the end; finished games are kept.
fn play_run(
    path: &Path,
    plan: &Plan,
    accept_changes: bool,
    host: &Host,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<(), GradeError> {
    let repeat = Repeat {
        changed: accept_changes,
        below: host.again_below,
    };
    let resumed = RunFolder::resume(path, plan, host.stamp(), repeat, &mut |_| {});
    let mut folder = resumed.map_err(|problem| GradeError::Resume {
        path: path.to_owned(),
        problem: Box::new(problem),
    })?;
    let unbuilt = vec![None; plan.players.len()];
    let tournament = Tournament {
        programs: Programs::Built(&unbuilt),
        ..Tournament::new(plan, host, interrupt)
    };
    match tournament.play(&mut folder, listen) {
        Ok(_) => Ok(()),
        Err(RunError::Stopped { .. }) => Err(GradeError::Stopped),
        Err(error) => Err(error.into()),
    }
}

/// Writes the tables of an ended run, and the digests of its files. Returns the rank of each player.
fn write_results(run: &Run) -> Result<BTreeMap<String, TournamentRank>, GradeError> {
    let mut results = Results::of_run(run)?;
    let settings = Settings::of_run(run);
    let rated = results.rate(&settings);
    finish_run(run, &rated, &[])?;
    Ok(rated.iter().flat_map(ranks_in).collect())
}
