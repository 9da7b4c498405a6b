//! End of a run on the screen: forfeits, a table for each game, endings of the games, and the number of notes.

use std::path::Path;

use super::forfeits::forfeit_lines;
use super::layout::Style;
use super::printer::Screen;
use super::summary::{endings, ratings_table, summary};
use crate::report::forfeits::Forfeits;
use crate::report::notes::{self, NotesOn};
use crate::report::text::shell_word;
use crate::results::{Rated, Results};
use crate::text::{DisplayNames, counted, visible};

/// Columns of the ratings at the end of a run, in their order.
const SHOWN: [&str; 10] = [
    "rank", "player", "elo", "margin", "games", "points", "score", "wins", "draws", "losses",
];

/// A run that has ended.
#[derive(Debug)]
pub struct RunEnd<'a> {
    /// Its folder.
    pub run: &'a Path,
    /// All results.
    pub results: &'a Results,
    /// Ratings of the results.
    pub rated: &'a [Rated<'a>],
    /// All forfeits.
    pub forfeits: &'a Forfeits,
    /// Conclusions of its formats, a line each.
    pub conclusions: &'a [String],
    /// Display names of its players.
    pub names: &'a DisplayNames,
}

impl RunEnd<'_> {
    /// One screen: forfeits first, and a hint where to find the rest.
    pub fn short(&self, style: Style) -> String {
        if self.rated.is_empty() {
            return "no games\n".to_owned();
        }
        let mut screen = Screen::new(style);
        let forfeits = forfeit_lines(self.forfeits, self.run, self.names, style);
        if !forfeits.is_empty() {
            screen.text.push_str(&forfeits);
            screen.line("");
        }
        for one in self.rated {
            let games = counted(one.standings.games(), "game", "games");
            screen.line(&format!("{}: {games}", style.strong(&visible(one.game))));
            screen.named(&ratings_table(one), &SHOWN);
            // A format that decides something says so below.
            if self.conclusions.is_empty() && one.order.len() > 1 {
                screen.paragraph("", &notes::strength(one, None, &[]));
            }
            screen.line("");
        }
        if let Some(endings) = endings(self.results) {
            screen.paragraph("", &format!("ended by: {endings}"));
        }
        self.conclude(&mut screen);
        let facts = self.rated.iter().map(|one| notes::facts(one).len());
        let warnings = self.rated.iter();
        let warnings = warnings.map(|one| notes::warnings(one, NotesOn::Screen).len());
        let (facts, warnings): (usize, usize) = (facts.sum(), warnings.sum());
        let notes = facts + warnings;
        let warnings = match warnings as u64 {
            0 => String::new(),
            some => format!(
                ", {}",
                counted(some, "of them a warning", "of them warnings")
            ),
        };
        screen.paragraph(
            "",
            &format!(
                "{} on these figures{warnings}: referee rate {}",
                counted(notes as u64, "note", "notes"),
                shell_word(self.run)
            ),
        );
        screen.text
    }

    /// All tables, notes and explanations, as in `rate`.
    pub fn verbose(&self, style: Style) -> String {
        let mut screen = Screen::new(style);
        screen
            .text
            .push_str(&summary(self.results, self.rated, style));
        self.conclude(&mut screen);
        let forfeits = forfeit_lines(self.forfeits, self.run, self.names, style);
        if !forfeits.is_empty() {
            screen.line("");
            screen.text.push_str(&forfeits);
        }
        screen.text
    }

    fn conclude(&self, screen: &mut Screen) {
        for line in self.conclusions {
            screen.paragraph("", line.trim_end());
        }
    }
}
