//! House bots for chess.

mod evaluate;
mod greedy;
mod search;

pub use greedy::Greedy;
pub use search::Search;

#[cfg(test)]
mod tests;
