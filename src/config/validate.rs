//! From what was typed to what it means.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use toml::Spanned;

use super::file::{self, Amount, File};
use super::{Entry, Flaw, Limits, Plan, format};
use crate::clock::{Measure, TimeControl};
use crate::game::{Game, OptionError, Setup};
use crate::opponents;
use crate::player::{Confinement, Launch, LaunchError, OffTurn, OutputLimits, Tier};

/// The greatest number of plies of a random opening.
const LONGEST_OPENING: u32 = 100;

/// What the journal calls both players of a game; see [`crate::record::GameRow::forfeited_by`].
const BOTH: &str = "both";

/// The cap on the wall for one action, where the configuration names none.
const DEFAULT_WALL_CAP: Duration = Duration::from_secs(600);

pub(super) fn validate(file: File) -> Result<Plan, Flaw> {
    let name = match &file.name {
        Some(name) => file_name(name)?,
        None => "tournament".to_owned(),
    };
    let opening_plies = match &file.format.get_ref().opening_plies {
        Some(plies) if *plies.get_ref() > LONGEST_OPENING => {
            return Err(Flaw::at(
                plies.span().start,
                format!("`opening-plies` is too large: expected at most {LONGEST_OPENING}"),
            ));
        }
        Some(plies) => *plies.get_ref(),
        None => 0,
    };
    let players = players(&file)?;
    Ok(Plan {
        name,
        seed: file.seed.map_or_else(random_seed, Ok)?,
        seed_was_drawn: file.seed.is_none(),
        games: games(&file.game)?,
        format: format::format(&file.format, &players)?,
        opening_plies,
        time: time_control(&file.clock)?,
        limits: limits(&file.limits)?,
        players,
        supervisor: None,
    })
}

/// A seed that nobody can guess.
fn random_seed() -> Result<u64, Flaw> {
    let mut bytes = [0; 8];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()).map_err(
        |error| Flaw {
            at: None,
            problem: format!("no seed could be drawn: {error}; set `seed` to a number"),
        },
    )?;
    // TOML has no number beyond 63 bits, and the manifest must hold the seed.
    Ok(u64::from_le_bytes(bytes) >> 1)
}

/// A name that can be the name of a folder as it is.
fn file_name(name: &Spanned<String>) -> Result<String, Flaw> {
    let text = name.get_ref();
    let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    if text.is_empty() || text.len() > 100 || text.starts_with('.') || !text.chars().all(good) {
        return Err(Flaw::at(
            name.span().start,
            format!(
                "`{text}` cannot be a name: expected at most 100 letters, digits, `-`, `_`, `+` and `.`, \
                 not beginning with `.`"
            ),
        ));
    }
    Ok(text.clone())
}

fn games(tables: &Spanned<file::OneOrMany>) -> Result<Vec<Setup>, Flaw> {
    let mut games: Vec<Setup> = Vec::new();
    for table in &tables.get_ref().0 {
        let setup = game(table, tables.span().start)?;
        if games.iter().any(|other| other.game() == setup.game()) {
            return Err(Flaw::at(
                tables.span().start,
                format!(
                    "`{}` is there twice: expected each game once; run variants of one game as \
                     tournaments of their own",
                    setup.game().name()
                ),
            ));
        }
        games.push(setup);
    }
    if games.is_empty() {
        return Err(Flaw::at(tables.span().start, "expected at least one game"));
    }
    Ok(games)
}

fn game(table: &file::GameTable, at: usize) -> Result<Setup, Flaw> {
    let names = Game::ALL.map(Game::name).join(", ");
    let (_, name) = table
        .iter()
        .find(|(key, _)| key.get_ref() == "name")
        .ok_or_else(|| Flaw::at(at, format!("a game has no `name`: expected one of {names}")))?;
    let game = name
        .get_ref()
        .as_str()
        .and_then(Game::from_name)
        .ok_or_else(|| {
            Flaw::at(
                name.span().start,
                format!("unknown game {}: expected one of {names}", name.get_ref()),
            )
        })?;
    let mut setup = Setup::new(game);
    for (key, value) in table.iter().filter(|(key, _)| key.get_ref() != "name") {
        let text = match value.get_ref() {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Boolean(true) => "yes".to_owned(),
            toml::Value::Boolean(false) => "no".to_owned(),
            other => other.to_string(),
        };
        setup
            .set(key.get_ref(), &text)
            .map_err(|error| match error {
                OptionError::Unknown { ref known } => Flaw::at(
                    key.span().start,
                    format!(
                        "unknown key `{}`, expected `name` or an option of {}: `{}`",
                        key.get_ref(),
                        game.name(),
                        known.join("`, `")
                    ),
                ),
                OptionError::Value { .. } => Flaw::at(
                    value.span().start,
                    format!("`{}` cannot be `{text}`: {error}", key.get_ref()),
                ),
            })?;
    }
    Ok(setup)
}

fn duration(key: &str, value: &Spanned<Amount>) -> Result<Duration, Flaw> {
    humantime::parse_duration(&value.get_ref().0)
        .ok()
        .filter(|duration| *duration <= Duration::from_secs(30 * 24 * 3600))
        .ok_or_else(|| {
            Flaw::at(
                value.span().start,
                format!(
                    "`{key}` cannot be `{}`: expected a time of at most 30 days with its unit, \
                     such as \"500ms\", \"10s\" or \"2m\"",
                    value.get_ref().0
                ),
            )
        })
}

fn duration_or(
    key: &str,
    value: Option<&Spanned<Amount>>,
    default: Duration,
) -> Result<Duration, Flaw> {
    value.map_or(Ok(default), |value| duration(key, value))
}

/// A time, or `none` for no limit.
fn limit(key: &str, value: Option<&Spanned<Amount>>) -> Result<Option<Duration>, Flaw> {
    match value {
        None => Ok(None),
        Some(value) if value.get_ref().0 == "none" => Ok(None),
        Some(value) => match duration(key, value)? {
            Duration::ZERO => Err(Flaw::at(
                value.span().start,
                format!("`{key}` is zero: expected some time, or \"none\" for no limit"),
            )),
            time => Ok(Some(time)),
        },
    }
}

fn time_control(clock: &file::Clock) -> Result<TimeControl, Flaw> {
    let wall_cap = match &clock.wall_cap {
        Some(value) => limit("wall-cap", Some(value))?.ok_or_else(|| {
            Flaw::at(
                value.span().start,
                "`wall-cap` cannot be \"none\": expected a time; without one a bot that hangs \
                 would stop the run",
            )
        })?,
        None => DEFAULT_WALL_CAP,
    };
    Ok(TimeControl {
        measure: match clock.measure {
            Some(file::Measure::Cpu) => Measure::Cpu,
            Some(file::Measure::Wall) | None => Measure::Wall,
        },
        per_game: limit("per-game", clock.per_game.as_ref())?,
        increment: duration_or("increment", clock.increment.as_ref(), Duration::ZERO)?,
        per_move: limit("per-move", clock.per_move.as_ref())?,
        margin: duration_or("margin", clock.margin.as_ref(), Duration::ZERO)?,
        wall_cap,
    })
}

fn limits(limits: &file::Limits) -> Result<Limits, Flaw> {
    let seconds = Duration::from_secs;
    let output = OutputLimits::default();
    Ok(Limits {
        handshake: duration_or("handshake", limits.handshake.as_ref(), seconds(10))?,
        start: duration_or("start", limits.start.as_ref(), seconds(10))?,
        quit: duration_or("quit", limits.quit.as_ref(), seconds(1))?,
        output: OutputLimits {
            line: size("line", limits.line.as_ref(), output.line)?,
            turn: size("turn", limits.turn.as_ref(), output.turn)?,
            log: size("log", limits.log.as_ref(), output.log)?,
        },
        confinement: confinement(limits)?,
    })
}

fn confinement(limits: &file::Limits) -> Result<Confinement, Flaw> {
    let default = Confinement::default();
    let count = |key: &str, least: u32, value: Option<&Spanned<u32>>| match value {
        Some(value) if *value.get_ref() < least => Err(Flaw::at(
            value.span().start,
            format!("`{key}` is {}: expected at least {least}", value.get_ref()),
        )),
        value => Ok(value.map(|value| *value.get_ref())),
    };
    let cpu = match &limits.cpu {
        Some(value) => limit("cpu", Some(value))?,
        None => None,
    };
    Ok(Confinement {
        memory: limits
            .memory
            .as_ref()
            .map(|value| bytes("memory", value, (1 << 20)..=(1 << 40)))
            .transpose()?
            .map(|bytes| bytes as u64),
        processes: count("processes", 1, limits.processes.as_ref())?.or(default.processes),
        open_files: count("open-files", 16, limits.open_files.as_ref())?
            .map(u64::from)
            .or(default.open_files),
        file_size: limits
            .file_size
            .as_ref()
            .map(|value| bytes("file-size", value, 1..=(1 << 40)))
            .transpose()?
            .map(|bytes| bytes as u64)
            .or(default.file_size),
        // The system counts whole seconds.
        cpu_seconds: cpu.map(|time| time.as_secs() + u64::from(time.subsec_nanos() > 0)),
        off_turn: match limits.off_turn {
            None | Some(file::OffTurn::Log) => OffTurn::Log,
            Some(file::OffTurn::Stop) => OffTurn::Stop,
            Some(file::OffTurn::Forbid) => OffTurn::Forbid,
        },
        isolation: match limits.isolation {
            None | Some(file::Isolation::Containment) => Tier::Containment,
            Some(file::Isolation::Landlock) => Tier::Landlock,
        },
        ..default
    })
}

/// A size of at most 1 GiB.
fn size(key: &str, value: Option<&Spanned<Amount>>, default: usize) -> Result<usize, Flaw> {
    value.map_or(Ok(default), |value| bytes(key, value, 1..=1 << 30))
}

/// A size in bytes: a number with its unit.
fn bytes(key: &str, value: &Spanned<Amount>, range: RangeInclusive<usize>) -> Result<usize, Flaw> {
    const UNITS: [(&str, usize); 4] = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("B", 1),
    ];
    let parsed = UNITS.iter().find_map(|(unit, factor)| {
        let number = value.get_ref().0.strip_suffix(unit)?.trim_end();
        number.parse::<usize>().ok()?.checked_mul(*factor)
    });
    let expected = match (range.start() >> 20, range.end() >> 30) {
        (1.., most) => format!("from 1MiB to {most}GiB"),
        (0, most) => format!("up to {most}GiB"),
    };
    parsed.filter(|bytes| range.contains(bytes)).ok_or_else(|| {
        Flaw::at(
            value.span().start,
            format!(
                "`{key}` cannot be `{}`: expected a size {expected} with its unit, such as \"64KiB\"",
                value.get_ref().0
            ),
        )
    })
}

fn players(file: &File) -> Result<Vec<Entry>, Flaw> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut players = Vec::new();
    for player in &file.player {
        let at = player.span().start;
        let entry = entry(player, file.limits.isolation)?;
        if seen.insert(entry.name.clone(), at).is_some() {
            let place = player
                .get_ref()
                .name
                .as_ref()
                .map_or(at, |name| name.span().start);
            return Err(Flaw::at(
                place,
                format!(
                    "a second player is called `{}`: expected names that differ; set `name`",
                    entry.name
                ),
            ));
        }
        players.push(entry);
    }
    match players.len() {
        0 | 1 => Err(Flaw {
            at: file.player.first().map(|player| player.span().start),
            problem: format!(
                "the tournament has {}: expected at least two [[player]]",
                match players.len() {
                    0 => "no player",
                    _ => "one player",
                }
            ),
        }),
        _ => Ok(players),
    }
}

fn entry(
    spanned: &Spanned<file::Player>,
    isolation: Option<file::Isolation>,
) -> Result<Entry, Flaw> {
    let at = spanned.span().start;
    let player = spanned.get_ref();
    let dir = player.dir.as_ref().map(|dir| PathBuf::from(dir.get_ref()));
    let env = player
        .env
        .iter()
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let (program, mut args, default_name, place) =
        match (&player.command, &player.shell, &player.house) {
            (Some(command), None, None) => {
                let [program, args @ ..] = command.get_ref().as_slice() else {
                    return Err(Flaw::at(
                        command.span().start,
                        "`command` is empty: expected a program and its arguments, such as \
                     [\"python3\", \"bot.py\"]",
                    ));
                };
                (
                    PathBuf::from(program),
                    args.to_vec(),
                    None,
                    command.span().start,
                )
            }
            (None, Some(shell), None) => (
                PathBuf::from("sh"),
                vec!["-c".to_owned(), shell.get_ref().clone()],
                None,
                shell.span().start,
            ),
            (None, None, Some(house)) => {
                let name = house.get_ref();
                if !opponents::NAMES.contains(&name.as_str()) {
                    return Err(Flaw::at(
                        house.span().start,
                        format!(
                            "unknown house bot `{name}`: expected one of {}",
                            opponents::NAMES.join(", ")
                        ),
                    ));
                }
                let own = std::env::current_exe().map_err(|error| {
                    Flaw::at(
                        house.span().start,
                        format!("cannot find the referee's own program: {error}"),
                    )
                })?;
                (
                    own,
                    vec!["bot".to_owned(), name.clone()],
                    Some(name.clone()),
                    house.span().start,
                )
            }
            _ => {
                return Err(Flaw::at(
                    at,
                    "a player needs exactly one of `command = [\"program\", \"argument\"]`, \
                 `shell = \"a line for sh\"` and `house = \"the name of a house bot\"`",
                ));
            }
        };
    if player.house.is_none() && !player.args.is_empty() {
        return Err(Flaw::at(
            at,
            "`args` goes with `house` alone: expected the arguments in `command` itself",
        ));
    }
    args.extend(player.args.iter().cloned());
    let name = match (&player.name, default_name) {
        (Some(name), _) => file_name(name)?,
        (None, Some(name)) => name,
        (None, None) => {
            return Err(Flaw::at(
                at,
                "a player has no `name`: expected one wherever it is not a house bot",
            ));
        }
    };
    if name == BOTH {
        return Err(Flaw::at(
            player.name.as_ref().map_or(at, |name| name.span().start),
            format!(
                "`{BOTH}` cannot be the name of a player: in a record it stands for both players of a \
                 game"
            ),
        ));
    }
    if isolation == Some(file::Isolation::Landlock) && player.house.is_none() && dir.is_none() {
        return Err(Flaw::at(
            place,
            format!(
                "player `{name}` has no `dir`: expected one under `isolation = \"landlock\"`, where a \
                 bot sees its own folder alone"
            ),
        ));
    }
    let launch = Launch {
        program,
        args,
        dir,
        env,
    };
    launch.check().map_err(|error| {
        let place = match (&error, &player.dir) {
            (LaunchError::NoDirectory(_), Some(dir)) => dir.span().start,
            _ => place,
        };
        Flaw::at(place, format!("player `{name}` cannot be started: {error}"))
    })?;
    Ok(Entry {
        name,
        house: player.house.as_ref().map(|house| house.get_ref().clone()),
        launch,
        fresh_process: player.fresh_process,
    })
}
