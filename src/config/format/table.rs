//! The `[format]` table of a [`Format`].

use super::super::file::{FormatKind, FormatTable, whole};
use crate::schedule::{Format, TableFormat, TableKind};

impl FormatTable {
    /// The table for a format.
    pub fn new(format: &Format, players: &[&str], opening_plies: u32) -> Self {
        let name = |player: &usize| players[*player].to_owned();
        let some = |number: u32| Some(whole(number));
        let empty = Self::of_kind(FormatKind::of(format), opening_plies);
        match format {
            Format::RoundRobin(games) => Self {
                games_per_pairing: some(games.get()),
                ..empty
            },
            Format::Gauntlet { challengers, games } => Self {
                games_per_pairing: some(games.get()),
                challengers: Some(whole(challengers.iter().map(name).collect())),
                ..empty
            },
            Format::Swiss { rounds, pairs } => Self {
                games_per_pairing: some(pairs.get() * 2),
                rounds: some(*rounds),
                ..empty
            },
            Format::Knockout { pairs } => Self {
                games_per_pairing: some(pairs.get() * 2),
                ..empty
            },
            Format::Sprt {
                challenger,
                test,
                most_pairs,
                seats,
            } => Self {
                challengers: Some(whole(vec![name(challenger)])),
                elo0: Some(whole(test.elo0)),
                elo1: Some(whole(test.elo1)),
                alpha: Some(whole(test.alpha)),
                beta: Some(whole(test.beta)),
                model: Some(whole(test.model.name().to_owned())),
                max_games: most_pairs.map(|blocks| whole(blocks * *seats as u64)),
                ..empty
            },
            Format::Adaptive { test, most_pairs } => Self {
                confidence: Some(whole(test.confidence)),
                indifference: Some(whole(test.indifference)),
                max_games: Some(whole(most_pairs * 2)),
                ..empty
            },
            Format::Tables(TableFormat { seats, kind }) => match kind {
                TableKind::RoundRobin { games } => empty.with_table_games(*games, *seats),
                TableKind::Gauntlet {
                    challengers,
                    blocks,
                } => Self {
                    blocks: Some(whole(*blocks as u32)),
                    challengers: Some(whole(challengers.iter().map(name).collect())),
                    ..empty
                },
                TableKind::Swiss { rounds, blocks } => Self {
                    blocks: Some(whole(*blocks as u32)),
                    rounds: some(*rounds),
                    ..empty
                },
            },
        }
    }

    /// A table without the keys of its kind.
    fn of_kind(kind: FormatKind, opening_plies: u32) -> Self {
        Self {
            kind,
            games_per_pairing: None,
            blocks: None,
            opening_plies: Some(whole(opening_plies)),
            challengers: None,
            rounds: None,
            elo0: None,
            elo1: None,
            alpha: None,
            beta: None,
            model: None,
            confidence: None,
            indifference: None,
            max_games: None,
        }
    }

    /// The table of a round robin. In games of more than two seats, these are all games.
    pub(in crate::config) fn round_robin(games: u32, seats: usize, opening_plies: u32) -> Self {
        let empty = Self::of_kind(FormatKind::RoundRobin, opening_plies);
        match seats {
            2 => Self {
                games_per_pairing: Some(whole(games)),
                ..empty
            },
            _ => empty.with_table_games(games.into(), seats),
        }
    }

    /// This table with the number of games at tables. `max-games` cuts the last block where it is not whole.
    fn with_table_games(self, games: u64, seats: usize) -> Self {
        let blocks = games.div_ceil(seats as u64);
        Self {
            blocks: Some(whole(blocks.try_into().unwrap_or(u32::MAX))),
            max_games: (!games.is_multiple_of(seats as u64)).then(|| whole(games)),
            ..self
        }
    }

    /// Whether this has the games of `before` and more behind them: the pairings are fixed and played as game
    /// pairs, or the tables in blocks.
    pub fn only_adds_games_to(&self, before: &Self) -> bool {
        let games = |table: &Self| Some(*table.games_per_pairing.as_ref()?.get_ref());
        let blocks = |table: &Self| Some(*table.blocks.as_ref()?.get_ref());
        let is_fixed = matches!(before.kind, FormatKind::RoundRobin | FormatKind::Gauntlet);
        let more = games(before).zip(games(self));
        let more_blocks = blocks(before).zip(blocks(self));
        let are_whole = before.max_games.is_none();
        is_fixed
            && (more.is_some_and(|(was, is)| was % 2 == 0 && is > was)
                || are_whole && more_blocks.is_some_and(|(was, is)| is > was))
    }

    /// The table without the number of games per pairing.
    pub fn without_number_of_games(self) -> Self {
        Self {
            games_per_pairing: None,
            blocks: None,
            ..self
        }
    }

    /// Number of random plies at the start of games without listed openings.
    pub fn opening_plies(&self) -> u32 {
        self.opening_plies
            .as_ref()
            .map_or(0, |plies| *plies.get_ref())
    }
}

impl FormatKind {
    fn of(format: &Format) -> Self {
        match format {
            Format::RoundRobin(_) => Self::RoundRobin,
            Format::Gauntlet { .. } => Self::Gauntlet,
            Format::Swiss { .. } => Self::Swiss,
            Format::Knockout { .. } => Self::Knockout,
            Format::Sprt { .. } => Self::Sprt,
            Format::Adaptive { .. } => Self::Adaptive,
            Format::Tables(format) => match format.kind {
                TableKind::RoundRobin { .. } => Self::RoundRobin,
                TableKind::Gauntlet { .. } => Self::Gauntlet,
                TableKind::Swiss { .. } => Self::Swiss,
            },
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Swiss => "swiss",
            Self::Knockout => "knockout",
            Self::Sprt => "sprt",
            Self::Adaptive => "adaptive",
        }
    }
}
