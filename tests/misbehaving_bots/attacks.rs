//! Bots that try what a red team succeeded with: to live on, to compute for nothing, to reach others of
//! their user, and to remember. Each is safe to run, as hostile ones are.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, prlimit, setpriority_process};
use rustix::thread::{sched_getaffinity, sched_setaffinity};

use crate::catalogue::NOTE;
use crate::helpers::{PYTHON, busy_for, leave, others, scratch, shell, status_of, test_file};
use crate::honest::Deed::{self, Besides, Cheats, Instead};
use crate::honest::Moment::{self, Act, Hello, Start};
use crate::honest::say;

/// The folder that the Python programs and attacks share.
const ATTACKS: &str = include_str!("attacks.py");
const FORBIDDEN: &str = include_str!("forbidden.py");

pub fn python(script: &str) -> Command {
    let mut command = Command::new(PYTHON);
    command.args(["-c", &format!("{ATTACKS}\n{script}")]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// The names of the functions of a Python file.
pub fn functions(file: &str) -> impl Iterator<Item = &str> {
    let lines = file.lines();
    lines.filter_map(|line| line.strip_prefix("def ")?.strip_suffix("():"))
}

/// The bots that try what is forbidden in the tiers `landlock` and `strict`.
pub fn forbidden() -> impl Iterator<Item = &'static str> {
    functions(FORBIDDEN)
}

/// Whether such a bot succeeds. None: it is no such bot.
pub fn succeeds(bot: &str) -> Option<bool> {
    forbidden().find(|name| *name == bot)?;
    // A program with a mistake would prove nothing, so it counts as one that succeeds.
    let mut program = python(&format!(
        "{FORBIDDEN}\ntry: {bot}()\nexcept (NameError, AttributeError, ImportError): pass"
    ));
    let status = program.stderr(Stdio::null()).status();
    Some(status.expect("Python").success())
}

fn run_python(script: &str) {
    python(script).status().expect("Python");
}

/// Has a child fill memory. Where the kernel kills the child, the supervisor hears of it later.
fn fill_in_python(script: &str) {
    run_python(script);
    sleep(Duration::from_secs(5));
}

fn become_python(script: &str) {
    let error = python(script).stdout(Stdio::inherit()).exec();
    unreachable!("Python did not start: {error}");
}

static SESSIONS: Mutex<Option<Child>> = Mutex::new(None);

/// Makes sessions that compute once their input ends.
fn make_sessions() {
    let mut command = python("spinning_sessions()");
    command.stdin(Stdio::piped());
    *SESSIONS.lock().expect("whole") = Some(start_to_the_first_byte(command));
}

fn start_to_the_first_byte(mut command: Command) -> Child {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("Python");
    let mut said = child.stdout.take().expect("a pipe");
    said.read_exact(&mut [0]).expect("it says that it is ready");
    child
}

/// Has sessions begin to compute as it gives its first answer.
fn spin_in_sessions(answer: &str) {
    say(answer);
    let sessions = SESSIONS.lock().expect("whole").take();
    drop(sessions.and_then(|mut parent| parent.stdin.take()));
}

/// Has Python compute unseen, in the way of that function.
fn compute_uncounted(function: &str) {
    let mut program = python(&format!("{function}(sys.argv[1])"));
    program.arg(format!("{ATTACKS}\nunseen_work()"));
    program.env("TMPDIR", scratch());
    program.stderr(Stdio::null()).status().expect("Python");
}

/// Whether the threads of [`spin_off_turn`] compute.
static SPINS: AtomicBool = AtomicBool::new(false);

fn start_threads() {
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

/// Answers, and has two hundred threads compute until it is asked again.
fn spin_off_turn(answer: &str) {
    SPINS.store(false, Ordering::Relaxed);
    say(answer);
    SPINS.store(true, Ordering::Relaxed);
}

/// Runs a bot that answers every line with `ready`, and has a helper begin its work with the first answer.
pub fn answer_and_leave_a_helper(work: &str) {
    let note = std::env::var_os(NOTE).expect("a file");
    for (number, _) in std::io::stdin().lines().enumerate() {
        let helper = (number == 0).then(|| {
            let mut helper = python(work);
            helper.arg(&note).arg(ATTACKS).stdin(Stdio::piped());
            start_to_the_first_byte(helper)
        });
        say("ready");
        drop(helper.and_then(|mut helper| helper.stdin.take()));
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

pub fn deed(bot: &str, at: Moment) -> Option<Deed> {
    Some(match (bot, at) {
        // Taken for dead.
        ("leaves_a_process_whose_first_thread_ended", Act(1)) => {
            Besides(|| leave(python("os.setsid(); first_thread_ends(lambda: busy(8))")))
        }
        ("leaves_threads_without_a_first_one_that_ignore_signals", Act(1)) => {
            Besides(|| leave(python("ignore_signals()")))
        }
        ("closes_its_stdout_and_ends_its_first_thread", Act(2)) => {
            Instead(|_| become_python("os.close(1); first_thread_ends(lambda: time.sleep(8))"))
        }
        ("fills_memory_after_its_first_thread_ended", Act(2)) => Instead(|_| {
            leave(python("fill_memory()"));
            sleep(Duration::from_secs(5))
        }),
        // Memory that no process seems to hold, and the kernel's.
        ("fills_memory_that_leaves_its_resident_memory", Act(2)) => {
            Instead(|_| fill_in_python("memory_that_leaves()"))
        }
        ("fills_memory_that_it_does_not_map", Act(2)) => {
            Instead(|_| fill_in_python("unmapped_memory()"))
        }
        ("fills_page_tables", Act(2)) => Instead(|_| fill_in_python("page_tables()")),
        ("makes_a_hundred_thousand_empty_files", Act(2)) => Besides(|| run_python("empty_files()")),
        ("fills_the_buffers_of_sockets", Act(2)) => Instead(|_| fill_in_python("full_sockets()")),
        // Computes for nothing.
        ("computes_between_two_looks_of_its_supervisor", Act(2)) => {
            Besides(|| run_python("work_between_two_looks()"))
        }
        ("computes_in_children_that_nobody_waits_for", Act(2)) => {
            Besides(|| run_python("hidden_work()"))
        }
        ("computes_behind_a_program_that_cannot_be_read", Act(2)) => {
            Besides(|| compute_uncounted("uncounted_work"))
        }
        ("computes_behind_an_interpreter_that_cannot_be_read", Act(2)) => {
            Besides(|| compute_uncounted("uncounted_interpreter"))
        }
        ("buys_time_with_two_hundred_sessions", Act(2)) => {
            Besides(|| run_python("spinning_sessions()"))
        }
        ("spins_in_sessions_after_its_answer", Start) => Besides(make_sessions),
        ("spins_in_sessions_after_its_answer", Act(1)) => Instead(spin_in_sessions),
        ("slows_its_opponent_with_hidden_work", Act(1)) => Besides(|| {
            for _ in 0..6 {
                leave(python("hidden_work()"))
            }
        }),
        ("computes_with_two_hundred_threads", Act(1)) => Instead(|honest| {
            start_threads();
            spin_off_turn(honest)
        }),
        ("computes_with_two_hundred_threads", Act(_)) => Instead(spin_off_turn),
        ("slows_itself_and_never_answers", Act(2)) => Instead(|_| {
            for _ in 0..6 {
                leave(python("hidden_work()"))
            }
            sleep(Duration::from_secs(15))
        }),
        // Reaches others of its user.
        ("passes_more_descriptors_than_it_reads", Hello) => {
            Besides(|| drop(start_to_the_first_byte(python("unread_descriptors()"))))
        }
        ("limits_pins_and_slows_others", Act(1)) => Cheats(changes_others),
        ("changes_mode_and_times_of_its_opponents_file", Act(1)) => {
            Cheats(changes_a_file_of_the_opponent)
        }
        ("has_the_rights_of_root", Act(1)) => Cheats(|| {
            ["CapEff", "CapPrm", "CapInh", "CapAmb"]
                .iter()
                .any(|set| status_of(set).contains(|digit| digit != '0'))
        }),
        // Remembers.
        ("makes_a_scratch_folder_that_is_hard_to_remove", Act(1)) => Besides(|| {
            shell(&format!(
                "cd '{}' && mkdir -m 0 closed && for i in $(seq 1500); do mkdir deep && cd deep || exit; done",
                scratch().display()
            ))
        }),
        ("reads_the_names_of_sockets", Act(1)) => Cheats(|| {
            let names =
                |path: &str| fs::read_to_string(path).is_ok_and(|text| text.lines().count() > 1);
            let task = format!("/proc/self/task/{}/net/unix", std::process::id());
            names("/proc/self/net/unix") || names(&task)
        }),
        _ => return None,
    })
}
