//! The plan of a tournament.

use std::borrow::Cow;

use super::limits::{KeepLogs, Limits};
use super::{Entry, Export, PlannedGame};
use crate::clock::TimeControl;
use crate::game::Game;
use crate::runs::RowShape;
use crate::schedule::{Format, Schedule, Values};
use crate::text::DisplayNames;

#[derive(Debug, Clone)]
pub struct Plan {
    pub name: String,
    /// Master seed of all randomness in a run; `None` draws one for each run.
    pub seed: Option<u64>,
    /// Games to play. Each is its own tournament among all players.
    pub games: Vec<PlannedGame>,
    pub format: Format,
    /// Time control of players without their own.
    pub time: TimeControl,
    pub limits: Limits,
    pub keep_logs: KeepLogs,
    /// Whether pages are written at the end of a run; `None` decides by the number of games. The manifest omits
    /// it, because it does not affect play.
    pub pages: Option<bool>,
    pub export: Export,
    pub players: Vec<Entry>,
}

impl Plan {
    pub fn time_of(&self, player: usize) -> &TimeControl {
        self.players[player]
            .terms
            .time
            .as_ref()
            .unwrap_or(&self.time)
    }

    /// A player as it plays a game with these values of its parameters.
    pub fn entry(&self, player: usize, values: Option<&Values>) -> Cow<'_, Entry> {
        let entry = &self.players[player];
        match values {
            None => Cow::Borrowed(entry),
            Some(values) => Cow::Owned(entry.with_values(values)),
        }
    }

    /// The players as they are checked before they play: each as it is, or with the least, the first and the greatest values
    /// of its parameters.
    pub fn extremes(&self, player: usize) -> Vec<Cow<'_, Entry>> {
        match &self.format {
            Format::Tune(tuning) => {
                let extremes = tuning.extremes();
                let entry = |values: &Values| self.entry(player, Some(values));
                extremes
                    .iter()
                    .map(|values| Cow::Owned(entry(values).into_owned()))
                    .collect()
            }
            _ => vec![self.entry(player, None)],
        }
    }

    pub fn limits_of(&self, player: usize) -> &Limits {
        let limits = self.players[player].terms.limits.as_ref();
        limits.unwrap_or(&self.limits)
    }

    /// The definitions of the games: all that the records of its runs name.
    pub fn each_game(&self) -> impl Iterator<Item = Game> + Clone {
        PlannedGame::each(&self.games)
    }

    pub fn seats(&self) -> usize {
        PlannedGame::seats_of(&self.games)
    }

    pub fn row_shape(&self) -> RowShape {
        RowShape {
            seats: self.seats(),
            has_values: matches!(self.format, Format::Tune(_)),
        }
    }

    /// The schedule of each game, under the master seed of a run. A sequential test issues at least `ahead` blocks before
    /// their results are known.
    pub fn schedules(&self, seed: u64, ahead: u64) -> Vec<Box<dyn Schedule>> {
        let (players, seats) = (self.players.len(), self.seats());
        let games = self.games.iter();
        games
            .map(|_| self.format.schedule_ahead(players, seats, seed, ahead))
            .collect()
    }

    pub fn display_names(&self) -> DisplayNames {
        let players = self.players.iter();
        players
            .map(|entry| (entry.name.as_str(), entry.display_name.as_deref()))
            .collect()
    }
}
