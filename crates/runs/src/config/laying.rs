//! Parses configurations. Tables of one player or test are completed by the shared ones as TOML, before keys are checked:
//! a player's lies on `[each]`, which lies on `[clock]` and `[limits]`.

use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue, Deserializer, Error};

use super::Flaw;
use super::file::{did_you_mean, in_brackets, in_words};
use super::format::{PARAMETERS, TUNE};
use super::players::{tuned, variants};
use super::stamped::without_stamp;
use crate::game::BUILT_IN;

/// The lists of tables, and the tables of the file that lie below each of them.
const LISTS: [(&str, &[&str]); 3] = [
    ("player", &["clock", "limits"]),
    ("reference", &["clock", "limits"]),
    (TEST, &["clock", "game"]),
];

/// The list whose tables have no variants.
const TEST: &str = "test";

/// The table that lies below each player, and its keys.
const EACH: &str = "each";
const TERMS: [&str; 7] = [
    "speaks",
    "options",
    "go",
    "env",
    "fresh-process",
    "clock",
    "limits",
];

/// Terms that only players of one language share.
const OF_A_LANGUAGE: [&str; 3] = ["speaks", "options", "go"];

const TIER: &str = "a player in a weaker tier could reach the files and processes of the others";
const BUILD: &str = "players with the same program share its build";
const RULES: &str = "both players of a game have one rules program";
const MEASURE: &str = "both clocks of a game count the same time";
const OFF_TURN: &str = "what a player computes on its opponent's turn can slow the opponent";

/// Keys that are equal for all players, with their table and the reason.
pub(super) const SHARED: [(&str, &str, &str); 11] = [
    ("clock", "measure", MEASURE),
    ("limits", "isolation", TIER),
    ("limits", "isolation-fallback", TIER),
    ("limits", "off-turn", OFF_TURN),
    ("limits", "rules", RULES),
    ("limits", "rules-start", RULES),
    ("limits", "rules-memory", RULES),
    ("limits", "plies", RULES),
    ("limits", "build-time", BUILD),
    ("limits", "build-memory", BUILD),
    ("limits", "build-log", BUILD),
];

const OPTIONAL: [&str; 3] = ["limits", "record", "report"];

const SOME_TIME: &str = "1s";

const MOST_FLAWS: usize = 10;

/// Reads a configuration, and gives it a meaning by `validate`. An error has the others of the file with it: each is found
/// without the entries of the ones before.
pub fn read<T: DeserializeOwned, M>(
    text: &str,
    validate: impl Fn(T) -> Result<M, Flaw>,
) -> Result<M, Flaw> {
    let mut file = DeTable::parse(text).map_err(flaw)?.into_inner();
    without_stamp(&mut file);
    let attempt = |file: &DeTable<'_>| {
        let mut file = file.clone();
        lay_lists(&mut file)?;
        let typed = T::deserialize(Deserializer::from(Spanned::new(0..text.len(), file)));
        validate(typed.map_err(flaw)?)
    };
    let mut first = match attempt(&file) {
        // Parsing as a `Table` refuses numbers beyond 63 bits. The manifest would repeat them, and not every TOML
        // reader accepts them.
        Ok(meaning) => {
            return toml::from_str::<toml::Table>(text)
                .map(|_| meaning)
                .map_err(flaw);
        }
        Err(flaw) => flaw,
    };
    let (mut sections, mut replaced) = (Vec::<(String, usize)>::new(), 0);
    let (mut at, mut untold) = (first.at, None);
    while first.others.len() + 1 < MOST_FLAWS && !first.is_of_machine {
        match at.and_then(|at| remove_entry(&mut file, at)) {
            // Another error of a section that had one may come from the entry that is gone, so it is not told; nor is one
            // of a player after one of what is laid below all players.
            Some(section) if !sections.contains(&section) => {
                let is_laid_below = |(key, _): &(String, usize)| key == "each";
                let told = untold.take();
                if section.0 != "player" || !sections.iter().any(is_laid_below) {
                    first.others.extend(told);
                }
                sections.push(section);
            }
            _ if replaced < sections.len() => {
                let left = sections.iter().skip(replaced);
                left.for_each(|it| replace_section(&mut file, it));
                replaced = sections.len();
            }
            _ => break,
        }
        match attempt(&file) {
            // A stand-in for a section has no place in the text.
            Err(next) if replaced > 0 && next.at == Some(0) => (at, untold) = (None, None),
            Err(next) if !next.is_of_machine => (at, untold) = (next.at, Some(next)),
            _ => break,
        }
    }
    // In the order of the file.
    let mut all = std::mem::take(&mut first.others);
    all.insert(0, first);
    all.sort_by_key(|flaw| flaw.at.unwrap_or(usize::MAX));
    let mut first = all.remove(0);
    first.others = all;
    Err(first)
}

fn flaw(error: Error) -> Flaw {
    Flaw::new(
        error.span().map(|span| span.start),
        in_words(error.message()),
    )
}

/// Takes a section out, if the file can be without it, or puts a house bot in the place of a player, and a game without
/// options in the place of a game.
fn replace_section(file: &mut DeTable<'_>, (key, number): &(String, usize)) {
    if OPTIONAL.contains(&key.as_str()) {
        file.remove(key.as_str());
    }
    let table = match file.get_mut(key.as_str()).map(Spanned::get_mut) {
        Some(DeValue::Array(list)) => list.get_mut(*number).map(Spanned::get_mut),
        table => table,
    };
    let Some(DeValue::Table(table)) = table else {
        return;
    };
    // Players are judged by the game that was meant.
    let is_game = |name: &DeValue<'_>| name.as_str().is_some_and(|it| BUILT_IN.named(it).is_some());
    let name = table.remove_entry("name");
    let name = name.filter(|(_, it)| key == "player" || key == "game" && is_game(it.get_ref()));
    let mut others = match key.as_str() {
        // Two house bots without a name would have one.
        "player" => vec![
            ("house", "random".to_owned()),
            ("name", format!("-{number}")),
        ],
        "game" => vec![("name", "cachex".to_owned())],
        // Without a limit, engines would have an error.
        "clock" => vec![("per-move", SOME_TIME.to_owned())],
        _ => return table.extend(name),
    };
    if name.is_some() {
        others.pop();
    }
    table.clear();
    for (key, value) in others {
        insert(table, key, &value);
    }
    table.extend(name);
}

/// Removes the key or value at this byte, with its other half. Returns its section: a key of the file, and the number of
/// the table in a list.
fn remove_entry(file: &mut DeTable<'_>, at: usize) -> Option<(String, usize)> {
    let tables = file.iter_mut().flat_map(|(key, value)| {
        let (list, table) = match value.get_mut() {
            DeValue::Array(list) => (Some(list.iter_mut()), None),
            DeValue::Table(table) => (None, Some(table)),
            _ => (None, None),
        };
        let list = list.into_iter().flatten().map(Spanned::get_mut);
        let list = list.filter_map(|one| match one {
            DeValue::Table(table) => Some(table),
            _ => None,
        });
        let key = key.get_ref().to_string();
        list.chain(table)
            .enumerate()
            .map(move |(number, table)| (key.clone(), number, table))
    });
    for (key, number, table) in tables {
        // An error at a player's name is most often of what it runs, and others name the player.
        let name = table.get_key_value("name");
        let is_replaced = table.len() == 2 && table.contains_key("house");
        if key == "player"
            && !is_replaced
            && name.is_some_and(|(key, name)| is_at(key.span(), name.span(), at))
        {
            let name = table.remove_entry("name");
            table.clear();
            table.extend(name);
            insert(table, "house", "random");
            return Some((key, number));
        }
        if remove_entry(table, at).is_some() {
            if key == "clock" {
                insert(table, "per-move", SOME_TIME);
            }
            return Some((key, number));
        }
    }
    let key = file.iter().find(|(key, value)| {
        // All players are in one list, and one of them has the error.
        let is_section = match value.get_ref() {
            DeValue::Table(_) => true,
            DeValue::Array(list) => list.iter().any(|one| one.get_ref().is_table()),
            _ => false,
        };
        !is_section && is_at(key.span(), value.span(), at)
    });
    let key = key.map(|(key, _)| key.get_ref().to_string())?;
    file.remove(key.as_str());
    Some((key, 0))
}

fn is_at(key: Range<usize>, value: Range<usize>, at: usize) -> bool {
    key.contains(&at) || value.contains(&at)
}

fn insert(table: &mut DeTable<'_>, key: &'static str, value: &str) {
    let key = Spanned::new(0..0, DeString::Borrowed(key));
    table.insert(
        key,
        Spanned::new(0..0, DeValue::String(value.to_owned().into())),
    );
}

fn lay_lists(file: &mut DeTable<'_>) -> Result<(), Flaw> {
    // Elsewhere it is refused with the other unknown keys.
    let each = file.get(EACH).filter(|_| file.contains_key("player"));
    let each = each.map(|each| each.get_ref().clone());
    if let Some(DeValue::Table(each)) = &each {
        refuse_beyond_terms(each)?;
    }
    for (list, sections) in LISTS {
        let below = sections.iter().filter_map(|it| file.get_key_value(*it));
        let below: DeTable<'_> = below.map(|(key, it)| (key.clone(), it.clone())).collect();
        let Some(DeValue::Array(tables)) = file.get_mut(list).map(Spanned::get_mut) else {
            continue;
        };
        let (mut laid, mut tuned_by) = (Vec::new(), None);
        for table in std::mem::replace(tables, DeArray::new()) {
            refuse_shared(table.get_ref())?;
            match (list, tuned(&table)?) {
                (TEST, _) => laid.push(table),
                (_, None) => laid.extend(variants(table)?),
                (_, Some(tuned)) => {
                    laid.extend(tuned.players);
                    tuned_by = Some(tuned.parameters);
                }
            }
        }
        for table in &mut laid {
            if let DeValue::Table(own) = table.get_mut() {
                if let ("player", Some(DeValue::Table(each))) = (list, &each) {
                    lay(&each_for(own, each), own);
                }
                lay(&below, own);
            }
        }
        laid.into_iter().for_each(|table| tables.push(table));
        if let Some(parameters) = tuned_by {
            hand_to_format(file, parameters)?;
        }
    }
    Ok(())
}

/// Moves the parameters of a tuned player to the format, which draws their values.
fn hand_to_format<'i>(
    file: &mut DeTable<'i>,
    parameters: Spanned<DeValue<'i>>,
) -> Result<(), Flaw> {
    let format = file.get_mut("format").map(Spanned::get_mut);
    if let Some(DeValue::Table(format)) = format
        && format.get("kind").and_then(|it| it.get_ref().as_str()) == Some(TUNE)
    {
        let key = Spanned::new(parameters.span(), DeString::from(PARAMETERS));
        format.insert(key, parameters);
        return Ok(());
    }
    let problem = "`tune` is for tunings: expected `kind = \"tune\"` in [format], or a `grid`";
    Err(Flaw::of(&parameters, problem))
}

fn refuse_beyond_terms(each: &DeTable<'_>) -> Result<(), Flaw> {
    let other = each.keys().find(|key| !TERMS.contains(&&**key.get_ref()));
    let Some(key) = other else {
        return refuse_shared(&DeValue::Table(each.clone()));
    };
    let problem = format!(
        "`{}` is no key of [each]{}: expected some of `{}`",
        key.get_ref(),
        in_brackets(did_you_mean(key.get_ref(), TERMS)),
        TERMS.join("`, `")
    );
    Err(Flaw::of(key, problem))
}

/// The shared terms of a player. A house bot, or one that `speaks` another language, has no terms of that language.
fn each_for<'i>(own: &DeTable<'i>, each: &DeTable<'i>) -> DeTable<'i> {
    let spoken = |table: &DeTable<'i>| Some(table.get("speaks")?.get_ref().as_str()?.to_owned());
    let other = spoken(own).is_some_and(|own| spoken(each).is_some_and(|each| each != own));
    let is_other = other || own.contains_key("house");
    let mut laid = each.clone();
    for key in OF_A_LANGUAGE.iter().filter(|_| is_other) {
        laid.remove(*key);
    }
    laid
}

/// Adds to `over` the keys that only `below` has. Tables under one key are joined; any other value of `over` stays.
fn lay<'i>(below: &DeTable<'i>, over: &mut DeTable<'i>) {
    for (key, value) in below {
        match (value.get_ref(), over.get_mut(key).map(Spanned::get_mut)) {
            (_, None) => drop(over.insert(key.clone(), value.clone())),
            (DeValue::Table(below), Some(DeValue::Table(over))) => lay(below, over),
            (_, Some(_)) => {}
        }
    }
}

/// Refuses keys that must be equal for all players.
fn refuse_shared(table: &DeValue<'_>) -> Result<(), Flaw> {
    let found = SHARED.iter().find_map(|(section, key, reason)| {
        let value = table.get(section)?.get_ref().get(key)?;
        let problem =
            format!("`{key}` is the same for all players, since {reason}: set it in [{section}]");
        Some(Flaw::of(value, problem))
    });
    found.map_or(Ok(()), Err)
}
