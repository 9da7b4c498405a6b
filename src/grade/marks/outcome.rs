//! Outcome of a student's games in a test.

use std::collections::BTreeMap;
use std::path::Path;

use crate::game::{Games, Seat};
use crate::grade::config::Points;
use crate::grade::error::GradeError;
use crate::grade::scheme::{MarkedGame, MarkedPair, TestGames};
use crate::runs::{GameRow, Run};

/// Reason why a person has to look before a mark counts, although there is a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// Some games could not be played on this machine.
    SetAside,
    /// A reference forfeited at least half of the games of a test.
    Reference,
    /// No more games can be played, as something has changed.
    Changed,
    /// No game of a test was played.
    Unplayed,
    /// The members of the team have different marks by hand.
    UnequalByHand,
}

/// Outcome of a student's games in a test.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Games by opponent, in pairs.
    pub games: TestGames,
    /// Games of the run with a smaller number count.
    pub end: u64,
    /// Number of games.
    pub count: u64,
    /// Points of all games.
    pub points: f64,
    /// Number of games forfeited by the student, by termination.
    pub forfeits: BTreeMap<&'static str, u64>,
    /// Number of games forfeited by the opponent alone.
    pub reference_forfeits: u64,
    /// Number of distinct games: games with equal players and actions count once.
    pub different: u64,
    /// Number of games that could not be played.
    pub set_aside: u64,
    /// Reason why no more games can be played, if something has changed.
    pub problem: Option<String>,
}

impl Outcome {
    /// Reasons to hold the mark.
    pub fn holds(&self) -> impl Iterator<Item = Hold> {
        let lacks_opponent = self.count > 0 && 2 * self.reference_forfeits >= self.count;
        let holds = [
            (Hold::SetAside, self.set_aside > 0),
            (Hold::Reference, lacks_opponent),
            (Hold::Changed, self.problem.is_some()),
            (
                Hold::Unplayed,
                self.count == 0 && self.set_aside == 0 && self.problem.is_none(),
            ),
        ];
        let held = holds.into_iter().filter(|(_, is_held)| *is_held);
        held.map(|(hold, _)| hold)
    }
}

/// Games of a pair played so far, by index of the opponent and number of the pair.
type Pairs = BTreeMap<(usize, u64), Vec<MarkedGame>>;

/// Outcome of the first games in a run for this player: `wanted` games per opponent. Further games, from a
/// grading with more, do not count. A missing run has no games.
///
/// # Errors
/// The run cannot be read.
pub fn outcome(
    path: &Path,
    player: &str,
    wanted: u32,
    points: &Points,
    games: Games,
) -> Result<Outcome, GradeError> {
    let mut outcome = Outcome::default();
    if !path.exists() {
        return Ok(outcome);
    }
    let run = Run::open(path, games)?;
    let names = run.player_names();
    let opponents: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| *name != player)
        .collect();
    // A gauntlet cycles through the opponents, one pair each: the first games are equal for any total number.
    outcome.end = u64::from(wanted) * opponents.len() as u64;
    let mut pairs = Pairs::new();
    let mut seen = std::collections::BTreeSet::new();
    for row in run.rows()? {
        let row = row?;
        if row.id >= outcome.end {
            continue;
        }
        let Some((seat, opponent)) = seat_of(&row, player) else {
            continue;
        };
        let Some(opponent) = opponents.iter().position(|name| *name == opponent) else {
            continue;
        };
        let forfeited = row.end.blame().includes(seat);
        outcome.reference_forfeits +=
            u64::from(!forfeited && row.end.blame().includes(seat.other()));
        let worth = points.of(&row, seat);
        outcome.count += 1;
        outcome.points += worth;
        if forfeited {
            *outcome
                .forfeits
                .entry(row.end.termination.name())
                .or_default() += 1;
        }
        seen.insert((opponent, seat.index(), row.actions_digest.clone()));
        pairs
            .entry((opponent, row.pair))
            .or_default()
            .push(MarkedGame {
                points: worth,
                forfeited,
            });
    }
    outcome.different = seen.len() as u64;
    let set_aside = run.set_aside()?;
    outcome.set_aside = set_aside
        .iter()
        .filter(|game| game.id < outcome.end)
        .count() as u64;
    outcome.games.opponents = vec![Vec::new(); opponents.len()];
    for ((opponent, _), games) in pairs {
        let mut games = games.into_iter();
        if let Some(first) = games.next() {
            outcome.games.opponents[opponent].push(MarkedPair::new(first, games.next()));
        }
    }
    Ok(outcome)
}

/// Seat of a player in a game, and the opponent.
fn seat_of<'a>(row: &'a GameRow, player: &str) -> Option<(Seat, &'a str)> {
    let names = row.names();
    let seat = names.find(|name| *name == player)?;
    Some((seat, names[seat.other()]))
}
