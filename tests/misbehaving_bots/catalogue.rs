//! The misbehaving bots: what each does, and how its games must end.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use referee::bot::{Confinement, Tier};
use referee::referee::Termination::{
    self, Crash, Handshake, IllegalAction, ProtocolError, Stall, Time,
};
use rustix::process::{Signal, getpid, kill_process};

use crate::attacks::ATTACKS;
use crate::forbidden::FORBIDDEN;
use crate::helpers::busy_for;
use crate::honest::Moment::{Act, Hello, Quit, Start};
use crate::honest::{Behaviour, honestly, say, write};
use crate::hostile::HOSTILE;
use crate::reach::REACHING;

/// One bot, and what its test needs.
pub struct MisbehavingBot {
    pub name: &'static str,
    pub behaviour: Behaviour,
    /// The limits under which it misbehaves.
    pub limits: Limits,
    pub expected: Expected,
    /// The tiers of isolation in which its games end like that.
    pub tiers: &'static [Tier],
    /// What it may use.
    pub confinement: fn() -> Confinement,
    /// It sends signals to other processes, so it runs in a PID namespace or not at all.
    pub signals_others: bool,
    /// In the tier `containment` only Landlock stops it, which needs Linux 6.12.
    pub held_by_landlock: bool,
    /// It takes so much of the machine that no other bot is played meanwhile.
    pub is_loud: bool,
    /// A program that it needs.
    pub needs: Option<&'static str>,
    /// Only a counter of the kernel sees what it does.
    pub seen_by_counter: bool,
    /// Only a control group counts what it does.
    pub counted_by_group: bool,
}

/// The limits of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limits {
    /// Enough of everything.
    Ample,
    /// Little time for the handshake and for getting ready.
    ShortHandshake,
    /// Little wall time for each action.
    ShortMoves,
    /// Little processor time, and ample wall time.
    LittleCpu,
    /// Processor time counts, but the wall time of each action is limited.
    WallCap,
}

/// How the games of a bot must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// They are played to their end.
    Plays,
    /// The bot forfeits in this way, and its author is told these words.
    Forfeits(Termination, &'static str),
}

use Expected::{Forfeits, Plays};
use Limits::{Ample, LittleCpu, ShortHandshake, ShortMoves, WallCap};

pub const fn bot(
    name: &'static str,
    limits: Limits,
    expected: Expected,
    behaviour: Behaviour,
) -> MisbehavingBot {
    MisbehavingBot {
        name,
        behaviour,
        limits,
        expected,
        tiers: &Tier::ALL,
        confinement: Confinement::default,
        signals_others: false,
        held_by_landlock: false,
        is_loud: false,
        needs: None,
        seen_by_counter: false,
        counted_by_group: false,
    }
}

/// The bots that harm only themselves.
#[rustfmt::skip]
pub const BOTS: &[MisbehavingBot] = &[
    bot("honest", Ample, Plays, honestly),

    // The handshake.
    bot("never_answers_the_handshake", ShortHandshake, Forfeits(Handshake, "no answer within 2."),
        |at, honest| if at == Hello { idle() } else { honestly(at, honest) }),
    bot("answers_the_handshake_wrong", Ample, Forfeits(Handshake, "answered `Hi, I am Bob` to the handshake: expected `bot 1 NAME`"),
        |at, honest| if at == Hello { say("Hi, I am Bob") } else { honestly(at, honest) }),
    bot("speaks_another_version", Ample, Forfeits(Handshake, "expected version 1 of the protocol"),
        |at, honest| if at == Hello { say("bot 2 test") } else { honestly(at, honest) }),
    bot("exits_at_the_handshake", Ample, Forfeits(Handshake, "exited with code 3"),
        |at, honest| if at == Hello { std::process::exit(3) } else { honestly(at, honest) }),
    bot("never_reads", ShortHandshake, Forfeits(Handshake, "no answer within 2."), honestly),
    bot("is_never_ready", ShortHandshake, Forfeits(Handshake, "no answer within 2."),
        |at, honest| if at == Start { idle() } else { honestly(at, honest) }),
    bot("answers_the_start_wrong", Ample, Forfeits(Handshake, "answered `go!` to the start of the game: expected `ready`"),
        |at, honest| if at == Start { say("go!") } else { honestly(at, honest) }),
    bot("is_ready_before_it_is_asked", Ample, Forfeits(Handshake, "wrote `ready` before it was asked"),
        |at, honest| if at == Hello { write(format!("{honest}\nready\n").as_bytes()) } else { honestly(at, honest) }),

    // Time.
    bot("falls_silent", ShortMoves, Forfeits(Time, "no answer within 0.5"),
        |at, honest| if at == Act(2) { idle() } else { honestly(at, honest) }),
    bot("thinks_past_its_processor_time", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| if at == Act(2) { think() } else { honestly(at, honest) }),
    bot("sleeps_past_the_wall_cap", WallCap, Forfeits(Stall, "no answer within 0.5"),
        |at, honest| if at == Act(2) { idle() } else { honestly(at, honest) }),
    bot("closes_its_stdin", ShortMoves, Forfeits(Time, "no answer within 0.5"),
        |at, honest| { honestly(at, honest); if at == Act(1) { go_on_without(Stream::Stdin) } }),

    // What it says.
    bot("answers_garbage", Ample, Forfeits(ProtocolError, "answered `I think d4 is best` at ply"),
        |at, honest| if at == Act(2) { say("I think d4 is best") } else { honestly(at, honest) }),
    bot("answers_an_empty_line", Ample, Forfeits(ProtocolError, "expected a cell as column letter and row number"),
        |at, honest| if at == Act(2) { say("") } else { honestly(at, honest) }),
    bot("answers_with_terminal_codes", Ample, Forfeits(ProtocolError, "answered `\u{fffd}[31md2` at ply"),
        |at, honest| if at == Act(2) { say("\u{1b}[31md2") } else { honestly(at, honest) }),
    bot("plays_an_illegal_action", Ample, Forfeits(IllegalAction, "played `steal` at ply"),
        |at, honest| if at == Act(2) { say("steal") } else { honestly(at, honest) }),
    bot("answers_twice", Ample, Forfeits(ProtocolError, "before it was asked; one line answers one request"),
        |at, honest| if at == Act(2) { write(format!("{honest}\n{honest}\n").as_bytes()) } else { honestly(at, honest) }),
    bot("writes_a_line_too_long", Ample, Forfeits(ProtocolError, "a line of more than 4096 bytes"),
        |at, honest| if at == Act(2) { say(&"d".repeat(5000)) } else { honestly(at, honest) }),
    bot("writes_a_debug_line_too_long", Ample, Forfeits(ProtocolError, "a line of more than 4096 bytes"),
        |at, honest| { if at == Act(2) { say(&"#".repeat(5000)) } honestly(at, honest) }),
    bot("writes_what_is_no_text", Ample, Forfeits(ProtocolError, "not UTF-8"),
        |at, honest| if at == Act(2) { write(b"\xff\xfe\n") } else { honestly(at, honest) }),
    bot("floods_its_stdout", Ample, Forfeits(ProtocolError, "a line of more than 4096 bytes"),
        |at, honest| if at == Act(2) { flood(b"xxxxxxxxxxxxxxxx") } else { honestly(at, honest) }),
    bot("floods_with_lines", Ample, Forfeits(ProtocolError, "answered `what` at ply"),
        |at, honest| if at == Act(2) { flood(b"what\n") } else { honestly(at, honest) }),
    bot("floods_with_debug_lines", Ample, Forfeits(ProtocolError, "more than 1048576 bytes without an answer"),
        |at, honest| if at == Act(2) { flood(b"# still thinking\n") } else { honestly(at, honest) }),

    // Its process.
    bot("exits_in_mid_game", Ample, Forfeits(Crash, "the bot's process exited with code 0"),
        |at, honest| if at == Act(2) { std::process::exit(0) } else { honestly(at, honest) }),
    bot("panics", Ample, Forfeits(Crash, "the bot's process exited with code 101; its standard error ends with `no idea what to play: ParseIntError { kind: Empty }`"),
        |at, honest| if at == Act(2) { panic_without_an_action() } else { honestly(at, honest) }),
    bot("aborts", Ample, Forfeits(Crash, "SIGABRT, it aborted itself"),
        |at, honest| if at == Act(2) { std::process::abort() } else { honestly(at, honest) }),
    bot("kills_itself", Ample, Forfeits(Crash, "SIGKILL, it was killed"),
        |at, honest| if at == Act(2) { kill_itself(Signal::KILL) } else { honestly(at, honest) }),
    bot("gets_a_signal_without_a_name_here", Ample, Forfeits(Crash, "was ended by signal 10"),
        |at, honest| if at == Act(2) { kill_itself(Signal::USR1) } else { honestly(at, honest) }),
    bot("closes_its_stdout", Ample, Forfeits(Crash, "the bot closed its standard output"),
        |at, honest| if at == Act(2) { go_on_without(Stream::Stdout) } else { honestly(at, honest) }),

    // Unusual, but allowed.
    bot("ends_its_lines_like_windows", Ample, Plays,
        |at, honest| if at != Quit { say(&format!("{honest}\r")) }),
    bot("writes_debug_lines", Ample, Plays,
        |at, honest| { say("# a thought"); honestly(at, honest) }),
    bot("floods_its_stderr", Ample, Plays,
        |at, honest| { eprint!("{}", "a complaint\n".repeat(10_000)); honestly(at, honest) }),
    bot("computes_before_each_answer", Ample, Plays,
        |at, honest| { if matches!(at, Act(_)) { busy_for(Duration::from_millis(60)) } honestly(at, honest) }),
    bot("leaves_a_child", Ample, Plays,
        |at, honest| { if at == Hello { start_a_child() } honestly(at, honest) }),
    bot("ignores_quit", Ample, Plays,
        |at, honest| match at {
            Hello => { say(&format!("# pid {}", std::process::id())); honestly(at, honest) }
            Quit => idle(),
            Start | Act(_) => honestly(at, honest),
        }),
    bot("takes_its_time_to_quit", Ample, Plays,
        |at, honest| if at == Quit { leave_a_note() } else { honestly(at, honest) }),
];

/// The bot of that name.
pub fn find(name: &str) -> &'static MisbehavingBot {
    BOTS.iter()
        .chain(HOSTILE)
        .chain(ATTACKS)
        .chain(FORBIDDEN)
        .chain(REACHING)
        .find(|bot| bot.name == name)
        .expect("a bot of that name")
}

/// Does nothing for longer than any game waits; `run_bot` ends it.
pub fn idle() {
    sleep(Duration::from_secs(600));
}

fn panic_without_an_action() {
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

fn kill_itself(signal: Signal) {
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
    command.args(["bot", "idle"]);
    command
}

/// Goes on as a process of which one stream is closed.
fn go_on_without(stream: Stream) {
    let mut command = idler();
    match stream {
        Stream::Stdin => command.stdin(Stdio::null()),
        Stream::Stdout => command.stdout(Stdio::null()),
    };
    eprintln!("it cannot go on as another program: {}", command.exec());
}

fn start_a_child() {
    // On purpose nobody waits for it.
    let pid = idler()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(|child| child.id())
        .expect("a child");
    say(&format!("# pid {pid}"));
}

/// The variable that names the file of [`leave_a_note`].
pub const NOTE: &str = "TEST_BOT_NOTE";

fn leave_a_note() {
    sleep(Duration::from_millis(50));
    if let Some(path) = std::env::var_os(NOTE) {
        std::fs::write(path, "goodbye").expect("written");
    }
}
