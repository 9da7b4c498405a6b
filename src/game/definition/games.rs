//! The games that a reader may meet.

use std::fmt::Debug;

use crate::game::{Game, RulesCommand, RulesFault};

/// The games that configurations and records may name. Copy, like a [`Game`].
#[derive(Debug, Clone, Copy)]
pub struct Games {
    known: &'static [Game],
    /// Maker of games of rules programs.
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

    /// These games, and any game whose rules are a program.
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

    /// These games and one more, which takes the place of a game of its name. Definitions read at run time live as
    /// long as the process, so a list of them does too: their number is bounded by the configurations read.
    pub fn and(self, game: Game) -> Self {
        let others = self.into_iter().filter(|other| other.name() != game.name());
        let all: Vec<Game> = others.chain([game]).collect();
        Self {
            known: all.leak(),
            ..self
        }
    }

    /// The game of that name.
    pub fn named(self, name: &str) -> Option<Game> {
        self.into_iter().find(|game| game.name() == name)
    }

    /// The names, separated by commas.
    pub fn names(self) -> String {
        let names: Vec<&str> = self.into_iter().map(Game::name).collect();
        names.join(", ")
    }

    /// The games in their order.
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

/// Makes games of rules programs.
pub trait ProgramGames: Debug + Sync {
    /// The game of this program, which is started and asked.
    ///
    /// # Errors
    /// The program has no usable answer.
    fn ask(&self, command: RulesCommand) -> Result<Game, RulesFault>;

    /// The game with this hello. The program is started once rules are asked.
    ///
    /// # Errors
    /// The hello is none.
    fn recorded(&self, command: RulesCommand, hello: &str) -> Result<Game, RulesFault>;
}
