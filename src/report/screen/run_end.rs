//! End of a run on the screen: forfeits, a table for each game, endings of the games, and the number of notes.

use std::path::Path;

use super::forfeits::forfeit_lines;
use super::layout::Style;
use super::printer::Screen;
use super::summary::{columns_of_tables, endings, ratings_table, summary, table_ratings};
use crate::report::forfeits::Forfeits;
use crate::report::notes::{self, NotesOn};
use crate::report::text::shell_word;
use crate::results::{AllRated, Results, Strengths};
use crate::text::{DisplayNames, counted};

/// Columns of the ratings at the end of a run, in their order.
const SHOWN: [&str; 10] = [
    "rank", "player", "elo", "margin", "games", "points", "score", "wins", "draws", "losses",
];

/// Columns of the ratings of tables that only `rate` shows.
const NOT_SHOWN: [&str; 4] = ["score_margin", "rules_points_margin", "forfeits", "blocks"];

/// A run that has ended.
#[derive(Debug)]
pub struct RunEnd<'a> {
    /// Its folder.
    pub run: &'a Path,
    /// All results.
    pub results: &'a Results,
    /// Ratings of the results.
    pub rated: &'a AllRated<'a>,
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
        for one in &self.rated.of_two {
            screen.heading(one);
            screen.named(&ratings_table(one), &SHOWN);
            self.strength(&mut screen, one);
        }
        for one in &self.rated.tables {
            screen.heading(one);
            let ratings = table_ratings(one);
            let mut columns = columns_of_tables(&ratings);
            columns.retain(|name| !NOT_SHOWN.contains(name));
            screen.named(&ratings, &columns);
            self.strength(&mut screen, one);
        }
        if let Some(endings) = endings(self.results) {
            screen.paragraph("", &format!("ended by: {endings}"));
        }
        self.conclude(&mut screen);
        let of_two = self.rated.of_two.iter();
        let of_two = of_two.map(|one| {
            let warnings = notes::warnings(one, NotesOn::Screen);
            [notes::facts(one).len(), warnings.len()]
        });
        let tables = self.rated.tables.iter();
        let tables = tables.map(|one| {
            let warnings = notes::table_warnings(one);
            [notes::table_facts(one).len(), warnings.len()]
        });
        let [facts, warnings] = of_two
            .chain(tables)
            .fold([0, 0], |sum, one| [sum[0] + one[0], sum[1] + one[1]]);
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
    fn strength(&self, screen: &mut Screen, one: &dyn Strengths) {
        if self.conclusions.is_empty() && one.order().len() > 1 {
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
