//! Interrupts of a run.

use std::io;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::messages::Message;
use crate::bot::CancelPipe;

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

/// Interrupt level of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InterruptLevel {
    /// Games in play are finished, and no more begin.
    FinishGames,
    /// Games in play are broken off.
    BreakOffGames,
}

impl Interrupt {
    /// A new interrupt, not yet triggered.
    ///
    /// # Errors
    ///
    /// No pipe can be opened.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            finish_games: Arc::new(CancelPipe::new()?),
            break_off: Arc::new(CancelPipe::new()?),
            dispatchers: Mutex::default(),
        })
    }

    /// Lets games in play finish, and begins no more.
    pub fn finish_games(&self) {
        self.finish_games.cancel();
        self.tell_dispatchers();
    }

    /// Breaks off the games in play, which then do not count.
    pub fn break_off_games(&self) {
        // First the level, then the message: a dispatcher that wakes reads the level.
        self.break_off.cancel();
        self.finish_games();
    }

    /// Current level; `None` if not interrupted.
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

    /// Sends every later interrupt to a dispatcher as a message.
    pub(in crate::runner) fn connect(&self, dispatcher: Sender<Message>) -> Connection<'_> {
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
