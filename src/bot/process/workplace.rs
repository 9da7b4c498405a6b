//! The place of a thread that referees games. A [`Service`](super::Service) that the thread asks works there too.
//!
//! It is a property of the thread, as a thread's affinity is: a game is a value that knows no thread, so it could not
//! hand a place to the program that has its rules.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::bot::machine::Lane;
use crate::bot::pipes::CancelPipe;

thread_local! {
    static HERE: RefCell<Option<Arc<Workplace>>> = const { RefCell::new(None) };
}

/// The place of a thread that referees games.
#[derive(Debug, Default)]
pub struct Workplace {
    /// The lane of its games.
    pub lane: Option<Arc<Lane>>,
    /// The logical processors of its games; empty if they have no fixed ones.
    pub cpus: Vec<u32>,
    /// Ends every wait once it is cancelled.
    pub cancel: Option<Arc<CancelPipe>>,
    was_left: AtomicBool,
}

/// A thread at its workplace, until dropped.
#[derive(Debug)]
pub struct AtWork {
    place: Arc<Workplace>,
    /// Dropped by the thread that entered.
    _of_this_thread: PhantomData<*const ()>,
}

impl Workplace {
    /// A place with these processors, whose waits `cancel` ends.
    pub fn new(lane: Option<Arc<Lane>>, cpus: Vec<u32>, cancel: Option<Arc<CancelPipe>>) -> Self {
        Self {
            lane,
            cpus,
            cancel,
            was_left: AtomicBool::new(false),
        }
    }

    /// Lets this thread work here.
    pub fn enter(self) -> AtWork {
        let place = Arc::new(self);
        HERE.with_borrow_mut(|here| *here = Some(Arc::clone(&place)));
        AtWork {
            place,
            _of_this_thread: PhantomData,
        }
    }

    /// The place of this thread, if it has one.
    pub fn of_this_thread() -> Option<Arc<Self>> {
        HERE.with_borrow(Clone::clone)
    }

    /// Whether its processes keep to some processors.
    pub(super) fn binds(&self) -> bool {
        self.lane.is_some() || !self.cpus.is_empty()
    }

    /// Whether its thread has left it.
    pub fn was_left(&self) -> bool {
        self.was_left.load(Ordering::Relaxed)
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.place.was_left.store(true, Ordering::Relaxed);
        HERE.with_borrow_mut(|here| *here = None);
    }
}
