//! From results to what people and programs read. Renderers return text or bytes; this module runs
//! nothing, and writes no file but the tables of a run.

mod conclusion;
mod history;
mod notes;
mod progress;
mod results;
mod run_tables;
mod say;
mod sheet;
mod sheets;
mod table;
mod terminal;

pub use conclusion::conclusion;
pub use history::{History, K};
pub use progress::Progress;
pub use results::{Rated, Results, Settings};
pub use run_tables::{WriteTable, each_table, write_tables};
pub use say::say;
pub use sheet::{Cell, Column, Csv, Rows, Sheet};
pub use sheets::{crosstable, matches, ratings, standings, superiority};
pub use table::Style;
pub use terminal::{INTERVALS, documents, plain, summary};
