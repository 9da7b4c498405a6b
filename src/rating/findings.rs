//! What a reader has to know beside the ratings: what the games cannot show, and what a rating hides.

use std::cmp::Reverse;

use super::covariance::{Estimate, Ratings};
use super::fit::ADVANTAGE_DEVIATION;
use super::groups;
use super::normal;
use super::standings::{Standings, Tally};

/// Players with fewer games than this are listed: their intervals, which assume the normal
/// distribution, are rough.
pub const FEW_GAMES: u64 = 20;

/// The probability that chance alone makes a cycle reported is at most this.
const CYCLE_CHANCE: f64 = 0.05;

/// How many cycles are listed. There can be a great many.
const MAX_CYCLES: usize = 10;

/// Three players, each of whom beats the next one beyond chance, and the last one the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycle(pub [usize; 3]);

/// What is worth knowing beside the ratings. Players are indices, ordered by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Findings {
    /// Groups of players who never met a player of another group; empty if all are connected.
    pub groups: Vec<Vec<usize>>,
    /// Tiers of players: the higher tier won every game between two tiers. Empty if there is only one
    /// in each group.
    pub tiers: Vec<Vec<usize>>,
    /// Players who won all their games.
    pub won_all: Vec<usize>,
    /// Players who lost all their games.
    pub lost_all: Vec<usize>,
    /// Players with fewer than [`FEW_GAMES`].
    pub few: Vec<usize>,
    /// Cycles beyond chance, at most ten.
    pub cycles: Vec<Cycle>,
    /// How many cycles there are.
    pub cycle_count: u64,
    /// Games that were won because the opponent forfeited.
    pub forfeit_wins: u64,
    /// Games that both players forfeited.
    pub forfeited_by_both: u64,
    /// Games that repeat an earlier one action by action.
    pub duplicates: u64,
    /// Whether the games do not separate the first seat's advantage from strength.
    pub seats_unclear: bool,
}

impl Findings {
    /// Looks through the games.
    pub fn new(standings: &Standings, ratings: &Ratings) -> Self {
        let players = standings.players();
        let mut tallies = vec![Tally::default(); players.len()];
        for meeting in standings.meetings() {
            let [a, b] = meeting.players;
            tallies[a] = tallies[a].plus(meeting.tally());
            tallies[b] = tallies[b].plus(meeting.tally().reversed());
        }
        let those = |keep: &dyn Fn(&Tally) -> bool| {
            let mut those = standings.by_name();
            those.retain(|player| keep(&tallies[*player]));
            those
        };
        let groups = by_size(standings, groups::connected(standings));
        let tiers = groups::tiers(standings);
        // Groups that never met are tiers too, and are reported as groups.
        let tiers = match tiers.len() > groups.len().max(1) {
            true => by_size(standings, tiers),
            false => Vec::new(),
        };
        let (cycles, cycle_count) = cycles(standings);
        Self {
            groups,
            tiers,
            won_all: those(&|tally| tally.games() > 0 && tally.wins == tally.games()),
            lost_all: those(&|tally| tally.games() > 0 && tally.losses == tally.games()),
            few: those(&|tally| tally.games() < FEW_GAMES),
            cycles,
            cycle_count,
            forfeit_wins: players.iter().map(|player| player.forfeit_wins).sum(),
            forfeited_by_both: standings
                .meetings()
                .iter()
                .map(|meeting| meeting.forfeited_by_both)
                .sum(),
            duplicates: standings.duplicates(),
            seats_unclear: seats_unclear(standings, ratings),
        }
    }
}

/// Groups from the largest down, each ordered by name; none if there is only one.
fn by_size(standings: &Standings, mut groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    if groups.len() < 2 {
        return Vec::new();
    }
    let name = |player: &usize| &standings.players()[*player].name;
    for group in &mut groups {
        group.sort_by_key(name);
    }
    groups.sort_by_key(|group| (Reverse(group.len()), group.first().map(name)));
    groups
}

/// Whether the advantage is hardly known because most players kept their seats.
fn seats_unclear(standings: &Standings, ratings: &Ratings) -> bool {
    let (mut kept, mut games) = (0, 0);
    for meeting in standings.meetings() {
        let [first, second] = meeting.by_seat.map(|tally| tally.games());
        kept += first.abs_diff(second);
        games += first + second;
    }
    let unknown = |advantage: Estimate| advantage.error > 0.5 * ADVANTAGE_DEVIATION;
    2 * kept > games && ratings.advantage().is_some_and(unknown)
}

/// Cycles of three players, and how many there are.
///
/// A meeting counts if it is so one-sided that between equal players not even one of all meetings would
/// be, with probability 1 - [`CYCLE_CHANCE`] (Bonferroni). Players who form no cycle in truth would need
/// at least one such meeting by chance.
fn cycles(standings: &Standings) -> (Vec<Cycle>, u64) {
    let met = standings.meetings().len();
    if met < 3 {
        return (Vec::new(), 0);
    }
    let z = normal::upper_quantile(CYCLE_CHANCE / met as f64 / 2.0);
    let by_name = standings.by_name();
    let players = by_name.len();
    let mut place = vec![0; players];
    for (at, player) in by_name.iter().enumerate() {
        place[*player] = at;
    }
    // A row of bits for each player, with a bit for each other: whom it beats, and who beats it.
    let words = players.div_ceil(64);
    let mut beats = vec![0_u64; words * players];
    let mut loses = beats.clone();
    let mut beaten = Vec::new();
    for meeting in standings.meetings() {
        let tally = meeting.tally();
        let games = tally.games() as f64;
        // Between equals every game that is not drawn is a coin toss.
        let decisive = (tally.wins + tally.losses) as f64;
        let excess = tally.points() - games / 2.0;
        if decisive == 0.0 || excess.abs() - 0.5 <= z * (decisive / 4.0).sqrt() {
            continue;
        }
        let [a, b] = meeting.players.map(|player| place[player]);
        let (winner, loser) = if excess > 0.0 { (a, b) } else { (b, a) };
        beats[winner * words + loser / 64] |= 1 << (loser % 64);
        loses[loser * words + winner / 64] |= 1 << (winner % 64);
        beaten.push((winner, loser));
    }
    beaten.sort_unstable();
    let (mut cycles, mut count) = (Vec::new(), 0);
    for (a, b) in beaten {
        for word in 0..words {
            let mut third = beats[b * words + word] & loses[a * words + word];
            while third != 0 {
                let c = 64 * word + third.trailing_zeros() as usize;
                third &= third - 1;
                // Each cycle is found from each of its three players, and counted from the first by name.
                if a < b && a < c {
                    count += 1;
                    if cycles.len() < MAX_CYCLES {
                        cycles.push(Cycle([a, b, c].map(|at| by_name[at])));
                    }
                }
            }
        }
    }
    (cycles, count)
}
