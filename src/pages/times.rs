//! Quantiles of the time of a ply by ply number, from the logs. Memory grows with the players, not with
//! the games.

use std::collections::{BTreeMap, HashMap};

use minijinja::Error;

use super::charts::class_width;
use super::gather::Gathered;
use super::histogram::Histogram;
use super::plot::{Plot, Series};
use super::run_pages::RunPages;
use super::svg::Axis;
use super::tables::{CellView, ColumnView, TableView};
use crate::clock::Measure;
use crate::game::{Blame, Seat};
use crate::runs::{GameRow, Recording};
use crate::text::counted;
use crate::units::micros;

/// Upper bound on the classes of ply numbers.
const PLY_CLASSES: u32 = 60;

/// Quantiles: share, label of the line, and words of the legend.
const QUANTILES: [(f64, &str, &str); 3] = [
    (0.99, "99", "99: 99 % of the plies took at most this"),
    (0.9, "90", "90: 90 %"),
    (0.5, "50", "50: half"),
];

/// The times of the plies of a run, by the kind of game.
pub(super) struct Times<'a> {
    players: HashMap<&'a str, usize>,
    games: BTreeMap<&'static str, GameTimes>,
}

/// The times of one kind of game.
struct GameTimes {
    /// Number of plies in a class.
    width: u32,
    /// Number of games added.
    games: u64,
    /// The players of the manifest, in its order.
    players: Vec<PlyTimes>,
}

/// Times by the number of the ply.
#[derive(Default)]
struct PlyTimes {
    classes: Vec<Histogram>,
    games: u64,
    terms: Option<Terms>,
}

/// Measure of a clock, and its limit per move in microseconds.
#[derive(PartialEq, Clone, Copy)]
struct Terms {
    measure: Measure,
    per_move: Option<u64>,
}

/// Plies that players chose, without the opening: ply number, seat, and microseconds by the seat's clock.
pub(super) struct PliesOfGame {
    terms: [Terms; 2],
    plies: Vec<(u32, Seat, u64)>,
}

impl PliesOfGame {
    pub fn new(recording: &Recording) -> Self {
        let terms = recording
            .times
            .each_ref()
            .map(|control| Terms {
                measure: control.measure,
                per_move: control.per_move.map(micros),
            })
            .into_array();
        let plies = recording.plies.iter().zip(0..);
        let chosen = plies.filter_map(|(ply, number)| {
            let spent = ply.spent?;
            let time = match terms[ply.seat.index()].measure {
                Measure::Cpu => spent.cpu,
                Measure::Wall => spent.wall,
            };
            Some((number, ply.seat, micros(time)))
        });
        let mut plies: Vec<_> = chosen.collect();
        plies.extend(action_that_failed(recording, &terms));
        Self { plies, terms }
    }
}

/// Time of the action that lost the game by a fault. It is no ply, so its time is the game's total minus
/// the times of the plies.
fn action_that_failed(recording: &Recording, terms: &[Terms; 2]) -> Option<(u32, Seat, u64)> {
    let Blame::Of(seat) = recording.row.end.blame() else {
        return None;
    };
    let time = |wall, cpu| match terms[seat.index()].measure {
        Measure::Cpu => micros(cpu),
        Measure::Wall => micros(wall),
    };
    let own = recording.plies.iter().filter(|ply| ply.seat == seat);
    let spent = own.filter_map(|ply| ply.spent);
    let answered: u64 = spent.map(|spent| time(spent.wall, spent.cpu)).sum();
    let all = recording.row.end.spent[seat];
    let all = time(all.wall, all.cpu);
    // Times are rounded to microseconds, so a difference of up to one per ply is no action.
    let last = all.checked_sub(answered + recording.plies.len() as u64 + 1)?;
    Some((recording.plies.len() as u32, seat, last)).filter(|(_, _, time)| *time > 0)
}

impl<'a> Times<'a> {
    /// Empty times. The lengths in `gathered` set the width of the classes.
    pub fn new(players: HashMap<&'a str, usize>, gathered: &Gathered) -> Self {
        let games = gathered.lengths.iter().map(|(game, lengths)| {
            let longest = lengths.last_key_value().map_or(1, |(plies, _)| *plies);
            let mut times = GameTimes {
                width: class_width(longest.saturating_sub(1), PLY_CLASSES),
                games: 0,
                players: Vec::new(),
            };
            times.players.resize_with(players.len(), PlyTimes::default);
            (*game, times)
        });
        Self {
            games: games.collect(),
            players,
        }
    }

    /// Adds the plies of a game.
    pub fn add(&mut self, row: &GameRow, game: &PliesOfGame) {
        let Some(times) = self.games.get_mut(row.game.name()) else {
            return;
        };
        times.games += 1;
        let players = row.names().map(|name| self.players.get(name));
        for (player, terms) in players.into_iter().zip(game.terms) {
            if let Some(player) = player {
                let own = &mut times.players[*player];
                own.games += 1;
                own.terms = Some(terms);
            }
        }
        for (number, seat, micros) in &game.plies {
            let Some(player) = players[seat.index()] else {
                continue;
            };
            let class = (number / times.width) as usize;
            // A run in play may have a longer game by now.
            if class < 2 * PLY_CLASSES as usize {
                times.players[*player].add(class, *micros);
            }
        }
    }

    /// The times of all players in one kind of game, as HTML; empty without a log.
    pub fn of_all(&self, pages: &RunPages<'_>, game: &str, played: u64) -> Result<String, Error> {
        let Some(times) = self.games.get(game) else {
            return Ok(String::new());
        };
        let mut all = PlyTimes {
            games: times.games,
            ..PlyTimes::default()
        };
        let mut terms: Vec<Terms> = Vec::new();
        for own in &times.players {
            all.merge(own);
            terms.extend(own.terms.filter(|it| !terms.contains(it)));
        }
        times.chart(pages, &all, &terms, game, played)
    }

    /// The times of one player, as HTML; empty without a log.
    pub fn of_one(
        &self,
        pages: &RunPages<'_>,
        game: &str,
        name: &str,
        played: u64,
    ) -> Result<String, Error> {
        let (Some(times), Some(player)) = (self.games.get(game), self.players.get(name)) else {
            return Ok(String::new());
        };
        let own = &times.players[*player];
        times.chart(pages, own, own.terms.as_slice(), game, played)
    }
}

impl PlyTimes {
    fn add(&mut self, class: usize, micros: u64) {
        if self.classes.len() <= class {
            self.classes.resize_with(class + 1, Histogram::default);
        }
        self.classes[class].add(micros);
    }

    fn merge(&mut self, other: &Self) {
        if self.classes.len() < other.classes.len() {
            let classes = other.classes.len();
            self.classes.resize_with(classes, Histogram::default);
        }
        for (class, more) in self.classes.iter_mut().zip(&other.classes) {
            class.merge(more);
        }
    }
}

impl GameTimes {
    fn chart(
        &self,
        pages: &RunPages<'_>,
        times: &PlyTimes,
        terms: &[Terms],
        game: &str,
        played: u64,
    ) -> Result<String, Error> {
        let used = times.classes.iter().zip(0_u32..);
        let used: Vec<(&Histogram, u32)> = used.filter(|(it, _)| it.count > 0).collect();
        if used.is_empty() {
            return Ok(String::new());
        }
        let limits = || terms.iter().map(|it| it.per_move);
        let limit = limits().next().flatten();
        let limit = limit.filter(|limit| limits().all(|it| it == Some(*limit)));
        let limit = limit.map(|limit| limit as f64);
        // The axis is logarithmic. Times below a microsecond count as one.
        let log = |micros: f64| micros.max(1.0).log10();
        let line = |of: &dyn Fn(&Histogram) -> f64| {
            let points = used.iter().map(|(class, number)| {
                let middle = (f64::from(*number) + 0.5) * f64::from(self.width) + 0.5;
                (middle, log(of(class)))
            });
            points.collect::<Vec<_>>()
        };
        let mut lines = vec![Series {
            label: "max".to_owned(),
            words: "max: the longest".to_owned(),
            points: line(&|class| class.most as f64),
        }];
        lines.extend(QUANTILES.iter().map(|(share, label, words)| Series {
            label: (*label).to_owned(),
            words: (*words).to_owned(),
            points: line(&|class| class.quantile(*share)),
        }));
        let values = lines.iter().flat_map(|line| &line.points).map(|(_, y)| *y);
        let values: Vec<f64> = values.chain(limit.map(log)).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min).floor();
        let high = values.iter().copied().fold(low + 1.0, f64::max).ceil();
        let last = used.last().map_or(0, |(_, number)| *number) + 1;
        let end = f64::from(last) * f64::from(self.width);
        let plot = Plot {
            x: Axis::new(0.0, end, end.clamp(1.0, 4.0) as u32),
            // Ticks at powers of ten.
            y: Axis::new(low, high, (high - low).clamp(1.0, 9.0) as u32),
        };
        let labels: [&dyn Fn(f64) -> String; 2] = [&|ply| format!("{ply:.0}"), &|power| {
            shown_time(10_f64.powf(power))
        }];
        let mut chart = plot.chart(labels, ["number of the ply", "time of a ply"]);
        if let Some(limit) = limit {
            let y = plot.down(log(limit));
            chart.line("limit", [plot.across(0.0), plot.across(end)], [y, y]);
        }
        plot.draw(&mut chart, lines);
        if limit.is_some() {
            chart
                .legend
                .push(("limit", "the limit of a move".to_owned()));
        }
        chart.title = format!("{game}: time by the number of the ply");
        chart.description = format!(
            "{} of a ply, in {} with a log, of {}. The scale is logarithmic.{}",
            measures(terms),
            counted(times.games, "game", "games"),
            played,
            if limit.is_none() && limits().any(|it| it.is_some()) {
                " The limits of a move differ by player, and are on the players' pages."
            } else {
                ""
            }
        );
        pages.chart(&chart, &self.table(&chart.title, &used))
    }

    fn table(&self, caption: &str, used: &[(&Histogram, u32)]) -> TableView {
        let rows = used.iter().map(|(class, number)| {
            let width = u64::from(self.width);
            let from = u64::from(*number) * width + 1;
            let to = from + width - 1;
            let plies = if from == to {
                from.to_string()
            } else {
                format!("{from} to {to}")
            };
            let mut row = vec![
                CellView::text(&plies).heading(),
                CellView::count(class.count),
            ];
            let quantiles = QUANTILES.iter().rev();
            let quantiles = quantiles.map(|(share, ..)| class.quantile(*share));
            let times = quantiles.chain([class.most as f64]);
            row.extend(times.map(|time| CellView::text(&shown_time(time))));
            row
        });
        let titles = ["ply", "plies", "50 %", "90 %", "99 %", "longest"];
        TableView {
            caption: format!("{caption}; what is not the longest is within 5 %"),
            columns: titles.map(ColumnView::number).into(),
            rows: rows.collect(),
        }
    }
}

/// Measure of the times, as the start of a sentence.
fn measures(terms: &[Terms]) -> &'static str {
    let all = |measure| terms.iter().all(|it| it.measure == measure);
    match (all(Measure::Cpu), all(Measure::Wall)) {
        (true, _) => "Processor time",
        (_, true) => "Time on the wall",
        _ => "Time, of each player that which its clock measures,",
    }
}

/// A time with three digits, at least: `1.23 ms`.
pub(super) fn shown_time(micros: f64) -> String {
    let (value, unit) = match micros {
        0.0..1e3 => (micros, "µs"),
        1e3..1e6 => (micros / 1e3, "ms"),
        _ => (micros / 1e6, "s"),
    };
    match value {
        0.0..10.0 => format!("{} {unit}", (value * 100.0).round() / 100.0),
        10.0..100.0 => format!("{} {unit}", (value * 10.0).round() / 10.0),
        _ => format!("{value:.0} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        for (micros, shown) in [
            (0.0, "0 µs"),
            (1.0, "1 µs"),
            (12.34, "12.3 µs"),
            (999.0, "999 µs"),
            (1_234.0, "1.23 ms"),
            (10_000.0, "10 ms"),
            (123_456_789.0, "123 s"),
        ] {
            assert_eq!(shown_time(micros), shown);
        }
    }
}
