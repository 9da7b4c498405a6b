//! The pages of a run: an index, a page for each player, and lists of players and games.

mod curves;
mod index;
mod player;
mod statistics;
mod usage;

use std::collections::{BTreeSet, HashMap};

use curves::Histories;
use index::index_page;
use minijinja::Error;
use player::player_page;
use serde_json::Value;
use statistics::{MOST_LISTED, RunStatistics};

use crate::game::{GameResult, Seat};
use crate::pages::PageError;
use crate::pages::context::{RunContext, player_file};
use crate::pages::exports::Exports;
use crate::pages::game::{
    DrawnGames, GAMES_PER_FILE, GamesRead, MOST_GAMES, WritePage, game_pages,
};
use crate::pages::parts::RunPart;
use crate::pages::parts::cell_chart::{CellChart, legend};
use crate::pages::parts::page::Templates;
use crate::pages::parts::svg::BarPart;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::parallel;
use crate::rating::{ByPlace, SeatPlaces};
use crate::report::{self, Cell, PLACES, shell_word};
use crate::results::{Rated, Settings};
use crate::runner::ScheduleCheck;
use crate::runs::{GameRow, Run, RunFileError};
use crate::text::counted;

/// Batch size of player pages rendered in parallel.
const PAGES_AT_ONCE: usize = 32;

/// About how many files [`run_pages`] writes, without figures.
pub fn page_files(run: &Run) -> Result<u64, RunFileError> {
    let of_games = run.rows_about()?.div_ceil(GAMES_PER_FILE);
    let players = run.manifest().players.len() as u64;
    // The index, the lists of players and games, the plan, and the board.
    Ok(5 + players + of_games)
}

type MakePage<'a> = &'a dyn Fn(&RunContext<'_>) -> Result<String, PageError>;

#[derive(Debug)]
pub enum Wanted {
    /// All. A run of more than `MOST_GAMES` draws only the games with these numbers.
    All(BTreeSet<u64>),
    /// The index alone, without links to other pages. While the run is played, it loads itself again.
    Index,
}

/// Makes the pages of a run: an index, a page for each player, one for the boards, and lists of players and games.
/// `checked` is the state of its schedule, if games depend on results and it could be worked out. Charts also go to
/// `figures`, if they are wanted. Damaged records of games do not stop the pages: they are returned.
pub fn run_pages(
    run: &Run,
    checked: Option<&ScheduleCheck>,
    wanted: Wanted,
    write: &mut WritePage<'_>,
    mut figures: Option<&mut WritePage<'_>>,
) -> Result<GamesRead, PageError> {
    let mut statistics = RunStatistics::read(run)?;
    let settings = Settings::of_run(run);
    let rated = statistics.results.rate(&settings);
    let histories = Histories::read(run, &rated, &settings)?;
    let names = run.player_names();
    let players: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let is_alone = matches!(wanted, Wanted::Index);
    let drawn = match wanted {
        Wanted::All(asked) if statistics.games > MOST_GAMES => DrawnGames::Some(asked),
        Wanted::All(_) | Wanted::Index => DrawnGames::All,
    };
    let read = match is_alone {
        true => GamesRead::default(),
        false => game_pages(run, &drawn, None, write)?,
    };
    let pages = RunContext {
        exports: match figures {
            Some(_) => Exports::wanted(),
            None => Exports::default(),
        },
        run,
        names: &settings.display_names,
        players: &players,
        templates: &Templates::new()?,
        folder: &shell_word(run.path()),
        drawn: &drawn,
        read: &read,
        is_alone,
        refreshes: is_alone && run.is_in_play(),
    };
    let results = RunFigures {
        histories: &histories,
        state: run_state(run, &statistics, checked.map(|it| it.complete))?,
        checked,
        statistics: &statistics,
        places: rated
            .iter()
            .map(|one| one.standings.blocks().seat_places(one.most_seats()))
            .collect(),
        rated: &rated,
    };
    if is_alone {
        write(RunPart::Run.file(), &index_page(&pages, &results)?)?;
        return Ok(read);
    }
    let numbered: Vec<(usize, &str)> = names.iter().copied().enumerate().collect();
    for some in numbered.chunks(PAGES_AT_ONCE) {
        let made = parallel::map(some, |(player, name)| {
            player_page(&pages, &results, *player, name)
        });
        for ((player, _), page) in some.iter().zip(made) {
            write(&player_file(*player), &page?)?;
        }
    }
    let lists: [(RunPart, MakePage<'_>); 3] = [
        (RunPart::Players, &|pages| {
            Ok(players_page(pages, &results)?)
        }),
        (RunPart::Games, &|pages| Ok(games_page(pages, &statistics)?)),
        (RunPart::Plan, &plan_page),
    ];
    for (part, make) in lists {
        write(part.file(), &make(&pages)?)?;
    }
    // Written last, so that an index never links to pages that could not be made.
    write(RunPart::Run.file(), &index_page(&pages, &results)?)?;
    if let Some(figures) = &mut figures {
        let mut files = pages.exports.into_files().into_iter();
        files.try_for_each(|(name, text)| figures(&name, &text))?;
    }
    Ok(read)
}

pub struct RunFigures<'a> {
    pub histories: &'a Histories,
    pub state: RunState,
    pub checked: Option<&'a ScheduleCheck>,
    pub statistics: &'a RunStatistics,
    pub rated: &'a [Rated<'a>],
    pub places: Vec<SeatPlaces>,
}

pub struct RunState {
    /// Number of games played, in words.
    pub text: String,
    /// Whether there may be more games than the pages have.
    pub is_open: bool,
}

pub fn run_state(
    run: &Run,
    statistics: &RunStatistics,
    complete: Option<bool>,
) -> Result<RunState, RunFileError> {
    let schedules = run.schedules();
    let counts = schedules.iter().map(|schedule| schedule.count().exactly());
    let total: Option<u64> = counts.sum();
    let played = statistics.games;
    let done = match total {
        Some(total) => format!("{played} of {}", counted(total, "game", "games")),
        None => counted(played, "game", "games"),
    };
    let aside = run.set_aside()?.len() as u64;
    let is_complete = total.map(|total| played + aside >= total).or(complete);
    Ok(match (run.is_in_play(), is_complete) {
        (true, _) => RunState {
            text: format!("The run is going on: {done} when this page was made."),
            is_open: true,
        },
        (false, Some(false)) => RunState {
            text: format!(
                "The run ended early: {done} played. `referee run` with --resume goes on with it."
            ),
            is_open: true,
        },
        (false, _) => RunState {
            text: format!("{done} played."),
            is_open: false,
        },
    })
}

/// The page: the games with the lowest numbers, each with a link to its board.
pub fn games_page(pages: &RunContext<'_>, statistics: &RunStatistics) -> Result<String, Error> {
    let kept = &statistics.listed;
    let games = report::games(kept.games.values(), pages.names);
    let columns = games.columns.iter().map(|it| it.name.as_str());
    let columns: Vec<&str> = columns.collect();
    let mut table = pages.report_table("games by number", &games, &columns);
    if let Some(why) = table.columns.last_mut() {
        *why = ColumnView::sentence("why");
    }
    for (cells, row) in table.rows.iter_mut().zip(kept.games.values()) {
        cells[0] = pages.game(row.id, None, pages.run.keeps_log(row)).heading();
        for (cell, player) in cells[2..].iter_mut().zip(pages.seat_cells(&row.players)) {
            let heading = false;
            *cell = CellView { heading, ..player };
        }
    }
    let count = counted(kept.count, "game", "games");
    let words = if kept.count > MOST_LISTED as u64 {
        format!("The first {MOST_LISTED} of {count}. A number leads to the board of the game.")
    } else {
        format!("{count}. A number leads to the board of the game.")
    };
    let folder = pages.visible_folder();
    pages.table_page(
        RunPart::Games,
        ["games", &words],
        &pages.table(&table.sortable())?,
        &[
            ["All of them:".to_owned(), format!("referee games {folder}")],
            [
                "A game in the terminal:".to_owned(),
                format!("referee replay {folder} ID"),
            ],
        ],
    )
}

pub fn place_parts(places: &ByPlace, seats: usize) -> Vec<BarPart> {
    let parts = PLACES.iter().zip(places).take(seats).enumerate();
    parts
        .map(|(at, (words, games))| (class(at, seats), *words, *games))
        .collect()
}

/// The colour of a place, on a scale from the last to the first.
fn class(at: usize, seats: usize) -> &'static str {
    const STEPS: [&str; 8] = [
        "step-0", "step-1", "step-2", "step-3", "step-4", "step-5", "step-6", "step-7",
    ];
    STEPS[(seats - 1 - at) * (STEPS.len() - 1) / (seats - 1)]
}

/// The results of each seat. `parts` has the same words for all.
pub fn results_by_seat(
    game: &str,
    names: &[&str],
    parts: impl Fn(usize) -> Vec<BarPart>,
) -> TableView {
    let rows = names.iter().enumerate().map(|(seat, name)| {
        let parts = parts(seat);
        let mut row = vec![
            CellView::text(name).heading(),
            CellView::count(parts.iter().map(|(_, _, games)| games).sum()),
            CellView::chart(CellChart::parts(&parts)),
        ];
        row.extend(parts.iter().map(|(_, _, games)| CellView::count(*games)));
        row
    });
    let words = parts(0);
    let mut columns = vec![
        ColumnView::text("seat"),
        ColumnView::number("games"),
        ColumnView::charts("results", Vec::new()),
    ];
    columns.extend(words.iter().map(|(_, words, _)| ColumnView::number(words)));
    TableView {
        legend: legend(words.iter()),
        ..TableView::new(format!("{game}: results by seat"), columns, rows)
    }
}

/// The place of a seat in words; `None` in a game of two, which has winners.
pub fn place_words(row: &GameRow, seat: Seat) -> Option<String> {
    let seats = row.players.count();
    let place = PLACES[usize::from(row.end.result.places(seats)[seat]) - 1];
    let words = match row.end.result {
        GameResult::Drawn => "tied".to_owned(),
        _ => format!("{place} of {seats}"),
    };
    (seats > 2).then_some(words)
}

pub fn plan_page(pages: &RunContext<'_>) -> Result<String, PageError> {
    let manifest = pages.run.manifest();
    let mut rows = Vec::new();
    let mut add = |what: &str, value: Value| {
        for (key, text) in keys_of(what, &value) {
            rows.push(vec![CellView::text(&key).heading(), CellView::text(&text)]);
        }
    };
    add("seed", manifest.seed.into());
    add("format", serde_json::to_value(&manifest.format)?);
    for game in &manifest.games {
        add("game", serde_json::to_value(game)?);
    }
    add("clock", serde_json::to_value(&manifest.clock)?);
    add("limits", serde_json::to_value(&manifest.limits)?);
    add("record", serde_json::to_value(manifest.record)?);
    add("games at a time", manifest.jobs.into());
    add("machine", serde_json::to_value(&manifest.machine)?);
    let table = TableView::new(
        "from manifest.toml",
        vec![ColumnView::text("what"), ColumnView::sentence("value")],
        rows,
    );
    let folder = pages.visible_folder();
    let verify = format!("referee verify {folder}");
    Ok(pages.table_page(
        RunPart::Plan,
        ["plan", ""],
        &pages.table(&table)?,
        &[["Are these records true?".to_owned(), verify]],
    )?)
}

/// The keys of a table of the manifest with their values, one below the other.
fn keys_of(what: &str, value: &Value) -> Vec<(String, String)> {
    let Value::Object(table) = value else {
        return vec![(what.to_owned(), value_text(value))];
    };
    let given = table.iter().filter(|(_, value)| !value.is_null());
    let keys = given.flat_map(|(key, value)| keys_of(&format!("{what} {key}"), value));
    keys.collect()
}

/// A value of the manifest as text: the keys of a table with their values.
fn value_text(value: &Value) -> String {
    match value {
        Value::Object(table) => {
            let given = table.iter().filter(|(_, value)| !value.is_null());
            let parts = given.map(|(key, value)| format!("{key} {}", value_text(value)));
            parts.collect::<Vec<_>>().join(", ")
        }
        Value::Array(values) => values.iter().map(value_text).collect::<Vec<_>>().join(" "),
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64() {
            // Without the `.0` of a whole number that need not be one.
            Some(real) if number.is_f64() => real.to_string(),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// The page: each player of the plan with its ratings, even without games, and the command of its bot.
pub fn players_page(pages: &RunContext<'_>, figures: &RunFigures<'_>) -> Result<String, Error> {
    let players = pages.run.manifest().players.iter();
    let of_players = &figures.statistics.players;
    let rated = figures.rated;
    let rows = players.zip(of_players).map(|(player, games)| {
        let mut row = vec![pages.player(&player.name)];
        row.extend(rated.iter().map(|one| {
            let elo = one.find(&player.name).map(|at| one.elo[at]);
            elo.map_or_else(CellView::default, |elo| {
                CellView::text(&Cell::Elo(elo).shown())
            })
        }));
        row.extend([games.games(), games.forfeited.count].map(CellView::count));
        let command = match (&player.house, &player.command) {
            (Some(house), _) => format!("house bot {house} {}", player.args.join(" ")),
            (None, Some(command)) => command.join(" "),
            (None, None) => String::new(),
        };
        row.push(CellView::command(command.trim_end()));
        row
    });
    let mut columns = vec![ColumnView::name("player")];
    let elo = |game: &str| match rated {
        [_] => ColumnView::number("Elo"),
        _ => ColumnView::number(&format!("Elo, {game}")),
    };
    columns.extend(rated.iter().map(|one| elo(&one.game)));
    columns.extend(["games", "forfeits"].map(ColumnView::number));
    columns.push(ColumnView::sentence("bot"));
    let table = TableView::new("players in the order of the plan", columns, rows);
    let count = counted(of_players.len() as u64, "player", "players");
    pages.table_page(
        RunPart::Players,
        [
            "players",
            &format!("{count}. A name leads to the player's results, forfeits and games."),
        ],
        &pages.table(&table.sortable())?,
        &[],
    )
}
