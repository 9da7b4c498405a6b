//! One of the games of a plan, and how its game pairs begin.

use super::Openings;
use crate::game::{AnyPosition, Game, Setup};
use crate::random::PairSeeds;
use crate::referee::{Adjudication, Adjudicator, GameSpec, Line, Opening, SeatTerms};

/// A game of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedGame {
    /// The game with its options.
    pub setup: Setup,
    /// What is played before the players take over.
    pub opening: PlannedOpening,
    /// When it ends before its rules end it.
    pub adjudication: Adjudication,
    /// The options that players may know, with their values.
    pub options: Vec<(&'static str, String)>,
}

/// What is played before the players take over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannedOpening {
    /// So many random plies.
    Random(u32),
    /// One of these openings.
    Listed(Openings),
}

impl PlannedGame {
    /// A game that begins like that.
    pub fn new(setup: Setup, opening: PlannedOpening) -> Self {
        Self {
            options: setup.public_options(),
            setup,
            opening,
            adjudication: Adjudication::default(),
        }
    }

    /// Which game it is.
    pub fn game(&self) -> Game {
        self.setup.game()
    }

    /// The options as `key=value`, separated by spaces.
    pub fn options_text(&self) -> String {
        let options = self.options.iter();
        let options: Vec<String> = options
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        options.join(" ")
    }

    /// Its openings, where they are listed.
    pub fn openings(&self) -> Option<&Openings> {
        match &self.opening {
            PlannedOpening::Random(_) => None,
            PlannedOpening::Listed(openings) => Some(openings),
        }
    }

    /// The seeds that the bots are given in game pair `pair`, by seat.
    pub fn bot_seeds(&self, master_seed: u64, pair: u64) -> [u64; 2] {
        PairSeeds::new(master_seed, self.game(), pair).bots
    }

    /// The start of game pair `pair`, which depends on the master seed and the number alone.
    pub fn start(&self, master_seed: u64, pair: u64) -> PairStart<'_> {
        let PairSeeds { bots, mut chance } = PairSeeds::new(master_seed, self.game(), pair);
        let position = self.setup.start(&mut chance);
        let (opening_plies, opening): (u32, Box<dyn Opening>) = match &self.opening {
            PlannedOpening::Random(plies) => (*plies, Box::new(chance)),
            PlannedOpening::Listed(openings) => {
                let line = openings.of_pair(pair, &mut chance);
                (line.len() as u32, Box::new(Line(line)))
            }
        };
        PairStart {
            planned: self,
            bot_seeds: bots,
            position,
            opening_plies,
            opening,
        }
    }
}

/// How both games of a pair begin.
pub struct PairStart<'a> {
    planned: &'a PlannedGame,
    /// The seeds that the bots are given, by seat.
    pub bot_seeds: [u64; 2],
    /// The position before the first ply.
    pub position: Box<dyn AnyPosition>,
    /// How many plies the opening has.
    pub opening_plies: u32,
    /// What chooses them.
    pub opening: Box<dyn Opening + 'a>,
}

impl<'a> PairStart<'a> {
    /// What decides the game before its rules do.
    pub fn adjudicator(&self) -> Adjudicator {
        Adjudicator::new(self.planned.adjudication, self.opening_plies)
    }

    /// What the referee must know to run a game that begins like this, with what the players are held to.
    pub fn spec(&self, terms: [SeatTerms<'a>; 2]) -> GameSpec<'a> {
        GameSpec {
            game: self.planned.game(),
            options: &self.planned.options,
            bot_seeds: self.bot_seeds,
            opening_plies: self.opening_plies,
            adjudication: self.planned.adjudication,
            terms,
        }
    }
}
