//! A run's folder: the journal, the per-game logs and the manifest.
//!
//! ```text
//! manifest.toml                the plan as understood, the bots' digests, the machine
//! games.csv                    the journal: a row per finished game, in the order they finished
//! openings-cachex.txt          the openings of a game, if it has any
//! games/0000/000042.csv        the log of game 42: a row per ply
//! stderr/0000/000042-red.log   standard error of the bot in that seat, if not empty
//! build/alice.log              output of the build of that player's bot, if not empty
//! ```
//!
//! A game's log is complete before its row is in the journal, and a row is one write. The columns
//! are the fields of the types that write and read them; `docs/formats.md` explains each.

mod error;
mod files;
mod folder;
mod identity;
mod journal;
mod logs;
mod manifest;
mod reader;
mod seal;

pub use error::{FileError, RowProblem, RunFileError, RunFileProblem};
pub use files::lock::Lock;
pub use files::{csv_words, hex};
pub use files::{
    make_parent, remove_folder, remove_if_there, rewrite_whole, sha256, utc, utc_millis,
    write_bytes, write_whole,
};
pub use folder::merge::{RunPart, merge_parts};
pub use folder::resume::{Repeat, ResumeError};
pub use folder::{RunFolder, draw_seed};
pub use identity::{CopyError, copy_except, copy_folder, folder_digest, folder_digest_without};
pub use journal::done::{Done, DoneGames, PlanIndex};
pub use journal::rows::Rows;
pub use journal::set_aside::{SET_ASIDE, SetAsideGame};
pub use journal::{GameRow, GameStart, Ids, RowShape, player_column, seat_column};
pub use logs::game_files::{FileDigests, Logs, bot_log_path};
pub use logs::game_log::{GameLog, LoggedAction, LoggedPly, first_difference};
pub use logs::{LOG_HEADER, ScoreAndDepth, counts_in_pawns};
pub use manifest::changes::Changes;
pub use manifest::players::PlayerTable;
pub use manifest::{MachineTable, Manifest, Stamp, plan_key};
pub use reader::recording::Recording;
pub use reader::{BotOutput, Difference, Run};
pub use seal::{SealError, is_ended};

pub const JOURNAL: &str = "games.csv";
/// The player that a tuning found, as part of a configuration.
pub const BEST: &str = "best.toml";
pub const PGN: &str = "games.pgn";

const MANIFEST: &str = "manifest.toml";

const BUILDS: &str = "build";

/// The folder of what rules programs wrote before they failed. It is no record: no game that counts left it.
pub const FAILED_RULES: &str = "rules";
