//! Formats that a number of seats does not fit.

use std::fmt;

use crate::schedule::{Format, TableFormat, TableKind};

/// Why a format cannot be played by these players at tables of this size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeatProblem {
    /// The format is a series of matches of two.
    MatchesOfTwo {
        /// The kind of the format.
        kind: &'static str,
        /// Number of seats.
        seats: usize,
    },
    /// A table cannot be filled.
    FewPlayers {
        /// Number of seats.
        seats: usize,
        /// Number of players.
        players: usize,
    },
}

impl fmt::Display for SeatProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MatchesOfTwo { kind, seats } => write!(
                f,
                "kind = \"{kind}\" is for matches of two, and the game has {seats} seats: expected \
                 \"round-robin\", \"gauntlet\", \"swiss\" or \"sprt\""
            ),
            Self::FewPlayers { seats, players } => write!(
                f,
                "the game has {seats} seats, and there are {players} players: expected at least {seats}"
            ),
        }
    }
}

impl std::error::Error for SeatProblem {}

impl Format {
    /// Checks that `players` can play a game of this number of seats in this format.
    ///
    /// # Errors
    /// They cannot.
    pub fn fits(&self, players: usize, seats: usize) -> Result<(), SeatProblem> {
        let matches_of_two = |kind| match seats {
            2 => Ok(()),
            _ => Err(SeatProblem::MatchesOfTwo { kind, seats }),
        };
        let are_enough = match players < seats {
            true => Err(SeatProblem::FewPlayers { seats, players }),
            false => Ok(()),
        };
        match self {
            Self::RoundRobin(_) => matches_of_two("round-robin"),
            Self::Gauntlet { .. } => matches_of_two("gauntlet"),
            Self::Swiss { .. } => matches_of_two("swiss"),
            // Copies of the others fill the tables of a challenger.
            Self::Tables(TableFormat {
                kind: TableKind::Gauntlet { .. },
                ..
            }) => Ok(()),
            Self::Tables(_) => are_enough,
            Self::Knockout { .. } => matches_of_two("knockout"),
            Self::Adaptive { .. } => matches_of_two("adaptive"),
            // Copies of one player take all other seats.
            Self::Sprt { .. } => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn formats_of_matches_and_tables_that_stay_empty_are_refused_in_words() {
        let one = NonZeroU32::MIN;
        let knockout = Format::Knockout { pairs: one };
        let problem = knockout.fits(8, 3).expect_err("three seats");
        assert_eq!(
            problem.to_string(),
            "kind = \"knockout\" is for matches of two, and the game has 3 seats: expected \
             \"round-robin\", \"gauntlet\", \"swiss\" or \"sprt\""
        );
        assert_eq!(knockout.fits(8, 2), Ok(()));
        let tables = |kind| Format::Tables(TableFormat { seats: 4, kind });
        let few = tables(TableKind::RoundRobin { games: 8 })
            .fits(3, 4)
            .expect_err("three players");
        assert_eq!(
            few.to_string(),
            "the game has 4 seats, and there are 3 players: expected at least 4"
        );
        let gauntlet = tables(TableKind::Gauntlet {
            challengers: vec![0, 1],
            blocks: 1,
        });
        assert_eq!(gauntlet.fits(3, 4), Ok(()));
    }
}
