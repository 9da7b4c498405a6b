//! The folder of a plan as the commands on shards use it.

use std::path::{Path, PathBuf};

use crate::cli::arguments::known_games;
use crate::cli::exit::{Exit, Failure};
use crate::shards::PlanFolder;

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
