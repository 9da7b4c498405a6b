//! What a grading needs before its first stage.

use std::fs;
use std::num::NonZeroU32;
use std::path::Path;

use super::folder::GradeFolder;
use super::{GradeError, Grading};
use crate::config::{Entry, KeepLogs, OwnTerms, Plan};
use crate::player::{Launch, Supervisor};
use crate::record::{RecordError, RecordProblem, draw_seed, write_whole};
use crate::runner::{Host, HostOptions, HostWarning};
use crate::schedule::Format;

/// The master seed: that of the configuration, or one that is drawn once for the class.
pub(super) fn seed(grading: &Grading, work: &Path) -> Result<u64, GradeError> {
    if let Some(seed) = grading.seed {
        return Ok(seed);
    }
    let path = work.join("seed");
    let known = fs::read_to_string(&path).ok();
    if let Some(seed) = known.and_then(|text| text.trim().parse().ok()) {
        return Ok(seed);
    }
    let seed = draw_seed().map_err(RecordError::at(&path, RecordProblem::Seed))?;
    write_whole(&path, &mut |file| writeln!(file, "{seed}"))?;
    Ok(seed)
}

/// How games are played on this machine.
pub(super) fn host(
    grading: &Grading,
    folder: &GradeFolder,
    options: HostOptions,
    supervisor: &Supervisor,
) -> Result<(Host, Vec<HostWarning>), GradeError> {
    let bot = Entry {
        name: "submission".to_owned(),
        display_name: None,
        house: None,
        launch: Launch {
            program: "sh".into(),
            args: Vec::new(),
            dir: Some(folder.work()),
            env: Vec::new(),
            course_files: None,
        },
        build: None,
        fresh_process: false,
        terms: OwnTerms::default(),
        variant: None,
    };
    let plan = Plan {
        name: grading.name.clone(),
        seed: None,
        games: vec![grading.game.clone()],
        format: Format::RoundRobin(NonZeroU32::MIN),
        time: grading.time.clone(),
        limits: grading.limits.clone(),
        keep_logs: KeepLogs::All,
        pages: None,
        players: grading.references.iter().cloned().chain([bot]).collect(),
        deciding_shards: None,
    };
    Ok(Host::new(&plan, supervisor.clone(), options)?)
}
