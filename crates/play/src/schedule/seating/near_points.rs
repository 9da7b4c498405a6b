//! Rounds for games of more than two seats: players with similar points sit together.

use super::{Meetings, pairs};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    /// Players of each seating, best first.
    pub seatings: Vec<Vec<usize>>,
    pub byes: Vec<usize>,
}

/// Seats the players of a round, `seats` at a time, given the points, the byes so far and the meetings. Points are whole
/// numbers, so that their sum does not depend on the order of results.
///
/// The players that are left over have a bye: players with the fewest byes, and of these the last ones in the
/// ranking. The others sit in the order of the ranking, and then change places while this lowers the number of
/// repeated meetings, or brings players with nearer points together at an equal number. Equal points are
/// ordered by the number of the player.
pub fn seat_round(seats: usize, points: &[u64], byes: &[u32], meetings: &Meetings) -> Round {
    let players = points.len();
    let mut ranking: Vec<usize> = (0..players).collect();
    ranking.sort_by_key(|player| std::cmp::Reverse(points[*player]));
    let mut last: Vec<usize> = ranking.iter().rev().copied().collect();
    last.sort_by_key(|player| byes[*player]);
    last.truncate(players % seats);
    ranking.retain(|player| !last.contains(player));
    let mut rank = vec![0; players];
    for at in 1..ranking.len() {
        let [before, player] = [ranking[at - 1], ranking[at]];
        let is_equal = points[before] == points[player];
        rank[player] = if is_equal { rank[before] } else { at as u64 };
    }
    let mut seatings: Vec<Vec<usize>> = ranking.chunks(seats).map(<[usize]>::to_vec).collect();
    let exchange = Exchange { meetings, rank };
    while exchange.improve(&mut seatings) {}
    Round {
        seatings,
        byes: last,
    }
}

struct Exchange<'a> {
    meetings: &'a Meetings,
    rank: Vec<u64>,
}

impl Exchange<'_> {
    /// Exchanges players of two seatings wherever this lowers their cost. Returns whether any were.
    fn improve(&self, seatings: &mut [Vec<usize>]) -> bool {
        let mut changed = false;
        for one in 0..seatings.len() {
            for other in one + 1..seatings.len() {
                let (before, after) = seatings.split_at_mut(other);
                changed |= self.of_two(&mut before[one], &mut after[0]);
            }
        }
        changed
    }

    fn of_two(&self, one: &mut [usize], other: &mut [usize]) -> bool {
        let mut changed = false;
        let mut cost = self.cost(one, other);
        for seat in 0..one.len() {
            for place in 0..other.len() {
                std::mem::swap(&mut one[seat], &mut other[place]);
                let trial = self.cost(one, other);
                if trial < cost {
                    cost = trial;
                    changed = true;
                } else {
                    std::mem::swap(&mut one[seat], &mut other[place]);
                }
            }
        }
        changed
    }

    /// The cost of two seatings. Earlier meetings count first, squared, so that they spread over many opponents. The
    /// distances between ranks count second, squared too.
    fn cost(&self, one: &[usize], other: &[usize]) -> (u64, u64) {
        let mut cost = (0, 0);
        for [player, opponent] in pairs(one).chain(pairs(other)) {
            let met = u64::from(self.meetings.of(player, opponent));
            let apart = self.rank[player].abs_diff(self.rank[opponent]);
            cost.0 += met * met;
            cost.1 += apart * apart;
        }
        cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays rounds with the points that `points` gives each player of a seating, and returns the rounds.
    fn play(
        players: usize,
        seats: usize,
        rounds: usize,
        points: impl Fn(usize, usize) -> u64,
    ) -> (Vec<Round>, Meetings) {
        let mut meetings = Meetings::new(players);
        let (mut scores, mut byes) = (vec![0; players], vec![0; players]);
        let mut played = Vec::new();
        for number in 0..rounds {
            let round = seat_round(seats, &scores, &byes, &meetings);
            for seated in &round.seatings {
                meetings.seat(seated);
                for player in seated {
                    scores[*player] += points(number, *player);
                }
            }
            round.byes.iter().for_each(|player| byes[*player] += 1);
            played.push(round);
        }
        (played, meetings)
    }

    fn mixed(round: usize, player: usize) -> u64 {
        let number = (1000 * round + player + 1) as u64;
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
    }

    #[test]
    fn everybody_has_one_seat_or_a_bye_and_byes_are_spread() {
        for (players, seats) in [(3, 3), (5, 3), (8, 3), (9, 4), (11, 4), (23, 8), (41, 4)] {
            let (rounds, _) = play(players, seats, 12, mixed);
            let mut byes = vec![0; players];
            for round in rounds {
                assert!(round.seatings.iter().all(|seated| seated.len() == seats));
                let mut all = [round.seatings.concat(), round.byes.clone()].concat();
                all.sort_unstable();
                assert_eq!(all, (0..players).collect::<Vec<_>>());
                round.byes.iter().for_each(|player| byes[*player] += 1);
                let [least, most] = [byes.iter().min(), byes.iter().max()];
                assert!(
                    most.zip(least)
                        .is_some_and(|(most, least)| most - least <= 1)
                );
            }
        }
    }

    #[test]
    fn nobody_meets_again_while_there_are_many_others() {
        // In three rounds of four seats a player meets 9 of 39 or 59 others.
        for players in [40, 60] {
            let (_, meetings) = play(players, 4, 3, mixed);
            assert_eq!(meetings.extremes()[1], 1, "{players} players");
        }
        // Nine players in threes can play two rounds so.
        let (_, meetings) = play(9, 3, 2, |_, _| 0);
        assert_eq!(meetings.extremes(), [0, 1]);
    }

    #[test]
    fn players_with_equal_points_sit_together() {
        let points: Vec<u64> = (0..12).map(|player| player % 3).collect();
        let round = seat_round(4, &points, &[0; 12], &Meetings::new(12));
        assert_eq!(
            round.seatings,
            [[2, 5, 8, 11], [1, 4, 7, 10], [0, 3, 6, 9]],
            "the best seating comes first"
        );
        // Who met before is seated elsewhere, as near as possible.
        let mut meetings = Meetings::new(12);
        meetings.seat(&[2, 5]);
        let again = seat_round(4, &points, &[0; 12], &meetings);
        assert!(
            !again
                .seatings
                .iter()
                .any(|seated| [2, 5].iter().all(|it| seated.contains(it)))
        );
        assert_eq!(again.seatings[2], [0, 3, 6, 9]);
    }
}
