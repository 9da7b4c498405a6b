//! The outcome of a test: what a candidate's games are worth, and why a person has to look.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::clock::{CpuShare, Measure, TimeControl};
use crate::config::PlannedGame;
use crate::game::{PerSeat, Seat};
use crate::grade::config::{Grading, PointScheme, Test};
use crate::grade::error::GradeError;
use crate::grade::scheme::{MarkedBlock, MarkedGame, TestGames};
use crate::referee::Termination;
use crate::runs::{GameRow, Run, hex};
use crate::schedule::NextGame;
use crate::text::counted;

/// Forfeits in a row, from the first game of a test on and by one termination, after which the test ends.
const FORFEITS_TO_END: u64 = 10;

/// Number of games to play before it is known whether a test ends early, per seating of opponents.
pub fn first_portion(test: &Test) -> u32 {
    let seats = test.seats() as u32;
    let games = FORFEITS_TO_END.div_ceil(test.seatings().into()) as u32;
    games.div_ceil(seats) * seats
}

/// The termination by which a test ends early after a number of games, given the student's forfeits by termination.
/// Where seats leave, a forfeit may be worth points, so such a test has all its games.
pub fn ends_early(
    game: &PlannedGame,
    games: u64,
    forfeits: &BTreeMap<&'static str, u64>,
) -> Option<&'static str> {
    let (termination, count) = forfeits.first_key_value()?;
    (!game.drops && games >= FORFEITS_TO_END && *count == games).then_some(*termination)
}

/// Early end of a test. The games that were not played count as forfeited.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlyEnd {
    pub played: u64,
    pub unplayed: u64,
    pub termination: &'static str,
}

impl fmt::Display for EarlyEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = counted(self.unplayed, "other game counts", "other games count");
        write!(
            f,
            "the test ended after {} forfeits in a row by {}, and its {others} as forfeited, too",
            self.played, self.termination
        )
    }
}

#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Games by seating of opponents, in blocks.
    pub games: TestGames,
    /// Games of the run with a smaller number count.
    pub end: u64,
    pub count: u64,
    pub points: f64,
    pub forfeits: BTreeMap<&'static str, u64>,
    pub reference_forfeits: u64,
    /// Number of distinct games: games with equal players and actions count once.
    pub different: u64,
    /// A digest of the games, without their times: equal where a mark differs by the scheme alone.
    pub digest: String,
    pub early_end: Option<EarlyEnd>,
    pub cpu_share: CpuShare,
    pub set_aside: u64,
    /// Reason why no more games can be played, if something has changed.
    pub problem: Option<String>,
}

impl Outcome {
    fn add_unplayed(&mut self, run: &Run, wanted: u32, points: &PointScheme) {
        let schedules = run.schedules();
        let planned = schedules.iter().map(|it| it.count().exactly().unwrap_or(0));
        let (planned, played) = (planned.sum::<u64>(), self.count);
        let (Some(game), true) = (run.games().first(), played == planned) else {
            return;
        };
        let early = ends_early(game, played, &self.forfeits);
        let unplayed = self.end.saturating_sub(played);
        let Some(termination) = early.filter(|_| unplayed > 0) else {
            return;
        };
        let seats = game.game().seat_count();
        let forfeit = MarkedGame {
            points: points.loss,
            forfeited: true,
        };
        for blocks in &mut self.games.opponents {
            let whole = wanted as usize / seats;
            blocks.resize(
                whole.max(blocks.len()),
                MarkedBlock::new(vec![forfeit; seats]),
            );
        }
        self.count += unplayed;
        self.points += unplayed as f64 * points.loss;
        *self.forfeits.entry(termination).or_default() += unplayed;
        self.early_end = Some(EarlyEnd {
            played,
            unplayed,
            termination,
        });
    }

    /// Whether a person has to look before the mark counts, although there is a bot.
    pub fn is_held(&self) -> bool {
        // Without a game, this holds too.
        let lacks_opponent = 2 * self.reference_forfeits >= self.count;
        self.set_aside > 0 || self.problem.is_some() || lacks_opponent
    }

    /// Whether the program forfeited every game by one termination: that is no chance, which a repetition could change.
    pub fn is_one_forfeit(&self) -> bool {
        let counts: Vec<u64> = self.forfeits.values().copied().collect();
        counts == [self.count]
    }

    pub fn is_unplayed(&self) -> bool {
        self.count == 0 && self.set_aside == 0 && self.problem.is_none()
    }
}

type Opponents = Vec<usize>;

/// Outcome of the first games in a run for this player: `wanted` games per seating of opponents. Further games, from a
/// grading with more, do not count. A missing run has no games.
pub fn outcome(
    grading: &Grading,
    path: &Path,
    player: &str,
    wanted: u32,
) -> Result<Outcome, GradeError> {
    let points = &grading.points;
    let mut outcome = Outcome::default();
    if !path.exists() {
        return Ok(outcome);
    }
    let run = Run::open(path, grading.known_games)?;
    let names = run.player_names();
    let seatings = seatings(&run, player);
    // A gauntlet goes through the seatings, one block each: the first games are equal for any total number.
    outcome.end = u64::from(wanted) * seatings.len() as u64;
    let mut blocks: BTreeMap<(Opponents, u64), Vec<MarkedGame>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut played = BTreeSet::new();
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
        let result = row.game.result_name(row.end.result);
        let end = row.end.termination.name();
        played.insert(format!(
            "{} {result} {end} {}\n",
            row.id, row.actions_digest
        ));
        let forfeiters = row.end.forfeiters();
        let forfeited = forfeiters.contains(seat);
        outcome.reference_forfeits += u64::from(!forfeited && !forfeiters.is_empty());
        let worth = points.of(&row, seat);
        outcome.count += 1;
        outcome.points += worth;
        if waiting_matters(&row, seat, run.manifest().time_of(player)) {
            outcome.cpu_share.add(row.id, &row.end.spent[seat]);
        }
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
    outcome.digest = hex(&Sha256::digest(String::from_iter(played))[..8]);
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
    outcome.add_unplayed(&run, wanted, points);
    Ok(outcome)
}

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

/// Whether a wait for the processor can decide a game for a seat: on a clock of processor time only where the limits on the
/// wall ended it, at the handshake or at the cap of an action.
pub fn waiting_matters(row: &GameRow, seat: Seat, time: &TimeControl) -> bool {
    let by_wall = [Termination::Handshake, Termination::Stall];
    time.measure == Measure::Wall
        || row.end.forfeiters().contains(seat) && by_wall.contains(&row.end.termination_for(seat))
}

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
