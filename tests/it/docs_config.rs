//! `docs/config.md` against what a configuration may contain.

use std::path::Path;

use referee::config::Plan;
use referee::game::{BUILT_IN, Setup};
use referee::grade::Grading;

use crate::support::pages::Page;
use crate::support::python::python;
use crate::support::rules_program::all_games;

/// Every table of a configuration, as the page calls it.
const SECTIONS: [&str; 8] = [
    "Top level",
    "game",
    "format",
    "clock",
    "limits",
    "record",
    "report",
    "player",
];

/// A small tournament with lines added to one of its tables. They replace the table's own lines with
/// the same key.
fn config(section: &str, added: &str) -> String {
    let keys: Vec<&str> = added.lines().map(key).collect();
    let own = [
        ("Top level", ""),
        ("game", "name = \"cachex\""),
        ("format", "kind = \"round-robin\"\ngames-per-pairing = 2"),
        ("clock", ""),
        ("limits", ""),
        ("record", ""),
        ("report", ""),
        ("player", ""),
    ];
    let mut text = String::new();
    for (name, lines) in own {
        match name {
            "Top level" => {}
            "player" => text.push_str("[[player]]\nhouse = \"random\"\n[[player]]\n"),
            name => text.push_str(&format!("[{name}]\n")),
        }
        if name == section {
            text.push_str(&format!("{added}\n"));
        }
        for line in lines
            .lines()
            .filter(|line| name != section || !keys.contains(&key(line)))
        {
            text.push_str(&format!("{line}\n"));
        }
    }
    if section != "player" {
        text.push_str("house = \"greedy\"\n");
    }
    text
}

fn key(line: &str) -> &str {
    line.split(" = ").next().unwrap_or(line)
}

fn parse(text: &str) -> Result<Plan, String> {
    Plan::parse(text, Path::new("config.toml"), BUILT_IN).map_err(|error| error.to_string())
}

/// A plan as text, with a seed if the configuration has none.
fn plan(text: &str) -> String {
    let seed = if text.contains("seed = ") {
        ""
    } else {
        "seed = 1\n"
    };
    format!("{:?}", parse(&format!("{seed}{text}")).expect(text))
}

#[test]
fn the_page_lists_every_key() {
    for section in SECTIONS {
        let mut documented = Page::read("config.md").column(section, 0);
        documented.sort();
        let error = |keys: &str| {
            let keys = format!("{keys}\nno-such-key = 1");
            parse(&config(section, keys.trim())).expect_err("no such key")
        };
        let listed = |error: &str| -> Vec<String> {
            let (_, list) = error.rsplit_once("expected ").expect(error);
            let names = list.split('`').skip(1).step_by(2);
            names.map(str::to_owned).collect()
        };
        // The error of a game has another form, and its options are in a table of their own.
        let mut known: Vec<String> = match section {
            "game" => "name rules dir seats forfeit opening-first opening-length opening-order openings \
                openings-are skip-bad-openings syzygy syzygy-pieces syzygy-fifty-moves adjudicate-lead \
                adjudicate-lead-plies adjudicate-draw-plies adjudicate-resign-score \
                adjudicate-resign-moves adjudicate-resign-sides adjudicate-draw-score \
                adjudicate-draw-moves adjudicate-draw-after adjudicate-draw-number adjudicate-max-moves"
                .split(' ').map(str::to_owned).collect(),
            // Each kind lists its own.
            "format" => [
                "kind = \"round-robin\"",
                "kind = \"gauntlet\"\nchallengers = [\"random\"]",
                "kind = \"list\"\npairings = [[\"random\", \"greedy\"]]",
                "kind = \"swiss\"\nrounds = 1",
                "kind = \"sprt\"\nchallengers = [\"random\"]\nelo0 = 0.0\nelo1 = 9.0",
                "kind = \"adaptive\"\nmax-games = 100",
                "kind = \"tune\"\ngames = 8\nparameters = { n = { min = 1, max = 9, start = 4 } }",
            ]
            .iter()
            .flat_map(|keys| listed(&error(keys)))
            .collect(),
            _ => listed(&error("")),
        };
        known.sort_unstable();
        known.dedup();
        assert_eq!(documented, known, "{section}");
    }
}

#[test]
fn a_documented_default_is_the_value_of_an_absent_key() {
    let mut tried = 0;
    for section in SECTIONS {
        for row in Page::read("config.md").table(section) {
            let (key, default) = (&row[0], &row[2]);
            let is_value = default.starts_with(['"', '[', '{', '0', 'f']);
            if !is_value {
                continue;
            }
            let (with, without) = match section {
                // A player also needs a bot.
                "player" => (
                    config(section, &format!("house = \"greedy\"\n{key} = {default}")),
                    config(section, "house = \"greedy\""),
                ),
                _ => (
                    config(section, &format!("{key} = {default}")),
                    config(section, ""),
                ),
            };
            assert_eq!(plan(&with), plan(&without), "{section}.{key}");
            tried += 1;
        }
    }
    assert!(tried >= 15, "{tried} defaults were found");
}

#[test]
fn the_example_is_valid() {
    // Also where python3 and make are not installed.
    let page = Page::read("config.md");
    let section = page.section("Example").replace("\"python3\"", "\"sh\"");
    let section = section.replace("\"make\"", "\"sh\"");
    let (_, example) = section.split_once("```toml\n").expect("a block");
    let (example, _) = example.split_once("```").expect("its end");
    parse(example).expect("valid");
}

#[test]
fn the_page_lists_every_option() {
    let documented = Page::read("config.md").table("Game options");
    let mut options = Vec::new();
    for game in BUILT_IN {
        for doc in game.options() {
            let secret = if doc.secret { "yes" } else { "no" };
            let values = doc.values.to_string();
            options.push(
                [
                    game.name(),
                    doc.key,
                    &values,
                    doc.default,
                    doc.meaning,
                    secret,
                ]
                .map(str::to_owned)
                .to_vec(),
            );
        }
    }
    assert_eq!(documented, options);
}

/// An option's documented default is its value. Some defaults are only described in words.
#[test]
fn an_options_default_is_its_value() {
    for game in BUILT_IN {
        let setup = Setup::new(game);
        for doc in game.options() {
            match setup.get(doc.key) {
                Some(value) if !doc.default.contains(' ') => assert_eq!(value, doc.default),
                Some(value) => assert!(["yes", "no"].contains(&value.as_str()), "{}", doc.key),
                None => assert!(doc.secret || doc.default.starts_with("none"), "{}", doc.key),
            }
        }
    }
}

#[test]
fn every_configuration_of_the_repository_is_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    for entry in std::fs::read_dir(folder).expect("configs/") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        // The rules of a game are asked; bots are only looked for.
        let engines = ["stockfish", "gnuchess", "toga2", "gnugo"];
        let text = engines.iter().fold(text, |text, engine| {
            text.replace(&format!("command = [\"{engine}\""), "command = [\"sh\"")
        });
        let text = match text.contains("\nrules = ") {
            true if python().is_none() => continue,
            true => text,
            false => text.replace("\"python3\"", "\"sh\""),
        };
        let name = path.file_name().expect("a name").to_string_lossy();
        match name.starts_with("grade-") {
            true => drop(Grading::parse(&text, &path, all_games()).expect("valid")),
            false => drop(Plan::parse(&text, &path, all_games()).expect("valid")),
        }
    }
}
