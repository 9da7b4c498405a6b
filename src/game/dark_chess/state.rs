//! The referee's state of a game: the view, and the face-down pieces.

use super::super::{Chance, Drawing, Position, Side, View as _, shuffle};
use super::{Action, Options, Piece, Public, Rule, Square, View};

/// The full state of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub(super) view: View,
    /// The face-down piece on each square.
    pub(super) hidden: [Option<Piece>; 32],
}

impl State {
    /// The start of a game, from the layout of the options or from one drawn from `chance`.
    pub fn new(options: &Options, chance: &mut dyn Chance) -> Self {
        let mut hidden = [None; 32];
        match options.layout() {
            Some(layout) => hidden = layout.map(Some),
            None => {
                for (slot, piece) in hidden.iter_mut().zip(Piece::full_set()) {
                    *slot = Some(piece);
                }
                shuffle(&mut hidden, chance);
            }
        }
        Self {
            view: View::new(options),
            hidden,
        }
    }

    /// A random legal action, each equally likely; `None` if there is none.
    pub fn random_action<C: Chance + ?Sized>(&self, chance: &mut C) -> Option<Action> {
        self.view.random_action(chance)
    }
}

impl Position for State {
    type View = View;

    fn view(&self, _seat: Side) -> &View {
        &self.view
    }

    fn apply(&mut self, action: Action) -> Result<Public, Rule> {
        self.view.check(action)?;
        let (Action::Flip(square) | Action::Move(_, square)) = action;
        let shown = self.hidden[square.index()].take();
        self.view.follow(action, shown);
        Ok(Public(shown))
    }

    fn revealed(&self) -> Drawing {
        let letter = |square: Square| match self.hidden[square.index()] {
            Some(piece) => piece.letter(),
            None => self.view.seen().at(square).letter(),
        };
        self.view.drawn(Square::all().map(letter).collect())
    }
}
