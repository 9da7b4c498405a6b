//! How a run is interrupted.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::dispatcher::Message;
use crate::player::CancelPipe;

/// Interrupts a run from any thread, one run at a time.
#[derive(Debug)]
pub struct Interrupt {
    finish_games: AtomicBool,
    break_off: Arc<CancelPipe>,
    /// Wakes the dispatcher of the run.
    dispatcher: Mutex<Option<Sender<Message>>>,
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
            finish_games: AtomicBool::new(false),
            break_off: Arc::new(CancelPipe::new()?),
            dispatcher: Mutex::new(None),
        })
    }

    /// Lets the games in play finish, and begins no more.
    pub fn finish_games(&self) {
        self.finish_games.store(true, Ordering::Relaxed);
        self.tell_dispatcher();
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
        } else if self.finish_games.load(Ordering::Relaxed) {
            Some(InterruptLevel::FinishGames)
        } else {
            None
        }
    }

    /// What wakes a player that waits for its bot when games are broken off.
    pub fn cancel_pipe(&self) -> Arc<CancelPipe> {
        Arc::clone(&self.break_off)
    }

    /// Has every interrupt from now on sent to a dispatcher as a message.
    pub(super) fn connect(&self, dispatcher: Sender<Message>) {
        *self.dispatcher() = Some(dispatcher);
    }

    /// Ends what [`Self::connect`] began.
    pub(super) fn disconnect(&self) {
        *self.dispatcher() = None;
    }

    fn tell_dispatcher(&self) {
        if let Some(dispatcher) = &*self.dispatcher() {
            // If the dispatcher is gone, no game is left to interrupt.
            let _ = dispatcher.send(Message::Interrupted);
        }
    }

    fn dispatcher(&self) -> MutexGuard<'_, Option<Sender<Message>>> {
        // Nothing is done under the lock that could fail half-way.
        self.dispatcher
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
