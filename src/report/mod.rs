//! From results to what people and programs read. Renderers return text or bytes; this module runs
//! nothing and writes no file.

mod conclusion;
mod history;
mod notes;
mod progress;
mod results;
mod say;
mod sheet;
mod sheets;
mod table;
mod terminal;

pub use conclusion::conclusion;
pub use history::{History, K};
pub use progress::Progress;
pub use results::{Rated, Results, Settings};
pub use say::say;
pub use sheet::{Cell, Column, Csv, Rows, Sheet};
pub use sheets::{crosstable, matches, ratings, standings, superiority};
pub use table::Style;
pub use terminal::{INTERVALS, documents, plain, summary};
