//! The tables `places` and `verdict` of a format's conclusion.

use super::matches::PAIRS;
use super::ratings::LOW;
use crate::rating::{OrderVerdict, SprtVerdict};
use crate::report::table::{Cell, Column, ReportTable};
use crate::results::{ByResults, Rated};
use crate::runs::Run;
use crate::schedule::{Conclusion, PlacedBy};

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
                Some(ratings[standings.find(players[place.player])?].map(Cell::Elo))
            });
            row.extend(elo.unwrap_or([const { Cell::Missing }; 3]));
            rows.push(row);
        }
    }
    ReportTable {
        name: "places",
        columns: place_columns(),
        rows,
    }
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
        match state.estimate() {
            Some(estimate) => {
                row.extend(estimate.elo.map(Cell::Elo));
                row.extend(estimate.normalized_elo.map(Cell::Elo));
            }
            None => row.extend([const { Cell::Missing }; 6]),
        }
        row.push(all.map_or(Cell::Missing, ratio));
        Some(row)
    };
    ReportTable {
        name: "verdict",
        columns: verdict_columns(),
        rows: conclusions.iter().filter_map(row).collect(),
    }
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
