//! The drawing of a position, for pages, terminals and messages: a board of letters, and what each letter looks like.

use std::borrow::Cow;
use std::fmt::{self, Display};

/// A position as it is drawn for one seat or with everything revealed. Its [`Display`] is the board in letters, with
/// changed cells in brackets and marked ones in parentheses, and the text below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The board; `None` for a position that is text alone.
    pub board: Option<Board>,
    /// The letters that occur on the board, and possibly others.
    pub pieces: Cow<'static, [Piece]>,
    /// Indices of marked cells, such as a winning chain.
    pub marks: Vec<usize>,
    /// Indices of the cells that the last action changed; empty where nobody asked for them.
    pub changed: Vec<usize>,
    /// Lines of text below the board or in place of it.
    pub text: Vec<String>,
}

impl Drawing {
    /// A drawing of a board, without marks and text.
    pub fn new(board: Board, pieces: &'static [Piece]) -> Self {
        Self {
            board: Some(board),
            pieces: Cow::Borrowed(pieces),
            ..Self::default()
        }
    }

    /// The letters on the cells in reading order; empty without a board.
    pub fn letters(&self) -> &str {
        self.board.as_ref().map_or("", |board| &board.letters)
    }

    pub fn piece(&self, letter: char) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.letter == letter)
    }

    /// This drawing, with the cells that differ from an earlier one as its changed ones. Between boards of different
    /// sizes none are.
    #[must_use]
    pub fn changed_since(mut self, earlier: &Self) -> Self {
        let size = |drawing: &Self| drawing.board.as_ref().map(Board::size);
        self.changed.clear();
        if size(&self) == size(earlier) {
            let letters = self.letters().chars().zip(earlier.letters().chars());
            let changed = letters.enumerate().filter(|(_, (now, then))| now != then);
            self.changed = changed.map(|(cell, _)| cell).collect();
        }
        self
    }
}

impl Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.painted(&|cell| cell.letter.to_string()))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    pub cells: Cells,
    pub columns: usize,
    /// A letter for each cell in reading order: the upper row first, each from left to right.
    pub letters: String,
    pub column_labels: Labels,
    pub row_labels: Labels,
    /// The colours of the upper, right, lower and left side, where sides belong to seats.
    pub sides: Option<[Colour; 4]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cells {
    Squares,
    Points,
    /// Hexagons, each row half a cell beside the row above.
    Hexagons(Slant),
}

/// The side to which each row of hexagons lies half a cell beside the row above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slant {
    Left,
    Right,
}

/// Labels of the columns or rows of a board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Labels {
    /// `a`, `b`, …, `z`, `aa`, `ab`, ….
    Letters,
    /// 0, 1, 2, ….
    FromZero,
    /// Numbers down to 1 for the last.
    DownToOne,
    Words(Vec<String>),
}

impl Labels {
    pub fn list(&self, count: usize) -> Vec<String> {
        let label = |at: usize| match self {
            Self::Letters => letters(at),
            Self::FromZero => at.to_string(),
            Self::DownToOne => (count - at).to_string(),
            Self::Words(words) => words.get(at).cloned().unwrap_or_default(),
        };
        (0..count).map(label).collect()
    }
}

fn letters(mut column: usize) -> String {
    let mut label = Vec::new();
    loop {
        label.push(char::from(b'a' + (column % 26) as u8));
        if column < 26 {
            return label.iter().rev().collect();
        }
        column = column / 26 - 1;
    }
}

impl Board {
    pub fn new(cells: Cells, columns: usize, letters: String) -> Self {
        Self {
            cells,
            columns,
            letters,
            column_labels: Labels::Letters,
            row_labels: Labels::DownToOne,
            sides: None,
        }
    }

    pub fn row_count(&self) -> usize {
        self.letters.chars().count() / self.columns.max(1)
    }

    pub fn size(&self) -> (usize, usize) {
        (self.columns, self.row_count())
    }

    /// Whether another board differs in nothing but its letters.
    pub fn is_like(&self, other: &Self) -> bool {
        self.size() == other.size()
            && (self.cells, self.sides) == (other.cells, other.sides)
            && self.column_labels == other.column_labels
            && self.row_labels == other.row_labels
    }

    /// The letters with `/` between the rows, the upper row first.
    pub fn rows(&self) -> String {
        let letters: Vec<char> = self.letters.chars().collect();
        let rows = letters.chunks(self.columns.max(1));
        let rows: Vec<String> = rows.map(|row| row.iter().collect()).collect();
        rows.join("/")
    }
}

#[derive(Debug, Clone, Copy)]
pub struct DrawnCell<'a> {
    pub letter: char,
    /// The piece of the letter; `None` where the game gives it no look.
    pub piece: Option<&'a Piece>,
    pub is_changed: bool,
    pub is_marked: bool,
}

impl DrawnCell<'_> {
    fn brackets(&self) -> Option<[char; 2]> {
        match (self.is_changed, self.is_marked) {
            (true, _) => Some(['[', ']']),
            (false, true) => Some(['(', ')']),
            (false, false) => None,
        }
    }
}

impl Drawing {
    /// The board with its labels, then the text, in lines that end with a line feed. `paint` gives the text of a cell,
    /// which is one column wide.
    pub fn painted(&self, paint: &dyn Fn(&DrawnCell<'_>) -> String) -> String {
        let mut text = String::new();
        if let Some(board) = &self.board {
            self.paint_board(board, paint, &mut text);
        }
        for line in &self.text {
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    fn paint_board(
        &self,
        board: &Board,
        paint: &dyn Fn(&DrawnCell<'_>) -> String,
        text: &mut String,
    ) {
        let (columns, rows) = board.size();
        let column_labels = board.column_labels.list(columns);
        let row_labels = board.row_labels.list(rows);
        let margin = longest(&row_labels);
        // Half a cell of a row of hexagons is a whole number of columns.
        let pitch = match board.cells {
            Cells::Squares | Cells::Points => longest(&column_labels) + 1,
            Cells::Hexagons(_) => (longest(&column_labels) + 1).next_multiple_of(2),
        };
        let labels: String = column_labels
            .iter()
            .map(|label| format!("{label:>pitch$}"))
            .collect();
        let labels = format!("{:margin$}{labels}\n", "");
        // They stand beside the row that is not indented.
        let is_below = board.cells == Cells::Hexagons(Slant::Left);
        if !is_below {
            text.push_str(&labels);
        }
        let cells = self.cells(board);
        for (row, (cells, label)) in cells.chunks(columns.max(1)).zip(&row_labels).enumerate() {
            let indent = match board.cells {
                Cells::Squares | Cells::Points => 0,
                Cells::Hexagons(Slant::Right) => row * pitch / 2,
                Cells::Hexagons(Slant::Left) => (rows - 1 - row) * pitch / 2,
            };
            text.push_str(&format!("{:indent$}{label:>margin$}", ""));
            paint_row(cells, pitch, paint, text);
        }
        if is_below {
            text.push_str(&labels);
        }
    }

    fn cells(&self, board: &Board) -> Vec<DrawnCell<'_>> {
        let letters = board.letters.chars();
        let mut cells: Vec<DrawnCell<'_>> = letters
            .map(|letter| DrawnCell {
                letter,
                piece: self.piece(letter),
                is_changed: false,
                is_marked: false,
            })
            .collect();
        for &at in &self.changed {
            if let Some(cell) = cells.get_mut(at) {
                cell.is_changed = true;
            }
        }
        for &at in &self.marks {
            if let Some(cell) = cells.get_mut(at) {
                cell.is_marked = true;
            }
        }
        cells
    }
}

/// A line with the cells of a row. Brackets of neighbours share a column where it is the only one between them.
fn paint_row(
    cells: &[DrawnCell<'_>],
    pitch: usize,
    paint: &dyn Fn(&DrawnCell<'_>) -> String,
    text: &mut String,
) {
    let mut close = None;
    for cell in cells {
        let brackets = cell.brackets();
        let open = brackets.map(|[open, _]| open);
        let mut between = vec![' '; pitch.saturating_sub(1).max(1)];
        let last = between.len() - 1;
        between[0] = close.unwrap_or(' ');
        between[last] = open.unwrap_or(between[last]);
        text.extend(between);
        text.push_str(&paint(cell));
        close = brackets.map(|[_, close]| close);
    }
    text.extend(close);
    text.push('\n');
}

fn longest(labels: &[String]) -> usize {
    labels
        .iter()
        .map(|label| label.chars().count())
        .max()
        .unwrap_or(0)
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Piece {
    pub letter: char,
    pub shape: Shape,
    /// The colour of its shape, or of its glyph where it has no shape.
    pub colour: Colour,
    /// Characters that are drawn on it; empty for none. A page shows the letter below them, for browsers without their
    /// font.
    pub glyph: Cow<'static, str>,
    pub name: Cow<'static, str>,
}

impl Piece {
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

crate::named! {
    pub enum Shape {
        None = "none",
        Disc = "disc",
        /// A disc with a light face, whose rim and glyph have the colour.
        Ring = "ring",
        Square = "square",
        Triangle = "triangle",
        Hexagon = "hexagon",
        Star = "star",
        Cross = "cross",
        /// The whole cell, such as a wall.
        Block = "block",
        Gap = "gap",
    }
}

crate::named! {
    /// Colour of a piece or of a side. Pages and terminals have a shade of each that is legible in light and in dark.
    pub enum Colour {
        None = "none",
        White = "white",
        Black = "black",
        Grey = "grey",
        Red = "red",
        Orange = "orange",
        Yellow = "yellow",
        Green = "green",
        Teal = "teal",
        Blue = "blue",
        Purple = "purple",
        Pink = "pink",
        Brown = "brown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Labels;

    #[test]
    fn labels_go_on_after_z_and_numbers_can_count_down() {
        let last = |labels: Labels, count| labels.list(count).pop();
        for (count, label) in [
            (1, "a"),
            (26, "z"),
            (27, "aa"),
            (52, "az"),
            (53, "ba"),
            (703, "aaa"),
        ] {
            assert_eq!(last(Labels::Letters, count).as_deref(), Some(label));
        }
        assert_eq!(Labels::DownToOne.list(3), ["3", "2", "1"]);
        assert_eq!(Labels::FromZero.list(2), ["0", "1"]);
        assert_eq!(Labels::Words(vec!["x".to_owned()]).list(2), ["x", ""]);
    }

    fn drawing(cells: Cells) -> Drawing {
        Drawing::new(Board::new(cells, 3, "abcdef".to_owned()), &[])
    }

    #[test]
    fn changed_cells_are_in_brackets_and_marked_ones_in_parentheses() {
        for (changed, marks, text) in [
            (vec![], vec![], "  a b c\n2 a b c\n1 d e f\n"),
            (vec![0], vec![], "  a b c\n2[a]b c\n1 d e f\n"),
            (vec![1, 5], vec![4], "  a b c\n2 a[b]c\n1 d(e[f]\n"),
            (vec![3, 4], vec![4], "  a b c\n2 a b c\n1[d[e]f\n"),
            (vec![], vec![2], "  a b c\n2 a b(c)\n1 d e f\n"),
            (vec![9], vec![99], "  a b c\n2 a b c\n1 d e f\n"),
        ] {
            let drawing = Drawing {
                changed,
                marks,
                ..drawing(Cells::Squares)
            };
            assert_eq!(drawing.to_string(), text);
        }
        let upper = |cell: &DrawnCell<'_>| cell.letter.to_ascii_uppercase().to_string();
        assert!(drawing(Cells::Points).painted(&upper).contains("2 A B C\n"));
    }

    #[test]
    fn rows_of_hexagons_are_indented_on_their_side() {
        let slanted = |slant| drawing(Cells::Hexagons(slant)).to_string();
        assert_eq!(slanted(Slant::Right), "  a b c\n2 a b c\n 1 d e f\n");
        assert_eq!(slanted(Slant::Left), " 2 a b c\n1 d e f\n  a b c\n");
    }

    #[test]
    fn long_labels_make_wide_cells() {
        let words = ["x", "yy", "zz"].map(str::to_owned).to_vec();
        let mut drawing = drawing(Cells::Squares);
        let board = drawing.board.as_mut().expect("a board");
        board.column_labels = Labels::Words(words.clone());
        drawing.changed = vec![0, 1];
        drawing.text = vec!["below".to_owned()];
        assert_eq!(
            drawing.to_string(),
            "   x yy zz\n2 [a][b] c\n1  d  e  f\nbelow\n"
        );
        let board = drawing.board.as_mut().expect("a board");
        board.cells = Cells::Hexagons(Slant::Right);
        assert_eq!(
            drawing.to_string(),
            "    x  yy  zz\n2  [a] [b]  c\n  1   d   e   f\nbelow\n"
        );
    }
}
