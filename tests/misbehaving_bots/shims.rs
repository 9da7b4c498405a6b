//! The processes that stand between the harness and its bots.

use std::time::Duration;

use referee::bot::{Confinement, Player, Tier, supervise};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use crate::namespace::processes;
use crate::off_turn::compute_a_while;
use crate::{HELLO, ask, in_tier, launch, supervised, wait};

/// Stops and kills the maker of shims, and shims that wait, between games, as a bot of the same user may.
pub fn a_maker_of_shims_that_is_stopped_or_killed_harms_no_game(_: Tier) {
    supervise::adopt_orphans().expect("this is Linux");
    // One bot at a time, so that one shim waits between two.
    let play = || {
        let mut bot = supervised(&launch("honest"), &Confinement::default());
        ask(&mut bot, &HELLO).expect("an answer");
        bot.finish();
    };
    play();
    let first = maker_of_shims();
    let shim = the_idle_shim();
    for process in [first, shim] {
        kill_process(process, Signal::STOP).expect("it lives");
    }
    play();
    assert_eq!((maker_of_shims(), the_idle_shim()), (first, shim));
    kill(shim);
    play();
    assert_eq!(maker_of_shims(), first);
    let other = the_idle_shim();
    assert_ne!(other, shim);
    kill(first);
    kill(other);
    play();
    assert!(maker_of_shims() != first && the_idle_shim() != other);
}

/// Descriptors that a bot sends count for its user, and so for the harness, which sends each bot its pipes.
pub fn a_bot_starts_beside_one_that_passes_descriptors(tier: Tier) {
    let mut hostile = supervised(
        &launch("passes_more_descriptors_than_it_reads"),
        &in_tier(tier),
    );
    ask(&mut hostile, &HELLO).expect("an answer");
    let mut honest = supervised(&launch("honest"), &in_tier(tier));
    ask(&mut honest, &HELLO).expect("an answer");
}

/// A shim has the processor time of all bots that it had. None is charged for those before it.
pub fn a_bot_is_not_charged_for_those_before_it(_: Tier) {
    let uncounted = Confinement {
        cpu_counter: false,
        ..Confinement::default()
    };
    let mut hungry = supervised(&launch("computes_all_the_time"), &uncounted);
    let pid = ask(&mut hungry, &HELLO).expect("an answer");
    let pid = pid.parse().expect("a number");
    compute_a_while(pid);
    drop(hungry);
    let shim = the_idle_shim();

    let mut bot = supervised(&launch("leaves_a_child"), &uncounted);
    ask(&mut bot, &HELLO).expect("an answer");
    // The shim looks for this, and finds the child: from now on descendants are charged.
    bot.peak_kib().expect("an answer");
    bot.tell(&HELLO);
    bot.request();
    let spent = bot.answer(wait(Duration::from_secs(60)), &mut String::new());
    let idle = spent.expect("an answer").idle_cpu;
    assert!(idle < Duration::from_millis(200), "{idle:?}");
    drop(bot);
    assert_eq!(the_idle_shim(), shim, "another shim would know of nothing");
}

fn kill(child: Pid) {
    kill_process(child, Signal::KILL).expect("it lives");
    let zombie = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(child), zombie).expect("a child");
}

/// The process that makes shims, which this one has besides them.
fn maker_of_shims() -> Pid {
    the_copy_of_the_maker(|name| name != SHIM)
}

fn the_idle_shim() -> Pid {
    the_copy_of_the_maker(|name| name == SHIM)
}

const SHIM: &str = "referee-shim";

/// The one process among the maker and its copies that has such a name.
fn the_copy_of_the_maker(is_wanted: impl Fn(&str) -> bool) -> Pid {
    let read = |process: &u32, file| std::fs::read_to_string(format!("/proc/{process}/{file}"));
    let is_wanted = |process: &u32| {
        let command = read(process, "cmdline").unwrap_or_default();
        let name = read(process, "comm").unwrap_or_default();
        command.ends_with("\0maker\0") && is_wanted(name.trim())
    };
    let copies: Vec<u32> = processes().into_iter().filter(is_wanted).collect();
    assert_eq!(copies.len(), 1, "{copies:?}");
    Pid::from_raw(copies[0].cast_signed()).expect("a number")
}
