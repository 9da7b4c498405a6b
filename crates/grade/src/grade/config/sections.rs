//! Parses the sections of a grading's configuration besides its tests.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use jiff::SignedDuration;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use toml::Spanned;

use super::file::{ClassSection, File, LateSection, PointsSection, SubmissionSection};
use super::{PointScheme, Program, SubmissionKind};
use crate::bot::{Launch, Tier};
use crate::clock::Measure;
use crate::config::{Amount, Base, Flaw, PlannedGame};
use crate::game::{Game, Reason};
use crate::grade::intake::{COLUMNS, Deadline, Lateness};
use crate::text;

/// Defaults for students' bots. Isolation shows each bot its own folder only, where the machine can provide
/// that: otherwise it could reach the bots and files of others. Time and memory have limits, so that a bot
/// without end does not keep a class waiting.
pub(super) fn set_defaults(file: &mut File) {
    let amount = |text: &str| Spanned::new(0..0, Amount(text.to_owned()));
    let limits = &mut file.limits;
    if limits.isolation.is_none() {
        limits.isolation = Some(Spanned::new(0..0, Tier::Landlock));
        let fallback = Spanned::new(0..0, Tier::Containment);
        limits.isolation_fallback.get_or_insert(fallback);
    }
    limits.memory.get_or_insert(amount("1GiB"));
    let tests = file.test.iter_mut().map(|test| &mut test.get_mut().clock);
    for clock in tests.chain([&mut file.clock]) {
        if clock.per_game.is_none() && clock.per_move.is_none() {
            clock.per_game = Some(amount("60s"));
            let cpu = Spanned::new(0..0, Measure::Cpu);
            clock.measure.get_or_insert(cpu);
            clock.wall_cap.get_or_insert(amount("2m"));
        }
    }
}

pub(super) fn in_range(
    key: &str,
    value: &Spanned<f64>,
    range: RangeInclusive<f64>,
) -> Result<f64, Flaw> {
    if range.contains(value.get_ref()) {
        Ok(*value.get_ref())
    } else {
        Err(Flaw::of(
            value,
            format!(
                "`{key}` is {}: expected from {} to {}",
                value.get_ref(),
                range.start(),
                range.end()
            ),
        ))
    }
}

pub(super) fn marks(value: &Spanned<f64>) -> Result<f64, Flaw> {
    in_range("marks", value, 0.0..=10_000.0)
}

pub(super) fn deadline(class: &ClassSection) -> Result<Option<Deadline>, Flaw> {
    let zone = class.zone.as_ref().map(zone).transpose()?;
    let Some(value) = &class.deadline else {
        let alone = class.zone.as_ref().map(|zone| {
            Flaw::of(
                zone,
                "`zone` needs `deadline`: expected when submissions were due",
            )
        });
        return alone.map_or(Ok(None), Err);
    };
    let text = value.get_ref().to_string();
    let deadline = match zone {
        Some(zone) => match value.get_ref().offset {
            Some(_) => text.parse().ok().map(|at| (at, zone)),
            None => text.parse::<DateTime>().ok().and_then(|local| {
                let at = zone.to_ambiguous_zoned(local).unambiguous().ok()?;
                Some((at.timestamp(), zone))
            }),
        },
        None => value.get_ref().offset.and_then(|offset| {
            let seconds = match offset {
                toml::value::Offset::Z => 0,
                toml::value::Offset::Custom { minutes } => i32::from(minutes) * 60,
            };
            let offset = Offset::from_seconds(seconds).ok()?;
            Some((text.parse().ok()?, offset.to_time_zone()))
        }),
    };
    let (at, zone) = deadline.ok_or_else(|| {
        Flaw::of(
            value,
            format!(
                "`{text}` is no moment: expected a time that the clock of `zone` shows once, or one with its offset, \
                 such as 2026-05-20T23:59:00+10:00"
            ),
        )
    })?;
    Ok(Some(Deadline {
        at,
        zone,
        is_of_a_place: class.zone.is_some(),
    }))
}

pub(super) fn columns(
    named: &BTreeMap<Spanned<String>, String>,
) -> Result<Vec<(&'static str, String)>, Flaw> {
    let column = |(ours, name): (&Spanned<String>, &String)| {
        let known = COLUMNS.into_iter().find(|known| known == ours.get_ref());
        let known = known.ok_or_else(|| {
            let expected = COLUMNS.join(", ");
            let ours_shown = text::excerpt(ours.get_ref(), 40);
            Flaw::of(
                ours,
                format!("unknown column `{ours_shown}`, expected one of {expected}"),
            )
        })?;
        Ok((known, name.clone()))
    };
    named.iter().map(column).collect()
}

fn zone(name: &Spanned<String>) -> Result<TimeZone, Flaw> {
    TimeZone::get(name.get_ref()).map_err(|_| {
        let name_shown = text::excerpt(name.get_ref(), 40);
        Flaw::of(
            name,
            format!("`zone` cannot be `{name_shown}`: expected a zone such as \"Australia/Melbourne\" or \"America/New_York\""),
        )
    })
}

pub(super) fn lateness(
    late: &Spanned<LateSection>,
    deadline: Option<&Deadline>,
) -> Result<Lateness, Flaw> {
    let section = late.get_ref();
    let Deadline { at, zone, .. } = deadline.ok_or_else(|| {
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
        deadline: *at,
        zone: zone.clone(),
        per_day: in_range("marks-per-day", &section.marks_per_day, 0.0..=10_000.0)?,
        days: section.days,
        holidays: holidays.collect::<Result<_, _>>()?,
        grace: grace.transpose()?.unwrap_or_default(),
        most_days: section.most_days,
    })
}

pub(super) fn submission(
    section: &Spanned<SubmissionSection>,
    base: Base<'_>,
) -> Result<SubmissionKind, Flaw> {
    let at = section.span().start;
    let SubmissionSection {
        command,
        build,
        kit,
        course,
        adapter,
        python,
        module,
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
                               \"../bots/course-adapters/adapter.py\"";
                Flaw::of(course, problem)
            })?;
            let path = base.path(adapter.get_ref());
            if !path.is_file() {
                let hint = base.hint(adapter.get_ref());
                let problem = format!("there is no file `{}`{hint}", path.display());
                return Err(Flaw::of(adapter, problem));
            }
            Program::Package {
                python: interpreter(python.as_ref(), base)?,
                course: course.get_ref().clone(),
                adapter: path,
                module: module.as_ref().map(|module| module.get_ref().clone()),
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
    for (key, value) in [("adapter", adapter), ("module", module), ("python", python)] {
        if let (Some(value), None) = (value, course) {
            return Err(Flaw::of(value, format!("`{key}` goes with `course` only")));
        }
    }
    Ok(SubmissionKind {
        program,
        env: env.clone().into_iter().collect(),
        fresh_process: *fresh_process,
    })
}

/// Interpreter of an adapter, which must be there. A path starts at the folder of the configuration.
fn interpreter(named: Option<&Spanned<String>>, base: Base<'_>) -> Result<String, Flaw> {
    let Some(named) = named else {
        return Ok("python3".to_owned());
    };
    let program = match named.get_ref() {
        // The bot starts in a folder of its own.
        path if path.contains('/') => {
            let path = base.path(path);
            std::path::absolute(&path).unwrap_or(path)
        }
        name => name.into(),
    };
    let launch = Launch {
        program: program.clone(),
        args: Vec::new(),
        ..Launch::default()
    };
    launch
        .check()
        .map_err(|problem| Flaw::of(named, problem.to_string()))?;
    Ok(program.to_string_lossy().into_owned())
}

fn words(key: &str, command: &Spanned<Vec<String>>) -> Result<(), Flaw> {
    if command.get_ref().is_empty() {
        Err(Flaw::of(
            command,
            format!("`{key}` is empty: expected a program and its arguments, such as [\"make\"]"),
        ))
    } else {
        Ok(())
    }
}

pub(super) fn points(
    section: &PointsSection,
    game: Game,
    games: &[PlannedGame],
) -> Result<PointScheme, Flaw> {
    let first_draw = section.draw_by.keys().next().map(|key| key.span().start);
    let draw = section.draw.as_ref().map(|draw| draw.span().start);
    if let Some(at) = draw.or(first_draw)
        && games.iter().all(|planned| planned.game().seat_count() > 2)
    {
        return Err(Flaw::at(
            at,
            "points of draws go with games of two: with more seats, a game is worth the share of the opponents that \
             the student has beaten, where a tie counts half; expected `win` and `loss` only",
        ));
    }
    let of = |key: &str, value: &Option<Spanned<f64>>, default: f64| match value {
        Some(value) => in_range(key, value, 0.0..=1.0),
        None => Ok(default),
    };
    let mut draw_by = BTreeMap::new();
    for (key, value) in &section.draw_by {
        let name = key.get_ref().replace('-', "_");
        let reason = game.reason_from_name(&name).ok_or_else(|| {
            let problem = format!(
                "no game of {} is drawn by `{}`: expected one of {}",
                game.name(),
                key.get_ref(),
                game.reasons()
                    .map(Reason::name)
                    .collect::<Vec<_>>()
                    .join(", ")
            );
            Flaw::of(key, problem)
        })?;
        draw_by.insert(reason.name(), in_range(key.get_ref(), value, 0.0..=1.0)?);
    }
    Ok(PointScheme {
        win: of("win", &section.win, 1.0)?,
        draw: of("draw", &section.draw, 0.5)?,
        loss: of("loss", &section.loss, 0.0)?,
        draw_by,
    })
}

/// The part of the marks in marks.csv that every class has.
pub(super) const RELIABILITY: &str = "reliability";
