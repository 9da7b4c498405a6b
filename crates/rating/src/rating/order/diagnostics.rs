//! Diagnostics of rated games: limits of the evidence, and facts that a rating hides.

use std::cmp::Reverse;

use super::Misfit;
use crate::game::Seat;
use crate::rating::games::{self, Standings};
use crate::rating::intervals::Ratings;
use crate::rating::model::{ADVANTAGE_DEVIATION, Estimate};

/// Players with fewer games are listed: their intervals assume the normal distribution and are rough.
pub const FEW_GAMES: u64 = 20;

/// Facts beside the ratings. Players are indices, ordered by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Diagnostics {
    /// Groups of players who never met a player of another group; empty if all are connected.
    pub groups: Vec<Vec<usize>>,
    /// Tiers of players: the higher tier won every game between two tiers. Empty if there is only one
    /// in each group.
    pub tiers: Vec<Vec<usize>>,
    pub won_all: Vec<usize>,
    pub lost_all: Vec<usize>,
    pub few: Vec<usize>,
    /// Evidence that strengths do not explain the results between players.
    pub misfit: Option<Misfit>,
    pub forfeit_wins: u64,
    pub forfeited_by_all: u64,
    /// Games that repeat an earlier one action by action.
    pub duplicates: u64,
    pub seat_won_all: Option<Seat>,
    /// Whether the games do not separate the first seat's advantage from strength.
    pub seats_unclear: bool,
}

impl Diagnostics {
    pub fn new(standings: &Standings, ratings: &Ratings) -> Self {
        let players = standings.players();
        let tallies = standings.blocks().tallies(players.len());
        let players_with = |keep: &dyn Fn(usize) -> bool| -> Vec<usize> {
            (0..players.len()).filter(|player| keep(*player)).collect()
        };
        let groups = by_size(games::connected(standings));
        let tiers = games::tiers(standings);
        // Groups that never met are tiers too, and are reported as groups.
        let tiers = if tiers.len() > groups.len().max(1) {
            by_size(tiers)
        } else {
            Vec::new()
        };
        Self {
            groups,
            tiers,
            won_all: players_with(&|at| {
                tallies[at].games() > 0 && tallies[at].wins == tallies[at].games()
            }),
            lost_all: players_with(&|at| {
                tallies[at].games() > 0 && tallies[at].losses == tallies[at].games()
            }),
            few: players_with(&|at| players[at].tally.games() < FEW_GAMES),
            misfit: Misfit::found(standings, ratings),
            forfeit_wins: players.iter().map(|player| player.forfeit_wins).sum(),
            forfeited_by_all: standings.totals().forfeited_by_all,
            duplicates: standings.totals().duplicates,
            seat_won_all: seat_won_all(standings),
            seats_unclear: seats_unclear(standings, ratings),
        }
    }
}

/// Groups from the largest down, each ordered by name; none if there is only one.
fn by_size(mut groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    if groups.len() < 2 {
        return Vec::new();
    }
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_by_key(|group| (Reverse(group.len()), group.first().copied()));
    groups
}

/// The seat that won all games of two, of at least [`FEW_GAMES`].
fn seat_won_all(standings: &Standings) -> Option<Seat> {
    let first = standings.blocks().of_first_seat();
    match first.games() {
        few if few < FEW_GAMES => None,
        all if first.wins == all => Some(Seat::FIRST),
        all if first.losses == all => Some(Seat::SECOND),
        _ => None,
    }
}

/// Whether the advantage is hardly known because most players kept their seats.
fn seats_unclear(standings: &Standings, ratings: &Ratings) -> bool {
    let (mut kept, mut games) = (0, 0);
    for meeting in standings.blocks().meetings() {
        let [first, second] = meeting.by_seat.map(|tally| tally.games());
        kept += first.abs_diff(second);
        games += first + second;
    }
    let unknown = |advantage: Estimate| advantage.error > 0.5 * ADVANTAGE_DEVIATION;
    2 * kept > games && ratings.advantage().is_some_and(unknown)
}
