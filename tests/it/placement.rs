//! On which processors the bots of a game run, and the messages about that.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use referee::bot::{Lane, Lanes, Launch, Player, Process};
use referee::clock::Wait;
use referee::protocol::ToBot;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity};

use crate::support::config::{program, small_cachex};
use crate::support::{TestRun, skip, start_bot, write_executable};

/// A bot that writes the processors it may use to the file `where`, and then exits.
const BOT: &str = "#!/bin/sh\ngrep Cpus_allowed_list: /proc/self/status >>where\n";

fn prepared(off_turn: &str) -> TestRun {
    let limits = format!("[limits]\noff-turn = \"{off_turn}\"\n");
    let [a, b] = ["a", "b"].map(|name| program(name, "bot"));
    let run = TestRun::new(&small_cachex(2, &[&limits, &a, &b]));
    write_executable(&run.path("bot"), BOT);
    run
}

/// The lists of processors such as `0-3,8` that bots wrote down.
fn lists(run: &TestRun) -> BTreeSet<String> {
    let text = run.read("where");
    let list = |line: &str| line.split_whitespace().last().expect("a list").to_owned();
    text.lines().map(list).collect()
}

fn processors(list: &str) -> BTreeSet<u32> {
    list.split(',')
        .flat_map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            first.parse().expect("a number")..=last.parse().expect("a number")
        })
        .collect()
}

#[test]
fn pinned_bots_see_one_core() {
    let run = prepared("stop");
    run.play(&["--pin", "-j1"]);
    let lists = lists(&run);
    assert_eq!(lists.len(), 1, "both bots of a game on one core: {lists:?}");
    let list = processors(lists.first().expect("one"));
    let first = list.first().expect("a processor");
    let siblings = std::fs::read_to_string(format!(
        "/sys/devices/system/cpu/cpu{first}/topology/thread_siblings_list"
    ));
    let Ok(siblings) = siblings else {
        skip("the topology of processors in /sys");
        return;
    };
    assert!(list.is_subset(&processors(siblings.trim())), "{list:?}");
    assert!(run.read("out/manifest.toml").contains("pinned = true"));
}

#[test]
fn bots_run_where_they_like_unless_they_are_pinned() {
    let run = prepared("stop");
    run.play(&["-j1"]);
    let own = std::fs::read_to_string("/proc/self/status").expect("text");
    let own = own
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let own = own.expect("a list").trim().to_owned();
    assert_eq!(lists(&run), BTreeSet::from([own]));
}

#[test]
fn more_games_than_cores_are_refused_when_pinned_and_warned_of_otherwise() {
    let run = prepared("log");
    run.run(&["--pin", "-j1000"])
        .fails(2, "`--pin` has room for ");
    assert!(!run.out().exists(), "nothing was done");

    // The advice can be followed.
    let refused = run.run(&["--pin", "-j1000", "--check"]);
    let most = refused.stderr.split("use -j ").nth(1).expect("advice");
    let most = most.split(',').next().and_then(|most| most.parse().ok());
    let most: usize = most.expect("a number");
    run.run(&["--pin", &format!("-j{most}"), "--check"]).done();

    let ran = run.run(&["-j1000"]).done();
    assert_starts!(ran.stderr, "warning: 1000 games at a time on ");
    assert!(ran.stderr.contains("physical core"), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
}

/// Answers each line, and `end` after a while.
const ECHO: &str = "while read -r word rest; do [ \"$word\" = end ] && sleep 0.02; echo x; done";

fn ask(bot: &mut Process, message: &ToBot<'_>) {
    bot.tell(message);
    bot.request();
    let wait = Wait {
        wall: Duration::from_secs(60),
        cpu: None,
    };
    bot.answer(wait, &mut String::new()).expect("an answer");
}

#[test]
fn a_bot_that_answers_at_once_shares_a_processor_with_its_referee_until_it_takes_long() {
    let all = sched_getaffinity(None).expect("this thread lives");
    if all.count() == 1 {
        skip("two processors");
        return;
    }
    let cpus = (0..CpuSet::MAX_CPU).filter(|cpu| all.is_set(*cpu));
    let lanes = Lanes::new(cpus.map(|cpu| vec![cpu as u32]).collect()).expect("each is a core");
    let launch = Launch {
        program: PathBuf::from("sh"),
        args: vec!["-c".to_owned(), ECHO.to_owned()],
        ..Launch::default()
    };
    let lane = Lane::new(&lanes);
    let bot = start_bot(&launch);
    let mut bot = bot.on_lane(Arc::clone(&lane));
    let pid = Pid::from_raw(bot.pid().expect("it runs"));
    let place = |process| sched_getaffinity(process).expect("it lives");
    let quick = ToBot::Hello { version: 1 };
    // How many it takes depends on what else the machine does.
    for _ in 0..100_000 {
        ask(&mut bot, &quick);
        if place(pid) != all {
            break;
        }
    }
    assert_eq!((place(pid).count(), place(pid)), (1, place(None)));
    let slow = ToBot::End {
        winner: "none",
        termination: "rules",
        detail: "",
    };
    ask(&mut bot, &slow);
    assert_eq!([place(pid), place(None)], [all; 2]);
}
