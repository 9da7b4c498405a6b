//! Rules and notation of the games. Pure: no I/O, clock, thread, process or serde in here, and
//! chance is handed in.
//!
//! A game is two types. Its [`Position`] is the whole truth and belongs to the referee. Its
//! [`View`] is what a seat may see: it knows the rules as far as a player can apply them, and holds
//! nothing that is hidden. A bot or a page that is given a `View` cannot leak hidden information.
//! Where nothing is hidden, one type is both.
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
mod look;
mod picture;
mod reason;
mod result;
mod setup;
pub mod watch_your_back;

pub use any::{AnyPosition, Refusal};
pub use definition::{Definition, Game};
pub use look::{Cells, Colour, Look, Symbol};
pub use picture::{Part, Picture};
pub use reason::{Ending, Reason};
pub use result::{BOTH_PLAYERS, Blame, GameResult};
pub use setup::{GameOptions, Limit, OptionDoc, OptionError, Setup};

/// The games that everybody has. A new one is its folder, and its line here.
pub const BUILT_IN: [Game; 3] = [watch_your_back::GAME, cachex::GAME, dark_chess::GAME];

/// A side in one game: the one that acts first, or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seat {
    /// Acts first: White, Red, the first player.
    First,
    /// Acts second: Black, Blue, the second player.
    Second,
}

impl Seat {
    /// Both seats, in the order in which they act.
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

/// How a game ended by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; `None` is a draw.
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

/// Why text is not an action, or not a public result, in this game's notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text has the wrong form.
    #[error("it is not in the notation of the game")]
    Malformed,
    /// The form is right, but it names a square that no board of this game has.
    #[error("it names a square that is not on the board")]
    OffBoard,
}

/// What a seat may see of a game, and the rules as far as they follow from that.
pub trait View: Clone + Debug {
    /// One action of one seat. `Display` writes the notation, `FromStr` reads it back.
    type Action: Copy + Eq + Debug + Display + FromStr<Err = ParseError>;
    /// What an action made public besides itself: a flipped piece, pieces removed.
    /// `Display` writes space-separated tokens, or nothing if nothing became public.
    type Public: Copy + Eq + Debug + Display + FromStr<Err = ParseError>;
    /// The rule that an illegal action breaks, in words for the player.
    type Rule: Eq + Error;

    /// What an action looks like, for the message about a token that is not one.
    const NOTATION: &'static str;

    /// How many plies have been played.
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

    /// How the game ended, once it has.
    fn outcome(&self) -> Option<Outcome>;

    /// Points of both seats, in games that count some; in Watch Your Back! the pieces on the board.
    fn score(&self) -> Option<[u32; 2]> {
        None
    }

    /// The board in one string, a letter a square.
    fn board(&self) -> String;

    /// How many squares a row of the board has.
    fn columns(&self) -> usize;

    /// The squares that decided a game that is over, as places in [`View::board`]: a chain that won.
    fn decisive_squares(&self) -> Vec<usize> {
        Vec::new()
    }

    /// The board drawn over several lines with its coordinates, for people.
    fn picture(&self) -> Picture;

    /// The squares of an action that has just been played, by their places in [`View::board`].
    fn squares(&self, action: Self::Action) -> Vec<usize>;

    /// How far apart two actions are on the board. Sorts actions by their likeness to another one:
    /// those of the same piece come first.
    fn apart(one: Self::Action, other: Self::Action) -> u32;
}

/// The whole truth about a game in progress.
pub trait Position: Clone + Debug {
    /// What a seat may see of it.
    type View: View;

    /// What `seat` may see.
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

    /// The board in one string with everything hidden shown, for the referee's own records.
    fn revealed_board(&self) -> String {
        self.view(Seat::First).board()
    }
}
