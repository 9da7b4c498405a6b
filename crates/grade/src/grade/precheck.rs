//! Finds submissions and references that cannot be unpacked, built or loaded, before a class is graded. No game is
//! played, and no state of a grading is changed.

use std::fs;
use std::path::PathBuf;

use super::bots::{
    BrokenBot, Builder, Checker, CommonCause, equal_programs, keep_reference, prepare,
};
use super::{
    Candidate, Class, GradeError, GradeFolder, Grading, IntakeIssue, Listen, Step, host, in_lanes,
};
use crate::bot::Supervisor;
use crate::runner::{HostOptions, Interrupt};
use crate::runs::{Lock, RunFileError, RunFileProblem, remove_folder};

const PLACE: &str = "check";

#[derive(Debug, Clone, Copy)]
pub struct ClassCheck<'a> {
    pub host: HostOptions,
    pub supervisor: &'a Supervisor,
    pub interrupt: &'a Interrupt,
}

#[derive(Debug, Default)]
pub struct Unfit {
    pub problems: Vec<IntakeIssue>,
    pub equal: Vec<IntakeIssue>,
    pub common: Vec<CommonCause>,
}

struct LookedAt {
    key: String,
    program: String,
    broken: Option<BrokenBot>,
}

impl ClassCheck<'_> {
    /// Unpacks, builds and loads the submissions under the conditions of a grading in this folder, and leaves
    /// no trace there. The references come first.
    ///
    /// # Errors
    /// A reference cannot be built or loaded, the machine failed, or the check was interrupted.
    pub fn look(
        &self,
        grading: &Grading,
        class: &Class,
        folder: &GradeFolder,
        listen: &Listen,
    ) -> Result<Unfit, GradeError> {
        let candidates = class.candidates.iter();
        let candidates: Vec<&Candidate> = candidates.filter(|it| it.playable().is_some()).collect();
        if candidates.is_empty() && grading.references.is_empty() {
            return Ok(Unfit::default());
        }
        let place = folder.work().join(PLACE);
        let new = [folder.work(), folder.path().to_owned()].into_iter();
        let new: Vec<PathBuf> = new.filter(|it| !it.exists()).collect();
        fs::create_dir_all(&place).map_err(RunFileError::at(&place, RunFileProblem::Make))?;
        let lock = Lock::take(&place)?;
        let looked = self.look_at(grading, candidates, &GradeFolder::new(&place), listen);
        remove_folder(&place)?;
        drop(lock);
        for made in new {
            // Fails if another process uses the folder, which is fine.
            let _ = fs::remove_dir(made);
        }
        let looked = looked?;
        let programs = looked.iter().map(|it| (&*it.key, &*it.program));
        let equal = equal_programs(programs);
        let unfit = looked
            .iter()
            .filter_map(|it| Some((&it.key, it.broken.as_ref()?)));
        let unfit: Vec<(&String, &BrokenBot)> = unfit.collect();
        let causes = unfit.iter().map(|(key, broken)| (&***key, &broken.cause));
        let common = CommonCause::among(causes);
        let problems = unfit
            .iter()
            .map(|(key, broken)| IntakeIssue::new(*key, &broken.why));
        Ok(Unfit {
            problems: problems.collect(),
            equal,
            common,
        })
    }

    fn look_at(
        &self,
        grading: &Grading,
        candidates: Vec<&Candidate>,
        folder: &GradeFolder,
        listen: &Listen,
    ) -> Result<Vec<LookedAt>, GradeError> {
        let (host, warnings) = host(grading, folder, self.host, self.supervisor)?;
        for warning in warnings {
            listen(Step::Warning(warning));
        }
        let stop = self.interrupt.stop_pipe();
        let builder = Builder {
            limits: &host.build_limits(&grading.limits),
            supervisor: self.supervisor,
            stop: &stop,
        };
        let checker = Checker {
            grading,
            host: &host,
            supervisor: self.supervisor,
            seed: grading.seed.unwrap_or_default(),
            references: &[],
            stop: &stop,
        };
        let mut references = Vec::new();
        for reference in &grading.references {
            let (kept, _) = keep_reference(folder, reference, &builder)?;
            if let Some(broken) = checker.load(&kept) {
                return Err(GradeError::reference(&reference.name, &broken.why));
            }
            references.push(kept);
        }
        let checker = Checker {
            references: &references,
            ..checker
        };
        if !candidates.is_empty() {
            listen(Step::Preparing {
                submissions: candidates.len(),
            });
        }
        let found = in_lanes(
            host.jobs.get(),
            candidates,
            self.interrupt,
            |_, candidate| {
                let Some(path) = candidate.playable() else {
                    return Ok(None);
                };
                listen(Step::Begun(&candidate.key));
                let prepared = prepare(grading, folder, candidate, path, &builder)?;
                let broken = match prepared.bot {
                    Ok(bot) => checker.load(&bot),
                    Err(broken) => Some(broken),
                };
                remove_folder(&folder.students().join(&candidate.key))?;
                listen(Step::Ended(&candidate.key));
                Ok(Some(LookedAt {
                    key: candidate.key.clone(),
                    program: prepared.program,
                    broken,
                }))
            },
        )?;
        // Checks that were cancelled have no result.
        match self.interrupt.level() {
            None => Ok(found.into_iter().flatten().collect()),
            Some(_) => Err(GradeError::Stopped),
        }
    }
}
