//! Bots that attack the machine, the harness or their opponent. Each is safe to run: it ends within
//! seconds, starts at most 300 processes, takes at most 256 MiB of memory, and writes at most 64 MiB to
//! a small disk of its own; see `namespace.rs`.
//!
//! A bot that tries something which must not succeed plays an illegal action if it succeeds, and an
//! honest one if it fails; so its games are played to their end if it failed.

use std::fs::{self, File};
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Signal, getpid, getppid, kill_process};

use crate::helpers::{
    CHAIN, PYTHON, SECRET, SHARED, answer_for, become_a_segfault, busy, child_that_keeps_stdout,
    descriptors, fill, harness, hold, leave, limit_of, myself, of, others, parent, scratch, sh,
    shell, signal_parent, status_of, test_file,
};
use crate::honest::Deed::{self, Besides, Cheats, Instead};
use crate::honest::Moment::{self, Act, Hello};
use crate::honest::{say, write};

pub fn deed(bot: &str, at: Moment) -> Option<Deed> {
    Some(match (bot, at) {
        // Leaves processes behind, or tries to drown the machine in them.
        ("leaves_a_process_in_a_session_of_its_own", Act(1)) => {
            Besides(|| shell("setsid sleep 8 &"))
        }
        ("forks_twice_and_stays", Act(1)) => {
            Besides(|| shell("( setsid sh -c 'sleep 8 & sleep 8' & ) &"))
        }
        ("leaves_stopped_processes", Act(1)) => {
            Besides(|| shell("for i in 1 2 3; do sh -c 'kill -STOP $$; sleep 8' & done"))
        }
        ("leaves_processes_that_ignore_sigterm", Act(1)) => {
            Besides(|| shell("sh -c 'trap \"\" TERM HUP INT; sleep 4; sleep 4' &"))
        }
        ("leaves_a_zombie", Act(1)) => Besides(|| leave(sh("exit 0"))),
        ("leaves_fifty_orphans_in_every_ply", Act(1..=3)) => {
            Besides(|| shell("for i in $(seq 50); do ( sleep 8 & ); done"))
        }
        ("forks_a_chain_of_short_lives", Act(1)) => Besides(|| shell(CHAIN)),
        ("exits_and_leaves_a_child_to_play_on", Act(2)) => Instead(|_| {
            leave(child_that_keeps_stdout());
            std::process::exit(0)
        }),
        ("forks_more_than_it_may", Act(2)) => {
            Instead(|_| shell("for i in $(seq 200); do sleep 5 & done; sleep 5"))
        }
        ("starts_more_threads_than_it_may", Act(2)) => Instead(|_| {
            for _ in 0..1500 {
                let thread = std::thread::Builder::new().stack_size(16 << 10);
                // Where it gets no more of them, it has enough.
                let _ = thread.spawn(|| sleep(Duration::from_secs(5)));
            }
            sleep(Duration::from_secs(5))
        }),
        // Memory.
        ("fills_memory", Act(2)) => Instead(|_| hold(120)),
        ("fills_memory_bit_by_bit", Act(2)) => Instead(|_| {
            let held: Vec<Vec<u8>> = (0..120)
                .map(|_| {
                    sleep(Duration::from_millis(2));
                    vec![1; 1 << 20]
                })
                .collect();
            sleep(Duration::from_secs(5));
            drop(held)
        }),
        ("fills_memory_in_a_child", Act(2)) => Instead(|_| {
            myself("hold").status().expect("a child");
        }),
        ("fills_memory_in_many_children", Act(2)) => Instead(|_| {
            for _ in 0..5 {
                leave(myself("hold-a-little"))
            }
            sleep(Duration::from_secs(5))
        }),
        ("asks_for_far_more_than_there_is", Act(2)) => {
            Instead(|_| drop(std::hint::black_box(vec![1_u8; 8 << 30])))
        }
        ("fills_memory_that_it_shares", Act(2)) => Instead(|_| {
            Command::new(PYTHON)
                .args(["-c", SHARED])
                .stdout(Stdio::null())
                .status()
                .expect("a child");
        }),
        // Files and descriptors.
        ("fills_the_disk", Act(2)) => Besides(|| {
            fill(&scratch());
        }),
        ("fills_its_scratch_folder", Act(2)) => Cheats(|| fill(&scratch()) > 1),
        ("fills_its_shared_memory", Act(2)) => Cheats(|| fill(Path::new("/dev/shm")) > 1),
        ("writes_outside_its_folder", Act(2)) => Cheats(|| {
            ["own/new", "opponent/new", "results/new"]
                .iter()
                .any(|file| File::create(test_file(file)).is_ok())
        }),
        ("reads_its_opponents_folder", Act(2)) => Cheats(|| {
            fs::read(test_file("opponent/bot")).is_ok()
                || fs::read_dir(test_file("opponent")).is_ok()
        }),
        ("reads_the_folder_of_the_results", Act(2)) => Cheats(|| {
            fs::read(test_file("results/games.csv")).is_ok()
                || fs::read_dir(test_file("results")).is_ok()
        }),
        ("changes_its_own_files", Act(2)) => Cheats(|| {
            File::options()
                .append(true)
                .open(test_file("own/bot"))
                .is_ok()
                || fs::remove_file(test_file("own/bot")).is_ok()
        }),
        ("writes_a_file_too_large", Act(2)) => Instead(|_| {
            drop(
                tempfile::tempfile()
                    .expect("a file")
                    .write_all(&[0; 4 << 20]),
            )
        }),
        ("opens_too_many_files", Act(2)) => Cheats(|| {
            let open: Vec<File> = (0..100)
                .map_while(|_| File::open("/dev/null").ok())
                .collect();
            open.len() == 100
        }),
        ("looks_for_descriptors_of_the_harness", Act(1)) => Cheats(|| descriptors() > 0),
        ("looks_for_a_secret_in_its_environment", Act(1)) => {
            Cheats(|| std::env::vars_os().any(|(_, value)| value == SECRET))
        }
        ("outlives_the_harness_when_memory_runs_out", Act(1)) => Cheats(|| {
            fs::read_to_string("/proc/self/oom_score_adj").is_ok_and(|score| score.trim() != "800")
        }),
        ("wants_a_core_dump", Act(1)) => Cheats(|| limit_of("Max core file size") != "0"),
        ("wants_a_core_dump", Act(2)) => Instead(|_| become_a_segfault()),
        ("writes_to_the_terminal", Act(1)) => {
            Cheats(|| File::options().write(true).open("/dev/tty").is_ok())
        }
        ("wants_new_privileges", Act(1)) => Cheats(|| status_of("NoNewPrivs") != "1"),
        ("changes_its_own_executable", Act(1)) => {
            Cheats(|| File::options().write(true).open("/proc/self/exe").is_ok())
        }
        // Looks at others.
        ("reads_the_memory_of_its_supervisor", Act(1)) => {
            Cheats(|| File::open(of(getppid(), "mem")).is_ok())
        }
        ("reads_the_memory_of_the_harness", Act(1)) => Cheats(|| {
            File::open(of(harness(), "mem")).is_ok() || fs::read(of(harness(), "environ")).is_ok()
        }),
        ("looks_into_the_files_of_the_harness", Act(1)) => Cheats(|| {
            fs::read_dir(of(harness(), "fd"))
                .is_ok_and(|fds| fds.flatten().any(|fd| fs::read_link(fd.path()).is_ok()))
        }),
        ("listens_and_connects_on_the_loopback", Act(1)) => Besides(|| {
            drop(
                TcpListener::bind("127.0.0.1:0")
                    .map(|socket| socket.local_addr().map(std::net::TcpStream::connect)),
            )
        }),
        ("opens_a_socket", Act(1)) => Cheats(|| {
            TcpListener::bind("127.0.0.1:0").is_ok()
                || std::net::UdpSocket::bind("127.0.0.1:0").is_ok()
        }),
        ("looks_into_every_other_process", Act(2)) => Cheats(|| {
            others().any(|pid| {
                ["mem", "environ", "fd/0"]
                    .iter()
                    .any(|file| File::open(of(Some(pid), file)).is_ok())
            })
        }),
        ("plays_for_the_other_seat", Act(2)) => Cheats(|| others().any(answer_for)),
        // Signals.
        ("stops_itself", Act(2)) => {
            Instead(|_| kill_process(getpid(), Signal::STOP).expect("sent"))
        }
        ("kills_its_group", Act(2)) => Instead(|_| shell("kill -KILL 0")),
        ("kills_its_supervisor", Act(2)) => Besides(|| signal_parent(Signal::KILL)),
        ("stops_its_supervisor", Act(2)) => Besides(|| signal_parent(Signal::STOP)),
        ("kills_the_harness", Act(2)) => Besides(|| {
            let _ = harness().map(|pid| kill_process(pid, Signal::KILL));
        }),
        ("kills_every_process_it_may", Act(2)) => Instead(|_| shell("kill -KILL -1")),
        ("kills_its_supervisor_where_it_can", Act(2)) => Besides(|| {
            shell("setsid sleep 8 &");
            signal_parent(Signal::KILL);
            sleep(Duration::from_secs(5))
        }),
        ("kills_its_supervisor_from_a_child", Act(2)) => Instead(|_| {
            shell(&format!(
                "setsid sh -c 'kill -KILL {}; sleep 8' &",
                parent()
            ));
            sleep(Duration::from_secs(5))
        }),
        ("stops_its_supervisor_where_it_can", Act(2)) => Besides(|| signal_parent(Signal::STOP)),
        ("stops_its_supervisor_and_crashes", Act(2)) => Instead(|_| {
            shell("setsid sleep 8 &");
            signal_parent(Signal::STOP);
            std::process::exit(5)
        }),
        ("stops_its_supervisor_and_hangs", Act(2)) => Instead(|_| {
            shell("setsid sleep 8 &");
            signal_parent(Signal::STOP);
            sleep(Duration::from_secs(8))
        }),
        // Time.
        ("renices_itself", Act(2)) => Instead(|_| {
            shell("renice -n 19 $PPID >/dev/null 2>&1");
            busy()
        }),
        ("computes_in_a_child", Act(2)) => Besides(|| {
            myself("busy").status().expect("a child");
        }),
        ("computes_in_many_children_one_after_another", Act(2)) => Besides(|| {
            for _ in 0..100 {
                myself("busy-for-a-moment").status().expect("a child");
            }
        }),
        ("computes_in_an_orphan", Act(2)) => Besides(|| {
            shell("( setsid timeout 5 sh -c 'while :; do :; done' & )");
            sleep(Duration::from_secs(3))
        }),
        // Words.
        ("answers_with_a_nul", Act(2)) => Instead(|_| say("d\u{0}2")),
        ("writes_a_line_of_a_hundred_megabytes", Act(2)) => Instead(|_| {
            let megabyte = vec![b'd'; 1 << 20];
            for _ in 0..100 {
                write(&megabyte)
            }
            say("")
        }),
        ("sends_a_million_debug_lines", Act(2)) => Besides(|| {
            let lines = "# so many\n".repeat(1000);
            for _ in 0..1000 {
                write(lines.as_bytes())
            }
        }),
        ("answers_without_a_newline_and_exits", Act(2)) => Instead(|honest| {
            write(honest.as_bytes());
            std::process::exit(0)
        }),
        ("says_who_it_is_again_and_again", Hello) => {
            Instead(|honest| write(format!("{honest}\n{honest}\n").as_bytes()))
        }
        _ => return None,
    })
}
