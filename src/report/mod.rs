//! From results to what people and programs read. Most functions return text. This module runs no games,
//! and the only files that it writes are the tables of a run.

mod conclusion;
mod count;
mod ending;
mod forfeits;
mod format_tables;
mod games;
mod history;
mod mixtures;
mod notes;
mod plan;
mod players;
mod progress;
mod progress_line;
mod rating_tables;
mod render;
mod run_tables;
mod stages;
mod stderr;
mod stopping;
mod summary;
mod table;
mod text;

pub use conclusion::{conclusion, conclusion_words};
pub use count::{Count, rough};
pub use ending::Ending;
pub use forfeits::{Forfeit, Forfeits, shell_word};
pub use format_tables::{places, verdicts};
pub use games::games;
pub use history::{DEFAULT_K, History};
pub use mixtures::Mixtures;
pub use notes::{facts, warnings};
pub use players::players;
pub use progress::{Progress, test_ratio};
pub use rating_tables::{crosstable, matches, pairings, ratings, standings, superiority};
pub use render::Style;
pub use run_tables::{Digests, WriteTable, each_table, finish_run};
pub use stages::Stages;
pub use stderr::{is_dumb, print_repeated_warnings, print_to_stderr, warn};
pub use stopping::{NotesOn, stopping};
pub use summary::{json, plain, summary};
pub use table::{Cell, Column, CsvWriter, ReportTable, StreamedTable};
pub use text::{in_lines, listed, shortened};
