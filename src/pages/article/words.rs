//! Words of an article, as Markdown and as HTML.

use minijinja::value::Serde;
use minijinja::{Error, context};
use serde::Serialize;

use crate::pages::parts::page::Templates;
use crate::text::{self, TextPart, parts, visible};

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

    pub(super) fn markdown(&self) -> String {
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
pub(super) fn markdown(message: &str) -> String {
    let parts = parts(message).into_iter();
    let parts = parts.map(|part| match part {
        TextPart::Plain(text) => text::markdown(text),
        TextPart::Code(text) => code(text),
    });
    parts.collect()
}

pub(super) fn line(words: &[Words]) -> String {
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
pub(super) fn longest_run(text: &str) -> usize {
    let mut longest = 0;
    let mut length = 0;
    for c in text.chars() {
        length = if c == '`' { length + 1 } else { 0 };
        longest = longest.max(length);
    }
    longest
}

/// Words as HTML.
pub(super) fn words_html(templates: &Templates, words: &[Words]) -> Result<String, Error> {
    let words: Vec<Words> = words.iter().map(Words::shown).collect();
    templates.render("words", context! { words => Serde(&words) })
}
