//! `referee run --live`: writes a page with the state of the run while it is played.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use crate::cli::exit::{Exit, Failure};
use crate::cli::report::REPORT;
use crate::config::Plan;
use crate::pages::{LIVE, LiveRun, LiveState, PageError};
use crate::report::{Count, print_to_stderr, test_ratio, warn};
use crate::runner::{Event, GameCount, TestState};
use crate::runs::{GameRow, RunFileError, RunFileProblem, write_whole};

/// Minimum time between two writes of the page.
const EVERY: Duration = Duration::from_secs(1);

/// Minimum time between two writes, as a multiple of the time to make the page. It bounds the thread's share of
/// a processor, however many players there are.
const REST: u32 = 20;

/// Message to the thread of the page.
enum News {
    Begun(GameCount),
    Finished(Box<GameRow>),
    SetAside,
    Tested(&'static str, Box<TestState>),
}

/// State of the page.
pub struct LivePage {
    path: PathBuf,
    run: LiveRun,
    count: Count,
    begun: Instant,
    /// State of each game's sequential test, as text.
    tests: BTreeMap<&'static str, String>,
    /// The first error of a write.
    failed: Option<PageError>,
}

/// Page of a run in progress. Its own thread writes it, so that the run never waits.
pub struct Live {
    news: Sender<News>,
    writer: JoinHandle<LivePage>,
}

impl LivePage {
    /// The page of a run of this plan in this folder.
    pub fn new(plan: &Plan, folder: &Path) -> Self {
        let games = plan.games.iter().map(|planned| planned.game().label());
        let players: Vec<&str> = plan.players.iter().map(|it| it.name.as_str()).collect();
        Self {
            path: folder.join(REPORT).join(LIVE),
            run: LiveRun::new(&plan.name, folder, plan.display_names())
                .with_tests(games.zip(plan.schedules(0)), &players),
            count: Count::none(),
            begun: Instant::now(),
            tests: BTreeMap::new(),
            failed: None,
        }
    }

    /// Takes in a game played before this run was resumed.
    pub fn played_before(&mut self, row: &GameRow) {
        self.run.add(row);
        self.count.before += 1;
        self.count.done += 1;
    }

    /// Starts the thread that writes the page as games end. Prints its path unless `quiet`.
    pub fn start(self, quiet: bool) -> Result<Live, Failure> {
        if !quiet {
            print_to_stderr(&format!("live page: {}", self.path.display()));
        }
        let (news, receiver) = channel();
        let writer = thread::Builder::new().name("live page".to_owned());
        let writer = writer.spawn(move || self.follow(&receiver));
        let writer = writer.map_err(|error| {
            Failure::new(
                Exit::Failed,
                format!("no thread for the live page: {error}"),
            )
        })?;
        Ok(Live { news, writer })
    }

    fn follow(mut self, news: &Receiver<News>) -> Self {
        let mut due = Some(Instant::now());
        let mut earliest = Instant::now();
        loop {
            if due.is_some_and(|due| Instant::now() >= due) {
                let begun = Instant::now();
                let progress = [self.count.games(), self.count.speed(self.begun.elapsed())];
                self.write(progress.join("  ").trim_end(), true, false);
                earliest = Instant::now() + EVERY.max(begun.elapsed() * REST);
                due = None;
            }
            // Block on the channel instead of polling: messages of a fast run pile up only while a page is
            // made.
            let told = match due {
                None => news.recv().map_err(RecvTimeoutError::from),
                Some(due) => news.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match told {
                Ok(told) => {
                    self.take_in(told);
                    due = Some(earliest);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self,
            }
        }
    }

    fn take_in(&mut self, news: News) {
        match news {
            News::Begun(games) => {
                self.count.all = games;
                self.begun = Instant::now();
            }
            News::Finished(row) => {
                self.run.add(&row);
                self.count.done += 1;
            }
            News::SetAside => self.count.done += 1,
            News::Tested(game, test) => {
                self.tests.insert(game, test_ratio(&test));
                self.run.tested(game, *test);
            }
        }
    }

    fn write(&mut self, progress: &str, going_on: bool, index: bool) {
        let tests = self.tests.iter();
        let tests: Vec<String> = tests
            .map(|(game, ratio)| format!("{game}: {ratio}"))
            .collect();
        let state = LiveState {
            progress,
            done: self.count.done,
            most: self.count.most(),
            tests: &tests,
            going_on,
            index,
        };
        let written = self.run.page(&state).and_then(|page| {
            make_folder(&self.path)?;
            let write = &mut |file: &mut dyn io::Write| file.write_all(page.as_bytes());
            Ok(write_whole(&self.path, write)?)
        });
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
    }
}

/// Makes the folder of the page, but not the folder of the run, which may have been moved away.
fn make_folder(page: &Path) -> Result<(), RunFileError> {
    let folder = page.parent().unwrap_or(page);
    match fs::create_dir(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(RunFileError {
            path: folder.to_owned(),
            problem: RunFileProblem::Make(error),
        }),
        _ => Ok(()),
    }
}

impl Live {
    /// Sends an event to the page.
    pub fn event(&self, event: &Event<'_>) {
        let news = match event {
            Event::Begun { games } => News::Begun(*games),
            Event::Finished(row) => News::Finished(Box::new((*row).clone())),
            Event::SetAside { .. } => News::SetAside,
            Event::Tested { game, test } => News::Tested(game, Box::new(test.clone())),
            Event::Pgn { .. }
            | Event::Building { .. }
            | Event::Unbuilt { .. }
            | Event::Void { .. }
            | Event::Stopping { .. }
            | Event::BreakingOff { .. }
            | Event::SlowRules { .. }
            | Event::Concluded { .. } => return,
        };
        // If the thread has failed, only the page is lost; the run goes on.
        let _ = self.news.send(news);
    }

    /// Writes the page for the last time, after the run ended, possibly `early`. `index` tells whether the
    /// index of all results is beside it. A failed write, now or before, is a warning.
    pub fn end(self, early: bool, index: bool) {
        drop(self.news);
        let Ok(mut page) = self.writer.join() else {
            return warn("the thread of the live page failed");
        };
        let words = if early {
            "The run ended early"
        } else {
            "The run has ended"
        };
        page.write(&format!("{words}: {}.", page.count.games()), false, index);
        if let Some(error) = page.failed {
            warn(&format!("the live page could not be written: {error}"));
        }
    }
}
