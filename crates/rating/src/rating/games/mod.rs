//! Results of games: by player, by block, and of each two players.

mod blocks;
mod counter;
mod kind;
mod match_score;
mod means;
mod standings;

pub use blocks::{Blocks, ByPlace, CountedBlock, Group, SeatPlaces};
pub use kind::{Choice, GameKind};
pub use match_score::{MatchScore, moments};
pub use means::BlockMean;
pub use standings::{GameCounter, PlayerStanding, RatedGame, Standings, Totals};

use crate::game::{GameResult, Seat};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meeting {
    /// The indices of the two, the lower one first.
    pub players: [usize; 2],
    /// The results of `players[0]` in the first seat, and in the second seat, without games that both forfeited.
    pub by_seat: [Tally; 2],
    /// Game pairs, by the score of `players[0]` in the first seat and in the second. Their games are in `by_seat`, too.
    pub pairs: [[u64; 3]; 3],
}

impl Meeting {
    pub fn tally(&self) -> Tally {
        self.by_seat[0].plus(self.by_seat[1])
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WinDrawLoss {
    Loss = 0,
    Draw = 1,
    Win = 2,
}

impl WinDrawLoss {
    pub const ALL: [WinDrawLoss; 3] = [WinDrawLoss::Loss, WinDrawLoss::Draw, WinDrawLoss::Win];

    /// The score of the first seat; `None` if both players forfeited.
    pub fn of_first(result: GameResult) -> Option<Self> {
        match result {
            GameResult::Won(Seat::FIRST) => Some(WinDrawLoss::Win),
            GameResult::Won(_) => Some(WinDrawLoss::Loss),
            GameResult::Drawn => Some(WinDrawLoss::Draw),
            // Games of more than two have places, and no score of the first seat.
            GameResult::Nobody | GameResult::Placed(_) => None,
        }
    }

    pub fn as_result(self) -> GameResult {
        match self {
            WinDrawLoss::Win => GameResult::Won(Seat::FIRST),
            WinDrawLoss::Draw => GameResult::Drawn,
            WinDrawLoss::Loss => GameResult::Won(Seat::SECOND),
        }
    }

    pub fn points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }

    pub fn reversed(self) -> Self {
        match self {
            WinDrawLoss::Loss => WinDrawLoss::Win,
            WinDrawLoss::Draw => WinDrawLoss::Draw,
            WinDrawLoss::Win => WinDrawLoss::Loss,
        }
    }
}

/// Results of one player against another, or against all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    /// Games lost, including those that both players forfeited.
    pub losses: u64,
}

impl Tally {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    pub fn add(&mut self, score: WinDrawLoss, count: u64) {
        match score {
            WinDrawLoss::Win => self.wins += count,
            WinDrawLoss::Draw => self.draws += count,
            WinDrawLoss::Loss => self.losses += count,
        }
    }

    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

/// The difference in Elo at which the classical curve expects this score; infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Groups of players. Within a group, all are connected by chains of games.
pub fn connected(standings: &Standings) -> Vec<Vec<usize>> {
    let count = standings.players().len();
    let met = || {
        let met = standings
            .blocks()
            .met()
            .filter(|(_, tally)| tally.games() > 0);
        met.flat_map(|([a, b], _)| [[a, b], [b, a]])
    };
    let to = Neighbours::new(count, met);
    let mut seen = vec![false; count];
    (0..count)
        .filter_map(|start| {
            let mut group = Vec::new();
            visit(start, &to, &mut seen, &mut group);
            group.sort_unstable();
            (!group.is_empty()).then_some(group)
        })
        .collect()
}

/// Tiers of players. Within a tier, each player has scored against each other one, directly or through
/// a chain of players. Between two tiers, one won all games. (Ford, American Mathematical Monthly
/// 64(8), 1957: maximum likelihood is finite only within one tier.)
///
/// These are the strongly connected components of the graph of points, by Kosaraju's algorithm.
pub fn tiers(standings: &Standings) -> Vec<Vec<usize>> {
    let count = standings.players().len();
    let wins = || {
        let met = standings.blocks().met();
        let both = met.flat_map(|([a, b], tally)| [([a, b], tally), ([b, a], tally.reversed())]);
        both.filter(|(_, tally)| tally.points() > 0.0)
            .map(|(players, _)| players)
    };
    let to = Neighbours::new(count, wins);
    let mut seen = vec![false; count];
    let mut postorder = Vec::with_capacity(count);
    for start in 0..count {
        visit(start, &to, &mut seen, &mut postorder);
    }
    drop(to);
    let from = Neighbours::new(count, || wins().map(|[winner, loser]| [loser, winner]));
    seen.fill(false);
    postorder
        .into_iter()
        .rev()
        .filter_map(|start| {
            let mut tier = Vec::new();
            visit(start, &from, &mut seen, &mut tier);
            tier.sort_unstable();
            (!tier.is_empty()).then_some(tier)
        })
        .collect()
}

struct Neighbours {
    /// The end of the neighbours of each player in `all`.
    ends: Vec<usize>,
    all: Vec<u32>,
}

impl Neighbours {
    fn new<I: Iterator<Item = [usize; 2]>>(players: usize, edges: impl Fn() -> I) -> Self {
        let mut ends = vec![0; players];
        edges().for_each(|[from, _]| ends[from] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        // Now they are where each one's neighbours begin, and move on to their ends.
        let mut all = vec![0; sum];
        for [from, to] in edges() {
            all[ends[from]] = to as u32;
            ends[from] += 1;
        }
        Self { ends, all }
    }

    fn of(&self, player: usize) -> &[u32] {
        let start = player.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[player]]
    }
}

/// A depth-first search. Adds the reached players that were not seen before, in postorder.
fn visit(start: usize, to: &Neighbours, seen: &mut [bool], postorder: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((player, next)) = path.last_mut() {
        match to.of(*player).get(*next) {
            Some(other) => {
                *next += 1;
                let other = *other as usize;
                if !std::mem::replace(&mut seen[other], true) {
                    path.push((other, 0));
                }
            }
            None => {
                postorder.push(*player);
                path.pop();
            }
        }
    }
}
