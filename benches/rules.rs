//! What rules that are a program add to a ply, and how fast whole games go through one.
//!
//! Instant bots play scripted games through the referee: Watch Your Back! by built-in rules and by the same rules served
//! as a program, and Connect Four by rules in Python. Each is beside bare blocking pipes with the same bytes, in turn,
//! in one run: wherever the kernel runs them, and on one processor, where a run puts quick games. Then whole games of Connect Four go to the Python program in one write each, beside the program alone.
//!
//! `cargo bench --bench rules`

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use referee::bot::{Confinement, Lane, Lanes, Launch, Process, Workplace};
use referee::config::RulesLimits;
use referee::game::{BUILT_IN, ProgramGames, Setup, watch_your_back};
use referee::referee::{Participant, Termination};
use referee::rules::{Deadlines, Program, Programs};
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

mod bare;
mod instant;
mod refereed;
mod script;

use bare::{Bare, bare_game, micros, requests, show};
use instant::{launch, serve, supervisor};
use refereed::{median, referee_game, supervised, uncounted};
use script::script;

/// The argument by which this program knows that it is to be a bot.
const BOT: &str = "instant-bot";

const ROUNDS: usize = 15;
const GAMES_PER_ROUND: usize = 10;

/// Whole games of a round of writes.
const WHOLE_GAMES: usize = 500;
const WHOLE_ROUNDS: usize = 7;

static PROGRAMS: Programs = Programs::new(BUILT_IN, || Ok(supervisor()));

fn main() {
    let mut args = std::env::args().skip(1);
    if args.next().as_deref() == Some(BOT) {
        return serve(&args.next().unwrap_or_default(), |_| ());
    }
    let all = sched_getaffinity(None).expect("this thread lives");
    let referee = env!("CARGO_BIN_EXE_referee");
    let mut games = vec![
        ("built-in rules", Setup::new(watch_your_back::GAME)),
        (
            "a compiled rules program",
            external(&[referee, "rules", "watch-your-back"], &examples()),
        ),
    ];
    let python = Command::new("python3").arg("--version").output();
    if python.is_ok_and(|ran| ran.status.success()) {
        let rules = external(&["python3", "connect_four.py"], &examples());
        games.push(("a rules program in Python", rules));
    } else {
        println!("skipped: needs python3");
    }
    println!("on any processors");
    plies(&games, None);
    if let Some((cpu, lane)) = one_processor() {
        println!("on one processor");
        let place = Workplace::new(Some(Arc::clone(&lane)), vec![cpu], None);
        let _at_work = place.enter();
        plies(&games, Some(&lane));
    }
    let _ = sched_setaffinity(None, &all);
    if let [_, _, (_, connect_four)] = &games[..] {
        whole_games(connect_four);
    }
    PROGRAMS.close();
}

/// Keeps this thread, and what it starts, on the processor where it runs. Returns that, and its lane.
fn one_processor() -> Option<(u32, Arc<Lane>)> {
    let cpu = sched_getcpu();
    let mut one = CpuSet::new();
    one.set(cpu);
    sched_setaffinity(None, &one).ok()?;
    let cpu = cpu as u32;
    let lanes = Lanes::new(vec![vec![cpu]])?;
    Some((cpu, Lane::new(&lanes)))
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/rules")
}

/// The game of a rules program, with its options at their defaults.
fn external(words: &[&str], dir: &Path) -> Setup {
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    let command = RulesLimits::default().command(words, dir.to_owned(), false);
    Setup::new(PROGRAMS.ask(command).expect("a hello"))
}

/// A scripted game that is played again and again, and the times of its plies.
struct Table<'a> {
    name: &'a str,
    setup: &'a Setup,
    script: Vec<String>,
    players: [Participant<Process>; 2],
    bots: [Bare; 2],
    refereed: Vec<f64>,
    bare: Vec<f64>,
}

impl<'a> Table<'a> {
    fn new(name: &'a str, setup: &'a Setup, lane: Option<&Arc<Lane>>) -> Self {
        let script = script(setup, 1);
        let launch = launch(&[BOT, &script.join(" ")]);
        println!("{name}: {}, {} plies", setup.game().name(), script.len());
        let start = || {
            let bot = supervised(&launch, &uncounted());
            Participant::new(match lane {
                Some(lane) => bot.on_lane(Arc::clone(lane)),
                None => bot,
            })
        };
        Self {
            name,
            setup,
            script,
            players: [start(), start()],
            bots: [Bare::start(&launch), Bare::start(&launch)],
            refereed: Vec::new(),
            bare: Vec::new(),
        }
    }

    /// Plays through the referee, and by bare pipes.
    fn round(&mut self) {
        let game = self.setup.game();
        let plies = (self.script.len() * GAMES_PER_ROUND) as f64;
        let requests = requests(game, &self.script);
        let begun = Instant::now();
        for _ in 0..GAMES_PER_ROUND {
            let end = referee_game(&mut self.players, self.setup);
            assert_eq!(end.termination, Termination::Rules, "{}", end.detail(game));
        }
        self.refereed.push(micros(begun) / plies);
        let begun = Instant::now();
        for _ in 0..GAMES_PER_ROUND {
            bare_game(&mut self.bots, game, &self.script, &requests);
        }
        self.bare.push(micros(begun) / plies);
    }
}

/// A ply of each game through the referee, beside bare pipes. The first game is that of built-in rules.
fn plies(games: &[(&str, Setup)], lane: Option<&Arc<Lane>>) {
    let mut tables: Vec<Table<'_>> = games
        .iter()
        .map(|(name, setup)| Table::new(name, setup, lane))
        .collect();
    for _ in 0..ROUNDS {
        tables.iter_mut().for_each(Table::round);
    }
    for table in &tables {
        show(
            "a ply",
            table.name,
            "by bare pipes",
            &table.refereed,
            &table.bare,
        );
        let own = &tables[0].refereed;
        let rounds = table.refereed.iter().zip(own).zip(&table.bare);
        let more: Vec<f64> = rounds
            .map(|((ply, own), bare)| (ply - own) / bare)
            .collect();
        println!(
            "  {:.2} bare round trips more than built-in rules",
            median(&more)
        );
    }
    for table in tables {
        table.bots.into_iter().for_each(Bare::end);
    }
}

/// Whole games in one write each, as `verify` plays them, beside the program alone with the same requests.
fn whole_games(setup: &Setup) {
    let script = script(setup, 1);
    let options: Vec<(String, String)> = setup
        .game()
        .options()
        .iter()
        .filter_map(|doc| Some((doc.key.to_owned(), setup.get(doc.key)?)))
        .collect();
    let launch = Launch {
        program: "python3".into(),
        args: vec!["connect_four.py".to_owned()],
        dir: Some(examples()),
        env: Vec::new(),
        course_files: None,
        submitted: false,
    };
    let started = Program::start(
        &launch,
        Deadlines::default(),
        &supervisor(),
        &Confinement::default(),
        None,
    );
    let mut program = started.expect("a hello");
    let folder = tempfile::tempdir().expect("a folder");
    let requests = folder.path().join("requests");
    std::fs::write(&requests, all_requests(&options, &script)).expect("written");
    let (mut driven, mut alone) = (Vec::new(), Vec::new());
    for _ in 0..WHOLE_ROUNDS {
        let begun = Instant::now();
        for seed in 0..WHOLE_GAMES as u64 {
            program.new_game(seed, 2, &options).expect("a game");
            for (ply, action) in script.iter().enumerate() {
                program.queue_play(&[((ply % 2) as u8, action)]);
            }
            for ply in 0..script.len() {
                program.next_answer(&[(ply % 2) as u8]).expect("an answer");
            }
        }
        driven.push(micros(begun) / WHOLE_GAMES as f64);
        let begun = Instant::now();
        let ran = Command::new(&launch.program)
            .args(&launch.args)
            .current_dir(examples())
            .stdin(File::open(&requests).expect("requests"))
            .stdout(Stdio::null())
            .status();
        assert!(ran.expect("it starts").success());
        alone.push(micros(begun) / WHOLE_GAMES as f64);
    }
    program.close();
    let what = format!("a whole game of {} plies in Python", script.len());
    show(
        &what,
        "in one write",
        "by the program alone",
        &driven,
        &alone,
    );
}

/// All requests of a round.
fn all_requests(options: &[(String, String)], script: &[String]) -> String {
    let mut requests = "rules 1\n".to_owned();
    for seed in 0..WHOLE_GAMES {
        let _ = write!(requests, "new seed={seed} seats=2");
        for (key, value) in options {
            let _ = write!(requests, " {key}={value}");
        }
        requests.push('\n');
        for (ply, action) in script.iter().enumerate() {
            let _ = writeln!(requests, "play {} {action}", ply % 2);
        }
    }
    requests
}
