//! Reads the pages of `docs/`, for the tests that compare them with the code, and what pages for a browser say.

use std::path::Path;

/// A page for a browser without its scripts, its style and the lines that a program wrote.
pub fn without_programs(html: &str) -> String {
    let mut said = html.to_owned();
    for element in ["script", "style", "pre"] {
        let end = format!("</{element}>");
        while let Some(begin) = said.find(&format!("<{element}")) {
            let length = said[begin..].find(&end).expect("an end") + end.len();
            said.replace_range(begin..begin + length, "");
        }
    }
    said
}

pub struct Page {
    name: String,
    text: String,
}

impl Page {
    pub fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("docs")
            .join(name);
        let text = std::fs::read_to_string(&path).expect(name);
        Self {
            name: name.to_owned(),
            text,
        }
    }

    /// The text under a heading, up to the next heading of any level.
    pub fn section(&self, heading: &str) -> &str {
        let is_heading = |line: &str| line.starts_with('#') && line.contains("# ");
        let mut fenced = false;
        let mut start = None;
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            fenced ^= line.starts_with("```");
            if !fenced && is_heading(line) {
                if let Some(start) = start {
                    return &self.text[start..at];
                }
                if line.trim_start_matches('#').trim() == heading {
                    start = Some(at + line.len());
                }
            }
            at += line.len();
        }
        &self.text[start.expect(heading)..]
    }

    /// The rows of the table under a heading, without its head. Cells that are wholly code lose their
    /// backticks.
    pub fn table(&self, heading: &str) -> Vec<Vec<String>> {
        let rows: Vec<Vec<String>> = self
            .section(heading)
            .lines()
            .filter(|line| line.starts_with('|'))
            .skip(2)
            .map(|line| {
                let cells = line.trim_matches('|').split(" | ");
                cells.map(|cell| code(cell.trim()).to_owned()).collect()
            })
            .collect();
        assert!(
            !rows.is_empty(),
            "docs/{}: no table under `{heading}`",
            self.name
        );
        let columns = rows[0].len();
        for row in &rows {
            assert_eq!(row.len(), columns, "docs/{}: {row:?}", self.name);
        }
        rows
    }

    pub fn column(&self, heading: &str, index: usize) -> Vec<String> {
        let cells = self.table(heading).into_iter();
        cells.map(|mut row| row.swap_remove(index)).collect()
    }
}

/// The inside of a code span, if `cell` is one and nothing else.
fn code(cell: &str) -> &str {
    let ticks = cell.len() - cell.trim_start_matches('`').len();
    let mark = &cell[..ticks];
    match cell
        .strip_prefix(mark)
        .and_then(|rest| rest.strip_suffix(mark))
    {
        Some(inside) if ticks > 0 && !inside.contains(mark) => inside.trim(),
        _ => cell,
    }
}
