//! Section of the index about one kind of game.

use minijinja::Error;
use serde::Serialize;

use super::charts;
use super::conclusion::{ConclusionView, concluded, conclusion};
use super::matrix::{MATRIX_PLAYERS, crosstable, superiority};
use super::seats::seats;
use super::standings::standings;
use crate::pages::context::{MANY, RunContext};
use crate::pages::run::curves::{CurveView, curves};
use crate::pages::run::figures::RunFigures;
use crate::pages::run::statistics::RunStatistics;
use crate::pages::run::usage::usage_tables;
use crate::rating::SeatPlaces;
use crate::report::{self, NotesOn};
use crate::results::Rated;
use crate::text::{counted, visible};

/// Section of the index about one kind of game.
#[derive(Serialize)]
pub struct GameSection {
    name: String,
    /// Whether tables and charts scroll in boxes, because there are many players.
    many: bool,
    count: String,
    /// The conclusion from the games, in a sentence.
    strength: String,
    /// `None` if the format decides nothing.
    conclusion: Option<ConclusionView>,
    standings: String,
    /// `None` if there are too many players.
    crosstable: Option<String>,
    /// `None` if there are too many players.
    superiority: Option<String>,
    lengths: String,
    /// A chart of the first seat in a game of two, and a table of more.
    seats: String,
    of_two: bool,
    /// Empty without openings.
    openings: String,
    /// Tables of time and memory, as HTML.
    usage: Vec<String>,
    curves: Vec<CurveView>,
    facts: Vec<String>,
    warnings: Vec<String>,
}

/// The section of one kind of game.
pub fn section(
    pages: &RunContext<'_>,
    figures: &RunFigures<'_>,
    one: &Rated<'_>,
    places: &SeatPlaces,
) -> Result<GameSection, Error> {
    let statistics = figures.statistics;
    let game = one.game.as_str();
    let concluded = concluded(pages, figures, game).map(|(_, conclusion)| conclusion);
    let empty = Default::default();
    let all_fit = one.order.len() <= MATRIX_PLAYERS;
    let lengths = charts::lengths(statistics.lengths.get(game).unwrap_or(&empty));
    let names = pages.names_of_more_seats(game);
    Ok(GameSection {
        name: visible(game),
        many: one.order.len() > MANY,
        count: counted(one.games(), "game", "games"),
        strength: report::strength(one, concluded, &pages.run.player_names()),
        conclusion: conclusion(pages, figures, one)?,
        standings: standings(pages, one, concluded)?,
        crosstable: all_fit
            .then(|| pages.table(&crosstable(pages, one)))
            .transpose()?,
        superiority: all_fit
            .then(|| pages.table(&superiority(pages, one)))
            .transpose()?,
        lengths: pages.chart(
            &charts::length_columns(game, &lengths),
            &charts::length_table(game, &lengths),
        )?,
        seats: seats(pages, one, names, places)?,
        of_two: names.is_none(),
        openings: match statistics.openings.get(game) {
            Some(openings) => openings.table(pages, game, names)?,
            None => String::new(),
        },
        usage: usage(pages, statistics, one)?,
        curves: curves(pages, figures.histories, one)?,
        facts: report::facts(one),
        warnings: report::warnings(one, NotesOn::Page),
    })
}

/// Time and memory of all players, best first.
fn usage(
    pages: &RunContext<'_>,
    statistics: &RunStatistics,
    one: &Rated<'_>,
) -> Result<Vec<String>, Error> {
    let players = one.order.iter().filter_map(|player| {
        let name = one.name(*player);
        let player = statistics.players.get(pages.index_of(name)?)?;
        Some((name, player.usage.in_game(&one.game)?))
    });
    usage_tables(pages, &one.game, &players.collect::<Vec<_>>())
}
