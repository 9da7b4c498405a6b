//! How a run is interrupted.

use std::io;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::dispatcher::Message;
use crate::player::CancelPipe;

/// Interrupts runs from any thread: all that go on in this process.
#[derive(Debug)]
pub struct Interrupt {
    /// Cancelled by the first interrupt: no more is begun, and what counts for nothing by itself ends.
    finish_games: Arc<CancelPipe>,
    break_off: Arc<CancelPipe>,
    /// Wake the dispatchers of the runs that go on, each under a number of its own.
    dispatchers: Mutex<Dispatchers>,
}

#[derive(Debug, Default)]
struct Dispatchers {
    next: u64,
    all: Vec<(u64, Sender<Message>)>,
}

/// A dispatcher that hears of every interrupt until this is dropped.
#[derive(Debug)]
pub(super) struct Connection<'a> {
    interrupt: &'a Interrupt,
    number: u64,
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        let mut dispatchers = self.interrupt.dispatchers();
        dispatchers.all.retain(|(number, _)| *number != self.number);
    }
}

/// How far a run is interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InterruptLevel {
    /// The games in play are finished, and no more are begun.
    FinishGames,
    /// The games in play are broken off.
    BreakOffGames,
}

impl Interrupt {
    /// A run that is not interrupted yet.
    ///
    /// # Errors
    ///
    /// The machine has no pipe to spare.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            finish_games: Arc::new(CancelPipe::new()?),
            break_off: Arc::new(CancelPipe::new()?),
            dispatchers: Mutex::default(),
        })
    }

    /// Lets the games in play finish, and begins no more.
    pub fn finish_games(&self) {
        self.finish_games.cancel();
        self.tell_dispatchers();
    }

    /// Breaks off the games in play. They count for nothing.
    pub fn break_off_games(&self) {
        self.break_off.cancel();
        self.finish_games();
    }

    /// How far the run is interrupted; `None` is not at all.
    pub fn level(&self) -> Option<InterruptLevel> {
        if self.break_off.is_cancelled() {
            Some(InterruptLevel::BreakOffGames)
        } else if self.finish_games.is_cancelled() {
            Some(InterruptLevel::FinishGames)
        } else {
            None
        }
    }

    /// What wakes a player that waits for its bot when games are broken off.
    pub fn cancel_pipe(&self) -> Arc<CancelPipe> {
        Arc::clone(&self.break_off)
    }

    /// What wakes whoever waits for a build or for a bot that is checked, at the first interrupt: unlike games, they
    /// are not finished.
    pub fn stop_pipe(&self) -> Arc<CancelPipe> {
        Arc::clone(&self.finish_games)
    }

    /// Has every interrupt from now on sent to a dispatcher as a message.
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
        // Nothing is done under the lock that could fail half-way.
        self.dispatchers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
