//! End of a run on the screen: forfeits, a table for each game, endings of the games, and the number of notes.

use std::path::Path;

use super::forfeits::forfeit_lines;
use super::layout::Style;
use super::printer::Screen;
use super::summary::{endings, ratings_table, shown_columns, summary};
use crate::report::forfeits::Forfeits;
use crate::report::notes::{self, NotesOn};
use crate::report::text::shell_word;
use crate::results::{Rated, Results};
use crate::text::{DisplayNames, counted};

/// Columns of the ratings that only `rate` shows.
const NOT_SHOWN: [&str; 5] = [
    "score_margin",
    "rules_points_margin",
    "forfeits",
    "forfeit_points",
    "blocks",
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
            screen.heading(one);
            let mut columns = shown_columns(one);
            columns.retain(|name| !NOT_SHOWN.contains(name));
            screen.named(&ratings_table(one), &columns);
            self.strength(&mut screen, one);
        }
        if let Some(endings) = endings(self.results) {
            screen.paragraph("", &format!("ended by: {endings}"));
        }
        self.conclude(&mut screen);
        let (mut facts, mut warnings) = (0, 0);
        for one in self.rated {
            facts += notes::facts(one).len();
            warnings += notes::warnings(one, NotesOn::Screen).len();
        }
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

    /// Adds the strengths in a game, unless a format that decides something says so below.
    fn strength(&self, screen: &mut Screen, one: &Rated<'_>) {
        if self.conclusions.is_empty() && one.order.len() > 1 {
            screen.paragraph("", &notes::strength(one, None, &[]));
        }
        screen.line("");
    }

    fn conclude(&self, screen: &mut Screen) {
        for line in self.conclusions {
            screen.paragraph("", line.trim_end());
        }
    }
}
