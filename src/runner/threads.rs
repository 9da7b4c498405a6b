//! Threads of a run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, Scope};

use super::RunError;
use crate::parallel::message;

/// Starts a thread. On a panic, `failed` gets its message and the other threads continue.
pub(super) fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: String,
    work: impl FnOnce() + Send + 'scope,
    failed: impl FnOnce(String) + Send + 'scope,
) -> Result<(), RunError> {
    let work = move || {
        // State left inconsistent by `work` is dropped with its thread.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            failed(message(panic.as_ref()));
        }
    };
    Builder::new()
        .name(name)
        .spawn_scoped(scope, work)
        .map_err(RunError::Thread)?;
    Ok(())
}
