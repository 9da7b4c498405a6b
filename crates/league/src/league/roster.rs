//! `roster.toml`: all versions of all bots.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::Table;

use super::LeagueError;
use crate::config::{read_text, toml_problem};
use crate::runs::write_bytes;
use crate::text::did_you_mean;

/// The roster's file name.
const ROSTER: &str = "roster.toml";

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roster {
    /// Versions, in the order in which they came.
    #[serde(default, rename = "version")]
    pub versions: Vec<Version>,
}

/// A bot as it was handed in once: a player of the league's runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// The bot that it is a version of. Folders and records have this name for ever.
    pub owner: String,
    /// The bot's name on screens.
    pub shown: String,
    /// Its number, from 1.
    pub version: u32,
    pub state: State,
    /// Why it plays no more.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// When it was added, UTC.
    pub added: String,
    /// A digest of its files; empty without a folder.
    #[serde(default)]
    pub digest: String,
    /// Whether a stranger wrote its command, which then opens no file of this machine.
    #[serde(default)]
    pub submitted: bool,
    /// The keys of a `[[player]]`, but for `name` and `dir`.
    pub player: Table,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    Active,
    /// A newer version plays, or nobody wants it to: it is rated, and may be an anchor.
    Retired,
    /// It forfeited too often.
    Benched,
    /// It was taken out of the league, and is in no table.
    Removed,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Retired => "retired",
            Self::Benched => "benched",
            Self::Removed => "removed",
        }
    }
}

impl Version {
    /// The name of the player in runs.
    pub fn player_name(&self) -> String {
        format!("{}.{}", self.owner, self.version)
    }

    /// The name of the player on screens.
    pub fn shown_name(&self) -> String {
        format!("{} {}", self.shown, self.version)
    }
}

impl Roster {
    /// Reads the roster of a league; nobody is in it before the first bot came.
    pub fn load(league: &Path) -> Result<Self, LeagueError> {
        let path = league.join(ROSTER);
        let bad = |problem: String| LeagueError::Roster {
            path: path.clone(),
            problem,
        };
        let text = match read_text(&path) {
            Ok(text) => text,
            Err(_) if !path.exists() => return Ok(Self::default()),
            Err(error) => return Err(bad(format!("cannot be read: {error}"))),
        };
        toml::from_str(&text).map_err(|error| {
            let (line, problem) = toml_problem(&text, &error);
            let line = line.map_or_else(String::new, |line| format!("line {line}: "));
            bad(format!("{line}{problem}"))
        })
    }

    pub fn save(&self, league: &Path) -> Result<(), LeagueError> {
        let path = league.join(ROSTER);
        let text = toml::to_string(self).map_err(|error| LeagueError::Roster {
            path: path.clone(),
            problem: format!("cannot be written: {error}"),
        })?;
        Ok(write_bytes(&path, text)?)
    }

    /// The newest version of each bot that was not removed, by the bot's name.
    pub fn newest(&self) -> impl Iterator<Item = &Version> {
        let kept = self.versions.iter().filter(|it| it.state != State::Removed);
        let newest: BTreeMap<&str, &Version> = kept.map(|it| (it.owner.as_str(), it)).collect();
        newest.into_values()
    }

    pub fn of<'a>(&'a self, owner: &'a str) -> impl DoubleEndedIterator<Item = &'a Version> {
        self.versions.iter().filter(move |it| it.owner == owner)
    }

    pub fn active(&self) -> impl Iterator<Item = &Version> {
        self.versions.iter().filter(|it| it.state == State::Active)
    }

    /// All versions of the bot with this name, or shown by it.
    pub fn versions_of(&mut self, name: &str) -> Result<Vec<&mut Version>, LeagueError> {
        let is_it = |it: &Version| it.owner == name || it.shown == name;
        let known: Vec<String> = self.newest().map(|it| it.owner.clone()).collect();
        let found: Vec<&mut Version> = self.versions.iter_mut().filter(|it| is_it(it)).collect();
        if found.is_empty() || found.iter().all(|it| it.state == State::Removed) {
            let meant = did_you_mean(name, known.iter().map(String::as_str));
            let meant = meant.map_or_else(String::new, |meant| format!(" {meant}"));
            return Err(LeagueError::usage(format!(
                "no bot is called `{name}`{meant}: expected one of {}",
                known.join(", ")
            )));
        }
        Ok(found)
    }

    /// Takes a bot out of play. It stays rated.
    pub fn retire(&mut self, name: &str) -> Result<(), LeagueError> {
        for version in self.versions_of(name)? {
            if matches!(version.state, State::Active | State::Benched) {
                version.state = State::Retired;
                version.why.clear();
            }
        }
        Ok(())
    }

    /// Takes a bot out of play and out of all tables. Its games stay in the records.
    pub fn remove(&mut self, name: &str) -> Result<(), LeagueError> {
        for version in self.versions_of(name)? {
            version.state = State::Removed;
        }
        Ok(())
    }

    /// Changes the name of a bot on screens.
    pub fn rename(&mut self, name: &str, shown: &str) -> Result<(), LeagueError> {
        let owner = self.versions_of(name)?[0].owner.clone();
        let is_taken = |it: &Version| it.owner != owner && (it.shown == shown || it.owner == shown);
        if self.versions.iter().any(is_taken) {
            return Err(LeagueError::usage(format!(
                "another bot is called `{shown}`: expected a name that nobody has"
            )));
        }
        for version in self.versions.iter_mut().filter(|it| it.owner == owner) {
            shown.clone_into(&mut version.shown);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(owner: &str, version: u32, state: State) -> Version {
        Version {
            owner: owner.to_owned(),
            shown: owner.to_owned(),
            version,
            state,
            why: String::new(),
            added: String::new(),
            digest: String::new(),
            submitted: false,
            player: Table::new(),
        }
    }

    #[test]
    fn names_on_screens_change_and_names_in_records_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut roster = Roster {
            versions: vec![
                version("ann", 1, State::Retired),
                version("bob", 1, State::Active),
                version("ann", 2, State::Active),
            ],
        };
        assert!(roster.rename("ann", "bob").is_err());
        roster.rename("ann", "Ann Ö").expect("renamed");
        roster.retire("Ann Ö").expect("retired");
        roster.save(folder.path()).expect("saved");
        let read = Roster::load(folder.path()).expect("read");
        assert_eq!(read, roster);
        let names: Vec<String> = read.newest().map(Version::player_name).collect();
        assert_eq!(names, ["ann.2", "bob.1"]);
        assert_eq!(read.versions[2].shown_name(), "Ann Ö 2");
        assert_eq!(read.active().count(), 1);
        roster.remove("ann").expect("removed");
        assert_eq!(roster.newest().count(), 1);
        assert!(roster.retire("ann").is_err());
    }
}
