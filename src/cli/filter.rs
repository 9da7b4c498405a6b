//! Which games are rated.

use clap::ValueEnum;

use crate::record::ResultRow;

/// Only games that pass every filter that is given. Of players, terminations and games named
/// several times any will do; of options all must hold.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Only some games")]
pub(super) struct Filter {
    /// Only games of this player
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Only games in which that player had this seat
    #[arg(long, value_enum, requires = "player")]
    seat: Option<SeatName>,
    /// Only games among players named by --player: both of them
    #[arg(long, requires = "player")]
    among: bool,
    /// Only games that ended in this way, as the column `termination` has it
    #[arg(long, value_name = "NAME")]
    termination: Vec<String>,
    /// Only games of this date or later: 2026, 2026-03, 2026-03-31T12:00
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// Only games of this date or before, all of that year, month or day
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// Only games with this option, such as size=9
    #[arg(long, value_name = "KEY=VALUE")]
    option: Vec<String>,
    /// Only this game, such as cachex
    #[arg(long, value_name = "NAME")]
    game: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SeatName {
    /// Who acts first
    First,
    /// Who acts second
    Second,
}

impl Filter {
    /// The players that are named.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.player.iter().map(String::as_str)
    }

    /// Whether a game is to be rated.
    pub fn keeps(&self, row: &ResultRow<'_>) -> bool {
        let named = row
            .names
            .map(|name| self.players().any(|player| player == name));
        let seated = match self.seat {
            None => named[0] || named[1],
            Some(SeatName::First) => named[0],
            Some(SeatName::Second) => named[1],
        };
        let any = |wanted: &[String], given: &str| {
            wanted.is_empty() || wanted.iter().any(|one| one == given)
        };
        // Dates are written so that their order is that of their letters.
        let since = |since: &String| !row.date.is_empty() && row.date >= since.as_str();
        let until = |until: &String| {
            !row.date.is_empty()
                && (row.date <= until.as_str() || row.date.starts_with(until.as_str()))
        };
        (self.player.is_empty() || seated)
            && (!self.among || (named[0] && named[1]))
            && any(&self.termination, row.termination)
            && any(&self.game, row.game)
            && self.since.as_ref().is_none_or(since)
            && self.until.as_ref().is_none_or(until)
            && self
                .option
                .iter()
                .all(|wanted| row.options.split(' ').any(|option| option == wanted))
    }
}
