//! Text for a terminal: tables, paragraphs, and explanations of the columns shown.

use super::layout::{Layout, Style};
use crate::report::table::ReportTable;
use crate::report::tables;
use crate::report::text::{padded, width, wrap};
use crate::results::Rated;
use crate::text::{counted, visible};

/// Upper bound on the players of a crosstable without a terminal: more do not fit a page.
const MAX_CROSSTABLE_PLAYERS: usize = 20;

/// Text for a terminal. It collects the explanations of its columns.
pub struct Screen {
    style: Style,
    pub text: String,
    /// Titles of columns and their explanations, each once.
    explanations: Vec<(String, &'static str)>,
}

impl Screen {
    pub fn new(style: Style) -> Self {
        Self {
            style,
            text: String::new(),
            explanations: Vec::new(),
        }
    }

    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub fn paragraph(&mut self, mark: &str, paragraph: &str) {
        wrap(
            &mut self.text,
            mark,
            paragraph,
            self.style.paragraph_width(),
        );
    }

    pub fn warning(&mut self, warning: &str) {
        let mut lines = String::new();
        wrap(&mut lines, "! ", warning, self.style.paragraph_width());
        self.text.push_str(&self.style.warning(&lines));
    }

    /// Adds the name of a game and the number of its games.
    pub fn heading(&mut self, one: &Rated<'_>) {
        let games = counted(one.games(), "game", "games");
        let name = self.style.strong(&visible(&one.game));
        self.line(&format!("{name}: {games}"));
    }

    /// Adds facts and warnings below tables.
    pub fn notes(&mut self, facts: &[String], warnings: &[String]) {
        self.line("");
        for fact in facts {
            self.paragraph("  ", fact);
        }
        for warning in warnings {
            self.warning(warning);
        }
        self.line("");
    }

    /// Adds the columns with these names, in this order.
    pub fn named(&mut self, table: &ReportTable, columns: &[&str]) {
        let place = |name: &&str| table.columns.iter().position(|c| c.name == **name);
        let columns: Vec<usize> = columns.iter().filter_map(place).collect();
        self.table(table, &columns);
    }

    pub fn table(&mut self, table: &ReportTable, columns: &[usize]) {
        let layout = Layout::new(table, columns, self.style);
        if !layout.fits(self.style) && self.table_in_parts(table, columns) {
            return;
        }
        self.text.push_str(&layout.text(self.style));
        if !layout.left_out().is_empty() {
            let titles = layout.left_out().join(", ");
            self.paragraph("  ", &format!("(no room at this width for: {titles})"));
        }
        for (title, explanation) in layout.explanations() {
            if !self.explanations.iter().any(|(known, _)| known == title) {
                self.explanations.push((title.to_owned(), explanation));
            }
        }
    }

    /// Adds a table that is too wide as several tables below each other, each with the leading columns of text. Returns `false` if even single columns do not fit.
    fn table_in_parts(&mut self, table: &ReportTable, columns: &[usize]) -> bool {
        let is_text = |at: &&usize| !table.columns[**at].right;
        let fixed: Vec<usize> = columns.iter().take_while(is_text).copied().collect();
        if fixed.is_empty() {
            return false;
        }
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for at in &columns[fixed.len()..] {
            let with = |part: &[usize]| [part, &[*at]].concat();
            let fits = |part: &[usize]| Layout::whole(table, part).fits(self.style);
            match parts.last_mut() {
                Some(last) if fits(&with(last)) => last.push(*at),
                _ if fits(&with(&fixed)) => parts.push(with(&fixed)),
                _ => return false,
            }
        }
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                self.line("");
            }
            self.table(table, part);
        }
        !parts.is_empty()
    }

    /// Adds the crosstable of a game, or a hint where to find it.
    pub fn crosstable(&mut self, one: &Rated<'_>) {
        let players = one.order.len();
        // No column is narrower than a space and a digit.
        if players
            <= self
                .style
                .width
                .map_or(MAX_CROSSTABLE_PLAYERS, |width| width / 2)
        {
            let table = tables::crosstable(std::slice::from_ref(one)).collect();
            let table = table.with_display_names(&one.settings.display_names);
            let columns: Vec<usize> = (1..table.columns.len()).collect();
            if Layout::new(&table, &columns, self.style).fits(self.style) {
                self.table(&table, &columns);
                return;
            }
        }
        let place = match self.style.width {
            Some(width) => format!("a terminal of {width} columns"),
            None => "a page".to_owned(),
        };
        self.paragraph(
            "  ",
            &format!(
                "The crosstable of {players} players is too wide for {place}: see crosstable.csv of the run, or \
                 `referee rate RUN --table crosstable`."
            ),
        );
    }

    pub fn legend(&mut self) {
        let explanations = std::mem::take(&mut self.explanations);
        let longest = explanations.iter().map(|(title, _)| width(title)).max();
        for (title, explanation) in explanations {
            let mark = format!("  {}  ", padded(&title, longest.unwrap_or(0), false));
            self.paragraph(&mark, explanation);
        }
    }
}
