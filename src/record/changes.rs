//! What is different between the manifest of a run and the plan with which it is to go on.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::Manifest;

/// The differences between two manifests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// In words, one by one.
    pub words: Vec<String>,
    /// The players whose entry or files changed.
    pub players: BTreeSet<String>,
    /// Whether the games that were played belong to another tournament altogether.
    pub other_tournament: bool,
}

impl Changes {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// Keys that say on what and when a run was begun, and not what is played.
const CIRCUMSTANCES: [&str; 4] = ["created", "jobs", "machine", "name"];

/// Keys with which the games that were played keep their meaning.
const TERMS: [&str; 5] = ["clock", "limits", "protocol", "record", "referee"];

impl Changes {
    /// What changed from one manifest to another.
    pub(super) fn between(old: &Manifest, new: &Manifest) -> Result<Self, toml::ser::Error> {
        Ok(changes(&Table::try_from(old)?, &Table::try_from(new)?))
    }
}

fn changes(old: &Table, new: &Table) -> Changes {
    let (old, new) = (flat(old), flat(new));
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut changes = Changes::default();
    for key in keys {
        let (was, is) = (old.get(key), new.get(key));
        let top = key.split('.').next().unwrap_or(key);
        if was == is || CIRCUMSTANCES.contains(&top) {
            continue;
        }
        let word = |value: Option<&String>| value.map_or("nothing", String::as_str).to_owned();
        let player = top.strip_prefix("player ");
        changes
            .words
            .push(match (player, key.ends_with(".digest")) {
                (Some(player), true) => format!("the files of player {player} changed"),
                _ => format!("{key} was {} and is {}", word(was), word(is)),
            });
        match player {
            Some(player) => {
                changes.players.insert(player.to_owned());
            }
            None => changes.other_tournament |= !TERMS.contains(&top),
        }
    }
    changes
}

/// Every value by its path; the entries of an array by their names.
fn flat(table: &Table) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for (key, value) in table {
        match value {
            Value::Table(inner) => put(&mut all, key, inner),
            Value::Array(entries) => {
                let mut names = Vec::new();
                for entry in entries.iter().filter_map(Value::as_table) {
                    let name = entry.get("name").and_then(Value::as_str).unwrap_or("?");
                    names.push(name);
                    put(&mut all, &format!("{key} {name}"), entry);
                }
                all.insert(format!("{key}s"), names.join(", "));
            }
            value => {
                all.insert(key.clone(), value.to_string());
            }
        }
    }
    all
}

fn put(all: &mut BTreeMap<String, String>, path: &str, table: &Table) {
    for (key, value) in table {
        all.insert(format!("{path}.{key}"), value.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        text.parse().expect("TOML")
    }

    const OLD: &str = "seed = 1\njobs = 2\n[clock]\nmargin = \"1s\"\n[[game]]\nname = \"cachex\"\nsize = \"9\"\n\
                       [[player]]\nname = \"a\"\ndigest = \"x\"\n[[player]]\nname = \"b\"\ndigest = \"y\"\n";

    #[test]
    fn circumstances_are_no_change() {
        let new = table(&OLD.replace("jobs = 2", "jobs = 8"));
        assert!(changes(&table(OLD), &new).is_empty());
    }

    #[test]
    fn a_changed_player_is_named() {
        let changes = changes(&table(OLD), &table(&OLD.replace("\"y\"", "\"z\"")));
        assert_eq!(changes.words, ["the files of player b changed"]);
        assert_eq!(changes.players, BTreeSet::from(["b".to_owned()]));
        assert!(!changes.other_tournament);
    }

    #[test]
    fn terms_can_change_and_the_tournament_cannot() {
        let terms = changes(&table(OLD), &table(&OLD.replace("1s", "2s")));
        assert_eq!(terms.words, ["clock.margin was \"1s\" and is \"2s\""]);
        assert!(!terms.other_tournament && terms.players.is_empty());
        for (from, to) in [
            ("seed = 1", "seed = 2"),
            ("size = \"9\"", "size = \"8\""),
            ("name = \"cachex\"", "name = \"dark-chess\""),
            ("name = \"b\"", "name = \"c\""),
        ] {
            let changes = changes(&table(OLD), &table(&OLD.replace(from, to)));
            assert!(changes.other_tournament, "{from} to {to}: {changes:?}");
        }
    }
}
