//! The conclusion of a tournament: places, rankings and sequential tests.

use crate::rating::{
    BlockScores, Interval, OrderVerdict, RankingTest, Sprt, SprtEstimate, SprtVerdict,
};
use crate::schedule::TuningState;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub player: usize,
    /// Place, from 1. Players that the format does not separate share one.
    pub place: usize,
    pub by: PlacedBy,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlacedBy {
    Points {
        all: f64,
        byes: f64,
        /// Sum of the opponents' points. A bye counts as an opponent with the player's own points.
        buchholz: f64,
    },
    /// Last round that the player played, or had a bye in.
    LastRound(u64),
    Rating {
        /// Distance to the next player; `None` for the last one.
        next: Option<NextPlace>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NextPlace {
    pub apart: OrderVerdict,
    /// Elo difference with a 95 % interval, corrected for the stopping time of the test.
    pub difference: Interval,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TestState {
    pub challenger: usize,
    pub test: Sprt,
    /// Scores of the challenger in the counted blocks: in a game of two, the game pairs with 0, ½, 1, 1½ and 2 points.
    pub scores: BlockScores,
    /// Number of blocks left out, because all players forfeited a game.
    pub left_out: u64,
    pub llr: f64,
    pub verdict: SprtVerdict,
    pub end: Option<TestEnd>,
}

impl TestState {
    pub fn games(&self) -> u64 {
        self.scores.blocks() * self.scores.seats() as u64
    }

    /// The counted game pairs with 0, ½, 1, 1½ and 2 points; `None` in a game of more than two seats.
    pub fn pairs(&self) -> Option<[u64; 5]> {
        self.scores.counts().try_into().ok()
    }

    pub fn bounds(&self) -> [f64; 2] {
        self.test.bounds(&self.scores)
    }

    pub fn estimate(&self) -> Option<SprtEstimate> {
        self.test.estimate(&self.scores)
    }
}

crate::named! {
    pub enum TestEnd {
        /// The log-likelihood ratio reached a bound.
        Bound = "bound",
        /// All blocks were level, and enough to place the difference between both hypotheses.
        EqualBlocks = "equal-blocks",
        MostBlocks = "max-games",
        /// All players forfeited games of many blocks in a row.
        Forfeits = "forfeits",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Conclusion {
    /// Places after a knockout, winner first.
    Winner(Vec<Place>),
    FinalOrder(Vec<Place>),
    Ranking {
        /// Indices of the players, best first.
        order: Vec<usize>,
        test: RankingTest,
        next: Vec<NextPlace>,
    },
    Test(TestState),
    Tuned(Box<TuningState>),
}

impl Conclusion {
    /// Places of the players, best first; empty for a test and a tuning.
    pub fn places(&self) -> Vec<Place> {
        match self {
            Self::Winner(places) | Self::FinalOrder(places) => places.clone(),
            Self::Ranking { order, next, .. } => {
                let place = |(at, player): (usize, &usize)| Place {
                    player: *player,
                    place: at + 1,
                    by: PlacedBy::Rating {
                        next: next.get(at).copied(),
                    },
                };
                order.iter().enumerate().map(place).collect()
            }
            Self::Test(_) | Self::Tuned(_) => Vec::new(),
        }
    }
}
