//! Chess, and Fischer random chess (Chess960).
//!
//! Moves are made by the library `cozy-chess`. [`State`] adds what a game has besides a board: the spelling of
//! moves, and the draws that need its history. `docs/rules/chess.md` gives the rules and every choice.

mod book;
mod definition;
mod drawing;
mod ends;
mod fen;
mod movetext;
mod options;
mod rule;
mod san;
mod state;

pub use definition::GAME;
pub use ends::{CHECKMATE, FIFTY_MOVES, INSUFFICIENT_MATERIAL, STALEMATE, THREEFOLD_REPETITION};
pub use fen::FenError;
pub use movetext::{Action, Public};
pub use options::{Options, Variant};
pub use rule::Rule;
pub use state::State;
