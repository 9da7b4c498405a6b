//! Simulated tournaments of games with places, whose truth is known.

use std::collections::HashMap;

use referee::game::{ForfeitedBy, GameResult, PerSeat, Places, Seats};
use referee::random::Stream;
use referee::rating::{GameCounter, Model, RatedGame, Ratings};

/// Elo of a unit of strength without ties.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The common part of the games of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Luck {
    None,
    OfPlayers,
    OfSeats,
}

/// A kind of tournament: all tuples of players meet in blocks with all rotations of the seats.
#[derive(Debug, Clone, Copy)]
pub struct World {
    pub seats: usize,
    pub players: usize,
    pub blocks: usize,
    /// `δ` of a tie of two; ties of three have half of it.
    pub ties: f64,
    /// How much better the first seat is than the last one, in Elo without ties.
    pub first_over_last: f64,
    pub luck: Luck,
    /// The deviation of strengths, in Elo without ties.
    pub deviation: f64,
}

const fn world(
    [seats, players, blocks]: [usize; 3],
    ties: f64,
    first_over_last: f64,
    luck: Luck,
    deviation: f64,
) -> World {
    World {
        seats,
        players,
        blocks,
        ties,
        first_over_last,
        luck,
        deviation,
    }
}

pub const WORLDS: [World; 20] = [
    world([3, 3, 12], 0.0, 0.0, Luck::None, 139.0),
    world([3, 3, 12], 0.5, 300.0, Luck::OfPlayers, 139.0),
    world([3, 4, 3], 0.5, 300.0, Luck::None, 139.0),
    world([3, 4, 10], 0.0, 0.0, Luck::OfPlayers, 139.0),
    world([3, 4, 10], 0.5, 300.0, Luck::OfSeats, 139.0),
    world([3, 5, 2], 0.5, 100.0, Luck::OfPlayers, 139.0),
    world([3, 8, 1], 0.5, 300.0, Luck::None, 139.0),
    world([4, 4, 10], 0.0, 0.0, Luck::None, 139.0),
    world([4, 4, 8], 0.5, 500.0, Luck::OfPlayers, 139.0),
    world([4, 5, 3], 0.5, 500.0, Luck::OfSeats, 139.0),
    world([4, 5, 6], 1.5, 100.0, Luck::OfPlayers, 139.0),
    world([4, 6, 1], 0.0, 500.0, Luck::None, 139.0),
    world([3, 3, 8], 0.0, 0.0, Luck::None, 139.0),
    world([4, 4, 6], 0.0, 0.0, Luck::None, 139.0),
    world([3, 3, 4], 0.5, 300.0, Luck::OfPlayers, 139.0),
    world([3, 3, 3], 0.0, 0.0, Luck::None, 139.0),
    world([3, 3, 2], 0.0, 0.0, Luck::None, 139.0),
    world([3, 4, 3], 0.5, 300.0, Luck::None, 300.0),
    world([4, 5, 3], 0.5, 500.0, Luck::OfSeats, 300.0),
    world([3, 3, 8], 0.0, 0.0, Luck::None, 300.0),
];

impl World {
    /// The worth of a seat, 0 on average.
    pub fn worth(&self, seat: usize) -> f64 {
        self.first_over_last / ELO * (0.5 - seat as f64 / (self.seats - 1) as f64)
    }

    fn ties_of(&self, size: u32) -> f64 {
        match size {
            1 => 1.0,
            2 => self.ties,
            3 => self.ties / 2.0,
            _ => 0.0,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Game {
    pub players: Vec<usize>,
    pub places: Vec<u8>,
    pub forfeited: Vec<bool>,
    pub block: u64,
}

/// The ratings of so many players, fewer than eleven.
pub fn rate(players: usize, games: &[Game], model: Model) -> Ratings {
    let names: Vec<String> = (0..players).map(|player| player.to_string()).collect();
    let mut counter = GameCounter::default();
    for name in &names {
        counter.add_player(name);
    }
    for game in games {
        let of_seat: PerSeat<&str> = game.players.iter().map(|it| names[*it].as_str()).collect();
        let amounts: PerSeat<u8> = game.places.iter().map(|place| u8::MAX - place).collect();
        let result = GameResult::placed(Places::by(&amounts));
        let forfeited: Seats = of_seat
            .seats()
            .zip(&game.forfeited)
            .filter(|(_, forfeited)| **forfeited)
            .map(|(seat, _)| seat)
            .collect();
        counter.add(&RatedGame {
            forfeited_by: ForfeitedBy::of(forfeited),
            block: Some(game.block),
            ..RatedGame::new(of_seat, result)
        });
    }
    Ratings::new(&counter.standings(), model)
}

/// The strengths of the players, and the games.
pub fn play(world: &World, tournament: u64) -> (Vec<f64>, Vec<Game>) {
    let mut chance = Chance::new(39, tournament);
    let strengths: Vec<f64> = (0..world.players)
        .map(|_| world.deviation / ELO * chance.normal())
        .collect();
    let mut games = Vec::new();
    let mut block = 0;
    for members in 0..1_usize << world.players {
        let tuple: Vec<usize> = (0..world.players)
            .filter(|it| members >> it & 1 == 1)
            .collect();
        if tuple.len() != world.seats {
            continue;
        }
        for _ in 0..world.blocks {
            let mut shared = Noise::default();
            for rotation in 0..world.seats {
                let mut own = Noise::default();
                // Half of the games with luck are decided by it alone: each game by itself then follows the model.
                let is_lucky = world.luck != Luck::None && chance.uniform() < 0.5;
                let noise = if is_lucky { &mut shared } else { &mut own };
                let at = |seat: usize| (seat + rotation) % world.seats;
                let players: Vec<usize> = (0..world.seats).map(|seat| tuple[at(seat)]).collect();
                let places = places(world, &strengths, &players, noise, &mut chance);
                games.push(Game {
                    forfeited: vec![false; players.len()],
                    players,
                    places,
                    block,
                });
            }
            block += 1;
        }
    }
    (strengths, games)
}

/// Gumbel's variables by choice and set. The set with the greatest sum of its log weight and its variable is chosen, so
/// with a probability in proportion to its weight.
#[derive(Default)]
struct Noise(HashMap<(u8, usize), f64>);

fn places(
    world: &World,
    strengths: &[f64],
    players: &[usize],
    noise: &mut Noise,
    chance: &mut Chance,
) -> Vec<u8> {
    let mut places = vec![0; players.len()];
    let mut left = (1_usize << players.len()) - 1;
    let mut place = 1;
    while left > 0 {
        let mut best = (f64::NEG_INFINITY, left);
        for set in (1..=left).filter(|set| set & !left == 0) {
            let ties = world.ties_of(set.count_ones());
            if ties == 0.0 {
                continue;
            }
            let seats = || (0..players.len()).filter(|seat| set >> seat & 1 == 1);
            let worth = |seat: usize| strengths[players[seat]] + world.worth(seat);
            let sum: f64 = seats().map(worth).sum();
            let key = match world.luck {
                Luck::OfSeats => set,
                _ => seats().fold(0, |all, seat| all | 1 << players[seat]),
            };
            let noise = noise.0.entry((place, key));
            let noise = noise.or_insert_with(|| -(-chance.uniform().ln()).ln());
            let value = ties.ln() + sum / f64::from(set.count_ones()) + *noise;
            if value > best.0 {
                best = (value, set);
            }
        }
        for (seat, own) in places.iter_mut().enumerate() {
            if best.1 >> seat & 1 == 1 {
                *own = place;
            }
        }
        place += best.1.count_ones() as u8;
        left &= !best.1;
    }
    places
}

pub struct Chance(Stream);

impl Chance {
    pub fn new(seed: u64, stream: u64) -> Self {
        Self(Stream::new(seed, stream))
    }

    pub fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// By Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}
