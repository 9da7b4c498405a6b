//! The folder of a plan as the commands on shards use it, and the words for its shards.

use std::path::{Path, PathBuf};

use crate::cli::arguments::known_games;
use crate::cli::exit::{Exit, Failure};
use crate::shards::{PlanFolder, ShardUnit, ranges};

/// Opens the folder of a plan and changes into it: paths in its configuration are relative to it.
pub(super) fn enter(path: &Path) -> Result<PlanFolder, Failure> {
    let path = change_to(path)?;
    Ok(PlanFolder::open(&path, known_games())?)
}

/// Changes into a folder and returns its canonical path.
pub(super) fn change_to(path: &Path) -> Result<PathBuf, Failure> {
    let whole = path.canonicalize();
    let entered = whole.and_then(|path| std::env::set_current_dir(&path).map(|()| path));
    entered.map_err(|error| Failure::new(Exit::File, format!("{}: {error}", path.display())))
}

/// A shard in words, with its wave if it has one.
pub(super) fn unit_words(unit: ShardUnit) -> String {
    match unit.wave {
        0 => unit.shard.to_string(),
        wave => format!("{} of wave {wave}", unit.shard),
    }
}

/// Shards as ranges (`0,3-7`), by wave if there are waves.
pub(super) fn units_words(units: &[ShardUnit]) -> String {
    let waves = units.chunk_by(|one, next| one.wave == next.wave);
    let words = waves.map(|units| {
        let numbers = ranges(units.iter().map(|unit| unit.shard));
        match units[0].wave {
            0 => numbers,
            wave => format!("{numbers} of wave {wave}"),
        }
    });
    words.collect::<Vec<_>>().join(", ")
}
