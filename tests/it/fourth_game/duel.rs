//! Duel: rock, paper, scissors over some rounds, in which both seats act at once. After a tie the first seat acts alone:
//! it may take the draw or give up.

use referee::game::{
    ActError, Actors, AnyPosition, AtOnceError, Board, Cells, Chance, Definition, Drawing, Game,
    GameOptions, News, Notation, OptionDoc, OptionError, Origin, Outcome, PerSeat, Reason,
    ReasonInfo, Refusal, RulesFault, RulesPoints, Seat, Values,
};

/// The hands, each of which beats the one before it; the first beats the last.
const HANDS: [&str; 3] = ["rock", "paper", "scissors"];

const OPTIONS: &[OptionDoc] = &[
    OptionDoc {
        key: "rounds",
        values: Values::Text("1 to 9"),
        default: "3",
        meaning: "number of rounds",
        secret: false,
    },
    OptionDoc {
        key: "sealed",
        values: Values::Text("yes or no"),
        default: "no",
        meaning: "whether nobody hears of the other's hands",
        secret: false,
    },
];

/// The game.
pub fn duel() -> Game {
    let reason = Reason(Box::leak(Box::new(ReasonInfo::rule("rounds"))));
    let options = Options {
        rounds: 3,
        is_sealed: false,
        reason,
    };
    Game::read(Definition {
        name: "duel",
        seats: &["left", "right"],
        hides_something: true,
        options: OPTIONS,
        defaults: Box::leak(Box::new(options)),
        reasons: Box::leak(Box::new([reason])),
        origin: Origin::BuiltIn,
        notation: Notation::Own,
    })
}

#[derive(Debug, Clone, Copy)]
struct Options {
    rounds: usize,
    is_sealed: bool,
    reason: Reason,
}

impl GameOptions for Options {
    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        match (key, value) {
            ("rounds", value) => {
                let rounds = value.parse().ok().filter(|rounds| (1..=9).contains(rounds));
                self.rounds = rounds.ok_or_else(|| OptionError::expected("1 to 9"))?;
            }
            ("sealed", "yes" | "no") => self.is_sealed = value == "yes",
            ("sealed", _) => return Err(OptionError::expected("yes or no")),
            _ => return Err(OptionError::unknown(OPTIONS)),
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        match key {
            "rounds" => Some(self.rounds.to_string()),
            "sealed" => Some(if self.is_sealed { "yes" } else { "no" }.to_owned()),
            _ => None,
        }
    }

    fn goal(&self) -> &'static str {
        "Win more rounds."
    }

    fn start(&self, _chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        Ok(Box::new(Duel {
            options: *self,
            rounds: Vec::new(),
            tie_broken: None,
        }))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(*self)
    }
}

/// A game in progress.
struct Duel {
    options: Options,
    /// Index of the hand of each seat, by round.
    rounds: Vec<PerSeat<usize>>,
    /// Whether the first seat gave up after a tie.
    tie_broken: Option<bool>,
}

impl Duel {
    fn wins(&self, seat: Seat) -> u32 {
        let is_won = |hands: &&PerSeat<usize>| hands[seat] == (hands[seat.other()] + 1) % 3;
        self.rounds.iter().filter(is_won).count() as u32
    }

    fn letters(&self, shown_to: Option<Seat>) -> [String; 2] {
        Seat::BOTH.map(|seat| {
            let is_hidden = self.options.is_sealed && shown_to == Some(seat.other());
            let hand = |round: usize| match self.rounds.get(round) {
                None => '.',
                Some(_) if is_hidden => '?',
                Some(hands) => ['r', 'p', 's'][hands[seat]],
            };
            (0..self.options.rounds).map(hand).collect()
        })
    }
}

fn hand(token: &str) -> Result<usize, Refusal> {
    if token == "well" {
        let rule = "the well is closed".to_owned();
        return Err(Refusal::Illegal { rule });
    }
    let known = HANDS.iter().position(|hand| *hand == token);
    known.ok_or(Refusal::Unparsable {
        expected: "rock, paper or scissors".into(),
    })
}

impl AnyPosition for Duel {
    fn ply(&self) -> u32 {
        self.rounds.len() as u32 + u32::from(self.tie_broken.is_some())
    }

    fn to_act(&self) -> Actors {
        let is_tie = self.wins(Seat::FIRST) == self.wins(Seat::SECOND);
        match (self.rounds.len() < self.options.rounds, self.tie_broken) {
            (true, _) => Actors::BOTH,
            (false, None) if is_tie => Actors::One(Seat::FIRST),
            (false, _) => Actors::Nobody,
        }
    }

    fn act(&mut self, token: &str, _news: &mut News) -> Result<(), ActError> {
        self.tie_broken = Some(match token {
            "draw" => false,
            "resign" => true,
            _ => {
                let expected = "draw or resign".into();
                return Err(Refusal::Unparsable { expected }.into());
            }
        });
        Ok(())
    }

    fn act_at_once(&mut self, tokens: &PerSeat<&str>, news: &mut News) -> Result<(), AtOnceError> {
        let hands = tokens.each_ref().map(|token| hand(token));
        let refusals = hands.iter();
        let refusals = refusals.filter_map(|(seat, hand)| Some((seat, hand.clone().err()?)));
        let refusals: Vec<(Seat, Refusal)> = refusals.collect();
        if !refusals.is_empty() {
            return Err(AtOnceError::Refused(refusals.into_iter().collect()));
        }
        let hands: PerSeat<usize> = hands.into_values().flatten().collect();
        let before = Seat::BOTH.map(|seat| self.wins(seat));
        self.rounds.push(hands);
        for seat in Seat::BOTH {
            if self.wins(seat) > before[seat.index()] {
                news.public_mut(seat).push_str("wins");
            }
        }
        if self.options.is_sealed {
            Seat::BOTH
                .into_iter()
                .for_each(|seat| news.keep_secret(seat));
            news.tell_all(format!("round {}", self.rounds.len()));
        }
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let reason = self.options.reason;
        let [first, second] = Seat::BOTH.map(|seat| self.wins(seat));
        match (self.to_act(), self.tie_broken) {
            (Actors::One(_) | Actors::AtOnce(_), _) => None,
            (Actors::Nobody, Some(true)) => Some(Outcome::won(Seat::SECOND, reason)),
            (Actors::Nobody, Some(false)) => Some(Outcome::drawn(reason)),
            (Actors::Nobody, None) if first > second => Some(Outcome::won(Seat::FIRST, reason)),
            (Actors::Nobody, None) => Some(Outcome::won(Seat::SECOND, reason)),
        }
    }

    fn legal(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        let actions: &[&str] = match self.to_act() {
            Actors::AtOnce(_) => &HANDS,
            Actors::One(actor) if actor == seat => &["draw", "resign"],
            Actors::One(_) | Actors::Nobody => &[],
        };
        Ok(actions.iter().map(|action| (*action).to_owned()).collect())
    }

    fn legal_near(&self, seat: Seat, _token: &str) -> Result<Vec<String>, RulesFault> {
        self.legal(seat)
    }

    fn rules_points(&self) -> Option<PerSeat<RulesPoints>> {
        Some(PerSeat::of(2, |seat| self.wins(seat).into()))
    }

    fn drawing(&self, seat: Option<Seat>) -> Result<Drawing, RulesFault> {
        let letters = self.letters(seat).concat();
        Ok(Drawing::new(
            Board::new(Cells::Squares, self.options.rounds, letters),
            &[],
        ))
    }
}
