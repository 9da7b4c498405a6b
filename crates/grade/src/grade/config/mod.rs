//! Configuration of a grading: from TOML to an immutable [`Grading`].

use std::path::Path;

use sha2::{Digest, Sha256};

mod file;
mod grading;
mod sections;
mod test_sections;

pub use grading::{Grading, Part, PartKind, PointScheme, Program, SubmissionKind, Test};

use crate::config::{
    Base, ConfigError, Flaw, PlannedGame, course_files, file_name, limits, planned_game, read,
    text_of, time_control,
};
use crate::game::Games;
use crate::grade::intake::Lateness;
use crate::grade::scheme::Reliability;
use file::{FeedbackSection, File};
use sections::{columns, deadline, in_range, lateness, marks, points, set_defaults, submission};

impl Grading {
    pub fn load(path: &Path, games: Games) -> Result<Self, ConfigError> {
        Self::parse(&text_of(path)?, path, games)
    }

    /// Validates the text of a configuration. Errors name `path`, and paths are relative to its folder.
    pub fn parse(text: &str, path: &Path, games: Games) -> Result<Self, ConfigError> {
        read(text, |file| validate(file, Base::of(path, games)))
            .map_err(|flaw| flaw.in_file(text, path))
    }

    /// Reads a configuration for a single submission, without what needs the class: the tournament. Without a `seed` it derives one from the text: with a
    /// new seed for each submission, a student could resubmit until the games are lucky.
    pub fn load_alone(path: &Path, games: Games) -> Result<Self, ConfigError> {
        let text = text_of(path)?;
        let alone = |file: File| File {
            tournament: None,
            feedback: FeedbackSection::default(),
            ..file
        };
        let mut grading = read(&text, |file| validate(alone(file), Base::of(path, games)))
            .map_err(|flaw| flaw.in_file(&text, path))?;
        grading.seed.get_or_insert_with(|| seed_of(&text));
        Ok(grading)
    }
}

/// The first 63 bits of a text's SHA-256: TOML integers are signed, and manifests hold the seed.
fn seed_of(text: &str) -> u64 {
    let digest = Sha256::digest(text);
    let first = digest.iter().take(8);
    first.fold(0, |seed, byte| seed << 8 | u64::from(*byte)) >> 1
}

fn validate(mut file: File, base: Base<'_>) -> Result<Grading, Flaw> {
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
        .transpose()?
        .or_else(|| deadline.as_ref().map(Lateness::without_cost));
    let course_files = course_files(file.course_files.as_ref(), base)?;
    let limits = limits(&file.limits)?;
    let base = base.with_rules_limits(limits.rules());
    let test_sections::Tests { references, tests } =
        test_sections::tests(&file, opening_plies, base, course_files.as_deref())?;
    let at = file.game.span().start;
    let game = planned_game(file.game.get_ref(), at, base, opening_plies)?;
    let games = tests.iter().map(|test| test.game.clone());
    let games: Vec<PlannedGame> = games.chain([game.clone()]).collect();
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
        // The players are unknown yet; errors independent of them show with a table of placeholders.
        let seats = game.game().seat_count();
        let names: Vec<String> = ('a'..).take(seats).map(String::from).collect();
        crate::config::format(&section.format, &names, seats)?;
        Ok(section.format.get_ref().clone())
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
        points: points(&file.points, game.game(), &games)?,
        references,
        tests,
        limits,
        time: time_control(&file.clock)?,
        game,
        reliability: reliability.transpose()?,
        round_to: file
            .marks
            .round_to
            .as_ref()
            .map_or(Ok(0.5), |step| in_range("round-to", step, 0.0..=100.0))?,
        tournament: tournament.transpose()?,
        shows_hidden_games: file.feedback.hidden_games,
    })
}
