//! Is a submission fit to play at all? What `referee check` finds is kept, and is part of the feedback.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::loaded::Loaded;
use super::{GradeError, Grading, Program};
use crate::check::{self, Check, CheckError, CheckPlan, Verdict};
use crate::config::Entry;
use crate::opponents::HouseBot;
use crate::player::{CancelPipe, Confinement, Launch, Supervisor};
use crate::record::{folder_digest, write_whole};
use crate::runner::Host;

/// The file of a check, below the folder of a submission.
pub(super) const CHECK: &str = "check.json";

/// How many games are played, half of them in each seat.
const GAMES: u32 = 2;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fitness {
    /// What was checked under: a check under other terms is another one.
    terms: String,
    /// Whether it is worth playing games with it: it answers the handshake.
    pub answers: bool,
    /// Whether it had not answered the handshake when the check was broken off. Such a check is not kept.
    #[serde(skip)]
    pub was_silent: bool,
    /// What was found, in the order of the checks.
    pub findings: Vec<FoundFault>,
}

/// A finding that is not good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundFault {
    /// What was checked.
    pub check: String,
    /// `warn` or `failed`.
    pub verdict: String,
    /// What was seen.
    pub seen: String,
    /// What would help.
    pub hint: String,
    /// What the bot wrote last.
    pub wrote: Vec<String>,
}

/// Checks a bot, or reads what a check found before of a bot that answers: one that does not may be the machine's
/// fault, which somebody mended. `None` is that this machine could not tell, or that the
/// check was cancelled.
///
/// # Errors
/// The machine failed.
#[expect(
    clippy::too_many_arguments,
    reason = "what is checked, on what, and who may stop it"
)]
pub fn fitness(
    grading: &Grading,
    entry: &Entry,
    home: &Path,
    seed: u64,
    host: &Host,
    supervisor: &Supervisor,
    loaded: &Loaded,
    cancel: Arc<CancelPipe>,
) -> Result<Option<Fitness>, GradeError> {
    let time = &grading.time;
    let terms = format!(
        "{} {} {} {:?} {:?} {:?} {}",
        env!("CARGO_PKG_VERSION"),
        grading.game.game().name(),
        grading.game.options_text(),
        time,
        grading.limits,
        entry.launch.course_files.as_deref().map(folder_digest),
        loaded.digest(entry, matches!(grading.submission.program, Program::Kit)),
    );
    let path = home.join(CHECK);
    let known = fs::read(&path).ok();
    let known = known.and_then(|text| serde_json::from_slice::<Fitness>(&text).ok());
    if let Some(known) = known
        && known.terms == terms
        && known.answers
    {
        return Ok(Some(known));
    }
    let plan = CheckPlan {
        game: grading.game.clone(),
        bot: entry.launch.clone(),
        opponent: Launch {
            program: supervisor.program.clone(),
            args: ["bot", HouseBot::Random.name()].map(str::to_owned).to_vec(),
            dir: None,
            env: Vec::new(),
            course_files: None,
        },
        supervisor: supervisor.clone(),
        confinement: Confinement {
            isolation: host.isolation,
            ..grading.limits.confinement.clone()
        },
        time: time.clone(),
        handshake: grading.limits.handshake,
        start: grading.limits.start,
        quit: grading.limits.quit,
        games: GAMES,
        seed,
        cancel: Some(cancel),
    };
    let report = match check::check(&plan, &mut |_| {}) {
        // The games will show.
        Err(CheckError::Void(_) | CheckError::Opponent { .. }) => return Ok(None),
        Err(CheckError::NoHello) => {
            return Ok(Some(Fitness {
                terms,
                answers: true,
                was_silent: true,
                findings: Vec::new(),
            }));
        }
        Err(problem @ CheckError::Start(_)) => {
            return Err(GradeError::Check {
                key: entry.name.clone(),
                problem,
            });
        }
        Ok(report) if report.too_busy.is_some() => return Ok(None),
        Ok(report) => report,
    };
    let bad = report
        .findings
        .iter()
        .filter(|it| it.verdict() >= Verdict::Warn);
    let fitness = Fitness {
        terms,
        was_silent: false,
        answers: !report.findings.iter().any(|finding| {
            finding.check == Check::Handshake && finding.verdict() == Verdict::Failed
        }),
        findings: bad
            .map(|finding| FoundFault {
                check: finding.check.name().to_owned(),
                verdict: finding.verdict().name().to_owned(),
                seen: finding.to_string(),
                hint: finding.hint().unwrap_or_default(),
                wrote: finding.last_lines().to_vec(),
            })
            .collect(),
    };
    let text = serde_json::to_vec(&fitness).unwrap_or_default();
    write_whole(&path, &mut |file| file.write_all(&text))?;
    Ok(Some(fitness))
}
