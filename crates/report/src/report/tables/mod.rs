//! The tables of rated results, of conclusions and of games. `docs/formats.md` and `docs/ratings.md` explain all
//! columns.

mod pairings;
mod ratings;
mod searches;
mod tuning;

use std::io::{self, Write};

pub use pairings::{NEIGHBOURS, crosstable, superiority};
use ratings::LOW;
pub use ratings::{MARGIN, PLACES, ratings, standings};
pub use searches::searches;
use tuning::{best_player, iterations};
pub use tuning::{matters, parameters};

use crate::game::Seat;
use crate::rating::{Interval, OrderVerdict, SprtVerdict};
use crate::report::players;
use crate::report::table::{Cell, Column, ReportTable};
use crate::results::{ByResults, Rated};
use crate::runs::{
    BEST, GameRow, Run, RunFileError, player_column, remove_if_there, write_bytes, write_whole,
};
use crate::schedule::{Conclusion, PlacedBy};
use crate::text::DisplayNames;

/// Upper bound on the seats with a column each. More share one.
const MOST: usize = 4;

/// A table with a row for each game. The longest column comes last.
pub fn games<'a>(rows: impl Iterator<Item = &'a GameRow>, names: &DisplayNames) -> ReportTable {
    let mut rows = rows.peekable();
    let count = rows.peek().map_or(2, |row| row.players.count());
    let mut columns = vec![
        Column::number("id", "id"),
        Column::text("game", "game").rank(2),
    ];
    if count > MOST {
        columns.push(Column::text("players", "players by seat"));
    } else {
        let seats = Seat::all(count).map(player_column);
        columns.extend(seats.map(|word| Column::text(word, &format!("{word} seat"))));
    }
    columns.push(Column::text("winner", "winner"));
    if count > 2 {
        columns.push(Column::text("places", "places").rank(1));
    }
    columns.extend([
        Column::number("plies", "plies").rank(1),
        Column::text("termination", "ended by"),
        Column::text("why", "why").below(),
    ]);
    ReportTable::new("games", columns, rows.map(|row| cells(row, names)))
}

fn cells(row: &GameRow, names: &DisplayNames) -> Vec<Cell> {
    let player = |seat: Seat| names.shown(&row.players[seat]);
    let seated = |seat: Seat| format!("{} {}", row.game.seat_name(seat), player(seat));
    let winner = match row.end.result {
        result if result.winners().is_empty() => row.game.result_name(result).into_owned(),
        result => {
            let winners: Vec<String> = result.winners().iter().map(player).collect();
            winners.join(", ")
        }
    };
    let mut cells = vec![Cell::Count(row.id), Cell::text(row.game.label())];
    let seated = row.game.seats().map(seated);
    if row.players.count() > MOST {
        cells.push(Cell::text(seated.collect::<Vec<_>>().join(", ")));
    } else {
        cells.extend(seated.map(Cell::text));
    }
    cells.push(Cell::text(winner));
    if let Some(places) = row.game.places(row.end.result) {
        let places: Vec<String> = places.iter().map(u8::to_string).collect();
        cells.push(Cell::text(places.join(", ")));
    }
    cells.extend([
        Cell::Count(row.end.plies.into()),
        Cell::text(row.end.termination.name()),
        Cell::text(row.end.why(row.game)),
    ]);
    cells
}

/// The columns of game pairs by the points that they brought: names and titles.
pub const PAIRS: [(&str, &str); 5] = [
    ("pairs_0", "0"),
    ("pairs_half", "½"),
    ("pairs_1", "1"),
    ("pairs_1_half", "1½"),
    ("pairs_2", "2"),
];

fn elo_cells(interval: Option<Interval>) -> [Cell; 3] {
    interval.map_or([const { Cell::Missing }; 3], |elo| elo.map(Cell::Elo))
}

/// The table `match`: a row per kind of game with only two players, seen by the player that is tested, or
/// else by the one with the higher rating.
pub fn matches(rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    for one in rated {
        let Some((players, games)) = one.match_of_two() else {
            continue;
        };
        let mut row = vec![
            Cell::text(&one.game),
            Cell::text(one.name(players[0])),
            Cell::text(one.name(players[1])),
        ];
        row.extend(games.pairs.map(Cell::Count));
        row.push(Cell::Count(games.singles.games()));
        for interval in [games.elo(), games.normalized_elo()] {
            row.extend(elo_cells(interval));
        }
        row.push(games.los().map_or(Cell::Missing, Cell::Share));
        row.push(
            one.llr()
                .map_or(Cell::Missing, |llr| Cell::Real(llr, Some(2))),
        );
        row.extend(elo_cells(one.corrected()));
        rows.push(row);
    }
    ReportTable::new("match", columns(), rows)
}

fn columns() -> Vec<Column> {
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
    columns
}

/// The table `places`: a row per game and player, in the order of the format. It is empty if the format has
/// no order of its own, or not yet. Ratings are corrected where results decided who met.
pub fn places(run: &Run, conclusions: &[(usize, Conclusion)], rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    let players = run.player_names();
    for (game, conclusion) in conclusions {
        let game = run.games()[*game].game().label();
        let rated = rated.iter().find(|one| one.game == game);
        let corrected = rated.filter(|_| ByResults::of(run.format()) == ByResults::Pairings);
        let corrected =
            corrected.and_then(|one| Some((&one.standings, &one.posterior.as_ref()?.ratings)));
        for place in conclusion.places() {
            let mut row = vec![
                Cell::text(game),
                Cell::Count(place.place as u64),
                Cell::text(players[place.player]),
            ];
            let mut by = [const { Cell::Missing }; 8];
            match place.by {
                PlacedBy::Points {
                    all,
                    byes,
                    buchholz,
                } => {
                    for (cell, points) in by.iter_mut().zip([all, byes, buchholz]) {
                        *cell = Cell::Real(points, None);
                    }
                }
                PlacedBy::LastRound(round) => by[3] = Cell::Count(round),
                PlacedBy::Rating { next: Some(next) } => {
                    by[4] = Cell::text(match next.apart {
                        OrderVerdict::Clear => "clear",
                        OrderVerdict::Tied => "tied",
                        OrderVerdict::Unclear => "unclear",
                    });
                    for (cell, elo) in by[5..].iter_mut().zip(next.difference) {
                        *cell = Cell::Elo(elo);
                    }
                }
                PlacedBy::Rating { next: None } => {}
            }
            row.extend(by);
            let elo = corrected.as_ref().and_then(|(standings, ratings)| {
                Some(ratings[standings.find(players[place.player])?])
            });
            row.extend(elo_cells(elo));
            rows.push(row);
        }
    }
    ReportTable::new("places", place_columns(), rows)
}

fn place_columns() -> Vec<Column> {
    vec![
        Column::text("game", "game"),
        Column::number("place", "place"),
        Column::text("player", "player"),
        Column::number("points", "points"),
        Column::number("bye_points", "byes"),
        Column::number("buchholz", "Buchholz").explained(
            "the points of all opponents, where a bye counts as an opponent with the player's own points; it orders \
             players with equal points",
        ),
        Column::number("last_round", "last round"),
        Column::text("next", "next").explained(
            "clear: the player is not weaker than the next one by the indifference or more; tied: they are apart by less \
             than that; unclear: neither is known yet",
        ),
        Column::number("difference_low", "low").explained(LOW),
        Column::number("difference", "difference").explained(
            "by how many Elo the player is stronger than the next one, corrected for when the games ended",
        ),
        Column::number("difference_high", "high"),
        Column::number("corrected_elo_low", "low").explained(LOW),
        Column::number("corrected_elo", "corrected Elo").explained(
            "the rating relative to the mean of all players, corrected because results decided who met",
        ),
        Column::number("corrected_elo_high", "high"),
    ]
}

/// The table `verdict`: a row per sequential test.
pub fn verdicts(
    run: &Run,
    conclusions: &[(usize, Conclusion)],
    rated: &[Rated<'_>],
) -> ReportTable {
    let players = run.player_names();
    let row = |(game, conclusion): &(usize, Conclusion)| {
        let Conclusion::Test(state) = conclusion else {
            return None;
        };
        let game = run.games()[*game].game().label();
        let test = &state.test;
        let verdict = match state.verdict {
            SprtVerdict::AcceptElo0 => "elo0",
            SprtVerdict::AcceptElo1 => "elo1",
            SprtVerdict::Undecided => "undecided",
        };
        let [low, high] = state.bounds();
        let all = rated.iter().find(|one| one.game == game);
        let all = all.and_then(Rated::llr);
        let ratio = |ratio: f64| Cell::Real(ratio, Some(4));
        let mut row = vec![
            Cell::text(game),
            Cell::text(players[state.challenger]),
            Cell::text(verdict),
            state
                .end
                .map_or(Cell::Missing, |end| Cell::text(end.name())),
            ratio(state.llr),
            ratio(low),
            ratio(high),
            Cell::text(test.model.name()),
        ];
        let limits = [test.elo0, test.elo1, test.alpha, test.beta];
        row.extend(limits.map(|limit| Cell::Real(limit, None)));
        row.push(Cell::Count(state.games()));
        match state.pairs() {
            Some(pairs) => row.extend(pairs.map(Cell::Count)),
            None => row.extend([const { Cell::Missing }; 5]),
        }
        let found = state.estimate();
        row.extend(elo_cells(found.as_ref().map(|it| it.elo)));
        row.extend(elo_cells(found.map(|it| it.normalized_elo)));
        row.push(all.map_or(Cell::Missing, ratio));
        Some(row)
    };
    ReportTable::new(
        "verdict",
        verdict_columns(),
        conclusions.iter().filter_map(row),
    )
}

fn verdict_columns() -> Vec<Column> {
    let number = |(name, title): (&str, &str)| Column::number(name, title);
    let mut columns = vec![
        Column::text("game", "game"),
        Column::text("player", "player"),
        Column::text("verdict", "verdict"),
        Column::text("ended_by", "ended by"),
    ];
    let ratio = [
        ("llr", "LLR"),
        ("llr_low", "low bound"),
        ("llr_high", "high bound"),
    ];
    columns.extend(ratio.map(number));
    columns.push(Column::text("model", "model"));
    let settings = [
        ("elo0", "elo0"),
        ("elo1", "elo1"),
        ("alpha", "alpha"),
        ("beta", "beta"),
        ("games", "games"),
    ];
    columns.extend(settings.map(number));
    columns.extend(PAIRS.map(number));
    let found = [
        ("elo_low", "low"),
        ("elo", "corrected Elo"),
        ("elo_high", "high"),
        ("normalized_elo_low", "low"),
        ("normalized_elo", "normalized Elo"),
        ("normalized_elo_high", "high"),
        ("llr_all", "LLR of all games"),
    ];
    columns.extend(found.map(number));
    columns
}

type WriteTable<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// Ends a run: writes its tables, then the digests of its files.
pub fn finish_run(
    run: &Run,
    rated: &[Rated<'_>],
    conclusions: &[(usize, Conclusion)],
) -> Result<(), RunFileError> {
    write_tables(run, rated, conclusions)?;
    run.write_digests()
}

/// Writes all tables of a run into its folder. Of tables that grow with the games, or with the square of the players,
/// only one row at a time is in memory. `conclusions` have the index of their game.
pub fn write_tables(
    run: &Run,
    rated: &[Rated<'_>],
    conclusions: &[(usize, Conclusion)],
) -> Result<(), RunFileError> {
    let path = |name: &str| run.path().join(format!("{name}.csv"));
    let write = |name: &str, write: &mut WriteTable<'_>| write_whole(&path(name), write);
    let write_rows =
        |table: &ReportTable| write(table.name, &mut |out| out.write_all(&table.csv()));
    for table in [ratings(rated), standings(rated), players(run.manifest())] {
        write_rows(&table)?;
    }
    write("crosstable", &mut |out| crosstable(rated).write_csv(out))?;
    write("superiority", &mut |out| superiority(rated).write_csv(out))?;
    let not_of_every_run = [
        matches(rated),
        places(run, conclusions, rated),
        verdicts(run, conclusions, rated),
        parameters(run, conclusions),
        iterations(run, conclusions),
    ];
    for table in not_of_every_run {
        match table.rows.is_empty() {
            // A run that goes on, of fewer games than before, may no longer have it.
            true => remove_if_there(&path(table.name))?,
            false => write_rows(&table)?,
        }
    }
    let best = run.path().join(BEST);
    match best_player(run, conclusions) {
        None => remove_if_there(&best),
        Some(text) => write_bytes(&best, text),
    }
}
