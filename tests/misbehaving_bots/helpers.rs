//! What hostile bots do, each limited in time, processes and bytes.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpid, getppid, kill_process};

use crate::honest::say;

/// What variables in the environment of the harness hold that no bot may see.
pub const SECRET: &str = "xyzzy";

pub const SECRETS: [&str; 6] = [
    "TEST_BOT_SECRET",
    "NODE_AUTH_TOKEN",
    "CONDA_TOKEN",
    "PYTHON_KEYRING_PASSWORD",
    "PYENV_GITHUB_TOKEN",
    "LC_SECRET",
];

/// Each of 250 processes starts the next and ends.
pub const CHAIN: &str = "next() { [ $1 -gt 250 ] || ( next $(($1 + 1)) & ) ; } ; next 1 &";

/// Takes 120 MiB that it could share with others, and holds it for some seconds.
pub const SHARED: &str = "import mmap, time
m = mmap.mmap(-1, 120 << 20)
for i in range(0, 120 << 20, 4096): m[i] = 1
time.sleep(5)";

/// Python where every tier allows it.
pub const PYTHON: &str = "/usr/bin/python3";

/// Runs a child process of a bot, if there is one of that name.
pub fn help(name: &str) -> bool {
    match name {
        "hold" => hold(120),
        "hold-a-little" => hold(30),
        "busy" => busy_for(Duration::from_secs(5)),
        "busy-for-a-moment" => busy_for(Duration::from_millis(30)),
        _ => return false,
    }
    true
}

pub fn sh(line: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

pub fn shell(line: &str) {
    sh(line).status().expect("a shell");
}

pub fn myself(role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command
        .args(["bot", role])
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
}

pub fn child_that_keeps_stdout() -> Command {
    let mut command = sh("sleep 8");
    command.stdout(Stdio::inherit());
    command
}

#[expect(
    clippy::zombie_processes,
    reason = "a hostile bot waits for none of its children"
)]
pub fn leave(mut command: Command) {
    command.spawn().expect("a child");
}

pub fn scratch() -> PathBuf {
    std::env::temp_dir()
}

/// The variable that names the folder of [`test_file`].
pub const FOLDER: &str = "TEST_BOT_FOLDER";

/// A file in the folder that contains the bot's own folder, its opponent's and the results.
pub fn test_file(file: &str) -> PathBuf {
    PathBuf::from(std::env::var_os(FOLDER).expect("a folder")).join(file)
}

/// Writes to a folder until it is full, 64 MiB at most, and says how many MiB it took. Nothing stays.
pub fn fill(folder: &Path) -> usize {
    let mut file = tempfile::tempfile_in(folder).expect("a file");
    let megabyte = vec![1; 1 << 20];
    (0..64)
        .take_while(|_| file.write_all(&megabyte).is_ok())
        .count()
}

/// All visible processes except this one.
pub fn others() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
        .filter(|pid| *pid != getpid())
}

/// Whether an action can be written to the stdout of another process.
pub fn answer_for(process: Pid) -> bool {
    let stdout = File::options().write(true).open(of(Some(process), "fd/1"));
    stdout.is_ok_and(|mut stdout| stdout.write_all(b"a1\n").is_ok())
}

pub fn hold(mebibytes: usize) {
    let held = vec![1_u8; mebibytes << 20];
    sleep(Duration::from_secs(5));
    drop(held);
}

pub fn busy_for(time: Duration) {
    let begun = std::time::Instant::now();
    while begun.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// Uses so much processor time, however long that takes.
pub fn compute_for(time: Duration) {
    let used = || line_of("/proc/self/schedstat", "").parse().expect("ns");
    let begun: u64 = used();
    while Duration::from_nanos(used() - begun) < time {}
}

pub fn busy() {
    loop {
        std::hint::spin_loop();
    }
}

/// A language runtime may catch the signal; a shell does not.
pub fn become_a_segfault() {
    let error = sh("kill -SEGV $$").exec();
    unreachable!("a shell did not start: {error}");
}

/// Plays an illegal action where something succeeded that must not.
pub fn cheat_if(succeeded: bool, honest: &str) {
    say(if succeeded { "steal" } else { honest });
}

pub fn parent() -> i32 {
    getppid().map_or(0, |pid| pid.as_raw_nonzero().get())
}

/// The supervisor of a bot is its parent.
pub fn signal_parent(signal: Signal) {
    if let Some(parent) = getppid() {
        let _ = kill_process(parent, signal);
    }
}

/// The parent of the parent, which every process may look up.
pub fn harness() -> Option<Pid> {
    let status = fs::read_to_string(of(getppid(), "status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    Pid::from_raw(line.trim().parse().ok()?)
}

pub fn of(process: Option<Pid>, file: &str) -> String {
    let number = process.map_or(0, |pid| pid.as_raw_nonzero().get());
    format!("/proc/{number}/{file}")
}

pub fn descriptors() -> usize {
    (3..1000)
        .filter(|fd| Path::new(&format!("/proc/self/fd/{fd}")).exists())
        .count()
}

pub fn status_of(key: &str) -> String {
    line_of("/proc/self/status", key)
}

pub fn limit_of(key: &str) -> String {
    line_of("/proc/self/limits", key)
}

/// The first value behind a key of a file in `/proc`.
pub fn line_of(file: &str, key: &str) -> String {
    let text = fs::read_to_string(file).expect(file);
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let line = line.expect(key);
    let values = line.trim_start_matches(':').split_whitespace();
    values.take(1).collect()
}
