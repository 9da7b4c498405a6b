//! The page of a player: results by opponent, lost games with reasons, time and memory.

use minijinja::value::Serde;
use minijinja::{Error, context};
use serde::Serialize;

use super::figures::RunFigures;
use super::statistics::{FirstGames, MOST_KEPT, PlayerGame, PlayerGames};
use super::usage::usage_tables;
use crate::pages::context::{MANY, RunContext};
use crate::pages::parts::navigation::{RunPart, Shown};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::report::Cell;
use crate::results::Rated;
use crate::text::counted;

/// Section of the page about one kind of game.
#[derive(Serialize)]
struct GameSection {
    name: String,
    /// Whether the table of opponents is long enough to scroll in a box.
    many: bool,
    /// The rating and the points, in words.
    result: String,
    opponents: String,
    /// Tables of time and memory, as HTML.
    usage: Vec<String>,
}

/// The page of a player: its number in the plan, and its name.
pub fn player_page(
    pages: &RunContext<'_>,
    figures: &RunFigures<'_>,
    number: usize,
    name: &str,
) -> Result<String, Error> {
    let games = &figures.statistics.players[number];
    let sections = figures.rated.iter().filter_map(|one| {
        let player = one.standings.find(name)?;
        Some(section(pages, games, one, player))
    });
    let sections: Vec<GameSection> = sections.collect::<Result<_, _>>()?;
    let title = pages.names.shown_with_name(name);
    let forfeits = forfeits(pages, &games.forfeited, name);
    let values = context! {
        title => &title,
        games => Serde(&sections),
        forfeits => match games.forfeited.count {
            0 => String::new(),
            _ => pages.named_table("forfeited games", &forfeits)?,
        },
        forfeited => games.forfeited.count,
        all_games => counted(games.games(), "game", "games"),
        others => match games.games() - games.forfeited.count {
            0 => String::new(),
            _ => pages.named_table("other games", &other_games(pages, games))?,
        },
        folder => pages.visible_folder(),
        quoted_player => crate::report::shell_word(std::path::Path::new(name)),
    };
    let body = pages.templates.render("player", values)?;
    pages.page(&title, Shown::Below(RunPart::Players), &body)
}

fn section(
    pages: &RunContext<'_>,
    games: &PlayerGames,
    one: &Rated<'_>,
    player: usize,
) -> Result<GameSection, Error> {
    let rank = one.order.iter().position(|other| *other == player);
    let estimate = one.ratings.rating(player, one.anchor);
    let tally = one.standings.players()[player].tally;
    let result = format!(
        "Rank {} of {} with {} ± {} Elo. {} points in {}: {} won, {} drawn, {} lost.",
        rank.map_or(0, |rank| rank + 1),
        one.order.len(),
        Cell::Elo(estimate.elo).shown(),
        Cell::Margin(estimate.margin()).shown(),
        tally.points(),
        counted(tally.games(), "game", "games"),
        tally.wins,
        tally.draws,
        tally.losses,
    );
    Ok(GameSection {
        name: one.game.to_owned(),
        many: one.order.len() > MANY,
        result,
        opponents: pages.table(&opponents(pages, one, player))?,
        usage: match games.usage.in_game(one.game) {
            Some(usage) => usage_tables(pages, one.game, &[(one.name(player), usage)])?,
            None => Vec::new(),
        },
    })
}

/// The results against each opponent, the worst first.
fn opponents(pages: &RunContext<'_>, one: &Rated<'_>, player: usize) -> TableView {
    let others = one.order.iter().filter(|other| **other != player);
    let met = others.map(|other| (*other, one.standings.against(player, *other)));
    let mut met: Vec<_> = met.filter(|(_, tally)| tally.games() > 0).collect();
    // The sort is stable and `order` is best first: on equal scores the stronger opponent comes first.
    met.sort_by(|(_, a), (_, b)| {
        let score = |points: f64, games: u64| points / games as f64;
        score(a.points(), a.games()).total_cmp(&score(b.points(), b.games()))
    });
    let rows = met.iter().map(|(other, tally)| {
        let score = tally.points() / tally.games() as f64;
        vec![
            pages.player(one.name(*other)),
            CellView::text(&Cell::Elo(one.elo[*other]).shown()),
            CellView::count(tally.games()),
            CellView::count(tally.wins),
            CellView::count(tally.draws),
            CellView::count(tally.losses),
            CellView::share(score).heat(score),
            CellView::share(one.ratings.expected(player, *other)),
        ]
    });
    let numbers = ["Elo", "games", "won", "drawn", "lost", "score", "expected"];
    let mut columns = vec![ColumnView::name("opponent")];
    columns.extend(numbers.map(ColumnView::number));
    TableView {
        caption: format!("{}: results by opponent, the worst first", one.game),
        columns,
        rows: rows.collect(),
        sortable: true,
        ..TableView::default()
    }
}

/// Forfeited games, with the player's fault.
fn forfeits(
    pages: &RunContext<'_>,
    games: &FirstGames<PlayerGame, MOST_KEPT>,
    name: &str,
) -> TableView {
    let rows = games.games.iter().map(|(id, game)| {
        vec![
            pages.game(*id, Some(game.plies), game.logged),
            CellView::text(game.game),
            CellView::text(game.seat),
            opponent(pages, game),
            CellView::text(game.termination),
            CellView::text(&game.why),
            pages.replay_command(*id, name, game.logged),
        ]
    });
    TableView {
        caption: first_of(games.count, "forfeited"),
        columns: vec![
            ColumnView::number("game"),
            ColumnView::text("kind"),
            ColumnView::text("seat"),
            ColumnView::name("opponent"),
            ColumnView::text("ended by"),
            ColumnView::sentence("what it did wrong"),
            ColumnView::sentence("see what the bot does there"),
        ],
        rows: rows.collect(),
        sortable: true,
        ..TableView::default()
    }
}

/// All other games: lost, then drawn, then won.
fn other_games(pages: &RunContext<'_>, games: &PlayerGames) -> TableView {
    let kinds = [
        ("lost", &games.lost),
        ("drawn", &games.drawn),
        ("won", &games.won),
    ];
    let rows = kinds.iter().flat_map(|(result, kept)| {
        kept.games.iter().map(|(id, game)| {
            vec![
                pages.game(*id, None, game.logged),
                CellView::text(result),
                CellView::text(game.game),
                CellView::text(game.seat),
                opponent(pages, game),
                CellView::count(game.plies.into()),
                CellView::text(game.termination),
                CellView::text(&game.why),
            ]
        })
    });
    let captions = kinds.map(|(result, kept)| first_of(kept.count, result));
    TableView {
        caption: captions.join(", "),
        columns: vec![
            ColumnView::number("game"),
            ColumnView::text("result"),
            ColumnView::text("kind"),
            ColumnView::text("seat"),
            ColumnView::name("opponent"),
            ColumnView::number("plies"),
            ColumnView::text("ended by"),
            ColumnView::sentence("why"),
        ],
        rows: rows.collect(),
        sortable: true,
        ..TableView::default()
    }
}

/// The opponents of a game; the only one with a link to its page.
fn opponent(pages: &RunContext<'_>, game: &PlayerGame) -> CellView {
    match &game.opponents[..] {
        [opponent] => CellView {
            heading: false,
            ..pages.player(opponent)
        },
        opponents => {
            let shown = opponents.iter().map(|name| pages.names.shown(name));
            CellView::text(&shown.collect::<Vec<String>>().join(", "))
        }
    }
}

/// Caption part: the number of games, and the number of listed ones if it is smaller.
fn first_of(count: u64, what: &str) -> String {
    if count > MOST_KEPT as u64 {
        format!("{what}: the first {MOST_KEPT} of {count}")
    } else {
        format!("{what}: {count}")
    }
}
