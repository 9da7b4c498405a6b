//! A tournament without a file: options make the text of one, which the reader of files turns into a plan.

mod convert;
mod options;

use std::path::Path;

pub use convert::Manager;
pub use options::{LINE_OPTIONS, LineOption};
use toml::Value;

use super::file::GameTable;
use super::{ConfigError, Plan};
use crate::game::{Game, Games};
use crate::pgn::is_writable;

const ELO0: &str = "format.elo0";
const CHALLENGERS: &str = "format.challengers";
const GAMES: &str = "format.games-per-pairing";
const MOST_GAMES: &str = "format.max-games";

/// Random plies that most games begin with, and games of a pairing.
const USUAL_PLIES: i64 = 2;
const USUAL_GAMES: i64 = 20;

/// The tables that a file has once, in their order, with `""` for the keys at its top.
const TABLES: [&str; 7] = ["", "game", "format", "clock", "limits", "record", "each"];

/// The text of a configuration while it is made, key by key.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    players: Vec<String>,
    keys: Vec<Key>,
}

#[derive(Debug, Clone)]
struct Key {
    player: Option<usize>,
    /// Its parts: the table first, unless that is a player's or the top.
    path: Vec<String>,
    value: Value,
    /// The option that asked for it, as it was typed.
    typed: Option<String>,
}

impl Draft {
    pub fn new(name: impl Into<Value>, game: Game) -> Self {
        let mut draft = Self::default();
        draft.set("name", name);
        let mut table = GameTable::of(game);
        if let Some(program) = game.program() {
            table.set_command(&program.command);
        }
        for (key, value) in table.0 {
            draft.set(&format!("game.{}", key.get_ref()), value.into_inner());
        }
        // Engines of chess that speak otherwise are rare.
        if is_writable(game) {
            draft.set("each.speaks", "uci");
        }
        draft
    }

    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.put(Key {
            player: None,
            path: key.split('.').map(str::to_owned).collect(),
            value: value.into(),
            typed: None,
        });
    }

    pub fn set_of_player(&mut self, player: usize, key: &str, value: impl Into<Value>) {
        self.put(Key {
            player: Some(player),
            path: vec![key.to_owned()],
            value: value.into(),
            typed: None,
        });
    }

    pub fn set_default(&mut self, key: &str, value: impl Into<Value>) {
        if !self.has(key) {
            self.set(key, value);
        }
    }

    pub fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|one| one.is(key))
    }

    fn put(&mut self, key: Key) {
        let is_it = |one: &&mut Key| one.player == key.player && one.path == key.path;
        match self.keys.iter_mut().find(is_it) {
            Some(one) => *one = key,
            None => self.keys.push(key),
        }
    }

    /// Adds a player, with the keys that say what it runs: `house` and `args`, or `command`.
    pub fn add_player<const N: usize>(&mut self, name: &str, program: [(&str, Value); N]) {
        let player = self.players.len();
        self.players.push(name.to_owned());
        self.set_of_player(player, "name", name);
        for (key, value) in program {
            self.set_of_player(player, key, value);
        }
    }

    /// Sets the keys of one of [`LINE_OPTIONS`] by its name.
    pub fn set_option(&mut self, name: &str, typed: &str) -> Result<(), String> {
        let option = LINE_OPTIONS.iter().find(|option| option.name == name);
        let option = option.ok_or_else(|| format!("--{name}: there is no such option"))?;
        option.set(self, name, typed)
    }

    /// This name for another player, or with a number if it is taken.
    pub fn free_name(&self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let free = names.find(|name| !self.players.contains(name));
        free.unwrap_or_default()
    }

    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Completes what a match begins with: some random plies, and whole blocks.
    pub fn complete_start(&mut self, game: Game) {
        if game.has_random_openings() && !self.has("game.openings") {
            self.set_default("format.opening-plies", USUAL_PLIES);
        }
        if !self.has(ELO0) {
            self.set_default(GAMES, USUAL_GAMES);
        }
        let seats = game.seat_count() as i64;
        for key in self.keys.iter_mut().filter(|key| key.is(GAMES)) {
            if let Value::Integer(games) = &mut key.value {
                *games = (*games + seats - 1) / seats * seats;
            }
        }
    }

    /// The plan, whose records may name `games`. Errors name the option that was typed, or else `source`.
    pub fn plan(&mut self, source: &str, games: Games) -> Result<Plan, ConfigError> {
        let (text, typed) = self.lines();
        let of_option = |error: ConfigError| {
            let place = error
                .place
                .and_then(|(line, _)| typed.get(line - 1)?.clone());
            let options = LINE_OPTIONS.iter();
            ConfigError {
                file: place.map_or(error.file, Into::into),
                place: None,
                problem: options.fold(error.problem, |problem, it| it.in_place_of_key(problem)),
                ..error
            }
        };
        Plan::parse(&text, Path::new(source), games).map_err(|mut error| {
            let others = std::mem::take(&mut error.others);
            ConfigError {
                others: others.into_iter().map(of_option).collect(),
                ..of_option(error)
            }
        })
    }

    pub fn text(&mut self) -> String {
        self.lines().0
    }

    fn lines(&mut self) -> (String, Vec<Option<String>>) {
        self.complete_format();
        let (mut text, mut typed) = (String::new(), Vec::new());
        let tables = TABLES.iter().map(|table| (*table, None));
        let players = (0..self.players.len()).map(|player| ("player", Some(player)));
        for (table, player) in tables.chain(players) {
            let keys = self.keys.iter().filter(|key| key.player == player);
            let mut keys = keys
                .filter(|key| player.is_some() || key.table() == table)
                .peekable();
            if keys.peek().is_none() {
                continue;
            }
            let mut add = |line: String, option: Option<&String>| {
                typed.extend(line.lines().map(|_| option.cloned()));
                text.push_str(&line);
            };
            match (table, player) {
                ("", _) => {}
                (_, None) => add(format!("\n[{table}]\n"), None),
                (_, Some(_)) => add("\n[[player]]\n".to_owned(), None),
            }
            let skipped = usize::from(player.is_none() && !table.is_empty());
            for key in keys {
                let path: Vec<String> = key.path[skipped..]
                    .iter()
                    .map(|part| quoted(part))
                    .collect();
                let line = format!("{} = {}\n", path.join("."), key.value);
                add(line, key.typed.as_ref());
            }
        }
        (text, typed)
    }

    /// Completes the format: its kind, and in a test the challenger and the greatest number of games.
    fn complete_format(&mut self) {
        let kind = match (self.has(ELO0), self.has(CHALLENGERS)) {
            (true, _) => "sprt",
            (false, true) => "gauntlet",
            (false, false) => "round-robin",
        };
        self.set_default("format.kind", kind);
        if let ("sprt", Some(first)) = (kind, self.players.first().cloned()) {
            self.set_default(CHALLENGERS, vec![first]);
            let games = self.keys.iter_mut().find(|key| key.is(GAMES));
            if let (Some(games), Some((_, key))) = (games, MOST_GAMES.split_once('.')) {
                key.clone_into(&mut games.path[1]);
            }
        }
    }
}

impl Key {
    fn is(&self, key: &str) -> bool {
        self.player.is_none() && self.path.join(".") == key
    }

    fn table(&self) -> &str {
        match self.path.as_slice() {
            [table, _, ..] => table,
            _ => "",
        }
    }
}

fn quoted(part: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    match !part.is_empty() && part.chars().all(is_bare) {
        true => part.to_owned(),
        false => Value::from(part).to_string(),
    }
}
