//! Tic-tac-toe: a game that nobody built in, as one would write it in `crates/game/src/game/tic_tac_toe/`.

use std::fmt::{self, Display};
use std::str::FromStr;

use referee::game::{
    Board, Cells, Chance, Colour, Definition, Drawing, Game, GameOptions, OptionDoc, OptionError,
    Origin, OutcomeOfTwo, ParseError, Piece, Position, Reason, ReasonInfo, RulesFault, Shape, Side,
    Values, View,
};

pub const LINE: Reason = Reason(&ReasonInfo::rule("line"));
pub const FULL: Reason = Reason(&ReasonInfo::rule("full"));

pub const GAME: Game = Game(&Definition {
    name: "tic-tac-toe",
    seats: &["crosses", "noughts"],
    hides_something: false,
    options: &[OptionDoc {
        key: "misere",
        values: Values::OneOf(&["yes", "no"]),
        default: "no",
        meaning: "whether three in a row lose",
        secret: false,
    }],
    defaults: &Options { misere: false },
    reasons: &[LINE, FULL],
    origin: Origin::BuiltIn,
    notation: None,
});

const PIECES: &[Piece] = &[
    Piece::new('.', Shape::None, Colour::None, "", "empty"),
    Piece::new('x', Shape::Cross, Colour::Red, "", "cross"),
    Piece::new('o', Shape::Ring, Colour::Blue, "", "nought"),
];

#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    misere: bool,
}

impl GameOptions for Options {
    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        self.misere = match (key, value) {
            ("misere", "yes") => true,
            ("misere", "no") => false,
            ("misere", _) => return Err(OptionError::expected("yes or no")),
            _ => return Err(OptionError::unknown(GAME.options())),
        };
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        let text = if self.misere { "yes" } else { "no" };
        (key == "misere").then(|| text.to_owned())
    }

    fn goal(&self) -> &'static str {
        if self.misere {
            "Avoid three in a row."
        } else {
            "Get three in a row."
        }
    }

    fn start(
        &self,
        _chance: &mut dyn Chance,
    ) -> Result<Box<dyn referee::game::AnyPosition>, RulesFault> {
        Ok(Box::new(State::new(*self)))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(*self)
    }
}

/// A square, from a3 in the upper left corner to c1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Square(usize);

impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = ["a", "b", "c"][self.0 % 3];
        write!(f, "{column}{}", 3 - self.0 / 3)
    }
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut squares = (0..9).map(Square);
        let square = squares.find(|square| square.to_string() == text);
        square.ok_or(ParseError::Malformed)
    }
}

/// Nothing becomes public but the action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nothing;

impl Display for Nothing {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl FromStr for Nothing {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.is_empty()
            .then_some(Nothing)
            .ok_or(ParseError::Malformed)
    }
}

/// The rule that an illegal action breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Rule {
    #[error("the game is over: no action follows")]
    Over,
    /// The square is not empty.
    #[error("{0} is taken")]
    Taken(Square),
}

/// A game in progress. Nothing is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    squares: [Option<Side>; 9],
    misere: bool,
}

const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

impl State {
    pub fn new(options: Options) -> Self {
        Self {
            squares: [None; 9],
            misere: options.misere,
        }
    }

    fn line(&self) -> Option<(Side, [usize; 3])> {
        LINES.into_iter().find_map(|line| {
            let [one, two, three] = line.map(|at| self.squares[at]);
            (one == two && two == three).then_some(())?;
            Some((one?, line))
        })
    }

    fn letter(&self, at: usize) -> char {
        self.squares[at].map_or('.', |seat| ['x', 'o'][seat.index()])
    }
}

impl View for State {
    type Action = Square;
    type Public = Nothing;
    type Rule = Rule;

    const NOTATION: &'static str = "a square, such as b2";

    fn ply(&self) -> u32 {
        self.squares.iter().flatten().count() as u32
    }

    fn to_act(&self) -> Option<Side> {
        let turn = Side::BOTH[self.ply() as usize % 2];
        self.outcome().is_none().then_some(turn)
    }

    fn legal(&self, actions: &mut Vec<Square>) {
        actions.clear();
        let squares = (0..9).map(Square);
        actions.extend(squares.filter(|square| self.check(*square).is_ok()));
    }

    fn check(&self, Square(at): Square) -> Result<(), Rule> {
        match (self.to_act(), self.squares[at]) {
            (None, _) => Err(Rule::Over),
            (_, Some(_)) => Err(Rule::Taken(Square(at))),
            (Some(_), None) => Ok(()),
        }
    }

    fn observe(&mut self, action: Square, _: Nothing) -> Result<(), Rule> {
        self.apply(action).map(|_| ())
    }

    fn outcome(&self) -> Option<OutcomeOfTwo> {
        if let Some((seat, _)) = self.line() {
            let winner = if self.misere { seat.other() } else { seat };
            return Some(OutcomeOfTwo::won(winner, LINE));
        }
        (self.ply() == 9).then(|| OutcomeOfTwo::drawn(FULL))
    }

    fn board(&self) -> String {
        (0..9).map(|at| self.letter(at)).collect()
    }

    fn drawing(&self) -> Drawing {
        let board = Board::new(Cells::Squares, 3, View::board(self));
        let line = self.line().map(|(_, line)| line.to_vec());
        Drawing {
            marks: line.unwrap_or_default(),
            ..Drawing::new(board, PIECES)
        }
    }

    fn apart(one: Square, other: Square) -> u32 {
        let apart = |by: fn(usize) -> usize| by(one.0).abs_diff(by(other.0)) as u32;
        apart(|at| at / 3) + apart(|at| at % 3)
    }
}

impl Position for State {
    type View = Self;

    fn view(&self, _seat: Side) -> &Self {
        self
    }

    fn apply(&mut self, action: Square) -> Result<Nothing, Rule> {
        self.check(action)?;
        self.squares[action.0] = self.to_act();
        Ok(Nothing)
    }
}
