//! The page of a player: results by opponent, lost games with reasons, time and memory.

use minijinja::value::Serde;
use minijinja::{Error, context};
use serde::Serialize;

use super::statistics::{FirstGames, MOST_KEPT, PlayerGame, PlayerGames};
use super::usage::usage_tables;
use super::{RunFigures, place_parts, results_by_seat};
use crate::pages::context::{MANY, RunContext};
use crate::pages::parts::cell_chart::with_margin;
use crate::pages::parts::svg::round;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::parts::{NavigationPlace, RunPart};
use crate::rating::SeatPlaces;
use crate::report::{Cell, PLACES};
use crate::results::Rated;
use crate::text::{counted, visible};

#[derive(Serialize)]
struct GameSection {
    name: String,
    /// Whether the table of opponents is long enough to scroll in a box.
    many: bool,
    result: String,
    opponents: String,
    /// The places by seat; `None` in a game of two.
    seats: Option<String>,
    usage: Vec<String>,
}

pub fn player_page(
    pages: &RunContext<'_>,
    figures: &RunFigures<'_>,
    number: usize,
    name: &str,
) -> Result<String, Error> {
    let games = &figures.statistics.players[number];
    let rated = figures.rated.iter().zip(&figures.places);
    let sections = rated.filter_map(|(one, places)| {
        let player = one.find(name)?;
        Some(section(pages, games, one, places, player))
    });
    let sections: Vec<GameSection> = sections.collect::<Result<_, _>>()?;
    let title = pages.names.shown_with_name(name);
    let forfeits = forfeits(pages, &games.forfeited, name);
    let values = context! {
        title => &title,
        games => Serde(&sections),
        forfeits => match games.forfeited.count {
            0 => String::new(),
            _ => pages.table(&forfeits)?,
        },
        forfeited => games.forfeited.count,
        all_games => counted(games.games(), "game", "games"),
        others => match games.games() - games.forfeited.count {
            0 => String::new(),
            _ => pages.table(&other_games(pages, games))?,
        },
        folder => pages.visible_folder(),
        quoted_player => crate::report::shell_word(std::path::Path::new(name)),
    };
    let body = pages.templates.render("player", values)?;
    pages.page(&title, NavigationPlace::Below(RunPart::Players), &body)
}

fn section(
    pages: &RunContext<'_>,
    games: &PlayerGames,
    one: &Rated<'_>,
    places: &SeatPlaces,
    player: usize,
) -> Result<GameSection, Error> {
    let (game, name) = (one.game.as_str(), one.name(player));
    let rank = one.order.iter().position(|other| *other == player);
    let rating = with_margin(one.interval(player));
    let standing = &one.standings.players()[player];
    let tally = standing.tally;
    let names = Some(pages.seat_names(game)).filter(|names| names.len() > 2);
    let results = match names {
        None => format!(
            "{} won, {} drawn, {} lost",
            tally.wins, tally.draws, tally.losses
        ),
        Some(names) => {
            let places = PLACES.iter().zip(&standing.places()[..names.len()]);
            let places = places.map(|(place, games)| format!("{games} × {place}"));
            places.collect::<Vec<_>>().join(", ")
        }
    };
    let result = format!(
        "Rank {} of {} with {} Elo. {} points in {}: {results}.",
        rank.map_or(0, |rank| rank + 1),
        one.order.len(),
        rating,
        round(standing.points()),
        counted(tally.games(), "game", "games"),
    );
    let by_seat = names.map(|names| {
        let own = |seat| {
            places
                .of_player
                .get(&(player, seat))
                .copied()
                .unwrap_or_default()
        };
        let parts = |seat| place_parts(&own(seat), names.len());
        pages.table(&results_by_seat(game, names, parts))
    });
    Ok(GameSection {
        name: visible(game),
        many: one.order.len() > MANY,
        result,
        opponents: pages.table(&opponents(pages, one, player))?,
        seats: by_seat.transpose()?,
        usage: match games.usage.in_game(game) {
            Some(usage) => usage_tables(pages, game, &[(name, usage)])?,
            None => Vec::new(),
        },
    })
}

/// The results against each opponent, the worst first.
fn opponents(pages: &RunContext<'_>, one: &Rated<'_>, player: usize) -> TableView {
    let others = one.order.iter().filter(|other| **other != player);
    let met = others.map(|other| (*other, one.against(player, *other)));
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
    let numbers = ["Elo", "games"]
        .into_iter()
        .chain(one.outcomes().split('-'));
    let numbers = numbers.chain(["score", "expected"]);
    let mut columns = vec![ColumnView::name("opponent")];
    columns.extend(numbers.map(ColumnView::number));
    TableView::new(
        format!("{}: results by opponent, the worst first", one.game),
        columns,
        rows,
    )
    .sortable()
}

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
            pages.replay_command(*id, name, game.termination, game.logged),
        ]
    });
    TableView::new(
        first_of(games.count, "forfeited"),
        vec![
            ColumnView::number("game"),
            ColumnView::text("kind"),
            ColumnView::text("seat"),
            opponents_column(pages),
            ColumnView::text("ended by"),
            ColumnView::sentence("what it did wrong"),
            ColumnView::sentence("see what the bot does there"),
        ],
        rows,
    )
    .sortable()
}

fn other_games(pages: &RunContext<'_>, games: &PlayerGames) -> TableView {
    let words = match pages.seats() {
        2 => ["lost", "drawn", "won"],
        _ => ["last", "between or tied", "first"],
    };
    let kinds = [&games.lost, &games.drawn, &games.won];
    let kinds = [0, 1, 2].map(|at| (words[at], kinds[at]));
    let rows = kinds.iter().flat_map(|(result, kept)| {
        kept.games.iter().map(|(id, game)| {
            vec![
                pages.game(*id, None, game.logged),
                CellView::text(game.place.as_deref().unwrap_or(result)),
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
    TableView::new(
        captions.join(", "),
        vec![
            ColumnView::number("game"),
            ColumnView::text("result"),
            ColumnView::text("kind"),
            ColumnView::text("seat"),
            opponents_column(pages),
            ColumnView::number("plies"),
            ColumnView::text("ended by"),
            ColumnView::sentence("why"),
        ],
        rows,
    )
    .sortable()
}

fn opponents_column(pages: &RunContext<'_>) -> ColumnView {
    match pages.seats() {
        2 => ColumnView::name("opponent"),
        _ => ColumnView::name("opponents"),
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
