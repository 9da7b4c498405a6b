//! Reads the meters of bots that nobody waits for.

use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use rustix::process::Pid;

use super::cpu_meter::{CpuMeter, LOOK};

/// A meter that another thread reads too while it is watched. Work of a short process shows only while the process lives.
#[derive(Debug, Clone)]
pub struct WatchedMeter(Arc<Mutex<CpuMeter>>);

type Watched = Vec<(WatchedMeter, Pid)>;

static WATCHED: Mutex<Watched> = Mutex::new(Vec::new());

static HAS_SOME: Condvar = Condvar::new();

static WATCHER: LazyLock<()> = LazyLock::new(|| {
    // If no thread can be started, the meters are read less often.
    let _ = thread::Builder::new()
        .name("off-turn".to_owned())
        .spawn(|| {
            loop {
                let some = HAS_SOME.wait_while(watched(), |watched| watched.is_empty());
                let watched = some.unwrap_or_else(PoisonError::into_inner).clone();
                for (meter, tree_root) in watched {
                    meter.lock().read(Some(tree_root), Instant::now());
                }
                thread::sleep(LOOK);
            }
        });
});

fn watched() -> MutexGuard<'static, Watched> {
    // No code under the lock can panic half-way, so a poisoned lock is still consistent.
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WatchedMeter {
    pub fn new(meter: CpuMeter) -> Self {
        Self(Arc::new(Mutex::new(meter)))
    }

    pub fn lock(&self) -> MutexGuard<'_, CpuMeter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the meter of the tree below this process read from now on.
    pub fn watch(&self, tree_root: Pid) {
        LazyLock::force(&WATCHER);
        watched().push((self.clone(), tree_root));
        HAS_SOME.notify_one();
    }

    pub fn unwatch(&self) {
        watched().retain(|(other, _)| !Arc::ptr_eq(&other.0, &self.0));
    }
}
