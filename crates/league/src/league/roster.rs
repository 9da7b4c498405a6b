//! `roster.toml`: all versions of all bots.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::GradeError;
use crate::config::{ConfigError, bad_display_name, text_of, toml_problem};
use crate::runs::{PlayerTable, write_bytes};
use crate::text::{did_you_mean, folded, look_alike, visible};

const ROSTER: &str = "roster.toml";

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roster {
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
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
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
    Benched,
    /// It tells too little: it is rated, and nobody meets it.
    Archived,
    /// It was taken out of the league, and is in no table.
    Removed,
    /// It is on trial. Its games do not count yet.
    Candidate,
    /// Its trial ended without a promotion. Its games are set aside.
    Rejected,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Retired => "retired",
            Self::Benched => "benched",
            Self::Archived => "archived",
            Self::Removed => "removed",
            Self::Candidate => "candidate",
            Self::Rejected => "rejected",
        }
    }

    fn is_in_play(self) -> bool {
        matches!(self, Self::Active | Self::Benched)
    }

    pub fn counts(self) -> bool {
        !matches!(self, Self::Candidate | Self::Rejected)
    }
}

impl Version {
    pub fn player_name(&self) -> String {
        format!("{}.{}", self.owner, self.version)
    }

    pub fn shown_name(&self) -> String {
        format!("{} {}", self.shown, self.version)
    }
}

impl Roster {
    /// Reads the roster of a league; nobody is in it before the first bot came.
    pub fn load(league: &Path) -> Result<Self, GradeError> {
        let path = league.join(ROSTER);
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = text_of(&path)?;
        let roster: Self = toml::from_str(&text).map_err(|error| {
            let (line, problem) = toml_problem(&text, &error);
            ConfigError::at_line(&path, line, problem)
        })?;
        let mut heads = text.lines().zip(1..).filter(|it| it.0 == "[[version]]");
        let (mut numbers, mut names) = (BTreeMap::new(), BTreeMap::new());
        for version in &roster.versions {
            let line: Option<usize> = heads.next().map(|it| it.1);
            let (owner, number) = (&version.owner, version.version);
            let twin = numbers.insert((owner, number), line).map(|first| {
                let problem = format!("version {number} of {owner} is there twice");
                (first, problem)
            });
            let is_there = version.state != State::Removed;
            let named = is_there.then(|| names.insert(folded(&version.shown), (owner, line)));
            let other = named.flatten().filter(|it| it.0 != owner);
            let other = other.map(|(_, first)| {
                let problem = format!("two bots are called `{}`", visible(&version.shown));
                (first, problem)
            });
            if let Some((first, problem)) = twin.or(other) {
                let first =
                    first.map_or_else(String::new, |line| format!(", first in line {line}"));
                let problem = format!("{problem}{first}: expected each once");
                return Err(ConfigError::at_line(&path, line, problem).into());
            }
        }
        Ok(roster)
    }

    pub fn save(&self, league: &Path) -> Result<(), GradeError> {
        let text = toml::to_string(self).map_err(|error| GradeError::usage(error.to_string()))?;
        Ok(write_bytes(&league.join(ROSTER), text)?)
    }

    /// Why a player of a run is not the version with its name; `None` if it is, or nobody has that name.
    pub fn unlike(&self, played: &PlayerTable) -> Option<String> {
        let mut versions = self.versions.iter();
        let version = versions.find(|it| it.player_name() == played.name)?;
        let strings = |key| match version.player.get(key) {
            Some(Value::Array(words)) => words.clone(),
            Some(word) => vec![word.clone()],
            None => Vec::new(),
        };
        let listed = ["house", "command", "args"].into_iter().flat_map(strings);
        let listed = listed.map(|it| it.as_str().unwrap_or_default().to_owned());
        let words = played.house.iter();
        let words = words.chain(played.command.iter().flatten());
        let words = words.chain(&played.args).cloned();
        // A plan for many machines names the program by its whole path.
        let short = |(at, word): (usize, String)| match word.rsplit_once('/') {
            Some((_, name)) if at == 0 => name.to_owned(),
            _ => word,
        };
        let words: Vec<String> = words.enumerate().map(short).collect();
        let listed: Vec<String> = listed.enumerate().map(short).collect();
        (words != listed).then(|| {
            let [words, listed] = [words, listed].map(|it| visible(&it.join(" ")));
            format!(
                "{} played there as `{words}`, and is `{listed}` in {ROSTER}",
                played.name
            )
        })
    }

    /// The newest version of each bot that was not removed, by the bot's name.
    pub fn newest(&self) -> impl Iterator<Item = &Version> {
        let is_kept = |it: &&Version| it.state.counts() && it.state != State::Removed;
        let kept = self.versions.iter().filter(is_kept);
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
    pub fn versions_of(&mut self, name: &str) -> Result<Vec<&mut Version>, GradeError> {
        let is_it = |it: &Version| it.owner == name || it.shown == name;
        let known: Vec<String> = self.newest().map(|it| it.owner.clone()).collect();
        let found: Vec<&mut Version> = self.versions.iter_mut().filter(|it| is_it(it)).collect();
        if found.is_empty() || found.iter().all(|it| it.state == State::Removed) {
            let meant = did_you_mean(name, known.iter().map(String::as_str));
            let meant = meant.map_or_else(String::new, |meant| format!(" {meant}"));
            return Err(GradeError::usage(format!(
                "no bot is called `{name}`{meant}: expected one of {}",
                known.join(", ")
            )));
        }
        Ok(found)
    }

    /// Takes a bot out of play: retired, archived or removed.
    pub fn withdraw(&mut self, name: &str, to: State) -> Result<(), GradeError> {
        for version in self.versions_of(name)? {
            let is_moved = match to {
                State::Removed => version.state.counts(),
                State::Archived => version.state != State::Removed && version.state.counts(),
                _ => version.state.is_in_play(),
            };
            if is_moved {
                version.state = to;
                version.why.clear();
            }
        }
        Ok(())
    }

    /// Adds a version. If it plays, earlier versions of the bot that played retire.
    pub fn enter(&mut self, version: Version) {
        if version.state == State::Active {
            let is_before = |it: &&mut Version| it.owner == version.owner && it.state.is_in_play();
            for before in self.versions.iter_mut().filter(is_before) {
                before.state = State::Retired;
                before.why = format!("version {} plays", version.version);
            }
        }
        self.versions.push(version);
    }

    /// The newest candidate of a bot, or the one with this number.
    pub fn candidate(&self, name: &str, number: Option<u32>) -> Result<Version, GradeError> {
        let is_it = |it: &&Version| {
            it.state == State::Candidate
                && (it.owner == name || it.shown == name)
                && number.is_none_or(|number| it.version == number)
        };
        let found = self.versions.iter().rfind(is_it).cloned();
        found.ok_or_else(|| {
            let number = number.map_or_else(String::new, |number| format!(" {number}"));
            GradeError::usage(format!(
                "{name} has no candidate{number}: `referee league try` with --dir or --command makes one"
            ))
        })
    }

    /// Ends the trial of a candidate: it plays, or is set aside.
    pub fn judge(
        &mut self,
        name: &str,
        number: Option<u32>,
        to: State,
    ) -> Result<Version, GradeError> {
        let judged = self.candidate(name, number)?;
        self.versions
            .retain(|it| it.player_name() != judged.player_name());
        self.enter(Version {
            state: to,
            ..judged.clone()
        });
        Ok(judged)
    }

    /// Fails if another bot has this name or one that looks like it: people, and some disks, take it for the same.
    pub fn check_free(&self, owner: &str, name: &str) -> Result<(), GradeError> {
        let is_other = |it: &&Version| it.owner != owner && it.state != State::Removed;
        let mut others = self.versions.iter().filter(is_other);
        match others.find(|it| look_alike(&it.shown, name) || look_alike(&it.owner, name)) {
            None => Ok(()),
            Some(other) => Err(GradeError::usage(format!(
                "another bot is called `{}`: expected a name that differs visibly, in more than case",
                other.shown
            ))),
        }
    }

    pub fn rename(&mut self, name: &str, shown: &str) -> Result<(), GradeError> {
        let owner = self.versions_of(name)?[0].owner.clone();
        if let Some(problem) = bad_display_name(shown) {
            return Err(GradeError::usage(format!("the new name {problem}")));
        }
        self.check_free(&owner, shown)?;
        for version in self.versions.iter_mut().filter(|it| it.owner == owner) {
            shown.clone_into(&mut version.shown);
        }
        Ok(())
    }
}
