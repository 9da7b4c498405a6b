//! The translator for GTP, the protocol of programs that play Go.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::num::NonZeroU32;

use super::{EXCERPT, EngineTerms, Lent, Translator, hello};
use crate::bot::fault::Fault;
use crate::bot::pipes::Outbox;
use crate::protocol::{Millis, READY, RESIGN, Start, ToBot};
use crate::text::{did_you_mean, excerpt};

const MOST: usize = 1000;

/// The options of a game that an engine has to know.
const WIDTH: &str = "width";
const HEIGHT: &str = "height";
const KOMI: &str = "komi";

/// The seat that is called white. The other one is black.
const WHITE: &str = "white";

const LISTED: usize = 300;

const PASS: &str = "pass";

/// A request of the referee, or a part of one, that is not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Request {
    Hello,
    /// The options of the entry, after the hello.
    Setup,
    Start,
}

#[derive(Debug)]
pub(super) struct GtpEngine {
    terms: EngineTerms,
    /// The commands whose answers are owed, the first one first.
    owed: VecDeque<String>,
    /// Whether the answer to the last command has begun, and its blank line has not come.
    is_inside: bool,
    /// The command of that answer.
    last: String,
    /// The number of those commands that the engine was sent.
    sent: usize,
    request: Option<Request>,
    name: String,
    known: Vec<String>,
    is_white: bool,
    /// Limit for each action in seconds.
    per_move: Option<u64>,
    /// Number of actions for which the clock has its time.
    period: Option<NonZeroU32>,
    asked: u32,
    /// Whether the next action of the own seat is the answer to `genmove`, which the engine has played itself.
    has_moved: bool,
}

impl GtpEngine {
    pub fn new(terms: EngineTerms) -> Self {
        Self {
            terms,
            owed: VecDeque::new(),
            is_inside: false,
            last: String::new(),
            sent: 0,
            request: None,
            name: String::new(),
            known: Vec::new(),
            is_white: false,
            per_move: None,
            period: None,
            asked: 0,
            has_moved: false,
        }
    }

    fn send(&mut self, line: String, out: &mut Outbox) {
        out.push(line.as_bytes());
        out.push(b"\n");
        self.owed.push_back(line);
    }

    /// Whether the engine has a command, or does not tell which it has.
    fn knows(&self, command: &str) -> bool {
        self.known.is_empty() || self.known.iter().any(|known| known == command)
    }

    fn begin(&mut self, start: &Start<'_>, out: &mut Outbox) {
        self.is_white = start.seat == WHITE;
        self.has_moved = false;
        (self.period, self.asked) = (start.time.period, 0);
        let seconds = |millis: Millis| millis.0.map(|millis| millis / 1000);
        self.per_move = seconds(start.time.per_move).map(|limit| limit.max(1));
        match (start.option(WIDTH), start.option(HEIGHT)) {
            // A board that is no square is for the engine to refuse.
            (Some(width), Some(height)) if width != height => {
                self.send(format!("boardsize {width} {height}"), out);
            }
            (Some(width), _) => self.send(format!("boardsize {width}"), out),
            (None, _) => {}
        }
        self.send("clear_board".to_owned(), out);
        if let Some(komi) = start.option(KOMI) {
            self.send(format!("komi {komi}"), out);
        }
        let settings = match (seconds(start.time.per_game), self.per_move) {
            (Some(game), _) if let Some(period) = self.period => {
                Some(format!("time_settings 0 {game} {period}"))
            }
            (Some(game), _) => Some(format!("time_settings {game} 0 0")),
            (None, Some(limit)) => Some(format!("time_settings 0 {limit} 1")),
            (None, None) => None,
        };
        if let Some(settings) = settings {
            self.send(settings, out);
        }
    }

    fn tell_clock(&mut self, is_white: bool, left: Millis, out: &mut Outbox) {
        // Engines read whole seconds. One that has less plays at once.
        let Some(left) = left.0.map(|left| left / 1000) else {
            return;
        };
        let (left, moves) = match (is_white == self.is_white, self.period) {
            (true, period) => (
                self.per_move.map_or(left, |limit| limit.min(left)),
                period.map_or(0, |period| period.get() - self.asked % period),
            ),
            // The moves of an opening and those on the clock look alike.
            (false, _) => (left, 0),
        };
        if self.knows("time_left") {
            let colour = colour(is_white);
            self.send(format!("time_left {colour} {left} {moves}"), out);
        }
    }

    /// Reads the first line of an answer. Returns whether it answers the last request.
    fn begin_answer(
        &mut self,
        is_refused: bool,
        text: &str,
        lent: &mut Lent<'_>,
    ) -> Result<bool, Fault> {
        match (first_word(&self.last), is_refused) {
            ("genmove", _) => {
                self.take_move(is_refused, text, lent);
                return Ok(true);
            }
            ("name", false) => text.clone_into(&mut self.name),
            ("list_commands", false) => self.add_command(text),
            (_, false) => {}
            // It plays on without knowing its clock.
            ("name" | "list_commands" | "time_settings" | "time_left" | "quit", true) => {
                lent.note(&format!("? {text}"));
            }
            // The engine would hold another position than the referee.
            (word @ ("boardsize" | "clear_board" | "komi" | "play"), true) => {
                return Err(refused(word, text));
            }
            // An option of the entry.
            (_, true) => return Err(refused(&self.last, text)),
        }
        Ok(false)
    }

    fn add_command(&mut self, text: &str) {
        if !text.is_empty() && self.known.len() < MOST {
            self.known.push(excerpt(text.trim(), EXCERPT));
        }
    }

    fn take_move(&mut self, is_refused: bool, text: &str, lent: &mut Lent<'_>) {
        let action = text.split_ascii_whitespace().next();
        lent.answer.clear();
        match action {
            Some(action) if !is_refused => {
                if action.eq_ignore_ascii_case(RESIGN) {
                    lent.answer.push_str(RESIGN);
                } else if action.eq_ignore_ascii_case(PASS) {
                    lent.answer.push_str(PASS);
                } else {
                    lent.answer.push_str(action);
                    lent.answer.make_ascii_uppercase();
                }
            }
            _ => {
                let said = excerpt(text, EXCERPT);
                let sign = if is_refused { '?' } else { '=' };
                lent.answer_no_move(&format!("`{sign} {said}` to `genmove`, which is no move"));
            }
        }
    }

    /// The end of an answer. Returns whether all answers to the last request are there.
    fn end_answer(&mut self, lent: &mut Lent<'_>) -> Result<bool, Fault> {
        if !self.owed.is_empty() {
            return Ok(false);
        }
        if self.request == Some(Request::Hello) {
            let checked = self.check(&self.terms, &[]);
            checked.map_err(|problem| Fault::EngineOption { problem })?;
            self.set_up(lent.outbox);
            self.sent = self.owed.len();
            self.request = Some(Request::Setup);
            if !self.owed.is_empty() {
                return Ok(false);
            }
        }
        let answer = match self.request.take() {
            Some(Request::Start) => READY.to_owned(),
            Some(Request::Hello | Request::Setup) => hello(&self.name),
            None => return Ok(false),
        };
        *lent.answer = answer;
        Ok(true)
    }
}

impl Translator for GtpEngine {
    fn missing(&self) -> Cow<'static, str> {
        let owed = self.owed.front();
        owed.map_or("answer".into(), |line| {
            format!("answer to `{}`", first_word(line)).into()
        })
    }

    fn tell(&mut self, message: &ToBot<'_>, out: &mut Outbox) {
        match message {
            ToBot::Hello { .. } => {
                self.request = Some(Request::Hello);
                self.send("name".to_owned(), out);
                self.send("list_commands".to_owned(), out);
            }
            ToBot::Start(start) => {
                self.request = Some(Request::Start);
                self.begin(start, out);
            }
            ToBot::Did { seat, action, .. } => {
                let is_white = *seat == WHITE;
                let is_own = is_white == self.is_white;
                if !(is_own && std::mem::take(&mut self.has_moved)) {
                    let colour = colour(is_white);
                    self.send(format!("play {colour} {action}"), out);
                }
            }
            ToBot::Act { mine, others } => {
                // Engines play games of two.
                if let [theirs] = others[..] {
                    self.tell_clock(!self.is_white, theirs, out);
                }
                self.tell_clock(self.is_white, *mine, out);
                self.send(format!("genmove {}", colour(self.is_white)), out);
                self.has_moved = true;
                self.asked += 1;
            }
            ToBot::Quit => self.send("quit".to_owned(), out),
            // There is no word for the end of a game. It sends the commands before it.
            ToBot::End { .. } => self.sent = self.owed.len(),
            // An engine finds its moves itself.
            ToBot::Set { .. } | ToBot::See { .. } | ToBot::Can { .. } | ToBot::Points { .. } => {}
        }
    }

    fn ask(&mut self) {
        self.sent = self.owed.len();
    }

    fn can_be_stopped(&self) -> bool {
        false
    }

    fn stop(&mut self, _: &mut Outbox) {}

    fn hear(&mut self, line: &str, mut lent: Lent<'_>) -> Result<bool, Fault> {
        let is_refused = line.starts_with('?');
        if let Some(text) = line.strip_prefix(['=', '?']) {
            if self.sent == 0 {
                return Err(Fault::MoveUnasked {
                    line: excerpt(line, EXCERPT),
                    rule: "a command: one answer belongs to one command",
                });
            }
            self.last = self.owed.pop_front().unwrap_or_default();
            self.sent -= 1;
            self.is_inside = true;
            return self.begin_answer(is_refused, text.trim(), &mut lent);
        }
        if !self.is_inside {
            if !line.is_empty() {
                lent.note(line);
            }
            return Ok(false);
        }
        if line.is_empty() {
            self.is_inside = false;
            return self.end_answer(&mut lent);
        }
        match self.last.as_str() {
            "list_commands" => self.add_command(line),
            _ => lent.note(line),
        }
        Ok(false)
    }

    fn check(&self, terms: &EngineTerms, _variants: &[String]) -> Result<(), String> {
        for (name, _) in &terms.options {
            if !self.knows(name) {
                let known = self.known.iter().map(String::as_str);
                let hint = did_you_mean(name, known).map_or_else(
                    || format!("; it has {}", excerpt(&self.known.join(" "), LISTED)),
                    |hint| format!(": {hint}"),
                );
                let name = excerpt(name, EXCERPT);
                return Err(format!("the engine has no command `{name}`{hint}"));
            }
        }
        Ok(())
    }

    fn set_up(&mut self, out: &mut Outbox) {
        for index in 0..self.terms.options.len() {
            let (name, value) = &self.terms.options[index];
            let line = format!("{name} {value}");
            self.send(line, out);
        }
    }
}

fn colour(is_white: bool) -> char {
    if is_white { 'w' } else { 'b' }
}

fn first_word(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

fn refused(command: &str, words: &str) -> Fault {
    let [command, words] = [command, words].map(|text| excerpt(text, EXCERPT));
    Fault::Refused {
        refused: format!("`{command}`: {words}"),
    }
}
