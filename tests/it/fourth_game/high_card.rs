//! High card: a game with private hands, read at run time, whose rules can fail. It has no typed position, as a game
//! of a rules program.

use referee::game::{
    ActError, Actors, AnyPosition, Board, Cells, Chance, Definition, Drawing, Game, GameOptions,
    News, OptionError, Origin, Outcome, OutcomeOfTwo, PerSeat, Reason, ReasonInfo, Refusal,
    RulesFault, RulesPoints, Seat, shuffle,
};

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
        seats: &["odd", "even"],
        hides_something: true,
        options: &[],
        defaults: Box::leak(Box::new(Options { reason, ply })),
        reasons: Box::leak(Box::new([reason])),
        origin: Origin::BuiltIn,
        notation: None,
    })
}

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
        news.keep_secret(seat);
        news.tell_all(format!("ply {}", self.ply));
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let [odd, even] = self.hands;
        let winner = if odd > even {
            Seat::FIRST
        } else {
            Seat::SECOND
        };
        (self.ply == PLIES).then(|| OutcomeOfTwo::won(winner, self.options.reason).into())
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

    fn rules_points(&self) -> Option<PerSeat<RulesPoints>> {
        None
    }

    /// The other seat's card lies face-down.
    fn drawing(&self, seat: Option<Seat>) -> Result<Drawing, RulesFault> {
        let card = |of: Seat| match seat {
            Some(seat) if seat != of => "?".to_owned(),
            _ => self.hands[of.index()].to_string(),
        };
        let letters = Seat::BOTH.map(card).concat();
        Ok(Drawing::new(Board::new(Cells::Squares, 2, letters), &[]))
    }
}
