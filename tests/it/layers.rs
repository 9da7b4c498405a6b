//! Which module may know which. `docs/architecture.md` says why.
//!
//! The test reads every path in `src/`, in `use` lines and elsewhere, and compares it with a table.
//! Code for tests alone (`#[cfg(test)]`) may know everything.

mod source;

use std::path::PathBuf;

use source::{Source, Use};

use crate::support::files::files_below;
use crate::support::program::root;

/// What a top-level module may know; lists are separated by spaces.
struct Layer {
    name: &'static str,
    /// Parts of this crate, each as a path: a whole module, or one item in it.
    knows: &'static str,
    /// Other crates; `*` is any of them.
    crates: &'static str,
    /// Parts of the standard library that it must not use.
    never: &'static str,
}

/// Everything outside the process's own memory.
const OUTSIDE: &str = "std::io std::fs std::process std::thread std::net std::env std::os \
                       std::time::Instant std::time::SystemTime";

/// The modules in reading order. What is not listed is forbidden.
#[rustfmt::skip]
const LAYERS: &[Layer] = &[
    Layer {
        name: "game", knows: "", crates: "cozy_chess thiserror",
        never: "std::io std::fs std::process std::thread std::time std::net std::env std::os",
    },
    Layer {
        name: "random", knows: "game::Chance game::Game game::PerSeat", crates: "chacha20", never: OUTSIDE,
    },
    Layer { name: "units", knows: "game::PerSeat game::RulesPoints", crates: "humantime itoa serde", never: OUTSIDE },
    Layer { name: "text", knows: "", crates: "strsim unicode_normalization", never: OUTSIDE },
    Layer {
        name: "parallel", knows: "", crates: "",
        never: "std::io std::fs std::process std::net std::env std::os std::time::Instant std::time::SystemTime",
    },
    Layer { name: "protocol", knows: "text", crates: "itoa thiserror", never: OUTSIDE },
    Layer { name: "clock", knows: "units", crates: "serde", never: OUTSIDE },
    Layer { name: "bot", knows: "protocol clock text", crates: "*", never: "std::net" },
    Layer { name: "referee", knows: "game clock bot protocol text", crates: "thiserror", never: OUTSIDE },
    Layer { name: "rules", knows: "bot game random::Stream text units::micros", crates: "sha2 thiserror", never: "std::io std::fs std::process std::thread std::net std::env std::os" },
    Layer {
        name: "schedule", knows: "game::Blame game::Chance game::GameResult game::PerSeat game::Places game::Seat game::shuffle random rating", crates: "",
        never: OUTSIDE,
    },
    Layer {
        name: "runner", knows: "clock config game parallel bot pgn protocol random runs referee schedule text",
        crates: "humantime rustix signal_hook thiserror", never: "std::process std::net",
    },
    Layer {
        name: "runs",
        knows: "clock config game bot::CpuSource bot::EngineProtocol bot::EngineTerms bot::Language bot::LateCause bot::Launch bot::Log bot::OffTurn bot::SCRATCH_PREFIX bot::SearchLimits \
                bot::Tier bot::Values bot::remove_tree protocol::VERSION referee rules::launch schedule::Cut schedule::Format schedule::NextGame schedule::Schedule schedule::Ticket text units",
        crates: "*", never: "std::process std::thread::spawn std::thread::scope std::net",
    },
    Layer {
        name: "rating", knows: "game::Blame game::GameResult game::MOST_SEATS game::PerSeat game::Seat random", crates: "libm ndarray statrs",
        never: OUTSIDE,
    },
    Layer {
        name: "results",
        knows: "config::LONGEST_ROW config::did_you_mean config::in_brackets config::long_row config::read_text \
                game::Blame game::GameResult game::Games game::MOST_SEATS game::PerSeat game::Places game::Seat rating \
                referee::Termination \
                runs schedule::Format text",
        crates: "csv csv_core flate2 thiserror",
        never: "std::process std::thread std::net std::env std::os std::time::Instant std::time::SystemTime",
    },
    Layer {
        name: "report",
        // It knows the events of the runner, but cannot run anything.
        knows: "game::Colour game::DrawnCell game::GameResult game::MOST_SEATS game::Seat rating results runs::GameRow runs::Manifest runs::PlayerTable \
                runs::RunFileError runs::Run runs::player_column runs::remove_if_there runs::write_whole referee::Termination runner::Event \
                schedule::Conclusion schedule::GameCount schedule::NextPlace schedule::Place schedule::PlacedBy \
                schedule::TestEnd schedule::TestState text",
        crates: "*", never: "std::fs std::process std::thread std::net",
    },
    Layer {
        name: "pages",
        knows: "clock::Measure config::PlannedGame game parallel rating results runs report schedule::Conclusion schedule::Format \
                schedule::NextGame schedule::Schedule schedule::TestState text units",
        crates: "base64ct minijinja serde serde_json sha2 thiserror", never: OUTSIDE,
    },
    Layer {
        name: "opponents", knows: "game protocol random", crates: "cozy_chess thiserror",
        never: "std::fs std::process std::thread std::net std::env",
    },
    Layer {
        name: "config",
        knows: "clock game opponents bot::BuildLimits bot::Confinement bot::EngineProtocol bot::EngineTerms bot::Language bot::Launch \
                bot::LaunchError bot::OffTurn bot::OutputLimits bot::SearchLimits \
                bot::Tier bot::without_detours random rating::EloModel rating::Openings rating::RankingTest rating::Sprt referee::Adjudication referee::Adjudicator referee::ExpectedDraw referee::GameSpec referee::Lead referee::Line referee::Opening referee::Resignation referee::SeatTerms \
                schedule::Cut schedule::Format schedule::GamesPerPairing schedule::Schedule text units",
        crates: "*", never: "std::process std::thread std::net",
    },
    Layer {
        name: "replay", knows: "clock game bot protocol runs referee text", crates: "thiserror",
        never: "std::process std::thread std::net",
    },
    Layer {
        name: "pgn", knows: "bot::Values clock game referee runs units", crates: "itoa thiserror", never: OUTSIDE,
    },
    Layer {
        name: "verify", knows: "clock game runs referee runner", crates: "thiserror",
        never: "std::process std::thread std::net",
    },
    Layer {
        name: "shards",
        knows: "config game::Games game::PerSeat game::Seat results runs report runner schedule text",
        crates: "csv serde thiserror toml walkdir", never: "std::process::Command std::net",
    },
    Layer {
        name: "check", knows: "clock config::PlannedGame game bot protocol random referee rules text",
        crates: "thiserror", never: OUTSIDE,
    },
    Layer {
        name: "doctor", knows: "bot check clock config runner runs::MachineTable runs::Stamp text", crates: "rustix",
        never: "std::thread std::net",
    },
    Layer {
        name: "grade",
        knows: "check clock config game opponents pages parallel bot random rating replay results runs referee report runner \
                schedule shards text",
        crates: "csv flate2 getrandom humantime jiff rustix saphyr_parser serde serde_json sha2 tar thiserror toml unicode_normalization walkdir zip",
        never: "std::process::Command std::net",
    },
    Layer {
        name: "cli",
        knows: "check clock config doctor game grade opponents pages pgn bot protocol random rating results runs referee replay report \
                rules runner shards text units verify",
        crates: "*", never: "std::net",
    },
];

/// The games that everybody has, and who may ask for them. All others are handed the games that they may meet.
const REGISTRY: &str = "game::BUILT_IN";
const KNOW_THE_REGISTRY: [&str; 2] = ["game", "cli"];

/// The modules that print. All others return text or values.
const PRINTERS: [&str; 2] = ["report", "cli"];

/// What prints: macros, and the streams of the process.
const PRINTING: [&str; 5] = ["print", "println", "eprint", "eprintln", "dbg"];
const STREAMS: [&str; 3] = ["std::io::stdin", "std::io::stdout", "std::io::stderr"];

/// Whether `path` is `part`, or something in it, or a glob that includes it.
fn reaches(path: &str, part: &str) -> bool {
    is_or_holds(path, part) || inside(path, part)
}

fn is_or_holds(path: &str, part: &str) -> bool {
    match path.strip_suffix("::*") {
        Some(all) => part == all || inside(part, all) || inside(all, part),
        None => path == part,
    }
}

fn inside(path: &str, part: &str) -> bool {
    path.strip_prefix(part)
        .is_some_and(|rest| rest.starts_with("::"))
}

/// Whether the table lets a module use that path of this crate.
fn allowed(layer: &Layer, path: &str) -> bool {
    let path = path.strip_suffix("::*").unwrap_or(path);
    let own = path == layer.name || inside(path, layer.name);
    own || layer
        .knows
        .split(' ')
        .any(|part| path == part || inside(path, part))
}

/// What is wrong with one path in a module, if anything.
fn problem(layer: &Layer, used: &Use, crates: &[String]) -> Option<String> {
    let path = used.path.as_str();
    let name = layer.name;
    if let Some(inner) = path.strip_prefix("crate::") {
        if inner == REGISTRY && !KNOW_THE_REGISTRY.contains(&name) {
            return Some(format!(
                "`{name}` must be handed its games, and uses `{inner}`"
            ));
        }
        return (!allowed(layer, inner)).then(|| format!("`{name}` must not know `{inner}`"));
    }
    if let Some(part) = layer.never.split(' ').find(|part| reaches(path, part)) {
        return Some(format!(
            "`{name}` must not touch `{part}`, and uses `{path}`"
        ));
    }
    if !PRINTERS.contains(&name)
        && let Some(stream) = STREAMS.iter().find(|stream| is_or_holds(path, stream))
    {
        return Some(format!("`{name}` must not use `{stream}`"));
    }
    let first = path.split("::").next().unwrap_or(path);
    let is_allowed = |known: &str| known == "*" || known == first;
    let is_crate = crates.iter().any(|one| one == first);
    (is_crate && !layer.crates.split(' ').any(is_allowed))
        .then(|| format!("`{name}` must not use the crate `{first}`"))
}

fn manifest() -> toml::Table {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    manifest.parse().expect("TOML")
}

/// The dependencies in `Cargo.toml`, as they are written in code.
fn dependencies() -> Vec<String> {
    let manifest = manifest();
    let table = manifest["dependencies"].as_table().expect("a table");
    table.keys().map(|name| name.replace('-', "_")).collect()
}

fn problems(sources: &[Source]) -> Vec<String> {
    let crates = dependencies();
    let mut problems = Vec::new();
    for source in sources {
        let at = |line: usize, what: String| format!("{}:{line}: {what}", source.file);
        let Some(module) = &source.module else {
            continue;
        };
        let Some(layer) = LAYERS.iter().find(|layer| layer.name == module) else {
            problems.push(at(1, format!("the module `{module}` has no layer")));
            continue;
        };
        for used in &source.uses {
            problems.extend(problem(layer, used, &crates).map(|what| at(used.line, what)));
        }
        for call in &source.macros {
            if PRINTING.contains(&call.path.as_str()) && !PRINTERS.contains(&layer.name) {
                problems.push(at(
                    call.line,
                    format!("`{}` must not print: `{}!`", layer.name, call.path),
                ));
            }
        }
    }
    problems
}

#[test]
fn every_module_keeps_to_its_layer() {
    let problems = problems(&Source::all());
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn every_layer_is_a_module_and_every_module_a_layer() {
    let library = std::fs::read_to_string(root().join("src/lib.rs")).expect("src/lib.rs");
    let mut modules: Vec<&str> = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    let mut layers: Vec<&str> = LAYERS.iter().map(|layer| layer.name).collect();
    modules.sort_unstable();
    layers.sort_unstable();
    assert_eq!(modules, layers);
}

/// The one file that may have unsafe code.
const UNSAFE: &str = "src/bot/supervise/sys.rs";

#[test]
fn unsafe_code_is_in_one_file() {
    let lint = &manifest()["workspace"]["lints"]["rust"]["unsafe_code"];
    assert_eq!(lint.as_str(), Some("deny"));
    let files = ["src", "benches"].map(|folder| files_below(&root().join(folder)));
    let is_exempt = |file: &PathBuf| {
        std::fs::read_to_string(file).is_ok_and(|text| text.contains("unsafe_code"))
    };
    let found: Vec<PathBuf> = files.concat().into_iter().filter(is_exempt).collect();
    assert_eq!(found, [root().join(UNSAFE)]);
    let text = std::fs::read_to_string(root().join(UNSAFE)).expect("the file");
    let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
    assert_eq!(count("unsafe {"), count("// SAFETY: "), "each says why");
}

/// Violations in every form, and lines that only look like one.
#[test]
#[rustfmt::skip]
fn violations_are_found_and_nothing_else() {
    let found = |file: &str, text: &str| problems(&[Source::parse(&format!("src/{file}"), text)]);
    for (file, text) in [
        ("game/cachex/mod.rs", "use crate::random::Stream;"),
        ("game/mod.rs", "fn f() { crate::clock::now() }"),
        ("game/mod.rs", "fn f() { g(..crate::clock::now()) }"),
        ("game/mod.rs", "fn f() { assert!(crate::clock::now() > 0); }"),
        ("game/cachex/mod.rs", "use super::super::clock::Clock;"),
        ("clock.rs", "use super::game;"),
        ("game/mod.rs", "use std::{fmt, fs::File};"),
        ("game/mod.rs", "use std::time as t;"),
        ("runs/rows.rs", "use crate::game::{BUILT_IN, Game};"),
        ("config/mod.rs", "fn f() { crate::game::BUILT_IN.names() }"),
        ("clock.rs", "use std::time; fn f() { time::Instant::now(); }"),
        ("clock.rs", "use std::time::*;"),
        ("protocol/mod.rs", "use crate::*;"),
        ("rating/mod.rs", "fn f() { ::std::fs::read(\"x\"); }"),
        ("schedule/mod.rs", "#[derive(serde::Deserialize)] struct S;"),
        ("report/html.rs", "use crate::runner::{self, Event};"),
        ("report/html.rs", "fn f() { crate::runner::count_games(); }"),
        ("runner/mod.rs", "fn f() { println!(\"x\"); }"),
        ("opponents/serve.rs", "use std::io; fn f() { io::stdout(); }"),
        ("runs/mod.rs", "use std::io::{Write, stderr};"),
        ("elsewhere.rs", ""),
        ("game/mod.rs", "#[cfg(test)] mod tests { use crate::random; }\nuse crate::random;"),
        ("game/mod.rs", "#[cfg(test)] use crate::{clock}; use crate::random;"),
    ] {
        assert_eq!(found(file, text).len(), 1, "{file}: {text}");
    }
    for (file, text) in [
        ("game/cachex/board.rs", "use super::super::Seat; use super::Seat as S;"),
        ("game/mod.rs", "// use crate::random;\n/* std::fs */ const A: &str = \"crate::clock\";"),
        ("game/mod.rs", "#[cfg(test)]\nmod tests { use crate::random::Stream; fn f() { println!(); } }"),
        ("game/mod.rs", "#[cfg(test)] use crate::random::Stream;"),
        ("bot/process/mod.rs", "fn f(c: C) { c.stdout(Stdio::piped()); c.stderr.take(); }"),
        ("clock.rs", "use std::time::Duration;"),
        ("random.rs", "use chacha20::rand_core::Rng; use crate::game::Chance;"),
        ("cli/run/mod.rs", "fn f() { println!(\"x\"); std::io::stdout(); }"),
    ] {
        assert_eq!(found(file, text), [""; 0], "{file}: {text}");
    }
}
