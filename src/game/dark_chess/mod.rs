//! Dark chess (翻棋): all 32 pieces of Chinese chess start face-down on eight rows of four.
//!
//! [`View`] holds the public information and all rules, since the legality of an action depends on
//! nothing hidden. [`State`] adds the face-down pieces, and looks one up only when an action reveals
//! it.

mod board;
mod definition;
mod names;
mod notation;
mod options;
mod parts;
mod pieces;
mod quiet;
mod rule;
mod state;
mod view;

pub use board::{Board, Cell, Moves};
pub use definition::GAME;
pub use names::{ELIMINATION, MAX_PLIES, NO_LEGAL, QUIET_PLIES, REPETITION, SCORE_60};
pub use notation::{Action, Public, Square};
pub use options::{Options, Repetition, Rules};
pub use parts::{Parts, PartsError};
pub use pieces::{Color, Kind, Piece};
pub use rule::Rule;
pub use state::State;
pub use view::{View, WINNING_SCORE};
