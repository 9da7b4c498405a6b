//! Differences between the manifest of a run and the plan that is to continue it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use toml::{Table, Value};

use super::Manifest;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    pub words: Vec<String>,
    /// The players whose entry or files changed.
    pub players: BTreeSet<String>,
    /// Whether the games that were played belong to another tournament altogether.
    pub other_tournament: bool,
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

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = r#"
referee = "0.1.0"
protocol = 1
name = "t"
seed = 1
created = ""
jobs = 2
format = { kind = "round-robin", games-per-pairing = 2 }
clock = { measure = "wall", per-game = "10s", increment = "0s", per-move = "none", margin = "1s", wall-cap = "10m" }
record = { logs = "all" }
machine = { os = "", kernel = "", arch = "", processor = "", cores = 2, pinned = false, cpu-source = "processes" }
[limits]
handshake = "10s"
start = "10s"
quit = "1s"
rules = "10s"
rules-start = "1m"
rules-memory = "2 GiB"
plies = 10000
line = "4 KiB"
turn = "1 MiB"
log = "256 KiB"
memory = "none"
processes = 256
open-files = 1024
file-size = "1 GiB"
cpu = "none"
build-time = "2m"
build-memory = "2 GiB"
build-log = "256 KiB"
off-turn = "log"
isolation = "containment"
scratch = "64 MiB"
[[game]]
name = "cachex"
size = "9"
[[player]]
name = "a"
digest = "x"
dir = "here/bots"
[[player]]
name = "b"
digest = "y"
clock = { measure = "wall", per-game = "5s", increment = "0s", per-move = "none", margin = "0s", wall-cap = "10m" }
"#;

    /// The changes if `from` becomes `to` in the manifest.
    fn changed(old: &str, from: &str, to: &str) -> Changes {
        assert!(old.contains(from), "{from}");
        let [was, is] = [old, &old.replace(from, to)].map(toml::from_str);
        Changes::between(&was.expect("a manifest"), &is.expect("a manifest"), 2).expect("compared")
    }

    #[test]
    fn circumstances_are_no_change() {
        assert_eq!(changed(OLD, "jobs = 2", "jobs = 8"), Changes::default());
        assert_eq!(changed(OLD, "cores = 2", "cores = 8"), Changes::default());
    }

    #[test]
    fn what_is_shown_and_where_folders_lie_is_no_change() {
        for (from, to) in [
            ("digest = \"y\"", "digest = \"y\"\ndisplay-name = \"B\""),
            ("here/bots", "there/bots"),
        ] {
            let found = changed(OLD, from, to);
            assert!(found.is_empty() && found.beside_games, "{found:?}");
        }
        let found = changed(OLD, "here/bots", "here/others");
        let words = "player a.dir was \"here/bots\" and is \"here/others\"";
        assert_eq!(found.words, [words]);
    }

    #[test]
    fn more_games_are_no_change_where_they_come_behind_those_that_were_played() {
        for (kind, was, is, are_more) in [
            ("gauntlet", 4, 6, true),
            ("round-robin", 2, 3, true),
            ("round-robin", 3, 4, false),
            ("round-robin", 4, 2, false),
            ("swiss", 2, 4, false),
            ("sprt", 100, 400, true),
            ("sprt", 400, 100, false),
        ] {
            let key = ["games-per-pairing", "max-games"][usize::from(kind == "sprt")];
            let number = |games: u32| format!("{kind}\", {key} = {games}");
            let old = OLD.replace("round-robin\", games-per-pairing = 2", &number(was));
            let found = changed(&old, &number(was), &number(is));
            assert_eq!(found.beside_games, are_more, "{kind} {was} {is}");
            assert_eq!(found.other_tournament, !are_more, "{kind} {was} {is}");
        }
    }

    #[test]
    fn terms_can_change_and_the_tournament_cannot() {
        let terms = changed(OLD, "margin = \"1s\"", "margin = \"2s\"");
        assert_eq!(terms.words, ["clock.margin was \"1s\" and is \"2s\""]);
        assert!(!terms.other_tournament && terms.players.is_empty());
        for (from, to) in [
            ("seed = 1", "seed = 2"),
            ("size = \"9\"", "size = \"8\""),
            ("name = \"cachex\"", "name = \"dark-chess\""),
            ("name = \"b\"", "name = \"c\""),
        ] {
            let changes = changed(OLD, from, to);
            assert!(changes.other_tournament, "{from} to {to}: {changes:?}");
        }
    }
}
