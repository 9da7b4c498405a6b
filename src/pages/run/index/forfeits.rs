//! Forfeits on the index: who forfeited so much that it decided the run, and all of them in a table.

use std::collections::BTreeMap;

use minijinja::Error;
use serde::Serialize;

use crate::pages::context::RunContext;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::run::RunFigures;
use crate::report::Forfeits;
use crate::text::counted;

/// Share of the games from which forfeits are told before the ratings.
const NOTABLE: f64 = 0.05;

/// Upper bound on the forfeits in the table.
const LISTED: usize = 300;

/// Upper bound on the players who are named there.
const NAMED: usize = 5;

/// Forfeits that decided a notable part of a run.
#[derive(Serialize)]
pub struct NotableForfeits {
    /// How many games, in words.
    text: String,
    players: Vec<ForfeitingPlayer>,
    /// Number of other players who forfeited.
    more: usize,
}

#[derive(Serialize)]
struct ForfeitingPlayer {
    name: String,
    link: Option<String>,
    /// How often and for which reasons.
    text: String,
    /// Its first forfeited game, and a link to its board.
    game: String,
    board: Option<String>,
    /// Its fault in that game.
    detail: String,
}

/// The forfeits of a run, if they are a notable share of its games.
pub fn notable_forfeits(
    pages: &RunContext<'_>,
    figures: &RunFigures<'_>,
) -> Option<NotableForfeits> {
    let statistics = figures.statistics;
    let rated = figures.rated.iter();
    let forfeited: u64 = rated.map(|one| one.standings.totals().forfeited).sum();
    let share = forfeited as f64 / statistics.games.max(1) as f64;
    if share < NOTABLE {
        return None;
    }
    let mut by_player: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (player, termination, forfeit) in statistics.forfeits.each() {
        by_player
            .entry(player)
            .or_default()
            .push((termination, forfeit));
    }
    let mut by_player: Vec<_> = by_player.into_iter().collect();
    let sum = |(_, kinds): &(&str, Vec<(_, &crate::report::ForfeitCount)>)| -> u64 {
        kinds.iter().map(|(_, forfeit)| forfeit.count).sum()
    };
    // The sort is stable, and players come by name.
    by_player.sort_by_key(|player| std::cmp::Reverse(sum(player)));
    let logged = pages.run.manifest().record.logs.keeps(true);
    let players = by_player.iter().take(NAMED).filter_map(|player| {
        let (name, kinds) = player;
        let mut kinds: Vec<_> = kinds.clone();
        kinds.sort_by_key(|(_, forfeit)| std::cmp::Reverse(forfeit.count));
        let reasons = kinds
            .iter()
            .map(|(reason, forfeit)| format!("{reason} {}", forfeit.count));
        let own = pages.index_of(name).map(|at| &statistics.players[at]);
        let games = own.map_or(0, |own| own.games());
        let (_, earliest) = kinds.iter().min_by_key(|(_, forfeit)| forfeit.first)?;
        let game = pages.game(earliest.first, None, logged);
        Some(ForfeitingPlayer {
            name: pages.names.shown(name),
            link: pages.player_link(name),
            text: format!(
                "forfeited {} of {} ({})",
                sum(player),
                counted(games, "game", "games"),
                reasons.collect::<Vec<_>>().join(", ")
            ),
            game: game.text,
            board: game.link,
            detail: earliest.detail.clone(),
        })
    });
    Some(NotableForfeits {
        text: format!(
            "{forfeited} of {} ({:.0} %) ended by forfeit, which counts as a loss.",
            counted(statistics.games, "game", "games"),
            100.0 * share
        ),
        players: players.collect(),
        more: by_player.len().saturating_sub(NAMED),
    })
}

/// Forfeits by player and reason, with the command that brings the bot there again; empty without forfeits.
pub fn all_forfeits(pages: &RunContext<'_>, forfeits: &Forfeits) -> Result<String, Error> {
    let logged = pages.run.manifest().record.logs.keeps(true);
    let all = forfeits.each();
    let caption = if all.len() > LISTED {
        format!(
            "the first {LISTED} of {} kinds; the players' pages have all",
            all.len()
        )
    } else {
        "forfeits by player and reason".to_owned()
    };
    let rows = all.take(LISTED).map(|(name, termination, forfeit)| {
        vec![
            pages.player(name),
            CellView::text(termination),
            CellView::count(forfeit.count),
            pages.game(forfeit.first, None, logged),
            CellView::text(&forfeit.detail),
            pages.replay_command(forfeit.first, name, logged),
        ]
    });
    let columns = vec![
        ColumnView::name("player"),
        ColumnView::text("ended by"),
        ColumnView::number("games"),
        ColumnView::number("first"),
        ColumnView::sentence("what it did there"),
        ColumnView::sentence("see what the bot does there"),
    ];
    let table = TableView::new(caption, columns, rows.collect()).sortable();
    if table.rows.is_empty() {
        return Ok(String::new());
    }
    pages.named_table("forfeits", &table)
}
