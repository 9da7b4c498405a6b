//! The tier `landlock` of this machine.

use referee::player::{Confinement, Tier};

/// Whether it holds here. If not, prints that the test is skipped.
pub fn landlock_holds() -> bool {
    let confinement = Confinement {
        isolation: Tier::Landlock,
        ..Confinement::default()
    };
    match confinement.probe(&[]) {
        Ok(()) => true,
        Err(problem) => {
            println!("skipped: needs the tier landlock: {problem}");
            false
        }
    }
}
