//! What the manifest of a run says about its games, for those who look whether it is true.

use std::fs;
use std::path::Path;

use super::digest::digest_of_openings;
use super::manifest::{OPENING_ORDER, OPENINGS};
use super::{MANIFEST, RecordError, openings_path};
use crate::config::{KeepLogs, OpeningOrder, Openings, recorded_format};
use crate::game::{Game, Setup};
use crate::schedule::Format;

/// The plan of a run, as far as it decides who met whom and from which start.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The master seed.
    pub seed: u64,
    /// The games that were played.
    pub games: Vec<Setup>,
    /// By game: its openings, where it has some.
    pub openings: Vec<Option<Openings>>,
    /// How many plies of each other game were played at random.
    pub opening_plies: u32,
    /// The names of the players.
    pub players: Vec<String>,
    /// Who met whom.
    pub format: Format,
    /// Of which games there is a log.
    pub keep_logs: KeepLogs,
}

impl Recorded {
    /// Reads the manifest of a run, and the openings that are kept with it.
    pub fn read(run: &Path) -> Result<Self, RecordError> {
        let path = run.join(MANIFEST);
        let bad = |problem: String| RecordError::new(&path, problem);
        let text =
            fs::read_to_string(&path).map_err(|error| bad(format!("cannot be read: {error}")))?;
        let manifest: toml::Table = text
            .parse()
            .map_err(|error| bad(format!("is no manifest: {error}")))?;
        let integer = |value: Option<&toml::Value>| value.and_then(toml::Value::as_integer);
        let seed = integer(manifest.get("seed")).and_then(|seed| u64::try_from(seed).ok());
        let plies = integer(
            manifest
                .get("format")
                .and_then(|it| it.get("opening-plies")),
        );
        let players = names(&manifest);
        let format = recorded_format(&text, &players)
            .map_err(|problem| bad(format!("has a format that cannot be: {problem}")))?;
        let (mut games, mut openings) = (Vec::new(), Vec::new());
        for table in tables(&manifest, "game") {
            let setup = setup(table).map_err(bad)?;
            openings.push(kept_openings(run, table, &setup)?);
            games.push(setup);
        }
        Ok(Self {
            seed: seed.ok_or_else(|| bad("has no `seed`".to_owned()))?,
            games,
            openings,
            opening_plies: plies
                .and_then(|plies| u32::try_from(plies).ok())
                .ok_or_else(|| bad("has no `format.opening-plies`".to_owned()))?,
            players,
            format,
            keep_logs: keep_logs(&manifest)
                .ok_or_else(|| bad("has a `record.logs` that is none".to_owned()))?,
        })
    }
}

fn tables<'a>(manifest: &'a toml::Table, key: &str) -> impl Iterator<Item = &'a toml::Table> {
    let array = manifest.get(key).and_then(toml::Value::as_array);
    array
        .into_iter()
        .flatten()
        .filter_map(toml::Value::as_table)
}

fn names(manifest: &toml::Table) -> Vec<String> {
    let name = |player: &toml::Table| Some(player.get("name")?.as_str()?.to_owned());
    tables(manifest, "player").filter_map(name).collect()
}

fn keep_logs(manifest: &toml::Table) -> Option<KeepLogs> {
    match manifest.get("record").and_then(|record| record.get("logs")) {
        Some(logs) => logs.as_str().and_then(KeepLogs::from_name),
        // As it was before there was a choice.
        None => Some(KeepLogs::All),
    }
}

fn setup(table: &toml::Table) -> Result<Setup, String> {
    let name = table.get("name").and_then(toml::Value::as_str);
    let game = name.and_then(Game::from_name).ok_or("names no game")?;
    let mut setup = Setup::new(game);
    let is_option = |key: &str| !["name", OPENINGS, OPENING_ORDER].contains(&key);
    for (key, value) in table.iter().filter(|(key, _)| is_option(key)) {
        let value = value.as_str().ok_or("has an option that is no text")?;
        setup
            .set(key, value)
            .map_err(|error| format!("has `{key}` of {}: {error}", game.name()))?;
    }
    Ok(setup)
}

/// The openings that are kept with the run, if the manifest has some for this game.
fn kept_openings(
    run: &Path,
    table: &toml::Table,
    setup: &Setup,
) -> Result<Option<Openings>, RecordError> {
    let text = |key: &str| table.get(key).and_then(toml::Value::as_str);
    let Some(digest) = text(OPENINGS) else {
        return Ok(None);
    };
    let order = OpeningOrder::ALL
        .into_iter()
        .find(|order| text(OPENING_ORDER) == Some(order.name()));
    let order = order.ok_or_else(|| {
        RecordError::new(
            run.join(MANIFEST),
            format!("has no right `{OPENING_ORDER}`"),
        )
    })?;
    let path = openings_path(run, setup.game());
    let openings = Openings::read(&path, setup, order)
        .map_err(|problem| RecordError::new(run, format!("has bad openings: {problem}")))?;
    match digest_of_openings(&openings) == digest {
        true => Ok(Some(openings)),
        false => Err(RecordError::new(
            path,
            "these are not the openings whose digest the manifest has",
        )),
    }
}
