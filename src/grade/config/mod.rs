//! Configuration of a grading: from TOML to an immutable [`Grading`].

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
use crate::game::{GameResult, Games, Reason, Seat};
use crate::grade::intake::{Deadline, Lateness, Layout};
use crate::grade::scheme::{MarkRule, Reliability};
use crate::runs::GameRow;
use file::{File, PublishSection};
use sections::{
    by_hand, columns, deadline, in_range, lateness, marks, points, set_defaults, submission,
};

/// A validated grading of a class.
#[derive(Debug, Clone)]
pub struct Grading {
    /// Name of the grading.
    pub name: String,
    /// Games that the configuration and records of its runs may name.
    pub known_games: Games,
    /// Master seed of all games; `None` draws one for the class.
    pub seed: Option<u64>,
    /// Path of the roster, a CSV file.
    pub roster: PathBuf,
    /// Names of its columns that differ from ours, by our names.
    pub columns: Vec<(&'static str, String)>,
    /// The folder of the submissions.
    pub submissions: PathBuf,
    /// Layout of that folder.
    pub layout: Layout,
    /// Deadline of submissions.
    pub deadline: Option<Deadline>,
    /// Rule for late submissions.
    pub late: Option<Lateness>,
    /// Kind of submissions.
    pub submission: SubmissionKind,
    /// Folder with the files that the course puts beside all bots.
    pub course_files: Option<PathBuf>,
    /// Points of a game by its result.
    pub points: Points,
    /// Reference bots, by name.
    pub references: Vec<Entry>,
    /// Tests, played for marks.
    pub tests: Vec<Test>,
    /// Limits in all games.
    pub limits: Limits,
    /// The clock of games outside of the tests.
    pub time: TimeControl,
    /// Game of the class tournament and of the first check.
    pub game: PlannedGame,
    /// Marks by the share of games that the student forfeited.
    pub reliability: Option<Reliability>,
    /// Parts marked by hand.
    pub by_hand: Vec<ByHand>,
    /// Step to which the total is rounded.
    pub round_to: f64,
    /// Games are added until a repetition changes the total with at most this probability.
    pub change: f64,
    /// Tournament of the class.
    pub tournament: Option<ClassTournament>,
    /// Whether the standings of the class are published, under pseudonyms.
    pub publishes_standings: bool,
}

/// Kind of submissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionKind {
    /// Way to find the program.
    pub program: Program,
    /// Variables added to its environment.
    pub env: Vec<(String, String)>,
    /// Whether each game gets a new process.
    pub fresh_process: bool,
}

/// Way to find the program of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// A command in its folder, after an optional build.
    Command {
        /// Program and arguments.
        command: Vec<String>,
        /// Build command.
        build: Option<Vec<String>>,
    },
    /// The first player of the submission's `kit.toml`.
    Kit,
    /// A course's package, played by an adapter.
    Package {
        /// Name of the course, as known to the adapter.
        course: String,
        /// Path of the adapter.
        adapter: PathBuf,
        /// Module to play if neither the package nor the roster tells.
        module: Option<String>,
    },
}

/// The first 63 bits of a text's SHA-256: TOML integers are signed, and manifests hold the seed.
fn seed_of(text: &str) -> u64 {
    let digest = Sha256::digest(text);
    let first = digest.iter().take(8);
    first.fold(0, |seed, byte| seed << 8 | u64::from(*byte)) >> 1
}

/// Points of a game by its result, from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    win: f64,
    draw: f64,
    loss: f64,
    /// Points of draws by the reason of the draw.
    draw_by: BTreeMap<&'static str, f64>,
}

/// A test: games against references for a part of the marks.
#[derive(Debug, Clone)]
pub struct Test {
    /// Name of the test.
    pub name: String,
    /// Opponents, as indices into the references.
    pub against: Vec<usize>,
    /// Game with its options.
    pub game: PlannedGame,
    /// Time control.
    pub time: TimeControl,
    /// Maximum marks.
    pub marks: f64,
    /// Conversion of points to marks.
    pub rule: MarkRule,
    /// Minimum number of games per opponent.
    pub games: u32,
    /// Maximum number of games per opponent.
    pub most_games: u32,
}

/// A part of the marks that is read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ByHand {
    /// Name of the part.
    pub name: String,
    /// Maximum marks.
    pub marks: f64,
    /// Path of the CSV file.
    pub file: PathBuf,
    /// Column of the students' ids.
    pub key: String,
    /// Column of the marks.
    pub column: String,
}

/// Tournament of the class.
#[derive(Debug, Clone)]
pub struct ClassTournament {
    /// Format of the tournament.
    pub format: FormatTable,
    /// Maximum marks, scaled by the share of points.
    pub marks: f64,
}

impl Grading {
    /// Reads and validates a configuration. Its paths are relative to its folder.
    ///
    /// # Errors
    /// The file cannot be read, or is no valid grading.
    pub fn load(path: &Path, games: Games) -> Result<Self, ConfigError> {
        Self::parse(&text_of(path)?, path, games)
    }

    /// Validates the text of a configuration. Errors name `path`, and paths are relative to its folder.
    ///
    /// # Errors
    /// The text is no valid grading.
    pub fn parse(text: &str, path: &Path, games: Games) -> Result<Self, ConfigError> {
        read(text)
            .and_then(|file| grading(file, Base::of(path, games)))
            .map_err(|flaw| flaw.in_file(text, path))
    }

    /// Reads a configuration for a single submission, without parts of the marks that need the class or its
    /// files: the tournament and parts marked by hand. Without a `seed` it derives one from the text: with a
    /// new seed for each submission, a student could resubmit until the games are lucky.
    ///
    /// # Errors
    /// See [`Grading::load`].
    pub fn load_alone(path: &Path, games: Games) -> Result<Self, ConfigError> {
        let text = text_of(path)?;
        let alone = |file: File| File {
            by_hand: Vec::new(),
            tournament: None,
            publish: PublishSection::default(),
            ..file
        };
        let mut grading = read(&text)
            .and_then(|file| grading(alone(file), Base::of(path, games)))
            .map_err(|flaw| flaw.in_file(&text, path))?;
        grading.seed.get_or_insert_with(|| seed_of(&text));
        Ok(grading)
    }

    /// Minimum and maximum number of games of a student.
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

    /// Time of a student's minimum number of games if both bots use up their clocks; `None` if a clock has no
    /// limit per game.
    pub fn longest(&self) -> Option<Duration> {
        let mut sum = Duration::ZERO;
        for test in &self.tests {
            let games = test.games.saturating_mul(test.against.len() as u32);
            let game = test.time.per_game?.saturating_mul(2);
            sum = sum.saturating_add(game.saturating_mul(games));
        }
        Some(sum)
    }

    /// Maximum total of marks.
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
    /// Whether the test continues until it has a verdict.
    pub(super) fn is_sequential(&self) -> bool {
        matches!(self.rule, MarkRule::Reach { .. })
    }
}

impl Points {
    /// Minimum and maximum points of a game.
    pub(super) fn range(&self) -> [f64; 2] {
        let draws = self.draw_by.values().copied();
        let all = draws.chain([self.win, self.draw, self.loss]);
        all.fold([1.0, 0.0], |[least, most], worth| {
            [worth.min(least), worth.max(most)]
        })
    }

    /// Points of a game for the player in a seat.
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
    let at = file.game.span().start;
    let game = planned_game(file.game.get_ref(), at, base, opening_plies)?;
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
        // The players are unknown yet; errors independent of them show with two placeholders.
        let names = ["a", "b"].map(str::to_owned);
        crate::config::format(&section.format, &names)?;
        Ok(ClassTournament {
            format: section.format.get_ref().clone(),
            marks: section.marks.as_ref().map_or(Ok(0.0), marks)?,
        })
    });
    Ok(Grading {
        name,
        known_games: base.games,
        seed: file.seed,
        roster: base.later("roster", &file.class.roster)?,
        columns: columns(&file.class.columns)?,
        submissions: base.later("submissions", &file.class.submissions)?,
        layout: file.class.layout,
        deadline,
        late,
        submission: submission(&file.submission, base)?,
        course_files,
        points: points(&file.points, game.game())?,
        references,
        tests,
        limits: limits(&file.limits)?,
        time: time_control(&file.clock)?,
        game,
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
