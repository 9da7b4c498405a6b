//! The index of a run.

mod bands;
mod charts;
mod conclusion;
mod matrix;

use minijinja::value::Serde;
use minijinja::{Error, context};
use serde::Serialize;
use serde_json::Value;

use crate::pages::context::{MANY, RunContext};
use crate::pages::error::PageError;
use crate::pages::game::{DrawnGames, MOST_GAMES};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::run::figures::Found;
use crate::pages::run::statistics::Gathered;
use crate::pages::run::usage::usage_tables;
use crate::report::{self, Cell, NotesOn};
use crate::results::Rated;
use crate::text::{counted, visible};
use bands::Bands;
use conclusion::{ConclusionView, conclusion};
use matrix::{MATRIX_PLAYERS, crosstable, superiority};

/// How many forfeits, and games that were set aside, are listed at most.
const LISTED: usize = 300;

/// What the index says of one kind of game.
#[derive(Serialize)]
struct GameSection {
    name: String,
    /// Whether there are so many players that tables and charts scroll in boxes.
    many: bool,
    count: String,
    /// `None` if the format decides nothing.
    conclusion: Option<ConclusionView>,
    ratings: String,
    standings: String,
    /// `None` if there are too many players, as for the next.
    crosstable: Option<String>,
    superiority: Option<String>,
    /// `None` if there are few or many players.
    ends: String,
    lengths: String,
    seats: String,
    /// Empty without openings.
    openings: String,
    /// Tables of time and memory, as HTML.
    usage: Vec<String>,
    facts: Vec<String>,
    warnings: Vec<String>,
}

/// The page.
pub fn index_page(pages: &RunContext<'_>, found: &Found<'_>) -> Result<String, PageError> {
    let manifest = pages.run.manifest();
    let Found {
        state, gathered, ..
    } = found;
    let sections = found.rated.iter().map(|one| section(pages, found, one));
    let sections: Vec<GameSection> = sections.collect::<Result<_, _>>()?;
    let ends = gathered.results.terminations().iter();
    let ends: Vec<String> = ends
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    let values = context! {
        title => visible(&manifest.name),
        begun => visible(&manifest.created),
        ended => visible(&gathered.last_date),
        players => counted(manifest.players.len() as u64, "player", "players"),
        version => visible(&manifest.referee),
        state => &state.words,
        open => state.open,
        games => Serde(&sections),
        ends => ends.join(", "),
        most_games => (pages.drawn != DrawnGames::All).then_some(MOST_GAMES),
        most_players => MATRIX_PLAYERS,
        damaged => pages.read.warning(),
        forfeits => forfeits(pages, gathered)?,
        set_aside => set_aside(pages)?,
        all_players => all_players(pages)?,
        plan => plan(pages)?,
        word => pages.word(),
    };
    let body = pages.templates.render("index", values)?;
    Ok(pages.page(&format!("{}: results", manifest.name), &body)?)
}

fn section(
    pages: &RunContext<'_>,
    found: &Found<'_>,
    one: &Rated<'_>,
) -> Result<GameSection, Error> {
    let gathered = found.gathered;
    let alone = std::slice::from_ref(one);
    let label = |what: &str| format!("{}: {what}", one.game);
    let name = |column: &str, cell: &Cell, view: CellView| match column {
        "player" => pages.player(&cell.plain()),
        _ => view,
    };
    let columns = [
        "rank", "player", "elo", "margin", "elo_low", "elo_high", "games", "points", "score",
    ];
    let ratings = report::ratings(alone);
    // With the decimals of the file: the chart has them rounded.
    let exact = |column: &str, cell: &Cell, view: CellView| match cell {
        Cell::Elo(_) | Cell::Margin(_) => CellView::text(&cell.plain()),
        _ => name(column, cell, view),
    };
    let mut ratings = TableView::of(&label("ratings, best first"), &ratings, &columns, &exact);
    let bands = Bands::new(one);
    ratings.columns.push(ColumnView::number("band"));
    for (place, row) in ratings.rows.iter_mut().enumerate() {
        row.push(bands.cell(place));
    }
    let columns = [
        "rank", "player", "points", "games", "wins", "draws", "losses", "forfeits",
    ];
    let standings = report::standings(alone);
    let standings = TableView::of(
        &label("standings by points per game"),
        &standings,
        &columns,
        &name,
    );
    let order = one.standings.order();
    let empty = Default::default();
    let all_fit = one.order.len() <= MATRIX_PLAYERS;
    let lengths = charts::lengths(gathered.lengths.get(one.game).unwrap_or(&empty));
    Ok(GameSection {
        name: visible(one.game),
        many: one.order.len() > MANY,
        count: counted(one.standings.games(), "game", "games"),
        conclusion: conclusion(pages, found, one)?,
        ratings: pages.chart(&charts::ratings(one, &bands), &ratings)?,
        standings: pages.table(&standings)?,
        crosstable: all_fit
            .then(|| pages.table(&crosstable(pages, one)))
            .transpose()?,
        superiority: all_fit
            .then(|| pages.table(&superiority(pages, one)))
            .transpose()?,
        ends: pages.chart(&charts::all_ends(one, &order), &ends(pages, one, &order))?,
        lengths: pages.chart(
            &charts::length_columns(one.game, &lengths),
            &length_table(one.game, &lengths),
        )?,
        seats: pages.chart(
            &charts::seats(one),
            &seat_table(one.game, &charts::first_seat(one)),
        )?,
        openings: match gathered.openings.get(one.game) {
            Some(openings) => openings.chart(pages, one.game)?,
            None => String::new(),
        },
        usage: usage(pages, gathered, one)?,
        facts: report::facts(one),
        warnings: report::warnings(one, NotesOn::Page),
    })
}

/// Time and memory of all players, best first.
fn usage(
    pages: &RunContext<'_>,
    gathered: &Gathered,
    one: &Rated<'_>,
) -> Result<Vec<String>, Error> {
    let players = one.order.iter().filter_map(|player| {
        let name = one.name(*player);
        let player = gathered.players.get(pages.index_of(name)?)?;
        Some((name, player.usage.of(one.game)?))
    });
    usage_tables(pages, one.game, &players.collect::<Vec<_>>())
}

/// How the games of each player ended, in numbers.
fn ends(pages: &RunContext<'_>, one: &Rated<'_>, order: &[usize]) -> TableView {
    let mut columns = vec![ColumnView::name("player")];
    let rows = order.iter().map(|player| {
        let ends = charts::ends(one, *player);
        if columns.len() == 1 {
            columns.extend(ends.map(|(_, words, _)| ColumnView::number(words)));
        }
        let mut row = vec![pages.player(one.name(*player))];
        row.extend(ends.map(|(_, _, count)| CellView::count(count)));
        row
    });
    let rows = rows.collect();
    TableView {
        caption: format!("{}: how the games of each player ended", one.game),
        columns,
        rows,
    }
}

fn length_table(game: &str, lengths: &[(u32, u32, u64)]) -> TableView {
    let rows = lengths.iter().filter(|(_, _, count)| *count > 0);
    let rows = rows.map(|(from, to, count)| {
        let plies = match from == to {
            true => from.to_string(),
            false => format!("{from} to {to}"),
        };
        vec![CellView::text(&plies).heading(), CellView::count(*count)]
    });
    TableView {
        caption: format!("{game}: lengths of the games"),
        columns: vec![ColumnView::number("plies"), ColumnView::number("games")],
        rows: rows.collect(),
    }
}

fn seat_table(game: &str, counts: &[(&'static str, &'static str, u64)]) -> TableView {
    let rows = counts
        .iter()
        .map(|(_, words, count)| vec![CellView::text(words).heading(), CellView::count(*count)]);
    TableView {
        caption: format!("{game}: results by seat"),
        columns: vec![ColumnView::text("result"), ColumnView::number("games")],
        rows: rows.collect(),
    }
}

/// A line for each player and reason; empty without forfeits.
fn forfeits(pages: &RunContext<'_>, gathered: &Gathered) -> Result<String, Error> {
    let logged = pages.run.manifest().record.logs.keeps(true);
    let all = gathered.forfeits.each();
    let count = all.len();
    let rows = all.take(LISTED).map(|(player, termination, forfeit)| {
        vec![
            pages.player(player),
            CellView::text(termination),
            CellView::count(forfeit.count),
            pages.game(forfeit.first, None, logged),
            CellView::text(&forfeit.detail),
            pages.replay_command(forfeit.first, player, logged),
        ]
    });
    let caption = match count > LISTED {
        true => format!("the first {LISTED} of {count} kinds; the players' pages have all"),
        false => "by player and reason".to_owned(),
    };
    let table = TableView {
        caption,
        columns: vec![
            ColumnView::name("player"),
            ColumnView::text("ended by"),
            ColumnView::number("games"),
            ColumnView::number("first"),
            ColumnView::sentence("what it did there"),
            ColumnView::sentence("see what the bot does there"),
        ],
        rows: rows.collect(),
    };
    match count {
        0 => Ok(String::new()),
        _ => pages.table(&table),
    }
}

/// The games that could not be played; empty without any.
fn set_aside(pages: &RunContext<'_>) -> Result<String, PageError> {
    let games = pages.run.set_aside()?;
    let rows = games.iter().take(LISTED).map(|game| {
        vec![
            CellView::count(game.id),
            CellView::text(&game.game),
            pages.player(&game.first),
            pages.player(&game.second),
            CellView::text(&game.cause),
        ]
    });
    let table = TableView {
        caption: format!("the first {} of {}", games.len().min(LISTED), games.len()),
        columns: vec![
            ColumnView::number("id"),
            ColumnView::text("game"),
            ColumnView::name("first seat"),
            ColumnView::name("second seat"),
            ColumnView::sentence("why"),
        ],
        rows: rows.collect(),
    };
    match games.is_empty() {
        true => Ok(String::new()),
        false => Ok(pages.table(&table)?),
    }
}

/// Every player of the plan, whether it has played or not.
fn all_players(pages: &RunContext<'_>) -> Result<String, Error> {
    let players = pages.run.manifest().players.iter();
    let rows = players.map(|player| {
        let command = match (&player.house, &player.command) {
            (Some(house), _) => format!("house bot {house} {}", player.args.join(" ")),
            (None, Some(command)) => command.join(" "),
            (None, None) => String::new(),
        };
        vec![
            pages.player(&player.name),
            CellView::command(command.trim_end()),
        ]
    });
    pages.table(&TableView {
        caption: "players in the order of the plan".to_owned(),
        columns: vec![ColumnView::name("player"), ColumnView::sentence("bot")],
        rows: rows.collect(),
    })
}

/// The plan and the machine, from the manifest.
fn plan(pages: &RunContext<'_>) -> Result<String, PageError> {
    let manifest = pages.run.manifest();
    let mut rows = Vec::new();
    let mut add = |what: &str, value: Value| {
        rows.push(vec![
            CellView::text(what).heading(),
            CellView::text(&words(&value)),
        ]);
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
    let table = TableView {
        caption: "from manifest.toml".to_owned(),
        columns: vec![ColumnView::text("what"), ColumnView::sentence("value")],
        rows,
    };
    Ok(pages.table(&table)?)
}

/// A value in words: the keys of a table with their values.
fn words(value: &Value) -> String {
    match value {
        Value::Object(table) => {
            let given = table.iter().filter(|(_, value)| !value.is_null());
            let parts = given.map(|(key, value)| format!("{key} {}", words(value)));
            parts.collect::<Vec<_>>().join(", ")
        }
        Value::Array(values) => values.iter().map(words).collect::<Vec<_>>().join(" "),
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64() {
            // Without the `.0` of a whole number that need not be one.
            Some(real) if number.is_f64() => real.to_string(),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}
