//! Grades a class in stages. Each stage continues after an interrupt.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::bots::{
    Builder, Checker, Prepared, equal_programs, equal_to, keep_reference, prepare, why_not,
};
use super::class::Class;
use super::folder::GradeFolder;
use super::games::{
    Conditions, Player, Rounds, TestRun, TournamentRank, keep_course_files, tournament,
    unused_games,
};
use super::marks::{Mark, Outcome, mark};
use super::{
    GradeError, GradeOptions, Graded, GradedStudent, Grading, IntakeIssue, Listen, Step, host,
    in_lanes, seed,
};
use crate::bot::{Supervisor, seconds};
use crate::config::Entry;
use crate::parallel;
use crate::runner::{Event, Host, Interrupt};
use crate::runs::{Lock, RunFileError, RunFileProblem};

#[derive(Clone, Copy)]
pub struct GradeRequest<'a> {
    pub grading: &'a Grading,
    pub folder: &'a GradeFolder,
    pub options: &'a GradeOptions,
    pub supervisor: &'a Supervisor,
    pub interrupt: &'a Interrupt,
    pub listen: &'a Listen<'a>,
}

impl GradeRequest<'_> {
    /// Grades a class. Games that were played before are not played again.
    pub fn grade(self, class: Class) -> Result<Graded, GradeError> {
        let (options, listen) = (self.options, self.listen);
        let mut grader = Grader::begin(self, class)?;
        if options.shard.is_some() {
            // Others play their parts at the same time.
            grader.lock = None;
        }
        let mut chosen = grader.chosen(options.only.as_deref())?;
        if let Some((shard, shards)) = options.shard {
            chosen.retain(|at| *at as u32 % shards == shard);
        }
        let ready = grader.make_ready(&chosen)?;
        let programs = ready.iter().map(|(at, prepared)| {
            let key = grader.class.candidates[*at].key.as_str();
            (key, prepared.program.as_str())
        });
        let equal = equal_programs(programs);
        equal.iter().for_each(|note| listen(Step::Problem(note)));
        grader.class.problems.extend(equal);
        let waiting = ready.iter().filter_map(|(at, prepared)| {
            let waits = prepared.fitness.as_ref()?.waits?;
            let text = format!(
                "waits up to {} an action without computing, which its clock does not count: its games last long; \
                 `wall-cap` in [clock] limits an action",
                seconds(waits)
            );
            Some(IntakeIssue::note(&grader.class.candidates[*at].key, text))
        });
        let waiting: Vec<IntakeIssue> = waiting.collect();
        waiting.iter().for_each(|note| listen(Step::Problem(note)));
        grader.class.problems.extend(waiting);
        let mut players = grader.players(&ready)?;
        let unused = unused_games(self.grading, self.folder, &players);
        unused.iter().for_each(|note| listen(Step::Problem(note)));
        let rounds = grader.rounds();
        if let Some(until) = options.until {
            rounds.play_until(&mut players, until)?;
            // The end of the time interrupts games. Their tables are written all the same.
            for run in players.iter().flat_map(|player| &player.runs) {
                let _ = GradeError::apart(run.end())?;
            }
        } else {
            rounds.play_all(&mut players)?;
            rounds.play_left(&mut players)?;
            rounds.end(&players)?;
        }
        let ranks = match (options.shard, &options.only) {
            (None, None) => grader.tournament(&players)?,
            _ => BTreeMap::new(),
        };
        if let (None, None) = (options.shard, &options.only) {
            keep_course_files(self.grading, self.folder)?;
        }
        let mut graded = grader.graded(&chosen, &ready, &players, ranks);
        graded.problems.extend(unused);
        Ok(graded)
    }
}

pub(super) struct Grader<'a> {
    request: GradeRequest<'a>,
    pub class: Class,
    pub references: Vec<Entry>,
    pub host: Host,
    pub seed: u64,
    /// Keeps other gradings out of the folder.
    lock: Option<Lock>,
}

impl<'a> Grader<'a> {
    /// Keeps the bots that a class meets.
    pub fn begin(request: GradeRequest<'a>, mut class: Class) -> Result<Self, GradeError> {
        let GradeRequest {
            grading,
            folder,
            options,
            supervisor,
            interrupt,
            listen,
        } = request;
        let work = folder.work();
        fs::create_dir_all(&work).map_err(RunFileError::at(&work, RunFileProblem::Make))?;
        let lock = Some(Lock::take(&work)?);
        for problem in &class.problems {
            listen(Step::Problem(problem));
        }
        let (host, warnings) = host(grading, folder, options.host, supervisor)?;
        for warning in warnings {
            listen(Step::Warning(warning));
        }
        let limits = host.build_limits(&grading.limits);
        let builder = Builder {
            limits: &limits,
            supervisor,
            stop: &interrupt.stop_pipe(),
        };
        let mut references = Vec::new();
        for reference in &grading.references {
            let (kept, note) = keep_reference(folder, reference, &builder)?;
            note.iter().for_each(|note| listen(Step::Problem(note)));
            class.problems.extend(note);
            references.push(kept);
        }
        Ok(Self {
            request,
            class,
            references,
            seed: seed(grading, &work)?,
            host,
            lock,
        })
    }

    pub fn chosen(&self, only: Option<&str>) -> Result<Vec<usize>, GradeError> {
        match only {
            None => Ok((0..self.class.candidates.len()).collect()),
            Some(id) => match self.class.find(id) {
                Some(at) => Ok(vec![at]),
                None => Err(GradeError::Usage(format!(
                    "--only {id}: no student of the roster has this id, and no team this name, or several have it in \
                     another case"
                ))),
            },
        }
    }

    pub fn make_ready(&self, chosen: &[usize]) -> Result<BTreeMap<usize, Prepared>, GradeError> {
        let mut prepared = self.prepare(chosen)?;
        self.check(&mut prepared)?;
        Ok(prepared)
    }

    pub fn rounds(&self) -> Rounds<'_> {
        Rounds {
            listen: self.request.listen,
            of: self.conditions(),
        }
    }

    fn conditions(&self) -> Conditions<'_> {
        Conditions {
            grading: self.request.grading,
            references: &self.references,
            host: &self.host,
            interrupt: self.request.interrupt,
            seed: self.seed,
        }
    }

    fn prepare(&self, chosen: &[usize]) -> Result<BTreeMap<usize, Prepared>, GradeError> {
        let GradeRequest {
            grading,
            folder,
            interrupt,
            listen,
            ..
        } = self.request;
        let handed_in = chosen.iter().filter_map(|at| {
            let candidate = &self.class.candidates[*at];
            Some((*at, candidate, candidate.playable()?))
        });
        let handed_in: Vec<_> = handed_in.collect();
        listen(Step::Preparing {
            submissions: handed_in.len(),
        });
        let builder = Builder {
            limits: &self.host.build_limits(&grading.limits),
            supervisor: self.request.supervisor,
            stop: &interrupt.stop_pipe(),
        };
        let lanes = self.host.jobs.get();
        let prepared = in_lanes(lanes, handed_in, interrupt, |_, (at, candidate, path)| {
            listen(Step::Begun(&candidate.key));
            let prepared = prepare(grading, folder, candidate, path, &builder)?;
            listen(Step::Ended(&candidate.key));
            Ok((at, prepared))
        })?;
        Ok(prepared.into_iter().collect())
    }

    fn check(&self, prepared: &mut BTreeMap<usize, Prepared>) -> Result<(), GradeError> {
        let (request, listen) = (&self.request, self.request.listen);
        let bots = prepared.iter_mut().filter(|(_, it)| it.bot.is_ok());
        let bots: Vec<_> = bots.collect();
        listen(Step::Checking { bots: bots.len() });
        let checks = request.options.checks.as_deref();
        let stop = checks.unwrap_or(request.interrupt).stop_pipe();
        let checker = Checker {
            grading: request.grading,
            host: &self.host,
            supervisor: request.supervisor,
            seed: self.seed,
            references: &self.references,
            stop: &stop,
        };
        let lanes = self.host.jobs.get();
        in_lanes(lanes, bots, request.interrupt, |_, (at, prepared)| {
            let Ok(bot) = &prepared.bot else {
                return Ok(());
            };
            let key = &self.class.candidates[*at].key;
            listen(Step::Begun(key));
            let found = checker.fitness(bot, &request.folder.student(key, &prepared.digest));
            listen(Step::Ended(key));
            // The games will show the fault.
            prepared.fitness = GradeError::apart(found)?.unwrap_or(None);
            Ok(())
        })?;
        // A check that was broken off says nothing.
        match request.interrupt.level() {
            None => Ok(()),
            Some(_) => Err(GradeError::Stopped),
        }
    }

    fn graded(
        &self,
        chosen: &[usize],
        ready: &BTreeMap<usize, Prepared>,
        players: &[Player<'_>],
        mut ranks: BTreeMap<String, TournamentRank>,
    ) -> Graded {
        let marked = parallel::map(players, |player| {
            let mut mark = self.rounds().mark(player);
            mark.notes.extend(notes(player));
            let runs: Vec<PathBuf> = player.runs.iter().map(|run| run.path.clone()).collect();
            (mark, runs)
        });
        let keys = players.iter().map(|player| player.candidate.key.as_str());
        let mut marked: BTreeMap<&str, (Mark, Vec<PathBuf>)> = keys.zip(marked).collect();
        let students = chosen.iter().map(|at| {
            let (candidate, prepared) = (&self.class.candidates[*at], ready.get(at));
            let mut broken = None;
            let (mut mark, runs) = marked.remove(candidate.key.as_str()).unwrap_or_else(|| {
                let (status, why) = why_not(self.request.grading, candidate, prepared);
                let digest = prepared.map(|it| it.digest.clone()).unwrap_or_default();
                let mut mark = mark(self.request.grading, candidate, status, digest, &[]);
                mark.notes.push(why.clone());
                broken = Some(why);
                (mark, Vec::new())
            });
            mark.rank = ranks.remove(&candidate.key);
            let equal = prepared.map_or_else(Vec::new, |own| {
                let others = ready.iter().filter(|(other, it)| {
                    *other != at && !own.program.is_empty() && it.program == own.program
                });
                let keys = others.map(|(other, _)| self.class.candidates[*other].key.clone());
                keys.collect()
            });
            if !equal.is_empty() {
                mark.notes.push(equal_to(equal.iter().map(String::as_str)));
            }
            if let Some(prepared) = prepared {
                mark.of_files.extend_from_slice(&prepared.notes);
            }
            GradedStudent {
                mark,
                submission: candidate.path.clone(),
                others: candidate.others.clone(),
                broken,
                cause: prepared.and_then(Prepared::cause).cloned(),
                fitness: prepared.and_then(|it| it.fitness.clone()),
                equal,
                runs,
            }
        });
        Graded {
            students: students.collect(),
            problems: self.class.problems.clone(),
        }
    }

    fn tournament(
        &self,
        players: &[Player<'_>],
    ) -> Result<BTreeMap<String, TournamentRank>, GradeError> {
        let bots: Vec<&Entry> = players.iter().map(|player| player.bot).collect();
        let listen = &mut |event: &Event<'_>| (self.request.listen)(Step::Tournament(event));
        tournament(self.conditions(), self.request.folder, &bots, listen)
    }

    fn players<'b>(
        &'b self,
        ready: &'b BTreeMap<usize, Prepared>,
    ) -> Result<Vec<Player<'b>>, GradeError> {
        let playable = ready
            .iter()
            .filter_map(|(at, it)| Some((at, it, it.playable().ok()?)));
        let players = playable.map(|(at, prepared, bot)| {
            let key = &self.class.candidates[*at].key;
            let runs = self.request.folder.runs(key);
            self.player(*at, prepared, bot, &runs)
        });
        players.collect()
    }

    pub fn player<'b>(
        &'b self,
        at: usize,
        prepared: &'b Prepared,
        bot: &'b Entry,
        runs: &Path,
    ) -> Result<Player<'b>, GradeError> {
        let tests = self.request.grading.tests.iter();
        let runs = tests.map(|test| TestRun::new(self.conditions(), test, bot, runs));
        let runs: Vec<TestRun<'b>> = runs.collect::<Result<_, _>>()?;
        Ok(Player {
            candidate: &self.class.candidates[at],
            bot,
            digest: prepared.digest.clone(),
            wanted: vec![0; runs.len()],
            outcomes: vec![Default::default(); runs.len()],
            runs,
        })
    }
}

fn notes(player: &Player<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let set_aside: u64 = player.outcomes.iter().map(|it| it.set_aside).sum();
    if set_aside > 0 {
        notes.push(format!(
            "{set_aside} games could not be played on this machine: grade again"
        ));
    }
    let games: u64 = player.outcomes.iter().map(|it| it.count).sum();
    let by_references: u64 = player.outcomes.iter().map(|it| it.reference_forfeits).sum();
    if by_references > 0 {
        notes.push(format!(
            "a reference forfeited {by_references} of {games} games: look at its logs before these marks count"
        ));
    }
    if player.outcomes.iter().any(Outcome::is_unplayed) {
        notes.push("no game of a test was played: grade again".to_owned());
    }
    let problems = player.outcomes.iter().filter_map(|it| it.problem.clone());
    notes.extend(problems.map(|problem| format!("not all games could be played: {problem}")));
    let different: u64 = player.outcomes.iter().map(|it| it.different).sum();
    let forfeits = player.outcomes.iter().flat_map(|it| it.forfeits.values());
    // Forfeited games are alike, however they begin.
    let played = games - forfeits.sum::<u64>();
    if different * 2 < played {
        notes.push(format!(
            "only {different} of {games} games differ: with more `opening-plies` they would tell more"
        ));
    }
    notes
}
