//! A drawing in lines of text.

use super::{Board, Cells, Drawing, Piece, Slant};

/// A cell to be painted.
#[derive(Debug, Clone, Copy)]
pub struct DrawnCell<'a> {
    /// The letter on it.
    pub letter: char,
    /// The piece of the letter; `None` where the game gives it no look.
    pub piece: Option<&'a Piece>,
    /// Whether the last action changed it.
    pub is_changed: bool,
    /// Whether it is marked.
    pub is_marked: bool,
}

impl DrawnCell<'_> {
    /// The characters around it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Labels;

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

    #[test]
    fn a_drawing_of_text_alone_has_no_board() {
        let text = vec!["one".to_owned(), "two".to_owned()];
        let drawing = Drawing {
            text,
            ..Drawing::default()
        };
        assert_eq!(drawing.to_string(), "one\ntwo\n");
        assert_eq!(drawing.letters(), "");
    }
}
