//! A page of words, for a reader of its own: as Markdown, and for a browser.

use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;

use super::PageError;
use super::page::{Page, Templates};
use crate::text::{visible, visible_lines};

/// A page of words.
#[derive(Debug, Clone, Default)]
pub struct Article {
    /// Its title.
    pub title: String,
    /// What it says, from the top.
    pub blocks: Vec<Block>,
}

/// A part of an article.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", content = "of", rename_all = "lowercase")]
pub enum Block {
    /// What the blocks after it are about.
    Heading(String),
    /// The same, below a heading.
    Subheading(String),
    /// A paragraph.
    Text(Vec<Words>),
    /// Sentences that do not follow from each other.
    List(Vec<Vec<Words>>),
    /// Numbers.
    Table(Table),
    /// Lines that stay as they are: a board, a command, or what a program wrote.
    Lines(String),
}

/// A table: each row begins with what it is about.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The titles of the columns.
    pub columns: Vec<String>,
    /// The rows, as long as the titles.
    pub rows: Vec<Vec<Words>>,
}

/// A part of a line. Anybody may have written it.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", content = "of", rename_all = "lowercase")]
pub enum Words {
    /// As it is.
    Plain(String),
    /// What matters most.
    Strong(String),
    /// A command, or a word of a program.
    Code(String),
    /// A text, and the file to which it leads.
    Link(String, String),
}

impl Article {
    /// The article as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n", plain(&self.title));
        for block in &self.blocks {
            text.push('\n');
            text.push_str(&block.markdown());
        }
        text
    }

    /// The article as a page for a browser, which runs no script.
    ///
    /// # Errors
    /// The template and its values do not fit.
    pub fn page(&self) -> Result<String, PageError> {
        let templates = Templates::new()?;
        let blocks: Vec<Block> = self.blocks.iter().map(Block::shown).collect();
        let title = visible(&self.title);
        let body = templates.render(
            "article",
            context! { title => &title, blocks => Serde(&blocks) },
        )?;
        Ok(templates.page(&Page {
            title: &title,
            body: &body,
            data: "",
            script: "",
        })?)
    }
}

impl Block {
    fn markdown(&self) -> String {
        match self {
            Self::Heading(text) => format!("## {}\n", plain(text)),
            Self::Subheading(text) => format!("### {}\n", plain(text)),
            Self::Text(words) => format!("{}\n", line(words)),
            Self::List(items) => {
                let items = items.iter().map(|words| format!("- {}\n", line(words)));
                items.collect()
            }
            Self::Table(table) => table.markdown(),
            // Four spaces make code of a line, and nothing in it ends that.
            Self::Lines(text) => {
                let lines = visible_lines(text);
                lines.lines().map(|line| format!("    {line}\n")).collect()
            }
        }
    }

    /// The same with no character that is not shown.
    fn shown(&self) -> Self {
        let all = |words: &Vec<Words>| words.iter().map(Words::shown).collect::<Vec<Words>>();
        match self {
            Self::Heading(text) => Self::Heading(visible(text)),
            Self::Subheading(text) => Self::Subheading(visible(text)),
            Self::Text(words) => Self::Text(all(words)),
            Self::List(items) => Self::List(items.iter().map(all).collect()),
            Self::Table(table) => Self::Table(Table {
                caption: visible(&table.caption),
                columns: table.columns.iter().map(|title| visible(title)).collect(),
                rows: table.rows.iter().map(all).collect(),
            }),
            Self::Lines(text) => Self::Lines(visible_lines(text)),
        }
    }
}

impl Table {
    fn markdown(&self) -> String {
        let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let titles = self.columns.iter().map(|title| plain(title));
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

impl Words {
    /// Words as they are.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Plain(text.into())
    }

    fn markdown(&self) -> String {
        match self {
            Self::Plain(text) => plain(text),
            Self::Strong(text) => format!("**{}**", plain(text)),
            Self::Code(text) => code(text),
            Self::Link(text, to) => format!("[{}](<{}>)", plain(text), visible(to)),
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

fn line(words: &[Words]) -> String {
    words.iter().map(Words::markdown).collect()
}

/// Text in which no character means anything in Markdown.
fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text).chars() {
        if "\\`*_[]<>&|~#$".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Text as code within a line: between more backticks than there are in a row in it.
fn code(text: &str) -> String {
    // In a table, a bar ends the cell even there.
    let text = visible(text).replace('|', "¦");
    let mut longest = 0;
    let mut length = 0;
    for c in text.chars() {
        length = if c == '`' { length + 1 } else { 0 };
        longest = longest.max(length);
    }
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{text}{fence}"),
        _ => format!("{fence} {text} {fence}"),
    }
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
        // Only within code there is a tag that is not escaped: of the paragraph, its three backticks; of the
        // lines, four spaces.
        for line in text.lines().filter(|line| !line.starts_with("    ")) {
            let outside: String = line.split("```").step_by(2).collect();
            assert!(!outside.replace("\\<", "").contains('<'), "{line}");
            assert!(!outside.replace("\\[", "").contains('['), "{line}");
        }
        let lines = text.lines().skip_while(|line| !line.contains("    ```"));
        let lines: Vec<&str> = lines.take(4).collect();
        assert!(
            lines.iter().all(|line| line.starts_with("    ")),
            "{lines:?}"
        );
        let row = text.lines().last().expect("a row");
        assert_eq!(row.replace("\\|", "").matches('|').count(), 3, "{row}");
    }
}
