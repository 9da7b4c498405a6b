//! The table of a league: a row for each bot, with its newest version.

use super::{Snapshot, State, Version};
use crate::rating::{Interval, Tally};
use crate::report::{Cell, Column, ReportTable};

/// Fewest games for an opponent to be named as one that a bot loses to.
const FEW: u64 = 4;

impl Snapshot<'_> {
    /// The table, best first; bots without games come last.
    pub fn table(&self) -> ReportTable {
        let rows = self.roster.newest().map(|version| {
            let elo = self.rating(version).map_or(f64::NEG_INFINITY, |it| it[1]);
            (elo, self.row(version))
        });
        let mut rows: Vec<(f64, Vec<Cell>)> = rows.collect();
        rows.sort_by(|one, other| other.0.total_cmp(&one.0));
        let rows = rows.into_iter().enumerate().map(|(at, (elo, mut row))| {
            if elo.is_finite() {
                row[0] = Cell::Count(at as u64 + 1);
            }
            row
        });
        ReportTable::new("league", columns(), rows)
    }

    pub fn rating(&self, version: &Version) -> Option<Interval> {
        let rated = self.rated.as_ref()?;
        Some(rated.interval(rated.find(&version.player_name())?))
    }

    fn row(&self, version: &Version) -> Vec<Cell> {
        let conduct = self.standing.conduct(version);
        let rating = self.rating(version);
        let [low, elo, high] = rating.map_or([const { Cell::Missing }; 3], |it| it.map(Cell::Elo));
        let since = |before: Option<f64>| {
            let both = rating.zip(before);
            both.map_or(Cell::Missing, |([_, elo, _], before)| {
                Cell::Elo(elo - before)
            })
        };
        // A candidate that was rejected has no rating.
        let earlier = self.roster.of(&version.owner).rev();
        let mut earlier = earlier.filter(|it| it.version < version.version);
        let earlier = earlier.find_map(|it| self.rating(it)).map(|it| it[1]);
        let text = |text: Option<String>| text.map_or(Cell::Missing, Cell::Text);
        let state = match version.state {
            State::Active => None,
            state => Some(state.name().to_owned()),
        };
        let why = Some(version.why.clone()).filter(|why| !why.is_empty());
        vec![
            Cell::Missing,
            Cell::text(&version.shown),
            elo,
            low,
            high,
            Cell::Count(conduct.games),
            Cell::Count(conduct.forfeits),
            since(earlier),
            since(self.standing.history.before(&version.owner)),
            text(self.loses_to(version)),
            Cell::Count(version.version.into()),
            text(state),
            text(why),
        ]
    }

    /// The newest version of another bot that wins most of its games against this one.
    fn loses_to(&self, version: &Version) -> Option<String> {
        let met = self.roster.newest().filter_map(|other| {
            let tally = self.against(version, other)?;
            let score = score(&tally);
            (tally.games() >= FEW && score < 0.5).then_some((score, tally.games(), other))
        });
        // Of two with the same score, more games tell more.
        let worst = met.min_by(|one, next| one.0.total_cmp(&next.0).then(next.1.cmp(&one.1)));
        worst.map(|(_, _, other)| other.shown.clone())
    }

    /// The games of a version against another, if they met.
    pub fn against(&self, one: &Version, other: &Version) -> Option<Tally> {
        let rated = self.rated.as_ref()?;
        let [one, other] = [one, other].map(|it| rated.find(&it.player_name()));
        let tally = rated.against(one?, other.filter(|it| Some(*it) != one)?);
        (tally.games() > 0).then_some(tally)
    }
}

pub fn score(tally: &Tally) -> f64 {
    tally.points() / tally.games() as f64
}

/// In the order of the cells of a row: the most important ones first, for narrow screens.
fn columns() -> Vec<Column> {
    vec![
        Column::number("rank", "rank"),
        Column::text("bot", "bot"),
        Column::number("elo", "Elo"),
        Column::number("elo_low", "low")
            .rank(1)
            .explained("low and high are the ends of the 95 % interval of the rating"),
        Column::number("elo_high", "high").rank(1),
        Column::number("games", "games").rank(2),
        Column::number("forfeits", "forfeits").rank(2),
        Column::number("change", "change")
            .rank(3)
            .explained("the difference in Elo from the bot's version before"),
        Column::number("trend", "trend").rank(3).explained(
            "the difference in Elo from the bot's newest version seven days with games before",
        ),
        Column::text("loses_to", "loses to").rank(4),
        Column::number("version", "version").rank(2),
        Column::text("state", "state").rank(3),
        Column::text("why", "why").rank(4).below(),
    ]
}
