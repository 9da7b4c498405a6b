//! The dispatcher of a run, its workers, and the interrupts that reach it.
//!
//! It is handed a queue of games and a folder, and gives the rows of the games to the journal and events to the
//! listener.

mod dispatcher;
mod worker;

use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, io, thread};

pub use dispatcher::{Completed, Dispatcher};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
pub use worker::{Audience, Bot, Starter, WorkerContext, spawn_worker};

use crate::bot::CancelPipe;
use crate::runner::VoidGame;
use crate::runner::queue::QueuedGame;
use crate::runs::{GameRow, RunFileError};

pub enum Task {
    Play(QueuedGame),
    /// Close the bots kept for the next game, then drop this sender.
    CloseBots(Sender<()>),
}

pub enum Message {
    GameEnded {
        worker: usize,
        game: QueuedGame,
        report: Result<GameReport, RunFileError>,
    },
    /// A worker panicked, and its thread has ended.
    WorkerFailed {
        worker: usize,
        problem: String,
    },
    Interrupted,
}

pub struct FinishedGame {
    pub row: GameRow,
    pub pgn: Option<String>,
}

pub enum GameReport {
    Finished(Box<FinishedGame>),
    Void(VoidGame),
    BrokenOff,
}

impl Interrupt {
    /// An interrupt that follows Ctrl-C, SIGTERM, SIGHUP and SIGXCPU: the first signal lets the games in play
    /// finish, the second breaks them off, the third ends the program as it would without a handler.
    pub fn on_signals() -> io::Result<Arc<Self>> {
        let mut signals = Signals::new(ending_signals())?;
        let interrupt = Arc::new(Self::new()?);
        let interrupted = Arc::clone(&interrupt);
        let forward = move || {
            for (earlier, signal) in signals.forever().enumerate() {
                match earlier {
                    0 => interrupted.finish_games(),
                    1 => interrupted.break_off_games(),
                    _ => {
                        // It fails only for signals that cannot be caught.
                        let _ = emulate_default_handler(signal);
                    }
                }
            }
        };
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(forward)?;
        Ok(interrupt)
    }
}

/// Turns writes beyond the file size limit (`ulimit -f`) into I/O errors. By default SIGXFSZ ends the program
/// without a message.
pub fn report_file_limits() {
    // Install a handler instead of ignoring the signal: child processes inherit an ignored signal but get the
    // default for a handled one. If registration fails, the default stays.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Signals that end this program. One that is started with nohup keeps running when its terminal closes.
pub fn ending_signals() -> impl Iterator<Item = i32> {
    [SIGINT, SIGTERM, SIGHUP, SIGXCPU]
        .into_iter()
        .filter(|signal| ![SIGHUP, SIGXCPU].contains(signal) || !is_ignored(*signal))
}

fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

/// Interrupts all runs of this process, from any thread.
#[derive(Debug)]
pub struct Interrupt {
    /// Cancelled by the first interrupt: nothing new begins; builds and checks end, because they count for
    /// nothing alone.
    finish_games: Arc<CancelPipe>,
    /// Cancelled by the second interrupt: games in play are broken off.
    break_off: Arc<CancelPipe>,
    /// Senders that wake the dispatchers of all runs in progress.
    dispatchers: Mutex<Dispatchers>,
}

#[derive(Debug, Default)]
struct Dispatchers {
    next: u64,
    all: Vec<(u64, Sender<Message>)>,
}

/// Registration of a dispatcher for interrupts, until dropped.
#[derive(Debug)]
pub struct Connection<'a> {
    interrupt: &'a Interrupt,
    number: u64,
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        let mut dispatchers = self.interrupt.dispatchers();
        dispatchers.all.retain(|(number, _)| *number != self.number);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InterruptLevel {
    /// Games in play are finished, and no more begin.
    FinishGames,
    BreakOffGames,
}

impl Interrupt {
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            finish_games: Arc::new(CancelPipe::new()?),
            break_off: Arc::new(CancelPipe::new()?),
            dispatchers: Mutex::default(),
        })
    }

    pub fn finish_games(&self) {
        self.finish_games.cancel();
        self.tell_dispatchers();
    }

    pub fn break_off_games(&self) {
        // First the level, then the message: a dispatcher that wakes reads the level.
        self.break_off.cancel();
        self.finish_games();
    }

    pub fn level(&self) -> Option<InterruptLevel> {
        if self.break_off.is_cancelled() {
            Some(InterruptLevel::BreakOffGames)
        } else if self.finish_games.is_cancelled() {
            Some(InterruptLevel::FinishGames)
        } else {
            None
        }
    }

    /// Pipe that wakes a player waiting for its bot when games are broken off.
    pub fn cancel_pipe(&self) -> Arc<CancelPipe> {
        Arc::clone(&self.break_off)
    }

    /// Pipe that wakes a build or a bot check at the first interrupt: unlike games, they are not finished.
    pub fn stop_pipe(&self) -> Arc<CancelPipe> {
        Arc::clone(&self.finish_games)
    }

    pub(super) fn connect(&self, dispatcher: Sender<Message>) -> Connection<'_> {
        let mut dispatchers = self.dispatchers();
        let number = dispatchers.next;
        dispatchers.next += 1;
        dispatchers.all.push((number, dispatcher));
        Connection {
            interrupt: self,
            number,
        }
    }

    fn tell_dispatchers(&self) {
        for (_, dispatcher) in &self.dispatchers().all {
            // If the dispatcher is gone, no game is left to interrupt.
            let _ = dispatcher.send(Message::Interrupted);
        }
    }

    fn dispatchers(&self) -> MutexGuard<'_, Dispatchers> {
        // No code under the lock panics with a half-done change, so a poisoned lock is still consistent.
        self.dispatchers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
