//! Bots that attack the machine, the harness or their opponent. Each is safe to run: it ends within
//! seconds, starts at most 300 processes, takes at most 256 MiB of memory, and writes at most 64 MiB to
//! a small disk of its own; see `namespace.rs`.
//!
//! A bot that tries something which must not succeed plays an illegal action if it succeeds, and an
//! honest one if it fails; so [`Expected::Plays`] means that it failed.

use std::fs::{self, File};
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use referee::bot::{Confinement, Tier};
use referee::referee::Termination::{Crash, Handshake, Memory, ProtocolError, Time};
use rustix::process::{Signal, getpid, getppid, kill_process};

use crate::catalogue::Expected::{Forfeits, Plays};
use crate::catalogue::Limits::{Ample, LittleCpu, ShortMoves};
use crate::catalogue::{MisbehavingBot, bot};
use crate::helpers::{
    CHAIN, PYTHON, SECRET, SHARED, answer_for, become_a_segfault, busy, cheat_if,
    child_that_keeps_stdout, descriptors, fill, harness, hold, leave, limit_of, myself, of, others,
    parent, scratch, sh, shell, signal_parent, status_of, test_file,
};
use crate::honest::Moment::{Act, Hello};
use crate::honest::{honestly, say, write};

pub const fn with(confinement: fn() -> Confinement, bot: MisbehavingBot) -> MisbehavingBot {
    MisbehavingBot { confinement, ..bot }
}

pub const fn signals(bot: MisbehavingBot) -> MisbehavingBot {
    MisbehavingBot {
        signals_others: true,
        ..bot
    }
}

pub const fn held(bot: MisbehavingBot) -> MisbehavingBot {
    MisbehavingBot {
        held_by_landlock: true,
        ..bot
    }
}

/// Runs only in these tiers.
pub const fn in_tiers(tiers: &'static [Tier], bot: MisbehavingBot) -> MisbehavingBot {
    MisbehavingBot { tiers, ..bot }
}

/// Runs where only the restrictions of a tier stop it.
pub const fn restricted(bot: MisbehavingBot) -> MisbehavingBot {
    in_tiers(&[Tier::Landlock, Tier::Strict], bot)
}

/// Runs where the bot can reach its supervisor.
const fn exposed_to(bot: MisbehavingBot) -> MisbehavingBot {
    in_tiers(&[Tier::Containment], signals(with(exposed, bot)))
}

/// Runs where Python is installed for the system.
pub const fn in_python(bot: MisbehavingBot) -> MisbehavingBot {
    MisbehavingBot {
        needs: Some(PYTHON),
        ..bot
    }
}

/// Little memory.
pub fn small() -> Confinement {
    Confinement {
        memory: Some(64 << 20),
        ..Confinement::default()
    }
}

/// Enough memory for the last words of a program that got none.
fn much() -> Confinement {
    Confinement {
        memory: Some(512 << 20),
        ..Confinement::default()
    }
}

/// Few processes.
fn few() -> Confinement {
    Confinement {
        processes: Some(40),
        ..Confinement::default()
    }
}

/// Small files, and few of them open at a time.
fn sparse() -> Confinement {
    Confinement {
        file_size: Some(1 << 20),
        open_files: Some(32),
        ..Confinement::default()
    }
}

/// A scratch folder of one MiB, where it can be bounded.
fn cramped() -> Confinement {
    Confinement {
        scratch: 1 << 20,
        ..Confinement::default()
    }
}

/// As on a kernel that cannot limit where a bot may send signals.
fn exposed() -> Confinement {
    Confinement {
        signal_scope: false,
        ..Confinement::default()
    }
}

#[rustfmt::skip]
pub const HOSTILE: &[MisbehavingBot] = &[
    // Leaves processes behind, or tries to drown the machine in them.
    bot("leaves_a_process_in_a_session_of_its_own", Ample, Plays,
        |at, honest| { if at == Act(1) { shell("setsid sleep 8 &") } honestly(at, honest) }),
    bot("forks_twice_and_stays", Ample, Plays,
        |at, honest| { if at == Act(1) { shell("( setsid sh -c 'sleep 8 & sleep 8' & ) &") } honestly(at, honest) }),
    bot("leaves_stopped_processes", Ample, Plays,
        |at, honest| { if at == Act(1) { shell("for i in 1 2 3; do sh -c 'kill -STOP $$; sleep 8' & done") } honestly(at, honest) }),
    bot("leaves_processes_that_ignore_sigterm", Ample, Plays,
        |at, honest| { if at == Act(1) { shell("sh -c 'trap \"\" TERM HUP INT; sleep 4; sleep 4' &") } honestly(at, honest) }),
    bot("leaves_a_zombie", Ample, Plays,
        |at, honest| { if at == Act(1) { leave(sh("exit 0")) } honestly(at, honest) }),
    bot("leaves_fifty_orphans_in_every_ply", Ample, Plays,
        |at, honest| { if matches!(at, Act(1..=3)) { shell("for i in $(seq 50); do ( sleep 8 & ); done") } honestly(at, honest) }),
    bot("forks_a_chain_of_short_lives", Ample, Plays,
        |at, honest| { if at == Act(1) { shell(CHAIN) } honestly(at, honest) }),
    bot("exits_and_leaves_a_child_to_play_on", Ample, Forfeits(Crash, "exited with code 0"),
        |at, honest| if at == Act(2) { leave(child_that_keeps_stdout()); std::process::exit(0) } else { honestly(at, honest) }),
    with(few, bot("forks_more_than_it_may", Ample, Forfeits(Crash, "processes at one time; it may have 40"),
        |at, honest| if at == Act(2) { shell("for i in $(seq 200); do sleep 5 & done; sleep 5") } else { honestly(at, honest) })),

    // Memory.
    with(small, bot("fills_memory", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| if at == Act(2) { hold(120) } else { honestly(at, honest) })),
    with(small, bot("fills_memory_bit_by_bit", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| if at == Act(2) { let held: Vec<Vec<u8>> = (0..120).map(|_| { sleep(Duration::from_millis(2)); vec![1; 1 << 20] }).collect(); sleep(Duration::from_secs(5)); drop(held) } else { honestly(at, honest) })),
    with(small, bot("fills_memory_in_a_child", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| if at == Act(2) { myself("hold").status().expect("a child"); } else { honestly(at, honest) })),
    with(small, bot("fills_memory_in_many_children", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| if at == Act(2) { for _ in 0..5 { leave(myself("hold-a-little")) } sleep(Duration::from_secs(5)) } else { honestly(at, honest) })),
    with(much, bot("asks_for_far_more_than_there_is", Ample, Forfeits(Crash, "SIGABRT"),
        |at, honest| if at == Act(2) { drop(std::hint::black_box(vec![1_u8; 8 << 30])) } else { honestly(at, honest) })),

    in_python(with(small, bot("fills_memory_that_it_shares", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| if at == Act(2) { Command::new(PYTHON).args(["-c", SHARED]).stdout(Stdio::null()).status().expect("a child"); } else { honestly(at, honest) }))),

    // Files and descriptors.
    bot("fills_the_disk", Ample, Plays,
        |at, honest| { if at == Act(2) { fill(&scratch()); } honestly(at, honest) }),
    in_tiers(&[Tier::Strict], with(cramped, bot("fills_its_scratch_folder", Ample, Plays,
        |at, honest| if at == Act(2) { cheat_if(fill(&scratch()) > 1, honest) } else { honestly(at, honest) }))),
    in_tiers(&[Tier::Strict], with(cramped, bot("fills_its_shared_memory", Ample, Plays,
        |at, honest| if at == Act(2) { cheat_if(fill(Path::new("/dev/shm")) > 1, honest) } else { honestly(at, honest) }))),
    restricted(bot("writes_outside_its_folder", Ample, Plays,
        |at, honest| if at == Act(2) { cheat_if(["own/new", "opponent/new", "results/new"].iter().any(|file| File::create(test_file(file)).is_ok()), honest) } else { honestly(at, honest) })),
    restricted(bot("reads_its_opponents_folder", Ample, Plays,
        |at, honest| if at == Act(2) { cheat_if(fs::read(test_file("opponent/bot")).is_ok() || fs::read_dir(test_file("opponent")).is_ok(), honest) } else { honestly(at, honest) })),
    restricted(bot("reads_the_folder_of_the_results", Ample, Plays,
        |at, honest| if at == Act(2) { cheat_if(fs::read(test_file("results/games.csv")).is_ok() || fs::read_dir(test_file("results")).is_ok(), honest) } else { honestly(at, honest) })),
    restricted(bot("changes_its_own_files", Ample, Plays,
        |at, honest| if at == Act(2) { cheat_if(File::options().append(true).open(test_file("own/bot")).is_ok() || fs::remove_file(test_file("own/bot")).is_ok(), honest) } else { honestly(at, honest) })),
    with(sparse, bot("writes_a_file_too_large", Ample, Forfeits(Crash, "SIGXFSZ"),
        |at, honest| if at == Act(2) { drop(tempfile::tempfile().expect("a file").write_all(&[0; 4 << 20])) } else { honestly(at, honest) })),
    with(sparse, bot("opens_too_many_files", Ample, Plays,
        |at, honest| if at == Act(2) { let open: Vec<File> = (0..100).map_while(|_| File::open("/dev/null").ok()).collect(); cheat_if(open.len() == 100, honest) } else { honestly(at, honest) })),
    bot("looks_for_descriptors_of_the_harness", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(descriptors() > 0, honest) } else { honestly(at, honest) }),
    bot("looks_for_a_secret_in_its_environment", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(std::env::vars_os().any(|(_, value)| value == SECRET), honest) } else { honestly(at, honest) }),
    bot("outlives_the_harness_when_memory_runs_out", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(fs::read_to_string("/proc/self/oom_score_adj").is_ok_and(|score| score.trim() != "800"), honest) } else { honestly(at, honest) }),
    bot("wants_a_core_dump", Ample, Forfeits(Crash, "SIGSEGV"),
        |at, honest| if at == Act(1) { cheat_if(limit_of("Max core file size") != "0", honest) } else if at == Act(2) { become_a_segfault() } else { honestly(at, honest) }),
    bot("writes_to_the_terminal", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(File::options().write(true).open("/dev/tty").is_ok(), honest) } else { honestly(at, honest) }),
    bot("wants_new_privileges", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(status_of("NoNewPrivs") != "1", honest) } else { honestly(at, honest) }),
    bot("changes_its_own_executable", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(File::options().write(true).open("/proc/self/exe").is_ok(), honest) } else { honestly(at, honest) }),

    // Looks at others.
    held(bot("reads_the_memory_of_its_supervisor", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(File::open(of(getppid(), "mem")).is_ok(), honest) } else { honestly(at, honest) })),
    held(bot("reads_the_memory_of_the_harness", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(File::open(of(harness(), "mem")).is_ok() || fs::read(of(harness(), "environ")).is_ok(), honest) } else { honestly(at, honest) })),
    held(bot("looks_into_the_files_of_the_harness", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(fs::read_dir(of(harness(), "fd")).is_ok_and(|fds| fds.flatten().any(|fd| fs::read_link(fd.path()).is_ok())), honest) } else { honestly(at, honest) })),
    bot("listens_and_connects_on_the_loopback", Ample, Plays,
        |at, honest| { if at == Act(1) { drop(TcpListener::bind("127.0.0.1:0").map(|socket| socket.local_addr().map(std::net::TcpStream::connect))) } honestly(at, honest) }),

    restricted(bot("opens_a_socket", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(TcpListener::bind("127.0.0.1:0").is_ok() || std::net::UdpSocket::bind("127.0.0.1:0").is_ok(), honest) } else { honestly(at, honest) })),
    held(bot("looks_into_every_other_process", Ample, Plays,
        |at, honest| if at == Act(2) { cheat_if(others().any(|pid| ["mem", "environ", "fd/0"].iter().any(|file| File::open(of(Some(pid), file)).is_ok())), honest) } else { honestly(at, honest) })),
    held(bot("plays_for_the_other_seat", Ample, Plays,
        |at, honest| if at == Act(2) { cheat_if(others().any(answer_for), honest) } else { honestly(at, honest) })),

    // Signals.
    bot("stops_itself", ShortMoves, Forfeits(Time, "no answer within 0.5"),
        |at, honest| if at == Act(2) { kill_process(getpid(), Signal::STOP).expect("sent") } else { honestly(at, honest) }),
    signals(bot("kills_its_group", Ample, Forfeits(Crash, "SIGKILL"),
        |at, honest| if at == Act(2) { shell("kill -KILL 0") } else { honestly(at, honest) })),
    held(signals(bot("kills_its_supervisor", Ample, Plays,
        |at, honest| { if at == Act(2) { signal_parent(Signal::KILL) } honestly(at, honest) }))),
    held(signals(bot("stops_its_supervisor", Ample, Plays,
        |at, honest| { if at == Act(2) { signal_parent(Signal::STOP) } honestly(at, honest) }))),
    held(signals(bot("kills_the_harness", Ample, Plays,
        |at, honest| { if at == Act(2) { let _ = harness().map(|pid| kill_process(pid, Signal::KILL)); } honestly(at, honest) }))),
    held(signals(bot("kills_every_process_it_may", Ample, Forfeits(Crash, "SIGKILL"),
        |at, honest| if at == Act(2) { shell("kill -KILL -1") } else { honestly(at, honest) }))),
    exposed_to(bot("kills_its_supervisor_where_it_can", Ample, Forfeits(Crash, "killed its supervisor"),
        |at, honest| { if at == Act(2) { shell("setsid sleep 8 &"); signal_parent(Signal::KILL); sleep(Duration::from_secs(5)) } honestly(at, honest) })),
    exposed_to(bot("kills_its_supervisor_from_a_child", Ample, Forfeits(Crash, "killed its supervisor"),
        |at, honest| if at == Act(2) { shell(&format!("setsid sh -c 'kill -KILL {}; sleep 8' &", parent())); sleep(Duration::from_secs(5)) } else { honestly(at, honest) })),
    exposed_to(bot("stops_its_supervisor_where_it_can", Ample, Plays,
        |at, honest| { if at == Act(2) { signal_parent(Signal::STOP) } honestly(at, honest) })),
    exposed_to(bot("stops_its_supervisor_and_crashes", Ample, Forfeits(Crash, "exited with code 5"),
        |at, honest| if at == Act(2) { shell("setsid sleep 8 &"); signal_parent(Signal::STOP); std::process::exit(5) } else { honestly(at, honest) })),
    exposed_to(bot("stops_its_supervisor_and_hangs", ShortMoves, Forfeits(Time, "no answer within 0.5"),
        |at, honest| if at == Act(2) { shell("setsid sleep 8 &"); signal_parent(Signal::STOP); sleep(Duration::from_secs(8)) } else { honestly(at, honest) })),

    // Time.
    bot("renices_itself", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| if at == Act(2) { shell("renice -n 19 $PPID >/dev/null 2>&1"); busy() } else { honestly(at, honest) }),

    bot("computes_in_a_child", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| { if at == Act(2) { myself("busy").status().expect("a child"); } honestly(at, honest) }),
    bot("computes_in_many_children_one_after_another", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| { if at == Act(2) { for _ in 0..100 { myself("busy-for-a-moment").status().expect("a child"); } } honestly(at, honest) }),
    bot("computes_in_an_orphan", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| { if at == Act(2) { shell("( setsid timeout 5 sh -c 'while :; do :; done' & )"); sleep(Duration::from_secs(3)) } honestly(at, honest) }),

    // Words.
    bot("answers_with_a_nul", Ample, Forfeits(ProtocolError, "answered `d\u{fffd}2`"),
        |at, honest| if at == Act(2) { say("d\u{0}2") } else { honestly(at, honest) }),
    bot("writes_a_line_of_a_hundred_megabytes", Ample, Forfeits(ProtocolError, "a line of more than 4096 bytes"),
        |at, honest| if at == Act(2) { let megabyte = vec![b'd'; 1 << 20]; for _ in 0..100 { write(&megabyte) } say("") } else { honestly(at, honest) }),
    bot("sends_a_million_debug_lines", Ample, Forfeits(ProtocolError, "more than 1048576 bytes without an answer"),
        |at, honest| { if at == Act(2) { let lines = "# so many\n".repeat(1000); for _ in 0..1000 { write(lines.as_bytes()) } } honestly(at, honest) }),
    bot("answers_without_a_newline_and_exits", Ample, Forfeits(Crash, "exited with code 0"),
        |at, honest| if at == Act(2) { write(honest.as_bytes()); std::process::exit(0) } else { honestly(at, honest) }),
    bot("says_who_it_is_again_and_again", Ample, Forfeits(Handshake, "before it was asked"),
        |at, honest| if at == Hello { write(format!("{honest}\n{honest}\n").as_bytes()) } else { honestly(at, honest) }),
];
