//! Checks whether a submission is fit to play. The findings of `referee check` are kept, and are part of the
//! feedback.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::cause::{BrokenBot, Cause, telling_line};
use crate::bot::{CancelPipe, Confinement, Launch, Supervisor};
use crate::check::{self, CheckError, CheckPlan, CheckVerdict, Finding, Report};
use crate::config::{Entry, unfit_house_bot};
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::opponents::HouseBot;
use crate::referee::FaultKind;
use crate::runner::Host;
use crate::runs::{folder_digest, write_bytes};

pub(super) const CHECK: &str = "check.json";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fitness {
    /// Conditions of the check; a check under other conditions is repeated.
    terms: String,
    /// Reason why the bot cannot be loaded; `None` if games are worth playing.
    pub not_loaded: Option<BrokenBot>,
    /// Whether it had not answered the handshake when the check was cancelled. Such a check is not kept.
    #[serde(skip)]
    pub was_silent: bool,
    /// Longest time that it waited for in an action without computing, where that cut the check short.
    #[serde(default)]
    pub waits: Option<Duration>,
    pub findings: Vec<FoundFault>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundFault {
    pub check: String,
    pub seen: String,
    pub hint: String,
    pub wrote: Vec<String>,
    pub cause: Option<Cause>,
}

#[derive(Clone, Copy)]
pub struct Checker<'a> {
    pub grading: &'a Grading,
    pub host: &'a Host,
    pub supervisor: &'a Supervisor,
    pub seed: u64,
    /// The first of them is the opponent where no house bot can be.
    pub references: &'a [Entry],
    pub stop: &'a Arc<CancelPipe>,
}

impl Checker<'_> {
    /// Checks a bot, or reads an earlier check of it. A check that could not load the bot is repeated, because
    /// the machine may have been at fault. `None` if this machine could not tell, or the check was cancelled.
    pub fn fitness(&self, entry: &Entry, home: &Path) -> Result<Option<Fitness>, GradeError> {
        let terms = self.terms(entry);
        let path = home.join(CHECK);
        let known = fs::read(&path).ok();
        let known = known.and_then(|text| serde_json::from_slice::<Fitness>(&text).ok());
        if let Some(known) = known
            && known.terms == terms
            && known.not_loaded.is_none()
        {
            return Ok(Some(known));
        }
        let report = match check::check(&self.plan(entry), &mut |_| {}) {
            Err(CheckError::NoHello) => {
                return Ok(Some(Fitness {
                    terms,
                    not_loaded: None,
                    was_silent: true,
                    waits: None,
                    findings: Vec::new(),
                }));
            }
            report => told(report),
        };
        let Some(report) = report else {
            return Ok(None);
        };
        let findings = report.findings.iter();
        let bad = findings.filter(|it| it.verdict >= CheckVerdict::Warn);
        let fitness = Fitness {
            terms,
            not_loaded: not_loaded(entry, &report),
            was_silent: false,
            waits: report.waits,
            findings: bad.map(|finding| found_fault(entry, finding)).collect(),
        };
        let text = serde_json::to_vec(&fitness).unwrap_or_default();
        write_bytes(&path, &text)?;
        Ok(Some(fitness))
    }

    pub fn load(&self, entry: &Entry) -> Option<BrokenBot> {
        not_loaded(entry, &told(check::load(&self.plan(entry)))?)
    }

    fn terms(&self, entry: &Entry) -> String {
        let grading = self.grading;
        format!(
            "{} {} {} {} {:?} {:?} {:?}",
            env!("CARGO_PKG_VERSION"),
            grading.game.game().name(),
            grading.game.game().seat_count(),
            grading.game.options_text(),
            grading.time,
            grading.limits,
            entry.launch.course_files.as_deref().map(folder_digest),
        )
    }

    fn plan(&self, entry: &Entry) -> CheckPlan {
        let grading = self.grading;
        let random = HouseBot::Random.name();
        let mut references = self.references.iter();
        let opponent = unfit_house_bot(grading.game.game(), random)
            .and_then(|_| references.find(|it| it.language.engine().is_none()));
        CheckPlan {
            game: grading.game.clone(),
            bot: entry.launch.clone(),
            language: entry.language.clone(),
            opponent: match opponent {
                Some(reference) => reference.launch.clone(),
                None => Launch {
                    program: self.supervisor.program.clone(),
                    args: ["bot", random].map(str::to_owned).to_vec(),
                    ..Launch::default()
                },
            },
            supervisor: self.supervisor.clone(),
            confinement: Confinement {
                isolation: self.host.isolation,
                ..grading.limits.confinement()
            },
            time: grading.time.clone(),
            handshake: grading.limits.handshake,
            start: grading.limits.start,
            quit: grading.limits.quit,
            // One in each seat.
            games: grading.game.game().seat_count() as u32,
            seed: self.seed,
            cancel: Some(Arc::clone(self.stop)),
        }
    }
}

/// Report of a check; `None` if this machine could not tell: then games will show.
fn told(report: Result<Report, CheckError>) -> Option<Report> {
    report.ok().filter(|report| report.too_busy.is_none())
}

fn not_loaded(entry: &Entry, report: &Report) -> Option<BrokenBot> {
    let finding = report.not_loaded()?;
    let fault = finding.fault.as_ref()?;
    let line = match fault.kind {
        FaultKind::Late => Some("no answer in time".to_owned()),
        _ => last_words(entry, finding),
    };
    Some(BrokenBot {
        why: format!("it cannot be loaded: {}", finding.words),
        cause: Cause::Loading(line.unwrap_or_else(|| fault.detail.clone())),
    })
}

fn found_fault(entry: &Entry, finding: &Finding) -> FoundFault {
    FoundFault {
        check: finding.name.to_owned(),
        seen: finding.words.clone(),
        hint: finding.hint.clone().unwrap_or_default(),
        wrote: finding.last_lines.clone(),
        cause: last_words(entry, finding).map(Cause::Ending),
    }
}

/// Last telling line of a bot's process. The path of its folder is replaced, because it differs between bots
/// with equal causes.
fn last_words(entry: &Entry, finding: &Finding) -> Option<String> {
    let lines: Vec<&str> = finding.last_lines.iter().map(String::as_str).collect();
    let line = telling_line(&lines)?;
    let dir = entry.launch.folder();
    Some(line.replace(&*dir.to_string_lossy(), "."))
}
