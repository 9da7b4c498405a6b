//! Engines as they are: translators between our messages and protocols of engines.
//!
//! [`Process`](super::Process) hands a translator the messages for the bot and the bot's lines. It gives the lines that
//! an engine understands and the answers that the referee expects. A request of ours may take several exchanges with the
//! engine: `uci`, the options and `isready` are one handshake. It knows no clock and no pipe but those it is lent.

mod gtp;
#[cfg(test)]
mod session;
mod terms;
mod translator;
mod uci;

use std::borrow::Cow;
use std::time::Duration;

use gtp::GtpEngine;
pub use terms::{EngineProtocol, EngineTerms, Language, SearchLimits};
pub(in crate::bot) use translator::Lent;
use translator::Translator;
use uci::UciEngine;

use super::fault::{Fault, MissingAnswer};
use super::pipes::Outbox;
use crate::protocol::ToBot;

/// The translator of one engine.
#[derive(Debug)]
pub(in crate::bot) struct Engine {
    translator: Box<dyn Translator + Send>,
    /// Overrun that the clock forgives.
    margin: Duration,
}

impl Engine {
    pub fn new(terms: EngineTerms, margin: Duration) -> Self {
        let translator: Box<dyn Translator + Send> = match terms.protocol {
            EngineProtocol::Uci | EngineProtocol::Usi => Box::new(UciEngine::new(terms)),
            EngineProtocol::Gtp => Box::new(GtpEngine::new(terms)),
        };
        Self { translator, margin }
    }

    /// Overrun that the clock forgives. An engine is told to stop when it begins.
    pub fn margin(&self) -> Duration {
        self.margin
    }

    /// The line that is missing where no answer came.
    pub fn missing(&self) -> MissingAnswer {
        self.translator.missing()
    }

    /// Queues the lines for a message.
    pub fn tell(&mut self, message: &ToBot<'_>, out: &mut Outbox) {
        self.translator.tell(message, out);
    }

    /// The last request is about to be sent.
    pub fn ask(&mut self) {
        self.translator.ask();
    }

    /// Whether it searches and was not told to stop.
    pub fn can_be_stopped(&self) -> bool {
        self.translator.can_be_stopped()
    }

    /// Tells a searching engine to answer at once.
    pub fn stop(&mut self, out: &mut Outbox) {
        self.translator.stop(out);
    }

    /// Reads a line of the engine. Returns whether it is the answer to the last request.
    ///
    /// # Errors
    ///
    /// A move that was not asked for, or options that do not fit.
    pub fn hear(&mut self, line: &[u8], lent: Lent<'_>) -> Result<bool, Fault> {
        // Nearly all lines are valid, and `from_utf8` alone is faster for them.
        let text = match std::str::from_utf8(line) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(line),
        };
        self.translator.hear(text.trim_end(), lent)
    }

    /// Checks options against those that the engine declares.
    pub fn check(&self, terms: &EngineTerms) -> Result<(), String> {
        self.translator.check(terms)
    }

    /// The lines for messages, as an engine is sent them that answers each request.
    fn lines(mut self, messages: &[String]) -> Vec<String> {
        let mut out = Outbox::new(None);
        for message in messages.iter().filter_map(|line| ToBot::parse(line).ok()) {
            self.tell(&message, &mut out);
            if let ToBot::Hello { .. } = message {
                self.translator.set_up(&mut out);
            }
        }
        out.text().lines().map(str::to_owned).collect()
    }
}

impl Language {
    /// Lines of our protocol in this language, as its bot is sent them.
    pub fn lines(&self, lines: Vec<String>) -> Vec<String> {
        match self.engine() {
            None => lines,
            Some(terms) => Engine::new(terms.clone(), Duration::ZERO).lines(&lines),
        }
    }
}
