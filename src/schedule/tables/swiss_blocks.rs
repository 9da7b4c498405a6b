//! A Swiss tournament at tables of more than two.

use super::block::{SeatedGame, rotated};
use super::meetings::Meetings;
use super::seat_orders::SeatOrders;
use super::swiss::seat_round;
use crate::schedule::{Place, PlacedBy};

/// A Swiss tournament at tables. A round begins when all games of the last one have ended.
///
/// Points are opponents beaten in a game, in halves. A bye is worth half of the opponents of its round: with
/// several byes in each round, byes worth a win would lift many players.
#[derive(Debug, Clone)]
pub struct SwissBlocks {
    seats: u64,
    rounds: u32,
    /// Number of blocks of each table in a round.
    blocks: u64,
    round: u32,
    points: Vec<u64>,
    byes: Vec<u32>,
    meetings: Meetings,
    orders: SeatOrders,
    /// The players of each block of the round, by the seats of its first game. Tables take turns.
    wave: Vec<Vec<usize>>,
    /// Number of the round's first game.
    first: u64,
    issued: u64,
    recorded: u64,
}

impl SwissBlocks {
    /// A tournament of `players` at tables of `seats`; each table plays this many blocks a round.
    pub fn new(players: usize, seats: usize, rounds: u32, blocks: u64) -> Self {
        let mut swiss = Self {
            seats: seats as u64,
            rounds,
            blocks,
            round: 0,
            points: vec![0; players],
            byes: vec![0; players],
            meetings: Meetings::new(players),
            orders: SeatOrders::new(players, seats),
            wave: Vec::new(),
            first: 0,
            issued: 0,
            recorded: 0,
        };
        swiss.begin_round();
        swiss
    }

    /// Number of seats of a table.
    pub fn seats(&self) -> usize {
        // It was given as one.
        self.seats as usize
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        let tables = self.points.len() as u64 / self.seats;
        u64::from(self.rounds) * tables * self.blocks * self.seats
    }

    /// Whether all games have ended.
    pub fn is_over(&self) -> bool {
        self.wave.is_empty()
    }

    /// The next game; `None` if there is none before another result.
    pub fn next_game(&mut self) -> Option<SeatedGame> {
        let table = self.wave.get((self.issued / self.seats) as usize)?;
        let id = self.first + self.issued;
        let players = rotated(table, self.issued % self.seats);
        self.issued += 1;
        Some(SeatedGame {
            id,
            block: id / self.seats,
            round: u64::from(self.round),
            players,
        })
    }

    /// Takes in how many opponents each seat beat in game `id`, in halves. Results of a round arrive in any
    /// order.
    pub fn record(&mut self, id: u64, half_opponents: &[u64]) {
        let index = id - self.first;
        let players = rotated(
            &self.wave[(index / self.seats) as usize],
            index % self.seats,
        );
        for (player, points) in players.iter().zip(half_opponents) {
            self.points[*player] += points;
        }
        self.recorded += 1;
        if self.recorded == self.wave.len() as u64 * self.seats {
            self.begin_round();
        }
    }

    fn begin_round(&mut self) {
        self.first += self.wave.len() as u64 * self.seats;
        (self.issued, self.recorded) = (0, 0);
        self.wave.clear();
        if self.round == self.rounds {
            return;
        }
        self.round += 1;
        // The number of seats was given as one.
        let seats = self.seats as usize;
        let round = seat_round(seats, &self.points, &self.byes, &self.meetings);
        for player in round.byes {
            self.byes[player] += 1;
            self.points[player] += self.points_of_a_bye();
        }
        for table in &round.tables {
            self.meetings.seat(table);
        }
        for _ in 0..self.blocks {
            for table in &round.tables {
                self.wave.push(self.orders.next(table));
            }
        }
    }

    fn points_of_a_bye(&self) -> u64 {
        // A block has a game for each seat, and each has two halves for each opponent.
        self.blocks * self.seats * (self.seats - 1)
    }

    /// The places of all players, best first: by points, and then by the points of the opponents of each meeting.
    /// Players with equal values share a place. A game against opponents who are all beaten is a point.
    pub fn places(&self) -> Vec<Place> {
        let whole = 2 * (self.seats - 1);
        let opponents: Vec<u64> = (0..self.points.len())
            .map(|it| self.met_points(it))
            .collect();
        let key = |player: usize| (self.points[player], opponents[player]);
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by_key(|player| std::cmp::Reverse(key(*player)));
        let place = |player: &usize| Place {
            player: *player,
            place: 1 + order
                .iter()
                .take_while(|it| key(**it) > key(*player))
                .count(),
            by: PlacedBy::Points {
                all: self.points[*player] as f64 / whole as f64,
                byes: (u64::from(self.byes[*player]) * self.points_of_a_bye()) as f64
                    / whole as f64,
                buchholz: opponents[*player] as f64 / whole as f64 / (self.seats - 1) as f64,
            },
        };
        order.iter().map(place).collect()
    }

    /// Sum of the points of each opponent at each meeting. At a bye all opponents have the player's own points.
    fn met_points(&self, player: usize) -> u64 {
        let others = (0..self.points.len()).filter(|other| *other != player);
        let met =
            others.map(|other| u64::from(self.meetings.of(player, other)) * self.points[other]);
        let byes = u64::from(self.byes[player]) * (self.seats - 1) * self.points[player];
        met.sum::<u64>() + byes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays all games with up to `jobs` at a time; the last one ends first. The player with the lower
    /// index wins, or with `seed` the result depends on the number of the game.
    fn play(
        mut swiss: SwissBlocks,
        jobs: usize,
        seed: Option<u64>,
    ) -> (Vec<SeatedGame>, Vec<Place>) {
        let (mut in_play, mut games) = (Vec::new(), Vec::new());
        loop {
            while in_play.len() < jobs
                && let Some(game) = swiss.next_game()
            {
                in_play.push(game);
            }
            let Some(game) = in_play.pop() else {
                break;
            };
            let luck = |player: usize| match seed {
                None => player as u64,
                Some(seed) => {
                    (seed + game.id * 64 + player as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                }
            };
            let beaten = |player: &usize| {
                let worse = game.players.iter().filter(|it| luck(**it) > luck(*player));
                2 * worse.count() as u64
            };
            let half_opponents: Vec<u64> = game.players.iter().map(beaten).collect();
            swiss.record(game.id, &half_opponents);
            games.push(game);
        }
        assert!(swiss.is_over());
        assert_eq!(games.len() as u64, swiss.games());
        games.sort_by_key(|game| game.id);
        (games, swiss.places())
    }

    #[test]
    fn any_number_of_jobs_plays_equal_games() {
        for (players, seats, blocks) in [(9, 3, 1), (14, 4, 2), (20, 8, 1)] {
            for seed in 0..5 {
                let swiss = SwissBlocks::new(players, seats, 6, blocks);
                let one = play(swiss.clone(), 1, Some(seed));
                for jobs in [2, 7, 100] {
                    assert_eq!(play(swiss.clone(), jobs, Some(seed)), one, "{jobs} jobs");
                }
                for (number, game) in one.0.iter().enumerate() {
                    assert_eq!(game.id, number as u64);
                    assert_eq!(game.block, number as u64 / seats as u64);
                }
            }
        }
    }

    #[test]
    fn the_strongest_comes_first_and_byes_are_worth_half() {
        let (_, places) = play(SwissBlocks::new(13, 4, 5, 1), 3, None);
        assert_eq!((places[0].player, places[0].place), (0, 1));
        assert_eq!(places.len(), 13);
        // In each of five rounds one of 13 players has a bye worth two of four games.
        let byes: f64 = places
            .iter()
            .map(|place| match place.by {
                PlacedBy::Points { byes, .. } => byes,
                ref other => panic!("{other:?}"),
            })
            .sum();
        assert_eq!(byes, 10.0);
    }

    #[test]
    fn equal_points_are_ordered_by_the_points_of_the_opponents() {
        // One round of three players: three games, won by the first.
        let (_, places) = play(SwissBlocks::new(3, 3, 1, 1), 1, None);
        let found: Vec<(usize, usize, PlacedBy)> = places
            .iter()
            .map(|it| (it.player, it.place, it.by))
            .collect();
        let points = |all, buchholz| PlacedBy::Points {
            all,
            byes: 0.0,
            buchholz,
        };
        assert_eq!(
            found,
            [
                (0, 1, points(3.0, 0.75)),
                (1, 2, points(1.5, 1.5)),
                (2, 3, points(0.0, 2.25))
            ]
        );
    }
}
