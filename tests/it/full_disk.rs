//! A full disk, a folder that disappears, and output that nobody reads: finished games are kept, and the
//! message says how to go on.

use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::config::{greedy, shell, small_cachex};
use crate::support::content::content;
use crate::support::{REFEREE, Ran, TestRun, command, read_games, skip, wait_until};

/// A round robin of three house bots whose play does not depend on the clock.
fn config(games_per_pairing: usize, logs: &str) -> String {
    let logs = format!("[record]\nlogs = \"{logs}\"\n");
    let players = greedy(&[("a", 1), ("b", 5), ("c", 20)]);
    small_cachex(games_per_pairing, &[&logs, &players])
}

/// The same with a bot whose standard error, which is kept, fills the disk.
fn talkative() -> String {
    let line = format!("head -c 60000 /dev/zero | tr '\\0' x >&2; exec {REFEREE} bot random");
    config(2, "all") + &shell("d", &line) + "fresh-process = true\n"
}

/// Runs the configuration in the folder `$1` with the program `$3` on a new disk of size `$2`, then with
/// the option `$4` on the same disk grown to 16 MiB. Exit codes, messages and folders are left in `$1`.
const ON_A_SMALL_DISK: &str = r#"
    cd "$1" && mkdir disk && mount -t tmpfs -o "size=$2" tmpfs disk || exit 99
    "$3" run config.toml --out disk/out -j 2 >first.out 2>first.err
    echo $? >first.code
    if [ -e disk/out ]; then cp -r disk/out first; fi
    mount -o remount,size=16m disk || exit 99
    "$3" run config.toml --out disk/out -j 2 $4 >second.out 2>second.err
    echo $? >second.code
    cp -r disk/out out
"#;

/// A run on a disk of `size`, and then on a larger one. `None`, after a line that says so, where this
/// machine does not allow mounts.
fn on_a_small_disk(config: &str, size: &str, again: &str) -> Option<TestRun> {
    let run = TestRun::new(config);
    let output = command("unshare")?
        .args(["-rm", "sh", "-c", ON_A_SMALL_DISK, "sh"])
        .arg(run.folder())
        .args([size, REFEREE, again])
        .output();
    if !run.path("first.code").exists() {
        skip("`unshare -rm`, to mount a small disk");
        return None;
    }
    let output = output.expect("it ran");
    assert!(output.status.success(), "{output:?}");
    Some(run)
}

/// What the run on the small disk said. It must have ended because the disk was full.
fn said_on_the_small_disk(run: &TestRun) -> String {
    let words = run.read("first.err");
    assert_eq!(run.read("first.code").trim(), "5", "{words}");
    assert!(words.contains("No space left on device"), "{words}");
    words
}

#[test]
#[ignore = "slow"]
fn a_full_disk_ends_a_run_in_order_and_it_goes_on_with_more_room() {
    // What fills the disk: the logs of the games, the journal alone, and a bot's standard error.
    for (config, size, file) in [
        (config(20, "all"), "120k", "out"),
        (config(150, "none"), "48k", "games.csv"),
        // A log that comes in between can be what does not fit.
        (talkative(), "200k", "out"),
    ] {
        let run = needed!(on_a_small_disk(&config, size, "--resume"));
        let words = said_on_the_small_disk(&run);
        assert_has!(words, file);
        assert_has!(words, "--resume");
        assert!(!words.contains("panicked"), "{words}");
        assert!(run.read("first/games.csv").ends_with('\n'));
        let games = read_games(&run.path("first/games.csv")).expect("whole rows");
        assert!(!games.is_empty(), "it was played for a while");
        for game in games.iter().filter(|_| file != "games.csv") {
            let log = run.read(&format!("first/games/0000/{:06}.csv", game.id));
            let plies = log.lines().count() - 1;
            assert_eq!(plies, game.end.plies as usize, "game {}", game.id);
        }
        let words = run.read("second.err");
        assert_eq!(run.read("second.code").trim(), "0", "{words}");
        // It is as if the disk had never been full.
        let found = content(&run.out());
        let due = content(&TestRun::played(&config).out());
        let all = due.iter().map(|(name, text)| (name, text, found.get(name)));
        let other: Vec<_> = all
            .filter(|(_, text, found)| *found != Some(text))
            .collect();
        assert!(other.is_empty(), "{size}: {other:.3000?}");
        assert_eq!(found.len(), due.len(), "{size}");
    }
}

/// A run that could not start leaves nothing behind, so the same command works later.
#[test]
fn a_disk_that_is_full_from_the_beginning() {
    for size in ["4k", "8k"] {
        // The manifest takes more than a page.
        let config = config(2, "none");
        let run = needed!(on_a_small_disk(&config, size, ""));
        let words = said_on_the_small_disk(&run);
        if size == "4k" {
            assert!(!run.path("first").exists(), "{words}");
            assert_eq!(run.read("second.code").trim(), "0");
        } else {
            // There was space for the games, but not for the tables.
            assert!(words.contains("ratings.csv: cannot be written"), "{words}");
            assert!(words.contains("--resume"), "{words}");
            let games = read_games(&run.path("first/games.csv")).expect("rows");
            assert_eq!(games.len(), 6);
        }
    }
}

/// A run that is stopped by a signal after some games, so that nothing changes meanwhile.
fn halted(run: &TestRun) -> Child {
    let child = run
        .command(&["-j", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    run.wait_for_games(2);
    kill_process(Pid::from_child(&child), Signal::STOP).expect("it is there");
    let stat = format!("/proc/{}/stat", child.id());
    let is_stopped = |stat: String| stat.contains(") T ");
    wait_until(|| std::fs::read_to_string(&stat).is_ok_and(is_stopped));
    child
}

/// Lets a halted run go on. It must end because its folder is gone, and must not create it again.
fn ends_without_its_folder(run: &TestRun, child: Child) {
    kill_process(Pid::from_child(&child), Signal::CONT).expect("it is there");
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    assert_eq!(ran.exit, 5, "{ran:?}");
    assert!(ran.stderr.contains("is not there any more"), "{ran:?}");
    assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    assert!(!run.out().exists());
}

#[test]
#[ignore = "slow"]
fn a_folder_that_is_moved_away_ends_the_run_and_can_be_brought_back() {
    for logs in ["all", "none"] {
        let run = TestRun::new(&config(400, logs));
        let child = halted(&run);
        let elsewhere = run.path("elsewhere");
        std::fs::rename(run.out(), &elsewhere).expect("moved");
        ends_without_its_folder(&run, child);
        let kept = read_games(&elsewhere.join("games.csv")).expect("whole rows");
        assert!((2..1200).contains(&kept.len()), "{}", kept.len());
        std::fs::rename(&elsewhere, run.out()).expect("moved back");
        run.play(&["-j", "2", "--resume"]);
        assert_eq!(run.games().len(), 1200);
    }
}

#[test]
fn a_folder_that_is_removed_ends_the_run() {
    for logs in ["all", "none"] {
        let run = TestRun::new(&config(400, logs));
        let child = halted(&run);
        std::fs::remove_dir_all(run.out()).expect("removed");
        ends_without_its_folder(&run, child);
    }
}

/// The exit code of a command whose output nobody reads, as after `2>&1 | head -n 0`.
fn unheard(command: &mut Command) -> Option<i32> {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let stderr = writer.try_clone().expect("a second end");
    let mut child = command
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(stderr)
        .spawn()
        .expect("it runs");
    child.wait().expect("it ends").code()
}

#[test]
fn output_that_nobody_reads_loses_no_result() {
    let text = config(2, "all");
    let run = TestRun::new(&text);
    let out = run.out();
    assert_eq!(unheard(&mut run.command(&[])), Some(0));
    assert!(content(&out) == content(&TestRun::played(&text).out()));

    std::fs::write(out.join("bad.csv"), "a,b,1\na,b,7\n").expect("written");
    for (line, exit) in [
        ("rate games.csv", 0),
        ("rate games.csv --format json", 0),
        ("verify .", 0),
        ("position cachex", 0),
        ("play cachex random greedy --set size=3", 0),
        ("--help", 0),
        // The same for output on stderr.
        ("verify nowhere", 5),
        ("rate bad.csv --skip-bad-rows", 0),
        ("play cachex \"sh -c 'echo broken >&2; exit 1'\" greedy", 0),
    ] {
        let mut command = Command::new(REFEREE);
        command.args(shlex::split(line).expect("closed quotes"));
        assert_eq!(unheard(command.current_dir(&out)), Some(exit), "{line}");
    }
}

/// Runs the configuration in the folder `$1` with the program `$2`, which may write files of `$3` blocks at most.
const WITH_SMALL_FILES: &str =
    r#"cd "$1" && ulimit -f "$3" && exec "$2" run config.toml --out out -j 2"#;

#[test]
#[ignore = "slow"]
fn a_limit_of_the_size_of_files_ends_a_run_in_order_and_it_goes_on_without() {
    // The journal is larger, and no other file is.
    let config = config(150, "none");
    let run = TestRun::new(&config);
    let ran = Command::new("sh")
        .args(["-c", WITH_SMALL_FILES, "sh"])
        .args([run.folder().as_os_str(), REFEREE.as_ref(), "48".as_ref()])
        .output();
    let ran = Ran::from(ran.expect("it runs"));
    assert_eq!(ran.exit, 5, "{ran:?}");
    let words = "games.csv: cannot be written: File too large";
    assert_has!(ran.stderr, words);
    assert_has!(ran.stderr, "--resume");
    assert!(run.read("out/games.csv").ends_with('\n'), "no row is torn");
    assert!(!run.games().is_empty(), "it was played for a while");
    run.play(&["-j", "2", "--resume"]);
    let same = content(&run.out()) == content(&TestRun::played(&config).out());
    assert!(same, "it is as if there had been no limit");
}
