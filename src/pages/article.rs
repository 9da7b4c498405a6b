//! A text page with headings, lists, tables and charts, rendered as Markdown and as HTML.

use minijinja::value::Serde;
use minijinja::{Error, context};
use serde::Serialize;

use super::PageError;
use super::parts::page::Page;
use super::parts::svg::Chart;
use super::parts::table::SORTING;
use crate::pages::parts::page::Templates;
use crate::pages::parts::table::{CellView, TableView};
use crate::text::{self, TextPart, parts, visible, visible_lines};

/// A text page.
#[derive(Debug, Clone, Default)]
pub struct Article {
    /// Its title.
    pub title: String,
    /// Its content, from the top.
    pub blocks: Vec<Block>,
}

/// A part of an article.
#[derive(Debug, Clone)]
pub enum Block {
    /// Heading of the blocks after it.
    Heading(String),
    /// A heading one level down.
    Subheading(String),
    /// A paragraph.
    Text(Vec<Words>),
    /// A bulleted list.
    List(Vec<Vec<Words>>),
    /// A table of numbers.
    Table(Table),
    /// A table of words and numbers.
    Listing(TableView),
    /// Lines that stay as they are: a board, a command, or what a program wrote.
    Lines(String),
    /// Links to all headings of the article.
    Contents,
    /// A paragraph that stands out: what the page says in one sentence.
    Conclusion(Vec<Words>),
    /// A chart, with its numbers in a table.
    Chart(Chart, TableView),
    /// Blocks side by side, where there is room.
    Beside(Vec<Block>),
}

impl Article {
    /// Replaces links by their text, for a page without files beside it.
    pub fn without_links(mut self) -> Self {
        self.blocks.iter_mut().for_each(Block::remove_links);
        self
    }

    /// The article as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n", markdown(&self.title));
        for block in &self.blocks {
            text.push('\n');
            text.push_str(&block.markdown());
        }
        text
    }

    /// The article as a page for a browser. A script sorts and filters tables that are marked for it; otherwise none runs.
    ///
    /// # Errors
    /// The template and its values do not fit.
    pub fn page(&self) -> Result<String, PageError> {
        let templates = Templates::new()?;
        let blocks = self.blocks.iter().map(|block| match block {
            Block::Contents => Ok(self.contents()),
            block => block.view(&templates),
        });
        let blocks: Vec<View> = blocks.collect::<Result<_, _>>()?;
        let title = visible(&self.title);
        let blocks = blocks_html(&templates, &blocks)?;
        let body = templates.render("article", context! { title => &title, blocks })?;
        Ok(templates.page(&Page {
            title: &title,
            body: &body,
            data: "",
            script: if self.blocks.iter().any(Block::is_sortable) {
                SORTING
            } else {
                ""
            },
        })?)
    }

    /// The headings, each with its id.
    fn contents(&self) -> View {
        let headings = self.blocks.iter().filter_map(|block| match block {
            Block::Heading(text) => Some(vec![heading_id(text), visible(text)]),
            _ => None,
        });
        View {
            kind: "contents",
            rows: headings.collect(),
            ..View::default()
        }
    }
}

/// Id of a heading, for links within the page: its letters and digits, with `-` between its words.
pub fn heading_id(heading: &str) -> String {
    let words = heading.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

impl Block {
    fn is_sortable(&self) -> bool {
        match self {
            Self::Listing(table) => table.sortable,
            Self::Beside(blocks) => blocks.iter().any(Self::is_sortable),
            _ => false,
        }
    }

    fn remove_links(&mut self) {
        let words: Vec<&mut Words> = match self {
            Self::Text(words) | Self::Conclusion(words) => words.iter_mut().collect(),
            Self::List(items) => items.iter_mut().flatten().collect(),
            Self::Table(table) => table.rows.iter_mut().flatten().collect(),
            Self::Listing(table) | Self::Chart(_, table) => {
                let cells = table.rows.iter_mut().flatten();
                cells.for_each(|cell| cell.link = None);
                Vec::new()
            }
            Self::Beside(blocks) => {
                blocks.iter_mut().for_each(Self::remove_links);
                Vec::new()
            }
            Self::Heading(_) | Self::Subheading(_) | Self::Lines(_) | Self::Contents => Vec::new(),
        };
        for word in words {
            if let Words::Link(text, _) = word {
                *word = Words::Plain(std::mem::take(text));
            }
        }
    }

    fn markdown(&self) -> String {
        match self {
            Self::Heading(text) => format!("## {}\n", markdown(text)),
            Self::Subheading(text) => format!("### {}\n", markdown(text)),
            Self::Text(words) | Self::Conclusion(words) => format!("{}\n", line(words)),
            Self::List(items) => {
                let items = items.iter().map(|words| format!("- {}\n", line(words)));
                items.collect()
            }
            Self::Table(table) => table.markdown(),
            Self::Listing(table) | Self::Chart(_, table) => Table::from(table).markdown(),
            Self::Contents => String::new(),
            Self::Beside(blocks) => {
                let blocks = blocks.iter().map(Self::markdown);
                blocks.collect::<Vec<_>>().join("\n")
            }
            Self::Lines(text) => {
                let text = visible_lines(text);
                let fence = "`".repeat(2 + longest_run(&text).max(1));
                format!("{fence}text\n{}\n{fence}\n", text.trim_end_matches('\n'))
            }
        }
    }

    fn view(&self, templates: &Templates) -> Result<View, Error> {
        let html = |words: &Vec<Words>| words_html(templates, words);
        let text = |kind, text: &str| View {
            kind,
            text: visible(text),
            ..View::default()
        };
        let one = |kind, html: String| View {
            kind,
            rows: vec![vec![html]],
            ..View::default()
        };
        Ok(match self {
            Self::Heading(heading) => View {
                id: heading_id(heading),
                ..text("heading", heading)
            },
            Self::Subheading(heading) => text("subheading", heading),
            Self::Text(words) => one("text", html(words)?),
            Self::Conclusion(words) => one("conclusion", html(words)?),
            Self::List(items) => View {
                kind: "list",
                rows: vec![items.iter().map(html).collect::<Result<_, _>>()?],
                ..View::default()
            },
            Self::Table(table) => View {
                columns: table.columns.iter().map(|title| visible(title)).collect(),
                rows: table
                    .rows
                    .iter()
                    .map(|cells| {
                        let cells = cells.iter();
                        cells
                            .map(|cell| words_html(templates, std::slice::from_ref(cell)))
                            .collect()
                    })
                    .collect::<Result<_, _>>()?,
                ..text("table", &table.caption)
            },
            Self::Listing(table) => one("html", templates.table(table)?),
            Self::Lines(lines) => View {
                kind: "lines",
                text: visible_lines(lines),
                ..View::default()
            },
            // It has no headings of its own.
            Self::Contents => View::default(),
            Self::Chart(chart, numbers) => one("html", templates.chart(chart, numbers)?),
            Self::Beside(blocks) => View {
                kind: "beside",
                rows: vec![
                    blocks
                        .iter()
                        .map(|block| blocks_html(templates, &[block.view(templates)?]))
                        .collect::<Result<_, _>>()?,
                ],
                ..View::default()
            },
        })
    }
}

/// Blocks as HTML.
fn blocks_html(templates: &Templates, blocks: &[View]) -> Result<String, Error> {
    templates.render("blocks", context! { blocks => Serde(blocks) })
}

/// A block as the template reads it.
#[derive(Default, Serialize)]
struct View {
    kind: &'static str,
    /// Id of a heading.
    id: String,
    /// Text that the template escapes.
    text: String,
    columns: Vec<String>,
    /// HTML, of one item or one cell each.
    rows: Vec<Vec<String>>,
}

/// A table. The first cell of a row is its heading.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Its caption.
    pub caption: String,
    /// The titles of the columns.
    pub columns: Vec<String>,
    /// The rows. Each has one cell per column.
    pub rows: Vec<Vec<Words>>,
}

impl Table {
    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let titles = self.columns.iter().map(|title| markdown(title));
        let mut text = row(titles.collect());
        let rule = (0..self.columns.len()).map(|at| match at {
            0 => "---".to_owned(),
            _ => "--:".to_owned(),
        });
        text.push_str(&row(rule.collect()));
        for cells in &self.rows {
            text.push_str(&row(cells.iter().map(Words::markdown).collect()));
        }
        text
    }
}

impl From<&TableView> for Table {
    fn from(view: &TableView) -> Self {
        let words = |cell: &CellView| match (&cell.link, cell.code) {
            (Some(link), _) => Words::Link(cell.text.clone(), link.clone()),
            (None, true) => Words::Code(cell.text.clone()),
            (None, false) => Words::Plain(cell.text.clone()),
        };
        let rows = view.rows.iter();
        Self {
            caption: view.caption.clone(),
            columns: view.columns.iter().map(|it| it.title.clone()).collect(),
            rows: rows.map(|row| row.iter().map(words).collect()).collect(),
        }
    }
}

/// A span of a line. Its text is untrusted, so rendering escapes it.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", content = "of", rename_all = "lowercase")]
pub enum Words {
    /// Without markup.
    Plain(String),
    /// Emphasized.
    Strong(String),
    /// A command, or a word of a program.
    Code(String),
    /// A text, and the file it links to.
    Link(String, String),
}

impl Words {
    /// Words as they are.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Plain(text.into())
    }

    fn markdown(&self) -> String {
        match self {
            Self::Plain(text) => markdown(text),
            Self::Strong(text) => format!("**{}**", markdown(text)),
            Self::Code(text) => code(text),
            Self::Link(text, to) => format!("[{}](<{}>)", markdown(text), visible(to)),
        }
    }

    fn shown(&self) -> Self {
        match self {
            Self::Plain(text) => Self::Plain(visible(text)),
            Self::Strong(text) => Self::Strong(visible(text)),
            Self::Code(text) => Self::Code(visible(text)),
            Self::Link(text, to) => Self::Link(visible(text), visible(to)),
        }
    }
}

/// A message as Markdown.
fn markdown(message: &str) -> String {
    let parts = parts(message).into_iter();
    let parts = parts.map(|part| match part {
        TextPart::Plain(text) => text::markdown(text),
        TextPart::Code(text) => code(text),
    });
    parts.collect()
}

fn line(words: &[Words]) -> String {
    words.iter().map(Words::markdown).collect()
}

/// Text as inline code, fenced by one backtick more than its longest run of backticks.
fn code(text: &str) -> String {
    // A bar ends a table cell even within code.
    let text = visible(text).replace('|', "¦");
    match longest_run(&text) {
        0 => format!("`{text}`"),
        longest => {
            let fence = "`".repeat(longest + 1);
            format!("{fence} {text} {fence}")
        }
    }
}

/// Length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    let mut longest = 0;
    let mut length = 0;
    for c in text.chars() {
        length = if c == '`' { length + 1 } else { 0 };
        longest = longest.max(length);
    }
    longest
}

/// Words as HTML.
fn words_html(templates: &Templates, words: &[Words]) -> Result<String, Error> {
    let words: Vec<Words> = words.iter().map(Words::shown).collect();
    templates.render("words", context! { words => Serde(&words) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_bot_wrote_is_more_than_text() {
        let hostile = "</pre><script>x()</script> [a](javascript:x) `` | **b** \u{1b}[31m";
        let article = Article {
            title: hostile.to_owned(),
            blocks: vec![
                Block::Text(vec![
                    Words::plain(hostile),
                    Words::Code(hostile.to_owned()),
                    Words::Strong(hostile.to_owned()),
                ]),
                Block::Lines(format!("```\n{hostile}\n\n# x")),
                Block::Table(Table {
                    caption: hostile.to_owned(),
                    columns: vec![hostile.to_owned(), "b".to_owned()],
                    rows: vec![vec![Words::plain(hostile), Words::Code(hostile.to_owned())]],
                }),
            ],
        };
        let page = article.page().expect("a page");
        assert!(!page.contains("<script>"), "{page}");
        assert!(!page.contains('\u{1b}'));
        assert!(page.contains("&lt;script&gt;"), "{page}");
        let text = article.markdown();
        assert!(!text.contains('\u{1b}'));
        // A tag is unescaped only within code. The paragraph's code has a fence of three backticks, and the fence
        // of the lines is longer than any run in them.
        let lines = text.split("````").nth(1).expect("lines");
        assert_eq!(text.matches("````").count(), 2, "{text}");
        assert!(lines.contains("```\n</pre><script>"), "{lines}");
        for line in text.split("````").step_by(2).flat_map(str::lines) {
            let outside: String = line.split("```").step_by(2).collect();
            assert!(!outside.replace("\\<", "").contains('<'), "{line}");
            assert!(!outside.replace("\\[", "").contains('['), "{line}");
        }
        let row = text.lines().last().expect("a row");
        assert_eq!(row.replace("\\|", "").matches('|').count(), 3, "{row}");
    }
}
