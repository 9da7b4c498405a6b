//! Results of finished games, and their place in a plan.

use std::collections::{BTreeMap, HashMap};

use super::GameRow;
use super::set_aside::SetAsideGame;
use crate::config::{Plan, PlannedGame};
use crate::game::{Game, GameResult, PerSeat};
use crate::runs::error::RowProblem;
use crate::schedule::{Ticket, values_text};

#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    pub game: usize,
    pub block: u64,
    pub round: Option<u64>,
    pub players: PerSeat<usize>,
    pub result: GameResult,
    /// The values of each player's parameters, if its row has them.
    pub values: Option<Box<PerSeat<String>>>,
    /// Whether it counts as a draw because it could not be played. Its values are recorded nowhere.
    pub is_set_aside: bool,
}

impl Done {
    /// Whether this is the game that a schedule issued.
    pub fn is_of(&self, game: usize, ticket: &Ticket) -> bool {
        let values = ticket.values.as_deref().map(PerSeat::each_ref);
        let values = values.map(|values| values.map(values_text));
        (self.game, self.block, &self.players, self.round)
            == (game, ticket.block, &ticket.players, ticket.round)
            && (self.is_set_aside || self.values.as_deref() == values.as_ref())
    }
}

pub type DoneGames = BTreeMap<u64, Done>;

pub struct PlanIndex<'a> {
    games: Vec<Game>,
    players: HashMap<&'a str, usize>,
}

impl<'a> PlanIndex<'a> {
    pub(in crate::runs) fn new(
        games: &[PlannedGame],
        players: impl Iterator<Item = &'a str>,
    ) -> Self {
        Self {
            games: games.iter().map(PlannedGame::game).collect(),
            players: players.enumerate().map(|(at, name)| (name, at)).collect(),
        }
    }

    pub fn of_plan(plan: &'a Plan) -> Self {
        let players = plan.players.iter().map(|entry| entry.name.as_str());
        Self::new(&plan.games, players)
    }

    pub fn done(&self, row: &GameRow) -> Result<Done, RowProblem> {
        Ok(Done {
            players: self.players(&row.players)?,
            game: self.game(row.game.name())?,
            block: row.block,
            round: row.start.round,
            result: row.end.result,
            values: row.values.clone().map(Box::new),
            is_set_aside: false,
        })
    }

    /// The draw that a game set aside counts as for later pairings.
    pub fn drawn(&self, game: &SetAsideGame) -> Result<Done, RowProblem> {
        Ok(Done {
            players: self.players(&game.players)?,
            game: self.game(&game.game)?,
            block: game.block,
            round: game.round,
            result: GameResult::Drawn,
            values: None,
            is_set_aside: true,
        })
    }

    fn players(&self, names: &PerSeat<String>) -> Result<PerSeat<usize>, RowProblem> {
        PerSeat::try_of(names.count(), |seat| {
            let player = self.players.get(names[seat].as_str()).copied();
            player.ok_or_else(|| RowProblem::unknown("names a player"))
        })
    }

    fn game(&self, name: &str) -> Result<usize, RowProblem> {
        let game = self.games.iter().position(|known| known.name() == name);
        game.ok_or_else(|| RowProblem::unknown("is of a game"))
    }
}
