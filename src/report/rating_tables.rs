//! The tables of rated results. `docs/ratings.md` explains all columns.

use super::table::{CROSSTABLE, Cell, Column, ReportTable, StreamedTable};
use crate::rating::Tally;
use crate::results::{Rated, shared_ranks};

/// What ± shows, and what it does not show.
pub(super) const MARGIN: &str = "\
    half the width of the 95 % interval of Elo, relative to the reference. If all games were repeated \
    many times, 95 of 100 such intervals would contain the true value. One of two players can be \
    clearly stronger although their intervals overlap: see the table `superiority`.";

pub(super) const LOW: &str = "low and high are the ends of the 95 % interval";

fn forfeits() -> Column {
    Column::number("forfeits", "forfeits")
        .rank(1)
        .explained("games lost by the player's own fault, such as a crash or an illegal action")
}

/// The table `ratings`: a row per game and player, best first.
pub fn ratings(rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    for one in rated {
        let intervals = one.ratings.rank_intervals();
        for (rank, player) in one.ranks().into_iter().zip(&one.order) {
            let estimate = one.ratings.rating(*player, one.anchor);
            let standing = &one.standings.players()[*player];
            let tally = standing.tally;
            let mut row = vec![
                Cell::text(one.game),
                Cell::Count(rank),
                Cell::text(&standing.name),
                Cell::Elo(estimate.elo),
                Cell::Elo(estimate.low()),
                Cell::Elo(estimate.high()),
                Cell::Count(tally.games()),
                Cell::Real(tally.points(), None),
                Cell::Count(tally.wins),
                Cell::Count(tally.draws),
                Cell::Count(tally.losses),
                Cell::Count(standing.forfeits),
                score(tally),
                Cell::Margin(estimate.margin()),
                Cell::Count(standing.forfeit_wins),
            ];
            row.extend(match &intervals {
                Some(all) => all[*player].map(|rank| Cell::Count(rank as u64)),
                None => [Cell::Missing, Cell::Missing],
            });
            rows.push(row);
        }
    }
    let columns = vec![
        Column::text("game", "game"),
        Column::number("rank", "#"),
        Column::text("player", "player"),
        Column::number("elo", "Elo").explained(
            "the ratings of all players, fitted to all games at once, with seats and draws",
        ),
        Column::number("elo_low", "low").rank(3).explained(LOW),
        Column::number("elo_high", "high").rank(3),
        Column::number("games", "games").rank(1),
        Column::number("points", "points").rank(1),
        Column::number("wins", "won").rank(2),
        Column::number("draws", "drawn").rank(2),
        Column::number("losses", "lost").rank(2),
        forfeits(),
        Column::number("score", "score").rank(2),
        Column::number("margin", "±").explained(MARGIN),
        Column::number("forfeit_points", "forfeit wins")
            .rank(5)
            .explained("games won because the opponent forfeited"),
        Column::number("rank_low", "rank from")
            .rank(7)
            .explained("the ranks that the games allow for the player, with a probability of 95 %"),
        Column::number("rank_high", "to").rank(7),
    ];
    ReportTable {
        name: "ratings",
        columns,
        rows,
    }
}

fn score(tally: Tally) -> Cell {
    match tally.games() {
        0 => Cell::Missing,
        games => Cell::Share(tally.points() / games as f64),
    }
}

/// The table `standings`: a row per game and player, by points per game.
pub fn standings(rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    for one in rated {
        let order = one.standings.order();
        let ranks = shared_ranks(&order, |player| one.standings.points_of(player));
        for (rank, player) in ranks.into_iter().zip(order) {
            let standing = &one.standings.players()[player];
            rows.push(vec![
                Cell::text(one.game),
                Cell::Count(rank),
                Cell::text(&standing.name),
                Cell::Real(standing.tally.points(), None),
                Cell::Count(standing.tally.games()),
                Cell::Count(standing.tally.wins),
                Cell::Count(standing.tally.draws),
                Cell::Count(standing.tally.losses),
                Cell::Count(standing.forfeits),
            ]);
        }
    }
    let columns = vec![
        Column::text("game", "game"),
        Column::number("rank", "#"),
        Column::text("player", "player"),
        Column::number("points", "points"),
        Column::number("games", "games"),
        Column::number("wins", "won").rank(1),
        Column::number("draws", "drawn").rank(1),
        Column::number("losses", "lost").rank(1),
        forfeits(),
    ];
    ReportTable {
        name: "standings",
        columns,
        rows,
    }
}

/// The table `crosstable`: a row per game and player and a column per opponent, both in the order of the
/// ratings. A cell is `wins-draws-losses` of the row's player. It is empty if the two have not met.
pub fn crosstable<'a>(rated: &'a [Rated<'_>]) -> StreamedTable<'a> {
    let mut names: Vec<&str> = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for one in rated {
        let players = one.order.iter().map(|player| one.name(*player));
        names.extend(players.filter(|name| known.insert(*name)));
    }
    let mut columns = vec![
        Column::text("game", "game"),
        Column::text("player", "won-drawn-lost"),
    ];
    columns.extend(names.iter().map(|name| Column::number(name, name)));
    let rows = rated.iter().flat_map(move |one| {
        let others: Vec<Option<usize>> =
            names.iter().map(|name| one.standings.find(name)).collect();
        one.order.iter().map(move |player| {
            let mut row = vec![Cell::text(one.game), Cell::text(one.name(*player))];
            row.extend(others.iter().map(|other| {
                let tally = other
                    .map(|other| one.standings.against(*player, other))
                    .unwrap_or_default();
                match tally.games() {
                    0 => Cell::Missing,
                    _ => Cell::Text(format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)),
                }
            }));
            row
        })
    });
    StreamedTable {
        name: CROSSTABLE,
        columns,
        rows: Box::new(rows),
    }
}

/// The table `pairings`: a row per game, player and opponent that the player has met. Each two players have
/// two rows, one from the side of each.
pub fn pairings<'a>(rated: &'a [Rated<'_>]) -> StreamedTable<'a> {
    let rows = rated.iter().flat_map(move |one| {
        let pairs = one.order.iter().flat_map(move |player| {
            let others = one.order.iter().filter(move |other| *other != player);
            others.map(move |other| (*player, *other))
        });
        pairs.filter_map(move |(player, other)| {
            let tally = one.standings.against(player, other);
            (tally.games() > 0).then(|| {
                vec![
                    Cell::text(one.game),
                    Cell::text(one.name(player)),
                    Cell::text(one.name(other)),
                    Cell::Count(tally.games()),
                    Cell::Count(tally.wins),
                    Cell::Count(tally.draws),
                    Cell::Count(tally.losses),
                    Cell::Real(tally.points(), None),
                ]
            })
        })
    });
    StreamedTable {
        name: "pairings",
        columns: vec![
            Column::text("game", "game"),
            Column::text("player", "player"),
            Column::text("opponent", "opponent"),
            Column::number("games", "games"),
            Column::number("wins", "won"),
            Column::number("draws", "drawn"),
            Column::number("losses", "lost"),
            Column::number("points", "points"),
        ],
        rows: Box::new(rows),
    }
}

/// The greatest number of players of whom each two are compared.
pub(super) const MAX_COMPARED: usize = 2000;

/// How many of the players after each one it is compared with if there are more of them.
pub(super) const NEIGHBOURS: usize = 10;

/// The table `superiority`: a row per game and two players, the one with the higher rating first. Of more
/// players than `MAX_COMPARED`, it has only those near each other.
pub fn superiority<'a>(rated: &'a [Rated<'_>]) -> StreamedTable<'a> {
    let row = |one: &Rated<'_>, player: usize, other: usize| {
        let difference = one.ratings.difference(player, other);
        let tally = one.standings.against(player, other);
        vec![
            Cell::text(one.game),
            Cell::text(one.name(player)),
            Cell::text(one.name(other)),
            Cell::Elo(difference.elo),
            Cell::Elo(difference.low()),
            Cell::Elo(difference.high()),
            Cell::Share(one.ratings.superiority(player, other)),
            Cell::Share(one.ratings.expected(player, other)),
            Cell::Count(tally.games()),
            Cell::Real(tally.points(), None),
        ]
    };
    let rows = rated.iter().flat_map(move |one| {
        let reach = match one.order.len() > MAX_COMPARED {
            true => NEIGHBOURS,
            false => one.order.len(),
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
            .explained("the score that the ratings predict against this opponent"),
        Column::number("games", "games").rank(2),
        Column::number("points", "points").rank(2),
    ];
    StreamedTable {
        name: "superiority",
        columns,
        rows: Box::new(rows),
    }
}

/// The columns of game pairs by the points that they brought: names and titles.
pub(super) const PAIRS: [(&str, &str); 5] = [
    ("pairs_0", "0"),
    ("pairs_half", "½"),
    ("pairs_1", "1"),
    ("pairs_1_half", "1½"),
    ("pairs_2", "2"),
];

/// The table `match`: a row per kind of game with only two players, seen by the player that is tested, or
/// else by the one with the higher rating.
pub fn matches(rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    for one in rated {
        let Some(([player, other], games)) = one.match_of_two() else {
            continue;
        };
        let mut row = vec![
            Cell::text(one.game),
            Cell::text(one.name(player)),
            Cell::text(one.name(other)),
        ];
        row.extend(games.pairs.map(Cell::Count));
        row.push(Cell::Count(games.singles.games()));
        for interval in [games.elo(), games.normalized_elo()] {
            match interval {
                Some(values) => row.extend(values.map(Cell::Elo)),
                None => row.extend([Cell::Missing, Cell::Missing, Cell::Missing]),
            }
        }
        row.push(Cell::Share(one.ratings.los(player, other)));
        row.push(
            one.llr()
                .map_or(Cell::Missing, |llr| Cell::Real(llr, Some(2))),
        );
        match one.corrected() {
            Some(elo) => row.extend(elo.map(Cell::Elo)),
            None => row.extend([Cell::Missing, Cell::Missing, Cell::Missing]),
        }
        rows.push(row);
    }
    let mut columns = vec![
        Column::text("game", "game"),
        Column::text("player", "player"),
        Column::text("opponent", "opponent"),
    ];
    columns.extend(PAIRS.map(|(name, points)| Column::number(name, points)));
    columns.extend([
        Column::number("single_games", "single games")
            .rank(2)
            .explained("games that belong to no complete game pair"),
        Column::number("elo_low", "low").rank(1).explained(LOW),
        Column::number("elo", "match Elo")
            .explained("the difference in Elo that the score alone makes, by the Elo curve"),
        Column::number("elo_high", "high").rank(1),
        Column::number("normalized_elo_low", "low").rank(3),
        Column::number("normalized_elo", "normalized Elo")
            .rank(2)
            .explained("the difference relative to how much the results vary"),
        Column::number("normalized_elo_high", "high").rank(3),
        Column::number("los", "LOS").rank(2).explained(
            "likelihood of superiority: one minus the p-value of the player being no stronger",
        ),
        Column::number("llr", "LLR").explained(
            "the log-likelihood ratio of the test; above 0 it favours ELO1, below 0 ELO0",
        ),
        Column::number("corrected_elo_low", "low").rank(1),
        Column::number("corrected_elo", "corrected Elo").explained(
            "match Elo with its interval, corrected for a test that could end the match at any game pair",
        ),
        Column::number("corrected_elo_high", "high").rank(1),
    ]);
    ReportTable {
        name: "match",
        columns,
        rows,
    }
}
