//! Command lines of other tournament managers as configurations.

use std::fmt::{self, Display};
use std::path::Path;

use super::{Draft, LINE_OPTIONS, LineOption};
use crate::game::chess;

/// A tournament manager whose command lines can be translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manager {
    Fastchess,
    Cutechess,
}

/// Options that change no configuration, or are read before all others.
const NEEDLESS: [&str; 17] = [
    "-rounds",
    "-games",
    "-tournament",
    "-seeds",
    "-recover",
    "-repeat",
    "-output",
    "-report",
    "-ratinginterval",
    "-scoreinterval",
    "-outcomeinterval",
    "-autosaveinterval",
    "-resultformat",
    "-log",
    "-debug",
    "-force-concurrency",
    "-concurrency",
];

/// An option with its values: each with its key, or with none.
#[derive(Debug)]
struct Group<'a> {
    name: &'a str,
    values: Vec<(&'a str, &'a str)>,
}

impl<'a> Group<'a> {
    fn get(&self, key: &str) -> Option<&'a str> {
        let mut values = self.values.iter();
        values.find_map(|(known, value)| (*known == key).then_some(*value))
    }

    /// Takes the values of a key.
    fn take(&mut self, key: &str) -> Vec<&'a str> {
        let taken = self.values.extract_if(.., |(known, _)| *known == key);
        taken.map(|(_, value)| value).collect()
    }
}

/// The words of a command line by options, which begin with `-` and a letter.
fn groups(words: &[String]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for word in words {
        let is_option = word.strip_prefix('-').is_some_and(|rest| {
            rest.starts_with(|first: char| first.is_ascii_alphabetic() || first == '-')
        });
        match groups.last_mut() {
            Some(group) if !is_option => {
                let (key, value) = word.split_once('=').unwrap_or(("", word));
                group.values.push((key, value));
            }
            _ => groups.push(Group {
                name: word,
                values: Vec::new(),
            }),
        }
    }
    groups
}

impl Manager {
    /// The configuration of a match of chess, and notes on words that it cannot say.
    ///
    /// # Errors
    /// It is no command line of this program: the problem says why.
    pub fn convert(self, words: &[String]) -> Result<(Draft, Vec<String>), String> {
        let mut groups = groups(words);
        let mut draft = Draft::new("match", chess::GAME);
        let mut notes = Vec::new();
        for engine in groups.iter_mut().filter(|group| group.name == "-engine") {
            add_engine(&mut draft, engine)?;
        }
        let names = draft.players().to_vec();
        if names.len() < 2 {
            return Err("expected two or more -engine".to_owned());
        }
        self.set_games(&mut draft, &groups, &names)?;
        let mut engines = 0..names.len();
        for mut group in groups {
            let whole = group.to_string();
            let is_known = match group.name {
                "-engine" => set_terms(&mut draft, engines.next(), &mut group)?,
                "-each" => set_terms(&mut draft, None, &mut group)?,
                _ => self.set_option(&mut draft, &mut group)?,
            };
            group.values.retain(|(_, value)| *value != "false");
            match (is_known, group.values.is_empty()) {
                (false, _) => notes.push(whole),
                (true, false) => notes.push(group.to_string()),
                (true, true) => {}
            }
        }
        Ok((draft, notes))
    }

    /// Sets who meets whom, and how often.
    fn set_games(
        self,
        draft: &mut Draft,
        groups: &[Group<'_>],
        names: &[String],
    ) -> Result<(), String> {
        let value = |name: &str| {
            let group = groups.iter().rev().find(|group| group.name == name)?;
            group.get("")
        };
        let (rounds, games) = match self {
            Self::Fastchess => ("2", "2"),
            Self::Cutechess => ("1", "1"),
        };
        let number = |name: &str, default: &str| {
            let text = value(name).unwrap_or(default);
            text.parse::<u32>()
                .map_err(|_| format!("{name} {text}: expected a whole number"))
        };
        let games = number("-rounds", rounds)?.saturating_mul(number("-games", games)?);
        // A pair has an opening with both colours.
        draft.set_option("games", &games.next_multiple_of(2).to_string())?;
        match value("-tournament").unwrap_or("roundrobin") {
            "roundrobin" | "round-robin" => Ok(()),
            "gauntlet" => {
                let seeds = number("-seeds", "1")? as usize;
                draft.set_option("gauntlet", &names[..seeds.min(names.len())].join(","))
            }
            other => Err(format!(
                "-tournament {other}: expected roundrobin or gauntlet"
            )),
        }
    }

    /// Takes the values of an option that is not about engines. Returns whether it has a counterpart.
    fn set_option(self, draft: &mut Draft, group: &mut Group<'_>) -> Result<bool, String> {
        let name = group.name;
        let mut is_known = NEEDLESS.contains(&name);
        for option in LINE_OPTIONS.iter().filter(|option| option.peer.0 == name) {
            is_known = true;
            if let Some(typed) = typed(option, group) {
                draft.set_option(option.name, &typed)?;
            }
        }
        let bare = group.get("").unwrap_or_default().to_owned();
        match name {
            "-sprt" if self == Self::Fastchess => draft.set_default("format.model", "normalized"),
            "-startup-ms" => draft.set("limits.handshake", format!("{bare}ms")),
            "-ucinewgame-ms" => draft.set("limits.start", format!("{bare}ms")),
            "-variant" if bare == "fischerandom" => draft.set("game.variant", "fischer-random"),
            "-variant" if bare == "standard" => {}
            "-openings" => {
                group.take("format");
                return Ok(true);
            }
            _ if NEEDLESS.contains(&name) => {}
            _ => return Ok(is_known),
        }
        if name != "-sprt" {
            group.values.clear();
        }
        Ok(true)
    }
}

/// The value of an option here, from the values of its counterpart.
fn typed(option: &LineOption, group: &mut Group<'_>) -> Option<String> {
    let mut typed = String::new();
    for (index, key) in option.peer.1.iter().enumerate() {
        let (key, default) = key
            .split_once('=')
            .map_or((*key, None), |(key, it)| (key, Some(it)));
        let mut given = group.take(key);
        if index == 0 && given.is_empty() {
            given = group.take("");
            given.truncate(1);
        }
        let Some(value) = given.last().copied().or(default) else {
            break;
        };
        let sign = index
            .checked_sub(1)
            .and_then(|index| option.signs().chars().nth(index));
        typed.extend(sign);
        typed.push_str(match (key, value) {
            ("twosided", "true") => "2",
            ("twosided", _) => "1",
            (_, value) => value,
        });
    }
    Some(typed).filter(|typed| !typed.is_empty())
}

/// Adds the player of an engine.
fn add_engine(draft: &mut Draft, engine: &mut Group<'_>) -> Result<(), String> {
    let command = engine.take("cmd");
    let command = command
        .last()
        .ok_or("-engine: expected cmd= with its program")?;
    let shown = engine.take("name").last().map(|name| (*name).to_owned());
    let stem = || {
        Some(
            Path::new(command)
                .file_stem()?
                .to_string_lossy()
                .into_owned(),
        )
    };
    let shown = shown.or_else(stem).unwrap_or_default();
    let good = |c: char| {
        if c.is_alphanumeric() || "-_.+".contains(c) {
            c
        } else {
            '-'
        }
    };
    let safe: String = shown.chars().map(good).collect();
    let name = draft.free_name(&safe);
    let lines = engine
        .take("args")
        .into_iter()
        .filter_map(shlex::split)
        .flatten();
    let args = engine.take("arg").into_iter().map(str::to_owned);
    let words: Vec<String> = std::iter::once((*command).to_owned())
        .chain(lines)
        .chain(args)
        .collect();
    let player = draft.players().len();
    draft.add_player(&name, [("command", words.into())]);
    if safe != shown {
        draft.set_of_player(player, "display-name", shown);
    }
    if let Some(dir) = engine.take("dir").last() {
        draft.set_of_player(player, "dir", *dir);
    }
    Ok(())
}

/// Takes the terms of an engine, or of each. Others stay. Returns whether the option has a counterpart: it has.
fn set_terms(
    draft: &mut Draft,
    player: Option<usize>,
    group: &mut Group<'_>,
) -> Result<bool, String> {
    let whose = player.map(|player| format!("{}:", draft.players()[player]));
    let whose = whose.unwrap_or_default();
    let mut fresh = false;
    let mut set = |option: &str, value: &str| draft.set_option(option, &format!("{whose}{value}"));
    for (key, value) in std::mem::take(&mut group.values) {
        match key {
            "tc" if value == "inf" => set("tc", "none")?,
            "tc" => set("tc", value)?,
            "st" => set("per-move", value)?,
            "timemargin" => set("margin", &format!("{value}ms"))?,
            "nodes" | "depth" => set("go", &format!("{key}={value}"))?,
            "plies" => set("go", &format!("depth={value}"))?,
            "proto" if value == "uci" => {}
            "restart" if value != "on" => {}
            "restart" => fresh = true,
            _ => match key.strip_prefix("option.") {
                Some(option) => set("option", &format!("{option}={value}"))?,
                None => group.values.push((key, value)),
            },
        }
    }
    if fresh {
        match player {
            Some(player) => draft.set_of_player(player, "fresh-process", true),
            None => draft.set("each.fresh-process", true),
        }
    }
    Ok(true)
}

impl Display for Group<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.values.iter().try_for_each(|(key, value)| match *key {
            "" => write!(f, " {value}"),
            key => write!(f, " {key}={value}"),
        })
    }
}
