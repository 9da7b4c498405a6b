//! Tally: for some rounds each seat names a number from 1 to 9 or stops for good, in turn or all at once. The greatest sum
//! wins. Sealed, each seat hears its card and its own sum alone.

use referee::game::{
    ActError, Actors, AnyPosition, AtOnceError, Board, Cells, Chance, Definition, Drawing, Game,
    GameOptions, GameResult, News, OptionDoc, OptionError, Origin, Outcome, PerSeat, Places,
    Reason, ReasonInfo, Refusal, Refusals, RulesFault, RulesPoints, Seat, Seats, Values,
};

const SEATS: &[&str] = &["north", "east", "south", "west"];

const fn option(
    key: &'static str,
    default: &'static str,
    values: &'static str,
    meaning: &'static str,
) -> OptionDoc {
    OptionDoc {
        key,
        values: Values::Text(values),
        default,
        meaning,
        secret: false,
    }
}

const OPTIONS: &[OptionDoc] = &[
    option("rounds", "2", "1 to 9", "number of rounds"),
    option("order", "in-turn", "in-turn or at-once", "how seats act"),
    option("sealed", "no", "yes or no", "whether numbers are secret"),
];

pub fn tally(seats: usize) -> Game {
    let reason = Reason(Box::leak(Box::new(ReasonInfo::rule("rounds"))));
    let options = Options {
        seats,
        rounds: 2,
        at_once: false,
        sealed: false,
        reason,
    };
    Game::read(Definition {
        name: "tally",
        seats: &SEATS[..seats],
        hides_something: true,
        options: OPTIONS,
        defaults: Box::leak(Box::new(options)),
        reasons: Box::leak(Box::new([reason])),
        origin: Origin::BuiltIn,
        notation: None,
    })
}

#[derive(Debug, Clone, Copy)]
struct Options {
    seats: usize,
    rounds: u32,
    at_once: bool,
    sealed: bool,
    reason: Reason,
}

impl GameOptions for Options {
    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        match (key, value) {
            ("rounds", value) => {
                let rounds = value.parse().ok().filter(|rounds| (1..=9).contains(rounds));
                self.rounds = rounds.ok_or_else(|| OptionError::expected("1 to 9"))?;
            }
            ("order", "in-turn" | "at-once") => self.at_once = value == "at-once",
            ("order", _) => return Err(OptionError::expected("in-turn or at-once")),
            ("sealed", "yes" | "no") => self.sealed = value == "yes",
            ("sealed", _) => return Err(OptionError::expected("yes or no")),
            _ => return Err(OptionError::unknown(OPTIONS)),
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        match key {
            "rounds" => Some(self.rounds.to_string()),
            "order" => Some(["in-turn", "at-once"][usize::from(self.at_once)].to_owned()),
            "sealed" => Some(["no", "yes"][usize::from(self.sealed)].to_owned()),
            _ => None,
        }
    }

    fn goal(&self) -> &'static str {
        "Have the greatest sum."
    }

    fn start(&self, _chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        Ok(Box::new(Tally {
            options: *self,
            ply: 0,
            round: 0,
            has_acted: Seats::default(),
            has_stopped: Seats::default(),
            sums: PerSeat::defaults(self.seats),
        }))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(*self)
    }
}

struct Tally {
    options: Options,
    ply: u32,
    round: u32,
    has_acted: Seats,
    has_stopped: Seats,
    sums: PerSeat<u32>,
}

/// The number that an action names; `None` for `stop`.
fn number(token: &str) -> Result<Option<u32>, Refusal> {
    match token.parse() {
        _ if token == "stop" => Ok(None),
        Ok(number @ 1..=9) => Ok(Some(number)),
        Ok(_) => Err(Refusal::Illegal {
            rule: "a number is from 1 to 9".to_owned(),
        }),
        Err(_) => Err(Refusal::Unparsable {
            expected: "a number or stop".into(),
        }),
    }
}

impl Tally {
    fn waiting(&self) -> Seats {
        let all = Seat::all(self.options.seats);
        all.filter(|seat| !self.has_acted.contains(*seat) && !self.has_stopped.contains(*seat))
            .collect()
    }

    fn name(&mut self, seat: Seat, number: Option<u32>, news: &mut News) {
        self.has_acted.insert(seat);
        match number {
            Some(number) => self.sums[seat] += number,
            None => self.has_stopped.insert(seat),
        }
        let sum = format!("sum {}", self.sums[seat]);
        if self.options.sealed {
            news.keep_secret(seat);
            news.tell(seat, sum);
        } else {
            news.public_mut(seat).push_str(&sum);
        }
    }

    fn end_ply(&mut self, news: &mut News) {
        self.ply += 1;
        if self.options.sealed {
            news.tell_all(format!("ply {}", self.ply));
        }
        if self.waiting().is_empty() {
            self.round += 1;
            self.has_acted = Seats::default();
        }
    }
}

impl AnyPosition for Tally {
    fn ply(&self) -> u32 {
        self.ply
    }

    fn seats(&self) -> usize {
        self.options.seats
    }

    fn to_act(&self) -> Actors {
        let waiting = self.waiting();
        match self.round < self.options.rounds {
            true if self.options.at_once => Actors::those(waiting),
            true => waiting.iter().next().into(),
            false => Actors::Nobody,
        }
    }

    fn dealt(&self, news: &mut News) {
        if self.options.sealed {
            for seat in Seat::all(self.options.seats) {
                news.tell(seat, format!("card {}", seat.index() * 11 + 11));
            }
        }
    }

    fn act(&mut self, token: &str, news: &mut News) -> Result<(), ActError> {
        let number = number(token)?;
        for seat in self.to_act().seats() {
            self.name(seat, number, news);
        }
        self.end_ply(news);
        Ok(())
    }

    fn act_at_once(&mut self, tokens: &PerSeat<&str>, news: &mut News) -> Result<(), AtOnceError> {
        let actors: Vec<Seat> = self.to_act().seats().collect();
        let numbers: Vec<_> = actors.iter().map(|seat| number(tokens[*seat])).collect();
        let refused = actors.iter().zip(&numbers);
        let refused = refused.filter_map(|(seat, number)| Some((*seat, number.clone().err()?)));
        let refused: Vec<(Seat, Refusal)> = refused.collect();
        if !refused.is_empty() {
            let refusals: Refusals = refused.into_iter().collect();
            return Err(AtOnceError::Refused(refusals));
        }
        for (seat, number) in actors.into_iter().zip(numbers.into_iter().flatten()) {
            self.name(seat, number, news);
        }
        self.end_ply(news);
        Ok(())
    }

    fn drop_seats(&mut self, seats: Seats, news: &mut News) -> Result<(), RulesFault> {
        seats.iter().for_each(|seat| self.has_stopped.insert(seat));
        self.end_ply(news);
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.to_act().is_nobody().then(|| Outcome {
            result: GameResult::placed(Places::by(&self.sums)),
            reason: self.options.reason,
            rules_points: self.rules_points(),
        })
    }

    fn legal(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        let numbers = (1..=9).map(|number: u32| number.to_string());
        let actions = numbers.chain(["stop".to_owned()]);
        let acts = self.to_act().includes(seat);
        Ok(actions.filter(|_| acts).collect())
    }

    fn legal_near(&self, seat: Seat, _token: &str) -> Result<Vec<String>, RulesFault> {
        self.legal(seat)
    }

    fn rules_points(&self) -> Option<PerSeat<RulesPoints>> {
        Some(self.sums.each_ref().map(|sum| RulesPoints::from(*sum)))
    }

    fn drawing(&self, shown_to: Option<Seat>) -> Result<Drawing, RulesFault> {
        let digit = |(seat, sum): (Seat, &u32)| {
            let is_hidden = self.options.sealed && shown_to.is_some_and(|to| to != seat);
            let digit = char::from_digit(sum % 10, 10).unwrap_or('0');
            if is_hidden { '?' } else { digit }
        };
        let letters: String = self.sums.iter().map(digit).collect();
        Ok(Drawing::new(
            Board::new(Cells::Squares, self.options.seats, letters),
            &[],
        ))
    }
}
