//! How the boards of a game look to people.

/// The cells of a game's boards, and what stands on them.
#[derive(Debug)]
pub struct Look {
    /// How the cells lie.
    pub cells: Cells,
    /// The letters that occur on a board.
    pub symbols: &'static [Symbol],
}

impl Look {
    /// The colour of a letter.
    pub fn colour(&self, letter: char) -> Colour {
        let symbol = self.symbols.iter().find(|symbol| symbol.letter == letter);
        symbol.map_or(Colour::None, |symbol| symbol.colour)
    }
}

/// How the cells of a board lie.
#[derive(Debug, Clone, Copy)]
pub enum Cells {
    /// In rows of squares, the first row on top.
    Squares {
        /// The labels of the columns.
        columns: Labels,
        /// The labels of the rows.
        rows: Labels,
    },
    /// In a rhombus of hexagons, the first row at the bottom, each higher one half a cell to the right.
    /// Red's sides are at the bottom and the top, blue's at the left and the right.
    Hexagons,
}

/// What the columns or the rows of a board are called, from the left or from the top.
#[derive(Debug, Clone, Copy)]
pub enum Labels {
    /// 0, 1, 2 …
    FromZero,
    /// a, b, c …
    Letters,
    /// … 3, 2, 1
    DownToOne,
}

impl Labels {
    /// The label of number `at`, counted from 0, of `count`.
    pub fn label(self, at: usize, count: usize) -> String {
        match self {
            Self::FromZero => at.to_string(),
            Self::Letters => ('a'..='z').nth(at).into_iter().collect(),
            Self::DownToOne => (count - at).to_string(),
        }
    }
}

/// What a letter of a board means.
#[derive(Debug)]
pub struct Symbol {
    /// The letter.
    pub letter: char,
    /// What it is called.
    pub name: &'static str,
    /// How a page draws it: classes of the style sheet.
    pub class: &'static str,
    /// Its colour on a terminal.
    pub colour: Colour,
    /// What a page writes on it. A browser without Chinese letters shows the letter alone.
    pub glyph: &'static str,
}

impl Symbol {
    pub(super) const fn new(
        letter: char,
        name: &'static str,
        class: &'static str,
        colour: Colour,
        glyph: &'static str,
    ) -> Self {
        Self {
            letter,
            name,
            class,
            colour,
            glyph,
        }
    }
}

/// In which colour a terminal shows a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Red.
    Red,
    /// Blue, in a shade that is legible on black and on white.
    Blue,
    /// The colour of text, and bold.
    Bright,
    /// Not a piece: the colour of text, and faint.
    None,
}
