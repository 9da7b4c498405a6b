//! Validates a parsed configuration file.

use toml::Spanned;

use super::file::{self, Base, File, did_you_mean, file_name, in_brackets};
use super::games::{ADJUDICATION_KEYS, LONGEST_OPENING, adjudication};
use super::limits::{limits, time_control};
use super::players::players;
use super::{Flaw, OpeningOrder, Openings, Plan, PlannedGame, PlannedOpening, format};
use crate::game::{Game, Games, OptionError, Setup};

pub(super) fn validate(file: File, base: Base<'_>) -> Result<Plan, Flaw> {
    let name = match &file.name {
        Some(name) => file_name(name)?,
        None => "tournament".to_owned(),
    };
    let opening_plies = match &file.format.get_ref().opening_plies {
        Some(plies) if *plies.get_ref() > LONGEST_OPENING => {
            return Err(Flaw::of(
                plies,
                format!(
                    "`opening-plies` is {}: expected at most {LONGEST_OPENING}",
                    plies.get_ref()
                ),
            ));
        }
        Some(plies) => *plies.get_ref(),
        None => 0,
    };
    let players = players(&file, base)?;
    let names: Vec<String> = players.iter().map(|entry| entry.name.clone()).collect();
    let games = games(&file.game, base, opening_plies)?;
    if let Some(plies) = &file.format.get_ref().opening_plies
        && games.iter().all(|game| game.openings().is_some())
        && opening_plies > 0
    {
        return Err(Flaw::of(
            plies,
            "`opening-plies` does not go with `openings`, which say what is played first",
        ));
    }
    Ok(Plan {
        name,
        seed: file.seed,
        known_games: base.games,
        games,
        format: format::format(&file.format, &names)?,
        time: time_control(&file.clock)?,
        limits: limits(&file.limits)?,
        keep_logs: file.record.logs,
        pages: file.report.pages,
        players,
        deciding_shards: None,
    })
}

/// Parses all games. `random_plies` applies to tables without openings.
fn games(
    tables: &Spanned<file::OneOrMany>,
    base: Base<'_>,
    random_plies: u32,
) -> Result<Vec<PlannedGame>, Flaw> {
    let mut games: Vec<PlannedGame> = Vec::new();
    for table in &tables.get_ref().0 {
        let planned = planned_game(table, tables.span().start, base, random_plies)?;
        if games.iter().any(|other| other.game() == planned.game()) {
            return Err(Flaw::of(
                tables,
                format!(
                    "`{}` is there twice: expected each game once; run variants of one game as \
                     tournaments of their own",
                    planned.game().name()
                ),
            ));
        }
        games.push(planned);
    }
    if games.is_empty() {
        return Err(Flaw::of(tables, "expected at least one game"));
    }
    Ok(games)
}

/// Parses a game's table at byte `at`. `random_plies` applies if it names no openings.
pub(crate) fn planned_game(
    table: &file::GameTable,
    at: usize,
    base: Base<'_>,
    random_plies: u32,
) -> Result<PlannedGame, Flaw> {
    let setup = game(table, at, base.games)?;
    let opening = match openings(table, &setup, base)? {
        Some(openings) => PlannedOpening::Listed(openings),
        None => PlannedOpening::Random(random_plies),
    };
    let planned = PlannedGame::new(setup, opening);
    Ok(PlannedGame {
        adjudication: adjudication(table, &planned)?,
        ..planned
    })
}

/// Reads the file of openings, if the table names one.
fn openings(
    table: &file::GameTable,
    setup: &Setup,
    base: Base<'_>,
) -> Result<Option<Openings>, Flaw> {
    let find = |name: &str| {
        let mut keys = table.iter().filter(|(key, _)| key.get_ref() == name);
        keys.next().map(|(key, value)| (key.span().start, value))
    };
    let order = match (find("opening-order"), find("openings")) {
        (None, _) => OpeningOrder::Random,
        (Some((at, _)), None) => {
            return Err(Flaw::at(at, "`opening-order` goes with `openings` only"));
        }
        (Some((_, value)), Some(_)) => value
            .get_ref()
            .as_str()
            .and_then(OpeningOrder::from_name)
            .ok_or_else(|| {
            Flaw::of(
                value,
                format!(
                    "`opening-order` cannot be {}: expected {}",
                    value.get_ref(),
                    OpeningOrder::ALL
                        .map(|order| format!("\"{}\"", order.name()))
                        .join(" or ")
                ),
            )
        })?,
    };
    let Some((_, value)) = find("openings") else {
        return Ok(None);
    };
    let bad = |problem: String| Flaw::of(value, problem);
    let path = value
        .get_ref()
        .as_str()
        .ok_or_else(|| bad("`openings` is not a text: expected the path of a file".to_owned()))?;
    Openings::read(&base.path(path), setup, order)
        .map(Some)
        .map_err(|problem| bad(format!("`openings`: {problem}{}", base.hint(path))))
}

/// Keys of a game that are neither options nor adjudication.
const KEYS: [&str; 3] = ["name", "openings", "opening-order"];

/// All keys of a game with these options.
fn all_keys<'a>(options: &'a [&'static str]) -> impl Iterator<Item = &'a str> {
    let keys = KEYS.iter().chain(&ADJUDICATION_KEYS).chain(options);
    keys.copied()
}

fn game(table: &file::GameTable, at: usize, games: Games) -> Result<Setup, Flaw> {
    let names = games.names();
    let (_, name) = table
        .iter()
        .find(|(key, _)| key.get_ref() == "name")
        .ok_or_else(|| Flaw::at(at, format!("a game has no `name`: expected one of {names}")))?;
    let game = name
        .get_ref()
        .as_str()
        .and_then(|name| games.named(name))
        .ok_or_else(|| {
            let text = name.get_ref().as_str().unwrap_or_default();
            Flaw::of(
                name,
                format!(
                    "unknown game {}{}: expected one of {names}",
                    name.get_ref(),
                    in_brackets(did_you_mean(text, games.into_iter().map(Game::name)))
                ),
            )
        })?;
    let mut setup = Setup::new(game);
    let is_option = |key: &str| !KEYS.contains(&key) && !ADJUDICATION_KEYS.contains(&key);
    for (key, value) in table.iter().filter(|(key, _)| is_option(key.get_ref())) {
        let text = match value.get_ref() {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Boolean(true) => "yes".to_owned(),
            toml::Value::Boolean(false) => "no".to_owned(),
            other => other.to_string(),
        };
        setup
            .set(key.get_ref(), &text)
            .map_err(|error| match error {
                OptionError::Unknown { ref known } => Flaw::of(key,
                    format!(
                        "unknown key `{}`{}, expected `name`, `openings`, `opening-order`, `{}` or an option of {}: `{}`",
                        key.get_ref(),
                        in_brackets(did_you_mean(key.get_ref(), all_keys(known))),
                        ADJUDICATION_KEYS.join("`, `"),
                        game.name(),
                        known.join("`, `")
                    ),
                ),
                OptionError::Value { .. } => Flaw::of(value,
                    format!("`{}` cannot be `{text}`: {error}", key.get_ref()),
                ),
            })?;
    }
    Ok(setup)
}
