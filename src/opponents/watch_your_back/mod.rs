//! House bots for Watch Your Back!

mod evaluate;
mod greedy;
mod search;
mod table;

pub use greedy::Greedy;
pub use search::Search;

#[cfg(test)]
mod tests;
