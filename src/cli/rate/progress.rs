//! Progress of a rating on stderr. The end is not known, so the line shows the elapsed time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use crate::report::OpenWork;
use crate::text::counted;

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
