//! Templates, escaping and the content security policy of a page. Names and messages come from bots, so
//! templates escape every value, and the policy allows only the page's own style and script.
//!
//! A message has its code between backticks, which templates turn into `<code>`. The filter `unmarked` removes
//! the backticks where no element is allowed, and the filter `e` keeps them.

use base64ct::{Base64, Encoding};
use minijinja::value::Serde;
use minijinja::{
    AutoEscape, Environment, Error, HtmlEscape, Output, State, Value, context, escape_formatter,
};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::svg::Chart;
use super::table::TableView;
use crate::text::{TextPart, escaped_where, is_hidden, parts};

pub const STYLE: &str = concat!(
    include_str!("../assets/style.css"),
    include_str!("../assets/board.css"),
    include_str!("../assets/charts.css"),
    include_str!("../assets/curves.css"),
    include_str!("../assets/shapes.css")
);

/// Script of a page that loads itself again, and how often a browser without scripts does it, in seconds.
const REFRESH: &str = include_str!("../assets/refresh.js");
const SECONDS: u64 = 2;

const TEMPLATES: [(&str, &str); 13] = [
    ("page", include_str!("../assets/templates/page.html")),
    ("index", include_str!("../assets/templates/index.html")),
    (
        "navigation",
        include_str!("../assets/templates/navigation.html"),
    ),
    ("notes", include_str!("../assets/templates/notes.html")),
    ("usage", include_str!("../assets/templates/usage.html")),
    ("part", include_str!("../assets/templates/part.html")),
    ("player", include_str!("../assets/templates/player.html")),
    ("table", include_str!("../assets/templates/table.html")),
    ("chart", include_str!("../assets/templates/chart.html")),
    ("viewer", include_str!("../assets/templates/viewer.html")),
    ("article", include_str!("../assets/templates/article.html")),
    ("blocks", include_str!("../assets/templates/blocks.html")),
    ("words", include_str!("../assets/templates/words.html")),
];

pub struct Templates(Environment<'static>);

/// Parts of a page, ready for the template `page`.
pub struct Page<'a> {
    pub title: &'a str,
    pub body: &'a str,
    /// Data of the script, as [`script_json`] writes it.
    pub data: &'a str,
    pub script: &'a str,
}

impl Templates {
    pub fn new() -> Result<Self, Error> {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.set_formatter(write_message);
        environment.add_filter("unmarked", unmarked);
        for (name, text) in TEMPLATES {
            environment.add_template(name, text)?;
        }
        Ok(Self(environment))
    }

    pub fn render(&self, name: &str, values: Value) -> Result<String, Error> {
        self.0.get_template(name)?.render(values)
    }

    pub fn table(&self, table: &TableView) -> Result<String, Error> {
        let TableView {
            caption,
            columns,
            rows,
            legend,
            sortable,
        } = table;
        let (columns, rows, legend) = (Serde(columns), Serde(rows), Serde(legend));
        self.render(
            "table",
            context! { caption, columns, rows, legend, sortable },
        )
    }

    pub fn chart(&self, chart: &Chart, numbers: &TableView) -> Result<String, Error> {
        let numbers = self.table(numbers)?;
        self.render("chart", context! { chart => Serde(chart), numbers })
    }

    pub fn page(&self, page: &Page<'_>) -> Result<String, Error> {
        self.whole(page, None)
    }

    /// A whole page that loads itself again, also in a browser without scripts.
    pub fn page_that_refreshes(&self, page: &Page<'_>) -> Result<String, Error> {
        let script = format!("{}{REFRESH}", page.script);
        let script = script.as_str();
        self.whole(&Page { script, ..*page }, Some(SECONDS))
    }

    fn whole(&self, page: &Page<'_>, seconds: Option<u64>) -> Result<String, Error> {
        let Page {
            title,
            body,
            data,
            script,
        } = *page;
        let policy = policy(script);
        let style = STYLE;
        self.render(
            "page",
            context! { title, body, data, script, style, policy, seconds },
        )
    }
}

/// Writes a value as HTML unless it is marked safe, with the code of messages as `<code>`.
fn write_message(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), Error> {
    let Some(text) = value.as_str().filter(|_| !value.is_safe()) else {
        return escape_formatter(out, state, value);
    };
    for part in parts(text) {
        match part {
            TextPart::Plain(text) => write!(out, "{}", HtmlEscape(text))?,
            TextPart::Code(code) => write!(out, "<code>{}</code>", HtmlEscape(code))?,
        }
    }
    Ok(())
}

/// A message without the backticks around code.
pub fn unmarked(text: &str) -> String {
    let parts = parts(text).into_iter();
    let parts = parts.map(|(TextPart::Plain(text) | TextPart::Code(text))| text);
    parts.collect()
}

/// Content security policy of a page: its own style and script, by digest. `'strict-dynamic'` lets the
/// script load the data of games. Nothing else is loaded, and nothing is sent.
fn policy(script: &str) -> String {
    let style = fingerprint(STYLE);
    let script = match script {
        "" => String::new(),
        script => format!(" script-src {} 'strict-dynamic';", fingerprint(script)),
    };
    format!("default-src 'none'; style-src {style};{script} base-uri 'none'; form-action 'none'")
}

fn fingerprint(text: &str) -> String {
    format!("'sha256-{}'", digest(text))
}

pub fn digest(text: &str) -> String {
    Base64::encode_string(&Sha256::digest(text.as_bytes()))
}

/// A value as JSON that is safe within a script element: nothing in it ends the script or begins a comment.
pub fn script_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(value)?;
    Ok(escaped_where(&json, |c| {
        matches!(c, '<' | '>' | '&') || is_hidden(c)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_data_ends_a_script() {
        let hostile = "</script><!-- \u{2028} \u{1b}[31m &amp;";
        let json = script_json(&hostile).expect("text");
        assert!(
            !json.contains(['<', '>', '&', '\u{2028}', '\u{1b}']),
            "{json}"
        );
        let back: String = serde_json::from_str(&json).expect("JSON");
        assert_eq!(back, hostile);
    }
}
