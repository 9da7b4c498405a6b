//! What a student's games in a test came to.

use std::collections::BTreeMap;
use std::path::Path;

use crate::game::Seat;
use crate::grade::config::Points;
use crate::grade::error::GradeError;
use crate::rating::{MarkedGame, MarkedPair, TestGames};
use crate::record::{GameRow, Run};

/// The games of a student in a test.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The games by opponent, in pairs.
    pub games: TestGames,
    /// The games of the run with a smaller number count.
    pub end: u64,
    /// How many games there are.
    pub count: u64,
    /// The points of all games.
    pub points: f64,
    /// How many games the student forfeited, by the termination.
    pub forfeits: BTreeMap<&'static str, u64>,
    /// How many games the opponent alone forfeited.
    pub reference_forfeits: u64,
    /// How many games differ from each other: two that agree in players and all actions are one.
    pub different: u64,
    /// How many games could not be played.
    pub set_aside: u64,
    /// Why no more games can be played, where something is not as it was.
    pub problem: Option<String>,
}

/// The two games of a pair, as far as they were played, by the index of the opponent and the number of the pair.
type Pairs = BTreeMap<(usize, u64), Vec<MarkedGame>>;

/// What the first games of a run came to for the player of that name: so many against each opponent. Further games,
/// of a grading that wanted more, do not count. A run that is not there has no games.
///
/// # Errors
/// The run cannot be read.
pub fn outcome(
    path: &Path,
    player: &str,
    wanted: u32,
    points: &Points,
) -> Result<Outcome, GradeError> {
    let mut outcome = Outcome::default();
    if !path.exists() {
        return Ok(outcome);
    }
    let run = Run::open(path)?;
    let names = run.player_names();
    let opponents: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| *name != player)
        .collect();
    // A gauntlet plays a pair against each opponent, then the next one: its first games are the same, however many
    // there are.
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
        let forfeited = row.end.blame.includes(seat);
        outcome.reference_forfeits += u64::from(!forfeited && row.end.blame.includes(seat.other()));
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

/// The seat of a player in a game, and who sat opposite.
fn seat_of<'a>(row: &'a GameRow, player: &str) -> Option<(Seat, &'a str)> {
    let names = row.names();
    let seat = Seat::BOTH
        .into_iter()
        .find(|seat| names[seat.index()] == player)?;
    Some((seat, names[seat.other().index()]))
}
