//! A gauntlet: challengers against all other players.

use crate::schedule::GamesPerPairing;
use crate::schedule::seating::{FixedBlocks, Greedy, Seating, Seatings, all_seatings};

/// The seatings of a gauntlet: one challenger each, the others from the rest. All challengers meet the same seatings of the
/// others. In a round nobody plays twice. Where the others cannot fill the seats, they sit there in copies, and each
/// seating is a round.
#[derive(Debug)]
pub struct Gauntlet {
    challengers: Vec<usize>,
    others: Vec<usize>,
    source: Others,
    /// The first seating of the others in their next round.
    ahead: Option<Seating>,
    seatings: Vec<Vec<usize>>,
    rounds_of_others: usize,
    taken: usize,
    round: u64,
}

#[derive(Debug)]
enum Others {
    /// They take one seat after the other in turn.
    InTurn {
        players: usize,
        seats: usize,
        taken: usize,
    },
    Greedy(Greedy),
}

/// Whether the others take the seats beside a challenger in turn: they meet nobody new then.
fn are_in_turn(others: usize, seats: usize) -> bool {
    seats == 1 || others < seats
}

/// Number of different seatings that a challenger meets in turn, each once before any comes again; `None` where `others`
/// make too many to play all. There is at least one of them.
pub fn seatings_in_turn(others: usize, seats: usize) -> Option<usize> {
    let beside = seats - 1;
    match are_in_turn(others, beside) {
        true => (1..).find(|seatings| (seatings * beside).is_multiple_of(others)),
        false => all_seatings(others, beside),
    }
}

impl Gauntlet {
    /// The blocks of a gauntlet of `players`; the challengers are given by index. There is one, and another player.
    pub fn blocks(
        players: usize,
        seats: usize,
        challengers: &[usize],
        games: GamesPerPairing,
    ) -> FixedBlocks<Self> {
        let (mut challengers, mut others): (Vec<usize>, Vec<usize>) =
            (0..players).partition(|player| challengers.contains(player));
        // Number of others that a challenger meets in one game.
        let met = others.len().min(seats - 1).max(1) as u64;
        let [all, each] = [challengers.len() as u64, others.len() as u64];
        let blocks = |cycles: u64| all.saturating_mul(cycles.saturating_mul(each).div_ceil(met));
        // Both sides of a game of two are alike, and rounds are full where the smaller one meets the larger.
        if seats == 2 && others.len() < challengers.len() {
            std::mem::swap(&mut challengers, &mut others);
        }
        let source = match are_in_turn(others.len(), seats - 1) {
            true => Others::InTurn {
                players: others.len(),
                seats: seats - 1,
                taken: 0,
            },
            false => Others::Greedy(Greedy::new(others.len(), seats - 1)),
        };
        let seatings = Self {
            challengers,
            others,
            source,
            ahead: None,
            seatings: Vec::new(),
            rounds_of_others: 0,
            taken: 0,
            round: 0,
        };
        FixedBlocks::new(seatings, players, seats, games, blocks)
    }

    fn begin_round_of_others(&mut self) {
        let first = self.ahead.take().unwrap_or_else(|| self.source.next());
        let round = first.round;
        self.seatings = vec![first.players];
        let next = loop {
            let next = self.source.next();
            if next.round != round {
                break next;
            }
            self.seatings.push(next.players);
        };
        self.ahead = Some(next);
        self.rounds_of_others += 1;
        self.taken = 0;
    }
}

impl Seatings for Gauntlet {
    /// In each step every challenger meets one seating of the round of the others, and the next step moves them on by
    /// one. A step has several rounds where there are more challengers than seatings.
    fn next(&mut self) -> Seating {
        if self.taken == self.seatings.len() * self.challengers.len() {
            self.begin_round_of_others();
        }
        let (step, challenger) = (
            self.taken / self.challengers.len(),
            self.taken % self.challengers.len(),
        );
        self.taken += 1;
        let place = challenger % self.seatings.len();
        self.round += u64::from(place == 0);
        let seated = (place + step) % self.seatings.len();
        let others = self.seatings[seated].iter();
        let others = others.map(|player| self.others[*player]);
        let mut players = vec![self.challengers[challenger]];
        players.extend(others);
        // First seats alternate like the squares of a chessboard: single games are then balanced for all.
        let turn = (place + seated + self.rounds_of_others - 1) % players.len();
        players.rotate_left(turn);
        Seating {
            round: self.round,
            players,
        }
    }
}

impl Seatings for Others {
    fn next(&mut self) -> Seating {
        match self {
            Self::InTurn {
                players,
                seats,
                taken,
            } => {
                let first = *taken;
                *taken += *seats;
                let mut seated: Vec<usize> = (first..*taken).map(|seat| seat % *players).collect();
                seated.sort_unstable();
                Seating {
                    round: (first / *players) as u64 + 1,
                    players: seated,
                }
            }
            Self::Greedy(seatings) => seatings.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::schedule::testing::{fixed_games, number};
    use crate::schedule::{Format, Ticket};

    fn games(players: usize, seats: usize, challengers: &[usize], per_pairing: u32) -> Vec<Ticket> {
        let format = Format::Gauntlet {
            challengers: challengers.to_vec(),
            games: number(per_pairing),
        };
        fixed_games(&format, players, seats)
    }

    /// The others at each seating of each challenger, in order.
    fn met(
        games: &[Ticket],
        seats: usize,
        challengers: &[usize],
    ) -> HashMap<usize, Vec<Vec<usize>>> {
        let mut met: HashMap<usize, Vec<Vec<usize>>> = HashMap::new();
        for block in games.chunks(seats) {
            let is_challenger = |player: &&usize| challengers.contains(player);
            let players = block[0].players.values();
            let challenger = players.clone().find(is_challenger).expect("a challenger");
            let mut others: Vec<usize> = players.filter(|it| !is_challenger(it)).copied().collect();
            assert_eq!(others.len() + 1, seats, "one challenger");
            others.sort_unstable();
            met.entry(*challenger).or_default().push(others);
        }
        met
    }

    #[test]
    fn all_challengers_meet_the_same_seatings_of_the_others() {
        for (players, seats, challengers) in [
            (7, 2, vec![1, 4, 6]),
            (8, 3, vec![0]),
            (9, 4, vec![8, 2]),
            (12, 3, vec![1, 5, 7]),
            (7, 3, vec![0, 1, 2, 3, 4]),
            (9, 3, vec![0, 1, 2, 3]),
        ] {
            let others = players - challengers.len();
            let all = seatings_in_turn(others, seats).expect("few");
            // Each challenger meets each seating once with these games per pairing, and then twice.
            let once = (seats * all * (seats - 1) / others) as u32;
            for times in 1..=2 {
                let games = games(players, seats, &challengers, once * times);
                let met = met(&games, seats, &challengers);
                assert_eq!(met.len(), challengers.len());
                for met in met.values() {
                    assert_eq!(met.len(), all * times as usize);
                    for met in met.chunks(all) {
                        assert_eq!(met.iter().collect::<HashSet<_>>().len(), all);
                    }
                }
                // Nobody plays twice in a round, and at any time all challengers are level.
                let firsts: Vec<&Ticket> = games.iter().step_by(seats).collect();
                for round in firsts.chunk_by(|one, next| one.round == next.round) {
                    let seen = round.iter().flat_map(|game| game.players.values());
                    assert_eq!(seen.clone().collect::<HashSet<_>>().len(), seen.count());
                }
                let mut begun: HashMap<usize, usize> = HashMap::new();
                for game in firsts {
                    let players = game.players.values();
                    for player in players.filter(|player| challengers.contains(player)) {
                        *begun.entry(*player).or_default() += 1;
                    }
                    let least = challengers.iter().map(|it| begun.get(it).unwrap_or(&0));
                    let least = least.min();
                    assert!(begun.values().max() <= least.map(|least| least + 1).as_ref());
                }
            }
        }
    }

    #[test]
    fn others_who_cannot_fill_the_seats_sit_there_in_copies_and_equally_often() {
        for (others, seats, seatings) in [
            (1, 3, vec![vec![1, 1]]),
            (1, 4, vec![vec![1, 1, 1]]),
            (2, 4, vec![vec![1, 1, 2], vec![1, 2, 2]]),
            (4, 7, vec![vec![1, 1, 2, 2, 3, 4], vec![1, 2, 3, 3, 4, 4]]),
        ] {
            assert_eq!(seatings_in_turn(others, seats), Some(seatings.len()));
            let games = games(others + 1, seats, &[0], (3 * seats * seatings.len()) as u32);
            let met = met(&games, seats, &[0]);
            assert_eq!(
                met[&0],
                [seatings.clone(), seatings.clone(), seatings].concat()
            );
            assert!(
                games
                    .iter()
                    .step_by(seats)
                    .is_sorted_by(|one, next| one.round < next.round)
            );
        }
        assert_eq!(seatings_in_turn(24, 4), None);
        assert_eq!(seatings_in_turn(5_000, 2), Some(5_000));
    }
}
