//! Tables and notes on a terminal.

mod layout;
mod summary;

use std::path::Path;

use layout::Layout;
pub use layout::Style;
use summary::{endings, ratings_table, shown_columns};
pub use summary::{plain, summary};

use crate::referee::Termination;
use crate::report::notes::{self, NotesOn};
use crate::report::progress::elo_and_los;
use crate::report::table::ReportTable;
use crate::report::text::{padded, shell_word, width, wrap};
use crate::report::{Forfeits, tables};
use crate::results::{ByResults, Rated, Results};
use crate::text::{DisplayNames, counted, visible};

/// Upper bound on the players of a crosstable without a terminal: more do not fit a page.
const MAX_CROSSTABLE_PLAYERS: usize = 20;

/// Text for a terminal. It collects the explanations of its columns.
pub struct Screen {
    style: Style,
    pub text: String,
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

    pub fn heading(&mut self, one: &Rated<'_>) {
        let games = counted(one.games(), "game", "games");
        let name = self.style.strong(&visible(&one.game));
        self.line(&format!("{name}: {games}"));
    }

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

    pub fn named(&mut self, table: &ReportTable, columns: &[&str]) {
        let place = |name: &&str| table.place(name);
        let columns: Vec<usize> = columns.iter().filter_map(place).collect();
        self.table(table, &columns);
    }

    pub fn table(&mut self, table: &ReportTable, columns: &[usize]) {
        let layout = Layout::new(table, columns, self.style);
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

const SHOWN: usize = 10;

/// For each player and reason: the number of games, the first game, and the command that shows it. Empty without
/// forfeits.
pub fn forfeit_lines(
    forfeits: &Forfeits,
    run: &Path,
    names: &DisplayNames,
    style: Style,
) -> String {
    let mut text = String::new();
    let run = shell_word(run);
    let all = forfeits.each();
    let more = all.len().saturating_sub(SHOWN);
    for (player, termination, forfeit) in all.take(SHOWN) {
        let (first, detail) = (forfeit.first, &forfeit.detail);
        let line = format!(
            "{} forfeited {} by {termination}, first game {first}: {detail}",
            names.shown(player),
            counted(forfeit.count, "game", "games")
        );
        wrap(&mut text, "! ", &line, style.paragraph_width());
        // A game that did not begin has no board.
        let how = match termination == Termination::Handshake.name() {
            true => format!(" --seat {} --transcript", shell_word(Path::new(player))),
            false => String::new(),
        };
        text.push_str(&format!("  see: referee replay {run} {first}{how}\n"));
    }
    if more > 0 {
        text.push_str(&format!(
            "! and {more} more such lines: referee games {run} --forfeited\n"
        ));
    }
    text
}

/// The players whose share of the processor was low, and what helps. Empty without any.
fn low_share_lines(shares: &[String], style: Style) -> String {
    let mut text = String::new();
    for line in shares.iter().take(SHOWN) {
        wrap(&mut text, "! ", line, style.paragraph_width());
    }
    if let Some(more @ 1..) = shares.len().checked_sub(SHOWN) {
        text.push_str(&format!("! and {more} more such players\n"));
    }
    if !shares.is_empty() {
        let help = "the machine was busy: the command with --resume --again-below 50% plays these games again";
        wrap(&mut text, "  ", help, style.paragraph_width());
    }
    text
}

/// Columns of the ratings that only `rate` shows.
const NOT_SHOWN: [&str; 5] = [
    "score_margin",
    "rules_points_margin",
    "forfeits",
    "forfeit_points",
    "blocks",
];

#[derive(Debug)]
pub struct RunEnd<'a> {
    pub run: &'a Path,
    pub results: &'a Results,
    pub rated: &'a [Rated<'a>],
    pub forfeits: &'a Forfeits,
    /// A sentence about each player with a low share of the processor.
    pub low_shares: &'a [String],
    pub conclusions: &'a [String],
    /// Means of the searches that the players of a match reported, or the parameters of a tuning.
    pub beside: Option<&'a ReportTable>,
    pub names: &'a DisplayNames,
}

impl RunEnd<'_> {
    /// One screen: forfeits first, and a hint where to find the rest.
    pub fn short(&self, style: Style) -> String {
        if self.rated.is_empty() {
            return "no games\n".to_owned();
        }
        let mut screen = Screen::new(style);
        let troubles = self.troubles(style);
        if !troubles.is_empty() {
            screen.text.push_str(&troubles);
            screen.line("");
        }
        for one in self.rated {
            screen.heading(one);
            let mut columns = shown_columns(one);
            // The difference of two, or of values and their start, is below: distances from the mean say less.
            let is_below =
                one.match_of_two().is_some() || one.settings.by_results == ByResults::Values;
            let is_shown = |name: &&str| !is_below || !["elo", "margin"].contains(name);
            columns.retain(|name| !NOT_SHOWN.contains(name) && is_shown(name));
            screen.named(&ratings_table(one), &columns);
            self.strength(&mut screen, one);
        }
        self.beside(&mut screen);
        if let Some(endings) = endings(self.results) {
            screen.paragraph("", &format!("ended by: {endings}"));
        }
        self.conclude(&mut screen);
        for repeats in self.rated.iter().filter_map(notes::many_repeats) {
            screen.paragraph("", &repeats);
        }
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
        self.beside(&mut screen);
        self.conclude(&mut screen);
        let troubles = self.troubles(style);
        if !troubles.is_empty() {
            screen.line("");
            screen.text.push_str(&troubles);
        }
        screen.text
    }

    /// Warnings about forfeits, and about players with a low share of the processor. Empty without any.
    pub fn troubles(&self, style: Style) -> String {
        forfeit_lines(self.forfeits, self.run, self.names, style)
            + &low_share_lines(self.low_shares, style)
    }

    /// Adds the strengths in a game. Where a format that decides something says them below, only the difference of two.
    fn strength(&self, screen: &mut Screen, one: &Rated<'_>) {
        let is_said_here = self.conclusions.is_empty() || one.all_forfeited();
        if is_said_here && one.order.len() > 1 {
            screen.paragraph("", &notes::strength(one, None, &[]));
        } else if let Some(([player, other], games)) = one.match_of_two() {
            let [player, other] = [player, other].map(|player| notes::name(one, player));
            // The conclusion of a test has the corrected figure.
            let as_if = match one.settings.by_results {
                ByResults::Test => ", uncorrected",
                _ => "",
            };
            let figures = elo_and_los(&games);
            screen.paragraph("", &format!("{player} vs {other}{as_if}: {figures}"));
        }
        screen.line("");
    }

    fn beside(&self, screen: &mut Screen) {
        if let Some(table) = self.beside {
            let table = table.clone().with_display_names(self.names);
            let columns: Vec<usize> = (0..table.columns.len()).collect();
            screen.table(&table, &columns);
            screen.line("");
        }
    }

    fn conclude(&self, screen: &mut Screen) {
        for line in self.conclusions {
            screen.paragraph("", line.trim_end());
        }
    }
}
