//! The threads of a run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, Scope};

use super::RunError;
use crate::parallel::message;

/// Starts a thread. If it panics, `failed` gets the message of the panic, and the other threads
/// continue.
pub(super) fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: String,
    work: impl FnOnce() + Send + 'scope,
    failed: impl FnOnce(String) + Send + 'scope,
) -> Result<(), RunError> {
    let work = move || {
        // Whatever `work` left inconsistent ends with its thread.
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
