//! Means of the searches that engines reported, beside each other.

use std::time::Duration;

use crate::report::table::{Cell, Column, ReportTable};
use crate::runs::{LoggedAction, Run, RunFileError};

/// Upper bound on the games whose logs are read. Of more, as many are, evenly spread.
const MOST_GAMES: u64 = 100;

/// The moves of a player in a game by phases: names, and the last move of each.
const PHASES: [(&str, usize); 4] = [
    ("all", usize::MAX),
    ("1-20", 20),
    ("21-40", 40),
    ("41-", usize::MAX),
];

#[derive(Debug, Default, Clone)]
struct Searches {
    moves: u64,
    time: Duration,
    depth: [f64; 2],
    nodes: [f64; 2],
    /// Nodes of moves with a reported time, and these times in milliseconds.
    speed: [f64; 2],
}

impl Searches {
    fn add(&mut self, logged: &LoggedAction) {
        self.moves += 1;
        self.time += logged.spent.map_or(Duration::ZERO, |spent| spent.wall);
        let [depth, nodes, time] = ["depth", "nodes", "time"].map(|name| logged.values.get(name));
        let mut add = |sums: fn(&mut Self) -> &mut [f64; 2], values: Option<[f64; 2]>| {
            let sums = sums(self);
            for (sum, value) in sums.iter_mut().zip(values.unwrap_or_default()) {
                *sum += value;
            }
        };
        add(|it| &mut it.depth, depth.map(|depth| [depth, 1.0]));
        add(|it| &mut it.nodes, nodes.map(|nodes| [nodes, 1.0]));
        let speed = nodes.zip(time.filter(|time| *time > 0.0));
        add(|it| &mut it.speed, speed.map(|(nodes, time)| [nodes, time]));
    }

    fn row(&self, phase: &str, player: &str) -> Vec<Cell> {
        let mean = |[sum, count]: [f64; 2], decimals: usize| match count > 0.0 {
            true => Cell::Real(sum / count, Some(decimals)),
            false => Cell::Missing,
        };
        let [nodes, millis] = self.speed;
        vec![
            Cell::text(phase),
            Cell::text(player),
            Cell::Count(self.moves),
            mean(self.depth, 1),
            mean(self.nodes, 0),
            mean([nodes * 1000.0, millis], 0),
            mean([self.time.as_secs_f64(), self.moves as f64], 4),
        ]
    }
}

/// Means over the moves of players in games of one kind, by phase; `None` if nobody reported a depth or nodes.
pub fn searches(run: &Run, game: &str) -> Result<Option<ReportTable>, RunFileError> {
    let names = run.player_names();
    let mut sums = vec![vec![Searches::default(); names.len()]; PHASES.len()];
    let step = run.rows_about()?.div_ceil(MOST_GAMES).max(1);
    let (mut count, mut result) = (0, Ok(()));
    run.rows_in_order(&mut |row| {
        if result.is_err() || row.game.label() != game || !run.keeps_log(row) {
            return;
        }
        count += 1;
        if (count - 1) % step != 0 {
            return;
        }
        let recording = match run.recording_of(row.clone()) {
            Ok(recording) => recording,
            Err(error) => return result = Err(error),
        };
        for (index, ply) in recording.plies.iter().enumerate() {
            for (seat, logged) in ply.actions().filter(|(_, it)| it.spent.is_some()) {
                let number = index / row.players.count() + 1;
                let player = names.iter().position(|name| *name == row.names()[seat]);
                let phase = PHASES[1..].iter().position(|(_, last)| number <= *last);
                if let Some((player, phase)) = player.zip(phase) {
                    sums[0][player].add(logged);
                    sums[phase + 1][player].add(logged);
                }
            }
        }
    })?;
    result?;
    let is_reported = |it: &Searches| it.depth[1] + it.nodes[1] > 0.0;
    if !sums[0].iter().any(is_reported) {
        return Ok(None);
    }
    let rows = PHASES.iter().zip(&sums).flat_map(|((phase, _), sums)| {
        let known = names.iter().zip(sums).filter(|(_, it)| it.moves > 0);
        known.map(|(player, sums)| sums.row(phase, player))
    });
    Ok(Some(ReportTable {
        name: "searches",
        columns: vec![
            Column::text("phase", "move"),
            Column::text("player", "player"),
            Column::number("moves", "moves").rank(1),
            Column::number("depth", "depth"),
            Column::number("nodes", "nodes"),
            Column::number("nps", "nodes/s"),
            Column::number("time", "s/move"),
        ],
        rows: rows.collect(),
    }))
}
