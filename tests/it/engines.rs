//! Shards that real engines play: Slurm and GNU parallel.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use referee::game::Chance as _;
use referee::random::Stream;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::content::content;
use crate::support::{
    TestRun, engine, greedy, lines, place_of, root, skip, times, wait_for_the_end_of_all_with,
    wait_until,
};

const MARK: &str = "REFEREE_TEST_ENGINE";

/// House bots whose play does not depend on the clock, in games that take a moment.
fn tournament(games_per_pairing: u32) -> String {
    format!(
        "name = \"engines\"\nseed = 9\n[game]\nname = \"dark-chess\"\nmax-plies = 60\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = {games_per_pairing}\n{}",
        greedy(&[("a", 1), ("b", 20), ("c", 80), ("d", 160)])
    )
}

fn shell(run: &TestRun, line: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(run.folder());
    command.env(MARK, run.folder());
    command.stdin(Stdio::null()).output().expect("sh")
}

#[track_caller]
fn ok(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The processes of this test that work on a shard.
fn workers(run: &TestRun) -> Vec<Pid> {
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let is_worker = |path: &PathBuf| {
        let args = std::fs::read(path.join("cmdline")).unwrap_or_default();
        let mut args = args.split(|byte| *byte == 0);
        let environment = std::fs::read(path.join("environ")).unwrap_or_default();
        let mark = format!("{MARK}={}", run.folder().display());
        let mut variables = environment.split(|byte| *byte == 0);
        let is_ours = variables.any(|one| one == mark.as_bytes());
        let is_referee = args.next().is_some_and(|it| it.ends_with(b"referee"));
        is_ours && is_referee && args.next() == Some(b"work")
    };
    let paths = processes.map(|process| process.path()).filter(is_worker);
    let pid = |path: PathBuf| Pid::from_raw(path.file_name()?.to_str()?.parse().ok()?);
    paths.filter_map(pid).collect()
}

/// The name of a folder in which everything means something to a shell, to GNU parallel or to Slurm, and the same as a
/// word.
const AWKWARD: &str = "it's $HOME \"100%A\" #1; `x` & é";

fn awkward() -> String {
    shlex::try_quote(AWKWARD).expect("a word").into_owned()
}

fn command<'a>(said: &'a str, before: &str) -> &'a str {
    let mut lines = said.lines();
    let command = lines.find_map(|line| line.strip_prefix(before));
    command.expect(said)
}

#[test]
fn gnu_parallel_plays_a_plan_in_any_folder_by_the_commands_that_are_printed() {
    needed!(engine("parallel"));
    let config = tournament(2);
    let run = TestRun::new(&config);
    let line = format!("plan config.toml --out {} --shards 3 --parallel", awkward());
    let said = run.referee(&line).ok();
    ok(&shell(&run, command(&said, "play them with: ")));
    let merge = command(&said, "then: referee ");
    run.referee(merge).ok();
    let merged = run.path(AWKWARD).join("run");
    assert_eq!(content(&merged), content(&TestRun::played(&config).out()));
}

#[test]
#[ignore = "slow"]
fn gnu_parallel_plays_all_shards_while_workers_are_killed() {
    needed!(engine("parallel"));
    let config = tournament(40);
    let whole = TestRun::played(&config);
    let run = TestRun::new(&config);
    run.referee("plan config.toml --out plan --shards 6 --parallel")
        .ok();
    let mut chance = Stream::new(5, 0);
    let (mut killed, mut begun, most) = (0, 0, times("WORKER_KILLS", 8));
    loop {
        begun += 1;
        let mut parallel = Command::new("sh")
            .args(["plan/parallel.sh", "-j", "3"])
            .env(MARK, run.folder())
            .current_dir(run.folder())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh");
        let status = loop {
            if let Some(status) = parallel.try_wait().expect("a child") {
                break status;
            }
            std::thread::sleep(Duration::from_millis(20 + u64::from(chance.below(60))));
            let workers = workers(&run);
            if killed < most && !workers.is_empty() {
                let worker = workers[chance.below(workers.len() as u32) as usize];
                // It may have ended in this moment.
                killed += usize::from(kill_process(worker, Signal::KILL).is_ok());
            }
        };
        if status.success() {
            break;
        }
        assert!(begun <= most + 1, "it fails again and again: {status}");
    }
    println!("{killed} workers killed, parallel begun {begun} times");
    wait_for_the_end_of_all_with(&format!("{MARK}={}", run.folder().display()));
    run.referee("merge plan").ok();
    assert_eq!(content(&run.path("plan/run")), content(&whole.out()));
    run.referee("verify plan/run").ok();
}

/// A cluster of this one machine, which ends with this value.
struct Slurm {
    folder: tempfile::TempDir,
}

impl Slurm {
    fn script(folder: &Path, command: &str) -> Output {
        let script = root().join("tests/engines/slurm.sh");
        let mut run = Command::new(script);
        run.arg(command).arg(folder).output().expect("it runs")
    }

    fn start() -> Result<Self, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let output = Self::script(folder.path(), "start");
        match output.status.success() {
            true => Ok(Self { folder }),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    fn config(&self) -> String {
        format!("SLURM_CONF={}/slurm.conf", self.folder.path().display())
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        Self::script(self.folder.path(), "stop");
    }
}

/// A cluster, if this machine can have one. Says why not.
fn start_slurm() -> Option<Slurm> {
    let programs = ["slurmctld", "slurmd", "sbatch", "munged"];
    let is_root = rustix::process::geteuid().is_root();
    if !programs.iter().all(|program| place_of(program).is_some()) || !is_root {
        skip("Slurm and root");
        return None;
    }
    let started = Slurm::start();
    if let Err(problem) = &started {
        skip(format!("Slurm, which does not start here: {problem}"));
    }
    started.ok()
}

#[test]
#[ignore = "slow"]
fn slurm_plays_an_array_of_which_a_task_is_queued_again_and_one_is_cancelled() {
    let slurm = needed!(start_slurm());
    let config = tournament(80);
    let whole = TestRun::played(&config);
    let run = TestRun::new(&config);
    run.referee("plan config.toml --out plan --shards 8 --slurm --limit 30m")
        .ok();
    let on_slurm = |line: &str| ok(&shell(&run, &format!("{} {line}", slurm.config())));
    let job = on_slurm("sbatch --parsable plan/slurm.sh");
    let job = job.trim();
    // The first tasks play; task 7 waits.
    on_slurm(&format!("scancel {job}_7"));
    let journal = run.path("plan/shards/0000/games.csv");
    wait_until(|| lines(&journal) > 1);
    on_slurm(&format!("scontrol requeue {job}_0"));
    wait_for_the_queue(&run, &slurm);
    assert!(!run.path("plan/shards/0007").exists(), "cancelled");
    let log = run.read(&format!("plan/logs/{job}_0.log"));
    let again = "shard 0 is done; ";
    let before = log.split(again).nth(1);
    let before = before.and_then(|end| end.split(' ').next());
    assert!(before.is_some_and(|before| before != "0"), "{log}");
    let ran = run.referee("merge plan");
    assert_eq!(ran.exit, 9, "{ran:?}");
    let again = ran.stderr.split('`').nth(1).expect("a command");
    assert!(again.starts_with("sbatch --array=7 "), "{again}");
    on_slurm(again);
    wait_for_the_queue(&run, &slurm);
    run.referee("merge plan").ok();
    assert_eq!(content(&run.path("plan/run")), content(&whole.out()));
    run.referee("verify plan/run").ok();
    println!("an array of 8, one task queued again, one cancelled: merged");
}

#[test]
#[ignore = "slow"]
fn slurm_plays_waves_as_a_chain_of_jobs() {
    let slurm = needed!(start_slurm());
    let config =
        tournament(2).replace("kind = \"round-robin\"\n", "kind = \"swiss\"\nrounds = 3\n");
    let whole = TestRun::played(&config);
    let run = TestRun::new(&config);
    let line = format!("plan config.toml --out {} --shards 2 --slurm", awkward());
    let said = run.referee(&line).ok();
    let lead = command(&said, "play it with: ");
    ok(&shell(&run, &format!("{} {lead}", slurm.config())));
    wait_for_the_queue(&run, &slurm);
    let log = run.read(&format!("{AWKWARD}/logs/lead.log"));
    assert!(log.contains("over after 3 waves"), "{log}");
    let logs = std::fs::read_dir(run.path(AWKWARD).join("logs")).expect("logs");
    let mut names = logs.map(|log| log.expect("a log").file_name());
    assert!(names.any(|name| name.to_string_lossy().ends_with("_0.log")));
    run.referee(command(&said, "then: referee ")).ok();
    let found = content(&run.path(AWKWARD).join("run"));
    assert_eq!(found, content(&whole.out()));
}

fn wait_for_the_queue(run: &TestRun, slurm: &Slurm) {
    let begun = std::time::Instant::now();
    loop {
        let queue = ok(&shell(run, &format!("{} squeue -h -r", slurm.config())));
        if queue.trim().is_empty() {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(300), "{queue}");
        std::thread::sleep(Duration::from_millis(200));
    }
}
