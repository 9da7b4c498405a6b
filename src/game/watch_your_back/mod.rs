//! Watch Your Back!: place twelve pieces, then move; a piece between two enemies is eliminated,
//! and the board shrinks twice. `docs/rules/watch-your-back.md` gives the rules.

mod board;
mod definition;
mod drawing;
mod names;
mod notation;
mod options;
mod parts;
mod rule;
mod state;

pub use board::{Board, Direction, Square};
pub use definition::GAME;
pub use names::{AFTER_PLACING, ELIMINATION, MAX_PLIES, SHRINK_128, SHRINK_192};
pub use notation::{Action, Removed};
pub use options::Options;
pub use parts::PartsError;
pub use rule::Rule;
pub use state::{PLACING_PLIES, Public, SHRINKS_AFTER, State};
