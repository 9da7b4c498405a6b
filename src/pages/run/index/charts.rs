//! Charts of a game: endings, lengths, and the advantage of the first seat.

use std::collections::BTreeMap;

use crate::pages::parts::columns::{class_width, columns_chart};
use crate::pages::parts::svg::Chart;
use crate::rating::Tally;
use crate::report::Cell;
use crate::results::Rated;
use crate::text::counted;

/// Upper bound on the classes of game lengths.
const LENGTHS: u32 = 40;

/// Endings of a player's games: CSS class, words, and count. Forfeits count apart from other wins and losses.
pub fn ends(one: &Rated<'_>, player: usize) -> [(&'static str, &'static str, u64); 5] {
    let standing = &one.standings.players()[player];
    let Tally {
        wins,
        draws,
        losses,
    } = standing.tally;
    let (given, taken) = (standing.forfeits, standing.forfeit_wins);
    [
        ("won", "won", wins.saturating_sub(taken)),
        ("won-forfeit", "won, the opponent forfeited", taken),
        ("drawn", "drawn", draws),
        ("lost", "lost", losses.saturating_sub(given)),
        ("forfeited", "forfeited", given),
    ]
}

/// The words of some counts for a legend.
pub fn legend<'a>(
    counts: impl Iterator<Item = &'a (&'static str, &'static str, u64)>,
) -> Vec<(&'static str, String)> {
    let entry =
        |(class, words, _): &(&'static str, &'static str, u64)| (*class, (*words).to_owned());
    counts.map(entry).collect()
}

/// Counts as parts of a bar.
fn parts(counts: &[(&'static str, &'static str, u64)]) -> Vec<(&'static str, f64, String)> {
    let all: u64 = counts.iter().map(|(_, _, count)| count).sum();
    let parts = counts.iter().map(|(class, words, count)| {
        let share = *count as f64 / all.max(1) as f64;
        (*class, share, format!("{words}: {count}"))
    });
    parts.collect()
}

/// Results of the first seat: games won, drawn, lost, and forfeited by both.
pub fn first_seat(one: &Rated<'_>) -> [(&'static str, &'static str, u64); 4] {
    let mut sum = Tally::default();
    let mut both = 0;
    for meeting in one.standings.meetings() {
        let [first, second] = meeting.by_seat;
        sum = sum.plus(first).plus(second.reversed());
        both += meeting.forfeited_by_both;
    }
    [
        ("won", "won by the first seat", sum.wins),
        ("drawn", "drawn", sum.draws),
        ("lost", "won by the second seat", sum.losses),
        ("forfeited", "forfeited by both", both),
    ]
}

/// The results of the first seat as a bar.
pub fn seats(one: &Rated<'_>) -> Chart {
    let ends = first_seat(one);
    let mut chart = Chart {
        name: format!("{} seats", one.game),
        title: format!("{}: results of the first seat", one.game),
        description: format!("All games, by the seat that won. {}", seat_worth(one)),
        height: 30.0,
        legend: legend(ends.iter().filter(|(_, _, count)| *count > 0)),
        ..Chart::default()
    };
    chart.stacked(4.0, 22.0, parts(&ends));
    chart
}

/// Advantage of the first seat in Elo, in a sentence.
fn seat_worth(one: &Rated<'_>) -> String {
    match one.advantage() {
        Some(worth) if worth.error.is_infinite() => format!(
            "The first seat is worth {} Elo from the one opening that was played; the ratings allow for it.",
            Cell::Elo(worth.elo).shown(),
        ),
        Some(worth) => format!(
            "The first seat is worth {} Elo, with a 95 % interval from {} to {}; the ratings allow for it.",
            Cell::Elo(worth.elo).shown(),
            Cell::Elo(worth.low()).shown(),
            Cell::Elo(worth.high()).shown(),
        ),
        None if one.all_forfeited() => "Each game was forfeited.".to_owned(),
        None => "Both seats are rated as equal.".to_owned(),
    }
}

/// Histogram of game lengths: (fewest plies, most plies, number of games) for each class.
pub fn lengths(games: &BTreeMap<u32, u64>) -> Vec<(u32, u32, u64)> {
    let (Some((shortest, _)), Some((longest, _))) =
        (games.first_key_value(), games.last_key_value())
    else {
        return Vec::new();
    };
    let width = class_width(longest - shortest, LENGTHS);
    let first = shortest - shortest % width;
    let classes = (first..=*longest).step_by(width as usize).map(|from| {
        let to = from.saturating_add(width - 1);
        let count = games.range(from..=to).map(|(_, count)| count).sum();
        (from, to, count)
    });
    classes.collect()
}

/// A class of game lengths as text: `7`, or `10 to 19`.
pub fn plies_text(from: u32, to: u32) -> String {
    if from == to {
        from.to_string()
    } else {
        format!("{from} to {to}")
    }
}

/// The lengths of the games as columns.
pub fn length_columns(game: &str, classes: &[(u32, u32, u64)]) -> Chart {
    let columns = classes.iter().map(|(from, to, count)| {
        let plies = plies_text(*from, *to);
        let tooltip = format!("{plies} plies: {}", counted(*count, "game", "games"));
        (*count, tooltip)
    });
    let first = classes.first().map_or(0, |class| class.0);
    let end = classes.last().map_or(0, |class| class.1 + 1);
    let mut chart = columns_chart(
        &columns.collect::<Vec<_>>(),
        [first.to_string(), end.to_string()],
        ["game", "games"],
    );
    chart.name = format!("{game} lengths");
    chart.title = format!("{game}: lengths of the games");
    chart.description = "How many games had how many plies.".to_owned();
    chart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_fall_into_classes_of_round_width() {
        let games = |plies: &[u32]| plies.iter().map(|plies| (*plies, 1)).collect();
        assert_eq!(lengths(&games(&[])), []);
        assert_eq!(lengths(&games(&[7])), [(7, 7, 1)]);
        assert_eq!(lengths(&games(&[3, 5])), [(3, 3, 1), (4, 4, 0), (5, 5, 1)]);
        let many = lengths(&games(&[12, 14, 600]));
        assert_eq!(many.len(), 31);
        assert_eq!((many[0], many[30]), ((0, 19, 2), (600, 619, 1)));
    }
}
