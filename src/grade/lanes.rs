//! Runs work of a grading on several threads.

use super::GradeError;
use crate::parallel::{self, Failed};
use crate::runner::Interrupt;

/// Runs `work` on each item, as [`parallel::on_threads`] does, until it is interrupted.
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
    let is_over = || interrupt.level().is_some();
    match parallel::in_lanes(lanes, items, &is_over, work) {
        Ok(done) if done.len() < count => Err(GradeError::Stopped),
        Ok(done) => Ok(done),
        Err(Failed::Error(error)) => Err(error),
        Err(Failed::Panic(panic)) => Err(GradeError::Worker(parallel::message(panic.as_ref()))),
    }
}
