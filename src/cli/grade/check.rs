//! `referee grade CONFIG --check`: finds problems before any game is played.

use super::GradeArgs;
use super::progress::GradeProgress;
use super::screen::commons;
use crate::cli::arguments::{signals, supervisor};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::say;
use crate::cli::run::{EarlierGames, Workload, in_words};
use crate::clock::Measure;
use crate::grade::{Class, ClassCheck, Grading, tournament_games};
use crate::text::counted;

pub(super) fn check(args: &GradeArgs, grading: &Grading) -> Result<Exit, Failure> {
    let class = Class::read(grading)?;
    let interrupt = signals()?;
    let beforehand = ClassCheck {
        host: args.machine.options(),
        supervisor: &supervisor()?,
        interrupt: &interrupt,
    };
    let folder = args.folder(grading);
    let progress = GradeProgress::new(args.quiet, Some(interrupt.clone()));
    let looked = beforehand.look(grading, &class, &folder, &|step| progress.tell(&step));
    drop(progress);
    let unfit = looked?;
    let problems = || {
        class
            .problems
            .iter()
            .chain(&unfit.problems)
            .chain(&unfit.equal)
    };
    let mut text: String = problems().map(|problem| format!("{problem}\n")).collect();
    text.push_str(&commons(&unfit.common));
    text.push_str(&plan(args, grading, &class, unfit.problems.len())?);
    say(&text)?;
    Ok(if problems().all(|problem| problem.is_note) {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn plan(
    args: &GradeArgs,
    grading: &Grading,
    class: &Class,
    unfit: usize,
) -> Result<String, Failure> {
    let handed_in = class.candidates.iter().filter(|it| it.path.is_some());
    let in_time = handed_in
        .clone()
        .filter(|it| it.playable().is_some())
        .count();
    let bots = in_time.saturating_sub(unfit) as u64;
    let handed_in = handed_in.count() as u64;
    let left_out = match handed_in - bots {
        0 => String::new(),
        left_out => format!(", {left_out} of them too late or no bot"),
    };
    let games = grading.games() * bots;
    // A configuration that finds no submission has probably a wrong folder or layout.
    let valid = match handed_in {
        0 => "nobody has handed in",
        _ => "valid",
    };
    let mut text = format!(
        "{}: {valid}; {}, {handed_in} handed in{left_out}; {}{}\n",
        args.config.display(),
        counted(
            class.candidates.len() as u64,
            "student or team",
            "students or teams"
        ),
        counted(games, "game", "games"),
        match tournament_games(grading, bots as usize)? {
            Some(count) => format!("; the tournament of the class: {}", in_words(count)),
            None => String::new(),
        },
    );
    text.push_str(&time(args, grading, class, games));
    Ok(text)
}

fn time(args: &GradeArgs, grading: &Grading, class: &Class, games: u64) -> String {
    let folder = args.folder(grading);
    let mut seen = EarlierGames::default();
    let candidates = class.candidates.iter();
    for run in candidates.flat_map(|it| folder.test_runs(&it.key)) {
        seen.add(&run);
    }
    let longest = grading.longest();
    let longest = longest.map(|all| all.div_f64(grading.games().max(1) as f64));
    let mut measures = grading.tests.iter().map(|test| test.time.measure);
    let measure = match measures.any(|it| it == Measure::Cpu) {
        true => Measure::Cpu,
        false => Measure::Wall,
    };
    Workload::new(games, args.machine.jobs).time(
        "the tests",
        longest,
        measure,
        &seen,
        folder.path(),
    )
}
