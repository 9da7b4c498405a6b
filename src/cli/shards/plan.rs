//! `referee plan CONFIG`: cuts a tournament into shards.

use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::change_to;
use crate::cli::arguments::{ask_engines, host, known_games, signals};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::say;
use crate::config::Plan;
use crate::config::read_text;
use crate::report::{Progress, shell_word, warn};
use crate::runner::{AskedEngines, HostOptions, Portion, Tournament, count_games};
use crate::runs::{RunFileError, RunFileProblem, RunFolder, draw_seed, write_bytes};
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
    /// The limit of a task in slurm.sh
    #[arg(long, value_name = "TIME", default_value = "4h", value_parser = humantime::parse_duration)]
    limit: Duration,
}

const EXAMPLES: &str = "\
Examples:
  referee plan configs/demo.toml --out /shared/spring --shards 40 --slurm
  referee work /shared/spring --shard 7/40       one of the shards, as slurm.sh calls it
  referee status /shared/spring
  referee merge /shared/spring                   the run: /shared/spring/run";

pub(in crate::cli) fn run(args: &PlanArgs) -> Result<Exit, Failure> {
    let typed = Plan::load(&args.config, known_games())?;
    let options = HostOptions::default();
    // The typed engines are asked, as nothing is written yet.
    ask_engines(&typed, options, AskedEngines::WithOptions)?;
    let path = new_folder(&args.out)?;
    let program = std::env::current_exe()
        .map_err(|error| Failure::failed(format!("this program: {error}")))?;
    let engines: Vec<Engine> = [
        (args.slurm, Engine::Slurm),
        (args.parallel, Engine::Parallel),
    ]
    .into_iter()
    .filter_map(|(wanted, engine)| wanted.then_some(engine))
    .collect();
    for engine in &engines {
        for path in [&path, &program] {
            check_path(*engine, path).map_err(Failure::usage)?;
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
    let names = plan.players.iter().map(|player| player.name.clone());
    let built = names.zip(unbuilt);
    let table = PlanTable {
        referee: env!("CARGO_PKG_VERSION").to_owned(),
        shards: args.shards,
        seed,
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
        let problem = "is not empty: name a new folder with --out, or remove what is there";
        return Err(Failure::of_file(out, problem));
    }
    out.canonicalize()
        .map_err(|error| Failure::of_file(out, error))
}

fn write_config(args: &PlanArgs, plan: &Plan, path: &Path) -> Result<u64, Failure> {
    let failed = |problem: String| Failure::of_file(&args.config, problem);
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
    write_bytes(&PlanFolder::config_path(path), text)?;
    Ok(seed)
}

fn write_scripts(
    args: &PlanArgs,
    engines: &[Engine],
    program: &Path,
    folder: &PlanFolder,
) -> Result<(), Failure> {
    for engine in engines {
        let text = script(*engine, folder, program, args.limit);
        write_bytes(&folder.path().join(engine.file()), text)?;
    }
    if args.slurm && folder.has_waves() {
        let text = lead_script(folder, program);
        write_bytes(&folder.path().join(LEAD), text)?;
    }
    let logs = folder.path().join("logs");
    if args.slurm {
        // Slurm does not create the folder, and a job without its output file fails.
        fs::create_dir_all(&logs).map_err(RunFileError::at(&logs, RunFileProblem::Make))?;
    }
    Ok(())
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
