//! Labels of the games in files, so that games of one name from different rules stay apart; and the names of their seats.

use std::collections::HashMap;

use super::row::ResultRow;
use crate::game::Games;
use crate::runs::Run;

/// The labels of the games in one file of results. A run says by its manifest which of its games has a rules program.
/// Any other file shows it by the digests of answers.
#[derive(Debug)]
pub struct GameLabels {
    built_in: Games,
    /// Whether the file is of a run, so that all its games are known.
    is_of_run: bool,
    /// The labels and the seats of games of rules programs, by the names of the games.
    programs: HashMap<String, (String, &'static [&'static str])>,
}

impl GameLabels {
    /// The labels in the journal of `run`, or in a file that is of no known run.
    pub fn new(built_in: Games, run: Option<&Run>) -> Self {
        let planned = run.into_iter().flat_map(Run::games);
        let games = planned.map(|planned| planned.game());
        let programs = games.filter(|game| game.program().is_some());
        Self {
            built_in,
            is_of_run: run.is_some(),
            programs: programs
                .map(|game| {
                    let own = (game.label().to_owned(), game.seat_names());
                    (game.name().to_owned(), own)
                })
                .collect(),
        }
    }

    /// A row whose game is named by its label, with the names of the seats.
    pub fn labelled<'a>(&'a mut self, row: &ResultRow<'a>) -> ResultRow<'a> {
        if !self.is_of_run && !row.answers.is_empty() && !self.programs.contains_key(row.game) {
            let label = self.built_in.program_label(row.game);
            self.programs.insert(row.game.to_owned(), (label, &[]));
        }
        let program = match self.programs.is_empty() {
            true => None,
            false => self.programs.get(row.game),
        };
        let built_in = || self.built_in.named(row.game).map(|game| game.seat_names());
        let (game, seats) = match program {
            Some((label, seats)) => (label.as_str(), *seats),
            None => (row.game, built_in().unwrap_or_default()),
        };
        ResultRow {
            game,
            seats,
            ..row.clone()
        }
    }
}
