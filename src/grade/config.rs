//! The configuration of a grading: from TOML to a [`Grading`] that never changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};
use toml::Spanned;
use toml::value::Datetime;

mod file;
mod tests;

use super::{Lateness, Layout};
use crate::clock::TimeControl;
use crate::config::{
    ConfigError, Entry, Flaw, FormatTable, Limits, PlannedGame, file_name, limits, planned_game,
    read, text_of, time_control,
};
use crate::game::{GameResult, Reason, Seat};
use crate::player::Tier;
use crate::rating::{MarkRule, Reliability};
use crate::record::GameRow;
use file::{ByHandSection, File, LateSection, PointsSection, SubmissionSection};

/// A class, and how it is marked.
#[derive(Debug, Clone)]
pub struct Grading {
    /// Its name.
    pub name: String,
    /// The master seed of all games; `None` leaves it to be drawn for the class.
    pub seed: Option<u64>,
    /// The roster: a CSV file.
    pub roster: PathBuf,
    /// The folder of the submissions.
    pub submissions: PathBuf,
    /// How submissions lie there.
    pub layout: Layout,
    /// When they were due, and in which offset from UTC the class lives.
    pub deadline: Option<(Timestamp, Offset)>,
    /// What it costs to be late.
    pub late: Option<Lateness>,
    /// What a submission is.
    pub submission: SubmissionKind,
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
    },
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
    /// Reads and validates a configuration. Paths in it are taken from the current folder.
    ///
    /// # Errors
    /// The file cannot be read, or what it says is not a grading.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        Self::parse(&text_of(path)?, path)
    }

    /// Validates the text of a configuration; `path` is named in errors.
    ///
    /// # Errors
    /// What the text says is not a grading.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        read(text)
            .and_then(grading)
            .map_err(|flaw| flaw.in_file(text, path))
    }

    /// Reads a configuration for one submission alone: without the parts of the marks that need the class or its
    /// files, the tournament and what is marked by hand.
    ///
    /// # Errors
    /// Those of [`Grading::load`].
    pub fn load_alone(path: &Path) -> Result<Self, ConfigError> {
        let text = text_of(path)?;
        let alone = |file: File| File {
            by_hand: Vec::new(),
            tournament: None,
            ..file
        };
        read(&text)
            .and_then(|file| grading(alone(file)))
            .map_err(|flaw| flaw.in_file(&text, path))
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

impl Points {
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

fn grading(mut file: File) -> Result<Grading, Flaw> {
    isolate(&mut file);
    let name = match &file.name {
        Some(name) => file_name(name)?,
        None => "class".to_owned(),
    };
    let opening_plies = tests::opening_plies(file.opening_plies.as_ref(), 2)?;
    let deadline = file.class.deadline.as_ref().map(instant).transpose()?;
    let late = file.late.as_ref();
    let late = late.map(|late| lateness(late, deadline)).transpose()?;
    let by_hand = file.by_hand.iter().map(by_hand);
    let tests::Tests { references, tests } = tests::tests(&file, opening_plies)?;
    let reliability = file.reliability.as_ref().map(|section| {
        let curve = match &section.curve {
            Some(curve) => tests::curve(curve)?,
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
        roster: PathBuf::from(file.class.roster.get_ref()),
        submissions: PathBuf::from(file.class.submissions.get_ref()),
        layout: file.class.layout,
        deadline,
        late,
        submission: submission(&file.submission)?,
        points: points(&file.points)?,
        references,
        tests,
        limits: limits(&file.limits)?,
        time: time_control(&file.clock)?,
        game: planned_game(file.game.get_ref(), file.game.span().start, opening_plies)?,
        reliability: reliability.transpose()?,
        by_hand: by_hand.collect::<Result<_, _>>()?,
        round_to: file
            .marks
            .round_to
            .as_ref()
            .map_or(Ok(0.1), |step| in_range("round-to", step, 0.0..=100.0))?,
        change: file
            .marks
            .change
            .as_ref()
            .map_or(Ok(0.2), |change| in_range("change", change, 0.0..=1.0))?,
        tournament: tournament.transpose()?,
        publishes_standings: file.publish.standings,
    })
}

/// Students' bots see their own folders alone, wherever the machine can hold that and the configuration does not say
/// otherwise: they could reach the bots and files of the others.
fn isolate(file: &mut File) {
    let limits = &mut file.limits;
    if limits.isolation.is_none() {
        limits.isolation = Some(Spanned::new(0..0, Tier::Landlock));
        let fallback = Spanned::new(0..0, Tier::Containment);
        limits.isolation_fallback.get_or_insert(fallback);
    }
}

/// A number within a range.
fn in_range(
    key: &str,
    value: &Spanned<f64>,
    range: std::ops::RangeInclusive<f64>,
) -> Result<f64, Flaw> {
    match range.contains(value.get_ref()) {
        true => Ok(*value.get_ref()),
        false => Err(Flaw::of(
            value,
            format!(
                "`{key}` is {}: expected from {} to {}",
                value.get_ref(),
                range.start(),
                range.end()
            ),
        )),
    }
}

fn marks(value: &Spanned<f64>) -> Result<f64, Flaw> {
    in_range("marks", value, 0.0..=10_000.0)
}

/// A moment with its offset from UTC.
fn instant(value: &Spanned<Datetime>) -> Result<(Timestamp, Offset), Flaw> {
    let text = value.get_ref().to_string();
    let zoned = text.parse::<Timestamp>();
    let offset = value.get_ref().offset.map(|offset| match offset {
        toml::value::Offset::Z => 0,
        toml::value::Offset::Custom { minutes } => i32::from(minutes) * 60,
    });
    let offset = offset.and_then(|seconds| Offset::from_seconds(seconds).ok());
    match (zoned, offset) {
        (Ok(at), Some(offset)) => Ok((at, offset)),
        _ => Err(Flaw::of(
            value,
            format!("`{text}` has no offset: expected a time such as 2026-05-20T23:59:00+10:00"),
        )),
    }
}

fn lateness(
    late: &Spanned<LateSection>,
    deadline: Option<(Timestamp, Offset)>,
) -> Result<Lateness, Flaw> {
    let section = late.get_ref();
    let (deadline, offset) = deadline.ok_or_else(|| {
        Flaw::of(
            late,
            "[late] needs `deadline` in [class]: expected when submissions were due",
        )
    })?;
    let grace = section.grace.as_ref().map(|grace| {
        let time = humantime::parse_duration(grace.get_ref()).ok();
        time.and_then(|time| SignedDuration::try_from(time).ok())
            .ok_or_else(|| {
                let problem = format!(
                    "`grace` cannot be `{}`: expected a time with its unit, such as \"10m\"",
                    grace.get_ref()
                );
                Flaw::of(grace, problem)
            })
    });
    let holidays = section.holidays.iter().map(|day| {
        day.get_ref().to_string().parse().map_err(|_| {
            let problem = format!(
                "`{}` is no day: expected one such as 2026-06-13",
                day.get_ref()
            );
            Flaw::of(day, problem)
        })
    });
    Ok(Lateness {
        deadline,
        offset,
        per_day: in_range("marks-per-day", &section.marks_per_day, 0.0..=10_000.0)?,
        days: section.days,
        holidays: holidays.collect::<Result<_, _>>()?,
        grace: grace.transpose()?.unwrap_or_default(),
        most_days: section.most_days,
    })
}

fn submission(section: &Spanned<SubmissionSection>) -> Result<SubmissionKind, Flaw> {
    let at = section.span().start;
    let SubmissionSection {
        command,
        build,
        kit,
        course,
        adapter,
        env,
        fresh_process,
    } = section.get_ref();
    let kit = kit.as_ref().is_some_and(|kit| *kit.get_ref());
    let program = match (command, kit, course) {
        (Some(command), false, None) => {
            words("command", command)?;
            if let Some(build) = build {
                words("build", build)?;
            }
            Program::Command {
                command: command.get_ref().clone(),
                build: build.as_ref().map(|build| build.get_ref().clone()),
            }
        }
        (None, true, None) => Program::Kit,
        (None, false, Some(course)) => {
            let adapter = adapter.as_ref().ok_or_else(|| {
                let problem = "`course` needs `adapter`: expected the path of the adapter, such as \
                               \"bots/course-adapters/adapter.py\"";
                Flaw::of(course, problem)
            })?;
            let path = PathBuf::from(adapter.get_ref());
            if !path.is_file() {
                let problem = format!("there is no file `{}`", path.display());
                return Err(Flaw::of(adapter, problem));
            }
            Program::Package {
                course: course.get_ref().clone(),
                adapter: path,
            }
        }
        _ => {
            return Err(Flaw::at(
                at,
                "a submission is one of three things: `command = [\"program\", \"argument\"]` in its folder, \
                 `kit = true`, or `course = \"comp30024-2022\"` with its `adapter`",
            ));
        }
    };
    if let (Some(build), false) = (build, command.is_some()) {
        return Err(Flaw::of(build, "`build` goes with `command` only"));
    }
    if let (Some(adapter), None) = (adapter, course) {
        return Err(Flaw::of(adapter, "`adapter` goes with `course` only"));
    }
    Ok(SubmissionKind {
        program,
        env: env.clone().into_iter().collect(),
        fresh_process: *fresh_process,
    })
}

/// Refuses a command without words.
fn words(key: &str, command: &Spanned<Vec<String>>) -> Result<(), Flaw> {
    match command.get_ref().is_empty() {
        false => Ok(()),
        true => Err(Flaw::of(
            command,
            format!("`{key}` is empty: expected a program and its arguments, such as [\"make\"]"),
        )),
    }
}

fn points(section: &PointsSection) -> Result<Points, Flaw> {
    let of = |key: &str, value: &Option<Spanned<f64>>, default: f64| match value {
        Some(value) => in_range(key, value, 0.0..=1.0),
        None => Ok(default),
    };
    let mut draw_by = BTreeMap::new();
    for (key, value) in &section.draw_by {
        let name = key.get_ref().replace('-', "_");
        let reason = Reason::from_name(&name).ok_or_else(|| {
            let problem = format!(
                "no game is drawn by `{}`: expected a reason of docs/failures.md, such as repetition",
                key.get_ref()
            );
            Flaw::of(key, problem)
        })?;
        draw_by.insert(reason.name(), in_range(key.get_ref(), value, 0.0..=1.0)?);
    }
    Ok(Points {
        win: of("win", &section.win, 1.0)?,
        draw: of("draw", &section.draw, 0.5)?,
        loss: of("loss", &section.loss, 0.0)?,
        draw_by,
    })
}

fn by_hand(section: &Spanned<ByHandSection>) -> Result<ByHand, Flaw> {
    let section = section.get_ref();
    let file = PathBuf::from(section.file.get_ref());
    let name = file_name(&section.name)?;
    Ok(ByHand {
        marks: marks(&section.marks)?,
        file,
        key: section.key.clone().unwrap_or_else(|| "id".to_owned()),
        column: section.column.clone().unwrap_or_else(|| name.clone()),
        name,
    })
}
