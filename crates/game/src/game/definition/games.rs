//! The games that a reader may meet.

use std::fmt::Debug;

use crate::game::{Game, RulesCommand, RulesFault};

/// Ending of the label of a rules program's game that shares its name with a built-in game.
const BY_PROGRAM: &str = " (rules program)";

pub fn name_of_label(label: &str) -> &str {
    label.strip_suffix(BY_PROGRAM).unwrap_or(label)
}

/// The games that configurations and records may name. Copy, like a [`Game`].
#[derive(Debug, Clone, Copy)]
pub struct Games {
    known: &'static [Game],
    programs: Option<&'static dyn ProgramGames>,
}

impl Games {
    /// These games. No two share a name.
    pub const fn new(games: &'static [Game]) -> Self {
        Self {
            known: games,
            programs: None,
        }
    }

    pub const fn with_programs(self, programs: &'static dyn ProgramGames) -> Self {
        Self {
            programs: Some(programs),
            ..self
        }
    }

    /// The maker of games of rules programs, where they may be named.
    pub fn programs(self) -> Option<&'static dyn ProgramGames> {
        self.programs
    }

    pub fn named(self, name: &str) -> Option<Game> {
        self.into_iter().find(|game| game.name() == name)
    }

    /// The label of a rules program's game of this name: a name that none of these games has.
    pub fn program_label(self, name: &str) -> String {
        match self.named(name) {
            Some(game) if game.program().is_none() => format!("{name}{BY_PROGRAM}"),
            _ => name.to_owned(),
        }
    }

    /// This game with `count` seats. A rules program is asked again where it has another number now.
    pub fn with_seats(self, game: Game, count: usize) -> Result<Game, RulesFault> {
        let not_so_many = || {
            let names = game.seat_names().join(" ");
            RulesFault::Broken(format!(
                "the game has `seats {names}`, and {count} seats are asked for"
            ))
        };
        match (game.program(), self.programs) {
            _ if game.seat_count() == count => Ok(game),
            (Some(program), Some(programs)) => programs.ask(RulesCommand {
                seats: Some(count.try_into().map_err(|_| not_so_many())?),
                ..program.command.clone()
            }),
            _ => Err(not_so_many()),
        }
    }

    pub fn names(self) -> String {
        let names: Vec<&str> = self.into_iter().map(Game::name).collect();
        names.join(", ")
    }

    pub fn as_slice(self) -> &'static [Game] {
        self.known
    }
}

impl IntoIterator for Games {
    type Item = Game;
    type IntoIter = std::iter::Copied<std::slice::Iter<'static, Game>>;

    fn into_iter(self) -> Self::IntoIter {
        self.known.iter().copied()
    }
}

pub trait ProgramGames: Debug + Sync {
    /// The game of this program, which is started and asked.
    fn ask(&self, command: RulesCommand) -> Result<Game, RulesFault>;

    /// The game with this hello. The program is started once rules are asked.
    fn recorded(&self, command: RulesCommand, hello: &str) -> Result<Game, RulesFault>;
}
