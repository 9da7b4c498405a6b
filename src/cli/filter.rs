//! Options that choose some of the games.

use clap::ValueEnum;

use crate::record::ResultRow;

/// A game passes if it passes all filters that are given. Where a filter is given several times, one of
/// its values is enough, except for options: a game must have all of them.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Only some games")]
pub(super) struct GameFilter {
    /// Only games of this player
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Only games in which that player had this seat
    #[arg(long, value_enum, requires = "player")]
    seat: Option<SeatName>,
    /// Only games in which both players are named by --player
    #[arg(long, requires = "player")]
    among: bool,
    /// Only games with this termination, as in the column `termination`
    #[arg(long, value_name = "NAME")]
    termination: Vec<String>,
    /// Only games of this date or later: 2026, 2026-03, 2026-03-31T12:00
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// Only games of this date or earlier, including all of that year, month or day
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
    /// The player who acts first
    First,
    /// The player who acts second
    Second,
}

impl GameFilter {
    /// The players that are named by `--player`.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.player.iter().map(String::as_str)
    }

    /// Whether a game passes all filters.
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
        // Dates begin with the year, so the order of their text is that of time.
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
