//! The members of the zoo: what each does, and how its games are to end.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use referee::player::{Confinement, Tier};
use referee::referee::Termination::{
    self, Crash, Handshake, IllegalAction, ProtocolError, Stall, Time,
};
use rustix::process::{Signal, getpid, kill_process};

use crate::bot::Moment::{Act, Hello, Quit, Start};
use crate::bot::{Conduct, honestly, say, write};
use crate::hostile::HOSTILE;

/// One kind of bot, with the stage that it needs.
pub struct Member {
    pub name: &'static str,
    pub conduct: Conduct,
    /// Under which limits it shows its nature.
    pub limits: Limits,
    pub fate: Fate,
    /// The tiers of isolation in which it fares like that.
    pub tiers: &'static [Tier],
    /// What it may use.
    pub confinement: fn() -> Confinement,
    /// It sends signals to more than itself, so it is shown in a PID namespace or not at all.
    pub signals_others: bool,
    /// In the tier `containment` it is held by Landlock alone, which needs Linux 6.12.
    pub held_by_landlock: bool,
    /// A program that it needs.
    pub needs: Option<&'static str>,
}

/// The limits of a game, by what they are to bring out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limits {
    /// Nothing binds.
    Ample,
    /// Little time for the handshake and for getting ready.
    ShortHandshake,
    /// Little time on the wall for each action.
    ShortMoves,
    /// Little time on a processor, and all day on the wall.
    LittleCpu,
    /// Time on a processor counts, but each action has a cap on the wall.
    WallCap,
}

/// How the games of a member end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// They are played to their end.
    Plays,
    /// The member forfeits: in which way, and what its author is told at least.
    Forfeits(Termination, &'static str),
}

use Fate::{Forfeits, Plays};
use Limits::{Ample, LittleCpu, ShortHandshake, ShortMoves, WallCap};

pub const fn member(name: &'static str, limits: Limits, fate: Fate, conduct: Conduct) -> Member {
    Member {
        name,
        conduct,
        limits,
        fate,
        tiers: &Tier::ALL,
        confinement: Confinement::default,
        signals_others: false,
        held_by_landlock: false,
        needs: None,
    }
}

/// The members that harm nobody but themselves.
#[rustfmt::skip]
pub const MEMBERS: &[Member] = &[
    member("honest", Ample, Plays, honestly),

    // The handshake.
    member("never_answers_the_handshake", ShortHandshake, Forfeits(Handshake, "no answer within 2."),
        |at, honest| if at == Hello { idle() } else { honestly(at, honest) }),
    member("answers_the_handshake_wrong", Ample, Forfeits(Handshake, "answered `Hi, I am Bob` to the handshake: expected `bot 1 NAME`"),
        |at, honest| if at == Hello { say("Hi, I am Bob") } else { honestly(at, honest) }),
    member("speaks_another_version", Ample, Forfeits(Handshake, "expected version 1 of the protocol"),
        |at, honest| if at == Hello { say("bot 2 zoo") } else { honestly(at, honest) }),
    member("exits_at_the_handshake", Ample, Forfeits(Handshake, "exited with code 3"),
        |at, honest| if at == Hello { std::process::exit(3) } else { honestly(at, honest) }),
    member("never_reads", ShortHandshake, Forfeits(Handshake, "no answer within 2."), honestly),
    member("is_never_ready", ShortHandshake, Forfeits(Handshake, "no answer within 2."),
        |at, honest| if at == Start { idle() } else { honestly(at, honest) }),
    member("answers_the_start_wrong", Ample, Forfeits(Handshake, "answered `go!` to the start of the game: expected `ready`"),
        |at, honest| if at == Start { say("go!") } else { honestly(at, honest) }),
    member("is_ready_before_it_is_asked", Ample, Forfeits(Handshake, "wrote `ready` before it was asked"),
        |at, honest| if at == Hello { write(format!("{honest}\nready\n").as_bytes()) } else { honestly(at, honest) }),

    // Time.
    member("falls_silent", ShortMoves, Forfeits(Time, "no answer within 0.5"),
        |at, honest| if at == Act(2) { idle() } else { honestly(at, honest) }),
    member("thinks_past_its_processor_time", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| if at == Act(2) { think() } else { honestly(at, honest) }),
    member("sleeps_past_the_wall_cap", WallCap, Forfeits(Stall, "no answer within 0.5"),
        |at, honest| if at == Act(2) { idle() } else { honestly(at, honest) }),
    member("closes_its_stdin", ShortMoves, Forfeits(Time, "no answer within 0.5"),
        |at, honest| { honestly(at, honest); if at == Act(1) { live_on_without(Stream::Stdin) } }),

    // What it says.
    member("answers_garbage", Ample, Forfeits(ProtocolError, "answered `I think d4 is best` at ply"),
        |at, honest| if at == Act(2) { say("I think d4 is best") } else { honestly(at, honest) }),
    member("answers_an_empty_line", Ample, Forfeits(ProtocolError, "expected a cell as column letter and row number"),
        |at, honest| if at == Act(2) { say("") } else { honestly(at, honest) }),
    member("answers_with_terminal_codes", Ample, Forfeits(ProtocolError, "answered `\u{fffd}[31md2` at ply"),
        |at, honest| if at == Act(2) { say("\u{1b}[31md2") } else { honestly(at, honest) }),
    member("plays_an_illegal_action", Ample, Forfeits(IllegalAction, "played `steal` at ply"),
        |at, honest| if at == Act(2) { say("steal") } else { honestly(at, honest) }),
    member("answers_twice", Ample, Forfeits(ProtocolError, "before it was asked; one line answers one request"),
        |at, honest| if at == Act(2) { write(format!("{honest}\n{honest}\n").as_bytes()) } else { honestly(at, honest) }),
    member("writes_a_line_too_long", Ample, Forfeits(ProtocolError, "a line of more than 4096 bytes"),
        |at, honest| if at == Act(2) { say(&"d".repeat(5000)) } else { honestly(at, honest) }),
    member("writes_a_debug_line_too_long", Ample, Forfeits(ProtocolError, "a line of more than 4096 bytes"),
        |at, honest| { if at == Act(2) { say(&"#".repeat(5000)) } honestly(at, honest) }),
    member("writes_what_is_no_text", Ample, Forfeits(ProtocolError, "not UTF-8"),
        |at, honest| if at == Act(2) { write(b"\xff\xfe\n") } else { honestly(at, honest) }),
    member("floods_its_stdout", Ample, Forfeits(ProtocolError, "a line of more than 4096 bytes"),
        |at, honest| if at == Act(2) { flood(b"xxxxxxxxxxxxxxxx") } else { honestly(at, honest) }),
    member("floods_with_lines", Ample, Forfeits(ProtocolError, "answered `what` at ply"),
        |at, honest| if at == Act(2) { flood(b"what\n") } else { honestly(at, honest) }),
    member("floods_with_debug_lines", Ample, Forfeits(ProtocolError, "more than 1048576 bytes without an answer"),
        |at, honest| if at == Act(2) { flood(b"# still thinking\n") } else { honestly(at, honest) }),

    // Its process.
    member("exits_in_mid_game", Ample, Forfeits(Crash, "the bot's process exited with code 0"),
        |at, honest| if at == Act(2) { std::process::exit(0) } else { honestly(at, honest) }),
    member("panics", Ample, Forfeits(Crash, "the bot's process exited with code 101; its standard error ends with `no idea what to play: ParseIntError { kind: Empty }`"),
        |at, honest| if at == Act(2) { lose_its_mind() } else { honestly(at, honest) }),
    member("aborts", Ample, Forfeits(Crash, "SIGABRT, it aborted itself"),
        |at, honest| if at == Act(2) { std::process::abort() } else { honestly(at, honest) }),
    member("kills_itself", Ample, Forfeits(Crash, "SIGKILL, it was killed"),
        |at, honest| if at == Act(2) { die(Signal::KILL) } else { honestly(at, honest) }),
    member("gets_a_signal_without_a_name_here", Ample, Forfeits(Crash, "was ended by signal 10"),
        |at, honest| if at == Act(2) { die(Signal::USR1) } else { honestly(at, honest) }),
    member("closes_its_stdout", Ample, Forfeits(Crash, "the bot closed its standard output"),
        |at, honest| if at == Act(2) { live_on_without(Stream::Stdout) } else { honestly(at, honest) }),

    // Odd, and no fault.
    member("ends_its_lines_like_windows", Ample, Plays,
        |at, honest| if at != Quit { say(&format!("{honest}\r")) }),
    member("writes_debug_lines", Ample, Plays,
        |at, honest| { say("# a thought"); honestly(at, honest) }),
    member("floods_its_stderr", Ample, Plays,
        |at, honest| { eprint!("{}", "a complaint\n".repeat(10_000)); honestly(at, honest) }),
    member("leaves_a_child", Ample, Plays,
        |at, honest| { if at == Hello { give_birth() } honestly(at, honest) }),
    member("ignores_quit", Ample, Plays,
        |at, honest| match at {
            Hello => { say(&format!("# pid {}", std::process::id())); honestly(at, honest) }
            Quit => idle(),
            Start | Act(_) => honestly(at, honest),
        }),
    member("takes_its_time_to_quit", Ample, Plays,
        |at, honest| if at == Quit { leave_a_note() } else { honestly(at, honest) }),
];

/// The member of that name.
pub fn find(name: &str) -> &'static Member {
    MEMBERS
        .iter()
        .chain(HOSTILE)
        .find(|member| member.name == name)
        .expect("a member of that name")
}

/// Lives and does nothing, for longer than any game waits; the end of `be` ends it.
pub fn idle() {
    sleep(Duration::from_secs(600));
}

fn lose_its_mind() {
    let idea: Result<u8, _> = "".parse();
    idea.expect("no idea what to play");
}

fn think() {
    loop {
        std::hint::spin_loop();
    }
}

fn flood(bytes: &[u8]) {
    let chunk = bytes.repeat(1000);
    loop {
        write(&chunk);
    }
}

fn die(signal: Signal) {
    kill_process(getpid(), signal).expect("sent");
    idle();
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    Stdin,
    Stdout,
}

/// This program as a process that does nothing.
fn idler() -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command.args(["zoo", "idle"]);
    command
}

/// The same process, but one of its streams is closed.
fn live_on_without(stream: Stream) {
    let mut command = idler();
    match stream {
        Stream::Stdin => command.stdin(Stdio::null()),
        Stream::Stdout => command.stdout(Stdio::null()),
    };
    eprintln!("it cannot go on as another program: {}", command.exec());
}

fn give_birth() {
    // Nobody waits for it: that is the point.
    let pid = idler()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(|child| child.id())
        .expect("a child");
    say(&format!("# pid {pid}"));
}

/// Where [`leave_a_note`] leaves it.
pub const NOTE: &str = "ZOO_NOTE";

fn leave_a_note() {
    sleep(Duration::from_millis(50));
    if let Some(path) = std::env::var_os(NOTE) {
        std::fs::write(path, "goodbye").expect("written");
    }
}
