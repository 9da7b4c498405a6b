//! What a busy machine takes from a bot is not charged. A game without an answer is void and played again alone. One that is
//! void each time is set aside, and the others are played. The readings of the machine are injected; the bots are real, and late
//! because they sleep.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use referee::bot::probe::Reading;
use referee::bot::{Contention, Double, Fault, Launch, Patience, Player, Probe, Process, Reply};
use referee::clock::{Spent, Wait};
use referee::config::Plan;
use referee::game::{BUILT_IN, Seat};
use referee::protocol::ToBot;
use referee::referee::Participant;
use referee::report::finish_run;
use referee::results::{Results, Settings};
use referee::runner::{Completed, Event, Host, Interrupt, RunError, Starter, Tournament};
use referee::runs::{GameRow, Repeat, Run, RunFolder, SetAsideGame};
use referee::schedule::{Format, GamesPerPairing};
use referee::verify::verify;
use rustix::process::Pid;

use crate::support::config::small_cachex;
use crate::support::python::python;
use crate::support::tournament::{play, play_on};
use crate::support::{
    TestRun, doubles::RED, finished, host, landlock_holds, quick, read_games, run_folder,
    start_bot, write_executable,
};
use crate::uci_engines::Load;

/// A machine on which every bot waits for a processor all the time, while other processes use `others`
/// seconds of processor time per second.
#[derive(Debug)]
struct Crowd {
    since: Instant,
    others: u32,
}

impl Crowd {
    fn new(others: u32) -> Arc<Self> {
        Arc::new(Self {
            since: Instant::now(),
            others,
        })
    }
}

impl Probe for Crowd {
    fn read(&self, _tree: &[Pid]) -> Reading {
        let passed = self.since.elapsed();
        Reading {
            waits: BTreeMap::from([(1, passed)]),
            referee_wait: Duration::ZERO,
            busy: passed * self.others,
            stolen: Duration::ZERO,
            cores: 2,
        }
    }
}

/// A bot that plays these actions of Cachex and runs `first` before the first one. It logs the start of
/// each game, its third action and its own end to the file `log`.
fn bot(folder: &Path, name: &str, first: &str, actions: [&str; 3]) -> String {
    let script = format!(
        "#!/bin/sh\n\
         while read -r word rest; do case $word in\n\
         referee) echo bot 1 {name} ;;\n\
         start) echo $$ {name} start >>log; n=0; echo ready ;;\n\
         act) n=$((n + 1)); case $n in\n\
           1) {first}\n echo {} ;;\n 2) echo {} ;;\n 3) echo $$ {name} third >>log; echo {} ;; esac ;;\n\
         quit) echo $$ {name} quit >>log; exit ;;\n\
         esac; done\n",
        actions[0], actions[1], actions[2]
    );
    let path = folder.join(name);
    write_executable(&path, &script);
    format!(
        "[[player]]\nname = \"{name}\"\ncommand = [\"./{name}\"]\ndir = \"{}\"\n",
        folder.display()
    )
}

const BLUE: [&str; 3] = ["c1", "c2", "c3"];

/// Two such bots. The first one runs `first` before its first action.
fn red_and_blue(folder: &Path, first: &str) -> String {
    bot(folder, "red", first, RED) + &bot(folder, "blue", "", BLUE)
}

/// The limit of an action in seconds, after which the referee waits for up to two on such a machine.
const LIMIT: &str = "0.1s";

/// Too long in one game only, whichever of its processes comes first; nobody reads its answer, so it ends. In others it waits a
/// little, so that other games can start.
const SLEEP_ONCE: &str =
    "if mkdir slept 2>/dev/null; then sleep 2.5; echo $$ slow quit >>log; else sleep 0.2; fi";

/// How a run on such a machine ended, with the messages about void games.
struct Outcome {
    ended: Result<Completed, RunError>,
    void: Vec<(u64, String)>,
    games: Vec<GameRow>,
}

fn run(folder: &Path, players: &str, machine: Arc<Crowd>, jobs: usize) -> Outcome {
    let clock = format!("[clock]\nper-move = \"{LIMIT}\"\n");
    let config = small_cachex(1, &[&clock, players]);
    let plan = Plan::parse(&config, Path::new("config.toml"), BUILT_IN).expect("valid");
    let host = Host {
        probe: Some(machine),
        ..host(&plan, jobs)
    };
    let out = folder.join("out");
    let mut record = RunFolder::create(&out, &plan, host.stamp()).expect("a folder");
    let mut void = Vec::new();
    let interrupt = Interrupt::new().expect("a pipe");
    let ended = Tournament::new(&plan, &host, &interrupt).play(&mut record, &mut |event| {
        if let Event::Void { id, cause } = event {
            let mut log = File::options()
                .append(true)
                .open(folder.join("log"))
                .expect("a log");
            log.write_all(b"the referee void\n").expect("written");
            void.push((*id, cause.to_string()));
        }
    });
    Outcome {
        ended,
        void,
        games: read_games(&out.join("games.csv")).expect("a journal"),
    }
}

#[test]
fn a_bot_is_not_charged_for_its_waits() {
    let folder = tempfile::tempdir().expect("a folder");
    let players = red_and_blue(folder.path(), "sleep 0.7");
    let outcome = run(folder.path(), &players, Crowd::new(9), 1);
    outcome.ended.expect("all is played");
    let [game] = &outcome.games[..] else {
        panic!("{:?}", outcome.void);
    };
    assert_eq!(game.end.termination.name(), "rules", "{:?}", game.end);
    let wall = game.end.spent[Seat::FIRST].wall;
    assert!(wall < Duration::from_millis(700), "{wall:?}");
}

/// The machine delays both handshakes. The second seat's ends later than the first seat's, and long after the limit.
#[test]
fn a_handshake_beside_another_is_judged_by_its_own_delay() {
    let folder = tempfile::tempdir().expect("a folder");
    let bots = red_and_blue(folder.path(), "");
    for (name, seconds) in [("red", "1.4"), ("blue", "1.8")] {
        let path = folder.path().join(name);
        let script = std::fs::read_to_string(&path).expect("a script");
        let slow = script.replace("referee) ", &format!("referee) sleep {seconds}; "));
        assert_ne!(slow, script);
        write_executable(&path, &slow);
    }
    let players = format!("[limits]\nhandshake = \"1s\"\n{bots}");
    let outcome = run(folder.path(), &players, Crowd::new(9), 1);
    outcome.ended.expect("all is played");
    // On a machine that is really busy a try may be void; nobody forfeits.
    let ends = outcome.games.iter().map(|game| game.end.termination.name());
    assert_eq!(ends.collect::<Vec<_>>(), ["rules"], "{:?}", outcome.void);
}

/// The first player waits for a processor in each attempt. The second computes as long as its row says, where it may use the
/// other processor for 60 seconds; without the rest the first would have had a quarter of the 50 seconds that it lacked.
#[test]
fn who_alone_computes_in_each_void_attempt_forfeits() {
    for (used, forfeits) in [
        ([73; 5], true),
        ([73, 73, 73, 73, 72], false),
        ([73, 73, 60, 73, 73], false),
        // The first one's turn to compute.
        ([73, 0, 73, 73, 73], false),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let plan = quick::plan(2, 1, "all");
        let starts = AtomicUsize::new(0);
        let start = |player: usize, _: usize, _: Patience| {
            let attempt = starts.fetch_add(1, Ordering::Relaxed) / 2;
            let used = used[attempt];
            let reply = move |_: &[String]| match (player == 0) == (used > 0) {
                true => Reply::Fault(Fault::Starved {
                    limit: Duration::from_secs(10),
                    waited: Duration::from_secs(60),
                    cpu_wait: Duration::from_secs(55),
                }),
                false => Reply::Line("bot 1 double".to_owned(), Duration::ZERO),
            };
            let contention = move || Contention {
                elapsed: Duration::from_secs(60),
                cores: 2,
                off_turn: Duration::from_secs(match player {
                    0 if used > 0 => 0,
                    0 => 73,
                    _ => used,
                }),
                ..Contention::default()
            };
            let mut double = Double::new(reply);
            double.contention = Box::new(contention);
            Ok(Box::new(Participant::new(double)) as Box<Participant<dyn Player>>)
        };
        let out = folder.path().join("out");
        let ended = play(&plan, 1, &start, run_folder(&out, &plan), &mut |_| ());
        let completed = ended.expect("its end");
        assert_eq!(completed.set_aside, usize::from(!forfeits), "{used:?}");
        assert_eq!(starts.into_inner(), 10, "{used:?}");
        let games = read_games(&out.join("games.csv")).expect("a journal");
        let by: Vec<_> = games.iter().map(GameRow::forfeited_by).collect();
        assert_eq!(by, vec!["p0001"; usize::from(forfeits)], "{used:?}");
        let run = Run::open(&out, BUILT_IN).expect("a run");
        finish_run(&run, &Results::default().rate(&Settings::default()), &[]).expect("tables");
        let verified = verify(&run, &mut || {}).expect("as recorded");
        assert_eq!(verified.games, u64::from(forfeits));
    }
}

/// A player whose bot the machine cannot start keeps nobody from playing, also where the pairings of a
/// round depend on the last one.
#[test]
fn pairings_go_on_without_games_that_are_set_aside() {
    for format in ["round-robin", "swiss"] {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        let mut plan = quick::plan(4, 2, "all");
        if format == "swiss" {
            let rounds = 2;
            let games = GamesPerPairing::new(2).expect("not zero");
            plan.format = Format::Swiss { rounds, games };
        }
        let start = |player: usize, worker: usize, patience: Patience| match player {
            0 => Err(Fault::Machine(std::io::Error::other("no more processes"))),
            _ => quick::start(player, worker, patience),
        };
        let play = |start: Starter<'_>| {
            let mut conclusions = Vec::new();
            let mut listen = |event: &Event<'_>| {
                if let Event::Concluded { game, conclusion } = event {
                    conclusions.push((*game, (*conclusion).clone()));
                }
            };
            let completed = play(&plan, 1, start, run_folder(&out, &plan), &mut listen);
            let run = Run::open(&out, BUILT_IN).expect("a run");
            let mut results = Results::default();
            for row in run.rows().expect("a journal") {
                results.add(&(&row.expect("a row")).into());
            }
            finish_run(&run, &results.rate(&Settings::default()), &conclusions).expect("tables");
            completed.expect("at its end")
        };
        let set_aside = play(&start).set_aside;
        let run = Run::open(&out, BUILT_IN).expect("a run");
        let names = |game: &SetAsideGame| game.players.clone().pair().expect("two seats");
        let rows = run.set_aside().expect("rows");
        assert_eq!(rows.len(), set_aside);
        let broken = &plan.players[0].name;
        let is_of_broken = |game| names(game).contains(broken);
        assert!(rows.iter().all(is_of_broken), "{rows:?}");
        let others = run.rows().expect("a journal").count();
        let verified = verify(&run, &mut || {}).expect("as recorded");
        assert_eq!(verified.games as usize, others);
        assert_eq!(verified.set_aside as usize, set_aside);
        let total = if format == "swiss" { 8 } else { 12 };
        assert_eq!(others + set_aside, total, "{format}");
        // Pairings that came after them stay as they are; where none did, the games are tried again.
        assert_eq!(play(&quick::start).set_aside, 0);
        let rows = run.set_aside().expect("rows").len();
        let games = run.rows().expect("a journal").count();
        let expected = match format {
            "swiss" => (set_aside, others),
            _ => (0, total),
        };
        assert_eq!((rows, games), expected, "{format}");
        assert!(verify(&run, &mut || {}).expect("as recorded").complete);
    }
}

/// A game of a player that waited half of the time is void in all attempts but the last, and in a run that goes on each such
/// game is played again, once.
#[test]
fn games_short_of_the_processor_are_played_again_and_the_last_attempt_counts() {
    let plan = quick::plan(2, 2, "all");
    let below = Some(0.6);
    for (waiting, voids, low) in [(2, 2, 0), (usize::MAX, 8, 2)] {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        // In game 0 alone, unless it waits for ever: game 1 follows once game 0 is postponed.
        let play = |waiting: usize, below: Option<f64>| {
            let started = AtomicUsize::new(0);
            let start = |player: usize, _: usize, _: Patience| {
                let waits = player == 0 && started.fetch_add(1, Ordering::Relaxed) < waiting;
                let took = Duration::from_secs(u64::from(waits));
                Ok::<_, Fault>(quick::waiting(player, took))
            };
            let host = Host {
                again_below: below,
                ..host(&plan, 1)
            };
            let repeat = Repeat {
                changed: false,
                below,
            };
            let resumed = RunFolder::resume(&out, &plan, host.stamp(), repeat, &mut |_| ());
            let mut void = Vec::new();
            let mut listen = |event: &Event<'_>| {
                if let Event::Void { cause, .. } = event {
                    void.push(cause.to_string());
                }
            };
            let ended = play_on(
                &host,
                &plan,
                &start,
                resumed.expect("a folder"),
                &mut listen,
            );
            assert_eq!(ended.expect("all is played").set_aside, 0);
            let run = finished(&out, &plan);
            let verified = verify(&run, &mut || {}).expect("as recorded");
            assert!(verified.complete && verified.games == 2);
            let mut rows = run.rows().expect("a journal");
            let below = rows.by_ref().filter(|row| {
                let row = row.as_ref().expect("a row");
                row.is_below(Some(0.6))
            });
            (void, below.count())
        };
        let (void, found) = play(waiting, below);
        let words = "`p0000` had less than 60 % of the processor time that it wanted";
        assert_eq!(void, vec![words; voids]);
        assert_eq!(found, low);
        assert_eq!(play(0, None), (Vec::new(), low), "what was played stays");
        assert_eq!(play(0, below), (Vec::new(), 0));
    }
}

/// A bot that stops by the wall clock says what share it had, which is the one of the journal.
#[test]
#[ignore = "slow"]
fn the_share_of_the_processor_is_what_the_bot_had() {
    let python = needed!(python().filter(|_| landlock_holds()));
    let run = TestRun::new("");
    let bot = "import sys, time\n\
               for line in sys.stdin:\n    \
                   word = line.split()[0]\n    \
                   if word == 'referee': print('bot 1 wall')\n    \
                   elif word == 'start': print('ready'); cells = iter(sys.argv[1:])\n    \
                   elif word == 'act':\n        \
                       wall, own = time.time(), time.process_time()\n        \
                       while time.time() < wall + 0.5: pass\n        \
                       share = (time.process_time() - own) / (time.time() - wall)\n        \
                       print(f'# value share {share:.6f}'); print(next(cells))\n    \
                   elif word == 'quit': break\n    \
                   sys.stdout.flush()\n";
    run.write("bot/bot.py", bot);
    let player = |name: &str, actions: [&str; 3]| {
        let command = format!("{:?}, \"bot.py\", {:?}", python.program, actions[0]);
        let [_, second, third] = actions;
        format!(
            "[[player]]\nname = \"{name}\"\ndir = \"bot\"\ncommand = [{command}, \"{second}\", \"{third}\"]\n"
        )
    };
    let limits = "[clock]\nmeasure = \"cpu\"\n[limits]\nisolation = \"landlock\"\n";
    run.configure(&small_cachex(
        1,
        &[limits, &player("red", RED), &player("blue", BLUE)],
    ));
    let load = Load::start(16);
    run.play(&["-j1"]);
    drop(load);
    let [game] = &run.games()[..] else {
        panic!("one game");
    };
    let mut said = BTreeMap::new();
    for ply in run.plies(0) {
        let share = ply["values"].strip_prefix("share=").expect("a value");
        let shares: &mut Vec<f64> = said.entry(ply["seat"].clone()).or_default();
        shares.push(share.parse().expect("a number"));
    }
    for (spent, shares) in game.end.spent.values().zip(["red", "blue"]) {
        let own = &said[shares];
        let own = own.iter().sum::<f64>() / own.len() as f64;
        let wanted = spent.cpu + spent.waited;
        let share = spent.cpu.as_secs_f64() / wanted.as_secs_f64();
        assert!(
            (share - own).abs() < 0.15,
            "{share} is not {own}: {spent:?}"
        );
    }
}

#[test]
fn a_bot_that_only_its_own_load_slows_down_forfeits() {
    let folder = tempfile::tempdir().expect("a folder");
    let players = red_and_blue(folder.path(), "sleep 1");
    // It waited all the time, but other processes used no processor time.
    let outcome = run(folder.path(), &players, Crowd::new(0), 1);
    outcome.ended.expect("all is played");
    assert_eq!(outcome.void, []);
    assert_eq!(outcome.games[0].forfeited_by(), "red");
    assert_eq!(outcome.games[0].end.termination.name(), "time");
}

#[test]
#[ignore = "slow"]
fn a_void_game_is_played_again_while_no_other_game_is_in_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let players = [
        // Enough time for each bot to write its last line.
        "[limits]\nquit = \"60s\"\n".to_owned(),
        bot(folder.path(), "slow", SLEEP_ONCE, RED),
        bot(folder.path(), "b", "", BLUE),
        bot(folder.path(), "c", "", RED),
        bot(folder.path(), "d", "", BLUE),
        bot(folder.path(), "e", "", RED),
        bot(folder.path(), "f", "", BLUE),
    ];
    let outcome = run(folder.path(), &players.concat(), Crowd::new(9), 3);
    outcome.ended.expect("all is played");
    let mut ids: Vec<u64> = outcome.games.iter().map(|game| game.id).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..15).collect::<Vec<_>>(), "every game has a row");
    let [(again, _)] = outcome.void[..] else {
        panic!("{:?}", outcome.void);
    };
    let game = outcome.games.iter().find(|game| game.id == again);
    let game = game.expect("it was played again");
    let own = game.names();
    let log = std::fs::read_to_string(folder.path().join("log")).expect("a log");
    // Each line has a process, a name and a word.
    let log: Vec<Vec<&str>> = log.lines().map(|line| line.split(' ').collect()).collect();
    let void = log.iter().position(|line| line[2] == "void");
    let void = void.expect("it was said");
    let gone = |line: &[&str], until: usize| {
        let mut lines = log[..until].iter();
        line[2] == "void" || lines.any(|other| other[0] == line[0] && other[2] == "quit")
    };
    let starts = |at: usize| log[at..].iter().filter(|line| line[2] == "start").take(2);
    // The game is played again after all earlier processes have ended.
    let begun = (void + 1..log.len())
        .find(|at| {
            log[..*at].iter().all(|line| gone(line, *at))
                && starts(*at).all(|line| own.contains(&line[1]))
        })
        .unwrap_or_else(|| panic!("somebody was always there: {log:#?}"));
    // Until it is over no other bot does anything.
    let is_end = |line: &Vec<&str>| ["third", "quit"].contains(&line[2]);
    let over = log[begun..].iter().position(is_end);
    for line in &log[begun..begun + over.expect("it was over")] {
        assert!(own.contains(&line[1]), "{log:#?}");
    }
}

/// Here a game cannot be played because a bot's program was removed.
#[test]
#[ignore = "slow"]
fn games_that_were_set_aside_have_an_exit_code_of_their_own() {
    let run = TestRun::new("");
    let players = [
        bot(run.folder(), "red", "rm red; exit", RED),
        bot(run.folder(), "blue", "", BLUE),
        bot(run.folder(), "green", "", BLUE),
    ];
    run.configure(&small_cachex(2, &[&players.concat()]));
    let ran = run.run(&["-j1"]);
    assert_eq!(ran.exit, 6, "{ran:?}");
    for words in [
        "game 3 was void and is played again",
        "game 3, green against red, was void each time, at last with the machine to itself, and is set aside",
        "the bot of `red` could not be started",
        "games were void each time and are set aside: see set-aside.csv",
    ] {
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
    }
    assert!(ran.stdout.contains("results in "), "{ran:?}");
    assert_eq!(run.games().len(), 3, "the games that could be played count");
    let rows = run.read("out/set-aside.csv");
    assert_eq!(rows.lines().count(), 4, "{rows}");
    let first = "id,game,block,round,first,second,after,cause\n3,cachex,1,";
    assert!(rows.starts_with(first), "{rows}");
    let index = run.read("out/report/index.html");
    for words in [
        "3 of 6 games played.",
        "<h2 id=\"set-aside\">",
        "could not be started",
    ] {
        assert!(index.contains(words), "no {words}: {index}");
    }
}

/// A quiet machine. Each look at a bot takes the referee a second.
#[derive(Debug)]
struct SlowLook;

impl Probe for SlowLook {
    fn read(&self, _tree: &[Pid]) -> Reading {
        std::thread::sleep(Duration::from_secs(1));
        Reading::default()
    }
}

#[test]
fn an_answer_that_came_while_the_referee_looked_is_not_late() {
    let asks = "read question; sleep 0.1; echo a1; read end";
    let mut bot = in_shell(asks).on_machine(Arc::new(SlowLook));
    // The first look is soon after the request.
    let limit = Duration::from_millis(500);
    ask(&mut bot);
    let (spent, _) = answer(&mut bot, limit);
    assert!(spent.wall < limit && spent.waited > limit, "{spent:?}");
}

/// A bot in a shell that has started: its first answer is over.
fn in_shell(script: &str) -> Process {
    let script = format!("read hello; echo ready; {script}");
    let launch = Launch {
        program: "sh".into(),
        args: vec!["-c".to_owned(), script],
        ..Launch::default()
    };
    let mut bot = start_bot(&launch);
    ask(&mut bot);
    answer(&mut bot, Duration::from_secs(60));
    bot
}

fn ask(bot: &mut Process) {
    bot.tell(&ToBot::Quit);
    bot.request();
}

/// Its answer within this time.
fn answer(bot: &mut Process, wall: Duration) -> (Spent, String) {
    let (wait, mut answer) = (Wait { wall, cpu: None }, String::new());
    let spent = bot.answer(wait, &mut answer).expect("an answer");
    (spent, answer)
}

#[test]
fn an_answer_that_waited_for_the_referee_is_the_machines_delay() {
    let mut bot = in_shell("read question; echo a1; read end").on_machine(Crowd::new(0));
    let limit = Duration::from_millis(100);
    ask(&mut bot);
    // Without a processor the referee neither reads nor wakes up.
    std::thread::sleep(20 * limit);
    let (spent, answer) = answer(&mut bot, limit);
    assert_eq!(answer, "a1");
    assert!(
        spent.waited + spent.wall >= 20 * limit && spent.wall < limit,
        "{spent:?}"
    );
}
