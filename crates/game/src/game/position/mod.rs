//! A game in progress, typed or with actions as text, and its end.

mod fault;
mod news;
mod outcome;
mod typed;

use std::fmt::Write;

pub use fault::{ActError, AtOnceError, Refusal, Refusals, RulesFault};
pub use news::{News, NewsLine};
pub use outcome::{Outcome, OutcomeOfTwo, Reason, ReasonInfo};
pub use typed::{ParseError, Position, View};
pub(in crate::game) use typed::{coordinate, lettered_place, write_tokens};

use crate::game::{Drawing, PerSeat, RulesPoints, Seat, Seats, Side, chess};

/// A game in progress: the object-safe form of a [`Position`]. Rules that are a program may fail at any question
/// to them; after that, every question may fail.
pub trait AnyPosition {
    fn ply(&self) -> u32;

    fn seats(&self) -> usize {
        2
    }

    fn to_act(&self) -> Actors;

    /// Adds what the start of the game tells the seats, such as their private cards.
    fn dealt(&self, _news: &mut News) {}

    /// Plays the action written in `token` of the one seat that acts, and adds what became known by it to `news`. A
    /// refused token changes nothing.
    fn act(&mut self, token: &str, news: &mut News) -> Result<(), ActError>;

    /// The spelling of a legal action that some programs write as `token`, which was refused; `None` where it can mean no
    /// action.
    fn respelled(&self, _token: &str) -> Option<String> {
        None
    }

    /// Plays the actions of several seats that act at once. A game whose seats take turns has no such ply.
    fn act_at_once(
        &mut self,
        _tokens: &PerSeat<&str>,
        _news: &mut News,
    ) -> Result<(), AtOnceError> {
        Err(AtOnceError::Rules(RulesFault::NotAtOnce))
    }

    /// Takes seats out of the game, which is a ply of its own: they act no more, and the others go on. Adds what became
    /// known by it to `news`.
    fn drop_seats(&mut self, _seats: Seats, _news: &mut News) -> Result<(), RulesFault> {
        Err(RulesFault::NoDrop)
    }

    /// Announces the plies that come next, each with the actions of its seats, and the drawings that are asked for
    /// after each of them, in this order. Rules that are a program are then asked ahead, and until these plies are
    /// played, nothing else may be asked.
    fn foresee(
        &mut self,
        _plies: &mut dyn Iterator<Item = PerSeat<Option<&str>>>,
        _drawings: &[Option<Seat>],
    ) {
    }

    /// Outcome by the game's rules; `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// All legal actions of a seat, in a fixed order; none for a seat that does not act.
    fn legal(&self, seat: Seat) -> Result<Vec<String>, RulesFault>;

    /// All legal actions of a seat; none where a rules program lists none.
    fn listed(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        match self.legal(seat) {
            Err(RulesFault::NotListed) => Ok(Vec::new()),
            legal => legal,
        }
    }

    /// All legal actions of a seat in this position, in which a rules program failed: asked of a new process. None where
    /// it lists none.
    fn listed_again(&self, _seat: Seat) -> Result<Vec<String>, RulesFault> {
        Ok(Vec::new())
    }

    /// All legal actions of a seat, sorted by distance from the action in `token`, nearest first.
    fn legal_near(&self, seat: Seat, token: &str) -> Result<Vec<String>, RulesFault>;

    /// Legal actions that `seat` is told before it acts; empty where the game offers none.
    fn offers(&self, _seat: Seat) -> &[String] {
        &[]
    }

    /// A digest of all that the rules answered in this game: 16 hexadecimal digits; `None` where they are no program.
    fn answers(&self) -> Option<String> {
        None
    }

    /// Microseconds that the rules took for the answer to the last ply; `None` where they are no program.
    fn rules_us(&self) -> Option<u64> {
        None
    }

    /// Points of the seats; `None` for a game without points. Watch Your Back! counts pieces on the board.
    fn rules_points(&self) -> Option<PerSeat<RulesPoints>>;

    fn chess(&self) -> Option<&chess::State> {
        None
    }

    /// The position as a seat may see it, or with everything revealed for `None`.
    fn drawing(&self, seat: Option<Seat>) -> Result<Drawing, RulesFault>;
}

impl dyn AnyPosition + '_ {
    /// The legal actions of a seat that acts, which are never none.
    ///
    /// # Errors
    /// As [`AnyPosition::legal`], and where the rules list none.
    pub fn choices(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        let legal = self.legal(seat)?;
        match legal.is_empty() {
            false => Ok(legal),
            true => Err(RulesFault::NoAction {
                seat: seat.number(),
                ply: self.ply() + 1,
            }),
        }
    }

    /// Plays a ply that is one word: an action, or several joined by `+` where they are chosen at once, as in
    /// `rock+paper`.
    ///
    /// # Errors
    /// As [`AnyPosition::act`]. Of several actions, the words of a refusal name the ones at fault.
    pub fn play(&mut self, ply: &str, news: &mut News) -> Result<(), ActError> {
        let actors = self.to_act();
        if actors.is_nobody() {
            return self.act(ply, news);
        }
        let actions = actors.split(self.seats(), ply).ok_or(Refusal::Unparsable {
            expected: "the actions of all seats that act, joined by `+`".into(),
        })?;
        self.play_actions(&actions, news)
    }

    /// Plays an action of a seat that acts. Where others act too, any legal action stands for the action of each.
    ///
    /// # Errors
    /// As [`AnyPosition::act`].
    pub fn play_of(&mut self, seat: Seat, action: &str, news: &mut News) -> Result<(), ActError> {
        let Actors::AtOnce(actors) = self.to_act() else {
            return self.act(action, news);
        };
        let mut others = PerSeat::<String>::defaults(self.seats());
        for other in actors.iter().filter(|other| *other != seat) {
            others[other] = self.legal(other)?.into_iter().next().unwrap_or_default();
        }
        let mut actions = others.each_ref().map(String::as_str);
        actions[seat] = action;
        match self.act_at_once(&actions, news) {
            Ok(()) => Ok(()),
            Err(AtOnceError::Rules(fault)) => Err(fault.into()),
            Err(AtOnceError::Refused(refusals)) => match refusals.of(seat) {
                Some(refusal) => Err(refusal.clone().into()),
                None => Ok(()),
            },
        }
    }

    /// Plays a ply whose actions are given by seat. The entry of a seat that does not act is not read.
    ///
    /// # Errors
    /// As [`AnyPosition::act`].
    pub fn play_actions(
        &mut self,
        actions: &PerSeat<&str>,
        news: &mut News,
    ) -> Result<(), ActError> {
        match self.to_act() {
            Actors::Nobody => self.act("", news),
            Actors::One(seat) => self.act(actions[seat], news),
            Actors::AtOnce(_) => self
                .act_at_once(actions, news)
                .map_err(|error| error.in_one(actions)),
        }
    }
}

impl<P: Position> AnyPosition for P {
    fn ply(&self) -> u32 {
        self.view(Side::First).ply()
    }

    fn to_act(&self) -> Actors {
        self.view(Side::First).to_act().map(Seat::from).into()
    }

    fn act(&mut self, token: &str, news: &mut News) -> Result<(), ActError> {
        let action = token
            .parse::<<P::View as View>::Action>()
            .map_err(|error| match error {
                ParseError::Malformed => Refusal::Unparsable {
                    expected: P::View::NOTATION.into(),
                },
                ParseError::OffBoard => Refusal::Illegal {
                    rule: error.to_string(),
                },
            })?;
        let actor = self.view(Side::First).to_act();
        let shown = self.apply(action).map_err(|rule| Refusal::Illegal {
            rule: rule.to_string(),
        })?;
        if let Some(seat) = actor {
            // Writing to a `String` cannot fail.
            let _ = write!(news.public_mut(seat.into()), "{shown}");
        }
        Ok(())
    }

    fn respelled(&self, token: &str) -> Option<String> {
        let view = self.view(self.view(Side::First).to_act()?);
        view.respelled(token).map(|action| action.to_string())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.view(Side::First).outcome().map(Outcome::from)
    }

    fn legal(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        Ok(actions(self, seat)
            .iter()
            .map(ToString::to_string)
            .collect())
    }

    fn legal_near(&self, seat: Seat, token: &str) -> Result<Vec<String>, RulesFault> {
        let mut actions = actions(self, seat);
        if let Ok(wanted) = token.parse::<<P::View as View>::Action>() {
            actions.sort_by_key(|action| P::View::apart(wanted, *action));
        }
        Ok(actions.iter().map(ToString::to_string).collect())
    }

    fn rules_points(&self) -> Option<PerSeat<RulesPoints>> {
        let points = self.view(Side::First).rules_points();
        points.map(|points| points.map(RulesPoints::from).into())
    }

    fn chess(&self) -> Option<&chess::State> {
        self.view(Side::First).chess()
    }

    fn drawing(&self, seat: Option<Seat>) -> Result<Drawing, RulesFault> {
        Ok(match seat {
            Some(seat) => self.view(Side::of(seat)).drawing(),
            None => self.revealed(),
        })
    }
}

/// Legal actions of a seat, from its view; none unless it acts.
fn actions<P: Position>(position: &P, seat: Seat) -> Vec<<P::View as View>::Action> {
    let mut actions = Vec::new();
    let view = position.view(Side::of(seat));
    if view.to_act().map(Seat::from) == Some(seat) {
        view.legal(&mut actions);
    }
    actions
}

/// Separator of the actions where several seats act in a ply, as in `rock+paper`.
const AT_ONCE: char = '+';

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actors {
    Nobody,
    One(Seat),
    /// Several seats at once: none hears of another's action before it has chosen its own.
    AtOnce(Seats),
}

impl Actors {
    pub const BOTH: Actors = Actors::AtOnce(Seats::BOTH);

    pub fn those(seats: Seats) -> Self {
        match (seats.is_empty(), seats.only()) {
            (true, _) => Self::Nobody,
            (false, Some(seat)) => Self::One(seat),
            (false, None) => Self::AtOnce(seats),
        }
    }

    pub fn is_nobody(self) -> bool {
        self == Self::Nobody
    }

    pub fn are_several(self) -> bool {
        matches!(self, Self::AtOnce(_))
    }

    pub fn includes(self, seat: Seat) -> bool {
        self.set().contains(seat)
    }

    pub fn seats(self) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        self.set().iter()
    }

    pub fn set(self) -> Seats {
        match self {
            Self::Nobody => Seats::default(),
            Self::One(seat) => Seats::from_iter([seat]),
            Self::AtOnce(seats) => seats,
        }
    }

    /// The actions of a ply as one word, joined by `+` where several seats act.
    pub fn join(self, actions: &PerSeat<&str>) -> String {
        let actions: Vec<&str> = self.seats().map(|seat| actions[seat]).collect();
        actions.join(&AT_ONCE.to_string())
    }

    /// The action of each of `seats` from the one word for a ply; empty for a seat that does not act. `None` if several
    /// act and the word has not an action for each.
    pub fn split(self, seats: usize, ply: &str) -> Option<PerSeat<&str>> {
        let mut actions = PerSeat::defaults(seats);
        match self {
            Self::Nobody => {}
            Self::One(seat) => actions[seat] = ply,
            Self::AtOnce(actors) => {
                let mut words = ply.split(AT_ONCE);
                for seat in actors.iter() {
                    actions[seat] = words.next()?;
                }
                if words.next().is_some() {
                    return None;
                }
            }
        }
        Some(actions)
    }
}

impl From<Option<Seat>> for Actors {
    fn from(seat: Option<Seat>) -> Self {
        seat.map_or(Self::Nobody, Self::One)
    }
}

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

#[cfg(test)]
mod tests {
    use crate::game::{View, cachex, dark_chess, watch_your_back};

    /// The actions in `others`, sorted by distance from `one`.
    fn in_order<V: View>(one: &str, others: &str) -> String {
        let action = |token: &str| token.parse::<V::Action>().expect("an action");
        let mut others: Vec<V::Action> = others.split(' ').map(action).collect();
        others.sort_by_key(|other| V::apart(action(one), *other));
        let tokens: Vec<String> = others.iter().map(ToString::to_string).collect();
        tokens.join(" ")
    }

    #[test]
    fn actions_of_the_same_piece_come_first_then_those_nearby() {
        assert_eq!(
            in_order::<watch_your_back::State>("3,3-3,6", "3,2-3,3 7,7-7,6 3,3-2,3 3,3-3,4"),
            "3,3-3,4 3,3-2,3 3,2-3,3 7,7-7,6"
        );
        assert_eq!(
            in_order::<watch_your_back::State>("0,0", "5,5 1,1 0,2 pass 1,0"),
            "pass 1,0 1,1 0,2 5,5"
        );
        // Cells touch along one of the two diagonals only.
        assert_eq!(
            in_order::<cachex::State>("c3", "steal a1 d4 d2 b4 c3"),
            "c3 d2 b4 d4 a1 steal"
        );
        assert_eq!(
            in_order::<dark_chess::View>("b3-b5", "b2 b3-c3 a8 b3-b4 c3"),
            "b3-b4 b3-c3 b2 c3 a8"
        );
    }
}
