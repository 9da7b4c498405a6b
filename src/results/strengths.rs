//! The strengths of the players of one game, however many seats it has.

use std::ops::Range;

use super::rated::Rated;
use super::rated_tables::RatedTables;
use super::settings::Settings;
use crate::rating::{Estimate, Tally};

/// The rated players of one kind of game, as notes and the tables of each two players see them.
pub trait Strengths {
    /// The name of the game.
    fn game(&self) -> &str;
    /// The settings of the ratings.
    fn settings(&self) -> &Settings;
    /// Number of games.
    fn games(&self) -> u64;
    /// Whether every game was forfeited. Such games tell nothing about the seats.
    fn all_forfeited(&self) -> bool;
    /// The players, best first.
    fn order(&self) -> &[usize];
    /// The name of a player.
    fn name(&self, player: usize) -> &str;
    /// The player with this name, if there is one.
    fn find(&self, name: &str) -> Option<usize>;
    /// The rating of a player; `None` if there are no ratings.
    fn rating(&self, player: usize) -> Option<Estimate>;
    /// How much stronger one player is than another.
    fn difference(&self, player: usize, other: usize) -> Estimate;
    /// The probability that one player is stronger than another.
    fn superiority(&self, player: usize, other: usize) -> f64;
    /// The ranges of the order whose players are not told apart with this confidence.
    fn bands(&self, confidence: f64) -> Vec<Range<usize>>;
    /// The score that the ratings predict against an opponent; `None` where they predict none.
    fn expected(&self, player: usize, other: usize) -> Option<f64>;
    /// The games of two players; at a table of more, a player wins against each that it is ahead of.
    fn against(&self, player: usize, other: usize) -> Tally;
    /// A game's result against an opponent, in words: won, drawn and lost.
    fn outcomes(&self) -> &'static str;
}

impl Strengths for Rated<'_> {
    fn game(&self) -> &str {
        self.game
    }

    fn settings(&self) -> &Settings {
        self.settings
    }

    fn games(&self) -> u64 {
        self.standings.games()
    }

    fn all_forfeited(&self) -> bool {
        self.all_forfeited()
    }

    fn order(&self) -> &[usize] {
        &self.order
    }

    fn name(&self, player: usize) -> &str {
        self.name(player)
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.standings.find(name)
    }

    fn rating(&self, player: usize) -> Option<Estimate> {
        Some(self.ratings.rating(player, self.anchor))
    }

    fn difference(&self, player: usize, other: usize) -> Estimate {
        self.ratings.difference(player, other)
    }

    fn superiority(&self, player: usize, other: usize) -> f64 {
        self.ratings.superiority(player, other)
    }

    fn bands(&self, confidence: f64) -> Vec<Range<usize>> {
        self.ratings.bands(&self.order, confidence)
    }

    fn expected(&self, player: usize, other: usize) -> Option<f64> {
        Some(self.ratings.expected(player, other))
    }

    fn against(&self, player: usize, other: usize) -> Tally {
        self.standings.against(player, other)
    }

    fn outcomes(&self) -> &'static str {
        "won-drawn-lost"
    }
}

impl Strengths for RatedTables<'_> {
    fn game(&self) -> &str {
        self.game
    }

    fn settings(&self) -> &Settings {
        self.settings
    }

    fn games(&self) -> u64 {
        self.games.count()
    }

    fn all_forfeited(&self) -> bool {
        self.all_forfeited()
    }

    fn order(&self) -> &[usize] {
        &self.order
    }

    fn name(&self, player: usize) -> &str {
        &self.games.players()[player].name
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.games.find(name)
    }

    fn rating(&self, player: usize) -> Option<Estimate> {
        self.rating(player)
    }

    fn difference(&self, player: usize, other: usize) -> Estimate {
        let unknown = Estimate {
            elo: 0.0,
            error: f64::INFINITY,
        };
        let ratings = self.ratings.as_ref();
        ratings.map_or(unknown, |ratings| ratings.difference(player, other))
    }

    fn superiority(&self, player: usize, other: usize) -> f64 {
        let ratings = self.ratings.as_ref();
        ratings.map_or(0.5, |ratings| ratings.superiority(player, other))
    }

    fn bands(&self, confidence: f64) -> Vec<Range<usize>> {
        let ratings = self.ratings.as_ref();
        ratings.map_or_else(
            |_| std::iter::once(0..self.order.len()).collect(),
            |ratings| ratings.bands(&self.order, confidence),
        )
    }

    fn expected(&self, _: usize, _: usize) -> Option<f64> {
        None
    }

    fn against(&self, player: usize, other: usize) -> Tally {
        let met = self.counts.met(player, other);
        Tally {
            wins: met.ahead,
            draws: met.tied,
            losses: met.behind,
        }
    }

    fn outcomes(&self) -> &'static str {
        "ahead-tied-behind"
    }
}
