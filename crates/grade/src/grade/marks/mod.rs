//! Marks: the results of a candidate's games, the total, and changes since an earlier grading.
//!
//! It is handed runs on disk and the configuration, and gives a [`Mark`] for each candidate, and `marks.csv`.

mod changes;
mod outcome;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

pub use changes::write_graded;
use jiff::Timestamp;
use outcome::EarlyEnd;
pub use outcome::{Outcome, ends_early, first_portion, outcome, waiting_matters};

use crate::grade::class::{Candidate, UnknownTime};
use crate::grade::config::{Grading, PartKind};
use crate::grade::games::TournamentRank;
use crate::grade::intake::Student;
use crate::grade::scheme::{Change, SIMULATIONS, Scheme, SchemeTest, TestGames, fraction};
use crate::random::Stream;
use crate::referee::Termination;
use crate::report::sheet_text;
use crate::runs::{RunFileError, write_whole};

/// Seed of all simulations, a constant: equal games have equal marks, no matter who played them.
const CHANCE: u64 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Graded,
    None,
    Late,
    Broken,
    /// A person has to decide: not all games could be played.
    Held,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Self::Graded => "graded",
            Self::None => "none",
            Self::Late => "late",
            Self::Broken => "broken",
            Self::Held => "held",
        }
    }

    /// Reason why there are no games, fit for publication; `None` if there are or may be some.
    pub fn why_nothing(self) -> Option<&'static str> {
        match self {
            Self::Graded | Self::Held => None,
            Self::None => Some("nothing was handed in"),
            Self::Late => Some("it was handed in too late"),
            Self::Broken => Some("it cannot be played: the feedback says why"),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct TestMark {
    pub share: f64,
    pub games: u64,
    pub digest: String,
    pub marks: f64,
    pub low: f64,
    pub high: f64,
    pub end: u64,
    pub early_end: Option<EarlyEnd>,
}

#[derive(Debug, Clone)]
pub struct Mark {
    pub key: String,
    pub members: Vec<Student>,
    pub status: Status,
    pub digest: String,
    pub submitted: Option<Timestamp>,
    pub days_late: u32,
    pub penalty: f64,
    pub tests: Vec<TestMark>,
    pub reliability: Option<f64>,
    pub rank: Option<TournamentRank>,
    pub forfeits: BTreeMap<&'static str, u64>,
    pub total: f64,
    /// `None` without games, and where a program forfeited all games of a test by one cause.
    pub change: Option<Change>,
    pub unknown_time: Option<UnknownTime>,
    /// Whether its program had a low share of the processor in a game.
    pub is_starved: bool,
    pub notes: Vec<String>,
    pub of_files: Vec<String>,
}

impl Mark {
    pub fn part(&self, kind: PartKind) -> Option<f64> {
        match kind {
            PartKind::Test(at) => Some(self.tests.get(at)?.marks),
            PartKind::Reliability => self.reliability,
        }
    }

    /// Remarks on the candidate, and on its files.
    pub fn all_notes(&self) -> String {
        [&self.notes[..], &self.of_files[..]].concat().join("; ")
    }

    /// The total; `None` if the submission is held without a game.
    pub fn known_total(&self) -> Option<f64> {
        let is_known = self.status != Status::Held || !self.tests.is_empty();
        is_known.then_some(self.total)
    }
}

impl Grading {
    fn time_text(&self, at: Timestamp) -> String {
        let Some(deadline) = &self.deadline else {
            return at.to_string();
        };
        let offset = deadline.zone.to_offset(at);
        at.display_with_offset(offset).to_string()
    }

    pub fn scheme(&self) -> Scheme {
        let tests = self.tests.iter().map(|test| SchemeTest {
            marks: test.marks,
            curve: test.curve.clone(),
            points: self.points.range(test.seats()),
            seats: test.seats(),
        });
        Scheme {
            tests: tests.collect(),
            reliability: self.reliability.clone(),
            rounding: self.round_to,
            most: self.most_marks(),
        }
    }
}

pub fn mark(
    grading: &Grading,
    candidate: &Candidate,
    status: Status,
    digest: String,
    outcomes: &[Outcome],
) -> Mark {
    let scheme = grading.scheme();
    // The lateness penalty applies to broken submissions too.
    let late = grading.late.as_ref();
    let penalty = late.map_or(0.0, |late| late.per_day * f64::from(candidate.days_late));
    let games: Vec<TestGames> = outcomes
        .iter()
        .map(|outcome| outcome.games.clone())
        .collect();
    let tests = grading.tests.iter().zip(&scheme.tests).zip(outcomes);
    let tests = tests.map(|((test, in_scheme), outcome)| {
        let [low, marks, high] =
            fraction(in_scheme, &outcome.games).map(|share| test.marks * share);
        TestMark {
            share: outcome.points / (outcome.count.max(1) as f64),
            games: outcome.count,
            digest: outcome.digest.clone(),
            marks,
            low,
            high,
            end: outcome.end,
            early_end: outcome.early_end.clone(),
        }
    });
    let mut forfeits = BTreeMap::new();
    for (termination, count) in outcomes.iter().flat_map(|outcome| &outcome.forfeits) {
        *forfeits.entry(*termination).or_default() += count;
    }
    let has_chance = !outcomes.is_empty() && !outcomes.iter().any(Outcome::is_one_forfeit);
    let starved = grading.tests.iter().zip(outcomes);
    let starved = starved.filter_map(|(test, own)| {
        Some(format!(
            "{}: the program {}",
            test.name,
            own.cpu_share.words()?
        ))
    });
    let starved: Vec<String> = starved.collect();
    Mark {
        key: candidate.key.clone(),
        members: candidate.members.clone(),
        status,
        digest,
        submitted: candidate.submitted,
        days_late: candidate.days_late,
        penalty,
        reliability: scheme.reliability(&games),
        rank: None,
        forfeits,
        total: scheme.total(&games, -penalty),
        change: has_chance.then(|| {
            let mut chance = Stream::new(CHANCE, 0);
            scheme.change(&games, -penalty, SIMULATIONS, &mut chance)
        }),
        tests: tests.collect(),
        unknown_time: candidate.unknown_time,
        is_starved: !starved.is_empty(),
        notes: [&candidate.notes[..], &starved].concat(),
        of_files: candidate.chosen.clone().into_iter().collect(),
    }
}

fn write_marks<'a>(
    path: &Path,
    grading: &Grading,
    marks: impl Iterator<Item = &'a Mark> + Clone,
) -> Result<(), RunFileError> {
    write_whole(path, &mut |file| table(file, grading, marks.clone()))
}

fn table<'a>(
    file: &mut dyn io::Write,
    grading: &Grading,
    marks: impl Iterator<Item = &'a Mark>,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(file);
    csv.write_record(header(grading))?;
    for mark in marks {
        for student in &mark.members {
            csv.write_record(row(grading, mark, student))?;
        }
    }
    csv.flush()
}

fn header(grading: &Grading) -> Vec<String> {
    let mut names: Vec<String> = [
        "id",
        "team",
        "name",
        "email",
        "status",
        "digest",
        "submitted",
        "days_late",
        "penalty",
    ]
    .map(str::to_owned)
    .to_vec();
    for test in &grading.tests {
        let columns = ["share", "games", "digest", "marks", "low", "high"];
        names.extend(columns.map(|column| format!("{}_{column}", test.name)));
    }
    names.push("reliability_marks".to_owned());
    names.extend(forfeit_terminations().map(|it| format!("forfeits_{}", it.name())));
    let last = ["total", "low", "high", "of", "change", "note"];
    names.extend(last.map(str::to_owned));
    names
}

fn forfeit_terminations() -> impl Iterator<Item = Termination> {
    let by_no_bot = [
        Termination::Rules,
        Termination::Adjudication,
        Termination::Left,
    ];
    let all = Termination::ALL.into_iter();
    all.filter(move |it| !by_no_bot.contains(it))
}

fn row(grading: &Grading, mark: &Mark, student: &Student) -> Vec<String> {
    let optional = |value: Option<f64>| value.map_or_else(String::new, number);
    let mut cells = vec![
        sheet_text(&student.id),
        sheet_text(student.team.as_deref().unwrap_or_default()),
        sheet_text(&student.name),
        sheet_text(&student.email),
        mark.status.name().to_owned(),
        mark.digest.clone(),
        mark.submitted
            .map_or_else(String::new, |at| grading.time_text(at)),
        mark.days_late.to_string(),
        number(mark.penalty),
    ];
    for at in 0..grading.tests.len() {
        cells.extend(match mark.tests.get(at) {
            None => [const { String::new() }; 6],
            Some(test) => [
                number(test.share),
                test.games.to_string(),
                test.digest.clone(),
                number(test.marks),
                number(test.low),
                number(test.high),
            ],
        });
    }
    cells.push(optional(mark.reliability));
    cells.extend(forfeit_terminations().map(|termination| {
        let count = mark.forfeits.get(termination.name());
        count.copied().unwrap_or_default().to_string()
    }));
    let change = mark.change.as_ref();
    let total = mark.known_total();
    cells.push(optional(total));
    cells.push(optional(change.map(|change| change.low)));
    cells.push(optional(change.map(|change| change.high)));
    cells.push(number(grading.most_marks()));
    cells.push(optional(change.map(|change| change.probability)));
    cells.push(sheet_text(&mark.all_notes()));
    cells
}

/// A mark for people and sheets: two decimals, or three if marks.csv has a third.
pub fn mark_text(mark: f64) -> String {
    let text = number(mark);
    text.strip_suffix('0').map_or(text.clone(), str::to_owned)
}

/// Three decimals: more than any mark has, and rounding noise is hidden.
fn number(value: f64) -> String {
    format!("{value:.3}")
}
