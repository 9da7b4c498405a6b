//! Processor time of a bot that answers within microseconds: it is read once in several turns.

use std::path::PathBuf;
use std::time::Duration;

use nix::time::{clock_getcpuclockid, clock_gettime};
use referee::bot::{Launch, Player};
use referee::clock::Wait;
use referee::protocol::ToBot;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::support::rules_program::start_bot;

#[test]
fn turns_between_two_readings_are_charged_to_a_later_one() {
    let launch = Launch {
        program: PathBuf::from("cat"),
        args: Vec::new(),
        ..Launch::default()
    };
    // On one processor a turn takes a few microseconds. The bot inherits the mask.
    let all = sched_getaffinity(None).expect("this thread lives");
    let mut one = CpuSet::new();
    one.set(
        (0..CpuSet::MAX_CPU)
            .find(|cpu| all.is_set(*cpu))
            .expect("a processor"),
    );
    sched_setaffinity(None, &one).expect("it is allowed");
    let mut bot = start_bot(&launch);
    let pid = nix::unistd::Pid::from_raw(bot.pid().expect("it runs"));
    let clock = clock_getcpuclockid(pid).expect("it runs");
    let used = || Duration::from(clock_gettime(clock).expect("it runs"));
    let wait = Wait {
        wall: Duration::from_secs(60),
        cpu: None,
    };
    let mut answer = String::new();
    let mut turn = || {
        bot.tell(&ToBot::Quit);
        bot.request();
        let spent = bot.answer(wait, &mut answer).expect("an answer");
        spent.cpu + spent.idle_cpu
    };
    turn();
    let before = used();
    let charged: Duration = (0..5000).map(|_| turn()).sum();
    let used = used() - before;
    assert!(
        charged * 10 >= used * 9 && charged <= used + Duration::from_millis(1),
        "charged {charged:?} of {used:?}"
    );
}
