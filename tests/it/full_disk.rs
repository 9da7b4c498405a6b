//! A disk that is full, a folder that goes away, and output that nobody reads: what was played
//! stays, and the message says how to go on.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::support::content::content;
use crate::support::journal::read_games;
use rustix::process::{Pid, Signal, kill_process};

const REFEREE: &str = env!("CARGO_BIN_EXE_referee");

/// A round robin of three house bots whose play the clock does not reach.
fn config(games_per_pairing: u32, logs: &str) -> String {
    let mut text = format!(
        "seed = 4\n[game]\nname = \"cachex\"\nsize = 3\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = {games_per_pairing}\n\
         [record]\nlogs = \"{logs}\"\n"
    );
    for (name, nodes) in [("a", 1), ("b", 5), ("c", 20)] {
        text.push_str(&format!(
            "[[player]]\nname = \"{name}\"\nhouse = \"greedy\"\nargs = [\"--nodes\", \"{nodes}\"]\n"
        ));
    }
    text
}

/// The same with a bot among them that fills the disk by itself: its standard error is kept.
fn talkative() -> String {
    format!(
        "{}[[player]]\nname = \"d\"\nfresh-process = true\n\
         command = [\"sh\", \"-c\", 'head -c 60000 /dev/zero | tr \"\\0\" x >&2; exec \"$0\" bot random', \
         \"{REFEREE}\"]\n",
        config(2, "all")
    )
}

fn command(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(REFEREE);
    command
        .arg("run")
        .arg(folder.join("config.toml"))
        .arg("--out")
        .arg(folder.join("out"))
        .args(["-j", "2"])
        .args(more);
    command
}

/// A folder with a configuration and nothing else.
fn prepared(config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("config.toml"), config).expect("written");
    folder
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs the configuration in `$1` on a disk of `$2` that is mounted for this alone, then on one of
/// 16 MiB with `$4`, and leaves in `$1` what it saw: exit codes, messages, folders.
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

/// What a run did on a disk of `size`, and then on a larger one. `None`, with a line that says so,
/// where nobody may mount anything.
fn on_a_small_disk(config: &str, size: &str, again: &str) -> Option<tempfile::TempDir> {
    let folder = prepared(config);
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", ON_A_SMALL_DISK, "sh"])
        .arg(folder.path())
        .args([size, REFEREE, again])
        .output();
    let mounted = folder.path().join("first.code").exists();
    if !mounted {
        // Written past the test's own output, which is shown where it fails alone.
        let words = "skipped: needs `unshare -rm`, to mount a small disk";
        writeln!(std::io::stderr(), "{words}").expect("said");
        return None;
    }
    let output = output.expect("it ran");
    assert!(output.status.success(), "{}", stderr(&output));
    Some(folder)
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).expect(file)
}

/// What the same configuration leaves where there is room.
fn undisturbed(config: &str) -> tempfile::TempDir {
    let folder = prepared(config);
    let output = command(folder.path(), &[]).output().expect("it runs");
    assert!(output.status.success(), "{}", stderr(&output));
    folder
}

#[test]
fn a_full_disk_ends_a_run_in_order_and_it_goes_on_with_more_room() {
    // What fills the disk: the logs of the games, the journal alone, and a bot's standard error.
    for (config, size, file) in [
        (config(20, "all"), "120k", "out"),
        (config(150, "none"), "48k", "games.csv"),
        (talkative(), "200k", "stderr"),
    ] {
        let Some(folder) = on_a_small_disk(&config, size, "--resume") else {
            return;
        };
        let folder = folder.path();
        let words = read(folder, "first.err");
        assert_eq!(read(folder, "first.code").trim(), "5", "{size}: {words}");
        assert!(words.contains("No space left on device"), "{words}");
        assert!(
            words.contains(file) && words.contains("--resume"),
            "{words}"
        );
        assert!(!words.contains("panicked"), "{words}");
        let journal = folder.join("first/games.csv");
        let text = std::fs::read_to_string(&journal).expect("a journal");
        assert!(text.ends_with('\n'), "no row is torn");
        let games = read_games(&journal).expect("whole rows");
        assert!(!games.is_empty(), "it was played for a while");
        for game in games.iter().filter(|_| file != "games.csv") {
            let log = folder.join(format!("first/games/0000/{:06}.csv", game.id));
            let lines = std::fs::read_to_string(log).expect("a log").lines().count();
            assert_eq!(lines, game.end.plies as usize + 1, "game {}", game.id);
        }
        let words = read(folder, "second.err");
        assert_eq!(read(folder, "second.code").trim(), "0", "{words}");
        let whole = undisturbed(&config);
        assert!(
            content(&folder.join("out")) == content(&whole.path().join("out")),
            "{size}: it is as if the disk had never been full"
        );
    }
}

/// Nothing is left of a run that could not begin, so that the same command can be given again.
#[test]
fn a_disk_that_is_full_from_the_beginning() {
    for size in ["4k", "8k"] {
        // A manifest of many players takes more than a page.
        let config = config(2, "none");
        let Some(folder) = on_a_small_disk(&config, size, "") else {
            return;
        };
        let folder = folder.path();
        let words = read(folder, "first.err");
        assert_eq!(read(folder, "first.code").trim(), "5", "{size}: {words}");
        assert!(words.contains("No space left on device"), "{words}");
        if size == "4k" {
            assert!(!folder.join("first").exists(), "{words}");
            assert_eq!(read(folder, "second.code").trim(), "0");
        } else {
            // There was room for the games, and none for the tables.
            assert!(words.contains("ratings.csv: cannot be written"), "{words}");
            assert!(words.contains("--resume"), "{words}");
            assert_eq!(
                read_games(&folder.join("first/games.csv"))
                    .expect("rows")
                    .len(),
                6
            );
        }
    }
}

/// Waits until the journal has `lines` lines, its header among them.
fn wait_for_lines(out: &Path, lines: usize) {
    let journal = out.join("games.csv");
    while std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < lines {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A run that is stopped in its tracks after some games, so that nothing happens meanwhile.
fn halted(folder: &Path) -> Child {
    let child = command(folder, &[])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    wait_for_lines(&folder.join("out"), 3);
    kill_process(Pid::from_child(&child), Signal::STOP).expect("it is there");
    let stat = format!("/proc/{}/stat", child.id());
    while !std::fs::read_to_string(&stat)
        .expect("a process")
        .contains(") T ")
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

fn end(child: Child) -> Output {
    kill_process(Pid::from_child(&child), Signal::CONT).expect("it is there");
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_folder_that_is_moved_away_ends_the_run_and_can_be_brought_back() {
    for logs in ["all", "none"] {
        let config = config(400, logs);
        let folder = prepared(&config);
        let out = folder.path().join("out");
        let elsewhere = folder.path().join("elsewhere");
        let child = halted(folder.path());
        std::fs::rename(&out, &elsewhere).expect("moved");
        let output = end(child);
        let words = stderr(&output);
        assert_eq!(output.status.code(), Some(5), "{logs}: {words}");
        assert!(words.contains("is not there any more"), "{words}");
        assert!(!words.contains("panicked"), "{words}");
        assert!(!out.exists(), "no half of a folder is made in its place");
        let kept = read_games(&elsewhere.join("games.csv"))
            .expect("whole rows")
            .len();
        assert!((2..1200).contains(&kept), "{kept}");
        std::fs::rename(&elsewhere, &out).expect("moved back");
        let output = command(folder.path(), &["--resume"])
            .output()
            .expect("it runs");
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(
            read_games(&out.join("games.csv")).expect("rows").len(),
            1200
        );
    }
}

#[test]
fn a_folder_that_is_removed_ends_the_run() {
    for logs in ["all", "none"] {
        let folder = prepared(&config(400, logs));
        let out = folder.path().join("out");
        let child = halted(folder.path());
        std::fs::remove_dir_all(&out).expect("removed");
        let output = end(child);
        let words = stderr(&output);
        assert_eq!(output.status.code(), Some(5), "{logs}: {words}");
        assert!(words.contains("is not there any more"), "{words}");
        assert!(!words.contains("panicked") && !out.exists(), "{words}");
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
fn output_that_nobody_reads_costs_no_result() {
    let text = config(2, "all");
    let folder = prepared(&text);
    let out = folder.path().join("out");
    assert_eq!(unheard(&mut command(folder.path(), &[])), Some(0));
    assert!(content(&out) == content(&undisturbed(&text).path().join("out")));

    let referee = |args: &[&str]| {
        let mut command = Command::new(REFEREE);
        command.args(args).current_dir(&out);
        unheard(&mut command)
    };
    assert_eq!(referee(&["rate", "games.csv"]), Some(0));
    assert_eq!(referee(&["rate", "games.csv", "--format", "json"]), Some(0));
    assert_eq!(referee(&["verify", "."]), Some(0));
    assert_eq!(referee(&["position", "cachex"]), Some(0));
    assert_eq!(
        referee(&["play", "cachex", "random", "greedy", "--set", "size=3"]),
        Some(0)
    );
    assert_eq!(referee(&["--help"]), Some(0));
    // And with something to say on stderr.
    assert_eq!(referee(&["verify", "nowhere"]), Some(5));
    std::fs::write(out.join("bad.csv"), "a,b,1\na,b,7\n").expect("written");
    assert_eq!(referee(&["rate", "bad.csv", "--skip-bad-rows"]), Some(0));
    let crash = "sh -c 'echo broken >&2; exit 1'";
    assert_eq!(referee(&["play", "cachex", crash, "greedy"]), Some(0));
}
