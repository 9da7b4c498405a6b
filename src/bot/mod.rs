//! One bot as the referee sees it: lines, deadlines and limits. This module knows no rules and no opponent.
//!
//! [`Process`] is a bot in a process of its own. [`Double`] answers from inside this process: for tests that are not
//! about processes, and for a bot that cannot be started.
//!
//! A `Process` is made of `pipes` that are waited for, of `machine`, which measures, of `supervise`, which
//! keeps a bot within its limits, and of a `launch`. Each knows only those before it.

mod amounts;
mod answer_wait;
mod at_once;
mod fault;
mod late_answer;
mod output_limits;
mod player;

mod process;
mod double;

mod launch;
pub mod supervise;
mod machine;
mod pipes;

mod environment;
mod untrusted_folder;

pub(crate) use amounts::{mebibytes, millis, seconds};
pub(crate) use answer_wait::AnswerWait;
pub use at_once::{Unanswered, answer_of, answers_at_once};
pub use double::{Double, Reply, unstarted};
pub use environment::is_of_the_harness;
pub use fault::Fault;
pub use late_answer::{LateAnswer, LateCause};
pub(crate) use launch::without_detours;
pub use launch::{Launch, LaunchError, Peculiarities, package_places};
pub use machine::{Contention, CpuSource, Lane, Lanes, Patience, Probe, probe};
pub use output_limits::OutputLimits;
pub use pipes::{CancelPipe, Log};
pub(crate) use pipes::{ReadyStreams, Streams};
pub use player::{Piped, Player};
pub use process::{BuildError, BuildLimits, BuildOutput, Process, Service, build};
pub use supervise::{
    Cleanup, Confinement, IsolationError, OffTurn, SCRATCH_PREFIX, Supervisor, Tier,
};
pub use untrusted_folder::{TreeBounds, TreeProblem, open_to_owner, remove_tree};
