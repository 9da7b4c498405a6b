//! The work of each translator, and what it is lent.

use std::fmt::Debug;

use super::terms::EngineTerms;
use crate::bot::fault::{Fault, MissingAnswer};
use crate::bot::pipes::{Log, Outbox};
use crate::bot::values::Values;
use crate::protocol::{Hello, ToBot, VERSION};
use crate::text::is_hidden;

/// Maximum characters of a quoted line.
pub(super) const EXCERPT: usize = 60;

/// The name of an engine that says none.
const NAMELESS: &str = "engine";

/// Parts of the process that a translator uses while it reads a line of the engine.
pub(in crate::bot) struct Lent<'a> {
    pub outbox: &'a mut Outbox,
    pub log: &'a mut Log,
    pub values: &'a mut Values,
    /// Maximum kept log.
    pub kept: usize,
    pub answer: &'a mut String,
}

impl Lent<'_> {
    pub(super) fn note(&mut self, line: &str) {
        self.log.push(line.as_bytes(), self.kept);
        self.log.push(b"\n", self.kept);
    }

    /// Makes the answer of an engine that has no move: the words for a bridge whose program gave no action.
    pub(super) fn answer_no_move(&mut self, said: &str) {
        self.answer.clear();
        self.answer.push_str("illegal the engine answered ");
        self.answer.push_str(said);
    }
}

/// The translator of one protocol.
pub(super) trait Translator: Debug {
    /// The line that is missing where no answer came.
    fn missing(&self) -> MissingAnswer;

    /// Queues the lines for a message.
    fn tell(&mut self, message: &ToBot<'_>, out: &mut Outbox);

    /// The last request is about to be sent.
    fn ask(&mut self);

    /// Whether it searches and was not told to stop.
    fn can_be_stopped(&self) -> bool;

    /// Tells a searching engine to answer at once.
    fn stop(&mut self, out: &mut Outbox);

    /// Reads a line of the engine. Returns whether it is the answer to the last request.
    ///
    /// # Errors
    ///
    /// A move that was not asked for, or options that do not fit.
    fn hear(&mut self, line: &str, lent: Lent<'_>) -> Result<bool, Fault>;

    /// Checks options against those that the engine declares.
    fn check(&self, terms: &EngineTerms) -> Result<(), String>;

    /// Queues the lines that are sent while an engine answers its handshake.
    fn set_up(&mut self, out: &mut Outbox);
}

/// Our answer to the handshake for an engine of this name, as one token.
pub(super) fn hello(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join("-");
    let visible = name.chars().filter(|c| !is_hidden(*c));
    let mut name: String = visible.take(Hello::LONGEST_NAME).collect();
    if name.is_empty() {
        name.push_str(NAMELESS);
    }
    format!("bot {VERSION} {name}")
}
