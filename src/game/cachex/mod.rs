//! Cachex: a connection game on a rhombus of hexagons, with captures.
//!
//! [`State`] is a whole game: a [`Board`], and the history that the repetition rule needs.
//! `docs/rules/cachex.md` gives the rules and explains every doubtful point.

mod board;
mod chain;
mod definition;
mod drawing;
pub(crate) mod hex;
mod history;
mod names;
mod notation;
mod options;
mod rule;
mod state;

pub use board::{Board, MAX_TURNS};
pub use definition::GAME;
pub use names::{CONNECTION, MAX_TURNS_PLAYED, REPETITION};
pub use notation::{Action, Cell, Public};
pub use options::{MAX_SIZE, MIN_SIZE, Options};
pub use rule::Rule;
pub use state::{PartsError, State};
