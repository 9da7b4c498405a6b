//! Work on several threads, with the same results as on one.

use std::any::Any;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

pub type Panic = Box<dyn Any + Send>;

#[derive(Debug)]
pub enum Failed<E> {
    Error(E),
    Panic(Panic),
}

/// Runs `work` on each item, on this many threads, with the index of the thread. The results are in the order of the
/// items. After the first error, and once `is_over`, no more items are begun: then there are fewer results than items.
pub fn in_lanes<T: Send, R: Send, E: Send>(
    lanes: usize,
    items: Vec<T>,
    is_over: &(dyn Fn() -> bool + Sync),
    work: impl Fn(usize, T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, Failed<E>> {
    let count = items.len();
    let items = Mutex::new(items.into_iter().enumerate());
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(count));
    let failed: Mutex<Option<Failed<E>>> = Mutex::new(None);
    let lane = |lane: usize| {
        loop {
            let is_over = lock(&failed).is_some() || is_over();
            let next = lock(&items).next();
            let (false, Some((at, item))) = (is_over, next) else {
                return;
            };
            // Nobody sees what a panic left half done: all results are dropped.
            let problem = match catch_unwind(AssertUnwindSafe(|| work(lane, item))) {
                Ok(Ok(result)) => {
                    lock(&done).push((at, result));
                    continue;
                }
                Ok(Err(error)) => Failed::Error(error),
                Err(panic) => Failed::Panic(panic),
            };
            lock(&failed).get_or_insert(problem);
        }
    };
    thread::scope(|scope| {
        let lane = &lane;
        for at in 1..lanes.min(count) {
            // Where the system refuses another thread, there are fewer lanes.
            let _ = Builder::new().spawn_scoped(scope, move || lane(at));
        }
        lane(0);
    });
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(failed) = failed {
        return Err(failed);
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// Locks a mutex. No code under these locks panics, so a poisoned one is still consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "it panicked".to_owned())
}

/// Runs `work` on each item, on all processors. The results are in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let lanes = thread::available_parallelism().map_or(1, usize::from);
    let work = |_, item| Ok::<_, Infallible>(work(item));
    match in_lanes(lanes, items.iter().collect(), &|| false, work) {
        Ok(results) => results,
        Err(Failed::Error(never)) => match never {},
        Err(Failed::Panic(panic)) => resume_unwind(panic),
    }
}

#[cfg(test)]
mod tests {
    use super::Failed;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn nothing_more_is_begun_after_an_error_or_once_it_is_over() {
        let begun = AtomicUsize::new(0);
        let work = |_, item: usize| {
            begun.fetch_add(1, SeqCst);
            if item == 3 { Err("at 3") } else { Ok(item) }
        };
        let ended = super::in_lanes(1, (0..9).collect(), &|| false, work);
        assert!(matches!(ended, Err(Failed::Error("at 3"))), "{ended:?}");
        assert_eq!(begun.load(SeqCst), 4);
        let is_over = || begun.load(SeqCst) >= 6;
        let ended = super::in_lanes(1, vec![7; 9], &is_over, work);
        assert_eq!(ended.expect("no error"), [7, 7]);
    }

    #[test]
    #[should_panic(expected = "at 40")]
    fn a_panic_is_passed_on() {
        let items: Vec<u32> = (0..100).collect();
        super::map(&items, |item| assert!(*item != 40, "at {item}"));
    }
}
