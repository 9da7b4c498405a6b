//! The configuration of a grading: from TOML to a [`Grading`] that never changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

mod file;
mod sections;
mod test_sections;

use crate::clock::TimeControl;
use crate::config::{
    Base, ConfigError, Entry, Flaw, FormatTable, Limits, PlannedGame, course_files, file_name,
    limits, planned_game, read, text_of, time_control,
};
use crate::game::{GameResult, Reason, Seat};
use crate::grade::intake::{Deadline, Lateness, Layout};
use crate::rating::{MarkRule, Reliability};
use crate::record::GameRow;
use file::{File, PublishSection};
use sections::{
    by_hand, columns, deadline, in_range, lateness, marks, points, set_defaults, submission,
};

/// A class, and how it is marked.
#[derive(Debug, Clone)]
pub struct Grading {
    /// Its name.
    pub name: String,
    /// The master seed of all games; `None` leaves it to be drawn for the class.
    pub seed: Option<u64>,
    /// The roster: a CSV file.
    pub roster: PathBuf,
    /// The names of its columns that differ from ours, by our names.
    pub columns: Vec<(&'static str, String)>,
    /// The folder of the submissions.
    pub submissions: PathBuf,
    /// How submissions lie there.
    pub layout: Layout,
    /// When they were due.
    pub deadline: Option<Deadline>,
    /// What it costs to be late.
    pub late: Option<Lateness>,
    /// What a submission is.
    pub submission: SubmissionKind,
    /// The folder that the course puts beside all bots.
    pub course_files: Option<PathBuf>,
    /// What a game is worth.
    pub points: Points,
    /// The bots against which students play, by name.
    pub references: Vec<Entry>,
    /// What is played for marks.
    pub tests: Vec<Test>,
    /// The limits of all games.
    pub limits: Limits,
    /// The clock of games outside of the tests.
    pub time: TimeControl,
    /// The game of the class tournament and of the first check.
    pub game: PlannedGame,
    /// Marks by the share of games that the student forfeited.
    pub reliability: Option<Reliability>,
    /// What was marked by hand.
    pub by_hand: Vec<ByHand>,
    /// The step in which the total is given.
    pub round_to: f64,
    /// Games are added until a repetition changes the total with at most this probability.
    pub change: f64,
    /// The tournament of the class.
    pub tournament: Option<ClassTournament>,
    /// Whether the standings of the class are published, under pseudonyms.
    pub publishes_standings: bool,
}

/// What a submission is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionKind {
    /// How its program is found.
    pub program: Program,
    /// Variables added to its environment.
    pub env: Vec<(String, String)>,
    /// Whether each game has a new process.
    pub fresh_process: bool,
}

/// How the program of a submission is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// By a command in its folder, after a build if there is one.
    Command {
        /// The program and its arguments.
        command: Vec<String>,
        /// The command that makes it.
        build: Option<Vec<String>>,
    },
    /// By the first player of the submission's own `kit.toml`.
    Kit,
    /// It is a package of a course, which an adapter plays.
    Package {
        /// The course, as the adapter calls it.
        course: String,
        /// The adapter.
        adapter: PathBuf,
        /// Which module plays, where neither the package tells nor the roster.
        module: Option<String>,
    },
}

/// The first 63 bits of the SHA-256 of a text: TOML has no larger number, and manifests hold the seed.
fn seed_of(text: &str) -> u64 {
    let digest = Sha256::digest(text);
    let first = digest.iter().take(8);
    first.fold(0, |seed, byte| seed << 8 | u64::from(*byte)) >> 1
}

/// What a game is worth, from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    win: f64,
    draw: f64,
    loss: f64,
    /// Draws by these rules.
    draw_by: BTreeMap<&'static str, f64>,
}

/// A part of the marks that is played for.
#[derive(Debug, Clone)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// The opponents, as indices into the references.
    pub against: Vec<usize>,
    /// The game, with its options.
    pub game: PlannedGame,
    /// The clock.
    pub time: TimeControl,
    /// The marks that it can bring.
    pub marks: f64,
    /// How points become marks.
    pub rule: MarkRule,
    /// How many games are played at least against each opponent.
    pub games: u32,
    /// How many at most.
    pub most_games: u32,
}

/// Marks that are read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ByHand {
    /// Its name.
    pub name: String,
    /// The marks that it can bring.
    pub marks: f64,
    /// The file, a CSV.
    pub file: PathBuf,
    /// The column with the student's id.
    pub key: String,
    /// The column with the marks.
    pub column: String,
}

/// The tournament of the class.
#[derive(Debug, Clone)]
pub struct ClassTournament {
    /// Who meets whom.
    pub format: FormatTable,
    /// The marks that it can bring, by the share of points.
    pub marks: f64,
}

impl Grading {
    /// Reads and validates a configuration. Paths in it start at its folder.
    ///
    /// # Errors
    /// The file cannot be read, or what it says is not a grading.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        Self::parse(&text_of(path)?, path)
    }

    /// Validates the text of a configuration; `path` is named in errors, and its folder is
    /// where paths start.
    ///
    /// # Errors
    /// What the text says is not a grading.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        read(text)
            .and_then(|file| grading(file, Base::of(path)))
            .map_err(|flaw| flaw.in_file(text, path))
    }

    /// Reads a configuration for one submission alone: without the parts of the marks that need the class or its
    /// files, the tournament and what is marked by hand. Without a `seed` it has one that is made of the text: a new one
    /// for each submission would let a student hand in until the games are lucky.
    ///
    /// # Errors
    /// Those of [`Grading::load`].
    pub fn load_alone(path: &Path) -> Result<Self, ConfigError> {
        let text = text_of(path)?;
        let alone = |file: File| File {
            by_hand: Vec::new(),
            tournament: None,
            publish: PublishSection::default(),
            ..file
        };
        let mut grading = read(&text)
            .and_then(|file| grading(alone(file), Base::of(path)))
            .map_err(|flaw| flaw.in_file(&text, path))?;
        grading.seed.get_or_insert_with(|| seed_of(&text));
        Ok(grading)
    }

    /// How many games a student has, at least and at most.
    pub fn games(&self) -> [u64; 2] {
        let tests = self.tests.iter();
        tests.fold([0; 2], |[least, most], test| {
            let opponents = test.against.len() as u64;
            let add = |games: u32| u64::from(games) * opponents;
            let goes_on = test.is_sequential() || self.change < 1.0;
            let at_most = if goes_on { test.most_games } else { test.games };
            [least + add(test.games), most + add(at_most)]
        })
    }

    /// How long the least number of games of a student takes if both bots use all of their clocks; `None` where a
    /// clock has no limit for a game.
    pub fn longest(&self) -> Option<Duration> {
        let mut sum = Duration::ZERO;
        for test in &self.tests {
            let games = test.games.saturating_mul(test.against.len() as u32);
            let game = test.time.per_game?.saturating_mul(2);
            sum = sum.saturating_add(game.saturating_mul(games));
        }
        Some(sum)
    }

    /// The marks that there are to be had.
    pub fn most_marks(&self) -> f64 {
        let tests = self.tests.iter().map(|test| test.marks);
        let by_hand = self.by_hand.iter().map(|part| part.marks);
        let reliability = self.reliability.iter().map(|part| part.marks);
        let tournament = self.tournament.iter().map(|part| part.marks);
        tests
            .chain(by_hand)
            .chain(reliability)
            .chain(tournament)
            .sum()
    }
}

impl Test {
    /// Whether it plays on until it has a verdict.
    pub(super) fn is_sequential(&self) -> bool {
        matches!(self.rule, MarkRule::Reach { .. })
    }
}

impl Points {
    /// The least and the most that a game can be worth.
    pub(super) fn range(&self) -> [f64; 2] {
        let draws = self.draw_by.values().copied();
        let all = draws.chain([self.win, self.draw, self.loss]);
        all.fold([1.0, 0.0], |[least, most], worth| {
            [worth.min(least), worth.max(most)]
        })
    }

    /// What a game is worth for the player in a seat.
    pub fn of(&self, row: &GameRow, seat: Seat) -> f64 {
        match row.end.result {
            GameResult::Won(winner) if winner == seat => self.win,
            GameResult::Won(_) | GameResult::Nobody => self.loss,
            GameResult::Drawn => {
                let reason = row.end.reason.map(Reason::name);
                let own = reason.and_then(|reason| self.draw_by.get(reason));
                own.copied().unwrap_or(self.draw)
            }
        }
    }
}

fn grading(mut file: File, base: Base<'_>) -> Result<Grading, Flaw> {
    set_defaults(&mut file);
    let name = match &file.name {
        Some(name) => file_name(name)?,
        None => "class".to_owned(),
    };
    let opening_plies = test_sections::opening_plies(file.opening_plies.as_ref(), 2)?;
    let deadline = deadline(&file.class)?;
    let late = file.late.as_ref();
    let late = late
        .map(|late| lateness(late, deadline.as_ref()))
        .transpose()?;
    let course_files = course_files(file.course_files.as_ref(), base)?;
    let test_sections::Tests { references, tests } =
        test_sections::tests(&file, opening_plies, base, course_files.as_deref())?;
    let by_hand = by_hand(&file.by_hand, &tests, base)?;
    let reliability = file.reliability.as_ref().map(|section| {
        let curve = match &section.curve {
            Some(curve) => test_sections::curve(curve)?,
            None => vec![[0.0, 1.0], [0.25, 0.0]],
        };
        Ok(Reliability {
            marks: marks(&section.marks)?,
            curve,
        })
    });
    let tournament = file.tournament.as_ref().map(|section| {
        let section = section.get_ref();
        // Who plays is not known yet; what is wrong for any number of players shows with these.
        let names = ["a", "b"].map(str::to_owned);
        crate::config::format(&section.format, &names)?;
        Ok(ClassTournament {
            format: section.format.get_ref().clone(),
            marks: section.marks.as_ref().map_or(Ok(0.0), marks)?,
        })
    });
    Ok(Grading {
        name,
        seed: file.seed,
        roster: base.later("roster", &file.class.roster)?,
        columns: columns(&file.class.columns)?,
        submissions: base.later("submissions", &file.class.submissions)?,
        layout: file.class.layout,
        deadline,
        late,
        submission: submission(&file.submission, base)?,
        course_files,
        points: points(&file.points)?,
        references,
        tests,
        limits: limits(&file.limits)?,
        time: time_control(&file.clock)?,
        game: planned_game(
            file.game.get_ref(),
            file.game.span().start,
            base,
            opening_plies,
        )?,
        reliability: reliability.transpose()?,
        by_hand,
        round_to: file
            .marks
            .round_to
            .as_ref()
            .map_or(Ok(0.5), |step| in_range("round-to", step, 0.0..=100.0))?,
        change: file
            .marks
            .change
            .as_ref()
            .map_or(Ok(1.0), |change| in_range("change", change, 0.0..=1.0))?,
        tournament: tournament.transpose()?,
        publishes_standings: file.publish.standings,
    })
}
