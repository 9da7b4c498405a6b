//! Runs work on several threads (lanes).

use std::any::Any;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::GradeError;
use crate::runner::Interrupt;

/// Runs `work` on each item, on this number of lanes. Results are in the order of the items. No work begins
/// after the first error or an interrupt.
///
/// # Errors
/// The first error of an item, or the interrupt.
pub(super) fn in_lanes<T: Send, R: Send>(
    lanes: usize,
    items: Vec<T>,
    interrupt: &Interrupt,
    work: impl Fn(usize, T) -> Result<R, GradeError> + Sync,
) -> Result<Vec<R>, GradeError> {
    let count = items.len();
    let items = Mutex::new(items.into_iter().enumerate());
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(count));
    let failed: Mutex<Option<GradeError>> = Mutex::new(None);
    let lane = |lane: usize| {
        loop {
            let is_over = lock(&failed).is_some() || interrupt.level().is_some();
            let next = lock(&items).next();
            let (false, Some((at, item))) = (is_over, next) else {
                return;
            };
            match work(lane, item) {
                Ok(result) => lock(&done).push((at, result)),
                Err(error) => {
                    lock(&failed).get_or_insert(error);
                }
            }
        }
    };
    thread::scope(|scope| {
        let lane = &lane;
        let threads = (0..lanes.clamp(1, count.max(1))).map(|at| scope.spawn(move || lane(at)));
        let threads: Vec<_> = threads.collect();
        for thread in threads {
            if let Err(panic) = thread.join() {
                lock(&failed).get_or_insert(GradeError::Worker(message(panic.as_ref())));
            }
        }
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    if done.len() < count {
        return Err(GradeError::Stopped);
    }
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// Locks a list. No code under these locks can fail half-way, so a poisoned lock is still consistent.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "it panicked".to_owned())
}
