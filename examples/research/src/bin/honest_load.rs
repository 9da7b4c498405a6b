//! Honest bots at tight clocks on a machine that is loaded threefold: does one forfeit that would not
//! forfeit on an idle machine?
//!
//! ```text
//! cargo build --release && cargo run --release -p research --bin honest_load -- 1000000
//! ```
//!
//! A second number is the first seed, so that another run goes on where one was ended. The word `at-once` after it adds the
//! games of Goofspiel.
//!
//! Three times as many processes as processors compute all the time, while bots play that answer at
//! once, sleep, compute, fork, use threads, collect garbage and use numpy, until so many plies are played: in Cachex,
//! and in Goofspiel, whose rules are a program and whose players act at once. Bots whose language is not installed
//! are left out, and named.

use std::error::Error;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use referee::bot::Supervisor;
use referee::config::Plan;
use referee::game::{BUILT_IN, Games};
use referee::rules::Programs;
use referee::runner::{Demands, Event, Host, HostOptions, Interrupt, Placing, Tournament};
use referee::runs::RunFolder;

/// How many plies are played, unless an argument says otherwise.
const PLIES: u64 = 5_000;

/// A player: a name, a command that fails where what it needs is missing, and its entry.
type Entry = (&'static str, &'static [&'static str], &'static str);

/// Answer at once.
const FAST: [Entry; 4] = [
    (
        "instant",
        &["true"],
        "command = [\"target/release/referee\", \"bot\", \"random\"]",
    ),
    (
        "greedy",
        &["true"],
        "command = [\"target/release/referee\", \"bot\", \"greedy\"]",
    ),
    (
        "node",
        &["node", "--version"],
        "command = [\"node\", \"bot.js\"]\ndir = \"bots/starter-javascript\"",
    ),
    (
        "java",
        &["javac", "--version"],
        "command = [\"java\", \"Bot\"]\ndir = \"bots/starter-java\"\nbuild = [\"javac\", \"Bot.java\"]",
    ),
];

/// Take up to a fifth of the time that an action may take, on an idle machine.
const SLOW: [Entry; 6] = [
    (
        "sleeps",
        &["python3", "--version"],
        "command = [\"python3\", \"bot.py\", \"sleeps\"]\ndir = \"tests/agents/honest\"",
    ),
    (
        "computes",
        &["python3", "--version"],
        "command = [\"python3\", \"bot.py\", \"computes\"]\ndir = \"tests/agents/honest\"",
    ),
    (
        "forks",
        &["python3", "--version"],
        "command = [\"python3\", \"bot.py\", \"forks\"]\ndir = \"tests/agents/honest\"",
    ),
    (
        "threads",
        &["python3", "--version"],
        "command = [\"python3\", \"bot.py\", \"threads\"]\ndir = \"tests/agents/honest\"",
    ),
    (
        "collects",
        &["python3", "--version"],
        "command = [\"python3\", \"bot.py\", \"collects\"]\ndir = \"tests/agents/honest\"",
    ),
    (
        "numpy",
        &["/usr/bin/python3", "-c", "import numpy"],
        "command = [\"/usr/bin/python3\", \"bot.py\", \"numpy\"]\ndir = \"tests/agents/honest\"",
    ),
];

/// Play a game in which both act at once, and which offers its actions: at once, and as slow as those above.
const AT_ONCE: [Entry; 6] = [
    (
        "offered",
        &["true"],
        "command = [\"target/release/referee\", \"bot\", \"random\"]",
    ),
    (
        "eight-lines",
        &["python3", "--version"],
        "command = [\"python3\", \"bot.py\"]\ndir = \"bots/eight-lines\"",
    ),
    (
        "sleeps",
        &["python3", "--version"],
        "command = [\"python3\", \"bot.py\", \"sleeps\", \"eight-lines\"]\ndir = \"tests/agents/honest\"",
    ),
    (
        "computes",
        &["python3", "--version"],
        "command = [\"python3\", \"bot.py\", \"computes\", \"eight-lines\"]\ndir = \"tests/agents/honest\"",
    ),
    (
        "forks",
        &["python3", "--version"],
        "command = [\"python3\", \"bot.py\", \"forks\", \"eight-lines\"]\ndir = \"tests/agents/honest\"",
    ),
    (
        "threads",
        &["python3", "--version"],
        "command = [\"python3\", \"bot.py\", \"threads\", \"eight-lines\"]\ndir = \"tests/agents/honest\"",
    ),
];

/// A game in which one player acts at a time.
const IN_TURN: &str = "name = \"cachex\"\nsize = 9";

/// A game in which both act at once.
const JOINT: &str = "rules = [\"python3\", \"goofspiel.py\"]\ndir = \"examples/rules\"\ncards = 9";

/// The program that is tried.
const REFEREE: &str = "target/release/referee";

/// The rules programs.
static PROGRAMS: Programs =
    Programs::new(BUILT_IN, || supervisor().map_err(|error| error.to_string()));

/// The clock, in whose terms nobody is late by itself.
const CLOCK: &str = "[clock]\nmeasure = \"wall\"\nper-move = \"250ms\"\n[limits]\nhandshake = \"5s\"\nstart = \"5s\"\n";

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let plies = args.next().map_or(Ok(PLIES), |count| count.parse())?;
    let first_seed: u64 = args.next().map_or(Ok(0), |seed| seed.parse())?;
    let with_at_once = args.next().is_some_and(|word| word == "at-once");
    let fast = installed(&FAST);
    let all = [fast.clone(), installed(&SLOW)].concat();
    let at_once = installed(&AT_ONCE);
    let cores = std::thread::available_parallelism()?.get();
    let load = Load::start(3 * cores)?;
    let begun = Instant::now();
    let mut played = Played::default();
    for seed in first_seed.. {
        played.add(&play(&config(seed, IN_TURN, &all, 2), 2)?);
        // They wait for a processor most of the time, so more games at a time are played in that time.
        played.add(&play(&config(seed, IN_TURN, &fast, 24), 8)?);
        let mut joint = Played::default();
        if with_at_once && at_once.len() > 1 {
            joint = play(&config(seed, JOINT, &at_once, 2), 2)?;
        }
        println!(
            "both at once: {} plies in {} games: {} void, {} set aside, {} forfeits",
            joint.plies,
            joint.games,
            joint.void,
            joint.set_aside,
            joint.forfeits.len()
        );
        played.add(&joint);
        println!(
            "{} plies in {} games, {:.0} s: {} void, {} set aside, {} forfeits",
            played.plies,
            played.games,
            begun.elapsed().as_secs_f64(),
            played.void,
            played.set_aside,
            played.forfeits.len()
        );
        if played.plies >= plies {
            break;
        }
    }
    drop(load);
    PROGRAMS.close();
    match played.forfeits.is_empty() {
        true => Ok(()),
        false => Err(played.forfeits.join("\n").into()),
    }
}

fn supervisor() -> std::io::Result<Supervisor> {
    let program = std::env::current_dir()?.join(REFEREE);
    Ok(Supervisor { program })
}

/// Processes that compute until this value is dropped.
struct Load(Vec<Child>);

impl Load {
    fn start(processes: usize) -> Result<Self, Box<dyn Error>> {
        let spin = || {
            Command::new("sh")
                .args(["-c", "while :; do :; done"])
                .spawn()
        };
        let spinning = (0..processes).map(|_| spin()).collect::<Result<_, _>>()?;
        Ok(Self(spinning))
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for process in &mut self.0 {
            // It does nothing but compute, and cannot have ended.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// What was seen.
#[derive(Default)]
struct Played {
    plies: u64,
    games: u64,
    void: u64,
    set_aside: u64,
    forfeits: Vec<String>,
}

impl Played {
    fn add(&mut self, other: &Self) {
        self.plies += other.plies;
        self.games += other.games;
        self.void += other.void;
        self.set_aside += other.set_aside;
        self.forfeits.extend_from_slice(&other.forfeits);
    }
}

/// Everyone against everyone, so many games at a time.
fn play(config: &str, jobs: usize) -> Result<Played, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let games: Games = BUILT_IN.with_programs(&PROGRAMS);
    let plan = Plan::parse(config, Path::new("honest_load.toml"), games)?;
    let options = HostOptions {
        jobs: NonZeroUsize::new(jobs),
        placing: Placing::Free,
        again_below: None,
    };
    let (host, _) = Host::new(&Demands::of(&plan), supervisor()?, options)?;
    let mut record = RunFolder::create(&folder.path().join("out"), &plan, host.stamp())?;
    let mut played = Played::default();
    let interrupt = Interrupt::new()?;
    Tournament::new(&plan, &host, &interrupt).play(&mut record, &mut |event| match event {
        Event::Finished(row) => {
            played.games += 1;
            played.plies += u64::from(row.end.plies);
            if row.is_forfeited() {
                let [first, second] = row.names().pair().expect("two seats");
                let words = format!("{first} against {second}: {}", row.detail());
                println!("a forfeit: {words}");
                played.forfeits.push(words);
            }
        }
        Event::Void { .. } => played.void += 1,
        Event::SetAside(_) => played.set_aside += 1,
        _ => {}
    })?;
    Ok(played)
}

/// The players of whom everything is there.
fn installed(players: &[Entry]) -> Vec<Entry> {
    let is_there = |(name, needs, _): &&Entry| {
        let status = Command::new(needs[0])
            .args(&needs[1..])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let is_there = status.is_ok_and(|status| status.success());
        if !is_there {
            println!("skipped: {name} needs `{}`", needs.join(" "));
        }
        is_there
    };
    players.iter().filter(is_there).copied().collect()
}

fn config(seed: u64, game: &str, players: &[Entry], games_per_pairing: u32) -> String {
    let mut config = format!(
        "seed = {seed}\n[game]\n{game}\n{CLOCK}[format]\nkind = \"round-robin\"\n\
         games-per-pairing = {games_per_pairing}\n"
    );
    for (name, _, entry) in players {
        config.push_str(&format!("[[player]]\nname = {name:?}\n{entry}\n"));
    }
    config
}
