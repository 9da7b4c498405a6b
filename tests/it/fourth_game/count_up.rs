//! Count up: a game without a board, whose rules can be told to fail. It is a position of its own and has no typed
//! one, as the position of a rules program.

use referee::game::{
    ActError, AnyPosition, Cells, Chance, Definition, Ending, Game, GameOptions, Look, OptionDoc,
    OptionError, Outcome, Picture, Reason, Refusal, RulesFault, Seat,
};

/// The last number was said.
pub const LAST: Reason = Reason(&Ending::rule("last"));

/// Number of plies of a game.
const PLIES: u32 = 4;

/// Count up.
pub const GAME: Game = Game(&Definition {
    name: "count-up",
    seats: ["odd", "even"],
    hides_something: false,
    options: &[OptionDoc {
        key: "fails-at",
        values: "the number of a ply, or 0",
        default: "0",
        meaning: "the ply at which the rules fail",
        secret: false,
    }],
    defaults: &Options { fails_at: 0 },
    reasons: &[LAST],
    look: Look {
        cells: Cells::NumberedSquares,
        symbols: &[],
    },
});

/// The options of count up.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    fails_at: u32,
}

impl GameOptions for Options {
    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        if key != "fails-at" {
            return Err(OptionError::unknown(GAME.options()));
        }
        let number = value.parse();
        self.fails_at = number.map_err(|_| OptionError::expected("a number"))?;
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        (key == "fails-at").then(|| self.fails_at.to_string())
    }

    fn goal(&self) -> &'static str {
        "Count."
    }

    fn start(&self, _chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        Ok(Box::new(Count {
            ply: 0,
            fails_at: self.fails_at,
        }))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(*self)
    }
}

/// A game in progress.
#[derive(Debug)]
struct Count {
    ply: u32,
    fails_at: u32,
}

impl Count {
    fn is_over(&self) -> bool {
        self.ply == PLIES
    }
}

impl AnyPosition for Count {
    fn ply(&self) -> u32 {
        self.ply
    }

    fn to_act(&self) -> Option<Seat> {
        (!self.is_over()).then(|| Seat::BOTH[self.ply as usize % 2])
    }

    fn act(&mut self, token: &str, _public: &mut String) -> Result<(), ActError> {
        if self.ply + 1 == self.fails_at {
            return Err(RulesFault::Ended("exit code 1".to_owned()).into());
        }
        let number: u32 = token.parse().map_err(|_| Refusal::Unparsable {
            expected: format!("the number {}", self.ply + 1).into(),
        })?;
        if number != self.ply + 1 {
            let rule = format!("{number} does not follow {}", self.ply);
            return Err(Refusal::Illegal { rule }.into());
        }
        self.ply = number;
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::won(Seat::Second, LAST))
    }

    fn legal(&self) -> Result<Vec<String>, RulesFault> {
        let next = self.to_act().map(|_| (self.ply + 1).to_string());
        Ok(next.into_iter().collect())
    }

    fn legal_near(&self, _token: &str) -> Result<Vec<String>, RulesFault> {
        self.legal()
    }

    fn score(&self) -> Option<[u32; 2]> {
        None
    }

    fn board(&self, _seat: Seat) -> Result<String, RulesFault> {
        Ok(self.ply.to_string())
    }

    fn rows(&self, seat: Seat) -> Result<String, RulesFault> {
        self.board(seat)
    }

    fn drawn_rows(&self, seat: Seat) -> Result<String, RulesFault> {
        self.board(seat)
    }

    fn revealed_board(&self) -> Result<String, RulesFault> {
        self.board(Seat::First)
    }

    fn decisive_squares(&self) -> Result<Vec<usize>, RulesFault> {
        Ok(Vec::new())
    }

    fn picture(&self, seat: Seat, _last: Option<&str>) -> Result<Picture, RulesFault> {
        let mut picture = Picture::default();
        picture.text(&format!("{}\n", self.board(seat)?));
        Ok(picture)
    }
}
