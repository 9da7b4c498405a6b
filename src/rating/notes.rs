//! What the games cannot tell, or tell in a way that a rating hides.

use super::covariance::Ratings;
use super::fit::ADVANTAGE_DEVIATION;
use super::groups;
use super::normal;
use super::standings::Standings;

/// Players with fewer games than this are named as such: an interval that counts on the normal
/// distribution is rough there.
pub const FEW_GAMES: u64 = 20;

/// How likely it may be that chance alone makes a cycle reported.
const CYCLE_CHANCE: f64 = 0.05;

/// How many cycles are listed; there may be a great many.
const CYCLES_LISTED: usize = 10;

/// Three players of whom each beats the next beyond chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycle(pub [usize; 3]);

/// What is worth knowing beside the ratings. Players are indices, ordered by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Findings {
    /// Groups of players who never met one of another group; empty where all are connected.
    pub groups: Vec<Vec<usize>>,
    /// Tiers between which all results are one way, where there is more than one in a group.
    pub tiers: Vec<Vec<usize>>,
    /// Who won all of its games.
    pub won_all: Vec<usize>,
    /// Who lost all of its games.
    pub lost_all: Vec<usize>,
    /// Who has fewer than [`FEW_GAMES`].
    pub few: Vec<usize>,
    /// Cycles beyond chance, some of them where there are many.
    pub cycles: Vec<Cycle>,
    /// How many there are.
    pub cycle_count: u64,
    /// Games that a player lost by its own fault, and games that both did.
    pub forfeited: [u64; 2],
    /// Games that repeat another action by action.
    pub duplicates: u64,
    /// The games hardly tell the first seat's advantage from strength.
    pub seats_unclear: bool,
}

/// Looks through the games.
pub fn find(standings: &Standings, ratings: &Ratings) -> Findings {
    let lines = standings.lines();
    let by_name = |mut players: Vec<usize>| {
        players.sort_by_key(|player| &lines[*player].name);
        players
    };
    let mut decided = vec![super::Tally::default(); lines.len()];
    let (mut both, mut gifts) = (0, 0);
    for meeting in standings.meetings() {
        let [a, b] = meeting.players;
        decided[a] = decided[a].plus(meeting.decided());
        decided[b] = decided[b].plus(meeting.decided().reversed());
        both += meeting.forfeited_by_both;
    }
    gifts += lines.iter().map(|line| line.gifts).sum::<u64>();
    let those = |keep: &dyn Fn(&super::Tally) -> bool| {
        by_name(
            (0..lines.len())
                .filter(|player| keep(&decided[*player]))
                .collect(),
        )
    };
    let sorted = |groups: Vec<Vec<usize>>| -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = groups.into_iter().map(by_name).collect();
        groups.sort_by_key(|group| {
            let first = group.first().map(|player| &lines[*player].name);
            (std::cmp::Reverse(group.len()), first)
        });
        if groups.len() > 1 { groups } else { Vec::new() }
    };
    let groups = sorted(groups::connected(standings));
    let tiers = groups::tiers(standings);
    // Groups that never met are tiers too, and are reported as groups.
    let tiers = if tiers.len() > groups.len().max(1) {
        sorted(tiers)
    } else {
        Vec::new()
    };
    let (cycles, cycle_count) = cycles(standings);
    Findings {
        groups,
        tiers,
        won_all: those(&|tally| tally.games() > 0 && tally.wins == tally.games()),
        lost_all: those(&|tally| tally.games() > 0 && tally.losses == tally.games()),
        few: those(&|tally| tally.games() < FEW_GAMES),
        cycles,
        cycle_count,
        forfeited: [gifts, both],
        duplicates: standings.duplicates(),
        seats_unclear: seats_unclear(standings, ratings),
    }
}

/// Whether the advantage is hardly known, because most players kept their seats.
fn seats_unclear(standings: &Standings, ratings: &Ratings) -> bool {
    let (mut kept, mut games) = (0, 0);
    for meeting in standings.meetings() {
        let [first, second] = meeting.seated.map(|tally| tally.games());
        kept += first.abs_diff(second);
        games += first + second;
    }
    let unknown = |advantage: super::Estimate| advantage.error > 0.5 * ADVANTAGE_DEVIATION;
    2 * kept > games && ratings.advantage().is_some_and(unknown)
}

/// Cycles of three, of meetings that are each beyond chance.
///
/// A meeting counts where its score, by its own variance, is further from even than chance takes
/// one of all meetings in [`CYCLE_CHANCE`] of cases (Bonferroni): a cycle without any such meeting in
/// truth would need one to be a false one.
fn cycles(standings: &Standings) -> (Vec<Cycle>, u64) {
    let lines = standings.lines();
    let met = standings.meetings().len();
    if met < 3 {
        return (Vec::new(), 0);
    }
    let z = normal::upper_quantile(CYCLE_CHANCE / met as f64 / 2.0);
    let mut place = vec![0; lines.len()];
    let mut by_name: Vec<usize> = (0..lines.len()).collect();
    by_name.sort_by_key(|player| &lines[*player].name);
    for (at, player) in by_name.iter().enumerate() {
        place[*player] = at;
    }
    let words = lines.len().div_ceil(64);
    let mut beats = vec![0_u64; words * lines.len()];
    let mut loses = beats.clone();
    let mut beaten = Vec::new();
    for meeting in standings.meetings() {
        let tally = meeting.decided();
        let games = tally.games() as f64;
        // Under even play every game that is not drawn is a coin's.
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
                // Each cycle is found from each of its three; it is told from the first by name.
                if a < b && a < c {
                    count += 1;
                    if cycles.len() < CYCLES_LISTED {
                        cycles.push(Cycle([a, b, c].map(|at| by_name[at])));
                    }
                }
            }
        }
    }
    (cycles, count)
}
