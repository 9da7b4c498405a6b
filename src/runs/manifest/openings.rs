//! The openings of a run, which it keeps beside its manifest.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::config::{Openings, PlannedGame};
use crate::game::Game;
use crate::runs::error::RunFileError;
use crate::runs::files::atomic_write::write_whole;
use crate::runs::files::digest::hex;

/// Path of the openings of a game.
pub(in crate::runs) fn openings_path(run: &Path, game: Game) -> PathBuf {
    run.join(format!("openings-{}.txt", game.name()))
}

/// Copies the openings into the run's folder, so that a moved run can still be verified.
pub(in crate::runs) fn write_openings(
    run: &Path,
    games: &[PlannedGame],
) -> Result<(), RunFileError> {
    for game in games {
        if let Some(openings) = game.openings() {
            let path = openings_path(run, game.game());
            write_whole(&path, &mut |file| {
                file.write_all(openings.text().as_bytes())
            })?;
        }
    }
    Ok(())
}

/// A digest of the openings. Comments in their file do not count.
pub(in crate::runs) fn digest_of_openings(openings: &Openings) -> String {
    format!("sha256:{}", hex(&Sha256::digest(openings.text())))
}
