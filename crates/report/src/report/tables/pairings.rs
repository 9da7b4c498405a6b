//! The tables of each two players: `crosstable` and `superiority`.

use super::ratings::LOW;
use crate::report::table::{CROSSTABLE, Cell, Column, StreamedTable};
use crate::results::Rated;

/// The table `crosstable`: a row per game and player and a column per opponent, both in the order of the
/// ratings. A cell is `wins-draws-losses` of the row's player; in games of more than two seats, these are the games where
/// it was ahead of the other, tied and behind. It is empty if the two have not met.
pub fn crosstable<'a>(rated: &'a [Rated<'a>]) -> StreamedTable<'a> {
    let mut outcomes: Vec<&str> = rated.iter().map(|one| one.outcomes()).collect();
    outcomes.dedup();
    let title = match outcomes.as_slice() {
        [] => "won-drawn-lost".to_owned(),
        some => some.join(", "),
    };
    let mut names: Vec<&str> = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for one in rated {
        let players = one.order.iter().map(|player| one.name(*player));
        names.extend(players.filter(|name| known.insert(*name)));
    }
    let mut columns = vec![Column::text("game", "game"), Column::text("player", &title)];
    columns.extend(names.iter().map(|name| Column::number(name, name)));
    let rows = rated.iter().flat_map(move |one| {
        let others: Vec<Option<usize>> = names.iter().map(|name| one.find(name)).collect();
        one.order.iter().map(move |player| {
            let mut row = vec![Cell::text(&one.game), Cell::text(one.name(*player))];
            row.extend(others.iter().map(|other| {
                let tally = other
                    .map(|other| one.against(*player, other))
                    .unwrap_or_default();
                match tally.games() {
                    0 => Cell::Missing,
                    _ => Cell::Text(format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)),
                }
            }));
            row
        })
    });
    StreamedTable::new(CROSSTABLE, columns, rows)
}

/// Upper bound on the players for a comparison of all pairs.
const MAX_COMPARED: usize = 2000;

/// Number of next players that each player is compared with, if there are more than [`MAX_COMPARED`].
pub const NEIGHBOURS: usize = 10;

/// The table `superiority`: a row per game and two players, the one with the higher rating first. Of more
/// players than `MAX_COMPARED`, it has only those near each other.
pub fn superiority<'a>(rated: &'a [Rated<'a>]) -> StreamedTable<'a> {
    let row = |one: &Rated<'_>, player: usize, other: usize| {
        let [low, difference, high] = one.ratings.difference_interval(player, other);
        let tally = one.against(player, other);
        vec![
            Cell::text(&one.game),
            Cell::text(one.name(player)),
            Cell::text(one.name(other)),
            Cell::Elo(difference),
            Cell::Elo(low),
            Cell::Elo(high),
            Cell::Share(one.superiority(player, other)),
            Cell::Share(one.ratings.expected(player, other)),
            Cell::Count(tally.games()),
            Cell::Real(tally.points(), None),
        ]
    };
    let rows = rated.iter().flat_map(move |one| {
        let reach = if one.order.len() > MAX_COMPARED {
            NEIGHBOURS
        } else {
            one.order.len()
        };
        let pairings = one.order.iter().enumerate().flat_map(move |(at, player)| {
            let others = one.order[at + 1..].iter().take(reach);
            others.map(move |other| (*player, *other))
        });
        pairings.map(move |(player, other)| row(one, player, other))
    });
    let columns = vec![
        Column::text("game", "game"),
        Column::text("player", "player"),
        Column::text("opponent", "opponent"),
        Column::number("difference", "difference")
            .explained("by how many Elo the player is rated above the opponent"),
        Column::number("difference_low", "low").explained(LOW),
        Column::number("difference_high", "high"),
        Column::number("superiority", "stronger")
            .explained(
                "the probability, given the games and how far apart the players are, that the player is the \
                 stronger one",
            ),
        Column::number("expected_score", "expected")
            .rank(1)
            .explained("the score that the ratings predict against this opponent, in a game of the two"),
        Column::number("games", "games").rank(2),
        Column::number("points", "points").rank(2),
    ];
    StreamedTable::new("superiority", columns, rows)
}
