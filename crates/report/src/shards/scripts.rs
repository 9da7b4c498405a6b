//! Scripts with which an engine plays all shards.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::PlanFolder;
use crate::report::shell_word;
use crate::text::visible;

/// Maximum number of tasks in a Slurm array. Task IDs must be below 1001 unless a cluster raises
/// `MaxArraySize`.
const MOST_TASKS: u32 = 1000;

/// Why a script cannot contain the path of a folder or a program.
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: no script can have this path: it has a {what} in it; name another folder with --out, or move the program", visible(&path.display().to_string())
)]
pub struct ScriptError {
    path: PathBuf,
    what: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Slurm,
    /// GNU parallel, here or on several machines.
    Parallel,
}

impl Engine {
    /// File name of its script in the plan's folder.
    pub fn file(self) -> &'static str {
        match self {
            Self::Slurm => "slurm.sh",
            Self::Parallel => "parallel.sh",
        }
    }
}

pub fn check_path(engine: Engine, path: &Path) -> Result<(), ScriptError> {
    let what = match path.to_str() {
        None => Some("byte that is not text"),
        Some(text) if text.chars().any(char::is_control) => {
            Some("line end or another control character")
        }
        // GNU parallel and Slurm replace such parts, and neither has an escape for them.
        Some(text) if engine == Engine::Parallel && text.contains('{') => Some("`{`"),
        Some(text) if engine == Engine::Slurm && text.contains('\\') => Some("`\\`"),
        Some(_) => None,
    };
    what.map_or(Ok(()), |what| {
        Err(ScriptError {
            path: path.to_owned(),
            what,
        })
    })
}

/// The script for an engine. `limit` is the time limit of a Slurm task; `program` is the referee.
pub fn script(engine: Engine, folder: &PlanFolder, program: &Path, limit: Duration) -> String {
    let (shards, name) = (folder.table.shards.get(), &folder.plan.name);
    let (path, program) = (shell_word(folder.path()), shell_word(program));
    let last = shards - 1;
    match engine {
        Engine::Slurm => {
            let minutes = limit.as_secs().div_ceil(60).max(1);
            let (submit, last) = (submit(folder), last.min(MOST_TASKS - 1));
            let logs = slurm_word(folder, "%A_%a.log");
            format!(
                "#!/bin/sh\n\
                 # Plays the {shards} shards of {name}. Submit it with: {submit}\n\
                 # Its argument is the first shard; `referee merge` names the command for shards that are missing.\n\
                 #SBATCH --job-name={name}\n\
                 #SBATCH --array=0-{last}\n\
                 #SBATCH --ntasks=1\n\
                 #SBATCH --cpus-per-task=1\n\
                 #SBATCH --time={minutes}\n\
                 #SBATCH --signal=B:TERM@60\n\
                 #SBATCH --requeue\n\
                 #SBATCH --open-mode=append\n\
                 #SBATCH --output={logs}\n\
                 shard=$((SLURM_ARRAY_TASK_ID + ${{1:-0}}))\n\
                 if [ \"$shard\" -gt {} ]; then exit 0; fi\n\
                 {program} work {path} --shard \"$shard/{shards}\" -j \"${{SLURM_CPUS_PER_TASK:-1}}\" &\n\
                 worker=$!\n\
                 # A minute before the limit: the games in play end, and what was played is kept.\n\
                 trap 'kill -TERM \"$worker\"' TERM\n\
                 wait \"$worker\"; code=$?\n\
                 # The signal ends the first wait.\n\
                 if kill -0 \"$worker\" 2>/dev/null; then wait \"$worker\"; code=$?; fi\n\
                 # 9 asks for another try, and any other failure would only fail again.\n\
                 if [ \"$code\" = 9 ]; then scontrol requeue \"$SLURM_JOB_ID\"; fi\n\
                 exit \"$code\"\n",
                shards - 1
            )
        }
        Engine::Parallel => format!(
            "#!/bin/sh\n\
             # Plays the {shards} shards of {name}: sh {path}/parallel.sh\n\
             # Again after an interruption, the same command: what is done is not played again.\n\
             # On several machines that share this folder: sh {path}/parallel.sh --sshlogin a,b,c,d\n\
             exec parallel -q --joblog {path}/parallel.log --resume-failed --retries 5 \"$@\" \\\n    \
             {program} work {path} --shard '{{}}/{shards}' --quiet ::: $(seq 0 {last})\n"
        ),
    }
}

/// The script that writes the next wave, submits its shards, and then resubmits itself. `program` is the
/// referee.
pub fn lead_script(folder: &PlanFolder, program: &Path) -> String {
    let name = &folder.plan.name;
    let (path, program) = (shell_word(folder.path()), shell_word(program));
    let logs = slurm_word(folder, "lead.log");
    let firsts = firsts(folder);
    format!(
        "#!/bin/sh\n\
         # Leads {name}: sbatch {path}/{LEAD}\n\
         #SBATCH --job-name={name}-lead\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --time=15\n\
         #SBATCH --open-mode=append\n\
         #SBATCH --output={logs}\n\
         said=$({program} lead {path} --once); code=$?\n\
         echo \"$said\"\n\
         if [ \"$code\" != 9 ]; then exit \"$code\"; fi\n\
         # A wave whose shards fail again and again would be submitted for ever.\n\
         case $said in *missing*) tries=$((${{1:-0}} + 1)) ;; *) tries=0 ;; esac\n\
         if [ \"$tries\" -gt 3 ]; then echo \"shards are missing after three tries\"; exit 9; fi\n\
         wave=\n\
         for first in {firsts}; do\n    \
         job=$(sbatch --parsable {path}/{} \"$first\") || exit\n    \
         wave=$wave:${{job%%;*}}\n\
         done\n\
         sbatch --dependency=afterany\"$wave\" {path}/{LEAD} \"$tries\"\n",
        Engine::Slurm.file()
    )
}

/// File name of the lead script in the plan's folder.
pub const LEAD: &str = "slurm-lead.sh";

pub fn submit(folder: &PlanFolder) -> String {
    let script = shell_word(&folder.path().join(Engine::Slurm.file()));
    match folder.table.shards.get() {
        ..=MOST_TASKS => format!("sbatch {script}"),
        _ => format!(
            "for first in {}; do sbatch {script} $first; done",
            firsts(folder)
        ),
    }
}

/// The command that submits these shards to Slurm, in ascending order.
pub fn submit_again(folder: &PlanFolder, shards: impl Iterator<Item = u32>) -> String {
    let script = shell_word(&folder.path().join(Engine::Slurm.file()));
    let shards: BTreeSet<u32> = shards.collect();
    let shards: Vec<u32> = shards.into_iter().collect();
    let arrays = shards.chunk_by(|one, next| one / MOST_TASKS == next / MOST_TASKS);
    let commands = arrays.map(|shards| {
        let first = shards[0] / MOST_TASKS * MOST_TASKS;
        let tasks = ranges(shards.iter().map(|shard| shard - first));
        match first {
            0 => format!("sbatch --array={tasks} {script}"),
            _ => format!("sbatch --array={tasks} {script} {first}"),
        }
    });
    commands.collect::<Vec<_>>().join("; ")
}

fn firsts(folder: &PlanFolder) -> String {
    format!("$(seq 0 {MOST_TASKS} {})", folder.table.shards.get() - 1)
}

/// Ascending numbers as ranges, in the syntax of Slurm: `0,3-7`.
pub fn ranges(numbers: impl Iterator<Item = u32>) -> String {
    let numbers: Vec<u32> = numbers.collect();
    let runs = numbers.chunk_by(|one, next| one.checked_add(1) == Some(*next));
    let words = runs.map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        run => run.iter().map(u32::to_string).collect(),
    });
    words.collect::<Vec<_>>().join(",")
}

/// An output path as an option of Slurm, which has its own quoting and expands `%` in paths.
fn slurm_word(folder: &PlanFolder, file: &str) -> String {
    let logs = folder.path().join("logs").display().to_string();
    let logs = logs.replace('%', "%%").replace('"', "\\\"");
    format!("\"{logs}/{file}\"")
}
