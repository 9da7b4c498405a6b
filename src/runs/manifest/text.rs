//! The manifest as a file, and its digest.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::Manifest;
use super::tables::Stamp;
use crate::config::Plan;
use crate::runs::MANIFEST;
use crate::runs::error::RunFileError;
use crate::runs::files::atomic_write::write_whole;
use crate::runs::files::digest::hex;
use crate::runs::identity::sources::Sources;

/// The manifest of a run as TOML.
pub(in crate::runs) fn manifest_text(
    path: &Path,
    plan: &Plan,
    seed: u64,
    stamp: &Stamp,
    sources: &Sources,
) -> Result<String, RunFileError> {
    Manifest::new(plan, seed, stamp, sources)
        .and_then(|manifest| manifest.text())
        .map_err(|problem| RunFileError::new(path.join(MANIFEST), problem))
}

/// Writes the manifest of a run.
pub(in crate::runs) fn write_manifest(run: &Path, text: &str) -> Result<(), RunFileError> {
    write_whole(&run.join(MANIFEST), &mut |file| {
        file.write_all(text.as_bytes())
    })
}

/// Digest, in hexadecimal digits, of everything that decides a plan's games: game, clock, limits, seed,
/// players and their bots. The number of games of fixed pairings does not count, nor do the machine and the
/// time.
///
/// # Errors
/// A bot cannot be read.
pub fn plan_key(plan: &Plan, seed: u64, stamp: Stamp) -> Result<String, RunFileError> {
    let text = Manifest::new(plan, seed, &stamp, &Sources::default())
        .and_then(|manifest| manifest.without_circumstances().text())
        .map_err(|problem| RunFileError::new(MANIFEST, problem))?;
    Ok(hex(&Sha256::digest(text)))
}
