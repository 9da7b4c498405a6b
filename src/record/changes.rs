//! What is different between the manifest of a run and the plan with which it is to go on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

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
    /// Whether the manifest changes in what leaves all games that were played as they are: what players are
    /// called on screens, more games of the same behind them.
    pub beside_games: bool,
}

impl Changes {
    /// Whether nothing changed that decides anything.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// Keys that say on what and when a run was begun, and not what is played.
const CIRCUMSTANCES: [&str; 4] = ["created", "jobs", "machine", "name"];

/// Keys with which the games that were played keep their meaning.
const TERMS: [&str; 5] = ["clock", "limits", "protocol", "record", "referee"];

/// Tables of a player's entry.
const PLAYER_TABLES: [&str; 2] = ["clock", "limits"];

/// The one with which the games that were played keep their meaning. A clock is in the logs of games.
const PLAYER_TERMS: &str = "limits";

const DISPLAY_NAME: &str = "display-name";

/// Folders of a player: what is in them has a digest.
const FOLDERS: [&str; 2] = ["course-files", "dir"];

/// The table of the format, and the number of games in it.
const FORMAT: &str = "format";
const GAMES_PER_PAIRING: &str = "games-per-pairing";

/// The formats whose pairings are fixed.
const FIXED_KINDS: [&str; 2] = ["gauntlet", "round-robin"];

/// The key of what a player has in the grid of its entry.
const GRID: &str = "grid";

impl Changes {
    /// What changed from one manifest to another.
    pub(super) fn between(old: &Manifest, new: &Manifest) -> Result<Self, toml::ser::Error> {
        Ok(changes(&Table::try_from(old)?, &Table::try_from(new)?))
    }
}

fn changes(old: &Table, new: &Table) -> Changes {
    let (old, new) = (flat(old), flat(new));
    let places: BTreeSet<&Place> = old.keys().chain(new.keys()).collect();
    let mut changes = Changes::default();
    for place in places {
        let (was, is) = (old.get(place), new.get(place));
        let Place { group, key } = place;
        if was == is || CIRCUMSTANCES.contains(&group.as_str()) {
            continue;
        }
        let player = group.strip_prefix("player ");
        // Whatever a grid changes is in another key, too.
        if player.is_some() && key == GRID {
            continue;
        }
        let is_beside = match (player, group.as_str()) {
            (Some(_), _) => {
                key == DISPLAY_NAME || (FOLDERS.contains(&key.as_str()) && is_moved(was, is))
            }
            (None, FORMAT) => key == GAMES_PER_PAIRING && are_more(&old, was, is),
            (None, _) => false,
        };
        if is_beside {
            changes.beside_games = true;
            continue;
        }
        let word = |value: Option<&String>| value.map_or("nothing", String::as_str).to_owned();
        changes.words.push(match player {
            Some(player) if key == "digest" => format!("the files of player {player} changed"),
            _ => format!("{place} was {} and is {}", word(was), word(is)),
        });
        let section = key.split('.').next().unwrap_or(key);
        match player {
            Some(_) if section == PLAYER_TERMS => {}
            Some(player) => {
                changes.players.insert(player.to_owned());
            }
            None => changes.other_tournament |= !TERMS.contains(&group.as_str()),
        }
    }
    changes
}

/// Whether a folder has the same name elsewhere, as when a tournament is moved with all its bots.
fn is_moved(was: Option<&String>, is: Option<&String>) -> bool {
    let name = |path: Option<&String>| Some(path?.rsplit('/').next()?.to_owned());
    was.is_some() && name(was) == name(is)
}

/// Whether a greater number of games per pairing adds games and changes none: those of fixed pairings that
/// are played as game pairs, in the only game, or else the numbers of the games of the next would change.
fn are_more(old: &BTreeMap<Place, String>, was: Option<&String>, is: Option<&String>) -> bool {
    let kind = old.get(&Place::new(FORMAT, "kind"));
    let is_fixed = kind.is_some_and(|kind| FIXED_KINDS.contains(&kind.trim_matches('"')));
    let names = old.get(&Place::new("games", ""));
    let is_only_game = names.is_none_or(|names| !names.contains(", "));
    let number = |text: Option<&String>| text.and_then(|text| text.parse::<u32>().ok());
    match (number(was), number(is)) {
        (Some(was), Some(is)) => is_fixed && is_only_game && was % 2 == 0 && is > was,
        _ => false,
    }
}

/// Where a value is in a manifest.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// A table such as `clock`, or `player` with a name, which may have dots; or a key outside of all tables.
    group: String,
    /// The key in the table.
    key: String,
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key.as_str() {
            "" => f.write_str(&self.group),
            key => write!(f, "{}.{key}", self.group),
        }
    }
}

/// Every value by its place; the entries of an array by their names.
fn flat(table: &Table) -> BTreeMap<Place, String> {
    let mut all = BTreeMap::new();
    for (group, value) in table {
        match value {
            Value::Table(inner) => put(&mut all, group, inner),
            Value::Array(entries) => {
                let mut names = Vec::new();
                for entry in entries.iter().filter_map(Value::as_table) {
                    let name = entry.get("name").and_then(Value::as_str).unwrap_or("?");
                    names.push(name);
                    put(&mut all, &format!("{group} {name}"), entry);
                }
                let place = Place::new(&format!("{group}s"), "");
                all.insert(place, names.join(", "));
            }
            value => {
                all.insert(Place::new(group, ""), value.to_string());
            }
        }
    }
    all
}

impl Place {
    fn new(group: &str, key: &str) -> Self {
        let [group, key] = [group, key].map(str::to_owned);
        Self { group, key }
    }
}

fn put(all: &mut BTreeMap<Place, String>, group: &str, table: &Table) {
    for (key, value) in table {
        match value {
            Value::Table(inner) if PLAYER_TABLES.contains(&key.as_str()) => {
                for (inner_key, value) in inner {
                    let place = Place::new(group, &format!("{key}.{inner_key}"));
                    all.insert(place, value.to_string());
                }
            }
            value => {
                all.insert(Place::new(group, key), value.to_string());
            }
        }
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
    fn a_name_may_have_dots_and_what_is_shown_is_no_change() {
        let old = OLD.replace("\"b\"", "\"b.digest\"");
        let found = changes(&table(&old), &table(&old.replace("\"y\"", "\"z\"")));
        assert_eq!(found.words, ["the files of player b.digest changed"]);
        assert_eq!(found.players, BTreeSet::from(["b.digest".to_owned()]));
        let found = changes(&table(OLD), &table(&format!("{OLD}display-name = \"B\"")));
        assert!(found.is_empty() && found.beside_games, "{found:?}");
    }

    #[test]
    fn a_player_with_another_clock_is_another_player_and_with_other_limits_the_same() {
        let own = |terms: &str| table(&format!("{OLD}{terms}"));
        let [was, is] =
            ["5s", "6s"].map(|time| own(&format!("clock = {{ per-game = \"{time}\" }}")));
        let found = changes(&was, &is);
        let words = "player b.clock.per-game was \"5s\" and is \"6s\"";
        assert_eq!(found.words, [words]);
        assert_eq!(found.players, BTreeSet::from(["b".to_owned()]));
        let found = changes(&own("limits = { line = 1 }"), &own("limits = { line = 2 }"));
        assert_eq!(found.words, ["player b.limits.line was 1 and is 2"]);
        assert!(!found.other_tournament && found.players.is_empty());
    }

    #[test]
    fn more_games_are_no_change_where_they_come_behind_those_that_were_played() {
        let with = |kind: &str, games: u32| {
            table(&format!(
                "{OLD}[format]\nkind = \"{kind}\"\ngames-per-pairing = {games}\n"
            ))
        };
        let more = |kind, was, is| changes(&with(kind, was), &with(kind, is));
        for (kind, was, is, are_more) in [
            ("gauntlet", 4, 6, true),
            ("round-robin", 2, 3, true),
            ("round-robin", 3, 4, false),
            ("round-robin", 4, 2, false),
            ("swiss", 2, 4, false),
        ] {
            let found = more(kind, was, is);
            assert_eq!(found.beside_games, are_more, "{kind} {was} {is}");
            assert_eq!(found.other_tournament, !are_more, "{kind} {was} {is}");
        }
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
