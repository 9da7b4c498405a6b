//! What it costs to play a sequential test on many machines: how many games come after its decision, by the number of
//! shards of a wave, and how many waves there are. And how much of one machine is busy with many games at a time.
//!
//! ```text
//! cargo run --release -p research --bin sprt_waves
//! ```
//!
//! Tests of 0 against 20 Elo with errors of 5 %, 1,000 times each, of a challenger that is 0, 10 or 20 Elo stronger. A
//! wave has a game pair for each shard, as `referee lead` writes them.

use referee::game::{Chance, GameResult, Seat};
use referee::random::Stream;
use referee::rating::{EloModel, Sprt};
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
    println!("\n| games at a time | Elo | games | busy |");
    println!("|---:|---:|---:|---:|");
    for jobs in [1, 2, 4, 8, 16, 32] {
        for elo in [0.0, 10.0, 20.0] {
            let (mut games, mut places) = (0, 0);
            for seed in 0..TESTS {
                let [one, all] = play_at_once(jobs, elo, seed);
                games += one;
                places += all;
            }
            let busy = 100.0 * games as f64 / places as f64;
            println!("| {jobs} | {elo} | {} | {busy:.0} % |", games / TESTS);
        }
    }
}

/// Plays a test with so many games at a time, which all take equally long. Gives the games, and how many would have
/// been played if no place had ever been idle.
fn play_at_once(jobs: u64, elo: f64, seed: u64) -> [u64; 2] {
    let mut chance = Stream::new(seed, 0);
    let mut schedule = format().schedule(2, 2);
    let (mut games, mut places) = (0, 0);
    loop {
        let mut in_play = Vec::new();
        while (in_play.len() as u64) < jobs
            && let NextGame::Issue(ticket) = schedule.next()
        {
            in_play.push(ticket);
        }
        if in_play.is_empty() {
            return [games, places];
        }
        games += in_play.len() as u64;
        places += jobs;
        for ticket in in_play {
            schedule.record(
                ticket.id,
                result(elo, ticket.players[Seat::FIRST] == 0, &mut chance),
            );
        }
    }
}

/// Plays a test wave by wave. Gives the games of its run, those after the decision, and the waves.
fn play(shards: u64, elo: f64, seed: u64) -> [u64; 3] {
    let format = format();
    let mut chance = Stream::new(seed, 0);
    // One machine alone plays no pair after the decision.
    let mut alone = format.schedule(2, 2);
    let mut led = format.schedule_ahead(2, 2, 0, shards);
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
            let result = result(elo, ticket.players[Seat::FIRST] == 0, &mut chance);
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

fn format() -> Format {
    Format::Sprt {
        challenger: 0,
        test: Sprt {
            elo0: 0.0,
            elo1: 20.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Logistic,
        },
        most_games: None,
    }
}

/// A game of the challenger, by the logistic model of Elo.
fn result(elo: f64, is_first: bool, chance: &mut dyn Chance) -> GameResult {
    let expected = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let win = expected - DRAWN / 2.0;
    let drawn = f64::from(chance.below(1_000_000)) / 1e6;
    let (own, other) = match is_first {
        true => (Seat::FIRST, Seat::SECOND),
        false => (Seat::SECOND, Seat::FIRST),
    };
    match drawn {
        x if x < win => GameResult::Won(own),
        x if x < win + DRAWN => GameResult::Drawn,
        _ => GameResult::Won(other),
    }
}
