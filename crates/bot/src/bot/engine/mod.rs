//! Engines as they are: translators between our messages and protocols of engines.
//!
//! [`Process`](super::Process) hands a translator the messages for the bot and the bot's lines. It gives the lines that
//! an engine understands and the answers that the referee expects. A request of ours may take several exchanges with the
//! engine: `uci`, the options and `isready` are one handshake. It knows no clock and no pipe but those it is lent.

mod gtp;
#[cfg(test)]
mod session;
mod uci;

use std::borrow::Cow;
use std::fmt::{Debug, Write as _};
use std::time::Duration;

use gtp::GtpEngine;
use serde::{Deserialize, Serialize};
use uci::UciEngine;

use crate::bot::fault::Fault;
use crate::bot::pipes::{Log, Outbox};
use crate::bot::values::Values;
use crate::game::{EngineProtocol, Setup};
use crate::protocol::{Hello, ToBot, VERSION};
use crate::text::is_hidden;
use crate::units;

/// The option of a game that an engine has to know.
const VARIANT: &str = "variant";

/// The variant of a game that an engine has to be set to.
pub fn variant(game: &Setup) -> Option<String> {
    game.get(VARIANT).filter(|name| uci::is_variant(name))
}

#[derive(Debug)]
pub(in crate::bot) struct Engine {
    pub translator: Box<dyn Translator + Send>,
    /// Overrun that the clock forgives. An engine is told to stop when it begins.
    pub margin: Duration,
}

impl Engine {
    pub fn new(terms: EngineTerms, margin: Duration) -> Self {
        Self {
            translator: translator(terms),
            margin,
        }
    }

    /// Reads a line of the engine. Returns whether it is the answer to the last request.
    pub fn hear(&mut self, line: &[u8], lent: Lent<'_>) -> Result<bool, Fault> {
        // Nearly all lines are valid, and `from_utf8` alone is faster for them.
        let text = match std::str::from_utf8(line) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(line),
        };
        self.translator.hear(text.trim_end(), lent)
    }
}

fn translator(terms: EngineTerms) -> Box<dyn Translator + Send> {
    match terms.protocol {
        EngineProtocol::Uci | EngineProtocol::Usi => Box::new(UciEngine::new(terms)),
        EngineProtocol::Gtp => Box::new(GtpEngine::new(terms)),
    }
}

impl Language {
    /// Lines of our protocol in this language, as its bot is sent them.
    pub fn lines(&self, lines: Vec<String>) -> Vec<String> {
        match self.engine() {
            None => lines,
            Some(terms) => {
                let mut translator = translator(terms.clone());
                let mut out = Outbox::new(None);
                for message in lines.iter().filter_map(|line| ToBot::parse(line).ok()) {
                    translator.tell(&message, &mut out);
                    // An engine is sent what answers each request.
                    if let ToBot::Hello { .. } = message {
                        translator.set_up(&mut out);
                    }
                }
                out.text().lines().map(str::to_owned).collect()
            }
        }
    }
}

/// Options of a bot or an engine, with their values.
pub type Options = Vec<(String, String)>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Language {
    /// The protocol of `docs/protocol.md`. The options are set before each game.
    Own(Options),
    Engine(EngineTerms),
}

impl Default for Language {
    fn default() -> Self {
        Self::Own(Options::new())
    }
}

impl Language {
    const OWN: &'static str = "referee";

    pub const NAMES: [&'static str; 4] = [
        Self::OWN,
        EngineProtocol::Uci.name(),
        EngineProtocol::Usi.name(),
        EngineProtocol::Gtp.name(),
    ];

    pub fn name(&self) -> &'static str {
        self.engine()
            .map_or(Self::OWN, |terms| terms.protocol.name())
    }

    pub fn from_name(name: &str) -> Option<Self> {
        if name == Self::OWN {
            return Some(Self::default());
        }
        let protocol = EngineProtocol::from_name(name)?;
        Some(Self::Engine(EngineTerms::new(protocol)))
    }

    /// The terms of an engine; `None` for a bot of our protocol.
    pub fn engine(&self) -> Option<&EngineTerms> {
        match self {
            Language::Own(_) => None,
            Language::Engine(terms) => Some(terms),
        }
    }

    pub fn options(&self) -> &Options {
        match self {
            Language::Own(options) => options,
            Language::Engine(terms) => &terms.options,
        }
    }

    /// The options that are told before each game. An engine is told at its handshake.
    pub fn told(&self) -> Options {
        match self {
            Language::Own(options) => options.clone(),
            Language::Engine(_) => Options::new(),
        }
    }

    pub fn options_mut(&mut self) -> &mut Options {
        match self {
            Language::Own(options) => options,
            Language::Engine(terms) => &mut terms.options,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineTerms {
    pub protocol: EngineProtocol,
    pub options: Options,
    /// Limits of a search besides the clock.
    pub go: SearchLimits,
    /// Words of `info` whose values are kept besides those that always are.
    pub kept_of_info: Vec<&'static str>,
}

impl EngineTerms {
    /// An engine without options that is told its clock.
    pub fn new(protocol: EngineProtocol) -> Self {
        Self {
            protocol,
            options: Vec::new(),
            go: SearchLimits::default(),
            kept_of_info: Vec::new(),
        }
    }
}

/// Limits of a search. A clock of the game is told besides, except to a search of a fixed time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchLimits {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// In plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(
        skip_serializing_if = "Option::is_none",
        with = "units::duration_limit"
    )]
    pub movetime: Option<Duration>,
}

impl SearchLimits {
    /// Whether the clock decides how long a search takes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The limits as words of `go`, each after a space.
    fn words(&self) -> String {
        let mut words = String::new();
        let Self {
            nodes,
            depth,
            movetime,
        } = *self;
        let time = movetime.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let limits = [
            ("nodes", nodes),
            ("depth", depth.map(u64::from)),
            ("movetime", time),
        ];
        for (word, limit) in limits {
            if let Some(limit) = limit {
                // Writing to a `String` cannot fail.
                let _ = write!(words, " {word} {limit}");
            }
        }
        words
    }
}

pub(super) const EXCERPT: usize = 60;

const NAMELESS: &str = "engine";

/// Parts of the process that a translator uses while it reads a line of the engine.
pub(super) struct Lent<'a> {
    pub outbox: &'a mut Outbox,
    pub log: &'a mut Log,
    pub values: &'a mut Values,
    pub kept: usize,
    pub answer: &'a mut String,
}

impl Lent<'_> {
    fn note(&mut self, line: &str) {
        self.log.push(line.as_bytes(), self.kept);
        self.log.push(b"\n", self.kept);
    }

    /// Makes the answer of an engine that has no move: the words for a bridge whose program gave no action.
    fn answer_no_move(&mut self, said: &str) {
        self.answer.clear();
        self.answer.push_str("illegal the engine answered ");
        self.answer.push_str(said);
    }
}

pub(in crate::bot) trait Translator: Debug {
    /// The line that is missing where no answer came.
    fn missing(&self) -> Cow<'static, str>;

    fn tell(&mut self, message: &ToBot<'_>, out: &mut Outbox);

    /// The last request is about to be sent.
    fn ask(&mut self);

    /// Whether it searches and was not told to stop.
    fn can_be_stopped(&self) -> bool;

    fn stop(&mut self, out: &mut Outbox);

    /// Reads a line of the engine. Returns whether it is the answer to the last request.
    fn hear(&mut self, line: &str, lent: Lent<'_>) -> Result<bool, Fault>;

    /// Checks options, and the variants of its games, against what the engine declares.
    fn check(&self, terms: &EngineTerms, variants: &[String]) -> Result<(), String>;

    /// Queues the lines that are sent while an engine answers its handshake.
    fn set_up(&mut self, out: &mut Outbox);
}

/// Our answer to the handshake for an engine of this name, as one token.
fn hello(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join("-");
    let visible = name.chars().filter(|c| !is_hidden(*c));
    let mut name: String = visible.take(Hello::LONGEST_NAME).collect();
    if name.is_empty() {
        name.push_str(NAMELESS);
    }
    format!("bot {VERSION} {name}")
}
