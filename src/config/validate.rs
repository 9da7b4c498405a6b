//! From what was typed to what it means.

use toml::Spanned;

use super::file::{self, File};
use super::limits::{limits, time_control};
use super::players::players;
use super::{Flaw, KeepLogs, Plan, format};
use crate::game::{Game, OptionError, Setup};

/// The greatest number of plies of a random opening.
const LONGEST_OPENING: u32 = 100;

pub(super) fn validate(file: File) -> Result<Plan, Flaw> {
    let name = match &file.name {
        Some(name) => file_name(name)?,
        None => "tournament".to_owned(),
    };
    let opening_plies = match &file.format.get_ref().opening_plies {
        Some(plies) if *plies.get_ref() > LONGEST_OPENING => {
            return Err(Flaw::at(
                plies.span().start,
                format!("`opening-plies` is too large: expected at most {LONGEST_OPENING}"),
            ));
        }
        Some(plies) => *plies.get_ref(),
        None => 0,
    };
    let players = players(&file)?;
    Ok(Plan {
        name,
        seed: file.seed.map_or_else(random_seed, Ok)?,
        seed_was_drawn: file.seed.is_none(),
        games: games(&file.game)?,
        format: format::format(&file.format, &players)?,
        opening_plies,
        time: time_control(&file.clock)?,
        limits: limits(&file.limits)?,
        keep_logs: keep_logs(&file.record),
        players,
        supervisor: None,
        places: Vec::new(),
        probe: None,
    })
}

fn keep_logs(record: &file::Record) -> KeepLogs {
    match record.logs {
        None | Some(file::Logs::All) => KeepLogs::All,
        Some(file::Logs::Forfeits) => KeepLogs::Forfeits,
        Some(file::Logs::None) => KeepLogs::None,
    }
}

/// A seed that nobody can guess.
fn random_seed() -> Result<u64, Flaw> {
    let mut bytes = [0; 8];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()).map_err(
        |error| Flaw {
            at: None,
            problem: format!("no seed could be drawn: {error}; set `seed` to a number"),
        },
    )?;
    // TOML has no number beyond 63 bits, and the manifest must hold the seed.
    Ok(u64::from_le_bytes(bytes) >> 1)
}

/// A name that can be the name of a folder as it is.
pub(super) fn file_name(name: &Spanned<String>) -> Result<String, Flaw> {
    let text = name.get_ref();
    let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    if text.is_empty() || text.len() > 100 || text.starts_with('.') || !text.chars().all(good) {
        return Err(Flaw::at(
            name.span().start,
            format!(
                "`{text}` cannot be a name: expected at most 100 letters, digits, `-`, `_`, `+` and `.`, \
                 not beginning with `.`"
            ),
        ));
    }
    Ok(text.clone())
}

fn games(tables: &Spanned<file::OneOrMany>) -> Result<Vec<Setup>, Flaw> {
    let mut games: Vec<Setup> = Vec::new();
    for table in &tables.get_ref().0 {
        let setup = game(table, tables.span().start)?;
        if games.iter().any(|other| other.game() == setup.game()) {
            return Err(Flaw::at(
                tables.span().start,
                format!(
                    "`{}` is there twice: expected each game once; run variants of one game as \
                     tournaments of their own",
                    setup.game().name()
                ),
            ));
        }
        games.push(setup);
    }
    if games.is_empty() {
        return Err(Flaw::at(tables.span().start, "expected at least one game"));
    }
    Ok(games)
}

fn game(table: &file::GameTable, at: usize) -> Result<Setup, Flaw> {
    let names = Game::ALL.map(Game::name).join(", ");
    let (_, name) = table
        .iter()
        .find(|(key, _)| key.get_ref() == "name")
        .ok_or_else(|| Flaw::at(at, format!("a game has no `name`: expected one of {names}")))?;
    let game = name
        .get_ref()
        .as_str()
        .and_then(Game::from_name)
        .ok_or_else(|| {
            Flaw::at(
                name.span().start,
                format!("unknown game {}: expected one of {names}", name.get_ref()),
            )
        })?;
    let mut setup = Setup::new(game);
    for (key, value) in table.iter().filter(|(key, _)| key.get_ref() != "name") {
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
                OptionError::Unknown { ref known } => Flaw::at(
                    key.span().start,
                    format!(
                        "unknown key `{}`, expected `name` or an option of {}: `{}`",
                        key.get_ref(),
                        game.name(),
                        known.join("`, `")
                    ),
                ),
                OptionError::Value { .. } => Flaw::at(
                    value.span().start,
                    format!("`{}` cannot be `{text}`: {error}", key.get_ref()),
                ),
            })?;
    }
    Ok(setup)
}
