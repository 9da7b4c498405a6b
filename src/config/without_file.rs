//! A tournament without a file: its values fill in the keys of a configuration.

use std::path::Path;

use super::file::{
    Amount, Base, ClockSection, File, FormatTable, GameTable, LimitsSection, OneOrMany,
    PlayerSection, RecordSection, ReportSection, whole,
};
use super::validate::validate;
use super::{ConfigError, Plan};
use crate::game::{Game, Games};

/// A round robin, with the clock and limits of a configuration where it has none.
#[derive(Debug)]
pub struct Match<'a> {
    /// Name of the tournament.
    pub name: String,
    /// Master seed.
    pub seed: Option<u64>,
    /// The game.
    pub game: Game,
    /// Options of the game, or any other key of its table.
    pub options: Vec<(&'a str, &'a str)>,
    /// Number of games per pairing.
    pub games: u32,
    /// Number of random plies before the players take over.
    pub opening_plies: u32,
    /// Time of a player for one action.
    pub per_move: Option<String>,
    /// Time of a player for a game.
    pub per_game: Option<String>,
    /// Memory of a player.
    pub memory: Option<String>,
    /// The language of the players that are no house bots.
    pub speaks: Option<String>,
    /// The players.
    pub players: Vec<MatchPlayer>,
}

/// A player of a [`Match`].
#[derive(Debug)]
pub struct MatchPlayer {
    /// Its name.
    pub name: String,
    /// Its bot.
    pub program: Program,
}

/// Program of a bot.
#[derive(Debug)]
pub enum Program {
    /// A house bot and its arguments.
    House(String, Vec<String>),
    /// A program and its arguments.
    Command(Vec<String>),
}

impl Match<'_> {
    /// The plan, whose records may name `games`. Errors name `source` instead of a file, and have no place in it.
    ///
    /// # Errors
    /// A value is invalid.
    pub fn plan(self, source: &str, games: Games) -> Result<Plan, ConfigError> {
        let path = Path::new(source);
        validate(self.file(), Base::of(path, games)).map_err(|flaw| ConfigError {
            place: None,
            ..flaw.in_file("", path)
        })
    }

    fn file(self) -> File {
        let mut game = GameTable::of(self.game);
        if let Some(program) = self.game.program() {
            game.set_command(&program.command);
        }
        for (key, value) in self.options {
            game.set(key, value.to_owned());
        }
        let amount = |text: Option<String>| text.map(|text| whole(Amount(text)));
        File {
            name: Some(whole(self.name)),
            seed: self.seed,
            course_files: None,
            game: whole(OneOrMany(vec![game])),
            format: whole(FormatTable::round_robin(self.games, self.opening_plies)),
            clock: ClockSection {
                per_move: amount(self.per_move),
                per_game: amount(self.per_game),
                ..ClockSection::default()
            },
            limits: LimitsSection {
                memory: amount(self.memory),
                ..LimitsSection::default()
            },
            record: RecordSection::default(),
            report: ReportSection::default(),
            player: self
                .players
                .into_iter()
                .map(|player| player.section(self.speaks.as_deref()))
                .map(whole)
                .collect(),
        }
    }
}

impl MatchPlayer {
    fn section(self, speaks: Option<&str>) -> PlayerSection {
        let named = PlayerSection {
            name: Some(whole(self.name)),
            ..PlayerSection::default()
        };
        match self.program {
            Program::House(house, args) => PlayerSection {
                house: Some(whole(house)),
                args: Some(whole(args)),
                ..named
            },
            Program::Command(command) => PlayerSection {
                command: Some(whole(command)),
                speaks: speaks.map(|speaks| whole(speaks.to_owned())),
                ..named
            },
        }
    }
}
