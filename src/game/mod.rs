//! Rules and notation of the games. Pure: no I/O, clock, thread, process or serde in here, and
//! chance is handed in.
//!
//! A game is two types. Its [`Position`] holds the full state and belongs to the referee. Its
//! [`View`] holds the information of one seat, with the rules that a player can apply to it. A bot
//! or a page that is given a `View` cannot leak hidden information. A game without hidden
//! information uses one type as both.
//!
//! Code that handles any game uses [`AnyPosition`], which takes and returns actions as text.
//! [`GameOptions::start`] makes one.

pub mod cachex;
mod chance;
pub mod chess;
pub mod dark_chess;
mod definition;
mod drawing;
mod name;
mod per_seat;
mod places;
mod rules_points;
mod position;
mod result;
mod seat;
mod side;
pub mod watch_your_back;

pub use chance::{Chance, shuffle};
pub use definition::{
    BookFormat, BookOpening, BookProblem, BookReader, Definition, Game, GameOptions, Games, Limit,
    Notation, OptionDoc, OptionError, Origin, ProgramGames, RulesCommand, RulesProgram, Setup,
    Values, name_of_label,
};
pub use drawing::{Board, Cells, Colour, Drawing, DrawnCell, Labels, Piece, Shape, Slant};
pub use name::is_name;
pub use per_seat::PerSeat;
pub use places::Places;
pub use position::{
    ActError, Actors, AnyPosition, AtOnceError, News, NewsLine, Outcome, OutcomeOfTwo, ParseError,
    Position, Reason, ReasonInfo, Refusal, Refusals, RulesFault, View,
};
pub use result::{BOTH_PLAYERS, Blame, GameResult};
pub use rules_points::RulesPoints;
pub use seat::{MOST_SEATS, Seat, Seats};
pub use side::Side;

/// The games that everybody has. A new one is its folder, and its line here.
pub const BUILT_IN: Games = Games::new(&[
    watch_your_back::GAME,
    cachex::GAME,
    dark_chess::GAME,
    chess::GAME,
]);
