//! Supervision: a bot runs below a small process of its own, the *shim*, which is this program run
//! again as `referee __supervise …`.
//!
//! ```text
//! harness ── lifeline (a socket) ── shim ── bot ── whatever the bot starts
//!    └──────── stdin, stdout, stderr ────────┘
//! ```
//!
//! The bot's three pipes run straight to the harness, so a ply costs what it costs without a shim.
//! The shim adopts every orphan below it (child sub-reaper), so no descendant can leave its tree by
//! forking twice or by a session of its own. When the bot ends, or the lifeline does, because the
//! harness let go of it or died, the shim kills until it has no child left, reports, and exits.
//!
//! In the tier `strict` the bot lives in a room, and two more processes stand between it and the
//! shim: see `strict.rs`.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

mod bubblewrap;
mod restrictions;
mod cgroup;
mod shim_handle;
mod shim_command;
mod sandbox_init;
mod shim;
mod sandbox;
mod sys;
pub(super) mod tree;
mod landlock_rules;

pub use restrictions::signals_can_be_kept;
pub use shim_handle::adopt_orphans;
pub(super) use shim_handle::{ShimHandle, forget, spawn};

/// The first argument by which the program knows that it is to be a shim.
pub const SUBCOMMAND: &str = "__supervise";

/// Is a shim, or the first process of a bot's room. The harness and a shim call this, nobody else.
pub fn main(args: impl Iterator<Item = OsString>) -> io::Result<()> {
    let mut args = args.peekable();
    match args.next_if(|word| word == sandbox_init::SUBCOMMAND) {
        Some(_) => sandbox_init::main(args),
        None => shim::main(args),
    }
}

/// The program that can be a shim: `referee` itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supervisor {
    /// Its file.
    pub program: PathBuf,
}

impl Supervisor {
    /// The program that runs now. Right in `referee` alone: a test or a program that uses the
    /// library is no shim.
    pub fn this_program() -> io::Result<Self> {
        Ok(Self {
            program: std::env::current_exe()?,
        })
    }
}

/// What a supervised bot may use, over and above which it forfeits or is refused by the system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Memory of the bot with all its descendants, in bytes.
    pub memory: Option<u64>,
    /// Processes at one time, its own included.
    pub processes: Option<u32>,
    /// Open files of each process.
    pub open_files: Option<u64>,
    /// The size of each file it writes, in bytes.
    pub file_size: Option<u64>,
    /// Processor time of each process in its whole life, in seconds: a backstop behind the clock.
    pub cpu_seconds: Option<u64>,
    /// Whether the kernel is asked to keep its signals among its own descendants, where it can.
    pub signal_scope: bool,
    /// What becomes of a bot that computes while it is not asked.
    pub off_turn: OffTurn,
    /// How far it is kept from the rest of the machine.
    pub isolation: Tier,
    /// The size of the folder it may write to, in bytes, in the tier that can bound one.
    pub scratch: u64,
    /// The logical processors that it may run on; all that the harness may, if there are none.
    pub cpus: Vec<u32>,
    /// Whether it may write to its own folder and run what it wrote, in every tier: a build must.
    pub writes_own_folder: bool,
}

impl Confinement {
    /// Whether all of it holds on this machine for bots that need `paths`: their folders and
    /// programs. The error is why not, and what would help.
    pub fn probe(&self, paths: &[PathBuf]) -> Result<(), String> {
        match self.isolation {
            Tier::Containment => Ok(()),
            Tier::Landlock => landlock_rules::probe(),
            Tier::Strict => bubblewrap::probe(self.scratch, paths),
        }
    }
}

/// How far a bot is kept from the rest of the machine. `docs/isolation.md` says what each promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// It cannot outlive its game or exhaust the machine.
    Containment,
    /// Besides, it sees its own folder and the system alone, writes to a scratch folder alone, and
    /// has no network.
    Landlock,
    /// Besides, nothing else is there for it: it has users, processes, files and a network of its
    /// own, and its scratch folder is bounded.
    Strict,
}

impl Tier {
    /// All of them, each with more than the one before.
    pub const ALL: [Tier; 3] = [Tier::Containment, Tier::Landlock, Tier::Strict];

    /// The name in configurations and records.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Containment => "containment",
            Tier::Landlock => "landlock",
            Tier::Strict => "strict",
        }
    }
}

/// What becomes of a bot that computes while its opponent is to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OffTurn {
    /// It may; how much it computes is logged.
    Log,
    /// It is stopped after each answer and goes on with the next request.
    Stop,
    /// It forfeits, beyond an allowance for tidying up.
    Forbid,
}

impl OffTurn {
    /// The name in configurations and records.
    pub fn name(self) -> &'static str {
        match self {
            OffTurn::Log => "log",
            OffTurn::Stop => "stop",
            OffTurn::Forbid => "forbid",
        }
    }
}

impl Default for Confinement {
    fn default() -> Self {
        Self {
            memory: None,
            processes: Some(256),
            open_files: Some(1024),
            file_size: Some(1 << 30),
            cpu_seconds: None,
            signal_scope: true,
            off_turn: OffTurn::Log,
            isolation: Tier::Containment,
            scratch: 64 << 20,
            cpus: Vec::new(),
            writes_own_folder: false,
        }
    }
}

/// How a bot's own process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProcessEnd {
    /// With an exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// Killed, since its tree held more memory than it may.
    Memory {
        /// What it held, in bytes.
        held: u64,
        /// What it may hold.
        limit: u64,
    },
    /// Killed, since its tree had more processes than it may.
    Processes {
        /// How many there were.
        count: u32,
        /// How many there may be.
        limit: u32,
    },
    /// The shim was ended by somebody; what the bot did is not known.
    Unsupervised,
}

/// What a bot's tree has used so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ResourceUsage {
    /// The most memory that was seen since this was last asked for, in KiB.
    pub peak_kib: u64,
    /// The most processes that were seen at one time.
    pub processes: u32,
}

/// How a supervised bot's tree was cleared away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cleanup {
    /// Descendants that outlived the bot's own process and were killed.
    pub killed: u32,
    /// Processes that would not die in time.
    pub survivors: u32,
    /// Processor time of the whole tree, in microseconds; in [`Tier::Strict`] with that of making the
    /// bot's room.
    pub cpu_us: u64,
}

/// What a shim says to the harness, and the first process of a room to its shim: a line of JSON each.
#[derive(Debug, Serialize, Deserialize)]
enum ShimMessage {
    /// The bot runs. It and all that it starts is below the process `above`, and nothing else is. The
    /// file tells what processor time its control group has used, if it has one.
    Started {
        pid: i32,
        tree_root: i32,
        time: Option<PathBuf>,
    },
    /// The bot could not be started.
    Failed { errno: Option<i32>, why: String },
    /// The bot's own process has ended.
    Ended(ProcessEnd),
    /// The bot has descendants, or had. Said once.
    HasDescendants,
    /// The answer to [`ASK`].
    Usage(ResourceUsage),
    /// Nothing is left; the shim exits.
    Done(Cleanup),
}

/// The byte by which the harness asks a shim for [`ShimMessage::Usage`].
const ASK: u8 = b'u';

/// The argument by which a shim knows that its working directory is the bot's own folder.
const HAS_FOLDER: &str = "own-folder";
