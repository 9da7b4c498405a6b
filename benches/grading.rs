//! What grading a class costs beside the class's own bots.
//!
//! The whole of `referee grade` is measured (builds, checks, games, marks, feedback) with bots that compute for so
//! long before each action. What starting and ending a bot takes counts as the harness's.
//!
//! `cargo bench --bench grading`

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::time::ClockId;
use referee::game::{Setup, watch_your_back};

mod instant;
mod script;

use instant::{launch, serve, supervisor};
use script::script;

const STUDENTS: usize = 1;
const TESTS: usize = 5;
const GAMES: usize = 40;

/// For how many microseconds the bots compute before each action.
const COMPUTING: [u64; 3] = [0, 100, 1000];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let Some((micros, script)) = args.get(1).zip(args.get(2)) {
        let Ok(micros) = micros.parse() else { return };
        return serve(script, |_| compute(Duration::from_micros(micros)));
    }
    let script = script(&Setup::new(watch_your_back::GAME), 1);
    println!(
        "grading {STUDENTS} student, {TESTS} tests of {GAMES} games of {} plies",
        script.len()
    );
    for micros in COMPUTING {
        let folder = tempfile::tempdir().expect("a folder");
        let class = folder.path();
        make_class(class, micros, &script.join(" ")).expect("written");
        let before = children();
        let graded = Command::new(supervisor().program)
            .args(["grade", "class.toml"])
            .current_dir(class)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("referee starts");
        assert!(graded.success(), "{graded}");
        let all = children() - before;
        let (games, bots) = bots_time(class);
        assert_eq!(games, STUDENTS * TESTS * GAMES);
        println!(
            "bots that compute {micros} µs for an action: {:.2} s of processor time in all, the bots' {:.2} s, the rest {:.0} % of that",
            all.as_secs_f64(),
            bots.as_secs_f64(),
            100.0 * (all - bots).as_secs_f64() / bots.as_secs_f64()
        );
    }
}

/// Computes for so long, in processor time.
fn compute(time: Duration) {
    let now = || Duration::from(ClockId::CLOCK_THREAD_CPUTIME_ID.now().expect("a clock"));
    let until = now() + time;
    while now() < until {}
}

fn make_class(class: &Path, micros: u64, script: &str) -> io::Result<()> {
    let bot = launch(&[&micros.to_string(), script]);
    let program = bot.program.display().to_string();
    let command = [vec![program], bot.args].concat();
    let mut config = format!(
        "name = \"class\"\nseed = 7\nopening-plies = 0\n[game]\nname = \"watch-your-back\"\n[marks]\nchange = 1.0\n\
         [class]\nroster = \"roster.csv\"\nsubmissions = \"submissions\"\n[submission]\ncommand = {command:?}\n"
    );
    for test in 0..TESTS {
        fs::create_dir(class.join(format!("reference-{test}")))?;
        let _ = write!(
            config,
            "[[reference]]\nname = \"reference-{test}\"\ndir = \"reference-{test}\"\ncommand = {command:?}\n\
             [[test]]\nagainst = [\"reference-{test}\"]\nmarks = 2\ngames = {GAMES}\n"
        );
    }
    fs::write(class.join("class.toml"), config)?;
    let mut roster = "id\n".to_owned();
    for student in 0..STUDENTS {
        let _ = writeln!(roster, "s{student}");
        let folder = class.join(format!("submissions/s{student}"));
        fs::create_dir_all(&folder)?;
        // What was handed in differs from student to student.
        fs::write(folder.join("notes.txt"), format!("{student}"))?;
    }
    fs::write(class.join("roster.csv"), roster)
}

/// The processor time of all processes that were started here and have ended.
fn children() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("of this process");
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Duration::from_micros(micros as u64)
}

/// How many games were played, and the processor time of the bots in them, as the logs have it.
fn bots_time(class: &Path) -> (usize, Duration) {
    let (mut games, mut micros) = (0, 0);
    let graded = class.join("results").join("class");
    let mut folders = vec![graded.join("work").join("runs")];
    while let Some(folder) = folders.pop() {
        let is_of_logs = folder
            .parent()
            .is_some_and(|above| above.ends_with("games"));
        for entry in fs::read_dir(folder).expect("read") {
            let path = entry.expect("read").path();
            if path.is_dir() {
                folders.push(path);
            } else if is_of_logs {
                games += 1;
                micros += time_in_log(&path);
            }
        }
    }
    (games, Duration::from_micros(micros))
}

/// The processor time of both bots in a game, also while they were not asked, in microseconds.
fn time_in_log(path: &Path) -> u64 {
    let mut log = csv::Reader::from_path(path).expect("a log");
    let header = log.headers().expect("a header").clone();
    let columns = ["cpu_us", "idle_cpu_us"].map(|name| {
        let place = header.iter().position(|column| column == name);
        place.expect("a column")
    });
    let rows = log.records().map(|row| row.expect("a ply"));
    rows.map(|row| {
        let each = columns.iter().map(|at| row[*at].parse::<u64>());
        each.map(|micros| micros.expect("a number")).sum::<u64>()
    })
    .sum()
}
