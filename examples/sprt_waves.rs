//! What it costs to play a sequential test on many machines: how many games come after its decision, by the number of
//! shards of a wave, and how many waves there are.
//!
//! ```text
//! cargo run --release --example sprt_waves
//! ```
//!
//! Tests of 0 against 20 Elo with errors of 5 %, 1,000 times each, of a challenger that is 0, 10 or 20 Elo stronger. A
//! wave has a game pair for each shard, as `referee lead` writes them.

use referee::game::{Chance, GameResult, Seat};
use referee::random::Stream;
use referee::rating::Sprt;
use referee::schedule::{Format, NextGame};

/// How often each test is played.
const TESTS: u64 = 1000;

/// Part of the games is drawn.
const DRAWN: f64 = 0.3;

fn main() {
    println!("| shards | Elo | games to the decision | games after it | waves |");
    println!("|---:|---:|---:|---:|---:|");
    for shards in [1_u64, 8, 16, 32, 64, 128] {
        for elo in [0.0, 10.0, 20.0] {
            let mut sum = [0_u64; 3];
            for seed in 0..TESTS {
                for (sum, count) in sum.iter_mut().zip(play(shards, elo, seed)) {
                    *sum += count;
                }
            }
            let [games, surplus, waves] = sum.map(|sum| sum as f64 / TESTS as f64);
            println!("| {shards} | {elo} | {games:.0} | {surplus:.1} | {waves:.0} |");
        }
    }
}

/// Plays a test wave by wave. Gives the games of its run, those after the decision, and the waves.
fn play(shards: u64, elo: f64, seed: u64) -> [u64; 3] {
    let format = Format::Sprt {
        challenger: 0,
        test: Sprt {
            elo0: 0.0,
            elo1: 20.0,
            alpha: 0.05,
            beta: 0.05,
        },
        most_pairs: None,
    };
    let mut chance = Stream::new(seed, 0);
    // One machine alone begins as many pairs ahead as the format does by itself.
    let mut alone = format.schedule(2);
    let mut led = format.schedule_ahead(2, shards);
    let (mut waves, mut played) = (0, Vec::new());
    loop {
        let mut wave = Vec::new();
        while let NextGame::Issue(ticket) = led.next() {
            wave.push(ticket);
        }
        if wave.is_empty() {
            break;
        }
        waves += 1;
        for ticket in wave {
            let result = result(elo, ticket.players[0] == 0, &mut chance);
            led.record(ticket.id, result);
            played.push(result);
        }
    }
    let mut counted = 0;
    loop {
        match alone.next() {
            NextGame::Issue(ticket) => {
                let result = played.get(ticket.id as usize).copied();
                alone.record(ticket.id, result.unwrap_or(GameResult::Drawn));
                counted += 1;
            }
            NextGame::Wait => {}
            NextGame::Done => break,
        }
    }
    [counted, played.len() as u64 - counted, waves]
}

/// A game of the challenger, by the logistic model of Elo.
fn result(elo: f64, is_first: bool, chance: &mut dyn Chance) -> GameResult {
    let expected = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let win = expected - DRAWN / 2.0;
    let drawn = f64::from(chance.below(1_000_000)) / 1e6;
    let (own, other) = match is_first {
        true => (Seat::First, Seat::Second),
        false => (Seat::Second, Seat::First),
    };
    match drawn {
        x if x < win => GameResult::Won(own),
        x if x < win + DRAWN => GameResult::Drawn,
        _ => GameResult::Won(other),
    }
}
