//! Engines as they are: a translator between our messages and UCI, the protocol of chess engines.
//!
//! [`Process`](super::Process) hands it the messages for the bot and the bot's lines. It gives the lines that an
//! engine understands and the answers that the referee expects. A request of ours may take several exchanges with the
//! engine: `uci`, the options and `isready` are one handshake. It knows no clock and no pipe but those it is lent.

mod game;
mod info;
mod options;
mod terms;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::time::Duration;

use game::{CHESS960, EngineGame};
use info::SearchReport;
use options::DeclaredOptions;
pub use terms::{EngineTerms, Language, SearchLimits};

use super::fault::{Fault, MissingAnswer};
use super::pipes::{Log, Outbox};
use super::values::Values;
use crate::protocol::{Hello, READY, Start, ToBot, VERSION};
use crate::text::{excerpt, is_hidden};

/// Maximum characters of a quoted line.
const EXCERPT: usize = 60;

/// The name of an engine that says none.
const NAMELESS: &str = "engine";

/// The line that the engine owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing.
    Idle,
    /// `uciok`.
    Introduction,
    /// `readyok`, after its options were set.
    Setup,
    /// `readyok`, before a game.
    Preparation,
    /// `bestmove`.
    Search {
        /// Whether it was told to stop.
        is_stopped: bool,
    },
}

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
    fn note(&mut self, line: &str) {
        self.log.push(line.as_bytes(), self.kept);
        self.log.push(b"\n", self.kept);
    }
}

/// The translator of one engine.
#[derive(Debug)]
pub(in crate::bot) struct Engine {
    terms: EngineTerms,
    /// Overrun that the clock forgives.
    margin: Duration,
    state: State,
    /// Whether the last request was sent. An earlier line answers an earlier request.
    is_asked: bool,
    name: String,
    declared: DeclaredOptions,
    game: EngineGame,
    report: SearchReport,
    /// The last message.
    message: String,
}

impl Engine {
    pub fn new(terms: EngineTerms, margin: Duration) -> Self {
        Self {
            terms,
            margin,
            state: State::Idle,
            is_asked: false,
            name: String::new(),
            declared: DeclaredOptions::default(),
            game: EngineGame::default(),
            report: SearchReport::default(),
            message: String::new(),
        }
    }

    /// Overrun that the clock forgives. An engine is told to stop when it begins.
    pub fn margin(&self) -> Duration {
        self.margin
    }

    /// The line that is missing where no answer came.
    pub fn missing(&self) -> MissingAnswer {
        match self.state {
            State::Introduction => MissingAnswer::UciOk,
            State::Setup | State::Preparation => MissingAnswer::ReadyOk,
            State::Search { .. } | State::Idle => MissingAnswer::BestMove,
        }
    }

    /// Queues the lines for a message.
    pub fn tell(&mut self, message: &ToBot<'_>, out: &mut Outbox) {
        self.is_asked = false;
        // Writing to memory cannot fail.
        let _ = match message {
            ToBot::Hello { .. } => {
                self.state = State::Introduction;
                out.write_str("uci\n")
            }
            ToBot::Start(start) => {
                self.state = State::Preparation;
                self.begin(start, out);
                out.write_str("ucinewgame\nisready\n")
            }
            ToBot::Did { action, .. } => {
                self.state = State::Idle;
                self.game.add(action);
                Ok(())
            }
            ToBot::Act { mine, theirs } => {
                self.state = State::Search { is_stopped: false };
                self.report.clear();
                self.game.ask(&self.terms.go, *mine, *theirs, out)
            }
            ToBot::End { .. } => {
                self.stop(out);
                self.state = State::Idle;
                Ok(())
            }
            ToBot::Quit => out.write_str("quit\n"),
            // No game of engines tells a seat something alone, and an engine finds its moves itself.
            ToBot::See { .. } | ToBot::Can { .. } => Ok(()),
        };
    }

    fn begin(&mut self, start: &Start<'_>, out: &mut Outbox) {
        let game = EngineGame::new(start);
        if game.is_fischer_random != self.game.is_fischer_random {
            let value = game.is_fischer_random.to_string();
            set_option(CHESS960, Some(&value), out);
        }
        self.game = game;
    }

    /// The lines for messages, as an engine is sent them that answers each request.
    fn lines(mut self, messages: &[String]) -> Vec<String> {
        let mut out = Outbox::new(None);
        for message in messages.iter().filter_map(|line| ToBot::parse(line).ok()) {
            self.tell(&message, &mut out);
            if let ToBot::Hello { .. } = message {
                for (name, value) in &self.terms.options {
                    set_option(name, Some(value), &mut out);
                }
                out.push(b"isready\n");
            }
        }
        out.text().lines().map(str::to_owned).collect()
    }

    /// The last request is about to be sent.
    pub fn ask(&mut self) {
        self.is_asked = true;
    }

    /// Whether it searches and was not told to stop.
    pub fn can_be_stopped(&self) -> bool {
        self.state == State::Search { is_stopped: false }
    }

    /// Tells a searching engine to answer at once.
    pub fn stop(&mut self, out: &mut Outbox) {
        if self.can_be_stopped() {
            self.state = State::Search { is_stopped: true };
            out.push(b"stop\n");
        }
    }

    /// Reads a line of the engine. Returns whether it is the answer to the last request.
    ///
    /// # Errors
    ///
    /// A move that was not asked for, or options that do not fit.
    pub fn hear(&mut self, line: &[u8], mut lent: Lent<'_>) -> Result<bool, Fault> {
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        let (word, rest) = line
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((line, ""));
        match word {
            "info" => self.note(line, rest, &mut lent),
            "bestmove" => return self.move_of(line, rest, &mut lent),
            "uciok" if self.is_asked && self.state == State::Introduction => {
                self.set_options(lent.outbox)?;
                self.state = State::Setup;
            }
            "readyok" if self.is_asked => return self.is_ready(lent.answer),
            "id" if self.state == State::Introduction => {
                if let Some(name) = rest.trim_start().strip_prefix("name ") {
                    self.name = token(name);
                }
            }
            "option" if self.state == State::Introduction => self.declared.add(line),
            "" | "uciok" | "readyok" | "id" | "option" => {}
            _ => lent.note(line),
        }
        Ok(false)
    }

    fn note(&mut self, line: &str, rest: &str, lent: &mut Lent<'_>) {
        if rest.trim_start().starts_with("string") {
            // Some engines say with each move how they were set up.
            if line != self.message {
                line.clone_into(&mut self.message);
                lent.note(line);
            }
        } else if let State::Search { .. } = self.state {
            self.report.add(line);
        }
    }

    /// Takes the move of a `bestmove` line.
    fn move_of(&mut self, line: &str, rest: &str, lent: &mut Lent<'_>) -> Result<bool, Fault> {
        let is_asked = self.is_asked && matches!(self.state, State::Search { .. });
        if !is_asked {
            return Err(Fault::MoveUnasked {
                line: excerpt(line, EXCERPT),
            });
        }
        self.state = State::Idle;
        self.report.give(lent.values);
        if !self.report.line().is_empty() {
            lent.note(self.report.line());
        }
        lent.answer.clear();
        match rest.split_ascii_whitespace().next() {
            // The words for a bridge whose program gave no action.
            None | Some("(none)" | "none" | "0000" | "NULL") => {
                let line = excerpt(line, EXCERPT);
                let _ = write!(
                    lent.answer,
                    "illegal the engine answered `{line}`, which is no move"
                );
            }
            Some(action) => lent.answer.push_str(action),
        }
        Ok(true)
    }

    fn is_ready(&mut self, answer: &mut String) -> Result<bool, Fault> {
        answer.clear();
        match self.state {
            State::Setup => {
                let name = match self.name.as_str() {
                    "" => NAMELESS,
                    name => name,
                };
                let _ = write!(answer, "bot {VERSION} {name}");
            }
            State::Preparation if self.game.is_fischer_random && !self.declared.has(CHESS960) => {
                let problem = format!(
                    "the engine has no option `{CHESS960}`, so it cannot play Fischer random chess"
                );
                return Err(Fault::EngineOption { problem });
            }
            State::Preparation => answer.push_str(READY),
            State::Idle | State::Introduction | State::Search { .. } => return Ok(false),
        }
        self.state = State::Idle;
        Ok(true)
    }

    /// Checks options against the declared ones.
    pub fn check(&self, terms: &EngineTerms) -> Result<(), String> {
        let mut options = terms.options.iter();
        options.try_for_each(|(name, value)| self.declared.checked(name, value).map(drop))
    }

    /// Queues the configured options, and asks whether the engine is ready.
    fn set_options(&self, out: &mut Outbox) -> Result<(), Fault> {
        for (name, value) in &self.terms.options {
            let checked = self.declared.checked(name, value);
            let (name, value) = checked.map_err(|problem| Fault::EngineOption { problem })?;
            set_option(name, value, out);
        }
        out.push(b"isready\n");
        Ok(())
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

fn set_option(name: &str, value: Option<&str>, out: &mut Outbox) {
    // Writing to memory cannot fail.
    let _ = match value {
        Some(value) => writeln!(out, "setoption name {name} value {value}"),
        None => writeln!(out, "setoption name {name}"),
    };
}

/// A name as one token of our handshake.
fn token(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join("-");
    let visible = name.chars().filter(|c| !is_hidden(*c));
    visible.take(Hello::LONGEST_NAME).collect()
}
