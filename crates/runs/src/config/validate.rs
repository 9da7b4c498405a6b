//! Reads and validates configuration files.

use std::path::Path;

use toml::Spanned;

use super::export::export;
use super::file::{self, Base, File, GameTable, file_name, read_text};
use super::format::format;
use super::games::LONGEST_OPENING;
use super::laying::read;
use super::limits::{limits, time_control};
use super::players::{players, unfit_house_bot, unfit_language};
use super::{ConfigError, Entry, Flaw, Openings, Plan, PlannedGame, PlannedOpening};
use crate::bot::Language;
use crate::clock::TimeControl;
use crate::game::{Game, Games};
use crate::referee::open_tablebases;
use crate::schedule::Format;

impl Plan {
    /// Reads and validates a configuration file, which may name `games`. Its paths are relative to its folder.
    pub fn load(path: &Path, games: Games) -> Result<Self, ConfigError> {
        Self::parse(&text_of(path)?, path, games)
    }

    /// Validates the text of a configuration. Errors name `path`, and paths are relative to its folder.
    pub fn parse(text: &str, path: &Path, games: Games) -> Result<Self, ConfigError> {
        read(text, |file| validate(file, Base::of(path, games)))
            .map_err(|flaw| flaw.in_file(text, path))
    }
}

pub fn text_of(path: &Path) -> Result<String, ConfigError> {
    read_text(path)
        .map_err(|error| ConfigError::at_line(path, None, format!("cannot be read: {error}")))
}

fn validate(file: File, base: Base<'_>) -> Result<Plan, Flaw> {
    let name = match &file.name {
        Some(name) => file_name(name)?,
        None => "tournament".to_owned(),
    };
    let typed_plies = file.format.get_ref().opening_plies()?;
    let opening_plies = match &typed_plies {
        Some(plies) if *plies.get_ref() > LONGEST_OPENING => {
            let problem = format!(
                "`opening-plies` is {}: expected at most {LONGEST_OPENING}",
                plies.get_ref()
            );
            return Err(Flaw::of(plies, problem));
        }
        Some(plies) => *plies.get_ref(),
        None => 0,
    };
    let mut players = players(&file, base)?;
    let names: Vec<String> = players.iter().map(|entry| entry.name.clone()).collect();
    let limits = limits(&file.limits)?;
    let base = base.with_rules_limits(limits.rules());
    let games = games(&file.game, base, opening_plies)?;
    check_house_bots(&file, &players, &games)?;
    let time = time_control(&file.clock)?;
    check_languages(&file, &players, &games, &time)?;
    if let Some(plies) = &typed_plies
        && games.iter().all(|game| game.openings().is_some())
        && opening_plies > 0
    {
        let problem = "`opening-plies` does not go with `openings`, which say what is played first";
        return Err(Flaw::of(plies, problem));
    }
    let format = format(&file.format, &names, PlannedGame::seats_of(&games))?;
    if matches!(format, Format::Tune(_)) && games.len() > 1 {
        let problem = "a tuning is of one game: expected one table [game]";
        return Err(Flaw::of(&file.format, problem));
    }
    let export = export(&file.record, &games, base)?;
    for player in &mut players {
        if let Language::Engine(terms) = &mut player.language {
            terms.kept_of_info = export.style.words_of_info();
        }
    }
    Ok(Plan {
        name,
        seed: file.seed,
        format,
        time,
        limits,
        keep_logs: file.record.logs,
        pages: file.report.pages,
        export,
        games,
        players,
    })
}

fn check_house_bots(file: &File, players: &[Entry], games: &[PlannedGame]) -> Result<(), Flaw> {
    for player in players {
        let Some(house) = &player.house else {
            continue;
        };
        let mut games = games.iter().map(PlannedGame::game);
        if let Some(problem) = games.find_map(|game| unfit_house_bot(game, house)) {
            return Err(of_player(file, player, &problem));
        }
    }
    Ok(())
}

fn check_languages(
    file: &File,
    players: &[Entry],
    games: &[PlannedGame],
    time: &TimeControl,
) -> Result<(), Flaw> {
    for player in players {
        let time = player.terms.time.as_ref().unwrap_or(time);
        let mut games = games.iter().map(PlannedGame::game);
        let problem = games.find_map(|game| unfit_language(game, &player.language, time));
        if let Some(problem) = problem {
            return Err(of_player(file, player, &problem));
        }
    }
    Ok(())
}

fn of_player(file: &File, player: &Entry, problem: &str) -> Flaw {
    let sections = file.player.iter().map(Spanned::get_ref);
    let mut names = sections.filter_map(|section| section.name.as_ref());
    let place = names.find(|name| *name.get_ref() == player.name);
    Flaw::new(
        place.map(|name| name.span().start),
        format!("player `{}`: {problem}", player.name),
    )
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
        // The records of a run know a game by its name alone.
        let name = planned.game().name();
        if games.iter().any(|other| other.game().name() == name) {
            let problem = format!(
                "`{name}` is there twice: expected each game once; run variants of one game as \
                     tournaments of their own"
            );
            return Err(Flaw::of(tables, problem));
        }
        if let Some(first) = games.first()
            && first.game().seat_count() != planned.game().seat_count()
        {
            let seats = |game: Game| format!("{} has {} seats", game.name(), game.seat_count());
            let (one, other) = (seats(first.game()), seats(planned.game()));
            let problem = format!(
                "{one}, and {other}: expected games with one number of seats, or tournaments of their own"
            );
            return Err(Flaw::of(tables, problem));
        }
        games.push(planned);
    }
    if games.is_empty() {
        return Err(Flaw::of(tables, "expected at least one game"));
    }
    Ok(games)
}

fn no_random_openings(game: Game, plies: u32) -> String {
    let why = if game.hides_something() {
        "hide something"
    } else {
        "do not list legal actions"
    };
    format!(
        "`opening-plies` is {plies}, and the rules of {} {why}: expected 0, or a file of `openings`",
        game.name()
    )
}

/// Reads a game's table at byte `at`. `random_plies` applies if it names no openings.
pub fn planned_game(
    table: &GameTable,
    at: usize,
    base: Base<'_>,
    random_plies: u32,
) -> Result<PlannedGame, Flaw> {
    let setup = table.setup(at, base)?;
    let opening = match table.openings()? {
        None if random_plies > 0 && !setup.game().has_random_openings() => {
            return Err(Flaw::at(at, no_random_openings(setup.game(), random_plies)));
        }
        None => PlannedOpening::Random(random_plies),
        Some((path, order)) => {
            let file = base.path(path.get_ref());
            let openings = Openings::read(&file, &setup, order).map_err(|problem| {
                let hint = base.hint(path.get_ref());
                Flaw::of(&path, format!("`openings`: {problem}{hint}"))
            })?;
            PlannedOpening::Listed(openings)
        }
    };
    let mut planned = table.planned(setup, opening, base.rules_limits)?;
    if let Some(folder) = table.syzygy()? {
        let path = std::path::absolute(base.path(folder.get_ref()));
        let path = path.map_err(|error| Flaw::of(&folder, format!("`syzygy`: {error}")))?;
        let most = open_tablebases(&path).map_err(|problem| {
            let hint = base.hint(folder.get_ref());
            Flaw::of(
                &folder,
                format!("`syzygy`: {} {problem}{hint}", path.display()),
            )
        })?;
        if let Some(terms) = &mut planned.adjudication.tablebase {
            terms.pieces = terms.pieces.min(most);
        }
        planned.syzygy = Some(path);
    }
    Ok(planned)
}
