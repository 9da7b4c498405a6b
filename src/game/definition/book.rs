//! Books of openings in formats of their own.

/// Format of a book of openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookFormat {
    /// A position a line: Extended Position Description, or FEN.
    Epd,
    /// Games: Portable Game Notation.
    Pgn,
}

impl BookFormat {
    /// The format of files with this ending.
    pub fn from_ending(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "epd" | "fen" => Some(Self::Epd),
            "pgn" => Some(Self::Pgn),
            _ => None,
        }
    }

    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Epd => "EPD",
            Self::Pgn => "PGN",
        }
    }
}

/// An opening of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookOpening {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The setting of its start, if it has one, and its actions.
    pub words: String,
}

/// Reads a book line by line, so that a large one is never in memory as a whole.
pub trait BookReader {
    /// Takes the next line, with its number, and adds the openings that end before or in it.
    ///
    /// # Errors
    /// An opening is not one.
    fn line(
        &mut self,
        number: usize,
        text: &str,
        openings: &mut Vec<BookOpening>,
    ) -> Result<(), BookProblem>;

    /// Adds the openings that end with the book.
    ///
    /// # Errors
    /// An opening is not one.
    fn end(&mut self, openings: &mut Vec<BookOpening>) -> Result<(), BookProblem>;
}

/// Why a book cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct BookProblem {
    /// The line, from 1.
    pub line: usize,
    /// The problem, in words that follow the place.
    pub problem: String,
}
