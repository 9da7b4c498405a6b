//! The batches of a league: planned, played and ended one after another.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::terms::{nobody, player};
use super::{
    GradeError, League, RUNS, Snapshot, Standing, State, TERMS, Terms, Version, name_of, run_of,
};
use crate::bot::Supervisor;
use crate::config::Plan;
use crate::grade::restore;
use crate::matchmaking::choose;
use crate::report::finish_run;
use crate::results::{Results, Settings};
use crate::runner::{Demands, Event, Host, HostOptions, Interrupt, Programs, Tournament};
use crate::runs::{
    Changes, GameRow, Lock, Repeat, ResumeError, Run, RunFolder, is_ended, make_parent, write_bytes,
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
    pub config: PathBuf,
    pub plan: Plan,
    pub host: Host,
    folder: RunFolder,
    pub warnings: Vec<String>,
    /// Batches put the folders of bots back, so only one is played at a time.
    _bots: Lock,
}

impl Session<'_> {
    /// Opens the batch that is not ended, or plans the next one from ratings of all runs. It has no more than `wanted` games,
    /// but for the least number of blocks. `None` if runs or bots have come since then.
    ///
    /// # Errors
    /// Too few bots play, another process plays a batch, or it cannot be begun.
    pub fn next(
        &self,
        now: &Snapshot<'_>,
        wanted: u64,
        played_before: &mut dyn FnMut(&GameRow),
    ) -> Result<Option<Batch>, GradeError> {
        let lock = Lock::take(self.league.folder())?;
        let (config, notes) = match self.unfinished() {
            Some(unfinished) => (unfinished, None),
            None if self.league.roster()? != *now.roster => return Ok(None),
            None if !now.standing.is_of_all(self.league)? => return Ok(None),
            None => self.plan(now, 0..=wanted)?,
        };
        drop(lock);
        let mut batch = self.begin(config, played_before)?;
        batch.warnings.extend(notes);
        Ok(Some(batch))
    }

    /// Plans the next batch, of at least so many games, and begins nothing. Returns its configuration, and a remark.
    pub fn plan_ahead(&self, games: u64) -> Result<(PathBuf, Option<String>), GradeError> {
        let _lock = Lock::take(self.league.folder())?;
        if let Some(unfinished) = self.unfinished() {
            return Err(GradeError::usage(format!(
                "run {} is not ended: play it first, or remove {} if nobody has begun it",
                name_of(&unfinished),
                unfinished.display()
            )));
        }
        let (standing, roster) = (Standing::read(self.league)?, self.league.roster()?);
        self.plan(&standing.rate(&roster), games..=u64::MAX)
    }

    /// The configuration of the batch that is not ended.
    fn unfinished(&self) -> Option<PathBuf> {
        let newest = self.league.configs(RUNS).pop();
        newest.filter(|config| !is_ended(&run_of(config)))
    }

    /// Writes the configuration of the next batch: at least the first number of games, and a share of all games before it up
    /// to the last number. Remarks on terms that are not those of the batch before.
    fn plan(
        &self,
        now: &Snapshot<'_>,
        games: RangeInclusive<u64>,
    ) -> Result<(PathBuf, Option<String>), GradeError> {
        let (league, terms) = (self.league, self.league.terms()?);
        let seats = terms.probe(["nobody", "somebody"].map(nobody))?.seats();
        let (versions, field) = now.field(terms.matchmaking.anchors);
        let active = now.roster.active().count();
        let share = now.standing.games() / SHARE_OF_PLAYED;
        let least = share.clamp(*games.start(), *games.end());
        let least = least.div_ceil(seats as u64);
        let blocks = (terms.matchmaking.blocks as usize)
            .max(active / 2)
            .max(usize::try_from(least).unwrap_or(usize::MAX));
        let newest = league.configs(RUNS).pop();
        let number = newest.as_ref().map(|config| name_of(config).parse::<u32>());
        let number = number.and_then(Result::ok).unwrap_or(0) + 1;
        let seed = seed_of(&terms, RUNS, number);
        let chosen = choose(&field, seats, blocks, seed);
        if chosen.is_empty() {
            return Err(GradeError::usage(format!(
                "{active} of the bots play, and a game has {seats} seats: `referee league add {} NAME --command …` \
                 adds one",
                league.folder().display()
            )));
        }
        let chosen = chosen
            .iter()
            .map(|block| block.iter().map(|at| versions[*at]));
        let chosen: Vec<Vec<&Version>> = chosen.map(Iterator::collect).collect();
        let name = format!("{number:04}");
        let text = self.config(&terms, &name, seed, &chosen, None);
        let config = league.of_season(RUNS).join(format!("{name}.toml"));
        let mut note = None;
        if let Some(before) = newest.map(|config| run_of(&config)) {
            let plan = Plan::parse(&text, &config, league.games())?;
            let changes = Changes::of_terms(&before, &plan)?;
            let words = format!(
                "{}: since {}, {}",
                league.folder().join(TERMS).display(),
                before.display(),
                changes.words.join("; ")
            );
            if changes.other_game {
                return Err(GradeError::Usage(format!(
                    "{words}: one table would mix both; put that back, or begin a season by `season = \"NAME\"`"
                )));
            }
            note = (!changes.is_empty()).then_some(words);
        }
        make_parent(&config)?;
        write_bytes(&config, text)?;
        Ok((config, note))
    }

    /// The configuration of a batch with these blocks.
    pub(super) fn config(
        &self,
        terms: &Terms,
        name: &str,
        seed: u64,
        blocks: &[Vec<&Version>],
        openings: Option<&str>,
    ) -> String {
        let mut players: Vec<&Version> = blocks.concat();
        players.sort_unstable_by_key(|it| (&it.owner, it.version));
        players.dedup_by_key(|it| it.player_name());
        let players = players.into_iter().map(|version| {
            let has_folder = self.league.home(version).join("bot").exists();
            let dir =
                has_folder.then(|| format!("../bots/{}/{}/bot", version.owner, version.version));
            player(version, dir)
        });
        let names = |block: &Vec<&Version>| block.iter().map(|it| it.player_name()).collect();
        let pairings: Vec<Vec<String>> = blocks.iter().map(names).collect();
        terms.config(name, seed, players.collect(), &pairings, openings)
    }

    pub fn begin(
        &self,
        config: PathBuf,
        played_before: &mut dyn FnMut(&GameRow),
    ) -> Result<Batch, GradeError> {
        let league = self.league;
        let (path, roster) = (run_of(&config), league.roster()?);
        let bots = league.bots();
        make_parent(&bots.join("NAME"))?;
        let bots = Lock::take(&bots)?;
        let mut plan = Plan::load(&config, league.games())?;
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
        let folder = folder.map_err(|problem| match problem {
            ResumeError::OtherTournament(_) => GradeError::usage(format!(
                "{}: {problem}; put that back to end this batch, or remove it with {} to give up its games",
                path.display(),
                config.display()
            )),
            problem => GradeError::Resume {
                path,
                problem: Box::new(problem),
            },
        })?;
        Ok(Batch {
            config,
            plan,
            host,
            folder,
            warnings: warnings.iter().map(ToString::to_string).collect(),
            _bots: bots,
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
    ) -> Result<(), GradeError> {
        let built = vec![None; batch.plan.players.len()];
        let tournament = Tournament {
            programs: Programs::Built(&built),
            ..Tournament::new(&batch.plan, &batch.host, self.interrupt)
        };
        tournament.play(&mut batch.folder, listen)?;
        let run = Run::open(&run_of(&batch.config), self.league.games())?;
        let settings = Settings::of_run(&run);
        let rated = Results::of_run(&run)?.rate(&settings);
        Ok(finish_run(&run, &rated, &[])?)
    }

    /// Benches the versions that forfeit again and again. Returns them.
    pub fn bench(&self, standing: &Standing) -> Result<Vec<Version>, GradeError> {
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

/// The seed of a batch, by its folder and its number there.
pub(super) fn seed_of(terms: &Terms, folder: &str, number: u32) -> u64 {
    let digest = Sha256::new()
        .chain_update(terms.seed.to_le_bytes())
        .chain_update(terms.season.as_bytes())
        .chain_update(folder)
        .chain_update(number.to_le_bytes())
        .finalize();
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&digest[..8]);
    u64::from_le_bytes(bytes)
}
