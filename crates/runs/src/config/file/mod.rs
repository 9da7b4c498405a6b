//! The text of a configuration file: its keys as typed, and values with a unit, a path or a name.
//!
//! It is handed bytes of unknown origin, and gives the tables that the rest of the configuration gives a meaning,
//! with errors in the terms of the file.

mod amounts;
mod bounded;
mod messages;
mod paths;
mod text_lines;
mod unpack;

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;

pub use amounts::{bytes, duration, duration_or, limit, size, whole_number};
pub use bounded::{
    BoundedRows, LARGEST_BOOK, LARGEST_RECORD, LARGEST_TEXT, LONGEST_ROW, as_text, read_bounded,
    read_text, text_from,
};
pub use messages::in_brackets;
pub(crate) use messages::in_words;
pub use messages::toml_problem;
pub use paths::Base;
pub use paths::short;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
pub use text_lines::{Encoding, TextLines};
use toml::Spanned;
pub use unpack::open_text;

use crate::bot::{OffTurn, Tier};
use crate::clock::Measure;
use crate::config::{Flaw, KeepLogs};
pub use crate::text::did_you_mean;
use crate::text::{self, is_hidden};

/// The table of a game in configurations and manifests: keys and values of simple types, with their positions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameTable(pub(super) BTreeMap<Spanned<String>, Spanned<toml::Value>>);

impl GameTable {
    pub(super) fn set(&mut self, key: &str, value: String) {
        self.set_value(key, toml::Value::String(value));
    }

    pub(super) fn set_value(&mut self, key: &str, value: toml::Value) {
        self.0.insert(whole(key.to_owned()), whole(value));
    }
}

pub fn whole<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct File {
    pub name: Option<Spanned<String>>,
    pub seed: Option<u64>,
    pub course_files: Option<Spanned<String>>,
    pub game: Spanned<OneOrMany>,
    pub format: Spanned<FormatTable>,
    #[serde(default)]
    pub clock: ClockSection,
    #[serde(default)]
    pub limits: LimitsSection,
    #[serde(default)]
    pub record: RecordSection,
    #[serde(default)]
    pub report: ReportSection,
    #[expect(dead_code, reason = "it was laid below the players")]
    pub each: Option<IgnoredAny>,
    #[serde(default)]
    pub player: Vec<Spanned<PlayerSection>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FormatTable(pub(super) BTreeMap<Spanned<String>, Spanned<toml::Value>>);

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClockSection {
    pub measure: Option<Spanned<Measure>>,
    pub per_game: Option<Spanned<Amount>>,
    pub period: Option<Spanned<NonZeroU32>>,
    pub increment: Option<Spanned<Amount>>,
    pub per_move: Option<Spanned<Amount>>,
    pub margin: Option<Spanned<Amount>>,
    pub wall_cap: Option<Spanned<Amount>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LimitsSection {
    pub handshake: Option<Spanned<Amount>>,
    pub start: Option<Spanned<Amount>>,
    pub quit: Option<Spanned<Amount>>,
    pub line: Option<Spanned<Amount>>,
    pub turn: Option<Spanned<Amount>>,
    pub log: Option<Spanned<Amount>>,
    pub rules: Option<Spanned<Amount>>,
    pub rules_start: Option<Spanned<Amount>>,
    pub rules_memory: Option<Spanned<Amount>>,
    pub plies: Option<Spanned<u32>>,
    pub memory: Option<Spanned<Amount>>,
    pub processes: Option<Spanned<u32>>,
    pub open_files: Option<Spanned<u32>>,
    pub file_size: Option<Spanned<Amount>>,
    pub cpu: Option<Spanned<Amount>>,
    pub build_time: Option<Spanned<Amount>>,
    pub build_memory: Option<Spanned<Amount>>,
    pub build_log: Option<Spanned<Amount>>,
    pub off_turn: Option<Spanned<OffTurn>>,
    pub isolation: Option<Spanned<Tier>>,
    pub isolation_fallback: Option<Spanned<Tier>>,
    pub scratch: Option<Spanned<Amount>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RecordSection {
    #[serde(default)]
    pub logs: KeepLogs,
    /// Whether to write the games as PGN, or the file for them.
    pub pgn: Option<Spanned<toml::Value>>,
    pub pgn_with: Option<Vec<Spanned<String>>>,
    pub pgn_moves: Option<Spanned<String>>,
    pub pgn_append: Option<Spanned<bool>>,
    pub epd: Option<Spanned<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReportSection {
    pub pages: Option<bool>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlayerSection {
    pub name: Option<Spanned<String>>,
    pub display_name: Option<Spanned<String>>,
    pub command: Option<Spanned<Vec<String>>>,
    pub shell: Option<Spanned<String>>,
    pub house: Option<Spanned<String>>,
    pub args: Option<Spanned<Vec<String>>>,
    pub dir: Option<Spanned<String>>,
    pub build: Option<Spanned<Vec<String>>>,
    pub speaks: Option<Spanned<String>>,
    pub options: Option<Spanned<BTreeMap<Spanned<String>, Spanned<toml::Value>>>>,
    pub go: Option<Spanned<BTreeMap<Spanned<String>, Spanned<toml::Value>>>>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    #[serde(default)]
    pub fresh_process: bool,
    #[serde(default)]
    pub clock: ClockSection,
    #[serde(default)]
    pub limits: LimitsSection,
    #[serde(default)]
    pub grid: BTreeMap<String, String>,
    /// The values of its parameters at the start of a tuning.
    #[serde(default)]
    pub tune: BTreeMap<String, String>,
}

impl PlayerSection {
    /// Byte offset of the name, or `at` (the start of the section) if it has none.
    pub fn name_place(&self, at: usize) -> usize {
        self.name.as_ref().map_or(at, |name| name.span().start)
    }
}

/// A time or a size. It must be text, because a bare number has no unit.
#[derive(Debug, Clone)]
pub struct Amount(pub String);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Amount;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number with its unit in quotes, such as \"10s\" or \"64KiB\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Amount, E> {
                Ok(Amount(text.to_owned()))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[derive(Debug)]
pub struct OneOrMany(pub Vec<GameTable>);

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tables;
        impl<'de> Visitor<'de> for Tables {
            type Value = OneOrMany;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table [game], or several [[game]]")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OneOrMany, A::Error> {
                GameTable::deserialize(de::value::MapAccessDeserializer::new(map))
                    .map(|table| OneOrMany(vec![table]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<OneOrMany, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(seq)).map(OneOrMany)
            }
        }
        deserializer.deserialize_any(Tables)
    }
}

/// Checks a name that also serves as the name of a folder.
pub fn file_name(name: &Spanned<String>) -> Result<String, Flaw> {
    let text = name.get_ref();
    let good =
        |c: char| (c.is_alphanumeric() && !is_hidden(c)) || matches!(c, '-' | '_' | '.' | '+');
    if text.is_empty() || text.len() > 100 || text.starts_with('.') || !text.chars().all(good) {
        let bad = text.chars().find(|c| !good(*c));
        let bad = bad.map_or_else(String::new, |c| format!("; {} is none of them", named(c)));
        let problem = format!(
            "`{text}` cannot be a name: expected at most 100 letters, digits, `-`, `_`, `+` and `.`, \
                 not beginning with `.`{bad}"
        );
        return Err(Flaw::of(name, problem));
    }
    Ok(text::name(text).into_owned())
}

/// The one of these that a text names.
pub fn one_of<T: Copy, const N: usize>(
    key: &str,
    value: &Spanned<String>,
    all: [T; N],
    name: impl Fn(T) -> &'static str,
) -> Result<T, Flaw> {
    let found = all.into_iter().find(|one| name(*one) == value.get_ref());
    found.ok_or_else(|| {
        let names = all.map(name);
        let problem = format!(
            "`{key}` cannot be `{}`{}: expected one of `{}`",
            value.get_ref(),
            in_brackets(did_you_mean(value.get_ref(), names)),
            names.join("`, `")
        );
        Flaw::of(value, problem)
    })
}

/// Description of a character. A combining accent looks like part of its letter, so it is named by code point.
fn named(c: char) -> String {
    let code = u32::from(c);
    match c {
        ' ' => "a space".to_owned(),
        '\u{300}'..='\u{36f}' => format!(
            "the separate accent U+{code:04X} (write the letter with its accent as one character)"
        ),
        c if c.is_control() || !c.is_ascii() => format!("the character U+{code:04X}"),
        c => format!("`{c}`"),
    }
}
