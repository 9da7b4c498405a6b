//! `referee plan`, `work`, `merge` and `status`: a tournament on many machines.

pub(super) mod lead;
pub(super) mod merge;
pub(super) mod plan;
pub(super) mod status;
pub(super) mod work;

use std::path::{Path, PathBuf};

use super::arguments::known_games;
use super::exit::{Exit, Failure};
use crate::shards::PlanFolder;

/// Opens the folder of a plan and changes into it: paths in its configuration are relative to it.
fn enter(path: &Path) -> Result<PlanFolder, Failure> {
    let path = change_to(path)?;
    Ok(PlanFolder::open(&path, known_games())?)
}

fn change_to(path: &Path) -> Result<PathBuf, Failure> {
    let whole = path.canonicalize();
    let entered = whole.and_then(|path| std::env::set_current_dir(&path).map(|()| path));
    entered.map_err(|error| Failure::new(Exit::File, format!("{}: {error}", path.display())))
}
