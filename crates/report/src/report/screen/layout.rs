//! Tables for a terminal.

use std::path::Path;

use crate::game::{Colour, DrawnCell};
use crate::report::table::{Column, ReportTable};
use crate::report::text::{padded, shortened, width, wrap};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// Maximum width of a line in columns; `None` without a terminal.
    pub width: Option<usize>,
    pub colour: bool,
    /// Whether characters beyond ASCII are shown for certain, as in the glyphs of pieces.
    pub glyphs: bool,
}

impl Style {
    pub fn paragraph_width(self) -> usize {
        self.width.unwrap_or(100).max(40)
    }

    pub fn strong(self, text: &str) -> String {
        self.painted(text, "1")
    }

    pub fn warning(self, text: &str) -> String {
        self.painted(text, "33")
    }

    pub fn good(self, text: &str) -> String {
        self.painted(text, "32")
    }

    pub fn bad(self, text: &str) -> String {
        self.painted(text, "31")
    }

    /// A path, on a terminal with colours as a link to it. A path with characters that an address cannot have stays text.
    pub fn link(self, path: &Path) -> String {
        let shown = path.display().to_string();
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let whole = whole.display().to_string();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/-_.~".contains(c);
        match self.colour && self.width.is_some() && whole.chars().all(is_plain) {
            true => format!("\u{1b}]8;;file://{whole}\u{1b}\\{shown}\u{1b}]8;;\u{1b}\\"),
            false => shown,
        }
    }

    /// A cell of a board: the glyph of its piece where that is one column wide and can be shown, else the letter. Glyphs
    /// need colours, since two seats may share them. A changed cell is shown inversely, a marked one is underlined.
    pub fn cell(self, cell: &DrawnCell<'_>) -> String {
        let colour = cell.piece.map_or(Colour::None, |piece| piece.colour);
        let glyph = cell.piece.map(|piece| piece.glyph.as_ref());
        let glyph = glyph.filter(|glyph| self.glyphs && self.colour && width(glyph) == 1);
        let text = glyph.map_or_else(|| cell.letter.to_string(), str::to_owned);
        let reverse = if cell.is_changed { ";7" } else { "" };
        let underline = if cell.is_marked { ";4" } else { "" };
        let code = format!("{}{reverse}{underline}", shade(colour));
        self.painted(&text, &code)
    }

    fn painted(self, text: &str, code: &str) -> String {
        if self.colour {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

/// The code of a colour: of 256 shades the one that is legible on black and on white.
fn shade(colour: Colour) -> &'static str {
    match colour {
        Colour::None => "2",
        Colour::White => "1",
        Colour::Black => "1;38;5;242",
        Colour::Grey => "38;5;244",
        Colour::Red => "1;38;5;160",
        Colour::Orange => "1;38;5;166",
        Colour::Yellow => "1;38;5;136",
        Colour::Green => "1;38;5;28",
        Colour::Teal => "1;38;5;30",
        Colour::Blue => "1;38;5;33",
        Colour::Purple => "1;38;5;135",
        Colour::Pink => "1;38;5;162",
        Colour::Brown => "1;38;5;94",
    }
}

/// Text is not shortened to fewer columns than this.
const MIN_TEXT_WIDTH: usize = 8;

/// A table for a terminal. If its lines are too wide, columns are left out by their rank, and then text is
/// shortened.
pub struct Layout<'a> {
    columns: Vec<ShownColumn<'a>>,
    /// The column whose cells stand below their rows.
    below: Option<ShownColumn<'a>>,
    rows: usize,
    left_out: Vec<String>,
}

struct ShownColumn<'a> {
    column: &'a Column,
    cells: Vec<String>,
    width: usize,
}

impl<'a> Layout<'a> {
    /// Lays out these columns of a table, in this order, at their full width.
    pub fn whole(table: &'a ReportTable, columns: &[usize]) -> Self {
        let shown = |at: &usize| {
            let column = &table.columns[*at];
            let cells: Vec<String> = table.rows.iter().map(|row| row[*at].shown()).collect();
            let longest = cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
            ShownColumn {
                column,
                cells,
                width: longest.max(width(&column.title)),
            }
        };
        Self {
            columns: columns.iter().map(shown).collect(),
            below: None,
            rows: table.rows.len(),
            left_out: Vec::new(),
        }
    }

    /// Lays out these columns for the width of a terminal.
    pub fn new(table: &'a ReportTable, columns: &[usize], style: Style) -> Self {
        let mut layout = Self::whole(table, columns);
        if let Some(limit) = style.width {
            layout.put_below(limit);
            layout.leave_columns_out(limit);
            layout.shorten_text(limit);
        }
        layout
    }

    /// Each column has two spaces before it.
    fn width(&self) -> usize {
        self.columns.iter().map(|shown| shown.width + 2).sum()
    }

    fn put_below(&mut self, limit: usize) {
        let at = self.columns.iter().position(|it| it.column.goes_below);
        if let Some(at) = at.filter(|_| self.width() > limit) {
            self.below = Some(self.columns.remove(at));
        }
    }

    fn leave_columns_out(&mut self, limit: usize) {
        while self.width() > limit {
            let ranks = self.columns.iter().map(|shown| shown.column.rank);
            let highest = ranks.max().unwrap_or(0);
            if highest == 0 {
                return;
            }
            let is_low = |shown: &ShownColumn<'a>| shown.column.rank < highest;
            let titles = self.columns.iter().filter(|shown| !is_low(shown));
            self.left_out
                .extend(titles.map(|shown| shown.column.name.clone()));
            self.columns.retain(is_low);
        }
    }

    fn shorten_text(&mut self, limit: usize) {
        while self.width() > limit {
            let text = self.columns.iter_mut().filter(|shown| !shown.column.right);
            match text.max_by_key(|shown| shown.width) {
                Some(widest) if widest.width > MIN_TEXT_WIDTH => widest.width -= 1,
                _ => return,
            }
        }
    }

    pub fn fits(&self, style: Style) -> bool {
        style.width.is_none_or(|limit| self.width() <= limit)
    }

    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    pub fn text(&self, style: Style) -> String {
        let mut text = style.strong(&self.line(|shown| &shown.column.title));
        text.push('\n');
        for row in 0..self.rows {
            text.push_str(&self.line(|shown| &shown.cells[row]));
            text.push('\n');
            let below = self.below.as_ref().map(|shown| &shown.cells[row]);
            if let Some(cell) = below.filter(|cell| !cell.is_empty()) {
                wrap(&mut text, "      ", cell, style.paragraph_width());
            }
        }
        text
    }

    pub fn explanations(&self) -> impl Iterator<Item = (&'a str, &'static str)> {
        let columns = self.columns.iter().map(|shown| shown.column);
        columns.filter_map(|column| Some((column.title.as_str(), column.explanation?)))
    }

    fn line(&self, cell: impl for<'b> Fn(&'b ShownColumn<'a>) -> &'b str) -> String {
        let mut line = String::new();
        for shown in &self.columns {
            let cell = shortened(cell(shown), shown.width);
            line.push_str("  ");
            line.push_str(&padded(&cell, shown.width, shown.column.right));
        }
        line.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Piece, Shape};
    use crate::report::table::Cell;

    fn render(table: &ReportTable, columns: &[usize], style: Style) -> String {
        Layout::new(table, columns, style).text(style)
    }

    fn table() -> ReportTable {
        ReportTable::new(
            "test",
            vec![
                Column::text("name", "name"),
                Column::number("elo", "elo"),
                Column::number("games", "games").rank(1),
            ],
            vec![
                vec![
                    Cell::text("ägäis and so on"),
                    Cell::Elo(5.0),
                    Cell::Count(3),
                ],
                vec![Cell::text("b"), Cell::Elo(-1234.0), Cell::Count(3)],
            ],
        )
    }

    #[test]
    fn a_narrow_terminal_gets_fewer_columns_and_shorter_names() {
        let style = Style {
            width: Some(20),
            ..Style::default()
        };
        assert_eq!(
            render(&table(), &[0, 1, 2], style),
            "  name           elo\n  ägäis and…      +5\n  b            -1234\n"
        );
    }

    #[test]
    fn long_cells_stand_below_their_rows_where_they_do_not_fit_beside() {
        let mut table = table();
        table.columns[0].goes_below = true;
        let at = |columns| Style {
            width: Some(columns),
            ..Style::default()
        };
        assert!(render(&table, &[1, 2, 0], at(40)).starts_with("    elo  games  name"));
        assert_eq!(
            render(&table, &[1, 2, 0], at(20)),
            "    elo  games\n     +5      3\n      ägäis and so on\n  -1234      3\n      b\n"
        );
    }

    #[test]
    fn a_narrow_glyph_takes_the_place_of_its_letter_where_it_can_be_shown() {
        let shown = |glyph: &'static str, glyphs, colour| {
            let piece = Piece::new('n', Shape::None, Colour::Black, glyph, "knight");
            let cell = DrawnCell {
                letter: 'n',
                piece: Some(&piece),
                is_changed: false,
                is_marked: false,
            };
            let style = Style {
                glyphs,
                colour,
                ..Style::default()
            };
            style.cell(&cell)
        };
        assert!(shown("♞", true, true).contains('♞'));
        for (glyph, glyphs) in [("♞", false), ("馬", true), ("", true), ("12", true)] {
            assert!(shown(glyph, glyphs, true).contains("mn\u{1b}"), "{glyph}");
        }
        assert_eq!(shown("♞", true, false), "n");
    }

    /// Contrast of two shades, from 1 to 21, as the guidelines for web content define it.
    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let linear = |part: f64| match part / 255.0 {
            low if low <= 0.04045 => low / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        };
        let light = |[red, green, blue]: [f64; 3]| {
            0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05
        };
        let (one, other) = (light(one), light(other));
        one.max(other) / one.min(other)
    }

    /// A shade of the 256 that terminals have: a cube of six steps a colour, then greys.
    fn shade_256(number: u8) -> [f64; 3] {
        let step = |step: u8| [0.0, 95.0, 135.0, 175.0, 215.0, 255.0][usize::from(step)];
        match number {
            16..=231 => [36, 6, 1].map(|by| step((number - 16) / by % 6)),
            232.. => [8.0 + 10.0 * f64::from(number - 232); 3],
            _ => unreachable!("terminals choose the first sixteen themselves"),
        }
    }

    #[test]
    fn colours_are_legible_on_black_and_on_white() {
        let codes = Colour::ALL.iter().map(|colour| shade(*colour));
        let numbers = codes.filter_map(|code| code.split_once("38;5;"));
        let numbers: Vec<&str> = numbers.map(|(_, number)| number).collect();
        assert_eq!(numbers.len(), Colour::ALL.len() - 2, "text has two of them");
        for number in numbers {
            let shade = shade_256(number.parse().expect("a number"));
            for ground in [[0.0; 3], [255.0; 3]] {
                let contrast = contrast(shade, ground);
                assert!(contrast >= 3.0, "{number}: {contrast:.2} on {ground:?}");
            }
        }
    }
}
