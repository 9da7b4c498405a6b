//! The tables of `referee rate`.

use clap::ValueEnum;

use super::args::{RateArgs, RateFormat, RateTable};
use super::error::RateError;
use crate::report::{self, Cell, History, ReportTable};
use crate::results::Rated;

impl RateTable {
    /// The tables of a document for which none were given.
    const DEFAULT: [RateTable; 4] = [
        RateTable::Ratings,
        RateTable::Standings,
        RateTable::Crosstable,
        RateTable::Match,
    ];

    /// This table. It takes the rows of `history`, which can be many.
    fn table(self, rated: &[Rated<'_>], history: &mut Vec<Vec<Cell>>) -> ReportTable {
        match self {
            RateTable::Ratings => report::ratings(rated),
            RateTable::Standings => report::standings(rated),
            RateTable::Crosstable => report::crosstable(rated).collect(),
            RateTable::Pairings => report::pairings(rated).collect(),
            RateTable::Superiority => report::superiority(rated).collect(),
            RateTable::Covariance => report::covariance(rated).collect(),
            RateTable::Match => report::matches(rated),
            RateTable::History => ReportTable {
                name: "history",
                columns: History::columns(),
                rows: std::mem::take(history),
            },
        }
    }

    /// The greatest number of players of a game for which it can be made.
    fn most_players(self) -> Option<usize> {
        match self {
            RateTable::Match => Some(2),
            RateTable::Ratings
            | RateTable::Standings
            | RateTable::Crosstable
            | RateTable::Pairings
            | RateTable::Superiority
            | RateTable::Covariance
            | RateTable::History => None,
        }
    }
}

/// The tables to print. None stands for the summary on a terminal.
pub(super) fn tables(
    args: &RateArgs,
    rated: &[Rated<'_>],
    history: &mut Vec<Vec<Cell>>,
) -> Result<Vec<ReportTable>, RateError> {
    let names = match (args.table.as_slice(), args.format) {
        ([], RateFormat::Terminal) => &[],
        ([], RateFormat::Csv) => &[RateTable::Ratings][..],
        ([], RateFormat::Json) => &RateTable::DEFAULT,
        (names, _) => names,
    };
    for name in &args.table {
        let Some(most) = name.most_players() else {
            continue;
        };
        if let Some(one) = rated.iter().find(|one| one.order.len() > most) {
            return Err(RateError::TablePlayers {
                table: name
                    .to_possible_value()
                    .map_or_else(String::new, |it| it.get_name().to_owned()),
                game: one.game.clone(),
                players: one.order.len(),
                most,
            });
        }
    }
    Ok(names
        .iter()
        .map(|name| name.table(rated, history))
        .collect())
}
