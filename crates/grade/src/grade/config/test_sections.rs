//! Parses the tests of a grading and their reference bots.

use std::collections::BTreeSet;
use std::path::Path;

use toml::Spanned;

use super::Test;
use super::file::{File, TestSection};
use super::sections::{RELIABILITY, marks};
use crate::config::{
    Base, Entry, Flaw, PlayerSection, did_you_mean, entries, file_name, in_brackets, planned_game,
    time_control,
};
use crate::grade::folder::FEEDBACK_FILES;
use crate::opponents::HouseBot;
use crate::schedule::seatings_in_turn;
use crate::text::folded;

const GAMES: u32 = 40;

const MOST_GAMES: u32 = 100_000;

const LONGEST_OPENING: u32 = 100;

pub(super) struct Tests {
    pub references: Vec<Entry>,
    pub tests: Vec<Test>,
}

pub(super) fn tests(
    file: &File,
    opening_plies: u32,
    base: Base<'_>,
    course_files: Option<&Path>,
) -> Result<Tests, Flaw> {
    let references = references(file, base, course_files)?;
    let names: Vec<&str> = references.iter().map(|it| it.name.as_str()).collect();
    let mut seen = BTreeSet::new();
    let mut tests: Vec<Test> = Vec::new();
    for section in &file.test {
        let test = test(section, &names, base, opening_plies)?;
        let taken = match test.name.as_str() {
            RELIABILITY => Some("marks.csv has such a column already"),
            name if FEEDBACK_FILES.contains(&name) => Some("the feedback has a file of that name"),
            _ => None,
        };
        if let Some(why) = taken {
            let problem = format!(
                "a test cannot be called `{}`, since {why}: set another `name`",
                test.name
            );
            return Err(Flaw::of(section, problem));
        }
        if !seen.insert(folded(&test.name)) {
            let problem = format!(
                "a second test is called `{}`: expected names that differ, and not in case alone; set `name`",
                test.name
            );
            return Err(Flaw::of(section, problem));
        }
        tests.push(test);
    }
    if tests.is_empty() {
        let problem = "the grading has no test: expected at least one [[test]]";
        Err(Flaw::new(None, problem))
    } else {
        Ok(Tests { references, tests })
    }
}

fn references(
    file: &File,
    base: Base<'_>,
    course_files: Option<&Path>,
) -> Result<Vec<Entry>, Flaw> {
    let mut list = file.reference.clone();
    for section in &list {
        if !section.get_ref().grid.is_empty() {
            return Err(Flaw::of(
                section,
                "a reference has no `grid`: expected one entry for each bot",
            ));
        }
    }
    let named = |list: &[Spanned<PlayerSection>], name: &str| {
        list.iter().any(|section| {
            let PlayerSection {
                name: own, house, ..
            } = section.get_ref();
            let own = own.as_ref().or(house.as_ref());
            own.is_some_and(|own| own.get_ref() == name)
        })
    };
    for name in file
        .test
        .iter()
        .flat_map(|test| test.get_ref().against.get_ref())
    {
        if HouseBot::from_name(name.get_ref()).is_some() && !named(&list, name.get_ref()) {
            let section = PlayerSection {
                house: Some(name.clone()),
                clock: file.clock.clone(),
                limits: file.limits.clone(),
                ..PlayerSection::default()
            };
            list.push(Spanned::new(name.span(), section));
        }
    }
    entries(&list, &file.clock, &file.limits, base, course_files)
}

fn test(
    section: &Spanned<TestSection>,
    names: &[&str],
    base: Base<'_>,
    opening_plies: u32,
) -> Result<Test, Flaw> {
    let own = section.get_ref();
    let against = against(&own.against, names)?;
    let name = match &own.name {
        Some(name) => file_name(name)?,
        None => {
            let names: Vec<&str> = against.iter().map(|at| names[*at]).collect();
            names.join("+")
        }
    };
    let plies = self::opening_plies(own.opening_plies.as_ref(), opening_plies)?;
    let game = planned_game(&own.game, section.span().start, base, plies)?;
    let seats = game.game().seat_count();
    if seatings_in_turn(against.len(), seats).is_none() {
        let problem = format!(
            "{} opponents make too many seatings of {seats}: expected fewer, or several tests",
            against.len()
        );
        return Err(Flaw::of(&own.against, problem));
    }
    let in_blocks = |games: &Spanned<u32>| number_of_games(games, seats as u32);
    let default = GAMES.next_multiple_of(seats as u32);
    let games = own.games.as_ref().map_or(Ok(default), in_blocks)?;
    Ok(Test {
        name,
        against,
        game,
        time: time_control(&own.clock)?,
        marks: marks(&own.marks)?,
        curve: own.curve.as_ref().map(curve).transpose()?,
        games,
    })
}

fn against(list: &Spanned<Vec<Spanned<String>>>, names: &[&str]) -> Result<Vec<usize>, Flaw> {
    let mut against = Vec::new();
    for name in list.get_ref() {
        let at = names.iter().position(|known| known == name.get_ref());
        let at = at.ok_or_else(|| {
            let known = names
                .iter()
                .copied()
                .chain(HouseBot::ALL.map(HouseBot::name));
            let mut known: Vec<&str> = known.collect();
            let mut seen = BTreeSet::new();
            known.retain(|name| seen.insert(*name));
            let hint = in_brackets(did_you_mean(name.get_ref(), known.iter().copied()));
            let problem = format!(
                "no [[reference]] is called `{}`{hint}, and no house bot: expected some of {}",
                name.get_ref(),
                known.join(", ")
            );
            Flaw::of(name, problem)
        })?;
        if against.contains(&at) {
            return Err(Flaw::of(
                name,
                format!("`{}` is there twice", name.get_ref()),
            ));
        }
        against.push(at);
    }
    if against.is_empty() {
        Err(Flaw::of(
            list,
            "`against` is empty: expected at least one opponent",
        ))
    } else {
        Ok(against)
    }
}

fn number_of_games(games: &Spanned<u32>, seats: u32) -> Result<u32, Flaw> {
    let (number, most) = (*games.get_ref(), MOST_GAMES - MOST_GAMES % seats);
    if number.is_multiple_of(seats) && (seats..=most).contains(&number) {
        return Ok(number);
    }
    let expected = match seats {
        2 => format!("an even number from 2 to {most}, since each start is played from both seats"),
        _ => format!(
            "a multiple of {seats} from {seats} to {most}, since each start is played from all {seats} seats"
        ),
    };
    Err(Flaw::of(
        games,
        format!("{number} games: expected {expected}"),
    ))
}

pub(super) fn opening_plies(value: Option<&Spanned<u32>>, default: u32) -> Result<u32, Flaw> {
    match value {
        Some(plies) if *plies.get_ref() > LONGEST_OPENING => {
            let problem = format!(
                "`opening-plies` is {}: expected at most {LONGEST_OPENING}",
                plies.get_ref()
            );
            Err(Flaw::of(plies, problem))
        }
        Some(plies) => Ok(*plies.get_ref()),
        None => Ok(default),
    }
}

/// A piecewise linear curve: points by ascending x, all numbers within 0 and 1.
pub(super) fn curve(points: &Spanned<Vec<[f64; 2]>>) -> Result<Vec<[f64; 2]>, Flaw> {
    let list = points.get_ref();
    let in_range = list
        .iter()
        .flatten()
        .all(|number| (0.0..=1.0).contains(number));
    let rises = list.windows(2).all(|pair| pair[0][0] < pair[1][0]);
    if in_range && rises && !list.is_empty() {
        Ok(list.clone())
    } else {
        Err(Flaw::of(
            points,
            "`curve` is no curve: expected at least one point [x, y], all numbers from 0 to 1, and each x \
             greater than the one before",
        ))
    }
}
