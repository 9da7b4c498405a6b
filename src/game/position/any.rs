//! Object-safe access to a game in progress, with actions as text.

use std::fmt::Write;

use crate::game::{
    ActError, Actors, AtOnceError, News, Outcome, ParseError, PerSeat, Picture, Points, Position,
    Refusal, RulesFault, Seat, View,
};

/// A game in progress: the object-safe form of a [`Position`]. Rules that are a program may fail at any question
/// to them; after that, every question may fail.
pub trait AnyPosition {
    /// Number of plies played.
    fn ply(&self) -> u32;

    /// Who acts next.
    fn to_act(&self) -> Actors;

    /// Adds what the start of the game tells the seats, such as their private cards.
    fn dealt(&self, _news: &mut News) {}

    /// Plays the action written in `token` of the one seat that acts, and adds what became known by it to `news`. A
    /// refused token changes nothing.
    ///
    /// # Errors
    /// The token is not an action, or not a legal one now, or the rules failed.
    fn act(&mut self, token: &str, news: &mut News) -> Result<(), ActError>;

    /// The same for the actions of both seats where both act. A game whose seats take turns has no such ply.
    ///
    /// # Errors
    /// A token is not an action, or not a legal one now, or the rules failed.
    fn act_at_once(&mut self, _tokens: PerSeat<&str>, _news: &mut News) -> Result<(), AtOnceError> {
        Err(AtOnceError::Rules(RulesFault::NotAtOnce))
    }

    /// Outcome by the game's rules; `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// All legal actions of a seat, in a fixed order; none for a seat that does not act.
    ///
    /// # Errors
    /// The rules failed.
    fn legal(&self, seat: Seat) -> Result<Vec<String>, RulesFault>;

    /// All legal actions of a seat; none where a rules program lists none.
    ///
    /// # Errors
    /// The rules failed.
    fn listed(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        match self.legal(seat) {
            Err(RulesFault::NotListed) => Ok(Vec::new()),
            legal => legal,
        }
    }

    /// All legal actions of a seat, sorted by distance from the action in `token`, nearest first.
    ///
    /// # Errors
    /// The rules failed.
    fn legal_near(&self, seat: Seat, token: &str) -> Result<Vec<String>, RulesFault>;

    /// Legal actions that `seat` is told before it acts; empty where the game offers none.
    fn offers(&self, _seat: Seat) -> &[String] {
        &[]
    }

    /// A digest of all that the rules answered in this game: 16 hexadecimal digits; `None` where they are no program.
    fn answers(&self) -> Option<String> {
        None
    }

    /// Points of both seats; `None` for a game without points. Watch Your Back! counts pieces on the board.
    fn score(&self) -> Option<PerSeat<Points>>;

    /// The board as `seat` may see it, a letter a square.
    ///
    /// # Errors
    /// The rules failed.
    fn board(&self, seat: Seat) -> Result<String, RulesFault>;

    /// The board as `seat` may see it, with `/` between the rows.
    ///
    /// # Errors
    /// The rules failed.
    fn rows(&self, seat: Seat) -> Result<String, RulesFault>;

    /// The board as `seat` may see it, with `/` between the rows, in drawing order (top row first).
    ///
    /// # Errors
    /// The rules failed.
    fn drawn_rows(&self, seat: Seat) -> Result<String, RulesFault>;

    /// The board with hidden pieces revealed, a letter a square.
    ///
    /// # Errors
    /// The rules failed.
    fn revealed_board(&self) -> Result<String, RulesFault>;

    /// Indices into [`AnyPosition::board`] of the squares that decided the game, such as a winning chain.
    ///
    /// # Errors
    /// The rules failed.
    fn decisive_squares(&self) -> Result<Vec<usize>, RulesFault>;

    /// The board as `seat` may see it, drawn for people, ending with one newline. Marks the squares of
    /// the action in `last`.
    ///
    /// # Errors
    /// The rules failed.
    fn picture(&self, seat: Seat, last: Option<&str>) -> Result<Picture, RulesFault>;
}

impl dyn AnyPosition + '_ {
    /// Plays a ply that is one word: the action of the one seat that acts, or those of both, as in `rock+paper`.
    ///
    /// # Errors
    /// As [`AnyPosition::act`]. Of two actions, the words of a refusal name the ones at fault.
    pub fn play(&mut self, ply: &str, news: &mut News) -> Result<(), ActError> {
        let actors = self.to_act();
        if actors.is_nobody() {
            return self.act(ply, news);
        }
        let actions = actors.split(ply).ok_or(Refusal::Unparsable {
            expected: "the actions of both seats, joined by `+`".into(),
        })?;
        self.play_actions(actions, news)
    }

    /// The same for a ply whose actions are given by seat. That of a seat that does not act is not read.
    ///
    /// # Errors
    /// As [`AnyPosition::act`].
    pub fn play_actions(
        &mut self,
        actions: PerSeat<&str>,
        news: &mut News,
    ) -> Result<(), ActError> {
        match self.to_act() {
            Actors::Nobody => self.act("", news),
            Actors::One(seat) => self.act(actions[seat], news),
            Actors::Both => self
                .act_at_once(actions, news)
                .map_err(|error| error.in_one(actions)),
        }
    }
}

impl<P: Position> AnyPosition for P {
    fn ply(&self) -> u32 {
        self.view(Seat::First).ply()
    }

    fn to_act(&self) -> Actors {
        self.view(Seat::First).to_act().into()
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
        let actor = self.view(Seat::First).to_act();
        let shown = self.apply(action).map_err(|rule| Refusal::Illegal {
            rule: rule.to_string(),
        })?;
        if let Some(seat) = actor {
            // Writing to a `String` cannot fail.
            let _ = write!(news.public[seat], "{shown}");
        }
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.view(Seat::First).outcome()
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

    fn score(&self) -> Option<PerSeat<Points>> {
        let score = self.view(Seat::First).score();
        score.map(|points| points.map(Points::from).into())
    }

    fn board(&self, seat: Seat) -> Result<String, RulesFault> {
        Ok(self.view(seat).board())
    }

    fn rows(&self, seat: Seat) -> Result<String, RulesFault> {
        let view = self.view(seat);
        Ok(in_rows(view, view.board().chars()))
    }

    fn drawn_rows(&self, seat: Seat) -> Result<String, RulesFault> {
        let view = self.view(seat);
        Ok(in_rows(view, view.picture().letters()))
    }

    fn revealed_board(&self) -> Result<String, RulesFault> {
        Ok(Position::revealed_board(self))
    }

    fn decisive_squares(&self) -> Result<Vec<usize>, RulesFault> {
        Ok(self.view(Seat::First).decisive_squares())
    }

    fn picture(&self, seat: Seat, last: Option<&str>) -> Result<Picture, RulesFault> {
        let view = self.view(seat);
        let mut picture = view.picture();
        picture.end_line();
        let last = last.and_then(|token| token.parse().ok());
        if let Some(action) = last {
            picture.mark(&view.squares(action));
        }
        Ok(picture)
    }
}

/// The letters of a board with `/` between the rows.
fn in_rows<V: View>(view: &V, letters: impl Iterator<Item = char>) -> String {
    let letters: Vec<char> = letters.collect();
    let rows = letters.chunks(view.columns().max(1));
    let rows: Vec<String> = rows.map(|row| row.iter().collect()).collect();
    rows.join("/")
}

/// Legal actions of a seat, from its view; none unless it acts.
fn actions<P: Position>(position: &P, seat: Seat) -> Vec<<P::View as View>::Action> {
    let mut actions = Vec::new();
    let view = position.view(seat);
    if view.to_act() == Some(seat) {
        view.legal(&mut actions);
    }
    actions
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
