//! Whether a tier of isolation holds on this machine.

use std::path::PathBuf;

use super::limits::{Confinement, IsolationError, Tier, landlock_rules};
use super::{sandbox, scratch};

impl Confinement {
    /// Tries whether all of it holds on this machine for bots that need `paths`: their folders and
    /// programs.
    ///
    /// # Errors
    ///
    /// The tier does not hold here; the error says why, and what would help.
    pub fn probe(&self, paths: &[PathBuf]) -> Result<(), IsolationError> {
        match self.isolation {
            Tier::Containment => Ok(()),
            Tier::Landlock => landlock_rules::probe().and_then(|()| scratch::probe()),
            Tier::Strict => sandbox::probe(self.scratch, paths),
        }
    }
}
