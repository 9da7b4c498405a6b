//! A million games through the real runner, journal and tables, between players inside this
//! process: how fast, and in how much memory.
//!
//! ```text
//! cargo build --release && cargo run --release -p research --bin million
//! ```
//!
//! With the argument `many-players` it plays a million games among a thousand players, and with `short` a third of a
//! million.
//!
//! Each line that is printed comes from a process of its own, so that its peak is its own.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use referee::bot::Supervisor;
use referee::config::{KeepLogs, Plan};
use referee::game::BUILT_IN;
use referee::report::{Progress, finish_run};
use referee::results::Settings;
use referee::runner::{
    Bots, Demands, Event, Host, HostOptions, Interrupt, Placing, Portion, Tournament, count_games,
};
use referee::runs::{GameRow, Repeat, RowShape, Run, RunFolder};
use referee::schedule::Cut;
use referee::shards::PlanTable;

#[path = "../../../../tests/it/support/quick.rs"]
mod quick;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A run: how many players, games per pairing, and which games leave a log.
type Shape<'a> = (usize, usize, &'a str);

/// Ten thousand games, a hundred thousand and a million in one form of plan; and with logs.
const SHAPES: [Shape<'_>; 4] = [
    (46, 10, "none"),
    (46, 100, "none"),
    MILLION,
    (46, 100, "all"),
];

/// A third of a million, for a check that takes less time.
const SHORT: Shape<'_> = (46, 300, "none");

const MILLION: Shape<'_> = (46, 1000, "none");

/// A million among so many players that each two meet once.
const MANY_PLAYERS: Shape<'_> = (1000, 2, "none");

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        [] => overview(&SHAPES, &[MILLION]),
        ["short"] => overview(&[SHAPES[0], SHAPES[1], SHORT], &[SHORT]),
        ["many-players"] => overview(&[MANY_PLAYERS], &[MANY_PLAYERS]),
        [how @ ("run" | "resume"), players, games, logs, out] => {
            let plan = quick::plan(players.parse()?, games.parse()?, logs);
            play(&plan, Path::new(out), how == "resume")
        }
        ["measure", ref command @ ..] => measure(command),
        _ => Err("usage: million".into()),
    }
}

fn overview(played: &[Shape<'_>], read: &[Shape<'_>]) -> Outcome<()> {
    let scratch = tempfile::tempdir()?;
    let own = std::env::current_exe()?;
    let child = |args: &[&str]| -> Outcome<()> {
        match Command::new(&own).args(args).status()?.success() {
            true => Ok(()),
            false => Err(format!("{} failed", args.join(" ")).into()),
        }
    };
    println!("players   games  logs  games/s  peak of the games  tables  peak with them");
    for (players, games, logs) in played {
        let out = scratch.path().join(format!("{players}-{games}-{logs}"));
        let out = out.to_string_lossy();
        child(&["run", &players.to_string(), &games.to_string(), logs, &out])?;
    }
    let referee = own
        .parent()
        .and_then(Path::parent)
        .ok_or("no folder")?
        .join("referee");
    let referee = referee.to_string_lossy();
    for (players, games, logs) in read {
        let out = scratch.path().join(format!("{players}-{games}-{logs}"));
        let run = out.to_string_lossy();
        let journal = format!("{run}/games.csv");
        println!("\nof {players} players, {games} games per pairing:");
        child(&["measure", &referee, "rate", &journal])?;
        if *players == MANY_PLAYERS.0 {
            continue;
        }
        child(&["measure", &referee, "verify", &run])?;
        let shards = scratch.path().join("shards");
        cut(&referee, &out, *players, *games, &shards)?;
        child(&["measure", &referee, "merge", &shards.to_string_lossy()])?;
        for table in ["games.csv", "ratings.csv"] {
            if sorted(&out.join(table))? != sorted(&shards.join("run").join(table))? {
                return Err(format!("merged shards have another {table}").into());
            }
        }
        std::fs::remove_dir_all(shards)?;
        let before = std::fs::read(out.join("ratings.csv"))?;
        halve(Path::new(&journal))?;
        child(&[
            "resume",
            &players.to_string(),
            &games.to_string(),
            logs,
            &run,
        ])?;
        if before != std::fs::read(out.join("ratings.csv"))? {
            return Err("a run that was interrupted has other ratings".into());
        }
    }
    Ok(())
}

/// Plays a run, or goes on with one, and prints a line about it.
fn play(plan: &Plan, out: &Path, resume: bool) -> Outcome<()> {
    let jobs = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let options = HostOptions {
        jobs: Some(jobs),
        placing: Placing::Free,
        again_below: None,
    };
    // No bot is a process here, so it supervises none.
    let program = std::env::current_exe()?;
    let (host, _) = Host::new(&Demands::of(plan), Supervisor { program }, options)?;
    let mut progress = Progress::new(false, plan.display_names());
    let begun = Instant::now();
    let mut folder = match resume {
        true => RunFolder::resume(out, plan, host.stamp(), Repeat::default(), &mut |row| {
            progress.played_before(row);
        })?,
        false => RunFolder::create(out, plan, host.stamp())?,
    };
    if resume {
        println!(
            "going on: the journal read in {:.1} s; {:.0} MiB",
            begun.elapsed().as_secs_f64(),
            peak_mib()?
        );
    }
    let begun = Instant::now();
    let mut played = 0_u64;
    let interrupt = Interrupt::new()?;
    let tournament = Tournament {
        bots: Bots::From(&quick::start),
        ..Tournament::new(plan, &host, &interrupt)
    };
    tournament.play(&mut folder, &mut |event| {
        played += u64::from(matches!(event, Event::Finished(_)));
        progress.event(event);
    })?;
    let rate = played as f64 / begun.elapsed().as_secs_f64();
    let peak = peak_mib()?;
    let begun = Instant::now();
    let (mut results, ..) = progress.finish();
    let counted = results.count();
    let run = Run::open(out, BUILT_IN)?;
    let settings = Settings::default();
    finish_run(&run, &results.rate(&settings), &[])?;
    let tables = begun.elapsed().as_secs_f64();
    let all = count_games(plan, Portion::All)
        .exactly()
        .ok_or("a round robin has so many games")?;
    if counted != all {
        return Err(format!("{counted} of {all} games were played").into());
    }
    println!(
        "{:>7} {played:>7}  {:>4}  {rate:>7.0}  {peak:>13.0} MiB  {tables:>4.1} s  {:>10.0} MiB",
        plan.players.len(),
        match plan.keep_logs {
            KeepLogs::All => "all",
            KeepLogs::Forfeits => "forfeits",
            KeepLogs::None => "none",
        },
        peak_mib()?
    );
    Ok(())
}

/// Runs a command, and prints how long it took and its peak.
fn measure(command: &[&str]) -> Outcome<()> {
    let [program, args @ ..] = command else {
        return Err("measure what?".into());
    };
    let begun = Instant::now();
    let output = Command::new(program).args(args).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN)?;
    println!(
        "referee {}: {:.1} s; {} MiB",
        args.first().unwrap_or(&""),
        begun.elapsed().as_secs_f64(),
        usage.max_rss() / 1024
    );
    Ok(())
}

/// Cuts a run into 16 shards of a plan, as if they had played it.
fn cut(referee: &str, run: &Path, players: usize, games: usize, plan: &Path) -> Outcome<()> {
    let config = plan.with_extension("toml");
    std::fs::write(&config, quick::config(players, games, "none"))?;
    let status = Command::new(referee)
        .args(["plan", "--shards", "16", "--out"])
        .args([plan, &config])
        .stdout(Stdio::null())
        .status()?;
    if !status.success() {
        return Err("referee plan failed".into());
    }
    let table: PlanTable = toml::from_str(&std::fs::read_to_string(plan.join("plan.toml"))?)?;
    let cut = Cut {
        seed: table.seed,
        shards: table.shards,
    };
    let mut writers = Vec::new();
    for shard in 0..16 {
        let folder = plan.join(format!("shards/{shard:04}"));
        std::fs::create_dir_all(&folder)?;
        let file = File::create(folder.join("games.csv"))?;
        let mut writer = std::io::BufWriter::new(file);
        writer.write_all(&GameRow::header(RowShape::OF_TWO))?;
        writers.push(writer);
    }
    let mut written = Ok(());
    Run::open(run, BUILT_IN)?.rows_in_order(&mut |row| {
        let writer = &mut writers[cut.owner(0, row.block) as usize];
        if written.is_ok() {
            written = writer.write_all(&row.line());
        }
    })?;
    written?;
    for mut writer in writers {
        writer.flush()?;
    }
    Ok(())
}

/// The lines of a file in their order.
fn sorted(path: &Path) -> Outcome<Vec<String>> {
    let text = std::fs::read_to_string(path)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort_unstable();
    Ok(lines)
}

/// Cuts a journal off in the middle of its middle row.
fn halve(journal: &Path) -> Outcome<()> {
    let file = File::options().read(true).write(true).open(journal)?;
    let rows = BufReader::new(&file).lines().count();
    let mut length = 0;
    for line in BufReader::new(File::open(journal)?).lines().take(rows / 2) {
        length += line?.len() as u64 + 1;
    }
    file.set_len(length - 10)?;
    (&file).flush()?;
    Ok(())
}

/// The most memory that this process has held, in MiB.
fn peak_mib() -> Outcome<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    Ok(kib.ok_or("no VmHWM")?.parse::<f64>()? / 1024.0)
}
