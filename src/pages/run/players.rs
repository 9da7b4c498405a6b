//! The page of all players.

use minijinja::Error;

use super::figures::RunFigures;
use crate::pages::context::RunContext;
use crate::pages::parts::navigation::RunPart;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::report::Cell;
use crate::text::counted;

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
    let table = TableView {
        caption: "players in the order of the plan".to_owned(),
        columns,
        rows: rows.collect(),
        ..TableView::default()
    };
    let count = counted(of_players.len() as u64, "player", "players");
    pages.table_page(
        RunPart::Players,
        [
            "players",
            &format!("{count}. A name leads to the player's results, forfeits and games."),
        ],
        &pages.named_table("players", &table.sortable())?,
        &[],
    )
}
