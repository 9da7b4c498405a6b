//! Setup of a grading: its session, its seed and its host.

use std::fs;
use std::path::Path;

use super::folder::GradeFolder;
use super::{GradeError, Grading};
use crate::bot::Supervisor;
use crate::clock::TimeControl;
use crate::runner::{Demands, Host, HostOptions, HostWarning, program_launches, turns_of};
use crate::runs::{RunFileError, RunFileProblem, draw_seed, write_whole};

/// The master seed: the configuration's, or one that is drawn once for the class.
pub(super) fn seed(grading: &Grading, work: &Path) -> Result<u64, GradeError> {
    if let Some(seed) = grading.seed {
        return Ok(seed);
    }
    let path = work.join("seed");
    let known = fs::read_to_string(&path).ok();
    if let Some(seed) = known.and_then(|text| text.trim().parse().ok()) {
        return Ok(seed);
    }
    let seed = draw_seed().map_err(RunFileError::at(&path, RunFileProblem::Seed))?;
    write_whole(&path, &mut |file| writeln!(file, "{seed}"))?;
    Ok(seed)
}

/// Host of the games on this machine. `work` is a folder with bots besides the references.
pub(super) fn host(
    grading: &Grading,
    folder: &GradeFolder,
    options: HostOptions,
    supervisor: &Supervisor,
) -> Result<(Host, Vec<HostWarning>), GradeError> {
    let references = &grading.references;
    let own_times = references.iter().filter_map(|it| it.terms.time.as_ref());
    let of_tests = grading.tests.iter().map(|test| &test.game);
    let games = of_tests.chain([&grading.game]);
    let demands = Demands {
        turns: turns_of(games),
        bots: program_launches(references),
        folders: vec![folder.work()],
        builds: references.iter().any(|it| it.build.is_some()),
        is_limited: own_times
            .chain([&grading.time])
            .any(TimeControl::is_limited),
        time: &grading.time,
        limits: &grading.limits,
    };
    Ok(Host::new(&demands, supervisor.clone(), options)?)
}
