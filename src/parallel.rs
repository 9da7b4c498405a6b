//! Work on all processors, with the same results as on one.

use std::panic::resume_unwind;
use std::thread;

/// The results of some work on each item, in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let work = &work;
    thread::scope(|scope| {
        let parts: Vec<_> = items
            .chunks(items.len().div_ceil(threads).max(1))
            .map(|part| {
                let job = move || part.iter().map(work).collect::<Vec<R>>();
                // Where the system refuses another thread, this one does it.
                thread::Builder::new()
                    .spawn_scoped(scope, job)
                    .map_err(|_| job())
            })
            .collect();
        let done = parts.into_iter().flat_map(|part| match part {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(done) => done,
        });
        done.collect()
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
    #[should_panic(expected = "at 40")]
    fn a_panic_is_passed_on() {
        let items: Vec<u32> = (0..100).collect();
        super::map(&items, |item| assert!(*item != 40, "at {item}"));
    }
}
