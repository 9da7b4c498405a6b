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

use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::str::FromStr;

mod any;
pub mod cachex;
pub mod dark_chess;
mod definition;
mod fault;
mod games;
mod look;
mod news;
mod per_seat;
mod picture;
mod reason;
mod result;
mod setup;
pub mod watch_your_back;

pub use any::AnyPosition;
pub use definition::{Definition, Game};
pub use fault::{ActError, Refusal, RulesFault};
pub use games::Games;
pub use look::{Cells, Colour, Look, Symbol};
pub use news::News;
pub use per_seat::PerSeat;
pub use picture::{Part, Picture};
pub use reason::{Reason, ReasonInfo};
pub use result::{BOTH_PLAYERS, Blame, GameResult};
pub use setup::{GameOptions, Limit, OptionDoc, OptionError, Setup};

/// The games that everybody has. A new one is its folder, and its line here.
pub const BUILT_IN: Games = Games::new(&[watch_your_back::GAME, cachex::GAME, dark_chess::GAME]);

/// A side in one game: the one that acts first, or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seat {
    /// Acts first: White, Red, the first player.
    First,
    /// Acts second: Black, Blue, the second player.
    Second,
}

impl Seat {
    /// Both seats, in order of play.
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    /// The opponent's seat.
    pub fn other(self) -> Self {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// 0 for the first seat, 1 for the second: an index into a pair.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The end of a game by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Seat>,
    /// By which rule.
    pub reason: Reason,
}

impl Outcome {
    /// A win of `winner`.
    pub fn won(winner: Seat, reason: Reason) -> Self {
        Self {
            winner: Some(winner),
            reason,
        }
    }

    /// A draw.
    pub fn drawn(reason: Reason) -> Self {
        Self {
            winner: None,
            reason,
        }
    }
}

/// A source of chance, handed to whatever needs some.
pub trait Chance {
    /// A number in `0..bound`, each equally likely. `bound` is at least 1.
    fn below(&mut self, bound: u32) -> u32;
}

/// Shuffles `items`, with every order equally likely (Fisher and Yates, from the end).
pub fn shuffle<T>(items: &mut [T], chance: &mut dyn Chance) {
    for last in (1..items.len()).rev() {
        items.swap(last, chance.below(last as u32 + 1) as usize);
    }
}

/// Writes what became public: tokens with spaces between them.
fn write_tokens<T: Display>(
    f: &mut fmt::Formatter<'_>,
    tokens: impl Iterator<Item = T>,
) -> fmt::Result {
    for (index, token) in tokens.enumerate() {
        let space = if index == 0 { "" } else { " " };
        write!(f, "{space}{token}")?;
    }
    Ok(())
}

/// Why text does not parse as an action or a public result of this game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text has the wrong form.
    #[error("it is not in the notation of the game")]
    Malformed,
    /// The form is right, but it names a square that no board of this game has.
    #[error("it names a square that is not on the board")]
    OffBoard,
}

/// A game as one seat sees it, with the rules that apply to visible information.
pub trait View: Clone + Debug {
    /// One action of one seat. `Display` writes the notation, `FromStr` reads it back.
    type Action: Copy + Eq + Debug + Display + FromStr<Err = ParseError>;
    /// Information that an action makes public besides itself: a flipped piece, pieces removed.
    /// `Display` writes space-separated tokens, or nothing if nothing became public.
    type Public: Copy + Eq + Debug + Display + FromStr<Err = ParseError>;
    /// The rule that an illegal action breaks, in words for the player.
    type Rule: Eq + Error;

    /// Notation of an action, for the message about a token that does not parse.
    const NOTATION: &'static str;

    /// Number of plies played.
    fn ply(&self) -> u32;

    /// Who acts next; `None` once the game is over.
    fn to_act(&self) -> Option<Seat>;

    /// Puts all legal actions into `actions`, which is emptied first, in a fixed order.
    fn legal(&self, actions: &mut Vec<Self::Action>);

    /// Whether an action is legal now.
    ///
    /// # Errors
    /// The rule that an illegal action breaks.
    fn check(&self, action: Self::Action) -> Result<(), Self::Rule>;

    /// Follows an action of the seat to act, given what became public by it. An illegal action
    /// leaves the view as it was.
    ///
    /// # Errors
    /// The rule that an illegal action breaks, or why this cannot have become public.
    fn observe(&mut self, action: Self::Action, public: Self::Public) -> Result<(), Self::Rule>;

    /// Outcome, once the game has ended.
    fn outcome(&self) -> Option<Outcome>;

    /// Points of both seats; `None` for a game without points. Watch Your Back! counts pieces on the board.
    fn score(&self) -> Option<[u32; 2]> {
        None
    }

    /// The board in one string, a letter a square.
    fn board(&self) -> String;

    /// Number of squares in a row of the board.
    fn columns(&self) -> usize;

    /// Indices into [`View::board`] of the squares that decided the game, such as a winning chain.
    fn decisive_squares(&self) -> Vec<usize> {
        Vec::new()
    }

    /// The board drawn over several lines with its coordinates, for people.
    fn picture(&self) -> Picture;

    /// Indices into [`View::board`] of the squares of the action played last.
    fn squares(&self, action: Self::Action) -> Vec<usize>;

    /// Distance between two actions on the board, a sort key for suggestions. Actions of the same piece
    /// are closest.
    fn apart(one: Self::Action, other: Self::Action) -> u32;
}

/// The full state of a game in progress, hidden information included.
pub trait Position: Clone + Debug {
    /// The state as a seat may see it.
    type View: View;

    /// The view of `seat`.
    fn view(&self, seat: Seat) -> &Self::View;

    /// Plays an action of the seat to act, and returns what became public by it. An illegal action
    /// leaves the position as it was.
    ///
    /// # Errors
    /// The rule that an illegal action breaks.
    fn apply(
        &mut self,
        action: <Self::View as View>::Action,
    ) -> Result<<Self::View as View>::Public, <Self::View as View>::Rule>;

    /// The board in one string with hidden pieces revealed, for the referee's records.
    fn revealed_board(&self) -> String {
        self.view(Seat::First).board()
    }
}
