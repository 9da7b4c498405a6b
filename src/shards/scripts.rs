//! Scripts that have an engine play all shards.

use std::path::Path;
use std::time::Duration;

use super::folder::PlanFolder;

/// What runs the shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Slurm, as an array of jobs.
    Slurm,
    /// GNU parallel, here or on several machines.
    Parallel,
}

impl Engine {
    /// The name of its script in the plan's folder.
    pub fn file(self) -> &'static str {
        match self {
            Self::Slurm => "slurm.sh",
            Self::Parallel => "parallel.sh",
        }
    }
}

/// The script for an engine. `shard` is how long a shard takes, if that is known; `program` is this program.
pub fn script(
    engine: Engine,
    folder: &PlanFolder,
    program: &Path,
    shard: Option<Duration>,
) -> String {
    let (shards, name) = (folder.table.shards.get(), &folder.plan.name);
    let (path, program) = (word(folder.path()), word(program));
    let last = shards - 1;
    match engine {
        Engine::Slurm => {
            let minutes = limit_minutes(shard);
            format!(
                "#!/bin/sh\n\
                 # Plays the {shards} shards of {name}. Submit it with: sbatch {path}/slurm.sh\n\
                 # Again for single shards, which `referee merge` names: sbatch --array=3,7 {path}/slurm.sh\n\
                 #SBATCH --job-name={name}\n\
                 #SBATCH --array=0-{last}\n\
                 #SBATCH --ntasks=1\n\
                 #SBATCH --cpus-per-task=1\n\
                 #SBATCH --time={minutes}\n\
                 #SBATCH --signal=B:TERM@60\n\
                 #SBATCH --requeue\n\
                 #SBATCH --open-mode=append\n\
                 #SBATCH --output={path}/logs/%A_%a.log\n\
                 {program} work {path} --shard \"$SLURM_ARRAY_TASK_ID/{shards}\" \\\n    \
                 --attempt \"${{SLURM_RESTART_COUNT:-0}}\" -j \"${{SLURM_CPUS_PER_TASK:-1}}\" &\n\
                 worker=$!\n\
                 # A minute before the limit: the games in play end, and what was played is kept.\n\
                 trap 'kill -TERM \"$worker\"' TERM\n\
                 wait \"$worker\"; code=$?\n\
                 # The signal ends the first wait.\n\
                 if kill -0 \"$worker\" 2>/dev/null; then wait \"$worker\"; code=$?; fi\n\
                 # 9 asks for another attempt, and any other failure would only fail again.\n\
                 if [ \"$code\" = 9 ]; then scontrol requeue \"$SLURM_JOB_ID\"; fi\n\
                 exit \"$code\"\n"
            )
        }
        Engine::Parallel => format!(
            "#!/bin/sh\n\
             # Plays the {shards} shards of {name}: sh {path}/parallel.sh\n\
             # Again after an interruption, the same command: what is done is not played again.\n\
             # On several machines that share this folder: sh {path}/parallel.sh --sshlogin a,b,c,d\n\
             exec parallel --joblog {path}/parallel.log --resume-failed --retries 5 \"$@\" \\\n    \
             {program} work {path} --shard '{{}}/{shards}' --quiet ::: $(seq 0 {last})\n"
        ),
    }
}

/// The script that writes the next wave and submits its shards, and then itself once more. `program` is this
/// program.
pub fn lead_script(folder: &PlanFolder, program: &Path) -> String {
    let name = &folder.plan.name;
    let (path, program) = (word(folder.path()), word(program));
    format!(
        "#!/bin/sh\n\
         # Leads {name}: sbatch {path}/{LEAD}\n\
         #SBATCH --job-name={name}-lead\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --time=15\n\
         #SBATCH --open-mode=append\n\
         #SBATCH --output={path}/logs/lead.log\n\
         said=$({program} lead {path} --once); code=$?\n\
         echo \"$said\"\n\
         if [ \"$code\" != 9 ]; then exit \"$code\"; fi\n\
         # A wave whose shards fail again and again would be submitted for ever.\n\
         case $said in *missing*) tries=$((${{1:-0}} + 1)) ;; *) tries=0 ;; esac\n\
         if [ \"$tries\" -gt 3 ]; then echo \"shards are missing after three tries\"; exit 9; fi\n\
         wave=$(sbatch --parsable {path}/{}) || exit\n\
         sbatch --dependency=afterany:\"$wave\" {path}/{LEAD} \"$tries\"\n",
        Engine::Slurm.file()
    )
}

/// The file of that script in the plan's folder.
pub const LEAD: &str = "slurm-lead.sh";

/// A path as a word for a shell.
fn word(path: &Path) -> String {
    let text = path.display().to_string();
    // No path has a null byte: the system could not have handed it over.
    shlex::try_quote(&text).map_or_else(|_| text.clone(), |word| word.into_owned())
}

/// A limit for a job: three times what a shard takes, and ten minutes; without an estimate four hours.
fn limit_minutes(shard: Option<Duration>) -> u64 {
    shard.map_or(240, |shard| 10 + 3 * shard.as_secs().div_ceil(60))
}
