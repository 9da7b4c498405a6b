//! A scene: the whole harness with one hostile member and an honest opponent, in a PID namespace of
//! its own where one can be made. There nothing outside can be hit, and `/proc` shows exactly what
//! is left.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use referee::game::Seat;
use referee::player::{OutputLimits, Player, Process, Supervisor, supervise};
use referee::referee::{Blame, Termination};

use crate::endurance;
use crate::hostile::{self, Hostile, SECRET};
use crate::zoo::{Fate, Limits};
use crate::{game_in, launch};

/// Runs a command as the first child of a PID namespace. As its first process a shell, since that one
/// is not killed by whoever tries, and a harness would be safe for the wrong reason.
fn namespace() -> Command {
    let mut command = Command::new("unshare");
    command
        .args(["--user", "--map-root-user"])
        .args(["--pid", "--fork", "--mount-proc", "--kill-child"])
        .args(["sh", "-c", "\"$0\" \"$@\"; exit $?"]);
    command
}

/// Whether this machine lets us make a PID namespace.
pub fn possible() -> bool {
    namespace()
        .arg("true")
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Shows a member in a namespace, or without one where that is safe.
pub fn show(hostile: &Hostile, namespaces: bool) {
    let name = hostile.member.name;
    if hostile.held_by_landlock && !supervise::signals_can_be_kept() {
        println!("skipped: {name} needs Landlock as of Linux 6.12");
        return;
    }
    if !namespaces {
        match hostile.signals_others {
            true => println!("skipped: {name} needs a PID namespace, which cannot be made here"),
            false => play(hostile),
        }
        return;
    }
    in_namespace(name);
}

/// Shows a whole play, which needs a namespace.
pub fn perform(name: &str, namespaces: bool) {
    match namespaces {
        true if !supervise::signals_can_be_kept() => {
            println!("skipped: {name} needs Landlock as of Linux 6.12");
        }
        true => in_namespace(name),
        false => println!("skipped: {name} needs a PID namespace, which cannot be made here"),
    }
}

fn in_namespace(name: &str) {
    let output = namespace()
        .arg(std::env::current_exe().expect("a path"))
        .args(["scene", name])
        .env(SECRET, "xyzzy")
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    assert!(
        output.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    print!("{}", String::from_utf8_lossy(&output.stdout));
}

/// Plays the scene, as the only program of a namespace, and counts what is left.
pub fn run(name: &str) {
    if let Some((_, play)) = PLAYS.iter().find(|(known, _)| *known == name) {
        return play();
    }
    let hostile = hostile::find(name).expect("a member");
    supervise::adopt_orphans().expect("this is Linux");
    // What the first bot of a program opens for all (the pipe behind waiting with a limit) is no leak.
    start("honest", &supervise::Confinement::default()).finish();
    let before = (processes(), descriptors());
    play(hostile);
    assert_eq!(before, (processes(), descriptors()), "something was left");
}

/// Scenes with more than one member.
pub const PLAYS: &[(&str, fn())] = &[
    (
        "a_killed_harness_takes_its_bots_along",
        endurance::a_killed_harness_takes_its_bots_along,
    ),
    (
        "a_harness_ends_as_it_began",
        endurance::a_harness_ends_as_it_began,
    ),
];

/// The processes of this namespace, zombies too.
pub fn processes() -> BTreeSet<u32> {
    std::fs::read_dir("/proc")
        .expect("a folder")
        .filter_map(|entry| entry.expect("an entry").file_name().to_str()?.parse().ok())
        .collect()
}

pub fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd")
        .expect("a folder")
        .count()
}

fn start(name: &str, confinement: &supervise::Confinement) -> Process {
    let supervisor = Supervisor {
        program: env!("CARGO_BIN_EXE_referee").into(),
    };
    Process::supervised(
        &launch(name),
        OutputLimits::default(),
        &supervisor,
        confinement,
    )
    .expect("started")
}

fn play(hostile: &Hostile) {
    let member = &hostile.member;
    for seat in Seat::BOTH {
        let mut subject = start(member.name, &(hostile.confinement)());
        let mut honest = start("honest", &supervise::Confinement::default());
        let end = game_in(seat, &mut subject, &mut honest, member.limits);
        match member.fate {
            Fate::Plays => {
                assert_eq!(end.termination, Termination::Rules, "{end:?}");
                assert_eq!(end.blame, Blame::Nobody, "{end:?}");
            }
            Fate::Forfeits(termination, words) => {
                assert_eq!(end.termination, termination, "{end:?}");
                assert_eq!(end.blame, Blame::Of(seat), "{end:?}");
                assert!(end.detail.contains(words), "{end:?}");
            }
        }
        subject.dismiss();
        // Generous: it is a test that nothing hangs, and not how fast a busy machine is.
        let begun = Instant::now();
        subject.close(Duration::from_millis(500));
        let cleared = subject.finish();
        assert_eq!(cleared.left, 0, "{cleared:?}");
        assert!(
            begun.elapsed() < Duration::from_secs(15),
            "{:?}",
            begun.elapsed()
        );
        // The opponent is unharmed, and so is its supervisor.
        let next = game_in(
            seat,
            &mut start("honest", &supervise::Confinement::default()),
            &mut honest,
            Limits::Ample,
        );
        assert_eq!(next.termination, Termination::Rules, "{next:?}");
    }
}
