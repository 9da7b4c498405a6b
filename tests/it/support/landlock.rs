//! The tiers of isolation of this machine.

use std::path::Path;

use crate::support::needs::skip;
use referee::bot::{Confinement, Tier};

/// Whether a tier holds here for bots that need `paths`. If not, prints that it is skipped.
pub fn tier_holds(tier: Tier, paths: &[&Path]) -> bool {
    let confinement = Confinement {
        isolation: tier,
        ..Confinement::default()
    };
    let paths: Vec<_> = paths.iter().map(|path| path.to_path_buf()).collect();
    confinement
        .probe(&paths)
        .inspect_err(|problem| skip(format!("the tier {}: {problem}", tier.name())))
        .is_ok()
}

/// Whether it holds here. If not, prints that the test is skipped.
pub fn landlock_holds() -> bool {
    tier_holds(Tier::Landlock, &[])
}
