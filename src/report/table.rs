//! Text tables for a terminal.

use super::sheet::Sheet;
use super::text::{padded, shortened, width};

/// What a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// How many columns a line may have; no limit if it is not a terminal.
    pub width: Option<usize>,
    /// Whether it may be in colour.
    pub colour: bool,
}

impl Style {
    /// How many columns a line of text may have.
    pub(super) fn paragraph_width(self) -> usize {
        self.width.unwrap_or(100).max(40)
    }

    /// Text that stands out.
    pub fn strong(self, text: &str) -> String {
        self.painted(text, "1")
    }

    /// Text that warns.
    pub fn warning(self, text: &str) -> String {
        self.painted(text, "33")
    }

    fn painted(self, text: &str, code: &str) -> String {
        match self.colour {
            true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            false => text.to_owned(),
        }
    }
}

/// No name is shortened below this.
const SHORTEST: usize = 8;

/// The columns of a sheet in this order as lines, each with two spaces before it. Where the lines
/// are too wide, columns that may go are left out, then names are shortened.
pub(super) fn render(sheet: &Sheet, columns: &[usize], style: Style) -> String {
    let cells: Vec<Vec<String>> = sheet
        .rows
        .iter()
        .map(|row| columns.iter().map(|at| row[*at].shown()).collect())
        .collect();
    let title = |at: usize| sheet.columns[columns[at]].title.as_str();
    let mut widths: Vec<usize> = (0..columns.len())
        .map(|at| {
            let longest = cells.iter().map(|row| width(&row[at])).max();
            longest.unwrap_or(0).max(width(title(at)))
        })
        .collect();
    let mut kept: Vec<usize> = (0..columns.len()).collect();
    if let Some(room) = style.width {
        let total = |kept: &[usize], widths: &[usize]| -> usize {
            kept.iter().map(|at| widths[*at] + 2).sum()
        };
        while total(&kept, &widths) > room {
            let rank = |at: &usize| sheet.columns[columns[*at]].rank;
            let top = kept.iter().map(rank).max().unwrap_or(0);
            if top == 0 {
                break;
            }
            kept.retain(|at| rank(at) < top);
        }
        while total(&kept, &widths) > room {
            let widest = kept
                .iter()
                .filter(|at| !sheet.columns[columns[**at]].right)
                .max_by_key(|at| widths[**at]);
            match widest {
                Some(at) if widths[*at] > SHORTEST => widths[*at] -= 1,
                _ => break,
            }
        }
    }
    let line = |row: &dyn Fn(usize) -> String| {
        let mut line = String::new();
        for at in &kept {
            let cell = shortened(&row(*at), widths[*at]);
            let right = sheet.columns[columns[*at]].right;
            line.push_str("  ");
            line.push_str(&padded(&cell, widths[*at], right));
        }
        line.trim_end().to_owned()
    };
    let mut text = style.strong(&line(&|at| title(at).to_owned()));
    text.push('\n');
    for row in &cells {
        text.push_str(&line(&|at| row[at].clone()));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::sheet::{Cell, Column};
    use super::*;

    fn sheet() -> Sheet {
        Sheet {
            name: "test",
            columns: vec![
                Column::text("name", "name"),
                Column::number("elo", "elo"),
                Column::number("games", "games").rank(1),
            ],
            rows: vec![
                vec![
                    Cell::text("ägäis and so on"),
                    Cell::Elo(5.0),
                    Cell::Count(3),
                ],
                vec![Cell::text("b"), Cell::Elo(-1234.0), Cell::Count(3)],
            ],
        }
    }

    #[test]
    fn columns_line_up() {
        assert_eq!(
            render(&sheet(), &[0, 1, 2], Style::default()),
            "  name               elo  games\n  ägäis and so on     +5      3\n  b                -1234      3\n"
        );
    }

    #[test]
    fn wide_and_combining_letters_shift_no_column() {
        let names = [
            "小明",
            "José",
            "Jose\u{301}",
            "👨\u{200d}👩\u{200d}👧",
            "🇹🇼 team",
            "黑白棋机器人",
            "a very long name",
        ];
        let mut sheet = sheet();
        sheet.rows = names
            .map(|name| vec![Cell::text(name), Cell::Elo(5.0), Cell::Count(3)])
            .into();
        for room in [None, Some(24), Some(18), Some(15)] {
            let style = Style {
                width: room,
                colour: false,
            };
            let text = render(&sheet, &[0, 1, 2], style);
            let widths: Vec<usize> = text.lines().map(width).collect();
            assert_eq!(widths, vec![widths[0]; names.len() + 1], "{text}");
            assert!(room.is_none_or(|room| widths[0] <= room), "{text}");
        }
    }

    #[test]
    fn a_narrow_terminal_gets_fewer_columns_and_shorter_names() {
        let style = Style {
            width: Some(20),
            colour: false,
        };
        assert_eq!(
            render(&sheet(), &[0, 1, 2], style),
            "  name           elo\n  ägäis and…      +5\n  b            -1234\n"
        );
    }

    #[test]
    fn colour_only_where_it_is_asked_for() {
        let plain = render(&sheet(), &[0], Style::default());
        let coloured = render(
            &sheet(),
            &[0],
            Style {
                width: None,
                colour: true,
            },
        );
        assert!(!plain.contains('\u{1b}') && coloured.contains('\u{1b}'));
    }
}
