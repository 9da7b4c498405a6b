//! The misbehaving bots: what each does, and how its games must end, which is declared in `catalogue.toml`.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::Duration;

use referee::bot::{Confinement, Tier};
use referee::referee::Termination;
use rustix::process::{Signal, getpid, kill_process};
use serde::Deserialize;

use crate::helpers::{busy_for, cheat_if};
use crate::honest::Deed::{self, Besides, Cheats, Instead};
use crate::honest::Moment::{self, Act, Hello, Quit, Start};
use crate::honest::{honestly, say, write};
use crate::{attacks, hostile, reach};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct MisbehavingBot {
    #[serde(skip)]
    pub name: String,
    #[serde(skip)]
    pub kind: Kind,
    pub limits: Limits,
    /// The name of the termination by which it forfeits. Without it games are played to their end.
    fault: Option<String>,
    /// The words for its author then.
    words: String,
    /// The tiers of isolation in which its games end like that.
    pub tiers: Vec<Tier>,
    confinement: Confined,
    needs: Vec<Need>,
    /// It takes so much of the machine that no other bot is played meanwhile.
    pub loud: bool,
}

/// The lists of the catalogue.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    #[default]
    Plain,
    Hostile,
    Attacks,
    /// The Python programs that try what is forbidden in the tiers `landlock` and `strict`.
    Forbidden,
    Reaching,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limits {
    /// Enough of everything.
    #[default]
    Ample,
    /// Little time for the handshake and for getting ready.
    ShortHandshake,
    /// Little wall time for each action.
    ShortMoves,
    /// Little processor time, and ample wall time.
    LittleCpu,
    /// Processor time counts, but the wall time of each action is limited.
    WallCap,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Confined {
    #[default]
    AsUsual,
    Small,
    /// Enough memory for the last words of a program that got none.
    Much,
    Few,
    /// Small files, and few of them open at a time.
    Sparse,
    /// A scratch folder of one MiB, where it can be bounded.
    Cramped,
    /// As on a kernel that cannot limit where a bot may send signals.
    Exposed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// Python, installed for the system.
    Python,
    /// It sends signals to other processes, so it runs in a PID namespace or not at all.
    Namespace,
    /// In the tier `containment` only Landlock stops it, which needs Linux 6.12.
    SignalScope,
    /// Only a counter of the kernel sees what it does.
    Counter,
    /// Only a control group counts what it does.
    ControlGroup,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Plays,
    /// The bot forfeits in this way, and its author is told these words.
    Forfeits(Termination, &'static str),
}

impl Default for MisbehavingBot {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: Kind::Plain,
            limits: Limits::Ample,
            fault: None,
            words: String::new(),
            tiers: Tier::ALL.to_vec(),
            confinement: Confined::AsUsual,
            needs: Vec::new(),
            loud: false,
        }
    }
}

impl MisbehavingBot {
    pub fn needs(&self, need: Need) -> bool {
        self.needs.contains(&need)
    }

    pub fn expected(&'static self) -> Expected {
        let Some(fault) = &self.fault else {
            return Expected::Plays;
        };
        let known = Termination::from_name(fault);
        Expected::Forfeits(known.expect("a termination"), &self.words)
    }

    /// The resources that it may use.
    pub fn confinement(&self) -> Confinement {
        let mut own = Confinement::default();
        match self.confinement {
            Confined::AsUsual => {}
            Confined::Small => own.memory = Some(64 << 20),
            Confined::Much => own.memory = Some(512 << 20),
            Confined::Few => own.processes = Some(40),
            Confined::Sparse => (own.file_size, own.open_files) = (Some(1 << 20), Some(32)),
            Confined::Cramped => own.scratch = 1 << 20,
            Confined::Exposed => own.signal_scope = false,
        }
        own
    }
}

pub static BOTS: LazyLock<Vec<MisbehavingBot>> = LazyLock::new(|| {
    let mut lists: BTreeMap<Kind, BTreeMap<String, MisbehavingBot>> =
        toml::from_str(include_str!("catalogue.toml")).expect("a catalogue");
    let forbidden = attacks::forbidden().map(|name| {
        let bot = MisbehavingBot {
            tiers: vec![Tier::Landlock, Tier::Strict],
            needs: vec![Need::Python],
            ..MisbehavingBot::default()
        };
        (name.to_owned(), bot)
    });
    lists.insert(Kind::Forbidden, forbidden.collect());
    let all = lists.into_iter().flat_map(|(kind, bots)| {
        bots.into_iter()
            .map(move |(name, bot)| MisbehavingBot { name, kind, ..bot })
    });
    all.collect()
});

pub fn of_kind(kind: Kind) -> impl Iterator<Item = &'static MisbehavingBot> {
    BOTS.iter().filter(move |bot| bot.kind == kind)
}

pub fn find(name: &str) -> &'static MisbehavingBot {
    let mut bots = BOTS.iter();
    bots.find(|bot| bot.name == name)
        .expect("a bot of that name")
}

/// Does what a bot of that name does at a moment, given the answer of an honest bot.
pub fn behave(bot: &str, at: Moment, honest: &str) {
    let own = deed(bot, at)
        .or_else(|| hostile::deed(bot, at))
        .or_else(|| attacks::deed(bot, at));
    match own {
        Some(Instead(deed)) => deed(honest),
        Some(Besides(deed)) => {
            deed();
            honestly(honest);
        }
        Some(Cheats(succeeds)) => cheat_if(succeeds(), honest),
        None if at != Act(1) => honestly(honest),
        None => match attacks::succeeds(bot) {
            Some(succeeded) => cheat_if(succeeded, honest),
            None => reach::reach_as(bot, honest),
        },
    }
}

/// Each bot but the honest ones does something, so that it means something if its games are played to their end.
pub fn each_bot_misbehaves() {
    let moments = [Hello, Start, Act(1), Act(2), Quit];
    for bot in BOTS.iter() {
        let name = bot.name.as_str();
        let deeds = [deed, hostile::deed, attacks::deed];
        let does = moments
            .iter()
            .any(|at| deeds.iter().any(|deed| deed(name, *at).is_some()));
        let in_python = attacks::forbidden()
            .chain(reach::reaching())
            .any(|known| known == name);
        let is_honest = matches!(name, "honest" | "never_reads");
        assert_ne!(does || in_python, is_honest, "{name}");
    }
}

/// Deeds of a bot that harm only itself.
pub fn deed(bot: &str, at: Moment) -> Option<Deed> {
    Some(match (bot, at) {
        // The handshake.
        ("never_answers_the_handshake", Hello) => Instead(|_| idle()),
        ("answers_the_handshake_wrong", Hello) => Instead(|_| say("Hi, I am Bob")),
        ("speaks_another_version", Hello) => Instead(|_| say("bot 2 test")),
        ("exits_at_the_handshake", Hello) => Instead(|_| std::process::exit(3)),
        ("is_never_ready", Start) => Instead(|_| idle()),
        ("answers_the_start_wrong", Start) => Instead(|_| say("go!")),
        ("is_ready_before_it_is_asked", Hello) => {
            Instead(|honest| write(format!("{honest}\nready\n").as_bytes()))
        }
        // Time.
        ("falls_silent", Act(2)) => Instead(|_| idle()),
        ("thinks_past_its_processor_time", Act(2)) => Instead(|_| think()),
        ("sleeps_past_the_wall_cap", Act(2)) => Instead(|_| idle()),
        ("closes_its_stdin", Act(1)) => Instead(|honest| {
            say(honest);
            go_on_without(Stream::Stdin)
        }),
        // Its words.
        ("answers_garbage", Act(2)) => Instead(|_| say("I think d4 is best")),
        ("answers_an_empty_line", Act(2)) => Instead(|_| say("")),
        ("answers_with_terminal_codes", Act(2)) => Instead(|_| say("\u{1b}[31md2")),
        ("plays_an_illegal_action", Act(2)) => Instead(|_| say("steal")),
        ("answers_twice", Act(2)) => {
            Instead(|honest| write(format!("{honest}\n{honest}\n").as_bytes()))
        }
        ("writes_a_line_too_long", Act(2)) => Instead(|_| say(&"d".repeat(5000))),
        ("writes_a_debug_line_too_long", Act(2)) => Besides(|| say(&"#".repeat(5000))),
        ("writes_what_is_no_text", Act(2)) => Instead(|_| write(b"\xff\xfe\n")),
        ("floods_its_stdout", Act(2)) => Instead(|_| flood(b"xxxxxxxxxxxxxxxx")),
        ("floods_with_lines", Act(2)) => Instead(|_| flood(b"what\n")),
        ("floods_with_debug_lines", Act(2)) => Instead(|_| flood(b"# still thinking\n")),
        // Its process.
        ("exits_in_mid_game", Act(2)) => Instead(|_| std::process::exit(0)),
        ("panics", Act(2)) => Instead(|_| panic_without_an_action()),
        ("aborts", Act(2)) => Instead(|_| std::process::abort()),
        ("kills_itself", Act(2)) => Instead(|_| kill_itself(Signal::KILL)),
        ("gets_a_signal_without_a_name_here", Act(2)) => Instead(|_| kill_itself(Signal::USR1)),
        ("closes_its_stdout", Act(2)) => Instead(|_| go_on_without(Stream::Stdout)),
        // Unusual, but allowed.
        ("ends_its_lines_like_windows", Hello | Start | Act(_)) => {
            Instead(|honest| say(&format!("{honest}\r")))
        }
        ("writes_debug_lines", _) => Besides(|| say("# a thought")),
        ("floods_its_stderr", _) => Besides(|| eprint!("{}", "a complaint\n".repeat(10_000))),
        ("computes_before_each_answer", Act(_)) => Besides(|| busy_for(Duration::from_millis(60))),
        ("leaves_a_child", Hello) => Besides(start_a_child),
        ("ignores_quit", Hello) => Besides(|| say(&format!("# pid {}", std::process::id()))),
        ("ignores_quit", Quit) => Instead(|_| idle()),
        ("takes_its_time_to_quit", Quit) => Instead(|_| leave_a_note()),
        _ => return None,
    })
}

/// Does nothing for longer than any game waits; `run_bot` ends it.
pub fn idle() {
    sleep(Duration::from_secs(600));
}

fn panic_without_an_action() {
    let idea: Result<u8, _> = "".parse();
    idea.expect("no idea what to play");
}

fn think() {
    loop {
        std::hint::spin_loop();
    }
}

fn flood(bytes: &[u8]) {
    let chunk = bytes.repeat(1000);
    loop {
        write(&chunk);
    }
}

fn kill_itself(signal: Signal) {
    kill_process(getpid(), signal).expect("sent");
    idle();
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    Stdin,
    Stdout,
}

fn idler() -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command.args(["bot", "idle"]);
    command
}

/// Goes on as a process of which one stream is closed.
fn go_on_without(stream: Stream) {
    let mut command = idler();
    match stream {
        Stream::Stdin => command.stdin(Stdio::null()),
        Stream::Stdout => command.stdout(Stdio::null()),
    };
    eprintln!("it cannot go on as another program: {}", command.exec());
}

fn start_a_child() {
    // On purpose nobody waits for it.
    let pid = idler()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(|child| child.id())
        .expect("a child");
    say(&format!("# pid {pid}"));
}

/// The variable that names the file of [`leave_a_note`].
pub const NOTE: &str = "TEST_BOT_NOTE";

fn leave_a_note() {
    sleep(Duration::from_millis(50));
    if let Some(path) = std::env::var_os(NOTE) {
        std::fs::write(path, "goodbye").expect("written");
    }
}
