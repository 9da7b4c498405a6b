//! The lines of a rules program, as [`Hello::parse`], [`AnswerReader`](super::AnswerReader) and the reader of `show`
//! read them. Each ends with a line feed.

use std::fmt::{self, Display, Formatter, Write};

use super::answer::{Answer, Next, Refusal, Turn};
use super::hello::{Capabilities, Hello, OptionValues, SeatNames};
use super::show::ShownPosition;
use crate::game::{Board, Cells, Colour, Labels, NewsLine, Piece, Slant};

impl Display for Hello {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "game {} {}", self.name, self.version)?;
        writeln!(f, "seats {}", self.seats)?;
        for option in &self.options {
            let (key, values, default) = (&option.key, &option.values, &option.default);
            write!(f, "option {key} {values} {default}")?;
            write_rest(f, &option.meaning)?;
            if option.secret {
                writeln!(f, "secret {key}")?;
            }
        }
        for (name, words) in &self.reasons {
            write!(f, "reason {name}")?;
            write_rest(f, words)?;
        }
        if let Some(notation) = self.notation {
            writeln!(f, "notation {}", notation.name())?;
        }
        self.has.fmt(f)
    }
}

impl Display for SeatNames {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(names) => f.write_str(&names.join(" ")),
            Self::Range { least, most } => write!(f, "{least}..{most}"),
        }
    }
}

impl Display for OptionValues {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(least, most) => write!(f, "{least}..{most}"),
            Self::OneOf(words) => f.write_str(&words.join("|")),
            Self::Text => f.write_str("text"),
        }
    }
}

/// The line `has`; nothing where there is no capability.
impl Display for Capabilities {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut own = *self;
        let words = own.words().into_iter().filter(|(_, has)| **has);
        let mut words = words.peekable();
        if words.peek().is_none() {
            return Ok(());
        }
        f.write_str("has")?;
        write_words(f, words.map(|(word, _)| word))
    }
}

impl Display for Answer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turn(turn) => turn.fmt(f),
            Self::Refused(refusal) => refusal.fmt(f),
        }
    }
}

impl Display for Turn {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (to, line) in &self.news {
            match (to, line) {
                (
                    _,
                    NewsLine::Did {
                        seat,
                        action,
                        public,
                    },
                ) => {
                    write!(f, "did {} {action}", seat.number())?;
                    write_rest(f, public)?;
                }
                (None, NewsLine::See(words)) => {
                    f.write_str("see *")?;
                    write_rest(f, words)?;
                }
                (Some(seat), NewsLine::See(words)) => {
                    write!(f, "see {}", seat.number())?;
                    write_rest(f, words)?;
                }
            }
        }
        for (seat, actions) in &self.offers {
            write_offer(f, *seat, actions)?;
        }
        if let Some(score) = &self.score {
            f.write_str("score")?;
            write_words(f, score)?;
        }
        match &self.next {
            Next::Act(seats) => {
                f.write_str("act")?;
                write_words(f, seats)?;
            }
            Next::End { points, reason } => {
                f.write_str("end")?;
                for points in points {
                    write!(f, " {points}")?;
                }
                writeln!(f, " {reason}")?;
            }
        }
        f.write_str("ok\n")
    }
}

/// The line that refuses the action of one seat. Where several acted, the seats at fault come before the words.
impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.unparsable {
            "unparsable"
        } else {
            "illegal"
        })?;
        write_rest(f, &self.words)
    }
}

impl Display for ShownPosition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let drawing = &self.drawing;
        if let Some(board) = &drawing.board {
            write_board(f, board)?;
        }
        for piece in drawing.pieces.iter() {
            write_piece(f, piece)?;
        }
        if let (Some(board), false) = (&drawing.board, drawing.marks.is_empty()) {
            let columns = board.columns.max(1);
            let cell = |at: &usize| format!("{},{}", at % columns, at / columns);
            f.write_str("mark")?;
            write_words(f, drawing.marks.iter().map(cell))?;
        }
        for text in &drawing.text {
            writeln!(f, "text {text}")?;
        }
        match &self.state {
            Some(state) => writeln!(f, "state {state}"),
            None => Ok(()),
        }
    }
}

/// Labels that every reader assumes are left out.
fn write_board(f: &mut Formatter<'_>, board: &Board) -> fmt::Result {
    let (columns, rows) = board.size();
    let word = match board.cells {
        Cells::Squares => "grid",
        Cells::Points => "points",
        Cells::Hexagons(_) => "hex",
    };
    writeln!(f, "{word} {columns} {rows} {}", board.rows())?;
    if board.cells == Cells::Hexagons(Slant::Left) {
        f.write_str("slant left\n")?;
    }
    if board.column_labels != Labels::Letters {
        f.write_str("columns")?;
        write_words(f, board.column_labels.list(columns))?;
    }
    if board.row_labels != Labels::DownToOne {
        f.write_str("rows")?;
        write_words(f, board.row_labels.list(rows))?;
    }
    match board.sides {
        Some(sides) => {
            f.write_str("sides")?;
            write_words(f, sides.map(Colour::name))
        }
        None => Ok(()),
    }
}

fn write_piece(f: &mut Formatter<'_>, piece: &Piece) -> fmt::Result {
    let glyph = match piece.glyph.as_ref() {
        "" => "-",
        glyph => glyph,
    };
    let (shape, colour) = (piece.shape.name(), piece.colour.name());
    writeln!(
        f,
        "piece {} {shape} {colour} {glyph} {}",
        piece.letter, piece.name
    )
}

pub(super) fn write_offer(to: &mut impl Write, seat: u8, actions: &[String]) -> fmt::Result {
    write!(to, "can {seat}")?;
    write_words(to, actions)
}

/// Writes each word after a space, and ends the line.
fn write_words<W: Display>(to: &mut impl Write, words: impl IntoIterator<Item = W>) -> fmt::Result {
    for word in words {
        write!(to, " {word}")?;
    }
    to.write_char('\n')
}

/// Writes the rest of a line, which may be empty, and ends the line.
fn write_rest(to: &mut impl Write, rest: &str) -> fmt::Result {
    write_words(to, Some(rest).filter(|rest| !rest.is_empty()))
}
