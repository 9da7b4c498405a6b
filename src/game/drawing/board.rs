//! The cells of a board, and the labels of its columns and rows.

/// A board of letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// How the cells lie.
    pub cells: Cells,
    /// Number of cells in a row.
    pub columns: usize,
    /// A letter for each cell in reading order: the upper row first, each from left to right.
    pub letters: String,
    /// The labels of the columns, from left to right.
    pub column_labels: Labels,
    /// The labels of the rows, from top to bottom.
    pub row_labels: Labels,
    /// The colours of the upper, right, lower and left side, where sides belong to seats.
    pub sides: Option<[super::Colour; 4]>,
}

/// Layout of the cells of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cells {
    /// Squares.
    Squares,
    /// Points where lines meet.
    Points,
    /// Hexagons, each row half a cell beside the row above.
    Hexagons(Slant),
}

/// The side to which each row of hexagons lies half a cell beside the row above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slant {
    /// To the left.
    Left,
    /// To the right.
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
    /// These words.
    Words(Vec<String>),
}

impl Labels {
    /// The labels of `count` columns or rows.
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

/// The label of a column in letters.
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
    /// A board with letters for its columns, and numbers for its rows that go down to 1.
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

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.letters.chars().count() / self.columns.max(1)
    }

    /// Number of columns and rows.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
