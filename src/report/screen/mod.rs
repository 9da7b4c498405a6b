//! Tables and notes on a terminal.

mod forfeits;
mod layout;
mod printer;
mod run_end;
mod summary;

pub use forfeits::forfeit_lines;
pub use layout::Style;
pub use run_end::RunEnd;
pub use summary::{plain, summary};
