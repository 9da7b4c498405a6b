//! Output to stdout: results, in the width and colours of the terminal.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;

use super::exit::{Exit, Failure};
use crate::check::{CheckVerdict, Finding};
use crate::report::{Style, in_lines, is_dumb};
use crate::text::escaped_json;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Colour {
    #[default]
    Auto,
    Always,
    Never,
}

static COLOUR: OnceLock<Colour> = OnceLock::new();

pub fn set_colour(colour: Colour) {
    COLOUR.get_or_init(|| colour);
}

/// Writes a result to stdout. A closed reader (`| head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    print_part(text).map(|_| ())
}

/// Writes sentences to stdout, wrapped at the width of the terminal.
pub fn say(text: &str) -> Result<(), Failure> {
    print(&in_lines(text, style().width))
}

/// Writes part of a result to stdout. Returns whether the reader is still there for the next part.
pub fn print_part(text: &str) -> Result<bool, Failure> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::new(
            Exit::File,
            format!("cannot write to stdout: {error}"),
        )),
    }
}

pub fn json_line(value: &impl serde::Serialize) -> String {
    // Plain structs of strings and numbers always serialize.
    escaped_json(&serde_json::to_string(value).unwrap_or_default()) + "\n"
}

/// A line of a report: its outcome, what the program wrote last, and a remedy.
pub fn checked(finding: &Finding) -> String {
    let (name, words, style) = (finding.name, &finding.words, style());
    let verdict = format!("{:<8}", finding.verdict.name());
    let verdict = match finding.verdict {
        CheckVerdict::Ok => style.good(&verdict),
        CheckVerdict::Warn => style.warning(&verdict),
        CheckVerdict::Failed => style.bad(&verdict),
        CheckVerdict::Skipped => verdict,
    };
    let mut text = format!("{verdict} {name:<12} {words}\n");
    let indent = " ".repeat(22);
    for line in &finding.last_lines {
        text.push_str(&format!("{indent}| {line}\n"));
    }
    if let Some(hint) = &finding.hint {
        text.push_str(&format!("{indent}-> {hint}\n"));
    }
    text
}

pub fn tally(verdicts: &[CheckVerdict]) -> String {
    let count = |verdict| verdicts.iter().filter(|other| **other == verdict).count();
    format!(
        "{} ok, {} warn, {} failed, {} skipped",
        count(CheckVerdict::Ok),
        count(CheckVerdict::Warn),
        count(CheckVerdict::Failed),
        count(CheckVerdict::Skipped)
    )
}

/// Width of the terminal, and whether stdout shows colours (by `--color` and NO_COLOR) and glyphs.
pub fn style() -> Style {
    let stdout = io::stdout();
    let is_terminal = stdout.is_terminal();
    let size = rustix::termios::tcgetwinsize(&stdout).ok();
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    Style {
        width: size
            .filter(|_| is_terminal)
            .map(|size| size.ws_col.into())
            .filter(|width| *width > 0),
        colour: match COLOUR.get().copied().unwrap_or_default() {
            Colour::Auto => is_terminal && wanted && !is_dumb(),
            Colour::Always => true,
            Colour::Never => false,
        },
        glyphs: is_terminal && !is_dumb() && is_utf8_locale(),
    }
}

fn is_utf8_locale() -> bool {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"];
    let mut values = variables.iter().filter_map(std::env::var_os);
    let value = values.find(|value| !value.is_empty()).unwrap_or_default();
    let name = value.to_string_lossy().to_ascii_lowercase();
    name.ends_with("utf-8") || name.ends_with("utf8")
}
