//! A game of a plan, and the starts of its game pairs.

use super::Openings;
use crate::game::{Actors, AnyPosition, Game, PerSeat, RulesFault, Setup};
use crate::random::PairSeeds;
use crate::referee::{Adjudication, Adjudicator, GameSpec, Line, Opening, SeatTerms};

/// A game of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedGame {
    /// The game with its options.
    pub setup: Setup,
    /// Opening, played before the players take over.
    pub opening: PlannedOpening,
    /// Terms for an end before the rules end the game.
    pub adjudication: Adjudication,
    /// Options that players may know, with their values.
    pub options: Vec<(&'static str, String)>,
}

/// Opening of the game pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannedOpening {
    /// This number of random plies.
    Random(u32),
    /// An opening from a list.
    Listed(Openings),
}

impl PlannedGame {
    /// A game with this opening and no adjudication.
    pub fn new(setup: Setup, opening: PlannedOpening) -> Self {
        Self {
            options: setup.public_options(),
            setup,
            opening,
            adjudication: Adjudication::default(),
        }
    }

    /// The game itself.
    pub fn game(&self) -> Game {
        self.setup.game()
    }

    /// The public options as `key=value`, separated by spaces.
    pub fn options_text(&self) -> String {
        let options = self.options.iter();
        let options: Vec<String> = options
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        options.join(" ")
    }

    /// The listed openings, if there are any.
    pub fn openings(&self) -> Option<&Openings> {
        match &self.opening {
            PlannedOpening::Random(_) => None,
            PlannedOpening::Listed(openings) => Some(openings),
        }
    }

    /// Whether both seats act at once in the first ply. A game whose rules fail there is not played anyway.
    pub fn acts_at_once(&self) -> bool {
        // Which cards or layout are drawn does not matter, so any seed will do.
        let start = self.start(0, 0);
        start.is_ok_and(|start| start.position.to_act() == Actors::Both)
    }

    /// Seeds of the bots in game pair `pair`, by seat.
    pub fn bot_seeds(&self, master_seed: u64, pair: u64) -> [u64; 2] {
        PairSeeds::new(master_seed, self.game(), pair).bots
    }

    /// Start of game pair `pair`, a function of the master seed and the pair's number alone.
    ///
    /// # Errors
    /// The rules failed.
    pub fn start(&self, master_seed: u64, pair: u64) -> Result<PairStart<'_>, RulesFault> {
        let PairSeeds { bots, mut chance } = PairSeeds::new(master_seed, self.game(), pair);
        let position = self.setup.start(&mut chance)?;
        let (opening_plies, opening): (u32, Box<dyn Opening>) = match &self.opening {
            PlannedOpening::Random(plies) => (*plies, Box::new(chance)),
            PlannedOpening::Listed(openings) => {
                let line = openings.of_pair(pair, &mut chance);
                (line.len() as u32, Box::new(Line(line)))
            }
        };
        Ok(PairStart {
            planned: self,
            bot_seeds: bots.into(),
            position,
            opening_plies,
            opening,
        })
    }
}

/// Start of both games of a pair.
pub struct PairStart<'a> {
    planned: &'a PlannedGame,
    /// Seeds of the bots.
    pub bot_seeds: PerSeat<u64>,
    /// The position before the first ply.
    pub position: Box<dyn AnyPosition>,
    /// Number of plies in the opening.
    pub opening_plies: u32,
    /// Source of the opening's plies.
    pub opening: Box<dyn Opening + 'a>,
}

impl<'a> PairStart<'a> {
    /// The game.
    pub fn game(&self) -> Game {
        self.planned.game()
    }

    /// Adjudicator for a game with this start.
    pub fn adjudicator(&self) -> Adjudicator {
        Adjudicator::new(self.planned.adjudication, self.opening_plies)
    }

    /// Specification of the game for the referee, with the terms of both players.
    pub fn spec(&self, terms: PerSeat<SeatTerms<'a>>) -> GameSpec<'a> {
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
