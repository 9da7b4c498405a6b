//! Marks: the results of a candidate's games, marks given by hand, the total, and changes since an earlier grading.
//!
//! It is handed runs on disk and the configuration, and gives a [`Mark`] for each candidate, and `marks.csv`.

mod by_hand;
mod changes;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fmt, io};

pub use by_hand::{GivenMarks, given_marks, given_to, not_given, unequal};
pub use changes::{ChangedMark, ChangesError, changed_marks, earlier_marks};
use jiff::Timestamp;

use crate::config::PlannedGame;
use crate::game::{Games, PerSeat, Seat};
use crate::grade::class::Candidate;
use crate::grade::config::{Grading, PointScheme, Test};
use crate::grade::error::GradeError;
use crate::grade::intake::Student;
use crate::grade::scheme::{
    Change, Doubt, Fraction, MarkRule, MarkedBlock, MarkedGame, SIMULATIONS, Scheme, SchemeTest,
    TestGames, curve, fraction,
};
use crate::random::Stream;
use crate::referee::Termination;
use crate::report::sheet_text;
use crate::runs::{Run, RunFileError, write_whole};
use crate::schedule::NextGame;
use crate::text::counted;

/// Reason why a person has to look before a mark counts, although there is a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// Some games could not be played on this machine.
    SetAside,
    /// A reference forfeited at least half of the games of a test.
    Reference,
    /// No more games can be played, as something has changed.
    Changed,
    /// No game of a test was played.
    Unplayed,
    /// The members of the team have different marks by hand.
    UnequalByHand,
}

/// Forfeits in a row, from the first game of a test on and by one termination, after which the test ends.
const FORFEITS_TO_END: u64 = 10;

/// Number of games to play before it is known whether a test ends early, per seating of opponents.
pub fn first_portion(test: &Test) -> u32 {
    let seats = test.seats() as u32;
    let games = FORFEITS_TO_END.div_ceil(test.seatings().into()) as u32;
    games.div_ceil(seats) * seats
}

/// The termination by which a test ends early after a number of games, given the student's forfeits by termination.
/// Where seats leave, a forfeit may be worth points, so such a test has all its games.
pub fn ends_early(
    game: &PlannedGame,
    games: u64,
    forfeits: &BTreeMap<&'static str, u64>,
) -> Option<&'static str> {
    let (termination, count) = forfeits.first_key_value()?;
    (!game.drops && games >= FORFEITS_TO_END && *count == games).then_some(*termination)
}

/// Early end of a test. The games that were not played count as forfeited.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlyEnd {
    pub played: u64,
    pub unplayed: u64,
    /// Termination of the games that were played.
    pub termination: &'static str,
}

impl fmt::Display for EarlyEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = counted(self.unplayed, "other game counts", "other games count");
        write!(
            f,
            "the test ended after {} forfeits in a row by {}, and its {others} as forfeited, too",
            self.played, self.termination
        )
    }
}

/// Outcome of a student's games in a test.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Games by seating of opponents, in blocks.
    pub games: TestGames,
    /// Games of the run with a smaller number count.
    pub end: u64,
    /// Number of games, with games that count as forfeited.
    pub count: u64,
    /// Points of all games.
    pub points: f64,
    /// Number of games forfeited by the student, by termination.
    pub forfeits: BTreeMap<&'static str, u64>,
    /// Number of games forfeited by opponents alone.
    pub reference_forfeits: u64,
    /// Number of distinct games: games with equal players and actions count once.
    pub different: u64,
    /// Whether the test ended early.
    pub early_end: Option<EarlyEnd>,
    /// Number of games that could not be played.
    pub set_aside: u64,
    /// Reason why no more games can be played, if something has changed.
    pub problem: Option<String>,
}

impl Outcome {
    /// Adds the games that an early end leaves of `wanted` per seating.
    fn add_unplayed(&mut self, run: &Run, wanted: u32, points: &PointScheme) {
        let schedules = run.schedules();
        let planned = schedules.iter().map(|it| it.count().exactly().unwrap_or(0));
        let (planned, played) = (planned.sum::<u64>(), self.count);
        let (Some(game), true) = (run.games().first(), played == planned) else {
            return;
        };
        let early = ends_early(game, played, &self.forfeits);
        let unplayed = self.end.saturating_sub(played);
        let Some(termination) = early.filter(|_| unplayed > 0) else {
            return;
        };
        let seats = game.game().seat_count();
        let forfeit = MarkedGame {
            points: points.loss,
            forfeited: true,
        };
        for blocks in &mut self.games.opponents {
            let whole = wanted as usize / seats;
            blocks.resize(
                whole.max(blocks.len()),
                MarkedBlock::new(vec![forfeit; seats]),
            );
        }
        self.count += unplayed;
        self.points += unplayed as f64 * points.loss;
        *self.forfeits.entry(termination).or_default() += unplayed;
        self.early_end = Some(EarlyEnd {
            played,
            unplayed,
            termination,
        });
    }

    /// Reasons to hold the mark.
    pub fn holds(&self) -> impl Iterator<Item = Hold> {
        let lacks_opponent = self.count > 0 && 2 * self.reference_forfeits >= self.count;
        let holds = [
            (Hold::SetAside, self.set_aside > 0),
            (Hold::Reference, lacks_opponent),
            (Hold::Changed, self.problem.is_some()),
            (
                Hold::Unplayed,
                self.count == 0 && self.set_aside == 0 && self.problem.is_none(),
            ),
        ];
        let held = holds.into_iter().filter(|(_, is_held)| *is_held);
        held.map(|(hold, _)| hold)
    }
}

/// Indices of the opponents of a seating, in order.
type Opponents = Vec<usize>;

/// Outcome of the first games in a run for this player: `wanted` games per seating of opponents. Further games, from a
/// grading with more, do not count. A missing run has no games.
///
/// # Errors
/// The run cannot be read.
pub fn outcome(
    path: &Path,
    player: &str,
    wanted: u32,
    points: &PointScheme,
    games: Games,
) -> Result<Outcome, GradeError> {
    let mut outcome = Outcome::default();
    if !path.exists() {
        return Ok(outcome);
    }
    let run = Run::open(path, games)?;
    let names = run.player_names();
    let seatings = seatings(&run, player);
    // A gauntlet goes through the seatings, one block each: the first games are equal for any total number.
    outcome.end = u64::from(wanted) * seatings.len() as u64;
    let mut blocks: BTreeMap<(Opponents, u64), Vec<MarkedGame>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for row in run.rows()? {
        let row = row?;
        if row.id >= outcome.end {
            continue;
        }
        let at = |name: &str| names.iter().position(|known| *known == name);
        let at: Option<PerSeat<usize>> = row.names().values().map(|name| at(name)).collect();
        let Some((seat, seating)) = at.and_then(|at| seat_and_opponents(&at, &names, player))
        else {
            continue;
        };
        let blamed = row.end.blamed();
        let forfeited = blamed.contains(seat);
        outcome.reference_forfeits += u64::from(!forfeited && !blamed.is_empty());
        let worth = points.of(&row, seat);
        outcome.count += 1;
        outcome.points += worth;
        if forfeited {
            *outcome
                .forfeits
                .entry(row.end.counted_termination(seat).name())
                .or_default() += 1;
        }
        seen.insert((seating.clone(), seat.index(), row.actions_digest.clone()));
        blocks
            .entry((seating, row.block))
            .or_default()
            .push(MarkedGame {
                points: worth,
                forfeited,
            });
    }
    outcome.different = seen.len() as u64;
    let set_aside = run.set_aside()?;
    outcome.set_aside = set_aside
        .iter()
        .filter(|game| game.id < outcome.end)
        .count() as u64;
    let mut games: BTreeMap<Opponents, Vec<MarkedBlock>> = seatings
        .into_iter()
        .map(|seating| (seating, Vec::new()))
        .collect();
    for ((seating, _), block) in blocks {
        if let Some(blocks) = games.get_mut(&seating) {
            blocks.push(MarkedBlock::new(block));
        }
    }
    outcome.games.opponents = games.into_values().collect();
    outcome.add_unplayed(&run, wanted, points);
    Ok(outcome)
}

/// The seatings of opponents that a player meets in a gauntlet.
fn seatings(run: &Run, player: &str) -> BTreeSet<Opponents> {
    let names = run.player_names();
    let mut seatings = BTreeSet::new();
    for mut schedule in run.schedules() {
        while let NextGame::Issue(ticket) = schedule.next() {
            let seating = seat_and_opponents(&ticket.players, &names, player);
            seatings.extend(seating.map(|(_, seating)| seating));
        }
    }
    seatings
}

/// Seat of a player in a game of these players, by index, and its opponents.
fn seat_and_opponents(
    at: &PerSeat<usize>,
    names: &[&str],
    player: &str,
) -> Option<(Seat, Opponents)> {
    let seat = at.find(|at| names[*at] == player)?;
    let others = at.iter().filter(|(other, _)| *other != seat);
    let mut seating: Opponents = others.map(|(_, at)| *at).collect();
    seating.sort_unstable();
    Some((seat, seating))
}

/// Seed of all simulations, a constant: equal games have equal marks, no matter who played them.
const CHANCE: u64 = 1;

/// State of a student's submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It was graded.
    Graded,
    /// No submission.
    None,
    /// Too late to be marked.
    Late,
    /// The submission is no bot.
    Broken,
    /// A person has to decide: not all games could be played.
    Held,
}

impl Status {
    /// Name in tables.
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

/// Result of a student in a test.
#[derive(Debug, Clone, PartialEq)]
pub struct TestMark {
    /// Share of the points.
    pub share: f64,
    /// Number of games.
    pub games: u64,
    /// Marks.
    pub marks: f64,
    /// Lower end of their 95 % interval.
    pub low: f64,
    /// Upper end of their 95 % interval.
    pub high: f64,
    /// Games of the run with a smaller number count.
    pub end: u64,
    /// Explanation of the marks of a sequential test without a verdict.
    pub without_verdict: Option<String>,
    /// Whether the test ended early.
    pub early_end: Option<EarlyEnd>,
}

/// Mark of a student or team.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Key of the candidate.
    pub key: String,
    /// Students who get the mark.
    pub members: Vec<Student>,
    /// State of the submission.
    pub status: Status,
    /// Digest of the submission.
    pub digest: String,
    /// Submission time, if known.
    pub submitted: Option<Timestamp>,
    /// Number of days late.
    pub days_late: u32,
    /// Penalty for lateness, in marks.
    pub penalty: f64,
    /// Results by test; empty if none was played.
    pub tests: Vec<TestMark>,
    /// Marks for reliability, if configured.
    pub reliability: Option<f64>,
    /// Marks of the class tournament, if configured.
    pub tournament: Option<f64>,
    /// Marks given by hand, if known.
    pub by_hand: Vec<Option<f64>>,
    /// Number of forfeited games, by termination.
    pub forfeits: BTreeMap<&'static str, u64>,
    /// Total of all marks.
    pub total: f64,
    /// Expected change in a repetition, if games were played.
    pub change: Option<Change>,
    /// Notes for a person.
    pub notes: Vec<String>,
    /// Differences from the files as handed in, one sentence each.
    pub of_files: Vec<String>,
}

impl Mark {
    /// The total; `None` if the submission is held without a game.
    pub fn known_total(&self) -> Option<f64> {
        let is_known = self.status != Status::Held || !self.tests.is_empty();
        is_known.then_some(self.total)
    }

    /// Sum of the marks besides the tests' and reliability's, less the penalty.
    pub fn besides(&self) -> f64 {
        besides(&self.by_hand, self.tournament, self.penalty)
    }
}

fn besides(by_hand: &[Option<f64>], tournament: Option<f64>, penalty: f64) -> f64 {
    let given: f64 = by_hand.iter().flatten().sum();
    given + tournament.unwrap_or(0.0) - penalty
}

/// Marks besides the marks of tests.
#[derive(Debug, Clone, Default)]
pub struct OtherMarks {
    /// Marks given by hand, in the order of the configuration.
    pub by_hand: Vec<Option<f64>>,
    /// Marks of the class tournament.
    pub tournament: Option<f64>,
}

impl Grading {
    /// Scheme that converts games to marks.
    pub fn scheme(&self) -> Scheme {
        let tests = self.tests.iter().map(|test| SchemeTest {
            marks: test.marks,
            rule: test.rule.clone(),
            cap: test.most_games * test.seatings(),
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

/// Mark of a candidate, from its games in each test if it has a bot.
pub fn mark(
    grading: &Grading,
    scheme: &Scheme,
    candidate: &Candidate,
    status: Status,
    digest: String,
    outcomes: &[Outcome],
    other: OtherMarks,
) -> Mark {
    // The lateness penalty applies to broken submissions too.
    let late = grading.late.as_ref();
    let penalty = late.map_or(0.0, |late| late.per_day * f64::from(candidate.days_late));
    let besides = besides(&other.by_hand, other.tournament, penalty);
    let games: Vec<TestGames> = outcomes
        .iter()
        .map(|outcome| outcome.games.clone())
        .collect();
    let tests = grading.tests.iter().zip(&scheme.tests).zip(outcomes);
    let tests = tests.map(|((test, in_scheme), outcome)| {
        let fraction = fraction(in_scheme, &outcome.games);
        TestMark {
            share: outcome.points / (outcome.count.max(1) as f64),
            games: outcome.count,
            marks: test.marks * fraction.value,
            low: test.marks * fraction.low,
            high: test.marks * fraction.high,
            end: outcome.end,
            without_verdict: without_verdict(test, in_scheme.cap, outcome.count, fraction),
            early_end: outcome.early_end.clone(),
        }
    });
    let mut forfeits = BTreeMap::new();
    for (termination, count) in outcomes.iter().flat_map(|outcome| &outcome.forfeits) {
        *forfeits.entry(*termination).or_default() += count;
    }
    let is_played = !outcomes.is_empty();
    let played: u64 = outcomes.iter().map(|outcome| outcome.count).sum();
    let forfeited: u64 = forfeits.values().sum();
    let reliability = grading.reliability.as_ref().filter(|_| played > 0);
    let reliability =
        reliability.map(|it| it.marks * curve(&it.curve, forfeited as f64 / played as f64));
    let tests: Vec<TestMark> = tests.collect();
    let undecided = grading.tests.iter().zip(&tests).filter_map(|(test, own)| {
        let counts = own.without_verdict.as_ref()?;
        Some(format!("{}: {counts}", test.name))
    });
    let notes = candidate.notes.iter().cloned().chain(undecided).collect();
    Mark {
        key: candidate.key.clone(),
        members: candidate.members.clone(),
        status,
        digest,
        submitted: candidate.submitted,
        days_late: candidate.days_late,
        penalty,
        reliability,
        tournament: other.tournament,
        forfeits,
        total: scheme.total(&games, besides),
        change: is_played.then(|| {
            let mut chance = Stream::new(CHANCE, 0);
            scheme.change(&games, besides, SIMULATIONS, &mut chance)
        }),
        tests,
        by_hand: other.by_hand,
        notes,
        of_files: Vec::new(),
    }
}

/// Explanation of a sequential test's marks without a verdict after this number of games, at most `cap`.
fn without_verdict(test: &Test, cap: u32, games: u64, fraction: Fraction) -> Option<String> {
    let MarkRule::Reach { doubt, .. } = test.rule else {
        return None;
    };
    if fraction.decided {
        return None;
    }
    let played = counted(games, "game", "games");
    let marks = match doubt {
        _ if games < cap.into() && fraction.value > 0.0 => "all marks",
        _ if games < cap.into() => "no marks",
        Doubt::Student => "all marks",
        Doubt::Half => "half the marks",
        Doubt::Nobody => "no marks",
    };
    Some(match games {
        0 => "no game was played, so there are no marks".to_owned(),
        games if games < cap.into() => format!(
            "no verdict, as only {played} of up to {cap} were played; what they make more likely counts: {marks}"
        ),
        _ => format!(
            "no verdict after {played}, the most that there are; the test then gives {marks}"
        ),
    })
}

/// Writes the marks, one row per student.
///
/// # Errors
/// The file cannot be written.
pub fn write_marks(path: &Path, grading: &Grading, marks: &[Mark]) -> Result<(), RunFileError> {
    write_whole(path, &mut |file| table(file, grading, marks))
}

fn table(file: &mut dyn io::Write, grading: &Grading, marks: &[Mark]) -> io::Result<()> {
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
        let columns = ["share", "games", "marks", "low", "high"];
        names.extend(columns.map(|column| format!("{}_{column}", test.name)));
    }
    names.push("reliability_marks".to_owned());
    names.push("tournament_marks".to_owned());
    names.extend(
        grading
            .by_hand
            .iter()
            .map(|part| format!("{}_marks", part.name)),
    );
    names.extend(forfeit_terminations().map(|it| format!("forfeits_{}", it.name())));
    let last = [
        "total",
        "low",
        "high",
        "of",
        "change",
        "change_low",
        "change_high",
        "note",
    ];
    names.extend(last.map(str::to_owned));
    names
}

/// Terminations by which a bot forfeits a game.
fn forfeit_terminations() -> impl Iterator<Item = Termination> {
    let by_no_bot = [
        Termination::Rules,
        Termination::Adjudication,
        Termination::Left,
    ];
    Termination::ALL
        .into_iter()
        .filter(move |it| !by_no_bot.contains(it))
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
        mark.submitted.map_or_else(String::new, |at| at.to_string()),
        mark.days_late.to_string(),
        number(mark.penalty),
    ];
    for at in 0..grading.tests.len() {
        cells.extend(match mark.tests.get(at) {
            None => [const { String::new() }; 5],
            Some(test) => [
                number(test.share),
                test.games.to_string(),
                number(test.marks),
                number(test.low),
                number(test.high),
            ],
        });
    }
    cells.push(optional(mark.reliability));
    cells.push(optional(mark.tournament));
    cells.extend(mark.by_hand.iter().map(|given| optional(*given)));
    cells.extend(forfeit_terminations().map(|termination| {
        let count = mark.forfeits.get(termination.name());
        count.copied().unwrap_or_default().to_string()
    }));
    let change = mark.change.as_ref();
    let total = mark.known_total();
    cells.push(optional(total));
    cells.push(optional(change.map(|change| change.low).or(total)));
    cells.push(optional(change.map(|change| change.high).or(total)));
    cells.push(number(grading.most_marks()));
    cells.push(optional(change.map(|change| change.probability)));
    cells.push(optional(change.map(|change| change.range[0])));
    cells.push(optional(change.map(|change| change.range[1])));
    let notes = [&mark.notes[..], &mark.of_files[..]].concat();
    cells.push(sheet_text(&notes.join("; ")));
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
