//! Parses configurations. Tables of one player or test are completed by the shared ones as TOML, before keys are checked:
//! a player's lies on `[each]`, which lies on `[clock]` and `[limits]`.

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer, Error};

use super::Flaw;
use super::file::{did_you_mean, in_brackets, in_words};
use super::players::variants;
use super::stamped::without_stamp;

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

pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Flaw> {
    let flaw = |error: Error| Flaw {
        is_of_machine: false,
        at: error.span().map(|span| span.start),
        problem: in_words(error.message()),
    };
    let mut file = DeTable::parse(text).map_err(flaw)?;
    without_stamp(file.get_mut());
    lay_lists(file.get_mut())?;
    let file = T::deserialize(Deserializer::from(file)).map_err(flaw)?;
    // Parsing as a `Table` refuses numbers beyond 63 bits. The manifest would repeat them, and not every TOML
    // reader accepts them.
    toml::from_str::<toml::Table>(text).map_err(flaw)?;
    Ok(file)
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
        let mut laid = Vec::new();
        for table in std::mem::replace(tables, DeArray::new()) {
            refuse_shared(table.get_ref())?;
            match list {
                TEST => laid.push(table),
                _ => laid.extend(variants(table)?),
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
    }
    Ok(())
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
