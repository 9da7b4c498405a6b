//! What a person sees at the end of a run.

use std::fmt::Write;

use super::table::{Align, Table};
use super::{Results, ranking, rounded};
use crate::rating::{Standings, Tally};

/// The greatest number of players whose crosstable is shown; a larger one fits no terminal.
const WIDEST_CROSSTABLE: usize = 10;

/// Ratings and crosstable of each game, and how the games ended.
pub fn summary(results: &Results) -> String {
    let mut text = String::new();
    for (game, standings) in results.games() {
        let games: u64 = standings.pairings().map(|(_, tally)| tally.games()).sum();
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{game}: {}\n", counted(games, "game"));
        text.push_str(&ratings(standings));
        if (2..=WIDEST_CROSSTABLE).contains(&standings.lines().len()) {
            text.push('\n');
            text.push_str(&crosstable(standings));
        }
        text.push('\n');
    }
    if results.terminations().is_empty() {
        return "no games\n".to_owned();
    }
    let ends: Vec<String> = results
        .terminations()
        .iter()
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    let _ = writeln!(text, "ended by: {}", ends.join(", "));
    text.push_str(
        "Elo is relative to the mean of the players of a game; ± spans the 95 % interval.\n",
    );
    text
}

fn ratings(standings: &Standings) -> String {
    let mut table = Table::new([
        ("#", Align::Right),
        ("player", Align::Left),
        ("Elo", Align::Right),
        ("±", Align::Right),
        ("games", Align::Right),
        ("points", Align::Right),
        ("score", Align::Right),
        ("won", Align::Right),
        ("drawn", Align::Right),
        ("lost", Align::Right),
        ("forfeits", Align::Right),
    ]);
    for (rank, (player, estimate)) in ranking(standings).into_iter().enumerate() {
        let line = &standings.lines()[player];
        let tally = line.tally;
        table.row(vec![
            (rank + 1).to_string(),
            line.name.clone(),
            format!("{:+.0}", rounded(estimate.elo, 0)),
            format!("{:.0}", estimate.margin),
            tally.games().to_string(),
            points(tally.points()),
            percent(tally),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            line.forfeits.to_string(),
        ]);
    }
    table.render()
}

fn crosstable(standings: &Standings) -> String {
    let order: Vec<usize> = ranking(standings)
        .into_iter()
        .map(|(player, _)| player)
        .collect();
    let name = |player: usize| standings.lines()[player].name.as_str();
    let head = [("points against", Align::Left)]
        .into_iter()
        .chain(order.iter().map(|player| (name(*player), Align::Right)));
    let mut table = Table::new(head);
    for player in &order {
        let mut cells = vec![name(*player).to_owned()];
        cells.extend(order.iter().map(|other| {
            let tally = standings.against(*player, *other);
            match tally.games() {
                0 => "-".to_owned(),
                games => format!("{}/{games}", points(tally.points())),
            }
        }));
        table.row(cells);
    }
    table.render()
}

/// Points without needless decimals: `12`, `12.5`.
fn points(points: f64) -> String {
    format!("{points}")
}

fn percent(tally: Tally) -> String {
    match tally.games() {
        0 => "-".to_owned(),
        games => format!("{:.1} %", 100.0 * tally.points() / games as f64),
    }
}

/// `1 game`, `2 games`.
fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}
