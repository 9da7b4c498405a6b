//! A text page with headings, lists, tables and charts, rendered as Markdown and as HTML.

use minijinja::value::Serde;
use minijinja::{Error, context};
use serde::Serialize;

use super::PageError;
use super::parts::page::Page;
use super::parts::table::SORTING;
use crate::pages::parts::page::Templates;
use crate::pages::parts::table::{CellView, TableView};
use crate::text::{self, TextPart, parts, visible, visible_lines};

#[derive(Debug, Clone, Default)]
pub struct Article {
    pub title: String,
    pub blocks: Vec<Passage>,
}

#[derive(Debug, Clone)]
pub enum Passage {
    Heading(String),
    Subheading(String),
    Text(Vec<Words>),
    List(Vec<Vec<Words>>),
    Table(TableView),
    /// Lines that stay as they are: a board, a command, or what a program wrote.
    Lines(String),
}

impl Article {
    /// Replaces links by their text, for a page without files beside it.
    pub fn without_links(mut self) -> Self {
        self.blocks.iter_mut().for_each(Passage::remove_links);
        self
    }

    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n", markdown(&self.title));
        for block in &self.blocks {
            text.push('\n');
            text.push_str(&block.markdown());
        }
        text
    }

    /// The article as a page for a browser. A script sorts and filters tables that are marked for it; otherwise none runs.
    pub fn page(&self) -> Result<String, PageError> {
        let templates = Templates::new()?;
        let blocks = self.blocks.iter().map(|block| block.view(&templates));
        let blocks: Vec<View> = blocks.collect::<Result<_, _>>()?;
        let title = visible(&self.title);
        let is_sortable =
            |block: &Passage| matches!(block, Passage::Table(table) if table.sortable);
        let blocks = templates.render("blocks", context! { blocks => Serde(&blocks) })?;
        let body = templates.render("article", context! { title => &title, blocks })?;
        Ok(templates.page(&Page {
            title: &title,
            body: &body,
            data: "",
            script: if self.blocks.iter().any(is_sortable) {
                SORTING
            } else {
                ""
            },
        })?)
    }
}

impl Passage {
    fn remove_links(&mut self) {
        let words: Vec<&mut Words> = match self {
            Self::Text(words) => words.iter_mut().collect(),
            Self::List(items) => items.iter_mut().flatten().collect(),
            Self::Table(table) => {
                let cells = table.rows.iter_mut().flatten();
                cells.for_each(|cell| cell.link = None);
                Vec::new()
            }
            Self::Heading(_) | Self::Subheading(_) | Self::Lines(_) => Vec::new(),
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
            Self::Text(words) => format!("{}\n", line(words)),
            Self::List(items) => {
                let items = items.iter().map(|words| format!("- {}\n", line(words)));
                items.collect()
            }
            Self::Table(table) => table_markdown(table),
            Self::Lines(text) => {
                let text = visible_lines(text);
                let fence = "`".repeat(2 + longest_run(&text).max(1));
                format!("{fence}text\n{}\n{fence}\n", text.trim_end_matches('\n'))
            }
        }
    }

    fn view(&self, templates: &Templates) -> Result<View, Error> {
        let html = |words: &Vec<Words>| {
            let words: Vec<Words> = words.iter().map(Words::shown).collect();
            templates.render("words", context! { words => Serde(&words) })
        };
        let text = |kind, text: &str| View {
            kind,
            text: visible(text),
            ..View::default()
        };
        let one = |kind, html: String| View {
            kind,
            html: vec![html],
            ..View::default()
        };
        Ok(match self {
            Self::Heading(heading) => text("heading", heading),
            Self::Subheading(heading) => text("subheading", heading),
            Self::Text(words) => one("text", html(words)?),
            Self::List(items) => View {
                kind: "list",
                html: items.iter().map(html).collect::<Result<_, _>>()?,
                ..View::default()
            },
            Self::Table(table) => one("html", templates.table(table)?),
            Self::Lines(lines) => View {
                kind: "lines",
                text: visible_lines(lines),
                ..View::default()
            },
        })
    }
}

#[derive(Default, Serialize)]
struct View {
    kind: &'static str,
    text: String,
    html: Vec<String>,
}

pub fn table_markdown(table: &TableView) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let titles = table.columns.iter().map(|it| markdown(&it.title));
    let mut text = row(titles.collect());
    let rule = table.columns.iter();
    let rule = rule.map(|it| if it.class == "right" { "--:" } else { "---" });
    text.push_str(&row(rule.map(str::to_owned).collect()));
    let words = |cell: &CellView| match &cell.link {
        Some(link) => Words::Link(cell.text.clone(), link.clone()),
        None if cell.code && !cell.text.is_empty() => Words::Code(cell.text.clone()),
        None => Words::Plain(cell.text.clone()),
    };
    for cells in &table.rows {
        text.push_str(&row(cells.iter().map(|it| words(it).markdown()).collect()));
    }
    text
}

/// A span of a line. Its text is untrusted, so rendering escapes it.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", content = "of", rename_all = "lowercase")]
pub enum Words {
    Plain(String),
    Strong(String),
    /// A command, or a word of a program.
    Code(String),
    Link(String, String),
}

impl Words {
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

fn longest_run(text: &str) -> usize {
    let mut longest = 0;
    let mut length = 0;
    for c in text.chars() {
        length = if c == '`' { length + 1 } else { 0 };
        longest = longest.max(length);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::ColumnView;

    #[test]
    fn nothing_that_a_bot_wrote_is_more_than_text() {
        let hostile = "</pre><script>x()</script> [a](javascript:x) `` | **b** \u{1b}[31m";
        let article = Article {
            title: hostile.to_owned(),
            blocks: vec![
                Passage::Text(vec![
                    Words::plain(hostile),
                    Words::Code(hostile.to_owned()),
                    Words::Strong(hostile.to_owned()),
                ]),
                Passage::Lines(format!("```\n{hostile}\n\n# x")),
                Passage::Table(TableView {
                    columns: vec![ColumnView::text(hostile)],
                    rows: vec![vec![CellView::text(hostile)]],
                    ..TableView::default()
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
        assert_eq!(row.replace("\\|", "").matches('|').count(), 2, "{row}");
    }
}
