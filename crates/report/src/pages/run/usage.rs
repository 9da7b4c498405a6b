//! Time and memory that players used, with their limits.

use std::collections::BTreeMap;

use minijinja::Error;

use crate::clock::Measure;
use crate::game::Seat;
use crate::pages::context::RunContext;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::runs::{GameRow, Run};
use crate::units::micros;

/// Time and memory of a player, by the name of the game.
#[derive(Debug, Default)]
pub struct PlayerUsage(BTreeMap<&'static str, Usage>);

/// Time and memory of a player in the games of one kind.
#[derive(Debug)]
pub struct Usage {
    measure: Measure,
    /// Time per game in microseconds, by that measure.
    time: Amounts,
    /// Peak memory per game in KiB.
    memory: Amounts,
}

#[derive(Debug, Default)]
struct Amounts {
    limit: Option<u64>,
    games: u64,
    sum: f64,
    most: u64,
    most_in: u64,
    most_in_logged: bool,
}

impl PlayerUsage {
    pub fn add(&mut self, run: &Run, row: &GameRow, seat: Seat) {
        let name = row.players[seat].as_str();
        let game = row.game.label();
        let usage = self.0.entry(game).or_insert_with(|| Usage::new(run, name));
        let logged = run.keeps_log(row);
        let spent = row.end.spent[seat];
        let time = match usage.measure {
            Measure::Cpu => spent.cpu,
            Measure::Wall => spent.wall,
        };
        usage.time.add(micros(time), row.id, logged);
        if let Some(kib) = row.peak_kib[seat] {
            usage.memory.add(kib, row.id, logged);
        }
    }

    pub fn in_game(&self, game: &str) -> Option<&Usage> {
        self.0.get(game)
    }
}

impl Usage {
    /// Nothing used yet, and the limits of a player.
    fn new(run: &Run, name: &str) -> Self {
        let manifest = run.manifest();
        let memory = manifest.limits_of(name).memory;
        let limited = |limit| Amounts {
            limit,
            ..Amounts::default()
        };
        let clock = manifest.time_of(name);
        Self {
            measure: clock.measure,
            time: limited(clock.whole_game().map(micros)),
            memory: limited(memory.map(|bytes| bytes / 1024)),
        }
    }
}

impl Amounts {
    fn add(&mut self, amount: u64, id: u64, logged: bool) {
        if self.games == 0 || amount > self.most {
            (self.most, self.most_in, self.most_in_logged) = (amount, id, logged);
        }
        self.games += 1;
        self.sum += amount as f64;
    }

    fn mean(&self) -> f64 {
        self.sum / self.games.max(1) as f64
    }
}

/// Tables of the time and the memory that these players used in games of one kind, as HTML.
pub fn usage_tables(
    pages: &RunContext<'_>,
    game: &str,
    players: &[(&str, &Usage)],
) -> Result<Vec<String>, Error> {
    let time = if players.iter().all(|(_, it)| it.measure == Measure::Cpu) {
        "processor time"
    } else {
        "time"
    };
    let times = players.iter().map(|(name, usage)| (*name, &usage.time));
    let times: Vec<_> = times.collect();
    let caption = format!("{game}: {time} per game");
    let mut times_table = table(pages, caption, &times, &shown_time);
    // Only times are worth adding up.
    times_table.columns.push(ColumnView::number("all games"));
    for (row, (_, time)) in times_table.rows.iter_mut().zip(&times) {
        row.push(CellView::text(&shown_time(time.sum)));
    }
    let mut tables = vec![pages.table(&times_table)?];
    let memory = players.iter().map(|(name, usage)| (*name, &usage.memory));
    let memory: Vec<_> = memory.filter(|(_, it)| it.games > 0).collect();
    if !memory.is_empty() {
        let caption = format!("{game}: peak memory per game");
        tables.push(pages.table(&table(pages, caption, &memory, &mebibytes))?);
    }
    Ok(tables)
}

fn table(
    pages: &RunContext<'_>,
    caption: String,
    players: &[(&str, &Amounts)],
    shown: &dyn Fn(f64) -> String,
) -> TableView {
    let rows = players.iter().map(|(name, amounts)| {
        let amount = |value: f64| CellView::text(&shown(value));
        vec![
            pages.player(name),
            amount(amounts.mean()),
            amount(amounts.most as f64),
            pages.game(amounts.most_in, None, amounts.most_in_logged),
            match amounts.limit {
                Some(limit) => amount(limit as f64),
                None => CellView::text("none"),
            },
        ]
    });
    let mut columns = vec![ColumnView::name("player")];
    columns.extend(["mean", "most", "in game", "limit"].map(ColumnView::number));
    TableView::new(caption, columns, rows).sortable()
}

fn mebibytes(kib: f64) -> String {
    format!("{:.1} MiB", kib / 1024.0)
}

/// A time with at least three digits, such as `1.23 ms`.
fn shown_time(micros: f64) -> String {
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
