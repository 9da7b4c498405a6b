//! Time and memory of all players.

use minijinja::Error;

use super::charts::{BAR, BAR_AT, NAME_AT, ROW};
use super::gather::{Amounts, Gathered, Usage};
use super::run_pages::RunPages;
use super::svg::{AXIS, Axis, Chart, Shape, round};
use super::tables::{CellView, ColumnView, TableView};
use super::times::shown_time;
use crate::clock::Measure;
use crate::report::shortened;
use crate::results::Rated;

/// Maximum display width of a name in a chart: on a phone, two times stand beside it.
const NAME: usize = 18;

/// A limit is drawn on the axis if it is at most this multiple of the largest amount.
const NEAR: f64 = 4.0;

/// Name of a player, and its amounts.
type Used<'a> = (&'a str, &'a Amounts);

/// Kind of an amount, with its formatting.
struct Kind {
    title: &'static str,
    /// Amount per unit of the scale, so that the ticks are round numbers.
    unit: f64,
    shown: fn(f64) -> String,
    /// Formats a value of the scale.
    tick: fn(f64) -> String,
    /// Whether the sum over all games is meaningful.
    adds_up: bool,
}

/// The charts of time and memory of one kind of game, as HTML.
pub(super) fn used(
    pages: &RunPages<'_>,
    gathered: &Gathered,
    one: &Rated<'_>,
) -> Result<Vec<String>, Error> {
    let players = one.order.iter().filter_map(|player| {
        let name = one.name(*player);
        let usage = gathered.players.get(pages.index_of(name)?)?;
        Some((name, usage.usage.get(one.game)?))
    });
    let players: Vec<(&str, &Usage)> = players.collect();
    let time = Kind {
        title: if players.iter().all(|(_, it)| it.measure == Measure::Cpu) {
            "processor time"
        } else {
            "time"
        },
        unit: 1.0,
        shown: shown_time,
        tick: shown_time,
        adds_up: true,
    };
    let times = players.iter().map(|(name, usage)| (*name, &usage.time));
    let memory = players.iter().map(|(name, usage)| (*name, &usage.memory));
    let memory: Vec<Used<'_>> = memory.filter(|(_, it)| it.games > 0).collect();
    let mut charts = vec![chart(pages, one, &time, &times.collect::<Vec<_>>())?];
    if !memory.is_empty() {
        let peak = Kind {
            title: "peak memory",
            unit: 1024.0,
            shown: mebibytes,
            tick: |value| format!("{} MiB", round(value)),
            adds_up: false,
        };
        charts.push(chart(pages, one, &peak, &memory)?);
    }
    Ok(charts)
}

/// KiB as MiB.
pub(super) fn mebibytes(kib: f64) -> String {
    format!("{:.1} MiB", kib / 1024.0)
}

fn chart(
    pages: &RunPages<'_>,
    one: &Rated<'_>,
    kind: &Kind,
    used: &[Used<'_>],
) -> Result<String, Error> {
    let shown = kind.shown;
    let most = used.iter().map(|(_, it)| it.most).max().unwrap_or(0) as f64;
    let limits = used.iter().filter_map(|(_, it)| it.limit);
    let near = |limit: &u64| *limit as f64 <= NEAR * most;
    let end = limits.clone().filter(near).map(|limit| limit as f64);
    let axis = Axis::new(0.0, end.fold(most, f64::max) / kind.unit, 3);
    let across = |amount: f64| axis.place(amount / kind.unit);
    let is_far = limits.clone().any(|limit| !near(&limit));
    let has_near = limits.clone().any(|limit| near(&limit));
    let bottom = AXIS + ROW * used.len() as f64 + 8.0;
    let mut chart = Chart {
        title: format!("{}: {} per game", one.game, kind.title),
        description: format!(
            "{}{} of each player: the mean of its games, and the most in one.{}",
            kind.title[..1].to_uppercase(),
            &kind.title[1..],
            match (limits.count(), is_far) {
                (0, _) => " There is no limit.",
                (_, true) =>
                    " Limits that are far beyond are not on the scale; the numbers have them.",
                _ => "",
            }
        ),
        height: bottom,
        ..Chart::default()
    };
    for (class, words) in [("mean", "mean"), ("most", "most in a game")] {
        chart.legend.push((class, words.to_owned()));
    }
    if has_near {
        chart.legend.push(("limit", "limit".to_owned()));
    }
    chart.axis(&axis, 14.0, bottom, &kind.tick);
    for (place, (name, amounts)) in used.iter().enumerate() {
        let top = AXIS + ROW * place as f64;
        let name = shortened(&pages.names.shown(name), NAME);
        chart.text("start", 0.0, top + NAME_AT, name);
        let (mean, most) = (amounts.mean(), amounts.most as f64);
        let says = format!("{}, most {}", shown(mean), shown(most));
        chart.text("end quiet", 100.0, top + NAME_AT, says.clone());
        let start = across(0.0);
        for (class, value) in [("most", most), ("mean", mean)] {
            chart.shapes.push(Shape::Bar {
                class,
                x: start,
                y: top + BAR_AT,
                width: round(across(value) - start),
                height: BAR,
                says: says.clone(),
            });
        }
        if let Some(limit) = amounts.limit.filter(near) {
            let x = across(limit as f64);
            chart.line(
                "limit",
                [x, x],
                [top + BAR_AT - 3.0, top + BAR_AT + BAR + 3.0],
            );
        }
    }
    let numbers = table(pages, &chart.title, kind, used);
    pages.chart(&chart, &numbers)
}

fn table(pages: &RunPages<'_>, caption: &str, kind: &Kind, used: &[Used<'_>]) -> TableView {
    let rows = used.iter().map(|(name, amounts)| {
        let amount = |value: f64| CellView::text(&(kind.shown)(value));
        let mut row = vec![
            pages.player(name),
            amount(amounts.mean()),
            amount(amounts.most as f64),
            pages.game(amounts.most_in, None, amounts.most_in_logged),
        ];
        row.push(match amounts.limit {
            Some(limit) => amount(limit as f64),
            None => CellView::text("none"),
        });
        if kind.adds_up {
            row.push(amount(amounts.sum));
        }
        row
    });
    let mut titles = vec!["mean", "most", "in game", "limit"];
    if kind.adds_up {
        titles.push("all games");
    }
    let mut columns = vec![ColumnView::name("player")];
    columns.extend(titles.into_iter().map(ColumnView::number));
    TableView {
        caption: caption.to_owned(),
        columns,
        rows: rows.collect(),
    }
}
