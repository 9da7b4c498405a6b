//! Makes the manifest of a run a configuration again, so that the run can be played anew.

use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use super::format::{PARAMETERS, TUNE};
use super::laying::SHARED;

/// Facts of the run that the manifest has beside the configuration.
const STAMP: [&str; 5] = ["referee", "protocol", "created", "jobs", "machine"];

/// Facts of a player that were found when the run began.
const OF_PLAYERS: [&str; 3] = ["digest", "files", "grid"];

/// The folder that a course puts beside all players: in a manifest beside each.
const COURSE_FILES: &str = "course-files";

/// Leaves the configuration of a manifest; another file stays as it is. Digests are gone, and openings are read from the
/// copy beside the manifest.
pub fn without_stamp(file: &mut DeTable<'_>) {
    if !STAMP.iter().all(|key| file.contains_key(*key)) {
        return;
    }
    remove(file, &STAMP);
    if let Some(limits) = table(file, "limits") {
        as_typed(limits);
    }
    for game in tables(file, "game") {
        remove(game, &["rules-digest"]);
        let copy = game.get("name").and_then(|name| name.get_ref().as_str());
        let copy = copy.map(|name| format!("openings-{name}.txt"));
        if let (Some(copy), Some(openings)) = (copy, game.get_mut("openings")) {
            *openings.get_mut() = DeValue::String(DeString::Owned(copy));
        }
    }
    let mut course_files = None;
    for player in tables(file, "player") {
        course_files = player.remove_entry(COURSE_FILES).or(course_files);
        remove(player, &OF_PLAYERS);
        if let Some(limits) = table(player, "limits") {
            as_typed(limits);
        }
        for (section, key, _) in SHARED {
            if let Some(own) = table(player, section) {
                remove(own, &[key]);
            }
        }
    }
    file.extend(course_files);
    tune_again(file);
}

/// Gives the parameters of a tuning back to its player. The other players are made of it.
fn tune_again(file: &mut DeTable<'_>) {
    let format = table(file, "format");
    let Some((_, parameters)) = format.and_then(|format| format.remove_entry(PARAMETERS)) else {
        return;
    };
    if let Some(DeValue::Array(players)) = file.get_mut("player").map(Spanned::get_mut) {
        let first = std::mem::replace(players, DeArray::new())
            .into_iter()
            .next();
        first.into_iter().for_each(|player| players.push(player));
    }
    for player in tables(file, "player") {
        let key = Spanned::new(parameters.span(), DeString::from(TUNE));
        player.insert(key, parameters.clone());
    }
}

/// Limits as a configuration has them: one that is not set is left out.
fn as_typed(limits: &mut DeTable<'_>) {
    let unset = |value: &DeValue<'_>| value.as_str() == Some("none");
    let unset = limits.iter().filter(|(_, value)| unset(value.get_ref()));
    let unset: Vec<String> = unset.map(|(key, _)| key.get_ref().to_string()).collect();
    unset
        .iter()
        .for_each(|key| drop(limits.remove(key.as_str())));
}

fn remove(table: &mut DeTable<'_>, keys: &[&str]) {
    keys.iter().for_each(|key| drop(table.remove(*key)));
}

fn table<'t, 'i>(file: &'t mut DeTable<'i>, key: &str) -> Option<&'t mut DeTable<'i>> {
    match file.get_mut(key)?.get_mut() {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

fn tables<'t, 'i>(
    file: &'t mut DeTable<'i>,
    key: &str,
) -> impl Iterator<Item = &'t mut DeTable<'i>> {
    let list = file.get_mut(key).map(Spanned::get_mut);
    let list = list.and_then(|list| match list {
        DeValue::Array(list) => Some(list),
        _ => None,
    });
    list.into_iter()
        .flat_map(|list| list.iter_mut())
        .filter_map(|one| match one.get_mut() {
            DeValue::Table(table) => Some(table),
            _ => None,
        })
}
