//! Estimates the time that games take: an upper bound, and a likely value.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::arguments::{TemporaryFolder, known_games, signals, supervisor};
use crate::cli::exit::Failure;
use crate::clock::Measure;
use crate::config::Plan;
use crate::report::rough;
use crate::runner::{Demands, Event, Host, HostOptions, Tournament};
use crate::runs::{Changes, Run, RunFolder};
use crate::text::counted;

#[derive(Debug, Default)]
pub struct EarlierGames {
    games: u64,
    took: Duration,
}

impl EarlierGames {
    pub fn add(&mut self, run: &Path) {
        let rows = Run::open(run, known_games()).and_then(|run| run.rows());
        for row in rows.into_iter().flatten().map_while(Result::ok) {
            self.games += 1;
            self.took += row.took;
        }
    }

    /// Adds the games of a run of this plan. Another tournament may have the folder of this name.
    pub fn add_of(&mut self, plan: &Plan, run: &Path, options: HostOptions) {
        let host = supervisor().and_then(|it| Ok(Host::new(&Demands::of(plan), it, options)?));
        let changes = host.map(|(host, _)| Changes::since(run, plan, host.stamp()));
        if matches!(changes, Ok(Ok(changes)) if changes.is_empty()) {
            self.add(run);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// Plays games of the plan for a few seconds, until one has ended, in a folder that does not stay. Games that are
    /// broken off count by their time.
    pub fn sample(&mut self, plan: &Plan, options: HostOptions, jobs: u32) -> Result<(), Failure> {
        let folder = TemporaryFolder::new("referee-sample-")?;
        let (host, _) = Host::new(&Demands::of(plan), supervisor()?, options)?;
        let interrupt = signals()?;
        let mut run = RunFolder::create(&folder.path().join("run"), plan, host.stamp())?;
        let (ended, ends) = channel();
        let begun = Instant::now();
        thread::scope(|scope| {
            let interrupt = &*interrupt;
            scope.spawn(move || {
                let mut games = 0;
                loop {
                    let limit = if games == 0 { LONGEST_SAMPLE } else { SAMPLE };
                    match ends.recv_timeout(limit.saturating_sub(begun.elapsed())) {
                        Ok(()) => games += 1,
                        Err(RecvTimeoutError::Disconnected) => return,
                        Err(RecvTimeoutError::Timeout) => return interrupt.break_off_games(),
                    }
                }
            });
            // It fails because it is broken off, or as the run itself will.
            let _ = Tournament::new(plan, &host, interrupt).play(&mut run, &mut |event| {
                if let Event::Finished(_) = event {
                    self.games += 1;
                    let _ = ended.send(());
                }
            });
            self.took = begun.elapsed() * jobs;
            drop(ended);
        });
        Ok(())
    }

    fn mean(&self) -> Option<Duration> {
        let seconds = self.took.as_secs_f64() / self.games as f64;
        (self.games > 0).then(|| Duration::from_secs_f64(seconds))
    }
}

/// Time for which a sample is played, and the time after which it has no game.
const SAMPLE: Duration = Duration::from_secs(4);
const LONGEST_SAMPLE: Duration = Duration::from_secs(20);

/// Runs of at most so many seconds need no sample.
const MINUTE: f64 = 60.0;

#[derive(Debug, Clone, Copy)]
pub struct Workload {
    pub count: u64,
    pub jobs: NonZeroUsize,
}

impl Workload {
    pub fn new(count: u64, asked: Option<NonZeroUsize>) -> Self {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self {
            count,
            jobs: asked.unwrap_or_else(cores),
        }
    }

    /// Whether the time of all games is worth a sample: it may be more than a minute.
    pub fn may_be_long(self, longest: Option<Duration>) -> bool {
        longest.is_some_and(|game| self.seconds(game) > MINUTE)
    }

    fn seconds(self, game: Duration) -> f64 {
        game.as_secs_f64() * self.count as f64 / self.jobs.get() as f64
    }

    /// Sentence on the time of all games: the upper bound if the clocks of one game allow `longest`, and the likely
    /// value if some were `seen` in a place. Empty if neither is known.
    pub fn time(
        self,
        what: &str,
        longest: Option<Duration>,
        measure: Measure,
        seen: &EarlierGames,
        place: &Path,
    ) -> String {
        let of_all = |game: Duration| {
            rough(Duration::from_secs(
                self.seconds(game).ceil().min(1e9) as u64
            ))
        };
        let of_clock = match measure {
            Measure::Wall => ["", ""],
            Measure::Cpu => [
                " of processor time",
                "; a bot that waits may take `wall-cap` for each action",
            ],
        };
        let (jobs, games) = (self.jobs, counted(self.count, "game", "games"));
        let most = longest.map(|game| {
            format!(
                "take at most {}{} at -j {jobs}, for {games}, if every bot uses all of its clock{}",
                of_all(game),
                of_clock[0],
                of_clock[1]
            )
        });
        let likely = seen.mean().map(|game| {
            format!(
                "likely take about {} at -j {jobs}: {} in {} took {:.1} s each on average",
                of_all(game),
                counted(seen.games, "game", "games"),
                place.display(),
                game.as_secs_f64()
            )
        });
        let parts: Vec<String> = likely.into_iter().chain(most).collect();
        if parts.is_empty() {
            String::new()
        } else {
            format!("{what} {}\n", parts.join("; they "))
        }
    }
}

/// Time of a game if both bots use their clocks up; `None` if a clock has no limit per game.
pub fn longest_game(plan: &Plan) -> Option<Duration> {
    let clocks = (0..plan.players.len()).map(|player| {
        let time = plan.time_of(player);
        time.whole_game().filter(|_| time.increment.is_zero())
    });
    let mut clocks: Vec<Duration> = clocks.collect::<Option<_>>()?;
    clocks.sort();
    Some(clocks.iter().rev().take(2).sum())
}
