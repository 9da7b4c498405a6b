//! What the referee adds to a ply, and to a game with fresh processes.
//!
//! The same instant bot is run through the referee (protocol, rules, clocks, log) and by bare
//! blocking pipes, in turn, in one run, so that the ratio holds when the machine's speed drifts.
//!
//! `cargo bench --bench ply`

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_getcpuclockid};
use referee::bot::{Confinement, Lane, Lanes, Launch, Player, Process, Tier};
use referee::game::{Setup, watch_your_back};
use referee::referee::{Participant, Termination};
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

mod bare;
mod instant;
mod refereed;
mod script;

use bare::{Bare, bare_game, micros, requests, show};
use instant::{launch, serve, supervisor};
use refereed::{referee_game, supervised, uncounted};
use script::script;

/// The argument by which this program knows that it is to be a bot.
const BOT: &str = "instant-bot";

const ROUNDS: usize = 15;
const GAMES_PER_ROUND: usize = 10;
const FRESH_GAMES_PER_ROUND: usize = 40;

fn main() {
    let mut args = std::env::args().skip(1);
    if args.next().as_deref() == Some(BOT) {
        return serve(&args.next().unwrap_or_default(), |_| ());
    }
    let script = script(&setup(), 1);
    println!("a scripted game of watch-your-back, {} plies", script.len());
    plies(&script);
    plies_on_one_processor(&script);
    fresh_processes(&script);
    bare_starts();
}

/// The game that is played.
fn setup() -> Setup {
    Setup::new(watch_your_back::GAME)
}

/// A way to start a bot, and what it is called.
type Start = (String, Box<dyn Fn(&Launch) -> Process>);

/// As a tournament starts it, in each tier that holds here.
fn starts(launch: &Launch) -> Vec<Start> {
    let supervised = tiers(launch).map(|confinement| -> Start {
        let name = format!("below a supervisor, {}", confinement.isolation.name());
        let start = move |launch: &Launch| supervised(launch, &confinement);
        (name, Box::new(start))
    });
    // As where processor time decides something.
    let counted = Confinement {
        cpu_counter: true,
        ..uncounted()
    };
    let counted: Start = (
        "below a supervisor, containment, with a counter of processor time".to_owned(),
        Box::new(move |launch| refereed::supervised(launch, &counted)),
    );
    supervised.chain([counted]).collect()
}

/// The tiers of isolation that hold here for such a bot.
fn tiers(launch: &Launch) -> impl Iterator<Item = Confinement> {
    let mut paths = launch.needs();
    paths.push(supervisor().program);
    Tier::ALL.into_iter().filter_map(move |isolation| {
        let confinement = Confinement {
            isolation,
            ..uncounted()
        };
        match confinement.probe(&paths) {
            Ok(()) => Some(confinement),
            Err(problem) => {
                println!("skipped: the tier {}: {problem}", isolation.name());
                None
            }
        }
    })
}

fn plies(script: &[String]) {
    let launch = launch(&[BOT, &script.join(" ")]);
    let starts = starts(&launch);
    let mut tables: Vec<_> = starts
        .iter()
        .map(|(_, start)| [start(&launch), start(&launch)].map(Participant::new))
        .collect();
    let mut bots = [Bare::start(&launch), Bare::start(&launch)];
    let requests = requests(watch_your_back::GAME, script);
    let (mut refereed, mut bare) = (vec![Vec::new(); starts.len()], Vec::new());
    for _ in 0..ROUNDS {
        let mut count = 0;
        for (players, refereed) in tables.iter_mut().zip(&mut refereed) {
            let begun = Instant::now();
            count = 0;
            for _ in 0..GAMES_PER_ROUND {
                let end = referee_game(players, &setup());
                assert_eq!(
                    end.termination,
                    Termination::Rules,
                    "{}",
                    end.detail(watch_your_back::GAME)
                );
                count += end.plies;
            }
            refereed.push(micros(begun) / f64::from(count));
        }
        let begun = Instant::now();
        for _ in 0..GAMES_PER_ROUND {
            bare_game(&mut bots, watch_your_back::GAME, script, &requests);
        }
        bare.push(micros(begun) / f64::from(count));
    }
    bots.into_iter().for_each(Bare::end);
    for ((name, _), refereed) in starts.iter().zip(&refereed) {
        show("a ply", name, "by bare pipes", refereed, &bare);
    }
}

/// As a tournament plays by default, beside bare pipes between processes on one processor.
fn plies_on_one_processor(script: &[String]) {
    let all = sched_getaffinity(None).expect("this thread lives");
    let cpus: Vec<u32> = (0..CpuSet::MAX_CPU as u32)
        .filter(|cpu| all.is_set(*cpu as usize))
        .collect();
    let Some(lanes) = Lanes::new(cpus.iter().map(|cpu| vec![*cpu]).collect()) else {
        println!("skipped: plies on one of several processors need several");
        return;
    };
    let launch = launch(&[BOT, &script.join(" ")]);
    let lane = Lane::new(&lanes);
    let mut players = [(); 2].map(|()| {
        let bot = supervised(&launch, &uncounted()).on_lane(Arc::clone(&lane));
        Participant::new(bot)
    });
    let mut bots = [Bare::start(&launch), Bare::start(&launch)];
    let mut one = CpuSet::new();
    one.set(cpus[0] as usize);
    for bot in &bots {
        let pid = Pid::from_child(&bot.child);
        sched_setaffinity(Some(pid), &one).expect("it lives");
    }
    let requests = requests(watch_your_back::GAME, script);
    let (mut refereed, mut bare) = (Vec::new(), Vec::new());
    let mut between = Duration::ZERO;
    for _ in 0..ROUNDS {
        // The first game puts them on a processor.
        referee_game(&mut players, &setup());
        let begun = Instant::now();
        let plies: u32 = (0..GAMES_PER_ROUND)
            .map(|_| referee_game(&mut players, &setup()).plies)
            .sum();
        refereed.push(micros(begun) / f64::from(plies));
        lane.before_start();
        sched_setaffinity(None, &one).expect("it may");
        let (begun, before) = (Instant::now(), time_of(ClockId::CLOCK_THREAD_CPUTIME_ID));
        for _ in 0..GAMES_PER_ROUND {
            bare_game(&mut bots, watch_your_back::GAME, script, &requests);
        }
        between += time_of(ClockId::CLOCK_THREAD_CPUTIME_ID) - before;
        bare.push(micros(begun) / f64::from(plies));
        sched_setaffinity(None, &all).expect("it may");
    }
    let of_bots = bots.each_ref().map(|bot| {
        let process = nix::unistd::Pid::from_raw(bot.child.id() as i32);
        time_of(clock_getcpuclockid(process).expect("it lives"))
    });
    println!(
        "of the processor time by bare pipes, the bots have {:?}, what is between them {between:?}",
        of_bots[0] + of_bots[1]
    );
    bots.into_iter().for_each(Bare::end);
    show(
        "a ply on one processor",
        "below a supervisor, containment",
        "by bare pipes",
        &refereed,
        &bare,
    );
}

fn time_of(clock: ClockId) -> Duration {
    clock.now().expect("a clock that there is").into()
}

fn fresh_processes(script: &[String]) {
    // A short game, so that the processes are what is measured: both sides begin by script, and
    // the second player's first action is illegal.
    let mut wrong = script.to_vec();
    wrong.truncate(1);
    wrong.push("0,0".to_owned());
    let launch = launch(&[BOT, &wrong.join(" ")]);
    let starts = starts(&launch);
    let (mut refereed, mut bare) = (vec![Vec::new(); starts.len()], Vec::new());
    for _ in 0..ROUNDS {
        for ((_, start), refereed) in starts.iter().zip(&mut refereed) {
            let begun = Instant::now();
            for _ in 0..FRESH_GAMES_PER_ROUND {
                let mut players = [start(&launch), start(&launch)].map(Participant::new);
                let end = referee_game(&mut players, &setup());
                assert_eq!(
                    end.termination,
                    Termination::IllegalAction,
                    "{}",
                    end.detail(watch_your_back::GAME)
                );
                for participant in &mut players {
                    participant.player.dismiss();
                }
                for participant in &mut players {
                    participant.player.close(Duration::from_secs(1));
                }
            }
            refereed.push(micros(begun) / FRESH_GAMES_PER_ROUND as f64);
        }
        let begun = Instant::now();
        for _ in 0..FRESH_GAMES_PER_ROUND {
            for _ in 0..2 {
                Bare::start(&launch).end();
            }
        }
        bare.push(micros(begun) / FRESH_GAMES_PER_ROUND as f64);
    }
    let game = "a game with fresh processes";
    for ((name, _), refereed) in starts.iter().zip(&refereed) {
        show(game, name, "two bare spawns", refereed, &bare);
    }
}

/// What isolation adds to the start and the end of a process, tier by tier.
fn bare_starts() {
    let launch = Launch {
        program: "/bin/true".into(),
        args: Vec::new(),
        dir: None,
        env: Vec::new(),
        course_files: None,
        submitted: false,
    };
    for confinement in tiers(&launch) {
        let (mut isolated, mut plain) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            for _ in 0..FRESH_GAMES_PER_ROUND {
                supervised(&launch, &confinement).close(Duration::from_secs(10));
            }
            isolated.push(micros(begun) / FRESH_GAMES_PER_ROUND as f64);
            let begun = Instant::now();
            for _ in 0..FRESH_GAMES_PER_ROUND {
                let mut child = Command::new(&launch.program).spawn().expect("it starts");
                child.wait().expect("it ends");
            }
            plain.push(micros(begun) / FRESH_GAMES_PER_ROUND as f64);
        }
        let what = format!(
            "start and end of a process, {}",
            confinement.isolation.name()
        );
        show(&what, "isolated", "plainly spawned", &isolated, &plain);
    }
}
