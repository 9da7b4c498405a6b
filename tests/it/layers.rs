//! The layers of the house: which module may know which. `docs/architecture.md` says why.
//!
//! The test reads every path in `src/`, in `use` lines and elsewhere, and compares it with a table.
//! Code for tests alone (`#[cfg(test)]`) may know whatever it likes.

use std::path::Path;

mod source;

use source::{Source, Use};

/// What a top-level module may know.
struct Layer {
    name: &'static str,
    /// Parts of this crate, each as a path: a whole module, or one thing in it.
    knows: &'static [&'static str],
    /// Other crates; `None` is any of them.
    crates: Option<&'static [&'static str]>,
    /// Parts of the standard library that it must not touch.
    never: &'static [&'static str],
}

const NONE: Option<&[&str]> = Some(&[]);

/// Everything outside one's own memory.
const OUTSIDE: &[&str] = &[
    "std::io",
    "std::fs",
    "std::process",
    "std::thread",
    "std::net",
    "std::env",
    "std::os",
    "std::time::Instant",
    "std::time::SystemTime",
];

/// The house, in reading order. Whatever is not in here is forbidden.
const LAYERS: &[Layer] = &[
    Layer {
        name: "game",
        knows: &[],
        crates: NONE,
        never: &[
            "std::io",
            "std::fs",
            "std::process",
            "std::thread",
            "std::time",
            "std::net",
            "std::env",
            "std::os",
        ],
    },
    Layer {
        name: "random",
        knows: &["game::Chance"],
        crates: Some(&["chacha20"]),
        never: OUTSIDE,
    },
    Layer {
        name: "protocol",
        knows: &[],
        crates: Some(&["thiserror"]),
        never: OUTSIDE,
    },
    Layer {
        name: "clock",
        knows: &[],
        crates: Some(&["serde"]),
        never: OUTSIDE,
    },
    Layer {
        name: "player",
        knows: &["protocol", "clock"],
        crates: None,
        never: &["std::net"],
    },
    Layer {
        name: "referee",
        knows: &["game", "clock", "player", "protocol"],
        crates: NONE,
        never: OUTSIDE,
    },
    Layer {
        name: "schedule",
        knows: &["rating"],
        crates: NONE,
        never: OUTSIDE,
    },
    Layer {
        name: "runner",
        knows: &[
            "clock", "config", "game", "player", "random", "record", "referee", "schedule",
        ],
        crates: Some(&["humantime", "rustix", "signal_hook", "thiserror"]),
        never: &["std::process", "std::net"],
    },
    Layer {
        name: "record",
        knows: &[
            "config",
            "game",
            "player::Launch",
            "player::Log",
            "player::Tier",
            "protocol::VERSION",
            "referee",
            "schedule::Format",
        ],
        crates: None,
        never: &[
            "std::process",
            "std::thread::spawn",
            "std::thread::scope",
            "std::net",
        ],
    },
    Layer {
        name: "rating",
        knows: &[],
        crates: Some(&["skillratings"]),
        never: OUTSIDE,
    },
    Layer {
        name: "report",
        // Of the runner it knows what happened, and not how to make anything happen.
        knows: &[
            "rating",
            "record::GameRow",
            "record::ResultRow",
            "runner::Event",
            "schedule::Conclusion",
        ],
        crates: None,
        never: &["std::fs", "std::process", "std::thread", "std::net"],
    },
    Layer {
        name: "opponents",
        knows: &["game", "protocol", "random"],
        crates: NONE,
        never: &[
            "std::fs",
            "std::process",
            "std::thread",
            "std::net",
            "std::env",
        ],
    },
    Layer {
        name: "config",
        knows: &[
            "clock",
            "game",
            "opponents",
            "player::BuildLimits",
            "player::Confinement",
            "player::Launch",
            "player::LaunchError",
            "player::OffTurn",
            "player::OutputLimits",
            "player::Tier",
            "random",
            "rating::Sprt",
            "schedule::Format",
            "schedule::GamesPerPairing",
        ],
        crates: None,
        never: &["std::process", "std::thread", "std::net"],
    },
    Layer {
        name: "check",
        knows: &[
            "clock",
            "game",
            "player",
            "protocol",
            "referee",
            "runner::Start",
        ],
        crates: Some(&["thiserror"]),
        never: OUTSIDE,
    },
    Layer {
        name: "cli",
        knows: &[
            "check",
            "clock",
            "config",
            "game",
            "opponents",
            "player",
            "protocol",
            "random",
            "rating",
            "record",
            "referee",
            "report",
            "runner",
        ],
        crates: None,
        never: &["std::net"],
    },
];

/// Who prints. Everybody else returns what there is to say.
const PRINTERS: [&str; 2] = ["report", "cli"];

/// What prints: macros, and the streams of the process.
const PRINTING: [&str; 5] = ["print", "println", "eprint", "eprintln", "dbg"];
const STREAMS: [&str; 3] = ["std::io::stdin", "std::io::stdout", "std::io::stderr"];

/// Whether `path` is `part` or something in it, or takes in all of a module that `part` is in.
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
        .iter()
        .any(|part| path == *part || inside(path, part))
}

/// What is wrong with one path in a module, if anything.
fn problem(layer: &Layer, used: &Use, crates: &[String]) -> Option<String> {
    let path = used.path.as_str();
    let name = layer.name;
    if let Some(inner) = path.strip_prefix("crate::") {
        return (!allowed(layer, inner)).then(|| format!("`{name}` must not know `{inner}`"));
    }
    if let Some(part) = layer.never.iter().find(|part| reaches(path, part)) {
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
    match layer.crates {
        Some(known) if crates.iter().any(|one| one == first) && !known.contains(&first) => {
            Some(format!("`{name}` must not use the crate `{first}`"))
        }
        _ => None,
    }
}

/// The dependencies in `Cargo.toml`, as they are written in code.
fn dependencies() -> Vec<String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).expect("Cargo.toml");
    let manifest: toml::Table = manifest.parse().expect("TOML");
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
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let library = std::fs::read_to_string(library).expect("src/lib.rs");
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
const UNSAFE: &str = "src/player/supervise/sys.rs";

/// The files below a folder that ask for leave to have unsafe code.
fn with_unsafe_code(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            with_unsafe_code(&path, found);
        } else if std::fs::read_to_string(&path).is_ok_and(|text| text.contains("unsafe_code")) {
            found.push(path.display().to_string());
        }
    }
}

#[test]
fn unsafe_code_is_in_one_file() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).expect("Cargo.toml");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let lint = &manifest["lints"]["rust"]["unsafe_code"];
    assert_eq!(lint.as_str(), Some("deny"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["src", "benches"] {
        with_unsafe_code(&root.join(folder), &mut found);
    }
    assert_eq!(found, [root.join(UNSAFE).display().to_string()]);
    let text = std::fs::read_to_string(root.join(UNSAFE)).expect("the file");
    let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
    assert_eq!(count("unsafe {"), count("// SAFETY: "), "each says why");
}

/// What the test must find, and what it must let pass.
#[test]
fn a_violation_is_found_whichever_way_it_is_written() {
    let found = |file: &str, text: &str| problems(&[Source::parse(file, text)]);
    for (file, text) in [
        ("src/game/cachex/mod.rs", "use crate::random::Stream;"),
        ("src/game/mod.rs", "fn f() { crate::clock::now() }"),
        ("src/game/cachex/mod.rs", "use super::super::clock::Clock;"),
        ("src/clock.rs", "use super::game;"),
        ("src/game/mod.rs", "use std::{fmt, fs::File};"),
        ("src/game/mod.rs", "use std::time as t;"),
        (
            "src/clock.rs",
            "use std::time; fn f() { time::Instant::now(); }",
        ),
        ("src/clock.rs", "use std::time::*;"),
        ("src/protocol/mod.rs", "use crate::*;"),
        ("src/rating/mod.rs", "fn f() { ::std::fs::read(\"x\"); }"),
        (
            "src/schedule/mod.rs",
            "#[derive(serde::Deserialize)] struct S;",
        ),
        ("src/report/html.rs", "use crate::runner::{self, Event};"),
        ("src/report/html.rs", "fn f() { crate::runner::run(); }"),
        ("src/runner/mod.rs", "fn f() { println!(\"x\"); }"),
        (
            "src/opponents/serve.rs",
            "use std::io; fn f() { io::stdout(); }",
        ),
        ("src/record/mod.rs", "use std::io::{Write, stderr};"),
        ("src/elsewhere.rs", ""),
        (
            "src/game/mod.rs",
            "#[cfg(test)] mod tests { use crate::random; }\nuse crate::random;",
        ),
        (
            "src/game/mod.rs",
            "const A: char = '\"'; use crate::random; // \"",
        ),
    ] {
        assert_eq!(found(file, text).len(), 1, "{file}: {text}");
    }
    for (file, text) in [
        (
            "src/game/cachex/board.rs",
            "use super::super::Seat; use super::Seat as S;",
        ),
        (
            "src/game/mod.rs",
            "// use crate::random;\n/* std::fs */ const A: &str = \"crate::clock\";",
        ),
        (
            "src/game/mod.rs",
            "const A: &str = r#\"std::fs \" crate::clock\"#;",
        ),
        (
            "src/game/mod.rs",
            "#[cfg(test)]\nmod tests { use crate::random::Stream; fn f() { println!(); } }",
        ),
        ("src/game/mod.rs", "#[cfg(test)] use crate::random::Stream;"),
        (
            "src/player/process.rs",
            "fn f(c: C) { c.stdout(Stdio::piped()); c.stderr.take(); }",
        ),
        ("src/clock.rs", "use std::time::Duration;"),
        (
            "src/random.rs",
            "use chacha20::rand_core::Rng; use crate::game::Chance;",
        ),
        (
            "src/cli/run.rs",
            "fn f() { println!(\"x\"); std::io::stdout(); }",
        ),
    ] {
        assert_eq!(found(file, text), [""; 0], "{file}: {text}");
    }
}
