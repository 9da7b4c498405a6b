//! High card: a game with private hands, read at run time, whose rules can fail. It has no typed position, as a game
//! of a rules program.

use referee::game::{
    ActError, Actors, AnyPosition, Cells, Chance, Definition, Game, GameOptions, Look, News,
    OptionError, Origin, Outcome, PerSeat, Picture, Points, Reason, ReasonInfo, Refusal,
    RulesFault, Seat, shuffle,
};

/// Number of plies of a game.
const PLIES: u32 = 4;

/// High card, with rules that never fail.
pub fn high_card() -> Game {
    failing_at(0)
}

/// High card, with rules that fail at that ply. It has the name of the other.
pub fn failing_at(ply: u32) -> Game {
    let reason = Reason(Box::leak(Box::new(ReasonInfo::rule("higher"))));
    Game::read(Definition {
        name: String::from("high-card").leak(),
        seats: ["odd", "even"],
        hides_something: true,
        options: &[],
        defaults: Box::leak(Box::new(Options { reason, ply })),
        reasons: Box::leak(Box::new([reason])),
        look: Look {
            cells: Cells::NumberedSquares,
            symbols: &[],
        },
        origin: Origin::BuiltIn,
    })
}

/// It has no options.
#[derive(Debug, Clone, Copy)]
struct Options {
    reason: Reason,
    /// The ply at which the rules fail.
    ply: u32,
}

impl GameOptions for Options {
    fn set(&mut self, _key: &str, _value: &str) -> Result<(), OptionError> {
        Err(OptionError::unknown(&[]))
    }

    fn get(&self, _key: &str) -> Option<String> {
        None
    }

    fn goal(&self) -> &'static str {
        "Have the higher card."
    }

    fn start(&self, chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        let mut deck: Vec<u32> = (1..=9).collect();
        shuffle(&mut deck, chance);
        Ok(Box::new(Cards {
            ply: 0,
            hands: [deck[0], deck[1]],
            deck: deck[2..].to_vec(),
            options: *self,
        }))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(*self)
    }
}

/// A game in progress.
struct Cards {
    ply: u32,
    hands: [u32; 2],
    deck: Vec<u32>,
    options: Options,
}

impl AnyPosition for Cards {
    fn ply(&self) -> u32 {
        self.ply
    }

    fn to_act(&self) -> Actors {
        let next = (self.ply < PLIES).then(|| Seat::BOTH[self.ply as usize % 2]);
        next.into()
    }

    fn dealt(&self, news: &mut News) {
        for seat in Seat::BOTH {
            news.tell(seat, format!("card {}", self.hands[seat.index()]));
        }
    }

    /// Nobody hears whether a card was swapped, and only its seat sees the new one.
    fn act(&mut self, token: &str, news: &mut News) -> Result<(), ActError> {
        if self.ply + 1 == self.options.ply {
            return Err(RulesFault::Ended("exit code 1".to_owned()).into());
        }
        let rule = "the game is over".to_owned();
        let Actors::One(seat) = self.to_act() else {
            return Err(Refusal::Illegal { rule }.into());
        };
        match token {
            "keep" => {}
            "swap" => {
                let card = self.deck.pop().unwrap_or_default();
                self.hands[seat.index()] = card;
                news.tell(seat, format!("card {card}"));
            }
            _ => {
                let expected = String::from("keep or swap").into();
                return Err(Refusal::Unparsable { expected }.into());
            }
        }
        self.ply += 1;
        news.is_secret[seat] = true;
        news.tell_all(format!("ply {}", self.ply));
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let [odd, even] = self.hands;
        let winner = if odd > even {
            Seat::First
        } else {
            Seat::Second
        };
        (self.ply == PLIES).then(|| Outcome::won(winner, self.options.reason))
    }

    fn legal(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        let actions: &[&str] = match self.to_act().includes(seat) {
            true => &["keep", "swap"],
            false => &[],
        };
        Ok(actions.iter().map(|action| (*action).to_owned()).collect())
    }

    fn legal_near(&self, seat: Seat, _token: &str) -> Result<Vec<String>, RulesFault> {
        self.legal(seat)
    }

    fn score(&self) -> Option<PerSeat<Points>> {
        None
    }

    fn board(&self, seat: Seat) -> Result<String, RulesFault> {
        let own = self.hands[seat.index()];
        Ok(match seat {
            Seat::First => format!("{own}?"),
            Seat::Second => format!("?{own}"),
        })
    }

    fn rows(&self, seat: Seat) -> Result<String, RulesFault> {
        self.board(seat)
    }

    fn drawn_rows(&self, seat: Seat) -> Result<String, RulesFault> {
        self.board(seat)
    }

    fn revealed_board(&self) -> Result<String, RulesFault> {
        let [odd, even] = self.hands;
        Ok(format!("{odd}{even}"))
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
