//! A game with its options.

use std::ops::{Deref, DerefMut};

use crate::game::{Chance, Game, GameOptions};

/// A game with its options, ready to start. Dereferences to the options.
#[derive(Debug, Clone)]
pub struct Setup {
    game: Game,
    options: Box<dyn GameOptions>,
}

impl PartialEq for Setup {
    fn eq(&self, other: &Self) -> bool {
        let mut docs = self.game.options().iter();
        self.game == other.game && docs.all(|doc| self.get(doc.key) == other.get(doc.key))
    }
}

impl Eq for Setup {}

impl Deref for Setup {
    type Target = dyn GameOptions;

    fn deref(&self) -> &Self::Target {
        self.options.as_ref()
    }
}

impl DerefMut for Setup {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.options.as_mut()
    }
}

impl Setup {
    /// The game with all options at their defaults.
    pub fn new(game: Game) -> Self {
        Self {
            game,
            options: game.0.defaults.boxed(),
        }
    }

    /// Which game it is.
    pub fn game(&self) -> Game {
        self.game
    }

    /// This game with everything set that is public and left to chance; `None` if nothing is.
    pub fn settled(&self, chance: &mut dyn Chance) -> Option<Self> {
        let options = self.options.settled(chance)?;
        Some(Self { options, ..*self })
    }

    /// All options that a player may know, with their values.
    pub fn public_options(&self) -> Vec<(&'static str, String)> {
        self.game
            .options()
            .iter()
            .filter(|doc| !doc.secret)
            .filter_map(|doc| Some((doc.key, self.get(doc.key)?)))
            .collect()
    }
}
