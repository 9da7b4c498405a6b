//! The look of a letter on a board.

use std::borrow::Cow;

/// Name and look of a letter on a board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The letter.
    pub letter: char,
    /// Its shape.
    pub shape: Shape,
    /// The colour of its shape, or of its glyph where it has no shape.
    pub colour: Colour,
    /// Characters that are drawn on it; empty for none. A page shows the letter below them, for browsers without their
    /// font.
    pub glyph: Cow<'static, str>,
    /// Its name, for legends and screen readers.
    pub name: Cow<'static, str>,
}

impl Piece {
    /// A piece of a built-in game.
    pub const fn new(
        letter: char,
        shape: Shape,
        colour: Colour,
        glyph: &'static str,
        name: &'static str,
    ) -> Self {
        Self {
            letter,
            shape,
            colour,
            glyph: Cow::Borrowed(glyph),
            name: Cow::Borrowed(name),
        }
    }
}

/// Defines an enum whose values have names of one word.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($(#[$of:meta])* $value:ident $name:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[$of])* $value),+
        }

        impl $type {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// Its name in drawings of rules programs and on pages.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }

            /// The one of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}

named! {
    /// Shape of a piece.
    Shape {
        /// Nothing but the glyph.
        None "none",
        /// A disc.
        Disc "disc",
        /// A disc with a light face, whose rim and glyph have the colour.
        Ring "ring",
        /// A square.
        Square "square",
        /// A triangle.
        Triangle "triangle",
        /// A hexagon.
        Hexagon "hexagon",
        /// A star with five points.
        Star "star",
        /// Two crossed bars.
        Cross "cross",
        /// The whole cell, such as a wall.
        Block "block",
        /// No cell at all.
        Gap "gap",
    }
}

named! {
    /// Colour of a piece or of a side. Pages and terminals have a shade of each that is legible in light and in dark.
    Colour {
        /// The colour of text.
        None "none",
        /// White.
        White "white",
        /// Black.
        Black "black",
        /// Grey.
        Grey "grey",
        /// Red.
        Red "red",
        /// Orange.
        Orange "orange",
        /// Yellow.
        Yellow "yellow",
        /// Green.
        Green "green",
        /// Teal.
        Teal "teal",
        /// Blue.
        Blue "blue",
        /// Purple.
        Purple "purple",
        /// Pink.
        Pink "pink",
        /// Brown.
        Brown "brown",
    }
}
