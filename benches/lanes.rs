//! What it costs bots of several kinds that games whose bots answer at once keep to one processor each.
//!
//! The same games are played with lanes and without, in turn, in one run: one at a time, and two at a time.
//!
//! `cargo bench --bench lanes`

use std::hint::black_box;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use referee::bot::{Lane, Lanes, Launch};
use referee::game::{Setup, watch_your_back};
use referee::referee::{Participant, Termination};
use rustix::thread::{CpuSet, sched_getaffinity};

mod instant;
mod refereed;
mod script;

use instant::{launch, serve};
use refereed::{median, referee_game, supervised, uncounted};
use script::script;

const ROUNDS: usize = 8;

/// How many actions the games have. The last is illegal.
const PLIES: usize = 60;

/// Steps of a computation that take some milliseconds.
const STEPS: u64 = 2_000_000;

/// The kinds of bots: an argument, what they are called, how many games a round has, and how many are played at
/// a time.
const KINDS: [(&str, &str, usize, &[usize]); 5] = [
    ("instant", "bots that answer at once", 40, &[1, 2]),
    ("searching", "bots that compute for each action", 1, &[1, 2]),
    ("threaded", "bots that compute in two threads", 1, &[1, 2]),
    // Two games of these on two cores take anything between 1 and 160 ms, with lanes and without.
    (
        "pondering",
        "bots of which a thread computes all the time",
        40,
        &[1],
    ),
    (
        "mixed",
        "bots that compute for every eighth action",
        4,
        &[1, 2],
    ),
];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let Some((kind, script)) = args.get(1).zip(args.get(2)) {
        return bot(kind, script);
    }
    let all = sched_getaffinity(None).expect("this thread lives");
    let cpus = (0..CpuSet::MAX_CPU).filter(|cpu| all.is_set(*cpu));
    let Some(lanes) = Lanes::new(cpus.map(|cpu| vec![cpu as u32]).collect()) else {
        println!("skipped: lanes need several processors");
        return;
    };
    let setup = Setup::new(watch_your_back::GAME);
    let mut script = script(&setup, 1);
    script.truncate(PLIES - 1);
    script.push("0,0".to_owned());
    let script = script.join(" ");
    for (kind, name, games, at_a_times) in KINDS {
        let launch = launch(&[kind, &script]);
        for &at_a_time in at_a_times {
            let mut times = [Vec::new(), Vec::new()];
            for round in 0..ROUNDS {
                // Each comes first in half of the rounds.
                for which in [round % 2, 1 - round % 2] {
                    let lanes = [Some(&lanes), None][which];
                    times[which].push(play(&launch, games, at_a_time, lanes));
                }
            }
            show(name, at_a_time, &times);
        }
    }
}

/// How long some games take that are refereed by each of several threads, in milliseconds each.
fn play(launch: &Launch, games: usize, at_a_time: usize, lanes: Option<&Arc<Lanes>>) -> f64 {
    let referee = || {
        let lane = lanes.map(Lane::new);
        let mut players = [(); 2].map(|()| {
            let bot = supervised(launch, &uncounted());
            Participant::new(match &lane {
                Some(lane) => bot.on_lane(Arc::clone(lane)),
                None => bot,
            })
        });
        // The first game of a pair of processes is not measured.
        let mut begun = Instant::now();
        for game in 0..=games {
            if game == 1 {
                begun = Instant::now();
            }
            let end = referee_game(&mut players, &Setup::new(watch_your_back::GAME));
            assert_eq!(end.termination, Termination::IllegalAction);
        }
        begun.elapsed().as_secs_f64() * 1e3 / games as f64
    };
    let times: Vec<f64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..at_a_time).map(|_| scope.spawn(referee)).collect();
        let threads = threads.into_iter();
        threads
            .map(|thread| thread.join().expect("played"))
            .collect()
    });
    times.iter().sum::<f64>() / times.len() as f64
}

/// Is a bot of that kind.
fn bot(kind: &str, script: &str) {
    if kind == "pondering" {
        thread::spawn(|| {
            loop {
                compute(STEPS);
            }
        });
    }
    serve(script, |action| match kind {
        "searching" => compute(STEPS),
        "mixed" if action % 8 == 7 => compute(STEPS),
        "threaded" => {
            let other = thread::spawn(|| compute(STEPS / 2));
            compute(STEPS / 2);
            other.join().expect("computed");
        }
        _ => {}
    });
}

fn compute(steps: u64) {
    let mut value = 1_u64;
    for step in 0..steps {
        value = black_box(value)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(step);
    }
    black_box(value);
}

/// The medians of both, and the median of their ratios round by round.
fn show(name: &str, at_a_time: usize, times: &[Vec<f64>; 2]) {
    let [with, without] = times;
    let ratios: Vec<f64> = with.iter().zip(without).map(|(a, b)| a / b).collect();
    println!(
        "{name}, {at_a_time} at a time: a game {:.2} ms with lanes, {:.2} ms without; ratio {:.2}",
        median(with),
        median(without),
        median(&ratios),
    );
}
