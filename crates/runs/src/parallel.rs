//! Work on several threads, with the same results as on one.

use std::any::Any;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, ScopedJoinHandle};

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

pub type Give<'a, T, E> = dyn FnMut(Vec<T>) -> Result<(), E> + 'a;

/// Maps batches of items in parallel, and passes each item with its result to `take`, in order. While one batch is
/// computed, the results of the batch before it are consumed.
pub fn map_ahead<T: Send + Sync, R: Send, E>(
    work: impl Fn(&T) -> R + Sync,
    take: &mut dyn FnMut(&T, R) -> Result<(), E>,
    feed: impl FnOnce(&mut Give<'_, T, E>) -> Result<(), E>,
) -> Result<(), E> {
    let work = &work;
    let mut show = |items: Arc<[T]>, results: Vec<R>| {
        let mut both = items.iter().zip(results);
        both.try_for_each(|(item, result)| take(item, result))
    };
    thread::scope(|scope| {
        // If the system refuses another thread, this one does the work.
        let mut finish = |(items, thread): (Arc<[T]>, Option<ScopedJoinHandle<'_, Vec<R>>>)| {
            let results = match thread {
                Some(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                None => map(&items, work),
            };
            show(items, results)
        };
        let mut ahead = None;
        feed(&mut |items| {
            let items: Arc<[T]> = items.into();
            let own = items.clone();
            let thread = Builder::new().spawn_scoped(scope, move || map(&own, work));
            let thread = thread.ok();
            ahead.replace((items, thread)).map_or(Ok(()), &mut finish)
        })?;
        ahead.map_or(Ok(()), finish)
    })
}

#[cfg(test)]
mod tests {
    use super::Failed;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

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
