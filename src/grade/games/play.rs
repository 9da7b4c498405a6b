//! The games of a student in a test: an ordinary run, which is never played twice.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::config::{Entry, KeepLogs, Plan};
use crate::grade::bots::{Loaded, restore};
use crate::grade::config::{Grading, Program, Test};
use crate::grade::error::GradeError;
use crate::record::{Run, RunFolder, hex, make_parent, plan_key};
use crate::report::{Results, run_settings, write_tables};
use crate::runner::{self, Event, Host, Interrupt, Portion, RunError};
use crate::schedule::Format;

/// The games of a student in a test.
#[derive(Debug, Clone)]
pub struct TestRun<'a> {
    grading: &'a Grading,
    test: &'a Test,
    bot: &'a Entry,
    /// The bots that students meet, as they are kept.
    references: &'a [Entry],
    seed: u64,
    /// The folder of the run.
    pub path: PathBuf,
}

impl<'a> TestRun<'a> {
    /// The games of a bot in a test, with their run below the folder `runs`. What decides them decides the name
    /// of its folder: the bot, its opponents, what they load, the game, clock and limits, and the seed.
    ///
    /// # Errors
    /// A bot cannot be read.
    #[expect(
        clippy::too_many_arguments,
        reason = "all that decides games, each once"
    )]
    pub fn new(
        grading: &'a Grading,
        test: &'a Test,
        bot: &'a Entry,
        references: &'a [Entry],
        seed: u64,
        host: &Host,
        loaded: &Loaded,
        runs: PathBuf,
    ) -> Result<Self, GradeError> {
        let mut run = Self {
            grading,
            test,
            bot,
            references,
            seed: seed_of(seed, &test.name),
            path: runs,
        };
        let mut key = plan_key(&run.plan(2), run.seed, host.stamp())?;
        let is_kit = matches!(grading.submission.program, Program::Kit);
        let opponents = test.against.iter().map(|at| &references[*at]);
        let opponents = opponents.map(|bot| loaded.digest(bot, false));
        let packages: String = [loaded.digest(bot, is_kit)]
            .into_iter()
            .chain(opponents)
            .collect::<Vec<_>>()
            .join(" ");
        if !packages.trim().is_empty() {
            key = hex(&Sha256::digest(format!("{key} {packages}")));
        }
        run.path = run.path.join(&test.name).join(&key[..16]);
        Ok(run)
    }

    /// The plan of so many games against each opponent.
    fn plan(&self, games: u32) -> Plan {
        let opponents = self.test.against.iter().map(|at| &self.references[*at]);
        let players = std::iter::once(self.bot).chain(opponents);
        Plan {
            name: format!("{}-{}", self.bot.name, self.test.name),
            seed: Some(self.seed),
            games: vec![self.test.game.clone()],
            format: Format::Gauntlet {
                challengers: vec![0],
                games: NonZeroU32::new(games).unwrap_or(NonZeroU32::MIN),
            },
            time: self.test.time.clone(),
            limits: self.grading.limits.clone(),
            keep_logs: KeepLogs::All,
            pages: Some(false),
            players: players.cloned().collect(),
            deciding_shards: None,
        }
    }

    /// Plays until there are so many games against each opponent. `each` is told of each game that ends.
    ///
    /// # Errors
    /// They could not be played; what was played is kept.
    pub fn play(
        &self,
        games: u32,
        host: &Host,
        interrupt: &Interrupt,
        each: &mut dyn FnMut(),
    ) -> Result<(), GradeError> {
        if games > 0 && self.games() >= games {
            return Ok(());
        }
        // What the bot left in its folder in other games must not matter here.
        restore(self.bot)?;
        make_parent(&self.path)?;
        // A run that was to have more games when it was killed goes on with as many.
        let plan = self.plan(games.max(self.planned()));
        play_run(&self.path, &plan, false, host, interrupt, &mut |event| {
            if matches!(event, Event::Finished(_) | Event::SetAside { .. }) {
                each();
            }
        })
    }

    /// How many games are missing to so many against each opponent, and to those of a run that was stopped.
    pub fn games_left(&self, games: u32) -> u64 {
        if games > 0 && self.games() >= games {
            return 0;
        }
        self.all(games.max(self.planned()))
            .saturating_sub(self.kept())
    }

    /// So many games against each opponent.
    fn all(&self, games: u32) -> u64 {
        u64::from(games) * self.test.against.len() as u64
    }

    /// How many games have a row.
    fn kept(&self) -> u64 {
        let rows = Run::open(&self.path).and_then(|run| run.rows());
        // What a kill left of a row is no row.
        rows.map_or(0, |rows| rows.map_while(Result::ok).count() as u64)
    }

    /// How many games against each opponent were played; 0 if they were not played to their end, or the run was
    /// killed before it had a journal.
    pub fn games(&self) -> u32 {
        let games = self.planned();
        if self.kept() == self.all(games) {
            games
        } else {
            0
        }
    }

    /// How many games against each opponent the run is to have; 0 if it was never begun.
    fn planned(&self) -> u32 {
        match Run::open(&self.path).as_ref().map(Run::format) {
            Ok(Format::Gauntlet { games, .. }) => games.get(),
            _ => 0,
        }
    }

    /// Writes the tables of the run and the digests of its files, unless they are there.
    ///
    /// # Errors
    /// The run cannot be read or written.
    pub fn end(&self) -> Result<(), GradeError> {
        match Run::open(&self.path) {
            Ok(run) if !run.has_digests() => write_results(&self.path),
            _ => Ok(()),
        }
    }
}

/// Plays what is left of a run whose bots are built, with changed bots where that is accepted.
///
/// # Errors
/// It was not played to its end; what was played is kept.
pub(super) fn play_run(
    path: &Path,
    plan: &Plan,
    accept_changes: bool,
    host: &Host,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<(), GradeError> {
    let resumed = RunFolder::resume(path, plan, host.stamp(), accept_changes, &mut |_| {});
    let mut folder = resumed.map_err(|problem| GradeError::Resume {
        path: path.to_owned(),
        problem: Box::new(problem),
    })?;
    let unbuilt = vec![None; plan.players.len()];
    let all = Portion::All;
    match runner::run_portion(all, &unbuilt, plan, host, &mut folder, interrupt, listen) {
        Ok(_) => Ok(()),
        Err(RunError::Stopped { .. }) => Err(GradeError::Stopped),
        Err(error) => Err(error.into()),
    }
}

/// Writes the tables of a run that ended, and the digests of its files.
///
/// # Errors
/// The run cannot be read or written.
pub(super) fn write_results(path: &Path) -> Result<(), GradeError> {
    let run = Run::open(path)?;
    let results = Results::of_run(&run)?;
    write_tables(&run, &results.rate(&run_settings(&run)), &[])?;
    Ok(run.write_digests(None)?)
}

/// The master seed of a test: the same for all students.
fn seed_of(seed: u64, test: &str) -> u64 {
    let digest = Sha256::new()
        .chain_update(seed.to_le_bytes())
        .chain_update(test)
        .finalize();
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&digest[..8]);
    // TOML has no number beyond 63 bits.
    u64::from_le_bytes(bytes) >> 1
}
