//! Formats that a number of seats does not fit.

use std::fmt;

use crate::schedule::Format;

/// Why a format cannot be played by these players in a game of these seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeatProblem {
    /// The format is a series of matches of two.
    MatchesOfTwo {
        /// The kind of the format.
        kind: &'static str,
        /// Number of seats.
        seats: usize,
    },
    /// The seats cannot be filled.
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
        match self {
            // Of more than two, no one player is out, and no order of two neighbours is tested.
            Self::Knockout { .. } => matches_of_two("knockout"),
            Self::Adaptive { .. } => matches_of_two("adaptive"),
            Self::RoundRobin(_) | Self::Swiss { .. } if players < seats => {
                Err(SeatProblem::FewPlayers { seats, players })
            }
            // Copies of the others fill the seats beside a challenger.
            Self::RoundRobin(_)
            | Self::Swiss { .. }
            | Self::Gauntlet { .. }
            | Self::Sprt { .. } => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::testing::number;

    #[test]
    fn formats_of_matches_and_seats_that_stay_empty_are_refused_in_words() {
        let knockout = Format::Knockout { games: number(2) };
        let problem = knockout.fits(8, 3).expect_err("three seats");
        assert_eq!(
            problem.to_string(),
            "kind = \"knockout\" is for matches of two, and the game has 3 seats: expected \
             \"round-robin\", \"gauntlet\", \"swiss\" or \"sprt\""
        );
        assert_eq!(knockout.fits(8, 2), Ok(()));
        let few = Format::RoundRobin(number(8))
            .fits(3, 4)
            .expect_err("three players");
        assert_eq!(
            few.to_string(),
            "the game has 4 seats, and there are 3 players: expected at least 4"
        );
        let challengers = vec![0, 1];
        let gauntlet = Format::Gauntlet {
            challengers,
            games: number(1),
        };
        assert_eq!(gauntlet.fits(3, 4), Ok(()));
    }
}
