//! The look of a game's boards, for people.

/// The layout of a game's boards, and the symbols on them.
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

/// Layout of a board's cells, with the labels of its columns and rows.
#[derive(Debug, Clone, Copy)]
pub enum Cells {
    /// In rows of squares, the first row on top. Both labels are numbers from 0.
    NumberedSquares,
    /// In rows of squares, the first row on top. Columns have letters, and the last row is 1.
    LetteredSquares,
    /// In a rhombus of hexagons, the first row at the bottom, each higher one half a cell to the right.
    /// Red's sides are at the bottom and the top, blue's at the left and the right. Columns have letters,
    /// and the first row is 1.
    Hexagons,
}

/// Name and drawing of a letter on a board.
#[derive(Debug)]
pub struct Symbol {
    /// The letter.
    pub letter: char,
    /// Its name, for legends and screen readers.
    pub name: &'static str,
    /// CSS classes on a page.
    pub class: &'static str,
    /// Its colour on a terminal.
    pub colour: Colour,
    /// Text on the piece on a page. A browser without a Chinese font shows the letter alone.
    pub glyph: &'static str,
}

impl Symbol {
    /// A symbol from its fields.
    pub const fn new(
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

/// Colour of a letter on a terminal.
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
