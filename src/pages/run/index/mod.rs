//! The index of a run.

mod bands;
mod charts;
mod conclusion;
mod matrix;
mod section;

use matrix::MATRIX_PLAYERS;
use minijinja::value::Serde;
use minijinja::{Error, context};
use section::{GameSection, section};
use serde_json::Value;

use crate::pages::context::RunContext;
use crate::pages::error::PageError;
use crate::pages::game::{DrawnGames, MOST_GAMES};
use crate::pages::parts::forfeits::forfeits_table;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::run::figures::RunFigures;
use crate::report::Forfeits;
use crate::text::{counted, visible};

/// Upper bound on the forfeits, and on the games set aside, in a table.
const LISTED: usize = 300;

/// The index of a run.
pub fn index_page(pages: &RunContext<'_>, figures: &RunFigures<'_>) -> Result<String, PageError> {
    let manifest = pages.run.manifest();
    let RunFigures {
        state, statistics, ..
    } = figures;
    let sections = figures.rated.iter().map(|one| section(pages, figures, one));
    let sections: Vec<GameSection> = sections.collect::<Result<_, _>>()?;
    let ends = statistics.results.terminations().iter();
    let ends: Vec<String> = ends
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    let values = context! {
        title => visible(&manifest.name),
        begun => visible(&manifest.created),
        ended => visible(&statistics.last_date),
        players => counted(manifest.players.len() as u64, "player", "players"),
        version => visible(&manifest.referee),
        state => &state.text,
        open => state.is_open,
        games => Serde(&sections),
        ends => ends.join(", "),
        most_games => (*pages.drawn != DrawnGames::All).then_some(MOST_GAMES),
        most_players => MATRIX_PLAYERS,
        damaged => pages.read.warning(),
        forfeits => forfeits(pages, &statistics.forfeits)?,
        set_aside => set_aside(pages)?,
        all_players => all_players(pages)?,
        plan => plan(pages)?,
        folder => pages.visible_folder(),
    };
    let body = pages.templates.render("index", values)?;
    Ok(pages.page(&format!("{}: results", manifest.name), &body)?)
}

/// Forfeits by player and reason, with the command that brings the bot there again; empty without forfeits.
fn forfeits(pages: &RunContext<'_>, forfeits: &Forfeits) -> Result<String, Error> {
    let logged = pages.run.manifest().record.logs.keeps(true);
    let game = |id| pages.game(id, None, logged);
    let mut table = forfeits_table(forfeits, LISTED, |name| pages.player(name), game);
    if table.rows.is_empty() {
        return Ok(String::new());
    }
    if forfeits.each().len() > LISTED {
        table.caption.push_str("; the players' pages have all");
    }
    let column = ColumnView::sentence("see what the bot does there");
    table.columns.push(column);
    for (row, (player, _, forfeit)) in table.rows.iter_mut().zip(forfeits.each()) {
        row.push(pages.replay_command(forfeit.first, player, logged));
    }
    pages.named_table("forfeits", &table)
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
    if games.is_empty() {
        return Ok(String::new());
    }
    Ok(pages.named_table("games set aside", &table)?)
}

/// All players of the plan, even without games.
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
            CellView::text(&value_text(&value)),
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
    Ok(pages.named_table("plan", &table)?)
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
