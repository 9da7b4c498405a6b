//! How the openings of a file are used.

use crate::rating::Openings as OpeningsAre;

/// Maximum number of plies in an opening.
pub const LONGEST_OPENING: u32 = 100;

/// Assignment of openings to game pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningOrder {
    /// A random one for each block.
    Random,
    /// In the order of the file, again and again.
    Sequential,
}

impl OpeningOrder {
    /// All orders.
    pub const ALL: [OpeningOrder; 2] = [OpeningOrder::Random, OpeningOrder::Sequential];

    /// The name in configurations and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Sequential => "sequential",
        }
    }
}

/// How the openings of a file are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningUse {
    /// Their order.
    pub order: OpeningOrder,
    /// With a sequential order, the opening of the first block, from 1.
    pub first: usize,
    /// How many plies of each are played; `None` is all.
    pub length: Option<u32>,
    /// Whether they are a sample of many.
    pub are: OpeningsAre,
}

impl From<OpeningOrder> for OpeningUse {
    /// All openings from the first one, whole.
    fn from(order: OpeningOrder) -> Self {
        Self {
            order,
            first: 1,
            length: None,
            are: OpeningsAre::default(),
        }
    }
}
