//! A game as a value: its definition and options, and the games that a reader may meet.

mod book;
mod game;
mod games;
mod notation;
mod options;
mod program;
mod setup;

pub use book::{BookFormat, BookOpening, BookProblem, BookReader};
pub use game::{Definition, Game};
pub use games::{Games, ProgramGames, name_of_label};
pub use notation::Notation;
pub use options::{GameOptions, Limit, OptionDoc, OptionError, Values};
pub use program::{Origin, RulesCommand, RulesProgram};
pub use setup::Setup;
