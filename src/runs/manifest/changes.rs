//! Differences between the manifest of a run and the plan that is to continue it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;
use toml::{Table, Value};

use super::Manifest;
use super::players::PlayerTable;
use crate::config::GameTable;

/// The differences between two manifests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// A sentence for each change.
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
    /// Whether no change matters for a game.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Differences between two manifests, of games with this number of seats.
    pub(in crate::runs) fn between(
        old: &Manifest,
        new: &Manifest,
        seats: usize,
    ) -> Result<Self, toml::ser::Error> {
        let mut changes = Self::default();
        let Manifest {
            // With other terms, the games that were played keep their meaning.
            referee,
            protocol,
            clock,
            limits,
            record,
            // These make another tournament.
            seed,
            format,
            games,
            players,
            // Place and time of the run: they decide no game.
            name: _,
            created: _,
            jobs: _,
            machine: _,
        } = old;
        changes.note("referee", referee, &new.referee)?;
        changes.note("protocol", protocol, &new.protocol)?;
        changes.note("clock", clock, &new.clock)?;
        changes.note("limits", limits, &new.limits)?;
        changes.note("record", record, &new.record)?;
        let mut other = changes.note("seed", seed, &new.seed)?;
        let mut formats = [format, &new.format].map(Clone::clone);
        // With a second game, the numbers of its games would change.
        if games.len() == 1 && new.format.only_adds_games_to(format, seats) {
            changes.beside_games = true;
            formats = formats.map(|format| format.without_number_of_games());
        }
        other |= changes.note("format", &formats[0], &formats[1])?;
        other |= changes.note("games", &names(games), &names(&new.games))?;
        for (was, is) in games.iter().zip(&new.games) {
            // The digest of a rules program is compared, not where it lies.
            let [was, is] = [was, is].map(GameTable::without_dir);
            other |= changes.note(&format!("game {}", was.name()), &was, &is)?;
        }
        let names = [players, &new.players].map(|all| {
            let names = all.iter().map(|player| player.name.clone());
            names.collect::<Vec<_>>()
        });
        other |= changes.note("players", &names[0], &names[1])?;
        for was in players {
            if let Some(is) = new.player(&was.name) {
                changes.compare_players(was, is)?;
            }
        }
        changes.other_tournament = other;
        Ok(changes)
    }

    fn compare_players(
        &mut self,
        old: &PlayerTable,
        new: &PlayerTable,
    ) -> Result<(), toml::ser::Error> {
        let PlayerTable {
            name,
            display_name,
            house,
            command,
            args,
            dir,
            course_files,
            env,
            build,
            speaks,
            options,
            go,
            clock,
            limits,
            fresh_process,
            digest,
            files,
            // Each value of a grid is in another field, too.
            grid: _,
        } = old;
        let at = |key: &str| format!("player {name}.{key}");
        let mut other = self.note(&at("house"), house, &new.house)?;
        other |= self.note(&at("command"), command, &new.command)?;
        other |= self.note(&at("args"), args, &new.args)?;
        other |= self.note(&at("env"), env, &new.env)?;
        other |= self.note(&at("build"), build, &new.build)?;
        other |= self.note(&at("speaks"), speaks, &new.speaks)?;
        other |= self.note(&at("options"), options, &new.options)?;
        other |= self.note(&at("go"), go, &new.go)?;
        // A clock is in the logs of games; with other limits they keep their meaning.
        other |= self.note(&at("clock"), clock, &new.clock)?;
        self.note(&at("limits"), limits, &new.limits)?;
        other |= self.note(&at("fresh-process"), fresh_process, &new.fresh_process)?;
        other |= self.note(&at("files"), files, &new.files)?;
        if *digest != new.digest {
            self.words
                .push(format!("the files of player {name} changed"));
            other = true;
        }
        self.beside_games |= *display_name != new.display_name;
        for (key, was, is) in [
            ("dir", dir, &new.dir),
            ("course-files", course_files, &new.course_files),
        ] {
            let [old_name, new_name] =
                [was, is].map(|path| path.as_deref().and_then(Path::file_name));
            // A folder of the same name elsewhere: the tournament was moved with its bots. Its content has a digest.
            if was != is && old_name.is_some() && old_name == new_name {
                self.beside_games = true;
            } else {
                other |= self.note(&at(key), was, is)?;
            }
        }
        if other {
            self.players.insert(name.clone());
        }
        Ok(())
    }

    /// Says what changed at a place of the manifest, key by key, and gives whether anything did.
    fn note<T: Serialize + PartialEq>(
        &mut self,
        place: &str,
        was: &T,
        is: &T,
    ) -> Result<bool, toml::ser::Error> {
        if was == is {
            return Ok(false);
        }
        let [was, is] = [keys(place, was)?, keys(place, is)?];
        let all: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
        for key in all.into_iter().filter(|key| was.get(*key) != is.get(*key)) {
            let word = |keys: &BTreeMap<String, String>| {
                keys.get(key).map_or("nothing", String::as_str).to_owned()
            };
            let (was, is) = (word(&was), word(&is));
            self.words.push(format!("{key} was {was} and is {is}"));
        }
        Ok(true)
    }
}

/// The names of the games.
fn names(games: &[GameTable]) -> Vec<&str> {
    games.iter().map(GameTable::name).collect()
}

/// A value of a manifest as keys and values. Keys of a table are prefixed by its place.
fn keys(place: &str, value: &impl Serialize) -> Result<BTreeMap<String, String>, toml::ser::Error> {
    let mut table = Table::try_from(BTreeMap::from([("value", value)]))?;
    Ok(match table.remove("value") {
        None => BTreeMap::new(),
        Some(Value::Table(inner)) => inner
            .into_iter()
            .map(|(key, value)| (format!("{place}.{key}"), value.to_string()))
            .collect(),
        Some(value) => BTreeMap::from([(place.to_owned(), value.to_string())]),
    })
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
processes = "256"
open-files = "1024"
file-size = "1 GiB"
cpu = "none"
build-time = "2m"
build-memory = "2 GiB"
build-log = "256 KiB"
off-turn = "log"
isolation = "containment"
scratch = "64 MiB"
supervised = true
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
    fn a_changed_player_is_named() {
        let changes = changed(OLD, "\"y\"", "\"z\"");
        assert_eq!(changes.words, ["the files of player b changed"]);
        assert_eq!(changes.players, BTreeSet::from(["b".to_owned()]));
        assert!(!changes.other_tournament);
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
    fn a_player_with_another_clock_is_another_player_and_with_other_limits_the_same() {
        let found = changed(OLD, "per-game = \"5s\"", "per-game = \"6s\"");
        let words = "player b.clock.per-game was \"5s\" and is \"6s\"";
        assert_eq!(found.words, [words]);
        assert_eq!(found.players, BTreeSet::from(["b".to_owned()]));
        let found = changed(OLD, "line = \"4 KiB\"", "line = \"2 B\"");
        assert_eq!(found.words, ["limits.line was \"4 KiB\" and is \"2 B\""]);
        assert!(!found.other_tournament && found.players.is_empty());
    }

    #[test]
    fn more_games_are_no_change_where_they_come_behind_those_that_were_played() {
        for (kind, was, is, are_more) in [
            ("gauntlet", 4, 6, true),
            ("round-robin", 2, 3, true),
            ("round-robin", 3, 4, false),
            ("round-robin", 4, 2, false),
            ("swiss", 2, 4, false),
        ] {
            let number = |games: u32| format!("{kind}\", games-per-pairing = {games}");
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
