//! The notation of actions.

/// The notation of a game's actions, for translators of engines' protocols.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The game's own.
    #[default]
    Own,
    /// Moves of chess and its variants, as the Universal Chess Interface writes them.
    Uci,
    /// Moves of shogi and its variants, as the Universal Shogi Interface writes them.
    Usi,
    /// Vertices with capital letters and `pass`, as the Go Text Protocol writes them.
    Gtp,
}

impl Notation {
    /// The notations of engines.
    pub const OF_ENGINES: [Self; 3] = [Self::Uci, Self::Usi, Self::Gtp];

    /// The name of the protocol of engines that write it; empty for a game's own.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "",
            Self::Uci => "uci",
            Self::Usi => "usi",
            Self::Gtp => "gtp",
        }
    }

    /// The notation of engines with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::OF_ENGINES.into_iter();
        all.find(|known| known.name() == name)
    }
}
