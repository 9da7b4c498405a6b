//! Parallel map over all processors, with the same results as on one.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, Scope, ScopedJoinHandle};

/// Work running in another thread, or its result.
struct Job<'scope, R>(Result<ScopedJoinHandle<'scope, R>, R>);

impl<'scope, R: Send + 'scope> Job<'scope, R> {
    /// Starts the work in a new thread, or runs it here if the system refuses one.
    fn start<F>(scope: &'scope Scope<'scope, '_>, work: F) -> Self
    where
        F: FnOnce() -> R + Clone + Send + 'scope,
    {
        let thread = thread::Builder::new().spawn_scoped(scope, work.clone());
        Self(thread.map_err(|_| work()))
    }

    /// Waits for the result.
    fn finish(self) -> R {
        match self.0 {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(done) => done,
        }
    }
}

/// Callback that receives the next batch of items.
pub type Give<'a, T, E> = dyn FnMut(Vec<T>) -> Result<(), E> + 'a;

/// Maps batches of items in parallel, and passes each item with its result to `take`, in order. While one batch is
/// computed, the results of the batch before it are consumed.
///
/// # Errors
///
/// The first error of `take` or `feed`.
pub fn map_ahead<T: Send + Sync, R: Send, E>(
    work: impl Fn(&T) -> R + Sync,
    take: &mut dyn FnMut(&T, R) -> Result<(), E>,
    feed: impl FnOnce(&mut Give<'_, T, E>) -> Result<(), E>,
) -> Result<(), E> {
    let work = &work;
    let mut show = |(items, results): (Arc<[T]>, Vec<R>)| {
        let mut both = items.iter().zip(results);
        both.try_for_each(|(item, result)| take(item, result))
    };
    thread::scope(|scope| {
        let mut ahead: Option<Job<'_, _>> = None;
        feed(&mut |items| {
            let items: Arc<[T]> = items.into();
            let job = Job::start(scope, move || (items.clone(), map(&items, work)));
            // Consumes the previous batch only now that this one is running.
            ahead.replace(job).map_or(Ok(()), |job| show(job.finish()))
        })?;
        ahead.map_or(Ok(()), |job| show(job.finish()))
    })
}

/// Maps items in parallel. Results are in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let work = &work;
    thread::scope(|scope| {
        let parts: Vec<_> = items
            .chunks(items.len().div_ceil(threads).max(1))
            .map(|part| Job::start(scope, move || part.iter().map(work).collect::<Vec<R>>()))
            .collect();
        parts.into_iter().flat_map(Job::finish).collect()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_order_stays_and_nothing_is_lost() {
        for count in [0, 1, 2, 63, 64, 1000] {
            let items: Vec<u32> = (0..count).collect();
            let doubled: Vec<u32> = items.iter().map(|item| 2 * item).collect();
            assert_eq!(super::map(&items, |item| 2 * item), doubled);
        }
    }

    #[test]
    fn what_is_worked_on_ahead_is_shown_in_order_until_an_error() {
        for last in [0, 1, 7, 100] {
            let mut shown = Vec::new();
            let ended = super::map_ahead(
                |item: &u32| 2 * item,
                &mut |item, doubled| {
                    assert_eq!(doubled, 2 * item);
                    shown.push(*item);
                    if *item == 50 { Err("at 50") } else { Ok(()) }
                },
                |give| (0..last).try_for_each(|at| give(vec![2 * at, 2 * at + 1])),
            );
            let all: Vec<u32> = (0..2 * last).take(51).collect();
            assert_eq!(shown, all);
            assert_eq!(ended, if last == 100 { Err("at 50") } else { Ok(()) });
        }
    }

    #[test]
    #[should_panic(expected = "at 40")]
    fn a_panic_is_passed_on() {
        let items: Vec<u32> = (0..100).collect();
        super::map(&items, |item| assert!(*item != 40, "at {item}"));
    }
}
