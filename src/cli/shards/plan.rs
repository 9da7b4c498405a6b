//! `referee plan CONFIG`: cuts a tournament into shards.

use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::folder::change_to;
use crate::cli::arguments::{ask_engines, host, known_games, signals};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::say;
use crate::config::Plan;
use crate::config::read_text;
use crate::report::{Progress, shell_word, warn};
use crate::runner::{
    AskedEngines, Event, HostOptions, Placing, Portion, Programs, Tournament, count_games,
    sample_games,
};
use crate::runs::{RunFileError, RunFileProblem, RunFolder, draw_seed, write_whole};
use crate::shards::{
    Engine, LEAD, PlanFolder, PlanTable, check_path, freeze, lead_script, script, submit,
};
use crate::text::counted;

/// Cut a tournament into shards that many machines play
///
/// The folder of the plan gets frozen copies of all bots, which are built there once, and of all openings.
/// `referee work` plays a shard, `referee merge` makes an ordinary run of them.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct PlanArgs {
    /// The tournament's configuration
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// The folder of the plan, new or empty. All machines must see it, or have a copy of it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How many shards; each is played by one process at a time
    #[arg(long, value_name = "K")]
    shards: NonZeroU32,
    /// Write slurm.sh, which `sbatch` submits
    #[arg(long)]
    slurm: bool,
    /// Write parallel.sh, which runs all shards with GNU parallel
    #[arg(long)]
    parallel: bool,
    /// How many game pairs to play now, to say how long a shard takes
    #[arg(long, value_name = "PAIRS", default_value_t = 4)]
    sample: u64,
    /// How long a shard may take, such as 4h; for a warning, and as the limit of slurm.sh
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    limit: Option<Duration>,
}

const EXAMPLES: &str = "\
Examples:
  referee plan configs/demo.toml --out /shared/spring --shards 40 --slurm
  referee work /shared/spring --shard 7/40       one of the shards, as slurm.sh calls it
  referee status /shared/spring
  referee merge /shared/spring                   the run: /shared/spring/run";

/// Below this time a shard is mostly overhead on a cluster.
const SHORT: Duration = Duration::from_secs(600);

/// No sample game begins after this time.
const SAMPLE: Duration = Duration::from_secs(60);

pub(in crate::cli) fn run(args: &PlanArgs) -> Result<Exit, Failure> {
    let typed = Plan::load(&args.config, known_games())?;
    let options = HostOptions {
        jobs: None,
        placing: Placing::default(),
    };
    // The typed engines are asked, as nothing is written yet.
    ask_engines(&typed, options, AskedEngines::WithOptions)?;
    let path = new_folder(&args.out)?;
    let program = std::env::current_exe()
        .map_err(|error| Failure::new(Exit::Failed, format!("this program: {error}")))?;
    let engines: Vec<Engine> = [
        (args.slurm, Engine::Slurm),
        (args.parallel, Engine::Parallel),
    ]
    .into_iter()
    .filter_map(|(wanted, engine)| wanted.then_some(engine))
    .collect();
    for engine in &engines {
        for path in [&path, &program] {
            check_path(*engine, path).map_err(|error| Failure::new(Exit::Usage, error))?;
        }
    }
    let seed = write_config(args, &typed, &path)?;
    change_to(&path)?;
    let plan = PlanFolder::load_plan(&path, known_games())?;
    let host = host(&plan, options)?;
    let interrupt = signals()?;
    let mut progress = Progress::new(false, plan.display_names());
    let mut folder = RunFolder::create(&PlanFolder::run_path(&path), &plan, host.stamp())?;
    let unbuilt = Tournament::new(&plan, &host, &interrupt).build(&mut folder, &mut |event| {
        progress.event(event);
    })?;
    drop(folder);
    let tournament = || Tournament {
        programs: Programs::Built(&unbuilt),
        ..Tournament::new(&plan, &host, &interrupt)
    };
    let seconds_per_game = play_sample(tournament, &path.join("sample"), args.sample)?;
    let names = plan.players.iter().map(|player| player.name.clone());
    let built = names.zip(unbuilt);
    let table = PlanTable {
        referee: env!("CARGO_PKG_VERSION").to_owned(),
        shards: args.shards,
        seed,
        seconds_per_game,
        unbuilt: built
            .filter_map(|(name, problem)| Some((name, problem?)))
            .collect(),
    };
    PlanFolder::write(&path, &table)?;
    let folder = PlanFolder::open(&path, known_games())?;
    write_scripts(args, &engines, &program, &folder)?;
    say(&summary(args, &folder))?;
    Ok(Exit::Done)
}

fn new_folder(out: &Path) -> Result<PathBuf, Failure> {
    fs::create_dir_all(out).map_err(RunFileError::at(out, RunFileProblem::Make))?;
    let is_empty = fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_none());
    if !is_empty {
        let problem = format!(
            "{}: is not empty: name a new folder with --out, or remove what is there",
            out.display()
        );
        return Err(Failure::new(Exit::File, problem));
    }
    out.canonicalize()
        .map_err(|error| Failure::new(Exit::File, format!("{}: {error}", out.display())))
}

/// Writes the frozen configuration. Returns the seed of the run.
fn write_config(args: &PlanArgs, plan: &Plan, path: &Path) -> Result<u64, Failure> {
    let failed =
        |problem: String| Failure::new(Exit::File, format!("{}: {problem}", args.config.display()));
    let text = read_text(&args.config).map_err(|error| failed(error.to_string()))?;
    let mut table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| failed(error.message().to_owned()))?;
    let seed = match plan.seed {
        Some(seed) => seed,
        None => draw_seed().map_err(|error| failed(RunFileProblem::Seed(error).to_string()))?,
    };
    // TOML integers have 63 bits for a seed; the manifest too.
    table.insert("seed".to_owned(), toml::Value::Integer(seed as i64));
    table.insert("name".to_owned(), plan.name.clone().into());
    let base = args.config.parent().unwrap_or(Path::new(""));
    for warning in freeze(&mut table, base, path)? {
        warn(&warning);
    }
    let text = toml::to_string(&table).map_err(|error| failed(error.to_string()))?;
    write_whole(&PlanFolder::config_path(path), &mut |file| {
        file.write_all(text.as_bytes())
    })?;
    Ok(seed)
}

/// Mean length of a game in seconds, measured by sample games that count for nothing.
fn play_sample<'a>(
    tournament: impl Fn() -> Tournament<'a>,
    path: &Path,
    blocks: u64,
) -> Result<Option<f64>, Failure> {
    let begun = Instant::now();
    let (mut took, mut games) = (Duration::ZERO, 0);
    let Tournament { plan, host, .. } = tournament();
    if plan.format.depends_on_results() {
        // The number of games is unknown, hence the length of a shard too.
        return Ok(None);
    }
    let mut folder = RunFolder::create(path, plan, host.stamp())?;
    for block in sample_games(plan, blocks).chunks(plan.seats()) {
        if begun.elapsed() > SAMPLE {
            break;
        }
        let portion = Portion::Listed(block.to_vec());
        let tournament = Tournament {
            portion,
            ..tournament()
        };
        tournament.play(&mut folder, &mut |event| {
            if let Event::Finished(row) = event {
                took += row.took;
                games += 1;
            }
        })?;
    }
    drop(folder);
    fs::remove_dir_all(path).map_err(RunFileError::at(path, RunFileProblem::Write))?;
    Ok((games > 0).then(|| took.as_secs_f64() / f64::from(games)))
}

fn write_scripts(
    args: &PlanArgs,
    engines: &[Engine],
    program: &Path,
    folder: &PlanFolder,
) -> Result<(), Failure> {
    for engine in engines {
        let text = script(*engine, folder, program, args.limit, shard_time(folder));
        write_whole(&folder.path().join(engine.file()), &mut |file| {
            file.write_all(text.as_bytes())
        })?;
    }
    if args.slurm && folder.has_waves() {
        let text = lead_script(folder, program);
        write_whole(&folder.path().join(LEAD), &mut |file| {
            file.write_all(text.as_bytes())
        })?;
    }
    let logs = folder.path().join("logs");
    if args.slurm {
        // Slurm does not create the folder, and a job without its output file fails.
        fs::create_dir_all(&logs).map_err(RunFileError::at(&logs, RunFileProblem::Make))?;
    }
    Ok(())
}

fn shard_time(folder: &PlanFolder) -> Option<Duration> {
    let games = count_games(&folder.plan, Portion::All).exactly()?;
    let seconds = folder.table.seconds_per_game? * games as f64;
    Duration::try_from_secs_f64(seconds / f64::from(folder.table.shards.get())).ok()
}

fn summary(args: &PlanArgs, folder: &PlanFolder) -> String {
    let shards = folder.table.shards.get();
    let path = shell_word(folder.path());
    let games = match count_games(&folder.plan, Portion::All).exactly() {
        Some(games) if !folder.has_waves() => counted(games, "game", "games"),
        _ => "waves of games".to_owned(),
    };
    let mut text = format!(
        "{games} in {}: {}\n",
        counted(shards.into(), "shard", "shards"),
        folder.path().display()
    );
    if let Some(time) = shard_time(folder) {
        let rounded = Duration::from_secs(time.as_secs().max(1));
        text.push_str(&format!(
            "a shard takes about {} on this machine, one game at a time\n",
            humantime::format_duration(rounded)
        ));
        if time < SHORT && shards > 1 {
            text.push_str(
                "warning: that is under ten minutes: fewer shards waste less time on starting jobs\n",
            );
        }
        if let Some(limit) = args.limit.filter(|limit| time > *limit) {
            text.push_str(&format!(
                "warning: that is more than the limit of {}: take more shards\n",
                humantime::format_duration(limit)
            ));
        }
    }
    if folder.has_waves() {
        if args.slurm {
            return text
                + &format!(
                    "play it with: sbatch {}\nthen: referee merge {path}\n",
                    shell_word(&folder.path().join(LEAD))
                );
        }
        return text
            + &format!(
                "lead it with: referee lead {path}\n\
                 play them with: referee work {path} --shard 0/{shards} --follow, and so on\n\
                 then: referee merge {path}\n"
            );
    }
    if args.slurm {
        text.push_str(&format!("play them with: {}\n", submit(folder)));
    }
    if args.parallel {
        let file = folder.path().join(Engine::Parallel.file());
        text.push_str(&format!("play them with: sh {}\n", shell_word(&file)));
    }
    if !(args.slurm || args.parallel) {
        text.push_str(&format!(
            "play them with: referee work {path} --shard 0/{shards}, and so on, on any machines\n"
        ));
    }
    text + &format!("then: referee merge {path}\n")
}
