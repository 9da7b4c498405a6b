//! Differences between the manifest of a run and the plan that is to continue it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use toml::{Table, Value};

use super::Manifest;
use crate::config::is_option;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    pub words: Vec<String>,
    pub players: BTreeSet<String>,
    /// Whether the games that were played belong to another tournament altogether.
    pub other_tournament: bool,
    /// Whether a game or an option of one differs, whatever else does.
    pub other_game: bool,
    /// Whether the manifest changes without a change to any game: other display names, or more games of the
    /// plan.
    pub beside_games: bool,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Differences between two manifests, of games with this number of seats.
    pub(in crate::runs) fn between(
        old: &Manifest,
        new: &Manifest,
        seats: usize,
    ) -> Result<Self, toml::ser::Error> {
        let mut changes = Self {
            // With a second game, the numbers of its games would change.
            beside_games: old.games.len() == 1 && new.format.only_adds_games_to(&old.format, seats),
            ..Self::default()
        };
        let both = [
            values(old, changes.beside_games)?,
            values(new, changes.beside_games)?,
        ];
        let [was, is] = &both;
        let places: BTreeSet<&Place> = was.keys().chain(is.keys()).collect();
        for place in places {
            let (list, name, _) = place;
            let id = (*list, name.clone(), "name".to_owned());
            // The names of a list say which are new or gone.
            let is_of_both = list.is_empty() || both.iter().all(|all| all.contains_key(&id));
            let (was, is) = (was.get(place), is.get(place));
            if is_of_both && was != is {
                changes.add(place, was, is);
            }
        }
        Ok(changes)
    }

    fn add(&mut self, (list, name, key): &Place, was: Option<&Value>, is: Option<&Value>) {
        let folder =
            |path: Option<&Value>| Some(Path::new(path?.as_str()?).file_name()?.to_owned());
        let first = key.split('.').next().unwrap_or_default();
        self.other_game |= match *list {
            "game" => is_option(key),
            list => list.is_empty() && key == "games",
        };
        match (*list, first) {
            // Each value of a grid is in another key, too.
            ("player", "grid") => return,
            ("player", "display-name") => {
                self.beside_games = true;
                return;
            }
            // A folder of the same name elsewhere: the tournament was moved with its bots. Its content has a digest.
            ("player", "dir" | "course-files")
                if folder(was).is_some() && folder(was) == folder(is) =>
            {
                self.beside_games = true;
                return;
            }
            ("player", "digest") => {
                self.words
                    .push(format!("the files of player {name} changed"));
                self.players.insert(name.clone());
                return;
            }
            // A clock is in the logs of games; with other limits they keep their meaning.
            ("player", "limits") => {}
            ("player", _) => drop(self.players.insert(name.clone())),
            ("", first) => self.other_tournament |= !TERMS.contains(&first),
            _ => self.other_tournament = true,
        }
        let place = match *list {
            "" => key.clone(),
            list => format!("{list} {name}.{key}"),
        };
        let word = |value: Option<&Value>| value.map_or("nothing".to_owned(), ToString::to_string);
        let (was, is) = (word(was), word(is));
        self.words.push(format!("{place} was {was} and is {is}"));
    }
}

/// Keys of a manifest that decide no game: place and time of the run.
const CIRCUMSTANCES: [&str; 4] = ["name", "created", "jobs", "machine"];

/// Keys of a manifest with other values for which the games that were played keep their meaning.
const TERMS: [&str; 5] = ["referee", "protocol", "clock", "limits", "record"];

/// A list of tables with the name of one, both empty outside lists, and a key, of tables in tables joined by dots.
type Place = (&'static str, String, String);

/// The values of a manifest that may matter, by their places; without the number of games if other ones are as good.
fn values(
    manifest: &Manifest,
    more_games: bool,
) -> Result<BTreeMap<Place, Value>, toml::ser::Error> {
    let mut manifest = manifest.clone();
    if more_games {
        manifest.format = manifest.format.without_number_of_games();
    }
    for game in &mut manifest.games {
        // The digest of a rules program is compared, not where it lies.
        *game = game.without_dir();
    }
    let mut table = Table::try_from(manifest)?;
    CIRCUMSTANCES
        .iter()
        .for_each(|key| drop(table.remove(*key)));
    let mut all = BTreeMap::new();
    for list in ["game", "player"] {
        let Some(Value::Array(tables)) = table.remove(list) else {
            continue;
        };
        let mut names = Vec::new();
        for one in tables {
            let name = one.get("name").and_then(Value::as_str).unwrap_or_default();
            names.push(name.to_owned());
            add_values(&mut all, (list, name, ""), &one);
        }
        table.insert(format!("{list}s"), names.into());
    }
    add_values(&mut all, ("", "", ""), &Value::Table(table));
    Ok(all)
}

fn add_values(
    all: &mut BTreeMap<Place, Value>,
    (list, name, key): (&'static str, &str, &str),
    value: &Value,
) {
    let Value::Table(table) = value else {
        all.insert((list, name.to_owned(), key.to_owned()), value.clone());
        return;
    };
    for (inner, value) in table {
        let key = [key, inner].join(if key.is_empty() { "" } else { "." });
        add_values(all, (list, name, &key), value);
    }
}
