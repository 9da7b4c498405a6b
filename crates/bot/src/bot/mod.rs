//! One bot as the referee sees it: lines, deadlines and limits. This module knows no rules and no opponent.
//!
//! [`Process`] is a bot in a process of its own. [`Double`] answers from inside this process: for tests that are not
//! about processes, and for a bot that cannot be started.
//!
//! A `Process` is made of `pipes`, which are waited for, of `machine`, which measures, of `supervise`, which keeps a bot
//! within its limits, and of a `launch`. Each knows only the parts before it. It may speak the language of an `engine`; the
//! referee does not know that.

mod at_once;
mod fault;
mod values;
mod player;
mod engine;
mod process;
mod double;
mod launch;
pub mod supervise;
mod machine;
mod pipes;
mod environment;
mod untrusted_folder;

pub use at_once::{Asked, Unanswered, answer_of, answers_at_once};
pub use double::{Double, Reply, unstarted};
pub use engine::{EngineTerms, Language, Options, SearchLimits, variant};
pub use environment::is_of_the_harness;
pub use fault::{Fault, mebibytes, millis, seconds, words_of_machine};
pub use launch::{Launch, LaunchError, command_of, dangling, withheld_variables, without_detours};
pub use machine::{Contention, CpuSource, Lane, Lanes, Patience, Probe, probe};
pub use pipes::{CancelPipe, Log, OutputLimits};
pub use pipes::{ReadyStreams, Streams};
pub use player::AnswerWait;
pub use player::{LateAnswer, LateCause, Piped, Player};
pub use process::{
    AtWork, BuildError, BuildLimits, BuildOutput, Process, Service, Workplace, build,
};
pub use supervise::{
    Cleanup, Confinement, IsolationError, OffTurn, SCRATCH_PREFIX, Supervisor, Tier,
};
pub use untrusted_folder::{TreeBounds, TreeProblem, open_to_owner, remove_tree};
pub use values::Values;
