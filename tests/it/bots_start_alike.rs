//! What a bot finds when it starts does not depend on how the harness was started.

use std::process::Command;

use crate::support::config::{RANDOM, shell, small_cachex};
use crate::support::python::python;
use crate::support::{REFEREE, Ran, TestRun};

/// A bot that forgets to flush is found unfit whether or not the shell of whoever checks it would flush for it.
#[test]
#[ignore = "slow"]
fn a_check_finds_the_same_whatever_its_environment_and_warns_of_it() {
    needed!(python());
    let folder = tempfile::tempdir().expect("a folder");
    let text = "import sys\nfor line in sys.stdin:\n    print('bot 1 snake')\n";
    std::fs::write(folder.path().join("bot.py"), text).expect("written");
    let check = |variables: &[(&str, &str)]| {
        let mut command = Command::new(REFEREE);
        command
            .args(["check", "python3 bot.py"])
            .args("--game cachex --handshake 3s --quit 60s".split(' '))
            .args(["--dir".as_ref(), folder.path()])
            .env_remove("PYTHONUNBUFFERED")
            .env_remove("PYTHONPATH")
            .envs(variables.iter().copied());
        Ran::from(command.output().expect("it runs"))
    };
    let plain = check(&[]);
    assert_eq!((plain.exit, plain.stderr.as_str()), (1, ""), "{plain:?}");
    let unbuffered = check(&[
        ("PYTHONUNBUFFERED", "1"),
        ("PYTHONUTF8", "1"),
        ("PYTHONPATH", "/no/such"),
    ]);
    let verdicts = |ran: &Ran| -> Vec<String> {
        let lines = ran.stdout.lines().filter_map(|line| line.get(..21));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(unbuffered.exit, 1, "{unbuffered:?}");
    assert_eq!(verdicts(&unbuffered), verdicts(&plain));
    let warnings: Vec<&str> = unbuffered.stderr.lines().collect();
    assert_eq!(warnings.len(), 1, "{unbuffered:?}");
    let words = "not given to bots, in any command: PYTHONUTF8;";
    assert_has!(warnings[0], words);
    let told = "PYTHONUNBUFFERED is set here, and no bot is given it";
    assert!(unbuffered.stdout.contains(told), "{unbuffered:?}");
    assert!(!plain.stdout.contains(told), "{plain:?}");
}

/// Of what the harness's own shell has, a run gives bots as little as a check, and says so.
#[test]
fn a_run_gives_bots_no_signals_to_ignore_and_no_variables_that_change_them() {
    let line = format!(
        ": python3; grep SigIgn /proc/self/status >&2; echo \"[$PYTHONUNBUFFERED$NODE_AUTH_TOKEN]\" >&2; exec {REFEREE} bot random"
    );
    let run = TestRun::new(&small_cachex(
        2,
        &["[record]\nlogs = \"all\"\n", RANDOM, &shell("x", &line)],
    ));
    let words = "trap '' HUP INT PIPE TERM USR1 XFSZ XCPU; exec \"$0\" run config.toml --out out";
    let ran = Command::new("sh")
        .args(["-c", words, REFEREE])
        .env("PYTHONUNBUFFERED", "1")
        .env("PYTHONUTF8", "1")
        .env("NODE_AUTH_TOKEN", "secret")
        .current_dir(run.folder())
        .output();
    let ran = Ran::from(ran.expect("it runs")).done();
    let warning =
        "set here and not given to bots: PYTHONUTF8; what a bot needs stands in its `env`";
    assert!(ran.stderr.contains(warning), "{ran:?}");
    let logs = std::fs::read_dir(run.out().join("stderr/0000")).expect("logs");
    let mut count = 0;
    for log in logs {
        let text = std::fs::read_to_string(log.expect("a log").path()).expect("text");
        let (ignored, variables) = text.split_once('\n').expect("two lines");
        let ignored = ignored.strip_prefix("SigIgn:\t").expect("a mask");
        let ignored = u64::from_str_radix(ignored, 16).expect("a number");
        // The C library keeps two signals to itself.
        let own = 0b11 << 31;
        assert_eq!((ignored & !own, variables), (0, "[]\n"), "{text}");
        count += 1;
    }
    assert!(count > 0);
}
