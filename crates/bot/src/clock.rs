//! Time controls. Pure: callers pass in the time that a player took; this module never reads a clock.

use std::num::NonZeroU32;
use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::text::counted;
use crate::units;

crate::named! {
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Measure {
        /// Wall-clock time, from the request to the answer.
        #[default]
        Wall = "wall",
        /// CPU time, which a busy machine does not inflate.
        Cpu = "cpu",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TimeControl {
    pub measure: Measure,
    /// Budget for all actions of one player in one game; `None`: unlimited.
    #[serde(with = "units::duration_limit")]
    pub per_game: Option<Duration>,
    /// Number of actions after which the player is given the budget once more; `None`: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<NonZeroU32>,
    /// Added to the player's clock after each of its actions.
    #[serde(with = "units::duration")]
    pub increment: Duration,
    /// Limit for each action; `None`: unlimited.
    #[serde(with = "units::duration_limit")]
    pub per_move: Option<Duration>,
    /// Tolerance: a limit may be exceeded by this without a forfeit.
    #[serde(with = "units::duration")]
    pub margin: Duration,
    /// Upper bound on the wall time of any one action, whatever the other limits allow.
    #[serde(with = "units::duration")]
    pub wall_cap: Duration,
}

impl TimeControl {
    pub fn is_limited(&self) -> bool {
        self.per_game.is_some() || self.per_move.is_some()
    }

    /// Budget of a whole game; `None` if it has no limit, or is given once more in each period.
    pub fn whole_game(&self) -> Option<Duration> {
        self.per_game.filter(|_| self.period.is_none())
    }

    /// The time that a clock gains by an action after `played` others.
    pub fn gain(&self, played: u32) -> Duration {
        let ends = |period: NonZeroU32| (played + 1).is_multiple_of(period.get());
        let budget = self.per_game.filter(|_| self.period.is_some_and(ends));
        self.increment.saturating_add(budget.unwrap_or_default())
    }
}

impl Default for TimeControl {
    /// No limits except a wall cap of ten minutes.
    fn default() -> Self {
        Self {
            measure: Measure::default(),
            per_game: None,
            period: None,
            increment: Duration::ZERO,
            per_move: None,
            margin: Duration::ZERO,
            wall_cap: Duration::from_secs(600),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    pub wall: Duration,
    pub cpu: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Wall time, from the request to the answer, that is charged.
    pub wall: Duration,
    pub cpu: Duration,
    /// CPU time off turn: between the player's previous answer and the request.
    pub idle_cpu: Duration,
    /// Time that is not in `wall`, because the machine kept the player from a processor.
    pub waited: Duration,
}

/// A player that waited for less than this in a game is not short of the processor: also a quick bot waits a little, each
/// time it is woken up.
const LEAST_WAIT: Duration = Duration::from_secs(1);

/// A player with a lower share is named in the end, on pages and beside marks.
const LOW_SHARE: f64 = 0.5;

/// Number of games that are named of those with a low share.
const NAMED: usize = 3;

impl Spent {
    /// Wall time without computing.
    pub fn idle(&self) -> Duration {
        self.wall.saturating_sub(self.cpu)
    }

    /// Its share of the processor time that it wanted while it was to act. A bot that sleeps wants none.
    pub fn cpu_share(&self) -> f64 {
        if self.waited < LEAST_WAIT {
            return 1.0;
        }
        self.cpu.as_secs_f64() / (self.cpu + self.waited).as_secs_f64()
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.wall += other.wall;
        self.cpu += other.cpu;
        self.idle_cpu += other.idle_cpu;
        self.waited += other.waited;
    }
}

/// The share of the processor time that a player wanted, over several games.
#[derive(Debug, Clone, Default)]
pub struct CpuShare {
    total: Spent,
    games: u64,
    low: u64,
    /// The first games with a low share.
    named: Vec<u64>,
}

impl CpuShare {
    pub fn add(&mut self, id: u64, spent: &Spent) {
        self.games += 1;
        self.total += *spent;
        if spent.cpu_share() < LOW_SHARE {
            self.low += 1;
            if self.named.len() < NAMED {
                self.named.push(id);
            }
        }
    }

    /// In words after the player's name; `None` if the share was low in no game.
    pub fn words(&self) -> Option<String> {
        let named: Vec<String> = self.named.iter().map(u64::to_string).collect();
        let more = match self.low - named.len() as u64 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (self.low > 0).then(|| {
            format!(
                "had {:.0} % of the processor time that it wanted, in {} of {} less than half ({}{more})",
                100.0 * self.total.cpu_share(),
                self.low,
                counted(self.games, "game", "games"),
                named.join(", ")
            )
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overrun {
    PerMove {
        limit: Duration,
        used: Duration,
    },
    /// The action exceeded the remaining per-game budget.
    PerGame {
        /// Budget left before this action.
        left: Duration,
        used: Duration,
    },
}

#[derive(Debug, Clone)]
pub struct Clock {
    left: Option<Duration>,
    played: u32,
}

impl Clock {
    pub fn new(control: &TimeControl) -> Self {
        Self {
            left: control.per_game,
            played: 0,
        }
    }

    /// Remaining per-game budget; `None`: unlimited.
    pub fn left(&self) -> Option<Duration> {
        self.left
    }

    /// Timeouts of the next answer, margin included.
    pub fn wait(&self, control: &TimeControl) -> Wait {
        let allowed = [self.left, control.per_move]
            .into_iter()
            .flatten()
            .min()
            .map(|limit| limit.saturating_add(control.margin));
        match control.measure {
            Measure::Wall => Wait {
                wall: allowed.map_or(control.wall_cap, |limit| limit.min(control.wall_cap)),
                cpu: None,
            },
            Measure::Cpu => Wait {
                wall: control.wall_cap,
                cpu: allowed,
            },
        }
    }

    /// Subtracts the time spent on an action, and adds the time gained by it.
    ///
    /// # Errors
    ///
    /// A limit was exceeded by more than the margin. Then nothing is added.
    pub fn charge(&mut self, control: &TimeControl, spent: Spent) -> Result<(), Overrun> {
        let used = match control.measure {
            Measure::Wall => spent.wall,
            Measure::Cpu => spent.cpu,
        };
        if let Some(limit) = control.per_move
            && used > limit.saturating_add(control.margin)
        {
            self.left = self.left.map(|left| left.saturating_sub(used));
            return Err(Overrun::PerMove { limit, used });
        }
        if let Some(left) = self.left {
            if used > left.saturating_add(control.margin) {
                self.left = Some(Duration::ZERO);
                return Err(Overrun::PerGame { left, used });
            }
            let gain = control.gain(self.played);
            self.left = Some(left.saturating_sub(used).saturating_add(gain));
        }
        self.played += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn control() -> TimeControl {
        TimeControl {
            measure: Measure::Wall,
            per_game: Some(100 * MS),
            period: None,
            increment: 10 * MS,
            per_move: Some(60 * MS),
            margin: 5 * MS,
            wall_cap: 1000 * MS,
        }
    }

    #[test]
    fn the_share_is_of_what_was_wanted_and_short_waits_say_nothing() {
        let waited = |cpu: u32, waited: u32| Spent {
            waited: Duration::from_millis(waited.into()),
            ..took(0, cpu)
        };
        let mut shares = CpuShare::default();
        for (id, cpu, wait, share) in [(0, 1, 999, 1.0), (1, 1000, 1000, 0.5), (2, 0, 1000, 0.0)] {
            let spent = waited(cpu, wait);
            assert_eq!(spent.cpu_share(), share, "{spent:?}");
            shares.add(id, &spent);
        }
        let words =
            "had 25 % of the processor time that it wanted, in 1 of 3 games less than half (2)";
        assert_eq!(shares.words().as_deref(), Some(words));
        (3..=5).for_each(|id| shares.add(id, &waited(1, 2000)));
        assert!(
            shares
                .words()
                .is_some_and(|words| words.ends_with("(2, 3, 4 and 1 more)"))
        );
        shares = CpuShare::default();
        shares.add(0, &waited(1000, 1000));
        assert_eq!(shares.words(), None);
    }

    fn took(wall: u32, cpu: u32) -> Spent {
        Spent {
            wall: wall * MS,
            cpu: cpu * MS,
            ..Spent::default()
        }
    }

    #[test]
    fn the_wait_is_the_tightest_limit_and_the_margin() {
        let mut control = control();
        let clock = Clock::new(&control);
        assert_eq!(clock.wait(&control).wall, 65 * MS);
        control.per_move = None;
        assert_eq!(clock.wait(&control).wall, 105 * MS);
        control.wall_cap = 50 * MS;
        assert_eq!(clock.wait(&control).wall, 50 * MS);
    }

    #[test]
    fn cpu_time_is_charged_where_it_counts() {
        let control = TimeControl {
            measure: Measure::Cpu,
            ..control()
        };
        let mut clock = Clock::new(&control);
        assert_eq!(
            clock.wait(&control),
            Wait {
                wall: 1000 * MS,
                cpu: Some(65 * MS)
            }
        );
        assert_eq!(clock.charge(&control, took(900, 20)), Ok(()));
        assert_eq!(clock.left(), Some(90 * MS));
    }
}
