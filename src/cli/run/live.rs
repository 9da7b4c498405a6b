//! `referee run --live`: writes the index of a run's pages while games are played.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::cli::arguments::known_games;
use crate::cli::exit::Failure;
use crate::cli::report::{index_of, write_index};
use crate::pages::PageError;
use crate::report::{print_to_stderr, warn};
use crate::runs::{JOURNAL, Run};

const EVERY: Duration = Duration::from_secs(1);

/// Minimum time between two writes, as a multiple of the time to make the index. It bounds the thread's share of a
/// processor, however many games there are.
const REST: u32 = 20;

/// Index of a run in progress. Its own thread writes it from the journal, so that the run never waits.
pub struct LiveIndex {
    run: PathBuf,
    /// Dropped at the end.
    going_on: Sender<()>,
    writer: JoinHandle<Result<(), PageError>>,
}

impl LiveIndex {
    pub fn start(run: &Path, quiet: bool) -> Result<Self, Failure> {
        if !quiet {
            print_to_stderr(&format!("live page: {}", index_of(run).display()));
        }
        let (going_on, end) = channel();
        let folder = run.to_owned();
        let writer = thread::Builder::new().name("live page".to_owned());
        let writer = writer.spawn(move || follow(&folder, &end));
        let writer = writer.map_err(|error| {
            let problem = format!("no thread for the live page: {error}");
            Failure::failed(problem)
        })?;
        Ok(Self {
            run: run.to_owned(),
            going_on,
            writer,
        })
    }

    pub fn end(self) -> EndedIndex {
        drop(self.going_on);
        match self.writer.join() {
            Ok(written) => warn_of(written),
            Err(_) => warn("the thread of the live page failed"),
        }
        EndedIndex(self.run)
    }
}

/// Index of a run that has ended. It loads itself again until it is written once more.
pub struct EndedIndex(PathBuf);

impl EndedIndex {
    /// Writes the index once more, for a run that has no other pages.
    pub fn write(&self) {
        let run = Run::open(&self.0, known_games()).map_err(PageError::from);
        warn_of(run.and_then(|run| write_index(&run)));
    }
}

fn warn_of(written: Result<(), PageError>) {
    if let Err(error) = written {
        warn(&format!("the live page could not be written: {error}"));
    }
}

fn follow(run: &Path, end: &Receiver<()>) -> Result<(), PageError> {
    let run = Run::open(run, known_games())?;
    let journal = run.path().join(JOURNAL);
    let mut written = None;
    let mut rest = EVERY;
    loop {
        let length = std::fs::metadata(&journal).ok().map(|it| it.len());
        if written != Some(length) {
            let begun = Instant::now();
            write_index(&run)?;
            written = Some(length);
            rest = EVERY.max(begun.elapsed() * REST);
        }
        match end.recv_timeout(rest) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}
