//! The answer to `show`: a board in drawing words.

use super::line::{Malformed, split_word};

/// Most cells of a board.
const MOST_CELLS: usize = 65_536;

/// A board, and what its letters look like.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// The board; `None` where the program shows none.
    pub board: Option<Board>,
    /// Lines of text, in place of a board or below it.
    pub text: Vec<String>,
    /// The look of each letter.
    pub pieces: Vec<Piece>,
    /// Marked cells, such as a winning line.
    pub marks: Vec<String>,
    /// A name of the position: equal names, equal future.
    pub state: Option<String>,
}

/// A board of letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// Whether the cells are hexagons, each row half a cell to the right of the row above.
    pub is_hex: bool,
    /// Cells in a row.
    pub columns: usize,
    /// The rows from top to bottom, each with a letter for each cell.
    pub rows: Vec<String>,
}

/// The look of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The letter on the board.
    pub letter: char,
    /// Its shape.
    pub shape: String,
    /// Its colour.
    pub colour: String,
    /// A character to draw on it.
    pub glyph: Option<String>,
}

/// Reads the lines of an answer to `show`.
#[derive(Debug, Default)]
pub struct ShownReader {
    shown: Shown,
}

impl ShownReader {
    /// Takes the next line.
    ///
    /// # Errors
    /// A line that the protocol does not allow.
    pub fn take(&mut self, line: &str) -> Result<(), Malformed> {
        let malformed = |expected: &str| Malformed::new(line, expected);
        let (word, rest) = split_word(line);
        match word {
            "grid" | "hex" => {
                let board = board(word == "hex", rest).ok_or_else(|| {
                    malformed("`grid COLUMNS ROWS ROW/ROW/…`, with COLUMNS letters in each of ROWS rows, 65536 at most")
                })?;
                if self.shown.board.replace(board).is_some() {
                    return Err(malformed("one board"));
                }
            }
            "text" => {
                let text = line.strip_prefix("text").unwrap_or_default();
                let text = text.strip_prefix(' ').unwrap_or(text);
                self.shown.text.push(text.to_owned());
            }
            "piece" => {
                let piece = piece(rest);
                let piece =
                    piece.ok_or_else(|| malformed("`piece LETTER SHAPE COLOUR [GLYPH]`"))?;
                self.shown.pieces.push(piece);
            }
            "mark" => {
                let cells = rest.split_ascii_whitespace().map(str::to_owned);
                self.shown.marks.extend(cells);
            }
            "state" if !rest.is_empty() => self.shown.state = Some(rest.to_owned()),
            _ => return Err(malformed("grid, hex, text, piece, mark, state or ok")),
        }
        Ok(())
    }

    /// The board, once its answer is complete.
    pub fn finish(self) -> Shown {
        self.shown
    }
}

fn board(is_hex: bool, rest: &str) -> Option<Board> {
    let (columns, rest) = split_word(rest);
    let (rows, cells) = split_word(rest);
    let (columns, rows): (usize, usize) = (columns.parse().ok()?, rows.parse().ok()?);
    let is_small = columns
        .checked_mul(rows)
        .is_some_and(|cells| (1..=MOST_CELLS).contains(&cells));
    let cells: Vec<String> = cells.split('/').map(str::to_owned).collect();
    let fits = cells.len() == rows && cells.iter().all(|row| row.chars().count() == columns);
    (is_small && fits).then_some(Board {
        is_hex,
        columns,
        rows: cells,
    })
}

fn piece(rest: &str) -> Option<Piece> {
    let mut words = rest.split_ascii_whitespace();
    let mut letters = words.next()?.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    let piece = Piece {
        letter,
        shape: words.next()?.to_owned(),
        colour: words.next()?.to_owned(),
        glyph: words.next().map(str::to_owned),
    };
    words.next().is_none().then_some(piece)
}
