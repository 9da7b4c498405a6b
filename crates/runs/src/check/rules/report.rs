//! The report on a rules program: the checks that were made, and the problems.

use super::conversation::{Exchange, transcript};
use super::problems::{Check, Problem, Value};
use crate::check::CheckVerdict;
use crate::rules::{Hello, Request};

/// The turn of a game where a problem was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub seed: u64,
    /// Plies that were played, or were to be.
    pub ply: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub check: Check,
    pub problem: Problem,
    pub words: String,
    pub place: Option<Place>,
    /// The program's last words, where it ended or gave no proper answer.
    pub stderr: Vec<String>,
    /// Requests and answers that show it: `> ` begins a request, `< ` a line of an answer, `# ` a remark.
    pub transcript: Vec<String>,
}

impl Finding {
    pub(super) fn new(problem: Problem, values: &[Value<'_>], exchanges: &[Exchange]) -> Self {
        let seed = exchanges
            .iter()
            .find_map(|exchange| match &exchange.request {
                Request::New(start) => Some(start.seed),
                _ => None,
            });
        let plays = exchanges
            .iter()
            .filter(|it| matches!(it.request, Request::Play(_)));
        let ply = plays.count();
        Self {
            check: problem.check,
            problem,
            words: problem.filled(values),
            place: seed.map(|seed| Place { seed, ply }),
            stderr: Vec::new(),
            transcript: transcript(exchanges),
        }
    }
}

#[derive(Debug, Default)]
pub struct Report {
    /// The program's description of its game; `None` if it gave none.
    pub hello: Option<Hello>,
    /// Problems, each kind once for each check, in the order of their discovery.
    pub findings: Vec<Finding>,
    /// Outcomes of checks without a problem. The first of a check counts.
    notes: Vec<(Check, CheckVerdict, String)>,
}

impl Report {
    /// Adds a finding. Of several of one kind, the one with the shortest transcript stays.
    pub(super) fn add(&mut self, finding: Finding) {
        let is_alike =
            |other: &&mut Finding| other.check == finding.check && other.problem == finding.problem;
        match self.findings.iter_mut().find(is_alike) {
            Some(other) if finding.transcript.len() < other.transcript.len() => *other = finding,
            Some(_) => {}
            None => self.findings.push(finding),
        }
    }

    pub(super) fn see(&mut self, check: Check, words: String) {
        self.notes.push((check, CheckVerdict::Ok, words));
    }

    /// Notes that a check cannot be made, if it was not.
    pub(super) fn miss(&mut self, check: Check, needs: &str) {
        let words = format!("needs {needs}");
        self.notes.push((check, CheckVerdict::Skipped, words));
    }

    pub fn of(&self, check: Check) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(move |finding| finding.check == check)
    }

    /// The outcome of a check without findings, and its words.
    fn note(&self, check: Check) -> (CheckVerdict, &str) {
        let note = self.notes.iter().find(|(of, ..)| *of == check);
        note.map_or(
            (CheckVerdict::Skipped, "not reached"),
            |(_, verdict, words)| (*verdict, words),
        )
    }

    /// The outcome of a check without findings in words, or what it needs.
    pub fn words_of(&self, check: Check) -> &str {
        self.note(check).1
    }

    pub fn verdict_of(&self, check: Check) -> CheckVerdict {
        let verdicts = self.of(check).map(|finding| finding.problem.verdict);
        verdicts.max().unwrap_or_else(|| self.note(check).0)
    }

    pub fn verdict(&self) -> CheckVerdict {
        let verdicts = Check::ALL.into_iter().map(|check| self.verdict_of(check));
        verdicts.max().unwrap_or(CheckVerdict::Skipped)
    }
}
