//! Bots that try what a red team succeeded with: to live on, to compute for nothing, to reach others of
//! their user, and to remember. Each is safe to run, as those of `hostile.rs` are.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use referee::bot::Tier;
use referee::referee::Termination::{Crash, Memory, Time};
use rustix::process::{Resource, Rlimit, getrlimit, prlimit, setpriority_process};
use rustix::thread::{sched_getaffinity, sched_setaffinity};

use crate::catalogue::Expected::{Forfeits, Plays};
use crate::catalogue::Limits::{Ample, LittleCpu, ShortMoves};
use crate::catalogue::{MisbehavingBot, NOTE, bot};
use crate::helpers::{
    PYTHON, busy_for, cheat_if, leave, others, scratch, shell, status_of, test_file,
};
use crate::honest::Moment::{Act, Start};
use crate::honest::{Moment, honestly, say};
use crate::hostile::{in_python, in_tiers, restricted, small, with};

/// What the scripts share: calls of the C library, and how the first thread of a process ends alone.
const PRELUDE: &str = "import ctypes, os, signal, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
def call(x86_64, others, *arguments):
    return libc.syscall(x86_64 if os.uname().machine == 'x86_64' else others, *arguments)
def busy(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end: pass
def first_thread_ends(then):
    threading.Thread(target=then).start()
    call(60, 93, 0)
";

/// A Python program that begins with [`PRELUDE`].
fn python(script: &str) -> Command {
    let mut command = Command::new(PYTHON);
    command.args(["-c", &format!("{PRELUDE}{script}")]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// Whether a Python program exits with code 0.
pub fn succeeds(script: &str) -> bool {
    let status = python(script).stderr(Stdio::null()).status();
    status.expect("Python").success()
}

/// Becomes a Python program.
fn become_python(script: &str) {
    let error = python(script).stdout(Stdio::inherit()).exec();
    unreachable!("Python did not start: {error}");
}

/// Children that compute for five milliseconds each, one after another. Nobody waits for them.
const HIDDEN_WORK: &str = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)
end = time.monotonic() + 4
while time.monotonic() < end:
    if os.fork() == 0:
        busy(0.005)
        os._exit(0)
    time.sleep(0.006)
";

/// Like [`HIDDEN_WORK`], but each child computes just after the supervisor has looked, and has ended before
/// it looks again. In the stricter tiers it sees no looks, and computes 50 times a second.
const WORK_BETWEEN_TWO_LOOKS: &str = "import select
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
watch = libc.inotify_init()
libc.inotify_add_watch(watch, b'/proc/self/statm', 0x21)
end = time.monotonic() + 15
while time.monotonic() < end:
    if select.select([watch] if watch >= 0 else [], [], [], 0.02)[0]: os.read(watch, 65536)
    if os.fork() == 0:
        busy(0.01)
        os._exit(0)
";

/// Fills the buffers of sockets, up to 200 MiB, and wants more memory: the kernel may refuse a buffer, but
/// not that.
const FULL_SOCKETS: &str = "import socket
held = []
for pair in range(400):
    pair = socket.socketpair()
    held.append(pair)
    for end in pair:
        end.setblocking(False)
        try:
            while True: end.send(bytes(65536))
        except OSError: pass
held.append(b'x' * (44 << 20))
time.sleep(5)";

/// A hundred thousand files with nothing in them, for some seconds.
const EMPTY_FILES: &str = "os.chdir(os.environ['TMPDIR'])
for number in range(100_000): os.close(os.open(str(number), os.O_CREAT))
time.sleep(5)";

/// Is played where a control group counts what the kernel holds for a bot.
const fn counted_by_group(bot: MisbehavingBot) -> MisbehavingBot {
    MisbehavingBot {
        counted_by_group: true,
        ..bot
    }
}

/// Is played where the machine allows a counter of processor time.
const fn seen_by_counter(bot: MisbehavingBot) -> MisbehavingBot {
    MisbehavingBot {
        seen_by_counter: true,
        ..bot
    }
}

/// Two hundred processes, each in a session of its own, to which the system gives as much as to the harness. They
/// begin at once, when nobody can write to their parent any more, and compute for eight seconds.
const SPINNING_SESSIONS: &str = "gate, opener = os.pipe()
for _ in range(200):
    if os.fork() == 0:
        os.setsid()
        os.close(opener)
        os.read(gate, 1)
        busy(8)
        os._exit(0)
print(flush=True)
sys.stdin.read()
os.close(opener)
busy(8)
";

/// Has sessions begin to compute as it gives its first answer.
fn spin_in_sessions(at: Moment, answer: &str) {
    static SESSIONS: Mutex<Option<Child>> = Mutex::new(None);
    let mut sessions = SESSIONS.lock().expect("whole");
    if at == Start {
        let mut command = python(SPINNING_SESSIONS);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut parent = command.spawn().expect("Python");
        let mut made = parent.stdout.take().expect("a pipe");
        made.read_exact(&mut [0]).expect("all are made");
        *sessions = Some(parent);
    }
    honestly(at, answer);
    if at == Act(1) {
        drop(sessions.take().and_then(|mut parent| parent.stdin.take()));
    }
}

/// [`HIDDEN_WORK`] of a program that may be executed and not read. It need not stay once it runs.
const UNCOUNTED_WORK: &str = "import shutil
program = os.environ['TMPDIR'] + '/python'
shutil.copyfile(sys.executable, program)
os.chmod(program, 0o111)
try: os.execv(program, ['python3', '-c', sys.argv[1]])
except OSError: exec(sys.argv[1])
";

/// What such a program does first, so that nobody sees it.
const UNLINK: &str = "try: os.unlink(os.environ['TMPDIR'] + '/python')
except OSError: pass
libc.prctl(4, 1, 0, 0, 0)
";

/// [`HIDDEN_WORK`] of a program whose ELF interpreter may be executed and not read. Both files are open, and have no
/// name.
const UNCOUNTED_INTERPRETER: &str = "import re
def keep(number, content, mode):
    name = os.environ['TMPDIR'] + '/python'
    with open(name, 'wb') as file: file.write(content)
    os.chmod(name, mode)
    os.dup2(os.open(name, os.O_PATH), number)
    os.unlink(name)
with open(os.path.realpath(sys.executable), 'rb') as file: image = file.read()
loader = re.search(rb'/lib[^\\0]*/ld-[^\\0]*', image).group()
with open(loader, 'rb') as file: keep(9, file.read(), 0o111)
keep(8, image.replace(loader, b'/proc/self/fd/9'.ljust(len(loader), b'\\0'), 1), 0o755)
try: os.execv('/proc/self/fd/8', [sys.executable, '-c', sys.argv[1]])
except OSError: exec(sys.argv[1])
";

/// Has Python compute unseen: `script` hides the work.
fn compute_uncounted(script: &str) {
    let mut program = python(script);
    program.arg(format!("{PRELUDE}{UNLINK}{HIDDEN_WORK}"));
    program.env("TMPDIR", scratch());
    program.stderr(Stdio::null()).status().expect("Python");
}

/// Whether the threads of [`spin_off_turn`] compute.
static SPINS: AtomicBool = AtomicBool::new(false);

/// Answers, and has two hundred threads compute until it is asked again.
fn spin_off_turn(is_first: bool, answer: &str) {
    SPINS.store(false, Ordering::Relaxed);
    if is_first {
        for _ in 0..200 {
            std::thread::spawn(|| {
                loop {
                    match SPINS.load(Ordering::Relaxed) {
                        true => busy_for(Duration::from_micros(200)),
                        false => sleep(Duration::from_millis(2)),
                    }
                }
            });
        }
    }
    say(answer);
    SPINS.store(true, Ordering::Relaxed);
}

/// Is played while no other bot is.
const fn loud(bot: MisbehavingBot) -> MisbehavingBot {
    MisbehavingBot {
        is_loud: true,
        ..bot
    }
}

/// Hidden work of half a second, after which there is a file. The process that works is a new one each
/// time.
const HIDDEN_HELPER: &str = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.setsid()
for part in range(100):
    if os.fork(): os._exit(0)
    busy(0.005)
open(sys.argv[1], 'w').close()
";

/// Runs a bot that answers every line with `ready`, and leaves a helper behind with the first answer.
pub fn answer_and_leave_a_helper() {
    let note = std::env::var_os(NOTE).expect("a file");
    for (number, _) in std::io::stdin().lines().enumerate() {
        if number == 0 {
            let mut helper = python(HIDDEN_HELPER);
            helper.arg(&note);
            leave(helper);
        }
        say("ready");
    }
}

/// Whether some limit, the processors or the priority of another process can be set.
fn changes_others() -> bool {
    let own = sched_getaffinity(None).expect("the processors");
    others().any(|other| {
        let core = getrlimit(Resource::Core);
        let limit = Rlimit {
            current: Some(0),
            maximum: core.maximum,
        };
        prlimit(Some(other), Resource::Core, limit).is_ok()
            || sched_setaffinity(Some(other), &own).is_ok()
            || setpriority_process(Some(other), 19).is_ok()
    })
}

/// Whether the mode or the times of a file of the opponent can be changed, though it cannot be opened.
fn changes_a_file_of_the_opponent() -> bool {
    let file = test_file("opponent/bot");
    let Ok(before) = fs::metadata(&file) else {
        return false;
    };
    let _ = fs::set_permissions(&file, fs::Permissions::from_mode(0o600));
    shell(&format!("touch -d 2001-01-01 '{}'", file.display()));
    let after = fs::metadata(&file).expect("it is there");
    (before.mode(), before.mtime()) != (after.mode(), after.mtime())
}

#[rustfmt::skip]
pub const ATTACKS: &[MisbehavingBot] = &[
    // Taken for dead.
    in_python(bot("leaves_a_process_whose_first_thread_ended", Ample, Plays,
        |at, honest| { if at == Act(1) { leave(python("os.setsid(); first_thread_ends(lambda: busy(8))")) } honestly(at, honest) })),
    in_python(bot("leaves_threads_without_a_first_one_that_ignore_signals", Ample, Plays,
        |at, honest| { if at == Act(1) { leave(python("for s in (1, 2, 13, 15): signal.signal(s, signal.SIG_IGN)\nfirst_thread_ends(lambda: time.sleep(8))")) } honestly(at, honest) })),
    in_python(bot("closes_its_stdout_and_ends_its_first_thread", Ample, Forfeits(Crash, "closed its standard output"),
        |at, honest| if at == Act(2) { become_python("os.close(1); first_thread_ends(lambda: time.sleep(8))") } else { honestly(at, honest) })),
    in_python(with(small, bot("fills_memory_after_its_first_thread_ended", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| if at == Act(2) { leave(python("def fill():\n  held = b'x' * (120 << 20)\n  time.sleep(5)\nfirst_thread_ends(fill)")); sleep(Duration::from_secs(5)) } else { honestly(at, honest) }))),

    // Memory of the kernel.
    in_tiers(&[Tier::Strict], in_python(with(small, bot("makes_a_hundred_thousand_empty_files", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| { if at == Act(2) { python(EMPTY_FILES).status().expect("Python"); } honestly(at, honest) })))),
    in_tiers(&[Tier::Containment, Tier::Landlock], in_python(counted_by_group(with(small, bot("fills_the_buffers_of_sockets", Ample, Forfeits(Memory, "of memory; the limit is 64.0 MiB"),
        |at, honest| { if at == Act(2) { python(FULL_SOCKETS).status().expect("Python"); sleep(Duration::from_secs(5)) } honestly(at, honest) }))))),

    // Computes for nothing.
    in_python(seen_by_counter(bot("computes_between_two_looks_of_its_supervisor", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| { if at == Act(2) { python(WORK_BETWEEN_TWO_LOOKS).status().expect("Python"); } honestly(at, honest) }))),
    in_python(seen_by_counter(bot("computes_in_children_that_nobody_waits_for", LittleCpu, Forfeits(Time, "of processor time"),
        |at, honest| { if at == Act(2) { python(HIDDEN_WORK).status().expect("Python"); } honestly(at, honest) }))),

    in_python(seen_by_counter(bot("computes_behind_a_program_that_cannot_be_read", LittleCpu, Forfeits(Time, "processor time"),
        |at, honest| { if at == Act(2) { compute_uncounted(UNCOUNTED_WORK) } honestly(at, honest) }))),
    in_python(seen_by_counter(bot("computes_behind_an_interpreter_that_cannot_be_read", LittleCpu, Forfeits(Time, "processor time"),
        |at, honest| { if at == Act(2) { compute_uncounted(UNCOUNTED_INTERPRETER) } honestly(at, honest) }))),
    loud(in_python(bot("buys_time_with_two_hundred_sessions", ShortMoves, Forfeits(Time, "0.500 s"),
        |at, honest| { if at == Act(2) { python(SPINNING_SESSIONS).status().expect("Python"); } honestly(at, honest) }))),

    loud(restricted(in_python(bot("spins_in_sessions_after_its_answer", Ample, Plays, spin_in_sessions)))),

    // Slows its opponent, or itself so that the machine seems to blame. What comes of it on a machine that
    // is read is in `loaded.rs`.
    in_python(bot("slows_its_opponent_with_hidden_work", Ample, Plays,
        |at, honest| { if at == Act(1) { for _ in 0..6 { leave(python(HIDDEN_WORK)) } } honestly(at, honest) })),
    loud(bot("computes_with_two_hundred_threads", Ample, Plays,
        |at, honest| if let Act(number) = at { spin_off_turn(number == 1, honest) } else { honestly(at, honest) })),
    in_python(bot("slows_itself_and_never_answers", ShortMoves, Forfeits(Time, "no answer within 0.5"),
        |at, honest| if at == Act(2) { for _ in 0..6 { leave(python(HIDDEN_WORK)) } sleep(Duration::from_secs(15)) } else { honestly(at, honest) })),

    // Reaches others of its user.
    restricted(bot("limits_pins_and_slows_others", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(changes_others(), honest) } else { honestly(at, honest) })),
    restricted(bot("changes_mode_and_times_of_its_opponents_file", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(changes_a_file_of_the_opponent(), honest) } else { honestly(at, honest) })),
    restricted(in_python(bot("counts_events_with_samples_of_the_stack", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(succeeds("attr = ctypes.create_string_buffer(64)\nattr[0:8] = bytes([1, 0, 0, 0, 64, 0, 0, 0])\nsys.exit(call(298, 241, attr, 0, -1, -1, 0) < 0)"), honest) } else { honestly(at, honest) }))),
    restricted(bot("has_the_rights_of_root", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(["CapEff", "CapPrm", "CapInh", "CapAmb"].iter().any(|set| status_of(set).contains(|digit| digit != '0')), honest) } else { honestly(at, honest) })),

    // Remembers.
    restricted(in_python(bot("leaves_shared_memory_of_system_v", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(succeeds("sys.exit(libc.shmget(0x5eed, 4096, 0o1600) < 0 and libc.msgget(0x5eed, 0o1600) < 0 and libc.semget(0x5eed, 1, 0o1600) < 0)"), honest) } else { honestly(at, honest) }))),
    restricted(in_python(bot("leaves_a_key_in_a_keyring", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(succeeds("sys.exit(call(248, 217, b'user', b'note', b'd2', 2, -4) < 0)"), honest) } else { honestly(at, honest) }))),
    restricted(in_python(bot("executes_a_file_without_a_name", Ample, Plays,
        |at, honest| if at == Act(1) { cheat_if(succeeds("os.memfd_create('program')"), honest) } else { honestly(at, honest) }))),
    restricted(bot("makes_a_scratch_folder_that_is_hard_to_remove", Ample, Plays,
        |at, honest| { if at == Act(1) { shell(&format!("cd '{}' && mkdir -m 0 closed && for i in $(seq 1500); do mkdir deep && cd deep || exit; done", scratch().display())) } honestly(at, honest) })),
];
