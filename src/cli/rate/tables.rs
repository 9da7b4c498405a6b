//! The tables of `referee rate`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use clap::ValueEnum;

use super::{RateArgs, RateError, RateFormat, RateTable};
use crate::report::{self, OpenWork, ReportTable};
use crate::results::Rated;
use crate::text::counted;

impl RateTable {
    /// The tables of a document for which none were given.
    const DEFAULT: [RateTable; 4] = [
        RateTable::Ratings,
        RateTable::Standings,
        RateTable::Crosstable,
        RateTable::Match,
    ];

    /// This table.
    fn table(self, rated: &[Rated<'_>]) -> ReportTable {
        match self {
            RateTable::Ratings => report::ratings(rated),
            RateTable::Standings => report::standings(rated),
            RateTable::Crosstable => report::crosstable(rated).collect(),
            RateTable::Superiority => report::superiority(rated).collect(),
            RateTable::Covariance => report::covariance(rated).collect(),
            RateTable::Match => report::matches(rated),
        }
    }

    /// The greatest number of players of a game for which it can be made.
    fn most_players(self) -> Option<usize> {
        match self {
            RateTable::Match => Some(2),
            RateTable::Ratings
            | RateTable::Standings
            | RateTable::Crosstable
            | RateTable::Superiority
            | RateTable::Covariance => None,
        }
    }
}

/// The tables to print. None stands for the summary on a terminal.
pub(super) fn tables(args: &RateArgs, rated: &[Rated<'_>]) -> Result<Vec<ReportTable>, RateError> {
    let names = match (args.table.as_slice(), args.format) {
        ([], RateFormat::Terminal) => &[],
        ([], RateFormat::Csv) => &[RateTable::Ratings][..],
        ([], RateFormat::Json) => &RateTable::DEFAULT,
        (names, _) => names,
    };
    for name in &args.table {
        let Some(most) = name.most_players() else {
            continue;
        };
        if let Some(one) = rated.iter().find(|one| one.order.len() > most) {
            return Err(RateError::TablePlayers {
                table: name
                    .to_possible_value()
                    .map_or_else(String::new, |it| it.get_name().to_owned()),
                game: one.game.clone(),
                players: one.order.len(),
                most,
            });
        }
    }
    Ok(names.iter().map(|name| name.table(rated)).collect())
}

/// Interval of redraws.
const TICK: Duration = Duration::from_millis(100);

/// Number of games read between two updates of the line.
const GAMES: u64 = 10_000;

/// Progress of a rating, until dropped.
pub(super) struct RateProgress(Arc<Mutex<ProgressState>>);

struct ProgressState {
    /// `None` after the end.
    work: Option<OpenWork>,
    what: String,
}

impl RateProgress {
    /// Progress from now on.
    pub fn new() -> Self {
        let shown = Arc::new(Mutex::new(ProgressState {
            work: Some(OpenWork::new(false)),
            what: "reading games".to_owned(),
        }));
        let watched = Arc::downgrade(&shown);
        // Without its thread the games are rated without progress.
        let _ = thread::Builder::new()
            .name("progress".to_owned())
            .spawn(move || watch(&watched));
        Self(shown)
    }

    /// Takes in how many games were read so far.
    pub fn has_read(&self, games: u64) {
        if games.is_multiple_of(GAMES) {
            lock(&self.0).what = format!("{} read", counted(games, "game", "games"));
        }
    }

    /// Takes in the work that begins now.
    pub fn begins(&self, what: String) {
        lock(&self.0).what = what;
    }

    /// Prints a message that stays.
    pub fn say(&self, message: &str) {
        if let Some(work) = &lock(&self.0).work {
            work.say(message);
        }
    }
}

impl Drop for RateProgress {
    fn drop(&mut self) {
        lock(&self.0).work = None;
    }
}

/// Redraws as time passes, until the progress is dropped.
fn watch(shown: &Weak<Mutex<ProgressState>>) {
    while let Some(shown) = shown.upgrade() {
        let mut state = lock(&shown);
        let ProgressState { work, what } = &mut *state;
        if let Some(work) = work {
            work.show_if_due(what);
        }
        drop(state);
        drop(shown);
        thread::sleep(TICK);
    }
}

/// Locks the state. No code under this lock can fail half-way, so a poisoned lock is still consistent.
fn lock(shown: &Mutex<ProgressState>) -> MutexGuard<'_, ProgressState> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}
