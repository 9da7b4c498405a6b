//! Elo with its interval over the games of a run.

use crate::pages::parts::lines::{LINES, Line, Point, Setting, lines_chart};
use crate::pages::parts::svg::Chart;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::report::{Cell, shortened};
use crate::results::{Rated, ResultRow, Results, Settings};
use crate::runs::GameRow;

/// Number of points of a match of two, and of the ratings of more players, which are fitted anew at each.
const OF_A_MATCH: u64 = 60;
const OF_RATINGS: u64 = 40;

/// Upper bound on the games of a run whose ratings are fitted more than once, each counted once for each opponent of a seat.
const FITTED: u64 = 50_000;

/// Upper bound on the players whose intervals are drawn: more would hide each other.
const WITH_INTERVALS: usize = 4;

/// Maximum display width of a name in the legend.
const NAME: usize = 28;

#[derive(Debug)]
pub struct EloHistory {
    /// The players, best first; of a match, the one that [`Rated::match_of_two`] names first.
    players: Vec<String>,
    lines: Vec<Vec<Point>>,
    opponent: Option<String>,
    results: Results,
    games: u64,
    /// Number of games at the last point.
    drawn: u64,
    all: u64,
    points: u64,
}

impl EloHistory {
    /// No games yet of those in `one`; `None` if there are too many players or games, or forfeits alone.
    pub fn new(one: &Rated<'_>) -> Option<Self> {
        if one.all_forfeited() {
            return None;
        }
        if let Some(([player, other], _)) = one.match_of_two() {
            let opponent = Some(one.name(other).to_owned());
            return Self::of(one, &[player], opponent, OF_A_MATCH);
        }
        let players = &one.order;
        let work = one.games() * (one.most_seats() as u64 - 1);
        let few = players.len() <= LINES && work <= FITTED;
        few.then(|| Self::of(one, players, None, OF_RATINGS))
            .flatten()
    }

    fn of(
        one: &Rated<'_>,
        players: &[usize],
        opponent: Option<String>,
        points: u64,
    ) -> Option<Self> {
        let (all, players) = (one.games(), players.iter());
        let players = players.map(|player| one.name(*player).to_owned());
        (all > 0).then(|| Self {
            lines: vec![Vec::new(); players.len()],
            players: players.collect(),
            opponent,
            results: Results::default(),
            games: 0,
            drawn: 0,
            all,
            points: points.min(all),
        })
    }

    pub fn add(&mut self, row: &GameRow, settings: &Settings) {
        let is_match = self.opponent.is_some();
        let row = ResultRow::from(row);
        // The score of a match does not depend on openings. Without them, equal pairs are counted.
        let opening = if is_match { "" } else { row.opening };
        self.results.add(&ResultRow { opening, ..row });
        self.games += 1;
        // The games are in equal parts, as many as points, and each part's last game has one.
        let part = |games: u64| games * self.points / self.all;
        let is_half_pair = is_match && self.games % 2 == 1 && self.games < self.all;
        if part(self.games) == part(self.drawn) || is_half_pair {
            return;
        }
        self.drawn = self.games;
        let games = self.games as f64;
        for one in self.results.clone().rate(settings) {
            for (player, line) in self.players.iter().zip(&mut self.lines) {
                let found = match is_match {
                    true => one.games_of(player).and_then(|games| games.elo()),
                    false => one.find(player).map(|player| one.interval(player)),
                };
                line.extend(found.map(|[low, value, high]| Point {
                    games,
                    value,
                    ends: Some([low, high]),
                }));
            }
        }
    }

    /// The lines as a chart, with the numbers; `None` if there is nothing to see.
    pub fn chart(&self, one: &Rated<'_>) -> Option<(Chart, TableView)> {
        let first = self.lines.iter().flatten().next()?;
        if first.games >= self.games as f64 || self.games < 3 {
            return None;
        }
        let shown = |name: &str| one.settings.display_names.shown(name);
        let draws_intervals = self.players.len() <= WITH_INTERVALS;
        let lines = self
            .players
            .iter()
            .zip(&self.lines)
            .map(|(name, points)| Line {
                name: shortened(&shown(name), NAME),
                points: points
                    .iter()
                    .map(|point| Point {
                        ends: point.ends.filter(|_| draws_intervals),
                        ..*point
                    })
                    .collect(),
                is_limit: false,
            });
        let setting = Setting {
            games: self.games,
            included: &[0.0],
            words: &|elo| Cell::Elo(elo).shown(),
            unit: "games",
            title: "Elo",
        };
        let game = one.game.as_str();
        let title = match self.opponent {
            Some(_) => format!("{game}: Elo of {} over the games", shown(&self.players[0])),
            None => format!("{game}: Elo over the games"),
        };
        let chart = Chart {
            name: format!("{game} elo over games"),
            description: self.description(&shown, draws_intervals, one.corrected().is_some()),
            title,
            ..lines_chart(&lines.collect::<Vec<_>>(), &setting)
        };
        Some((chart, self.numbers(game, &shown)))
    }

    fn description(
        &self,
        shown: &dyn Fn(&str) -> String,
        draws_intervals: bool,
        corrected: bool,
    ) -> String {
        let lines = match &self.opponent {
            Some(opponent) => format!(
                "How much stronger {} is than {} by the score so far, as in match.csv.",
                shown(&self.players[0]),
                shown(opponent)
            ),
            None => "The ratings of the games so far, in the order of their numbers.".to_owned(),
        };
        let intervals = match draws_intervals {
            true => " The areas are 95 % intervals.",
            false => " The numbers have the 95 % intervals.",
        };
        let ended = match corrected {
            true => {
                " It is as if the number of games had been fixed in advance; the test above has the corrected difference."
            }
            false => "",
        };
        format!("{lines}{intervals}{ended}")
    }

    fn numbers(&self, game: &str, shown: &dyn Fn(&str) -> String) -> TableView {
        let mut rows = Vec::new();
        for (name, points) in self.players.iter().zip(&self.lines) {
            for point in points {
                let elo = |elo: f64| match elo.is_finite() {
                    true => CellView::text(&Cell::Elo(elo).plain()),
                    false => CellView::text(&Cell::Elo(elo).shown()),
                };
                let [low, high] = point.ends.unwrap_or([point.value; 2]);
                rows.push(vec![
                    CellView::text(&shown(name)).heading(),
                    CellView::text(&format!("{:.0}", point.games)),
                    elo(low),
                    elo(point.value),
                    elo(high),
                ]);
            }
        }
        let mut columns = vec![ColumnView::name("player")];
        columns.extend(["games", "low", "Elo", "high"].map(ColumnView::number));
        TableView::new(format!("{game}: Elo after these games"), columns, rows)
    }
}
