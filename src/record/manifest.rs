//! `manifest.toml`: the plan as it was understood, and on what it ran.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::Serialize;
use sha2::Sha256;

use super::digest::{digest_of_command, digest_of_openings, digest_of_sources};
use super::sources::Sources;
use crate::config::{Entry, Plan};
use crate::player::{Launch, Tier};

/// The keys of a game that are none of its options.
pub(super) const OPENINGS: &str = "openings";
pub(super) const OPENING_ORDER: &str = "opening-order";

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Manifest<'a> {
    referee: &'static str,
    protocol: u32,
    name: &'a str,
    seed: u64,
    created: String,
    jobs: usize,
    format: Format<'a>,
    clock: Clock,
    limits: Limits,
    record: Record,
    machine: Machine,
    game: Vec<BTreeMap<&'static str, String>>,
    player: Vec<Player<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Format<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    games_per_pairing: Option<u32>,
    opening_plies: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    challengers: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<u32>,
    #[serde(flatten)]
    test: Option<Test>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_games: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Test {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Clock {
    measure: &'static str,
    per_game: String,
    increment: String,
    per_move: String,
    margin: String,
    wall_cap: String,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Limits {
    handshake: String,
    start: String,
    quit: String,
    line: usize,
    turn: usize,
    log: usize,
    memory: String,
    processes: String,
    open_files: String,
    file_size: String,
    cpu: String,
    build_time: String,
    build_memory: String,
    build_log: usize,
    off_turn: &'static str,
    isolation: &'static str,
    scratch: String,
    supervised: bool,
}

#[derive(Serialize)]
struct Record {
    logs: &'static str,
}

#[derive(Serialize)]
struct Machine {
    os: &'static str,
    kernel: String,
    arch: &'static str,
    processor: String,
    cores: usize,
    pinned: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Player<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    house: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Vec<String>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    args: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    dir: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    env: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<Vec<String>>,
    fresh_process: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<&'a [String]>,
}

/// How a run is played on its machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// How many games are played at a time.
    pub jobs: usize,
    /// Whether the bots run below a supervisor.
    pub supervised: bool,
    /// Whether the bots of each game are pinned to logical processors.
    pub pinned: bool,
    /// The tier of isolation that holds for bots.
    pub isolation: Tier,
}

/// What a manifest tells besides the plan.
#[derive(Debug)]
pub(super) struct Circumstances {
    /// How it is played on this machine.
    pub stamp: Stamp,
    /// When the run began.
    pub begun: SystemTime,
    /// What the bots are made from that are built, as far as that is known yet.
    pub sources: Sources,
}

impl Circumstances {
    /// Those of a run that begins now.
    pub fn new(stamp: Stamp) -> Self {
        Self {
            stamp,
            begun: SystemTime::now(),
            sources: Sources::default(),
        }
    }
}

/// The manifest of a run. A bot that is built has a digest once it is known what it is made from.
pub(super) fn render(plan: &Plan, circumstances: &Circumstances) -> Result<String, String> {
    let time = &plan.time;
    let confinement = &plan.limits.confinement;
    let stamp = &circumstances.stamp;
    let manifest = Manifest {
        referee: env!("CARGO_PKG_VERSION"),
        protocol: crate::protocol::VERSION,
        name: &plan.name,
        seed: plan.seed,
        created: humantime::format_rfc3339_seconds(circumstances.begun).to_string(),
        jobs: stamp.jobs,
        format: format(plan),
        clock: Clock {
            measure: time.measure.name(),
            per_game: limit(time.per_game),
            increment: words(time.increment),
            per_move: limit(time.per_move),
            margin: words(time.margin),
            wall_cap: words(time.wall_cap),
        },
        limits: Limits {
            handshake: words(plan.limits.handshake),
            start: words(plan.limits.start),
            quit: words(plan.limits.quit),
            line: plan.limits.output.line,
            turn: plan.limits.output.turn,
            log: plan.limits.output.log,
            memory: or_none(confinement.memory, "B"),
            processes: or_none(confinement.processes, ""),
            open_files: or_none(confinement.open_files, ""),
            file_size: or_none(confinement.file_size, "B"),
            cpu: or_none(confinement.cpu_seconds, "s"),
            build_time: words(plan.limits.build.time),
            build_memory: or_none(plan.limits.build.confinement.memory, "B"),
            build_log: plan.limits.build.log,
            off_turn: confinement.off_turn.name(),
            isolation: stamp.isolation.name(),
            scratch: format!("{}B", confinement.scratch),
            supervised: stamp.supervised,
        },
        record: Record {
            logs: plan.keep_logs.name(),
        },
        machine: machine(stamp.pinned),
        game: plan
            .games
            .iter()
            .zip(&plan.openings)
            .map(|(setup, openings)| {
                let mut table = BTreeMap::from([("name", setup.game().name().to_owned())]);
                if let Some(openings) = openings {
                    table.insert(OPENINGS, digest_of_openings(openings));
                    table.insert(OPENING_ORDER, openings.order().name().to_owned());
                }
                for doc in setup.game().options() {
                    table.extend(setup.get(doc.key).map(|value| (doc.key, value)));
                }
                table
            })
            .collect(),
        player: players(&plan.players, &circumstances.sources)?,
    };
    toml::to_string(&manifest).map_err(|error| error.to_string())
}

fn format(plan: &Plan) -> Format<'_> {
    use crate::schedule::Format as Form;
    let name = |player: &usize| plan.players[*player].name.as_str();
    let mut format = Format {
        kind: plan.format.name(),
        games_per_pairing: None,
        opening_plies: plan.opening_plies,
        challengers: None,
        rounds: None,
        test: None,
        confidence: None,
        max_games: None,
    };
    match &plan.format {
        Form::RoundRobin(games) => format.games_per_pairing = Some(games.get()),
        Form::Gauntlet { challengers, games } => {
            format.games_per_pairing = Some(games.get());
            format.challengers = Some(challengers.iter().map(name).collect());
        }
        Form::Swiss { rounds, pairs } | Form::Ladder { rounds, pairs } => {
            format.games_per_pairing = Some(pairs.get() * 2);
            format.rounds = Some(*rounds);
        }
        Form::Knockout { pairs } => format.games_per_pairing = Some(pairs.get() * 2),
        Form::Sprt {
            challenger,
            test,
            most_pairs,
        } => {
            format.challengers = Some(vec![name(challenger)]);
            format.test = Some(Test {
                elo0: test.elo0,
                elo1: test.elo1,
                alpha: test.alpha,
                beta: test.beta,
            });
            format.max_games = most_pairs.map(|pairs| pairs * 2);
        }
        Form::Adaptive {
            confidence,
            most_pairs,
        } => {
            format.confidence = Some(*confidence);
            format.max_games = Some(most_pairs * 2);
        }
    }
    format
}

fn players<'a>(entries: &'a [Entry], sources: &'a Sources) -> Result<Vec<Player<'a>>, String> {
    // Hundreds of players may have the same program, such as an interpreter.
    let mut programs = HashMap::new();
    let players = entries
        .iter()
        .map(|entry| player(entry, sources, &mut programs));
    players.collect()
}

fn player<'a>(
    entry: &'a Entry,
    sources: &'a Sources,
    programs: &mut HashMap<PathBuf, Sha256>,
) -> Result<Player<'a>, String> {
    let launch = &entry.launch;
    let files = sources.of(&entry.name);
    let digest = match (&entry.build, files) {
        (None, _) => Some(digest_of_command(launch, programs)),
        (Some(_), None) => None,
        (Some(_), Some(files)) => Some(digest_of_sources(launch, files)),
    };
    Ok(Player {
        name: &entry.name,
        house: entry.house.as_deref(),
        command: entry.house.is_none().then(|| words_of(launch)),
        // The first two arguments of a house bot are `bot` and its name.
        args: match entry.house {
            Some(_) => &launch.args[2..],
            None => &[],
        },
        dir: launch.dir.as_ref().map(|dir| dir.display().to_string()),
        env: launch
            .env
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect(),
        build: entry.build.as_ref().map(words_of),
        fresh_process: entry.fresh_process,
        files,
        digest: digest
            .transpose()
            .map_err(|error| format!("the bot of `{}` cannot be read: {error}", entry.name))?,
    })
}

/// A program and its arguments.
pub(super) fn words_of(launch: &Launch) -> Vec<String> {
    let program = launch.program.display().to_string();
    std::iter::once(program)
        .chain(launch.args.iter().cloned())
        .collect()
}

fn machine(pinned: bool) -> Machine {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let processor = read("/proc/cpuinfo")
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or_else(String::new, |(_, model)| model.to_owned());
    Machine {
        os: std::env::consts::OS,
        kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
        arch: std::env::consts::ARCH,
        processor,
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        pinned,
    }
}

fn words(duration: Duration) -> String {
    humantime::format_duration(duration).to_string()
}

fn limit(limit: Option<Duration>) -> String {
    limit.map_or_else(|| "none".to_owned(), words)
}

/// An amount with its unit.
fn or_none(amount: Option<impl std::fmt::Display>, unit: &str) -> String {
    amount.map_or_else(|| "none".to_owned(), |amount| format!("{amount}{unit}"))
}
