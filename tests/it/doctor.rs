//! `referee doctor`: what it says of this machine, and of machines that have less.

use std::process::Command;

use crate::support::{REFEREE, Ran, referee, skip};

/// The report of a machine whose parts a command takes away; `None` without the command, or if it may not.
fn doctor_without(command: &str) -> Option<Ran> {
    let tried = Command::new("sh")
        .args(["-c", &command.replace("REFEREE doctor", "true")])
        .output();
    if !tried.is_ok_and(|ran| ran.status.success()) {
        skip(format!("the rights for `{command}`"));
        return None;
    }
    let ran = Command::new("sh")
        .args(["-c", &command.replace("REFEREE", REFEREE)])
        .output()
        .expect("a shell");
    Some(ran.into())
}

fn names(report: &str) -> Vec<&str> {
    let lines = report.lines().filter(|line| {
        let verdicts = ["ok ", "warn ", "failed "];
        verdicts.iter().any(|verdict| line.starts_with(verdict))
    });
    lines
        .filter_map(|line| Some(line.get(9..22)?.trim()))
        .collect()
}

const SUBJECTS: &str =
    "containment landlock strict signals cpu clock groups processors clocks limits temporary locks";

#[test]
fn a_machine_that_plays_is_described_for_people() {
    let report = referee("doctor").ok();
    assert!(report.starts_with("referee "), "{report}");
    assert_eq!(names(&report).join(" "), SUBJECTS, "{report}");
    assert!(report.contains("\nok       containment  a bot cannot outlive its game"));
    assert_has!(report, "\nA tournament works here, with ");
}

/// A container, a user without a home, and a full folder for temporary files.
#[test]
#[ignore = "slow"]
fn it_ends_in_order_on_machines_with_less_and_says_what_follows() {
    let of_user = [
        "no folder can be made in /nowhere",
        "set TMPDIR to",
        "\nwarn     landlock ",
    ];
    let few = ["bots get 32 in place of `open-files` = 1024"];
    let machines: [(&str, &[&str]); 4] = [
        // No /sys.
        (
            "unshare --mount sh -c 'mount -t tmpfs none /sys && exec REFEREE doctor'",
            &[],
        ),
        // An ordinary user, without a home and a place for temporary files.
        (
            "setpriv --reuid 65534 --regid 65534 --clear-groups env -i TMPDIR=/nowhere REFEREE doctor",
            &of_user,
        ),
        // A container without rights, with a /proc of its own and nothing else of the system's.
        (
            "bwrap --unshare-all --cap-drop ALL --ro-bind / / --dev /dev --proc /proc --tmpfs /sys REFEREE doctor",
            &[],
        ),
        // Few open files and processes.
        ("sh -c 'ulimit -n 64; exec REFEREE doctor'", &few),
    ];
    for (machine, said) in machines {
        let Some(ran) = doctor_without(machine) else {
            continue;
        };
        assert_eq!(
            (ran.exit, ran.stderr.as_str()),
            (0, ""),
            "{machine}: {ran:?}"
        );
        assert_eq!(names(&ran.stdout).join(" "), SUBJECTS, "{machine}: {ran:?}");
        for words in said {
            assert_has!(ran.stdout, *words);
        }
    }
}

/// A sandbox without devices has no /dev/null, and without /proc no bot can be supervised.
#[test]
fn a_machine_where_nothing_plays_is_told_by_the_exit_code() {
    let machine = "bwrap --unshare-all --cap-drop ALL --ro-bind / / --proc /proc REFEREE doctor";
    if let Some(ran) = doctor_without(machine) {
        assert_eq!((ran.exit, ran.stderr.as_str()), (1, ""), "{ran:?}");
        assert_has!(ran.stdout, "\nfailed   containment ");
        assert_has!(ran.stdout, "\nNo tournament can be played here.");
    }
    let machine = "unshare --mount sh -c 'mount -t tmpfs none /proc && exec REFEREE doctor'";
    if let Some(ran) = doctor_without(machine) {
        assert_eq!(ran.exit, 1, "{ran:?}");
        assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    }
}
