//! Members that turn on the machine, the harness or their opponent. Each is harmless by itself: it
//! ends within seconds whatever becomes of it, starts at most 300 processes and takes at most 256 MiB.
//! Each is played in a scene of its own; see `scene.rs`.
//!
//! A member that tries something which must not succeed plays an illegal action if it does, and an
//! honest one if it does not; so [`Fate::Plays`] means that it was held.

use std::fs::{self, File};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use referee::player::Confinement;
use referee::referee::Termination::{Crash, Handshake, Memory, ProtocolError, Time};
use rustix::process::{Pid, Signal, getpid, getppid, kill_process};

use crate::bot::Moment::{Act, Hello};
use crate::bot::{Conduct, honestly, say, write};
use crate::zoo::Fate::{Forfeits, Plays};
use crate::zoo::Limits::{Ample, LittleCpu, ShortMoves};
use crate::zoo::{Fate, Limits, Member, member};

/// A member with the stage that it needs.
pub struct Hostile {
    pub member: Member,
    /// It sends signals to more than itself, so it is shown in a PID namespace or not at all.
    pub signals_others: bool,
    /// It is held by Landlock alone, which needs Linux 6.12.
    pub held_by_landlock: bool,
    /// What it may use.
    pub confinement: fn() -> Confinement,
}

const fn shown(name: &'static str, limits: Limits, fate: Fate, conduct: Conduct) -> Hostile {
    Hostile {
        member: member(name, limits, fate, conduct),
        signals_others: false,
        held_by_landlock: false,
        confinement: Confinement::default,
    }
}

const fn with(confinement: fn() -> Confinement, hostile: Hostile) -> Hostile {
    Hostile {
        confinement,
        ..hostile
    }
}

const fn signals(hostile: Hostile) -> Hostile {
    Hostile {
        signals_others: true,
        ..hostile
    }
}

const fn held(hostile: Hostile) -> Hostile {
    Hostile {
        held_by_landlock: true,
        ..hostile
    }
}

/// Little memory.
fn small() -> Confinement {
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

/// As on a kernel that cannot keep a bot's signals in.
fn exposed() -> Confinement {
    Confinement {
        signal_scope: false,
        ..Confinement::default()
    }
}

#[rustfmt::skip]
pub const HOSTILE: &[Hostile] = &[
    // Leaves processes behind, or tries to drown the machine in them.
    shown("leaves_a_process_in_a_session_of_its_own", Ample, Plays,
        |at, honest| { if at == Act(1) { shell("setsid sleep 8 &") } honestly(at, honest) }),
    shown("forks_twice_and_stays", Ample, Plays,
        |at, honest| { if at == Act(1) { shell("( setsid sh -c 'sleep 8 & sleep 8' & ) &") } honestly(at, honest) }),
    shown("leaves_stopped_processes", Ample, Plays,
        |at, honest| { if at == Act(1) { shell("for i in 1 2 3; do sh -c 'kill -STOP $$; sleep 8' & done") } honestly(at, honest) }),
    shown("leaves_processes_that_ignore_sigterm", Ample, Plays,
        |at, honest| { if at == Act(1) { shell("sh -c 'trap \"\" TERM HUP INT; sleep 4; sleep 4' &") } honestly(at, honest) }),
    shown("leaves_a_zombie", Ample, Plays,
        |at, honest| { if at == Act(1) { leave(sh("exit 0")) } honestly(at, honest) }),
    shown("leaves_fifty_orphans_in_every_ply", Ample, Plays,
        |at, honest| { if matches!(at, Act(1..=3)) { shell("for i in $(seq 50); do ( sleep 8 & ); done") } honestly(at, honest) }),
    shown("forks_a_chain_of_short_lives", Ample, Plays,
        |at, honest| { if at == Act(1) { shell(CHAIN) } honestly(at, honest) }),
    shown("exits_and_leaves_a_child_to_play_on", Ample, Forfeits(Crash, "exited with code 0"),
        |at, honest| if at == Act(2) { leave(heir()); std::process::exit(0) } else { honestly(at, honest) }),
    with(few, shown("forks_more_than_it_may", Ample, Forfeits(Crash, "processes at one time; it may have 40"),
        |at, honest| if at == Act(2) { shell("for i in $(seq 200); do sleep 5 & done; sleep 5") } else { honestly(at, honest) })),

    // Memory.
    with(small, shown("fills_memory", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| if at == Act(2) { hold(120) } else { honestly(at, honest) })),
    with(small, shown("fills_memory_bit_by_bit", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| if at == Act(2) { let held: Vec<Vec<u8>> = (0..120).map(|_| { sleep(Duration::from_millis(2)); vec![1; 1 << 20] }).collect(); sleep(Duration::from_secs(5)); drop(held) } else { honestly(at, honest) })),
    with(small, shown("fills_memory_in_a_child", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| if at == Act(2) { myself("hold").status().expect("a child"); } else { honestly(at, honest) })),
    with(small, shown("fills_memory_in_many_children", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| if at == Act(2) { for _ in 0..5 { leave(myself("hold-a-little")) } sleep(Duration::from_secs(5)) } else { honestly(at, honest) })),
    with(much, shown("asks_for_far_more_than_there_is", Ample, Forfeits(Crash, "SIGABRT"),
        |at, honest| if at == Act(2) { drop(std::hint::black_box(vec![1_u8; 8 << 30])) } else { honestly(at, honest) })),

    // Files and descriptors.
    with(sparse, shown("writes_a_file_too_large", Ample, Forfeits(Crash, "SIGXFSZ"),
        |at, honest| if at == Act(2) { drop(tempfile::tempfile().expect("a file").write_all(&[0; 4 << 20])) } else { honestly(at, honest) })),
    with(sparse, shown("opens_too_many_files", Ample, Plays,
        |at, honest| if at == Act(2) { let open: Vec<File> = (0..100).map_while(|_| File::open("/dev/null").ok()).collect(); cheat_if(open.len() == 100, honest) } else { honestly(at, honest) })),
    shown("looks_for_descriptors_of_the_harness", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(descriptors() > 0, honest) } else { honestly(at, honest) }),
    shown("looks_for_a_secret_in_its_environment", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(std::env::var_os(SECRET).is_some(), honest) } else { honestly(at, honest) }),
    shown("wants_a_core_dump", Ample, Forfeits(Crash, "SIGSEGV"),
        |at, honest| if at == Act(1) { cheat_if(limit_of("Max core file size") != "0", honest) } else if at == Act(2) { become_a_segfault() } else { honestly(at, honest) }),
    shown("writes_to_the_terminal", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(File::options().write(true).open("/dev/tty").is_ok(), honest) } else { honestly(at, honest) }),
    shown("wants_new_privileges", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(status_of("NoNewPrivs") != "1", honest) } else { honestly(at, honest) }),
    shown("changes_its_own_executable", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(File::options().write(true).open("/proc/self/exe").is_ok(), honest) } else { honestly(at, honest) }),

    // Looks at others.
    held(shown("reads_the_memory_of_its_supervisor", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(File::open(of(getppid(), "mem")).is_ok(), honest) } else { honestly(at, honest) })),
    held(shown("reads_the_memory_of_the_harness", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(File::open(of(harness(), "mem")).is_ok() || fs::read(of(harness(), "environ")).is_ok(), honest) } else { honestly(at, honest) })),
    held(shown("looks_into_the_files_of_the_harness", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(fs::read_dir(of(harness(), "fd")).is_ok_and(|fds| fds.flatten().any(|fd| fs::read_link(fd.path()).is_ok())), honest) } else { honestly(at, honest) })),
    shown("listens_and_connects_on_the_loopback", Ample, Plays,
        |at, honest| { if at == Act(1) { drop(TcpListener::bind("127.0.0.1:0").map(|socket| socket.local_addr().map(std::net::TcpStream::connect))) } honestly(at, honest) }),

    // Signals.
    shown("stops_itself", ShortMoves, Forfeits(Time, "no answer within 0.5"),
        |at, honest| if at == Act(2) { kill_process(getpid(), Signal::STOP).expect("sent") } else { honestly(at, honest) }),
    signals(shown("kills_its_group", Ample, Forfeits(Crash, "SIGKILL"),
        |at, honest| if at == Act(2) { shell("kill -KILL 0") } else { honestly(at, honest) })),
    held(signals(shown("kills_its_supervisor", Ample, Plays,
        |at, honest| { if at == Act(2) { signal_parent(Signal::KILL) } honestly(at, honest) }))),
    held(signals(shown("stops_its_supervisor", Ample, Plays,
        |at, honest| { if at == Act(2) { signal_parent(Signal::STOP) } honestly(at, honest) }))),
    held(signals(shown("kills_the_harness", Ample, Plays,
        |at, honest| { if at == Act(2) { let _ = harness().map(|pid| kill_process(pid, Signal::KILL)); } honestly(at, honest) }))),
    held(signals(shown("kills_every_process_it_may", Ample, Forfeits(Crash, "SIGKILL"),
        |at, honest| if at == Act(2) { shell("kill -KILL -1") } else { honestly(at, honest) }))),
    signals(with(exposed, shown("kills_its_supervisor_where_it_can", Ample, Forfeits(Crash, "killed its supervisor"),
        |at, honest| { if at == Act(2) { shell("setsid sleep 8 &"); signal_parent(Signal::KILL); sleep(Duration::from_secs(5)) } honestly(at, honest) }))),
    signals(with(exposed, shown("kills_its_supervisor_from_a_child", Ample, Forfeits(Crash, "killed its supervisor"),
        |at, honest| if at == Act(2) { shell(&format!("setsid sh -c 'kill -KILL {}; sleep 8' &", parent())); sleep(Duration::from_secs(5)) } else { honestly(at, honest) }))),
    signals(with(exposed, shown("stops_its_supervisor_where_it_can", Ample, Plays,
        |at, honest| { if at == Act(2) { signal_parent(Signal::STOP) } honestly(at, honest) }))),
    signals(with(exposed, shown("stops_its_supervisor_and_crashes", Ample, Forfeits(Crash, "exited with code 5"),
        |at, honest| if at == Act(2) { shell("setsid sleep 8 &"); signal_parent(Signal::STOP); std::process::exit(5) } else { honestly(at, honest) }))),
    signals(with(exposed, shown("stops_its_supervisor_and_hangs", ShortMoves, Forfeits(Time, "no answer within 0.5"),
        |at, honest| if at == Act(2) { shell("setsid sleep 8 &"); signal_parent(Signal::STOP); sleep(Duration::from_secs(8)) } else { honestly(at, honest) }))),

    // Time.
    shown("renices_itself", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| if at == Act(2) { shell("renice -n 19 $PPID >/dev/null 2>&1"); busy() } else { honestly(at, honest) }),

    shown("computes_in_a_child", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| { if at == Act(2) { myself("busy").status().expect("a child"); } honestly(at, honest) }),
    shown("computes_in_many_children_one_after_another", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| { if at == Act(2) { for _ in 0..100 { myself("busy-for-a-moment").status().expect("a child"); } } honestly(at, honest) }),
    shown("computes_in_an_orphan", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| { if at == Act(2) { shell("( setsid timeout 5 sh -c 'while :; do :; done' & )"); sleep(Duration::from_secs(3)) } honestly(at, honest) }),

    // Words.
    shown("answers_with_a_nul", Ample, Forfeits(ProtocolError, "answered `d\u{fffd}2`"),
        |at, honest| if at == Act(2) { say("d\u{0}2") } else { honestly(at, honest) }),
    shown("writes_a_line_of_a_hundred_megabytes", Ample, Forfeits(ProtocolError, "a line of more than 4096 bytes"),
        |at, honest| if at == Act(2) { let megabyte = vec![b'd'; 1 << 20]; for _ in 0..100 { write(&megabyte) } say("") } else { honestly(at, honest) }),
    shown("sends_a_million_debug_lines", Ample, Forfeits(ProtocolError, "more than 1048576 bytes without an answer"),
        |at, honest| { if at == Act(2) { let lines = "# so many\n".repeat(1000); for _ in 0..1000 { write(lines.as_bytes()) } } honestly(at, honest) }),
    shown("answers_without_a_newline_and_exits", Ample, Forfeits(Crash, "exited with code 0"),
        |at, honest| if at == Act(2) { write(honest.as_bytes()); std::process::exit(0) } else { honestly(at, honest) }),
    shown("says_who_it_is_again_and_again", Ample, Forfeits(Handshake, "before it was asked"),
        |at, honest| if at == Hello { write(format!("{honest}\n{honest}\n").as_bytes()) } else { honestly(at, honest) }),
];

/// The variable of the scene's environment that no bot is to see.
pub const SECRET: &str = "ZOO_SECRET";

/// Each of 250 processes starts the next and ends.
const CHAIN: &str = "next() { [ $1 -gt 250 ] || ( next $(($1 + 1)) & ) ; } ; next 1 &";

/// The hostile member of that name.
pub fn find(name: &str) -> Option<&'static Hostile> {
    HOSTILE.iter().find(|hostile| hostile.member.name == name)
}

/// Is a helper of a member.
pub fn help(name: &str) -> bool {
    match name {
        "hold" => hold(120),
        "hold-a-little" => hold(30),
        "busy" => busy_for(Duration::from_secs(5)),
        "busy-for-a-moment" => busy_for(Duration::from_millis(30)),
        _ => return false,
    }
    true
}

fn sh(line: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn shell(line: &str) {
    sh(line).status().expect("a shell");
}

fn myself(role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command
        .args(["zoo", role])
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
}

/// A child that holds on to the bot's stdout.
fn heir() -> Command {
    let mut command = sh("sleep 8");
    command.stdout(Stdio::inherit());
    command
}

#[expect(
    clippy::zombie_processes,
    reason = "a hostile bot waits for none of its children"
)]
fn leave(mut command: Command) {
    command.spawn().expect("a child");
}

/// Holds so many MiB for some seconds.
fn hold(mebibytes: usize) {
    let held = vec![1_u8; mebibytes << 20];
    sleep(Duration::from_secs(5));
    drop(held);
}

fn busy_for(time: Duration) {
    let begun = std::time::Instant::now();
    while begun.elapsed() < time {
        std::hint::spin_loop();
    }
}

fn busy() {
    loop {
        std::hint::spin_loop();
    }
}

/// A language runtime may catch the signal; a shell does not.
fn become_a_segfault() {
    let error = sh("kill -SEGV $$").exec();
    unreachable!("a shell did not start: {error}");
}

/// Plays an illegal action where something succeeded that must not.
fn cheat_if(succeeded: bool, honest: &str) {
    say(if succeeded { "steal" } else { honest });
}

fn parent() -> i32 {
    getppid().map_or(0, |pid| pid.as_raw_nonzero().get())
}

/// In a scene, the supervisor of a bot is its parent and nobody else.
fn signal_parent(signal: Signal) {
    if let Some(parent) = getppid() {
        let _ = kill_process(parent, signal);
    }
}

/// The parent of the parent: anybody may read who that is.
fn harness() -> Option<Pid> {
    let status = fs::read_to_string(of(getppid(), "status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    Pid::from_raw(line.trim().parse().ok()?)
}

fn of(process: Option<Pid>, file: &str) -> String {
    let number = process.map_or(0, |pid| pid.as_raw_nonzero().get());
    format!("/proc/{number}/{file}")
}

/// How many descriptors are open besides the three streams.
fn descriptors() -> usize {
    (3..1000)
        .filter(|fd| Path::new(&format!("/proc/self/fd/{fd}")).exists())
        .count()
}

fn status_of(key: &str) -> String {
    line_of("/proc/self/status", key)
}

fn limit_of(key: &str) -> String {
    line_of("/proc/self/limits", key)
}

/// The first value behind a key of a file in `/proc`.
fn line_of(file: &str, key: &str) -> String {
    let text = fs::read_to_string(file).expect(file);
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(key))
        .expect(key);
    let values = line.trim_start_matches(':').split_whitespace();
    values.take(1).collect()
}
