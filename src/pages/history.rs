//! Ratings over the games: at some points of a run, all games up to there are rated together.

use super::plot::{Plot, SERIES, Series};
use super::run_pages::RunPages;
use super::svg::{Axis, Chart};
use super::tables::{CellView, ColumnView, TableView};
use crate::rating::{RatedGame, Standings, elo_without_intervals};
use crate::report::{Cell, shortened};
use crate::results::Rated;
use crate::runs::GameRow;
use crate::text::counted;

/// Upper bound on the points of a line.
const POINTS: u64 = 60;

/// With more pairings a fit takes long, so lines have only [`FEW_POINTS`].
const MANY_MEETINGS: usize = 50_000;
const FEW_POINTS: u64 = 10;

/// Maximum display width of a name in the legend.
const NAME: usize = 28;

/// The ratings of all players after some of the games, for each kind of game.
pub(super) struct Histories<'a>(Vec<History<'a>>);

/// The ratings of the players of one kind of game.
pub(super) struct History<'a> {
    one: &'a Rated<'a>,
    /// The games so far.
    standings: Standings,
    games: u64,
    total: u64,
    points: Vec<Point>,
}

/// Ratings after a number of games; `None` for a player without a finished game.
struct Point {
    games: u64,
    elo: Vec<Option<f64>>,
}

impl<'a> Histories<'a> {
    /// Histories without games. Their last point will equal `rated`.
    pub fn new(rated: &'a [Rated<'a>]) -> Self {
        Self(rated.iter().map(History::new).collect())
    }

    /// Adds a game. Games come in the order of their numbers.
    pub fn add(&mut self, row: &GameRow) {
        let name = row.game.name();
        if let Some(history) = self.0.iter_mut().find(|it| it.one.game == name) {
            history.add(row);
        }
    }

    /// History of one kind of game.
    pub fn of(&self, game: &str) -> Option<&History<'a>> {
        self.0.iter().find(|history| history.one.game == game)
    }
}

impl<'a> History<'a> {
    fn new(one: &'a Rated<'a>) -> Self {
        let mut standings = Standings::default();
        // Both standings then have equal player indices.
        for player in one.standings.players() {
            standings.add_player(&player.name);
        }
        Self {
            one,
            standings,
            games: 0,
            total: one.standings.games(),
            points: Vec::new(),
        }
    }

    fn add(&mut self, row: &GameRow) {
        // A run in play may have more games by now.
        if self.games == self.total {
            return;
        }
        self.games += 1;
        self.standings.add(&RatedGame {
            names: row.names(),
            result: row.end.result,
            blame: row.end.blame(),
            pair: None,
            digest: None,
        });
        let points = if self.one.standings.meetings().len() > MANY_MEETINGS {
            FEW_POINTS
        } else {
            POINTS
        };
        let passed = |games: u64| games * points / self.total;
        if passed(self.games) > passed(self.games - 1) {
            self.add_point();
        }
    }

    fn add_point(&mut self) {
        let elo = if self.games == self.total {
            self.one.elo.clone()
        } else {
            let model = self.one.settings.model;
            elo_without_intervals(&self.standings, model, self.one.anchor)
        };
        let players = self.standings.players().iter();
        let has_played = players.map(|player| player.tally.games() > 0);
        let elo = elo.into_iter().zip(has_played);
        self.points.push(Point {
            games: self.games,
            elo: elo.map(|(elo, played)| played.then_some(elo)).collect(),
        });
    }

    /// The line of a player.
    fn line(&self, player: usize) -> Vec<(f64, f64)> {
        let points = self.points.iter();
        let played =
            points.filter_map(|point| Some((point.games, point.elo.get(player)?.as_ref()?)));
        played.map(|(games, elo)| (games as f64, *elo)).collect()
    }

    /// The best players, at most one per line style of a chart.
    fn best(&self) -> &[usize] {
        let order = &self.one.order;
        &order[..order.len().min(SERIES.len())]
    }

    /// The ratings of the best players over the games, as HTML.
    pub fn of_the_best(&self, pages: &RunPages<'_>) -> Result<String, minijinja::Error> {
        let best = self.best();
        let name = |player: &usize| pages.names.shown(self.one.name(*player));
        let lines = best
            .iter()
            .zip(1..)
            .map(|(player, rank): (_, usize)| Series {
                label: rank.to_string(),
                words: format!("{rank}. {}", shortened(&name(player), NAME)),
                points: self.line(*player),
            });
        let mut chart = self.chart(lines.collect(), None);
        chart.title = format!("{}: ratings over the games", self.one.game);
        chart.description = format!(
            "Each point is the Elo that all games up to there give together, in the order of their numbers; the \
             last ones are the ratings above. The first ones rest on few games.{}",
            match self.one.order.len() - best.len() {
                0 => String::new(),
                _ => format!(
                    " Of {} players, the best {} have a line here, and each has one on its page.",
                    self.one.order.len(),
                    best.len()
                ),
            }
        );
        let columns = best.iter().map(|player| ColumnView::number(&name(player)));
        let numbers = self.table(&chart.title, columns.collect(), best);
        pages.chart(&chart, &numbers)
    }

    /// The rating of one player over the games, as HTML.
    pub fn of_one(&self, pages: &RunPages<'_>, player: usize) -> Result<String, minijinja::Error> {
        let estimate = self.one.ratings.rating(player, self.one.anchor);
        let line = Series {
            label: String::new(),
            words: pages.names.shown(self.one.name(player)),
            points: self.line(player),
        };
        let mut chart = self.chart(vec![line], Some([estimate.low(), estimate.high()]));
        chart.title = format!("{}: its rating over the games", self.one.game);
        chart.description =
            "Each point is the Elo that all games of the run up to there give together, in the order of their \
             numbers. The upright line at the end is the 95 % interval of its rating."
                .to_owned();
        let numbers = self.table(&chart.title, vec![ColumnView::number("Elo")], &[player]);
        pages.chart(&chart, &numbers)
    }

    /// A chart with these lines, and with an interval at the end.
    fn chart(&self, lines: Vec<Series>, interval: Option<[f64; 2]>) -> Chart {
        let points = lines.iter().flat_map(|line| &line.points);
        let values = points.map(|(_, elo)| *elo);
        let interval = interval.filter(|ends| ends.iter().all(|end| end.is_finite()));
        let mut values: Vec<f64> = values.chain(interval.into_iter().flatten()).collect();
        // With a damaged journal no point may have been reached.
        if values.is_empty() {
            values.push(0.0);
        }
        let plot = Plot {
            x: Axis::new(0.0, self.total as f64, self.total.clamp(1, 4) as u32),
            y: Axis::new(
                values.iter().copied().fold(f64::INFINITY, f64::min),
                values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                4,
            ),
        };
        let labels: [&dyn Fn(f64) -> String; 2] = [&|games| format!("{games:.0}"), &|elo| {
            Cell::Elo(elo).shown()
        }];
        let games = format!("after so many games of {}", self.one.game);
        let mut chart = plot.chart(labels, [&games, "Elo"]);
        if let Some(ends) = interval {
            let x = plot.across(self.total as f64);
            chart.line("interval", [x, x], ends.map(|end| plot.down(end)));
        }
        plot.draw(&mut chart, lines);
        chart
    }

    /// The numbers of lines, with a column for each of the players.
    fn table(&self, caption: &str, columns: Vec<ColumnView>, players: &[usize]) -> TableView {
        let elo = |point: &Point, player: usize| point.elo.get(player).copied().flatten();
        let any = |point: &&Point| players.iter().any(|player| elo(point, *player).is_some());
        let rows = self.points.iter().filter(any).map(|point| {
            let cells = players.iter().map(|player| match elo(point, *player) {
                Some(elo) => CellView::text(&Cell::Elo(elo).plain()),
                None => CellView::default(),
            });
            let games = CellView::count(point.games).heading();
            std::iter::once(games).chain(cells).collect()
        });
        let mut all = vec![ColumnView::number("after games")];
        all.extend(columns);
        TableView {
            caption: format!("{caption}, {}", counted(self.total, "game", "games")),
            columns: all,
            rows: rows.collect(),
        }
    }
}
