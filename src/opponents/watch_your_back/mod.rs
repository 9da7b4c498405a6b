//! House bots for Watch Your Back!

mod evaluate;
mod search;
#[cfg(test)]
mod tests;

pub use evaluate::Greedy;
pub use search::Search;
