//! `docs/formats.md` against the files of a small tournament.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use referee::runs::LOG_HEADER;

use crate::support::pages::Page;
use crate::support::{files_below, referee};

/// Four players, so that the manifest has every key of a player: one fails at once, one is built.
const CONFIG: &str = include_str!("files/every_key.toml");

/// The folder of that tournament, played once for all tests.
struct Run(PathBuf);

impl Run {
    fn get() -> &'static Self {
        static RUN: OnceLock<Run> = OnceLock::new();
        RUN.get_or_init(Self::play)
    }

    fn play() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs_formats");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("what an earlier test run left is removed");
        }
        std::fs::create_dir_all(&folder).expect("a folder");
        let config = folder.join("small.toml");
        std::fs::write(&config, CONFIG.replace("ROOT", env!("CARGO_MANIFEST_DIR")))
            .expect("written");
        let out = folder.join("out");
        referee(&format!("run {} --out {}", config.display(), out.display())).done();
        Self(out)
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    fn csv(&self, file: &str) -> (Vec<String>, Vec<Vec<String>>) {
        let mut reader = csv::Reader::from_path(self.path(file)).expect(file);
        let header = reader.headers().expect("a header");
        let header = header.iter().map(str::to_owned).collect();
        let rows = reader.records().map(|row| {
            let row = row.expect("a row");
            row.iter().map(str::to_owned).collect()
        });
        (header, rows.collect())
    }
}

/// The rows of a table of the page, with one row for each name in a first cell that has several.
fn entries(page: &Page, heading: &str) -> Vec<Vec<String>> {
    let mut entries = Vec::new();
    for row in page.table(heading) {
        for name in row[0].split(", ") {
            let mut entry = row.clone();
            entry[0] = name.trim_matches('`').to_owned();
            entries.push(entry);
        }
    }
    entries
}

/// Compares the columns, their types, and which of them may be empty: none without a column that says when.
fn compare(page: &Page, heading: &str, (header, rows): (Vec<String>, Vec<Vec<String>>)) {
    let documented = entries(page, heading);
    let columns: Vec<&String> = documented.iter().map(|row| &row[0]).collect();
    assert_eq!(columns, header.iter().collect::<Vec<_>>(), "{heading}");
    assert!(!rows.is_empty(), "{heading}");
    for (index, documented) in documented.iter().enumerate() {
        for row in &rows {
            let cell = &row[index];
            if documented.get(3).is_none_or(String::is_empty) {
                assert!(!cell.is_empty(), "{heading}: {} is empty", documented[0]);
            }
            let is_of_its_type = match documented[1].get(..7) {
                Some("integer") => cell.is_empty() || cell.parse::<u64>().is_ok(),
                Some("decimal") => cell.is_empty() || cell.parse::<f64>().is_ok(),
                _ => true,
            };
            assert!(is_of_its_type, "{heading}: {}={cell}", documented[0]);
        }
    }
}

#[test]
fn columns_are_the_documented_ones() {
    let page = Page::read("formats.md");
    let run = Run::get();
    for file in "games.csv ratings.csv standings.csv superiority.csv".split(' ') {
        compare(&page, file, run.csv(file));
    }
    let (columns, games) = run.csv("games.csv");
    let plies = columns.iter().position(|column| column == "plies");
    let plies = plies.expect("plies");
    let played = games.iter().find(|row| row[plies] != "0").expect("a game");
    let id: u64 = played[0].parse().expect("an id");
    let log = run.csv(&format!("games/0000/{id:06}.csv"));
    assert_eq!(log.0.join(",") + "\n", LOG_HEADER.to_owned());
    compare(&page, "games/…/ID.csv", log);
}

#[test]
fn a_crosstable_has_the_documented_columns_and_one_for_each_player() {
    let page = Page::read("formats.md");
    let (header, rows) = Run::get().csv("crosstable.csv");
    let documented = entries(&page, "crosstable.csv");
    assert_eq!(documented.len(), 3);
    let expected = [&documented[0][0], &documented[1][0]];
    assert_eq!([&header[0], &header[1]], expected);
    let of_rows: Vec<&String> = rows.iter().map(|row| &row[1]).collect();
    assert_eq!(header[2..].iter().collect::<Vec<_>>(), of_rows);
    for (index, row) in rows.iter().enumerate() {
        for (other, cell) in row[2..].iter().enumerate() {
            assert_eq!(cell.is_empty(), index == other, "{row:?}");
            let is_empty = cell.is_empty();
            assert!(is_empty || cell.split('-').count() == 3, "{cell}");
        }
    }
}

#[test]
fn players_have_the_documented_columns_and_one_for_each_parameter() {
    let (header, rows) = Run::get().csv("players.csv");
    let documented = entries(&Page::read("formats.md"), "players.csv");
    let (parameter, fixed) = documented.split_last().expect("rows");
    let fixed: Vec<&String> = fixed.iter().map(|row| &row[0]).collect();
    assert_eq!(header[..fixed.len()].iter().collect::<Vec<_>>(), fixed);
    assert_eq!(
        (parameter[0].as_str(), &header[fixed.len()..]),
        ("*a parameter*", &["nodes".to_owned()][..])
    );
    let row = |name: &str| rows.iter().find(|row| row[0] == name).expect(name);
    assert_eq!(row("random")[2..7], ["random", "--nodes 7", "", "", ""]);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/twenty-lines");
    let built = ["", "", "./bot", folder, "sh -c 'echo made; false'"];
    assert_eq!(row("built")[2..7], built);
    assert_eq!(["random", "built"].map(|it| &row(it)[8]), ["7", ""]);
}

#[test]
fn the_manifest_has_the_documented_keys() {
    let text = std::fs::read_to_string(Run::get().path("manifest.toml")).expect("a manifest");
    let manifest: toml::Table = text.parse().expect("TOML");
    let mut keys = BTreeSet::new();
    for (name, value) in &manifest {
        match value {
            toml::Value::Table(table) => {
                keys.extend(table.keys().map(|key| format!("{name}.{key}")));
            }
            toml::Value::Array(tables) => {
                let tables = tables.iter().filter_map(toml::Value::as_table);
                keys.extend(tables.flat_map(|t| t.keys().map(|key| format!("{name}[].{key}"))));
            }
            _ => {
                keys.insert(name.clone());
            }
        }
    }
    let documented = entries(&Page::read("formats.md"), "manifest.toml");
    for row in &documented {
        let is_there = keys.contains(&row[0]);
        assert!(is_there || row[2].starts_with("Only with some"), "{row:?}");
    }
    let mut known: BTreeSet<String> = documented.into_iter().map(|row| row[0].clone()).collect();
    known.extend(keys_of_a_configuration());
    let unknown: Vec<&String> = keys.difference(&known).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// The documented keys of a configuration, with the name of their table.
fn keys_of_a_configuration() -> Vec<String> {
    let page = Page::read("config.md");
    let tables = [
        ("Top level", 0, ""),
        ("game", 0, "game[]."),
        ("Game options", 1, "game[]."),
        ("format", 0, "format."),
        ("clock", 0, "clock."),
        ("limits", 0, "limits."),
        ("record", 0, "record."),
        ("player", 0, "player[]."),
    ];
    let keys = tables.into_iter().flat_map(|(heading, column, table)| {
        let keys = page.column(heading, column).into_iter();
        keys.map(move |key| format!("{table}{key}"))
    });
    keys.collect()
}

/// The drawing of the folder shows exactly what a run writes.
#[test]
fn the_folder_is_as_drawn() {
    let out = Run::get().path("");
    let files = files_below(&out).into_iter();
    let found: BTreeSet<String> = files
        .map(|file| kind(file.strip_prefix(&out).expect("inside")))
        .collect();
    let page = Page::read("formats.md");
    let drawn = page.section("Files of a run").lines();
    let drawn = drawn.filter(|line| line.starts_with("  "));
    let drawn = drawn.filter_map(|line| line.split_whitespace().next());
    let drawn: BTreeSet<String> = drawn.map(|file| kind(Path::new(file))).collect();
    assert_eq!(found, drawn);
}

/// A file's name, or its folder for the files of single games.
fn kind(file: &Path) -> String {
    let mut parts = file.iter().map(|part| part.to_string_lossy().into_owned());
    let first = parts.next().unwrap_or_default();
    match parts.next() {
        Some(_) => format!("{first}/"),
        None => first,
    }
}
