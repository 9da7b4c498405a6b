//! Positions with the types of their game.

use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::str::FromStr;

use crate::game::{Drawing, OutcomeOfTwo, Side, chess};

/// Writes what became public: tokens with spaces between them.
pub(in crate::game) fn write_tokens<T: Display>(
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
    #[error("it is not in the notation of the game")]
    Malformed,
    #[error("it names a square that is not on the board")]
    OffBoard,
}

/// Reads a whole number from the start of `text`, and returns it with the rest. A number that no board has, such as a
/// negative one, has the form of a coordinate and is `None`: a bot that leaves the board computes one.
pub(in crate::game) fn coordinate(text: &str) -> Result<(Option<u8>, &str), ParseError> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let is_negative = unsigned.len() < text.len();
    let length = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = unsigned.split_at(length);
    match digits.as_bytes() {
        [] => Err(ParseError::Malformed),
        [b'0', ..] if is_negative || length > 1 => Err(ParseError::Malformed),
        _ => Ok((digits.parse().ok().filter(|_| !is_negative), rest)),
    }
}

/// Reads a place such as `b3` from the start of `text`: its column from 0, its row as written, and the rest.
pub(in crate::game) fn lettered_place(text: &str) -> Result<(u8, Option<u8>, &str), ParseError> {
    let column = text.bytes().next().filter(u8::is_ascii_lowercase);
    let column = column.ok_or(ParseError::Malformed)?;
    let (row, rest) = coordinate(&text[1..])?;
    Ok((column - b'a', row, rest))
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

    fn ply(&self) -> u32;

    /// Who acts next; `None` once the game is over.
    fn to_act(&self) -> Option<Side>;

    /// Puts all legal actions into `actions`, which is emptied first, in a fixed order.
    fn legal(&self, actions: &mut Vec<Self::Action>);

    fn check(&self, action: Self::Action) -> Result<(), Self::Rule>;

    /// The spelling of a legal action that some programs write as `token`; `None` where it can mean no action.
    fn respelled(&self, _token: &str) -> Option<Self::Action> {
        None
    }

    /// Follows an action of the seat to act, given what became public by it. An illegal action
    /// leaves the view as it was.
    fn observe(&mut self, action: Self::Action, public: Self::Public) -> Result<(), Self::Rule>;

    fn outcome(&self) -> Option<OutcomeOfTwo>;

    /// Points of both seats; `None` for a game without points. Watch Your Back! counts pieces on the board.
    fn rules_points(&self) -> Option<[u32; 2]> {
        None
    }

    fn chess(&self) -> Option<&chess::State> {
        None
    }

    /// The board in one string, a letter a square.
    fn board(&self) -> String;

    /// The board for people, with marks on the squares that decided the game, such as a winning chain.
    fn drawing(&self) -> Drawing;

    /// Distance between two actions on the board, a sort key for suggestions. Actions of the same piece
    /// are closest.
    fn apart(one: Self::Action, other: Self::Action) -> u32;
}

/// The full state of a game in progress, hidden information included.
pub trait Position: Clone + Debug {
    /// The state as a seat may see it.
    type View: View;

    fn view(&self, seat: Side) -> &Self::View;

    /// Plays an action of the seat to act, and returns what became public by it. An illegal action
    /// leaves the position as it was.
    fn apply(
        &mut self,
        action: <Self::View as View>::Action,
    ) -> Result<<Self::View as View>::Public, <Self::View as View>::Rule>;

    fn revealed(&self) -> Drawing {
        self.view(Side::First).drawing()
    }
}
