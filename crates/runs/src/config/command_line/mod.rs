//! A tournament without a file: its values make the text of one.

use std::path::Path;

use toml::{Table, Value};

use super::file::GameTable;
use super::{ConfigError, Plan};
use crate::game::{Game, Games};

/// A round robin, with the clock and limits of a configuration where it has none.
#[derive(Debug)]
pub struct Match<'a> {
    pub name: String,
    pub seed: Option<u64>,
    pub game: Game,
    /// Options of the game, or any other key of its table.
    pub options: Vec<(&'a str, &'a str)>,
    /// Number of games per pairing.
    pub games: u32,
    /// Number of random plies before the players take over.
    pub opening_plies: u32,
    /// Time of a player for one action.
    pub per_move: Option<String>,
    pub per_game: Option<String>,
    pub memory: Option<String>,
    /// The language of the players that are no house bots.
    pub speaks: Option<String>,
    pub players: Vec<MatchPlayer>,
}

/// A player of a [`Match`].
#[derive(Debug)]
pub struct MatchPlayer {
    pub name: String,
    pub program: Program,
}

#[derive(Debug)]
pub enum Program {
    House(String, Vec<String>),
    Command(Vec<String>),
}

impl Match<'_> {
    /// The plan, whose records may name `games`. Errors name `source` instead of a file, and have no place in it.
    pub fn plan(self, source: &str, games: Games) -> Result<Plan, ConfigError> {
        let failed = |problem: String| ConfigError {
            file: source.into(),
            place: None,
            problem,
            is_of_machine: false,
        };
        let text = self.text().map_err(|error| failed(error.to_string()))?;
        let plan = Plan::parse(&text, Path::new(source), games);
        plan.map_err(|error| failed(error.problem))
    }

    fn text(self) -> Result<String, toml::ser::Error> {
        let mut game = GameTable::of(self.game);
        if let Some(program) = self.game.program() {
            game.set_command(&program.command);
        }
        for (key, value) in self.options {
            game.set(key, value.to_owned());
        }
        let speaks = self.speaks.as_deref();
        let players = self.players.into_iter().map(|player| player.table(speaks));
        let format = [
            ("kind", Some("round-robin".into())),
            ("games-per-pairing", Some(self.games.into())),
            ("opening-plies", Some(self.opening_plies.into())),
        ];
        let clock = [
            ("per-move", self.per_move.map(Value::from)),
            ("per-game", self.per_game.map(Value::from)),
        ];
        let limits = [("memory", self.memory.map(Value::from))];
        toml::to_string(&table([
            ("name", Some(self.name.into())),
            ("seed", self.seed.map(Value::try_from).transpose()?),
            ("game", Some(Value::try_from(game)?)),
            ("format", Some(table(format).into())),
            ("clock", Some(table(clock).into())),
            ("limits", Some(table(limits).into())),
            ("player", Some(players.collect::<Vec<_>>().into())),
        ]))
    }
}

fn table<const N: usize>(keys: [(&str, Option<Value>); N]) -> Table {
    let keys = keys.into_iter();
    keys.filter_map(|(key, value)| Some((key.to_owned(), value?)))
        .collect()
}

impl MatchPlayer {
    fn table(self, speaks: Option<&str>) -> Table {
        let name = ("name", Some(self.name.into()));
        match self.program {
            Program::House(house, args) => table([
                name,
                ("house", Some(house.into())),
                ("args", Some(args.into())),
            ]),
            Program::Command(command) => table([
                name,
                ("command", Some(command.into())),
                ("speaks", speaks.map(Value::from)),
            ]),
        }
    }
}
