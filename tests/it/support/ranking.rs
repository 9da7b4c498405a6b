//! Simulated tournaments that go on until the ranking is clear.

use referee::game::Blame;
use referee::random::Stream;
use referee::rating::{Model, RatedGame, Ratings, Score, Standings};
use referee::schedule::{Format, GamesPerPairing, NextGame, Schedule};

/// The share of games between equals that are drawn.
const DRAWS: f64 = 0.2;

/// The true strengths of a field, in Elo.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub name: &'static str,
    pub players: usize,
    strength: fn(usize) -> f64,
}

/// 50 Elo from one to the next.
fn even(player: usize) -> f64 {
    50.0 * player as f64
}

/// Clusters of four: 30 Elo from one player to the next, and 200 Elo between clusters.
fn clustered(player: usize) -> f64 {
    290.0 * (player / 4) as f64 + 30.0 * (player % 4) as f64
}

const fn field(name: &'static str, players: usize, strength: fn(usize) -> f64) -> Field {
    Field {
        name,
        players,
        strength,
    }
}

pub const FIELDS: [Field; 6] = [
    field("even", 8, even),
    field("clustered", 8, clustered),
    field("even", 20, even),
    field("clustered", 20, clustered),
    field("even", 40, even),
    field("clustered", 40, clustered),
];

/// How a tournament went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Went {
    /// How many games it took until all neighbours were told apart.
    pub games: u64,
    /// How many pairs of neighbours are in the wrong order at the end.
    pub wrong: u64,
}

/// An adaptive tournament until it ends by itself.
pub fn adaptive(field: &Field, confidence: f64, seed: u64) -> Went {
    let format = Format::Adaptive {
        confidence,
        most_pairs: u64::MAX / 2,
    };
    play(field, format.schedule(field.players), seed, |_, _| false)
}

/// A round robin until its ratings are as clear, checked after every round.
pub fn round_robin(field: &Field, confidence: f64, seed: u64) -> Went {
    let schedule = Format::RoundRobin(GamesPerPairing::MAX).schedule(field.players);
    let round = field.players as u64 / 2 * 2;
    play(field, schedule, seed, |games, standings| {
        games.is_multiple_of(round) && rate(standings).unclear(confidence).is_empty()
    })
}

fn rate(standings: &Standings) -> Ratings {
    Ratings::new(standings, Model::default())
}

fn play(
    field: &Field,
    mut schedule: Box<dyn Schedule>,
    seed: u64,
    enough: impl Fn(u64, &Standings) -> bool,
) -> Went {
    let mut chance = Stream::new(seed, 0);
    // The order in the plan must not depend on strength.
    let mut places: Vec<usize> = (0..field.players).collect();
    referee::game::shuffle(&mut places, &mut chance);
    let names: Vec<String> = (0..field.players).map(|n| format!("{n:03}")).collect();
    let mut standings = Standings::default();
    for name in &names {
        standings.add_player(name);
    }
    let mut games = 0;
    while let NextGame::Issue(ticket) = schedule.next() {
        let [a, b] = ticket
            .players
            .map(|player| (field.strength)(places[player]));
        let score = result(a - b, &mut chance);
        schedule.record(ticket.id, score.as_result());
        standings.add(&RatedGame {
            names: ticket.players.map(|player| names[player].as_str()),
            result: score.as_result(),
            blame: Blame::Nobody,
            pair: Some(ticket.pair),
            digest: None,
        });
        games += 1;
        if enough(games, &standings) {
            break;
        }
    }
    let order = rate(&standings).order();
    let wrong = order
        .windows(2)
        .filter(|two| places[two[0]] < places[two[1]]);
    Went {
        games,
        wrong: wrong.count() as u64,
    }
}

/// By Davidson's model, with the strengths on the scale of the ratings.
fn result(elo: f64, chance: &mut Stream) -> Score {
    let odds = elo / (400.0 / 10_f64.ln() * (1.0 - DRAWS));
    let [win, draw, loss] = [
        (odds / 2.0).exp(),
        2.0 * DRAWS / (1.0 - DRAWS),
        (-odds / 2.0).exp(),
    ];
    let luck = (chance.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * (win + draw + loss);
    match luck {
        luck if luck < win => Score::Win,
        luck if luck < win + draw => Score::Draw,
        _ => Score::Loss,
    }
}
