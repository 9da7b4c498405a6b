//! The report on a rules program: the checks that were made, and the problems.

mod facts;
mod hints;
mod problem;
mod variation;
mod words;

pub use facts::{Facts, Results};
pub use problem::{Check, Difference, RequestKind, RulesFlaw};
pub use variation::Variation;

use crate::check::CheckVerdict;
use crate::rules::Hello;

/// Requests and answers that show a problem: `> ` begins a request, `< ` a line of an answer, `# ` a remark.
pub type Transcript = Vec<String>;

/// A problem of a rules program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The check that found it.
    pub check: Check,
    /// The problem. Its [`Display`](std::fmt::Display) gives the words.
    pub problem: RulesFlaw,
    /// Requests and answers that show it.
    pub transcript: Transcript,
}

/// The report on one rules program.
#[derive(Debug, Default)]
pub struct Report {
    /// The program's description of its game; `None` if it gave none.
    pub hello: Option<Hello>,
    /// Problems, each kind once for each check, in the order of their discovery.
    pub findings: Vec<Finding>,
    /// Observations without a problem.
    pub facts: Facts,
    /// Checks that could not be made, and what they need.
    pub missing: Vec<(Check, &'static str)>,
}

impl Report {
    /// Adds a finding. Of several of one kind, the one with the shortest transcript stays.
    pub(super) fn add(&mut self, finding: Finding) {
        let is_alike = |other: &&mut Finding| {
            other.check == finding.check && other.problem.name() == finding.problem.name()
        };
        match self.findings.iter_mut().find(is_alike) {
            Some(other) if finding.transcript.len() < other.transcript.len() => *other = finding,
            Some(_) => {}
            None => self.findings.push(finding),
        }
    }

    /// Notes that a check cannot be made.
    pub(super) fn miss(&mut self, check: Check, needs: &'static str) {
        self.missing.push((check, needs));
    }

    /// The findings of a check.
    pub fn of(&self, check: Check) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(move |finding| finding.check == check)
    }

    /// The missing condition of a check.
    pub fn needs(&self, check: Check) -> Option<&'static str> {
        let mut missing = self.missing.iter();
        missing
            .find(|(of, _)| *of == check)
            .map(|(_, needs)| *needs)
    }

    /// The worst verdict of a check.
    pub fn verdict_of(&self, check: Check) -> CheckVerdict {
        let verdicts = self.of(check).map(|finding| finding.problem.verdict());
        verdicts.max().unwrap_or(match self.facts.text(check) {
            Some(_) => CheckVerdict::Ok,
            None => CheckVerdict::Skipped,
        })
    }

    /// The worst verdict of all checks.
    pub fn verdict(&self) -> CheckVerdict {
        let verdicts = Check::ALL.into_iter().map(|check| self.verdict_of(check));
        verdicts.max().unwrap_or(CheckVerdict::Skipped)
    }
}
