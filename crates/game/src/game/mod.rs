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
pub mod chess;
pub mod dark_chess;
mod definition;
mod drawing;
mod per_seat;
mod position;
mod result;
mod seat;
pub mod watch_your_back;

pub use definition::{
    BookFormat, BookOpening, BookProblem, BookReader, Definition, EngineProtocol, Game,
    GameOptions, Games, Limit, OptionDoc, OptionError, Origin, ProgramGames, RulesCommand,
    RulesProgram, Setup, Values, name_of_label,
};
pub use drawing::{Board, Cells, Colour, Drawing, DrawnCell, Labels, Piece, Shape, Slant};
pub use per_seat::PerSeat;
pub use position::{
    ActError, Actors, AnyPosition, AtOnceError, Chance, News, NewsLine, Outcome, OutcomeOfTwo,
    ParseError, Position, Reason, ReasonInfo, Refusal, Refusals, RulesFault, View, shuffle,
};
pub use result::{BOTH_PLAYERS, ForfeitedBy, GameResult, Places, RulesPoints};
pub use seat::{MOST_SEATS, Seat, Seats, Side, is_name};

/// The games that everybody has. A new one is its folder, and its line here.
pub const BUILT_IN: Games = Games::new(&[
    watch_your_back::GAME,
    cachex::GAME,
    dark_chess::GAME,
    chess::GAME,
]);
