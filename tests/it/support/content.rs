//! The content of a run's folder, to be compared with another's.

use std::collections::BTreeMap;
use std::path::Path;

use super::files::files_below;
use super::tables::{Table, rows, without_clocks};

/// What a run has written, by file: tables without the columns of times, the journal sorted by game, and
/// the manifest and the digests without their text, which depends on the time of writing. The pages, which have
/// times too, are left out.
pub fn content(out: &Path) -> BTreeMap<String, String> {
    let mut content = BTreeMap::new();
    for path in files_below(out) {
        let name = path.strip_prefix(out).expect("inside").display();
        let name = name.to_string();
        if name.starts_with("report/") {
            continue;
        }
        let text = match name.as_str() {
            "manifest.toml" | "run.sha256" => String::new(),
            name if !name.ends_with(".csv") => std::fs::read_to_string(&path).expect("text"),
            "ratings.csv" | "standings.csv" | "crosstable.csv" | "openings-cachex.txt" => {
                std::fs::read_to_string(&path).expect("text")
            }
            _ => {
                let mut table: Table = rows(&path);
                if name == "games.csv" {
                    table.sort_by_key(|row| row["id"].parse::<u64>().expect("a number"));
                }
                format!("{:?}", without_clocks(table))
            }
        };
        content.insert(name, text);
    }
    content
}
