//! The index of a run.

mod conclusion;
mod matrix;

use std::ops::Range;

use conclusion::{ConclusionView, concluded, conclusion};
use matrix::{MATRIX_PLAYERS, crosstable, superiority};
use minijinja::value::Serde;
use minijinja::{Error, context};
use serde::Serialize;

use crate::pages::context::{MANY, RunContext};
use crate::pages::game::{DrawnGames, MOST_GAMES};
use crate::pages::parts::cell_chart::{CellChart, legend, with_margin};
use crate::pages::parts::svg::{AXIS, Axis, BarPart, Chart, range, round};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::parts::{NavigationPlace, RunPart};
use crate::pages::run::curves::{CurveView, curves};
use crate::pages::run::statistics::RunStatistics;
use crate::pages::run::usage::usage_tables;
use crate::pages::run::{RunFigures, place_parts, results_by_seat};
use crate::pages::{PageError, result_columns};
use crate::rating::{Interval, SeatPlaces};
use crate::report::{self, Cell, Forfeits, NotesOn, PAIRS, ReportTable, TOLD_APART, shortened};
use crate::results::{ByResults, Rated};
use crate::schedule::Conclusion;
use crate::text::{counted, visible};

/// Upper bound on the games set aside, and on the forfeits, in their table.
const LISTED: usize = 300;

pub fn index_page(pages: &RunContext<'_>, figures: &RunFigures<'_>) -> Result<String, PageError> {
    let manifest = pages.run.manifest();
    let RunFigures {
        state, statistics, ..
    } = figures;
    let rated = figures.rated.iter().zip(&figures.places);
    let sections = rated.map(|(one, places)| section(pages, figures, one, places));
    let sections: Vec<GameSection> = sections.collect::<Result<_, _>>()?;
    let ends = statistics.results.terminations().iter();
    let ends: Vec<String> = ends
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    let low_shares = statistics.shares.low(&manifest.display_names());
    let values = context! {
        title => visible(&manifest.name),
        begun => visible(&manifest.created),
        ended => visible(&statistics.last_date),
        players => counted(manifest.players.len() as u64, "player", "players"),
        version => visible(&manifest.referee),
        state => &state.text,
        open => state.is_open,
        refreshes => pages.refreshes,
        games => Serde(&sections),
        ends => ends.join(", "),
        most_games => (*pages.drawn != DrawnGames::All).then_some(MOST_GAMES),
        most_players => MATRIX_PLAYERS,
        damaged => pages.read.warning(),
        forfeits => all_forfeits(pages, &statistics.forfeits)?,
        low_shares => low_shares.iter().take(LISTED).map(|line| visible(line)).collect::<Vec<_>>(),
        set_aside => set_aside(pages)?,
        folder => pages.visible_folder(),
    };
    let body = pages.templates.render("index", values)?;
    let title = format!("{}: results", manifest.name);
    Ok(pages.page(&title, NavigationPlace::Page(RunPart::Run), &body)?)
}

/// The games that could not be played; empty without any.
fn set_aside(pages: &RunContext<'_>) -> Result<String, PageError> {
    let games = pages.run.set_aside()?;
    let rows = games.iter().take(LISTED).map(|game| {
        let before = [CellView::count(game.id), CellView::text(&game.game)];
        let cells = before.into_iter().chain(pages.seat_cells(&game.players));
        let after = game.player_before().map(String::as_str);
        let after = CellView::text(after.unwrap_or_default());
        cells.chain([after, CellView::text(&game.cause)]).collect()
    });
    let seats = pages.seat_columns();
    let before = [ColumnView::number("id"), ColumnView::text("game")];
    let columns = before.into_iter().chain(seats).chain([
        ColumnView::text("rules failed after"),
        ColumnView::sentence("why"),
    ]);
    let caption = format!("the first {} of {}", games.len().min(LISTED), games.len());
    let table = TableView::new(caption, columns.collect(), rows);
    if games.is_empty() {
        return Ok(String::new());
    }
    Ok(pages.table(&table)?)
}

#[derive(Serialize)]
pub struct GameSection {
    name: String,
    /// Whether tables and charts scroll in boxes, because there are many players.
    many: bool,
    /// Whether its players have strengths of their own, unlike in a tuning.
    ranked: bool,
    /// Whether two players met: the standings say who beat whom.
    duel: bool,
    count: String,
    strength: String,
    /// `None` if the format decides nothing.
    conclusion: Option<ConclusionView>,
    standings: String,
    /// `None` in a duel, or if there are too many players.
    crosstable: Option<String>,
    /// `None` in a duel, or if there are too many players.
    superiority: Option<String>,
    seats: String,
    /// The game pairs of a match of two; empty without any.
    pairs: String,
    /// Tables of time and memory, as HTML.
    usage: Vec<String>,
    curves: Vec<CurveView>,
    facts: Vec<String>,
    warnings: Vec<String>,
}

pub fn section(
    pages: &RunContext<'_>,
    figures: &RunFigures<'_>,
    one: &Rated<'_>,
    places: &SeatPlaces,
) -> Result<GameSection, Error> {
    let statistics = figures.statistics;
    let game = one.game.as_str();
    let concluded = concluded(pages, figures, game).map(|(_, conclusion)| conclusion);
    let duel = one.order.len() == 2 && one.most_seats() == 2;
    let ranked = one.settings.by_results != ByResults::Values;
    let all_fit = ranked && !duel && one.order.len() <= MATRIX_PLAYERS;
    let pairs = report::matches(std::slice::from_ref(one));
    Ok(GameSection {
        name: visible(game),
        many: one.order.len() > MANY,
        ranked,
        duel,
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
        seats: pages.table(&seats(one, pages.seat_names(game), places))?,
        pairs: match concluded {
            None if !pairs.rows.is_empty() => pages.table(&game_pairs(pages, &pairs))?,
            _ => String::new(),
        },
        usage: usage(pages, statistics, one)?,
        curves: curves(pages, figures.histories, one, concluded)?,
        facts: report::facts(one),
        warnings: report::warnings(one, NotesOn::Page),
    })
}

fn game_pairs(pages: &RunContext<'_>, table: &ReportTable) -> TableView {
    let mut columns = vec!["player"];
    columns.extend(PAIRS.map(|(name, _)| name));
    columns.extend([
        "normalized_elo",
        "normalized_elo_low",
        "normalized_elo_high",
    ]);
    let caption = "game pairs by the player's points in them, with normalized Elo";
    pages.report_table(caption, table, &columns)
}

/// Time and memory of all players, best first, and means of their searches.
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
    let mut tables = usage_tables(pages, &one.game, &players.collect::<Vec<_>>())?;
    // Logs that cannot be read are told of elsewhere, and a page of a run in play is made again and again.
    let searches =
        (!pages.refreshes).then(|| report::searches(pages.run, &one.game).ok().flatten());
    if let Some(table) = searches
        .flatten()
        .filter(|_| one.order.len() <= MATRIX_PLAYERS)
    {
        let columns: Vec<&str> = table.columns.iter().map(|it| it.name.as_str()).collect();
        let caption =
            "means of searches, as the engines reported them, by the numbers of the moves";
        tables.push(pages.table(&pages.report_table(caption, &table, &columns))?);
    }
    Ok(tables)
}

/// Maximum display width of a name, and where the scale begins and ends, in percent of the width.
const NAME: usize = 28;
const LEFT: f64 = 27.0;
const RIGHT: f64 = 84.0;

/// Height of a player's row, and of the marks at the ends of an interval, in pixels.
const ROW: f64 = 26.0;
const MARK: f64 = 4.0;

/// The ratings of all players with their intervals, best first.
pub fn ratings_figure(one: &Rated<'_>, intervals: &[Interval]) -> Chart {
    let intervals: Vec<_> = one.order.iter().zip(intervals).collect();
    // Few blocks, and players who won or lost all their games, set no end.
    let [low, high] = range(intervals.iter().flat_map(|(_, interval)| **interval));
    let axis = Axis::new(low, high, 5);
    let x = |value: f64| round(LEFT + (RIGHT - LEFT) * axis.part(value));
    let bottom = AXIS + ROW * intervals.len() as f64 + 8.0;
    let mut chart = Chart {
        name: format!("{} ratings", one.game),
        title: format!("{}: ratings with 95 % intervals", one.game),
        description: "Elo of each player. The line is the 95 % interval.".to_owned(),
        height: bottom,
        ..Chart::default()
    };
    for tick in axis.ticks() {
        chart.line("grid", [x(tick); 2], [AXIS - 2.0, bottom]);
        chart.text("tick middle", x(tick), 14.0, Cell::Elo(tick).shown());
    }
    for (place, (player, [own_low, elo, own_high])) in intervals.iter().enumerate() {
        let y = AXIS + ROW * (place as f64 + 0.5) + 4.0;
        let name = one.settings.display_names.shown(one.name(**player));
        chart.text("start", 0.0, y + 4.0, shortened(&name, NAME));
        let numbers = with_margin([*own_low, *elo, *own_high]);
        chart.text("end quiet", 100.0, y + 4.0, numbers);
        let ends = [own_low.max(low), own_high.min(high)];
        if ends.iter().all(|end| end.is_finite()) {
            chart.line("interval", ends.map(x), [y; 2]);
            for end in [*own_low, *own_high]
                .into_iter()
                .filter(|end| end.is_finite())
            {
                chart.line("interval", [x(end); 2], [y - MARK, y + MARK]);
            }
        }
        if elo.is_finite() {
            chart.dot("rating", x(*elo), y);
        }
    }
    chart
}

/// The results of each seat, with what the seat is worth.
fn seats(one: &Rated<'_>, names: &[&str], places: &SeatPlaces) -> TableView {
    let of_two = (names.len() == 2).then(|| one.standings.blocks().of_first_seat());
    let both = one.standings.totals().forfeited_by_all;
    let mut table = results_by_seat(&one.game, names, |seat| match of_two {
        Some(first) => {
            let mut ends = [first.wins, first.losses];
            ends.rotate_left(seat);
            let [won, lost] = ends;
            let parts = [
                ("won", "won", won),
                ("drawn", "drawn", first.draws),
                ("lost", "lost", lost),
                ("forfeited", "forfeited by both", both),
            ];
            parts[..if both > 0 { 4 } else { 3 }].to_vec()
        }
        None => place_parts(&places.of_seat[seat].0, names.len()),
    });
    let mut add = |column: ColumnView, cell: &dyn Fn(usize) -> CellView| {
        table.insert(table.columns.len(), column, cell);
    };
    let beaten = "the mean share of its opponents that were behind it; a tied one counts half";
    add(ColumnView::number("beaten").explained(beaten), &|seat| {
        let (places, beaten) = places.of_seat[seat];
        CellView::share(beaten / places.iter().sum::<u64>().max(1) as f64)
    });
    if let Some(worths) = one.seat_worths(names.len()) {
        let worth = "what the seat adds to a player's Elo, from the mean of all seats; the ratings allow for it";
        add(ColumnView::number("worth").explained(worth), &|seat| {
            CellView::text(&Cell::Elo(worths[seat].elo).shown())
        });
        add(ColumnView::number("± worth"), &|seat| {
            CellView::text(&Cell::Margin(worths[seat].margin()).shown())
        });
    }
    table
}

/// The bands of the players of a game. Each is a range of places in the order of the ratings.
pub struct Bands(Vec<Range<usize>>);

impl Bands {
    /// The letters of the bands at a place: players with a common letter are not told apart.
    pub fn cell(&self, place: usize) -> CellView {
        let own = self.0.iter().enumerate();
        let own = own.filter(|(_, band)| band.contains(&place));
        let own: Vec<String> = own.map(|(number, _)| letter(number)).collect();
        match own.as_slice() {
            [] => CellView::default(),
            // Bands are sorted by both ends, so the bands of a player are consecutive.
            [first, .., last] if own.len() > 2 => CellView::text(&format!("{first} to {last}")),
            few => CellView::text(&few.join(" ")),
        }
    }
}

/// The letters of a band: `a` to `z`, then `aa`, `ab` and so on.
fn letter(number: usize) -> String {
    // Below 26, so the cast is exact.
    let last = char::from(b'a' + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        more => letter(more - 1) + &last.to_string(),
    }
}

const BAND: &str = "players with a common letter are not told apart: none is stronger than another one with a probability \
    of 95 % or more. They are neighbours in the order of the ratings";

/// The standings, best first. `concluded` is the conclusion of the format, which can have places of its own.
pub fn standings(
    pages: &RunContext<'_>,
    one: &Rated<'_>,
    concluded: Option<&Conclusion>,
) -> Result<String, Error> {
    let caption = format!("{}: standings, by rating", one.game);
    let ratings = report::ratings(std::slice::from_ref(one));
    let columns = columns(&ratings, one.most_seats());
    let mut table = pages.report_table(&caption, &ratings, &columns).sortable();
    let results = |place: usize| bar_of_results(one, one.order[place]);
    let before_elo = 2 + result_columns(one.most_seats()).len() + 1;
    let after_games = before_elo + 3;
    table.insert(
        after_games,
        ColumnView::charts("results", Vec::new()),
        |place| CellView::chart(CellChart::parts(&results(place))),
    );
    if let Some(first) = one.order.first() {
        let all = bar_of_results(one, *first);
        let happened = |at: &usize| (0..one.order.len()).any(|place| results(place)[*at].2 > 0);
        let found = (0..all.len()).filter(happened).map(|at| &all[at]);
        table.legend = legend(found);
    }
    let of_players: Vec<Interval> = one
        .order
        .iter()
        .map(|player| one.interval(*player))
        .collect();
    let bands = Bands(one.bands(TOLD_APART));
    // The sentence above says it of two, by their match.
    if !bands.0.is_empty() && one.order.len() > 2 {
        let column = ColumnView::number("band").explained(BAND);
        table.insert(after_games - 1, column, |place| bands.cell(place));
    }
    table.insert_intervals(before_elo, |place| Some(of_players[place]));
    let places = concluded.map(Conclusion::places).unwrap_or_default();
    if !places.is_empty() {
        let column = ColumnView::number("place").explained(
            "in the final order of the format; the table is in the order of the ratings",
        );
        table.insert(1, column, |place| {
            let player = pages.index_of(one.name(one.order[place]));
            let found = places.iter().find(|place| Some(place.player) == player);
            found.map_or_else(CellView::default, |it| CellView::count(it.place as u64))
        });
    }
    // The figure for papers has the ratings alone.
    (pages.exports).chart(&ratings_figure(one, &of_players), &table);
    pages.templates.table(&table)
}

/// The results of a player's games as parts of a bar: in games of two, the endings, where forfeits count apart from other
/// wins and losses; in games of more, the places.
fn bar_of_results(one: &Rated<'_>, player: usize) -> Vec<BarPart> {
    let standing = &one.standings.players()[player];
    let seats = one.most_seats();
    if seats > 2 {
        return place_parts(standing.places(), seats);
    }
    let tally = standing.tally;
    let (given, taken) = (standing.forfeits, standing.forfeit_wins);
    vec![
        ("won", "won", tally.wins.saturating_sub(taken)),
        ("won-forfeit", "won, the opponent forfeited", taken),
        ("drawn", "drawn", tally.draws),
        ("lost", "lost", tally.losses.saturating_sub(given)),
        ("forfeited", "forfeited", given),
    ]
}

/// The columns of the table `ratings` that tell something of games with this number of seats. Of two, the interval of Elo says
/// how sure the score is; of more, points are left out for its margin, so that the table fits a screen.
fn columns(ratings: &ReportTable, seats: usize) -> Vec<&'static str> {
    // A narrow screen shows the first columns.
    let mut columns = vec!["rank", "player"];
    columns.extend(result_columns(seats));
    columns.extend(["score", "elo", "margin", "games"]);
    columns.extend(match seats {
        2 => ["points"].as_slice(),
        _ => &["score_margin", "blocks"],
    });
    let by_rules = ["rules_points", "rules_points_margin"];
    columns.extend(
        by_rules
            .into_iter()
            .filter(|column| ratings.has_values(column)),
    );
    columns.push("forfeits");
    columns
}

/// Forfeits by player and reason, with the command that brings the bot there again; empty without forfeits.
fn all_forfeits(pages: &RunContext<'_>, forfeits: &Forfeits) -> Result<String, Error> {
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
            pages.replay_command(forfeit.first, name, termination, logged),
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
    let table = TableView::new(caption, columns, rows).sortable();
    if table.rows.is_empty() {
        return Ok(String::new());
    }
    pages.table(&table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_band_has_its_letters() {
        let letters = [0, 25, 26, 27, 701, 702].map(letter);
        assert_eq!(letters, ["a", "z", "aa", "ab", "zz", "aaa"]);
    }
}
