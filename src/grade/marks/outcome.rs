//! Outcome of a student's games in a test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::game::{Games, PerSeat, Seat};
use crate::grade::config::PointScheme;
use crate::grade::error::GradeError;
use crate::grade::scheme::{MarkedBlock, MarkedGame, TestGames};
use crate::runs::Run;
use crate::schedule::NextGame;

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
    /// Games by seating of opponents, in blocks.
    pub games: TestGames,
    /// Games of the run with a smaller number count.
    pub end: u64,
    /// Number of games.
    pub count: u64,
    /// Points of all games.
    pub points: f64,
    /// Number of games forfeited by the student, by termination.
    pub forfeits: BTreeMap<&'static str, u64>,
    /// Number of games forfeited by opponents alone.
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

/// Indices of the opponents of a seating, in order.
type Opponents = Vec<usize>;

/// Outcome of the first games in a run for this player: `wanted` games per seating of opponents. Further games, from a
/// grading with more, do not count. A missing run has no games.
///
/// # Errors
/// The run cannot be read.
pub fn outcome(
    path: &Path,
    player: &str,
    wanted: u32,
    points: &PointScheme,
    games: Games,
) -> Result<Outcome, GradeError> {
    let mut outcome = Outcome::default();
    if !path.exists() {
        return Ok(outcome);
    }
    let run = Run::open(path, games)?;
    let names = run.player_names();
    let seatings = seatings(&run, player);
    // A gauntlet goes through the seatings, one block each: the first games are equal for any total number.
    outcome.end = u64::from(wanted) * seatings.len() as u64;
    let mut blocks: BTreeMap<(Opponents, u64), Vec<MarkedGame>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for row in run.rows()? {
        let row = row?;
        if row.id >= outcome.end {
            continue;
        }
        let at = |name: &str| names.iter().position(|known| *known == name);
        let at: Option<PerSeat<usize>> = row.names().values().map(|name| at(name)).collect();
        let Some((seat, seating)) = at.and_then(|at| seat_and_opponents(&at, &names, player))
        else {
            continue;
        };
        let blamed = row.end.blamed();
        let forfeited = blamed.contains(seat);
        outcome.reference_forfeits += u64::from(!forfeited && !blamed.is_empty());
        let worth = points.of(&row, seat);
        outcome.count += 1;
        outcome.points += worth;
        if forfeited {
            *outcome
                .forfeits
                .entry(row.end.counted_termination(seat).name())
                .or_default() += 1;
        }
        seen.insert((seating.clone(), seat.index(), row.actions_digest.clone()));
        blocks
            .entry((seating, row.block))
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
    let mut games: BTreeMap<Opponents, Vec<MarkedBlock>> = seatings
        .into_iter()
        .map(|seating| (seating, Vec::new()))
        .collect();
    for ((seating, _), block) in blocks {
        if let Some(blocks) = games.get_mut(&seating) {
            blocks.push(MarkedBlock::new(block));
        }
    }
    outcome.games.opponents = games.into_values().collect();
    Ok(outcome)
}

/// The seatings of opponents that a player meets in a gauntlet.
fn seatings(run: &Run, player: &str) -> BTreeSet<Opponents> {
    let names = run.player_names();
    let mut seatings = BTreeSet::new();
    for mut schedule in run.schedules() {
        while let NextGame::Issue(ticket) = schedule.next() {
            let seating = seat_and_opponents(&ticket.players, &names, player);
            seatings.extend(seating.map(|(_, seating)| seating));
        }
    }
    seatings
}

/// Seat of a player in a game of these players, by index, and its opponents.
fn seat_and_opponents(
    at: &PerSeat<usize>,
    names: &[&str],
    player: &str,
) -> Option<(Seat, Opponents)> {
    let seat = at.find(|at| names[*at] == player)?;
    let others = at.iter().filter(|(other, _)| *other != seat);
    let mut seating: Opponents = others.map(|(_, at)| *at).collect();
    seating.sort_unstable();
    Some((seat, seating))
}
