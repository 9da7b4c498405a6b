//! The table of a league: a row for each bot, with its newest version.

use super::{Roster, Standing, State, Version};
use crate::rating::Tally;
use crate::report::{Cell, Column, ReportTable};
use crate::results::Rated;

/// Fewest games for an opponent to be named as one that a bot loses to.
const FEW: u64 = 4;

/// The table, best first; bots without games come last.
pub fn league_table(
    standing: &Standing,
    rated: Option<&Rated<'_>>,
    roster: &Roster,
) -> ReportTable {
    let mut rows: Vec<(f64, Vec<Cell>)> = roster
        .newest()
        .map(|version| {
            let elo = rating(rated, version).map_or(f64::NEG_INFINITY, |[_, elo, _]| elo);
            (elo, row(standing, rated, roster, version))
        })
        .collect();
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    let rows = rows.into_iter().enumerate().map(|(at, (elo, mut row))| {
        if elo.is_finite() {
            row[0] = Cell::Count(at as u64 + 1);
        }
        row
    });
    ReportTable {
        name: "league",
        columns: columns(),
        rows: rows.collect(),
    }
}

/// The rating of a version with games, and its interval.
pub fn rating(rated: Option<&Rated<'_>>, version: &Version) -> Option<[f64; 3]> {
    let rated = rated?;
    let player = rated.find(&version.player_name())?;
    (rated.standings.players()[player].tally.games() > 0).then(|| rated.interval(player))
}

fn row(
    standing: &Standing,
    rated: Option<&Rated<'_>>,
    roster: &Roster,
    version: &Version,
) -> Vec<Cell> {
    let conduct = standing.conduct(version);
    let elo = rating(rated, version).map_or([const { Cell::Missing }; 3], |it| it.map(Cell::Elo));
    let [low, elo, high] = elo;
    let change = change(rated, roster, version);
    let before = standing.history.before(&version.owner);
    let trend = rating(rated, version).zip(before);
    let trend = trend.map(|([_, elo, _], before)| elo - before);
    let loses_to = rated.and_then(|rated| loses_to(rated, roster, version));
    let text = |text: Option<String>| text.map_or(Cell::Missing, Cell::Text);
    let state = match version.state {
        State::Active => None,
        state if version.why.is_empty() => Some(state.name().to_owned()),
        state => Some(format!("{}: {}", state.name(), version.why)),
    };
    vec![
        Cell::Missing,
        Cell::text(&version.shown),
        Cell::Count(version.version.into()),
        elo,
        low,
        high,
        change.map_or(Cell::Missing, Cell::Elo),
        trend.map_or(Cell::Missing, Cell::Elo),
        Cell::Count(conduct.games),
        Cell::Count(conduct.forfeits),
        text(loses_to),
        text(state),
    ]
}

/// How much stronger a version is than the one before it.
fn change(rated: Option<&Rated<'_>>, roster: &Roster, version: &Version) -> Option<f64> {
    let [_, elo, _] = rating(rated, version)?;
    let mut before = roster.of(&version.owner).rev();
    let before = before.find(|it| it.version < version.version)?;
    let [_, was, _] = rating(rated, before)?;
    Some(elo - was)
}

/// The newest version of another bot that wins most of its games against this one.
fn loses_to(rated: &Rated<'_>, roster: &Roster, version: &Version) -> Option<String> {
    let player = rated.find(&version.player_name())?;
    let met = roster.newest().filter_map(|other| {
        let tally = against(rated, player, other)?;
        let score = score(&tally);
        (tally.games() >= FEW && score < 0.5).then_some((score, other))
    });
    let worst = met.reduce(|worst, next| if next.0 < worst.0 { next } else { worst });
    worst.map(|(_, other)| other.shown.clone())
}

/// The games of a player against a version, if they met.
pub fn against(rated: &Rated<'_>, player: usize, other: &Version) -> Option<Tally> {
    let other = rated
        .find(&other.player_name())
        .filter(|it| *it != player)?;
    Some(rated.against(player, other)).filter(|tally| tally.games() > 0)
}

pub fn score(tally: &Tally) -> f64 {
    tally.points() / tally.games() as f64
}

fn columns() -> Vec<Column> {
    vec![
        Column::number("rank", "rank"),
        Column::text("bot", "bot"),
        Column::number("version", "version").rank(2),
        Column::number("elo", "Elo"),
        Column::number("elo_low", "low")
            .rank(1)
            .explained("low and high are the ends of the 95 % interval of the rating"),
        Column::number("elo_high", "high").rank(1),
        Column::number("change", "change")
            .rank(3)
            .explained("the difference in Elo from the bot's version before"),
        Column::number("trend", "trend").rank(3).explained(
            "the difference in Elo from the bot's newest version seven days with games before",
        ),
        Column::number("games", "games").rank(2),
        Column::number("forfeits", "forfeits").rank(2),
        Column::text("loses_to", "loses to").rank(4),
        Column::text("state", "state").rank(3),
    ]
}
