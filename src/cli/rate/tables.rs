//! The tables of `referee rate`.

use super::{RateArgs, RateError, RateFormat, RateTable};
use crate::report::{self, ReportTable};
use crate::results::Rated;

impl RateTable {
    /// The tables of a document for which none were given.
    const DEFAULT: [RateTable; 4] = [
        RateTable::Ratings,
        RateTable::Standings,
        RateTable::Crosstable,
        RateTable::Match,
    ];

    fn table(self, rated: &[Rated<'_>]) -> ReportTable {
        match self {
            RateTable::Ratings => report::ratings(rated),
            RateTable::Standings => report::standings(rated),
            RateTable::Crosstable => report::crosstable(rated).collect(),
            RateTable::Superiority => report::superiority(rated).collect(),
            RateTable::Covariance => report::covariance(rated).collect(),
            RateTable::Match => report::matches(rated),
        }
    }
}

/// The tables to print. None stands for the summary on a terminal.
pub(super) fn tables(args: &RateArgs, rated: &[Rated<'_>]) -> Result<Vec<ReportTable>, RateError> {
    let names = match (args.table.as_slice(), args.format) {
        ([], RateFormat::Terminal) => &[],
        ([], RateFormat::Csv) => &[RateTable::Ratings][..],
        ([], RateFormat::Json) => &RateTable::DEFAULT,
        (names, _) => names,
    };
    let mut more = rated.iter().filter(|one| one.order.len() > 2);
    if args.table.contains(&RateTable::Match)
        && let Some(one) = more.next()
    {
        return Err(RateError::MatchPlayers {
            game: one.game.clone(),
            players: one.order.len(),
        });
    }
    Ok(names.iter().map(|name| name.table(rated)).collect())
}
