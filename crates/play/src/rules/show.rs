//! The answer to `show`: a drawing in words.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Malformed, split_word};
use crate::game::{Board, Cells, Colour, Drawing, Labels, Piece, Shape, Slant};
use crate::text::visible;

const MOST_CELLS: usize = 65_536;

const MOST_CHARACTERS: usize = 4;

const BOARD: &str =
    "`grid COLUMNS ROWS ROW/ROW/…`, with COLUMNS letters in each of ROWS rows, 65536 at most";
const PIECE: &str = "`piece LETTER SHAPE COLOUR [GLYPH [NAME…]]`, with 1 to 4 characters as GLYPH, one line a letter";
const LABELS: &str = "labels of 1 to 4 characters";
const SIDES: &str = "`sides TOP RIGHT BOTTOM LEFT`, four colours";
const WORDS: &str =
    "grid, points, hex, slant, columns, rows, sides, piece, mark, text, state or ok";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShownPosition {
    pub drawing: Drawing,
    /// A name of the position: equal names, equal future.
    pub state: Option<String>,
}

impl From<Drawing> for ShownPosition {
    fn from(drawing: Drawing) -> Self {
        Self {
            drawing,
            state: None,
        }
    }
}

#[derive(Debug, Default)]
pub struct ShownReader {
    board: Option<Board>,
    slant: Option<Slant>,
    column_labels: Option<Labels>,
    row_labels: Option<Labels>,
    sides: Option<[Colour; 4]>,
    pieces: Vec<Piece>,
    marks: Vec<String>,
    text: Vec<String>,
    state: Option<String>,
}

impl ShownReader {
    pub fn take(&mut self, line: &str) -> Result<(), Malformed> {
        let malformed = |expected: &str| Malformed::new(line, expected);
        let (word, rest) = split_word(line);
        match word {
            "grid" | "points" | "hex" => {
                let cells = match word {
                    "grid" => Cells::Squares,
                    "points" => Cells::Points,
                    _ => Cells::Hexagons(Slant::Right),
                };
                let board = board(cells, rest).ok_or_else(|| malformed(BOARD))?;
                if self.board.replace(board).is_some() {
                    return Err(malformed("one board"));
                }
            }
            "slant" => {
                self.slant = Some(match rest {
                    "left" => Slant::Left,
                    "right" => Slant::Right,
                    _ => return Err(malformed("`slant left` or `slant right`")),
                });
            }
            "columns" => self.column_labels = Some(labels(rest).ok_or_else(|| malformed(LABELS))?),
            "rows" => self.row_labels = Some(labels(rest).ok_or_else(|| malformed(LABELS))?),
            "sides" => self.sides = Some(sides(rest).ok_or_else(|| malformed(SIDES))?),
            "piece" => {
                let piece = piece(rest).filter(|piece| {
                    let mut others = self.pieces.iter();
                    others.all(|other| other.letter != piece.letter)
                });
                self.pieces.push(piece.ok_or_else(|| malformed(PIECE))?);
            }
            "mark" => {
                let cells = rest.split_ascii_whitespace().map(str::to_owned);
                self.marks.extend(cells);
            }
            "text" => {
                let text = line.strip_prefix("text").unwrap_or_default();
                let text = text.strip_prefix(' ').unwrap_or(text);
                self.text.push(visible(text));
            }
            "state" if !rest.is_empty() => self.state = Some(rest.to_owned()),
            _ => return Err(malformed(WORDS)),
        }
        Ok(())
    }

    pub fn finish(mut self) -> ShownPosition {
        let mut marks = Vec::new();
        if let Some(board) = &mut self.board {
            if let (Cells::Hexagons(slant), Some(other)) = (&mut board.cells, self.slant) {
                *slant = other;
            }
            board.sides = self.sides;
            board.column_labels = self.column_labels.unwrap_or(Labels::Letters);
            board.row_labels = self.row_labels.unwrap_or(Labels::DownToOne);
            marks = marked_cells(board, &self.marks);
        }
        ShownPosition {
            drawing: Drawing {
                board: self.board,
                pieces: Cow::Owned(self.pieces),
                marks,
                changed: Vec::new(),
                text: self.text,
            },
            state: self.state,
        }
    }
}

fn board(cells: Cells, rest: &str) -> Option<Board> {
    let (columns, rest) = split_word(rest);
    let (rows, letters) = split_word(rest);
    let (columns, rows): (usize, usize) = (columns.parse().ok()?, rows.parse().ok()?);
    let is_small = columns
        .checked_mul(rows)
        .is_some_and(|cells| (1..=MOST_CELLS).contains(&cells));
    let has_columns = |row: &str| row.chars().count() == columns;
    let fits = letters.split('/').count() == rows
        && letters.split('/').all(has_columns)
        && visible(letters) == letters;
    (is_small && fits).then(|| Board::new(cells, columns, letters.replace('/', "")))
}

fn labels(rest: &str) -> Option<Labels> {
    let words: Vec<String> = rest.split_ascii_whitespace().map(visible).collect();
    let are_short = words
        .iter()
        .all(|word| word.chars().count() <= MOST_CHARACTERS);
    (are_short && !words.is_empty()).then_some(Labels::Words(words))
}

fn sides(rest: &str) -> Option<[Colour; 4]> {
    let colours: Vec<Colour> = rest.split_ascii_whitespace().map(colour).collect();
    colours.try_into().ok()
}

/// An unknown name is grey, so that no drawing ends a game.
fn colour(name: &str) -> Colour {
    Colour::from_name(name).unwrap_or(Colour::Grey)
}

/// A piece with an unknown shape is a disc.
fn piece(rest: &str) -> Option<Piece> {
    let (letter, rest) = split_word(rest);
    let (shape, rest) = split_word(rest);
    let (colour_name, rest) = split_word(rest);
    let (glyph, name) = split_word(rest);
    let mut letters = letter.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    let is_short = glyph.chars().count() <= MOST_CHARACTERS;
    (is_short && !shape.is_empty() && !colour_name.is_empty()).then(|| Piece {
        letter,
        shape: Shape::from_name(shape).unwrap_or(Shape::Disc),
        colour: colour(colour_name),
        glyph: match glyph {
            "-" => Cow::Borrowed(""),
            glyph => Cow::Owned(visible(glyph)),
        },
        name: match name {
            "" => Cow::Owned(visible(&format!("{colour_name} {shape}"))),
            name => Cow::Owned(visible(name)),
        },
    })
}

/// Indices of the cells with these names; a name that is no cell's is left out.
fn marked_cells(board: &Board, names: &[String]) -> Vec<usize> {
    let (columns, rows) = board.size();
    let numbered = |labels: Vec<String>| -> HashMap<String, usize> {
        labels
            .into_iter()
            .enumerate()
            .map(|(at, label)| (label, at))
            .collect()
    };
    let column_labels = numbered(board.column_labels.list(columns));
    let row_labels = numbered(board.row_labels.list(rows));
    let by_numbers = |name: &str| {
        let (column, row) = name.split_once(',')?;
        Some((column.parse().ok()?, row.parse().ok()?))
    };
    let by_labels = |name: &str| {
        let splits = name.char_indices().skip(1).take(MOST_CHARACTERS);
        let mut splits = splits.map(|(at, _)| name.split_at(at));
        splits.find_map(|(column, row)| Some((*column_labels.get(column)?, *row_labels.get(row)?)))
    };
    let cell = |name: &String| {
        let (column, row): (usize, usize) = by_numbers(name).or_else(|| by_labels(name))?;
        (column < columns && row < rows).then(|| row * columns + column)
    };
    names.iter().filter_map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCS: &str = include_str!("../../../../docs/rules-protocol.md");

    fn read(lines: &str) -> Result<ShownPosition, Malformed> {
        let mut reader = ShownReader::default();
        for line in lines.lines() {
            reader.take(line)?;
        }
        Ok(reader.finish())
    }

    fn shown(lines: &str) -> ShownPosition {
        read(lines).expect(lines)
    }

    #[test]
    fn the_transcripts_of_the_documentation_are_read() {
        let answers = DOCS.split("    > show ").skip(1);
        let answers = answers.map(|text| {
            let lines = text.lines().skip(1);
            let lines = lines.map_while(|line| line.strip_prefix("    < "));
            let lines: Vec<&str> = lines.take_while(|line| *line != "ok").collect();
            shown(&lines.join("\n")).drawing.to_string()
        });
        let drawn: Vec<String> = answers.collect();
        assert_eq!(
            drawn,
            [
                "  a b c\n3(r). .\n 2 . b .\n  1 . . .\n",
                "  g h j\n3 . X .\n2 X O X\n1 . X .\n",
            ]
        );
    }

    #[test]
    fn the_documentation_has_every_shape_and_colour() {
        let names = Shape::ALL.iter().map(|shape| shape.name());
        let names = names.chain(Colour::ALL.iter().map(|colour| colour.name()));
        for name in names {
            assert!(DOCS.contains(&format!("`{name}`")), "{name}");
        }
    }

    #[test]
    fn pieces_have_shapes_colours_glyphs_and_names() {
        let lines = "piece a star pink\npiece b ring red 帥 the red general\npiece c blob puce -";
        let pieces = shown(lines).drawing.pieces;
        let fields = pieces.iter().map(|piece| {
            let (glyph, name) = (piece.glyph.as_ref(), piece.name.as_ref());
            (piece.letter, piece.shape, piece.colour, glyph, name)
        });
        assert_eq!(
            fields.collect::<Vec<_>>(),
            [
                ('a', Shape::Star, Colour::Pink, "", "pink star"),
                ('b', Shape::Ring, Colour::Red, "帥", "the red general"),
                ('c', Shape::Disc, Colour::Grey, "", "puce blob"),
            ]
        );
    }

    #[test]
    fn marks_name_cells_by_numbers_or_labels() {
        let marks = |lines: &str| shown(lines).drawing.marks;
        assert_eq!(marks("mark 0,0 2,1 c1 a2\ngrid 3 2 .../..."), [0, 5, 5, 0]);
        assert_eq!(
            marks("grid 3 2 .../...\nmark 3,0 0,2 d1 a3 x 1,2,3 -1,0 é"),
            [0; 0]
        );
        assert_eq!(
            marks("columns aa b c\nmark aa1 b2\ngrid 3 2 .../..."),
            [3, 1]
        );
        assert_eq!(marks("mark a1\ntext no board"), [0; 0]);
        let wide = format!("grid 30 1 {}\nmark ad1", ".".repeat(30));
        assert_eq!(marks(&wide), [29]);
    }

    #[test]
    fn lines_of_another_form_are_malformed() {
        let long = format!("grid 257 256 {}", vec![".".repeat(257); 256].join("/"));
        for lines in [
            "grid 2 2 ab/c",
            "grid 2 2 ab",
            "grid 0 0 ",
            "grid 2 1 a\u{7}",
            "grid 99999999999999999999 1 a",
            &long,
            "grid 1 1 a\nhex 1 1 a",
            "slant up",
            "columns",
            "rows 12345",
            "sides red blue",
            "piece",
            "piece ab disc red",
            "piece a disc",
            "piece a disc red 12345",
            "piece a disc red\npiece a ring red",
            "state",
            "board 1 1 a",
        ] {
            let error = read(lines).expect_err(lines);
            assert!(error.to_string().contains("expected"), "{error}");
        }
    }
}
