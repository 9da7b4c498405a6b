//! The translator for UCI and USI, the protocols of engines for chess and shogi.

mod game;
mod options;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::Write as _;

use game::{EngineGame, Mode};
use options::{DeclaredOptions, set_option};

use super::{EXCERPT, EngineTerms, Lent, Translator, hello};
use crate::bot::Values;
use crate::bot::fault::Fault;
use crate::bot::pipes::Outbox;
use crate::game::EngineProtocol;
use crate::protocol::{Millis, READY, RESIGN, Start, ToBot};
use crate::text::excerpt;

/// The line that the engine owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Introduction,
    /// `readyok`, after its options were set.
    Setup,
    /// `readyok`, before a game.
    Preparation,
    Search {
        is_stopped: bool,
    },
}

#[derive(Debug)]
pub(super) struct UciEngine {
    terms: EngineTerms,
    family: &'static Family,
    state: State,
    /// Whether the last request was sent. An earlier line answers an earlier request.
    is_asked: bool,
    /// Whether a search of an earlier game was told to stop, and its move has not come yet.
    owes_old_move: bool,
    name: String,
    declared: DeclaredOptions,
    game: EngineGame,
    report: SearchReport,
    message: String,
}

impl UciEngine {
    pub fn new(terms: EngineTerms) -> Self {
        let family = Family::of(terms.protocol);
        Self {
            terms,
            family,
            state: State::Idle,
            is_asked: false,
            owes_old_move: false,
            name: String::new(),
            declared: DeclaredOptions::default(),
            game: EngineGame::default(),
            report: SearchReport::default(),
            message: String::new(),
        }
    }

    fn begin(&mut self, start: &Start<'_>, out: &mut Outbox) {
        let game = EngineGame::of(self.family, start);
        if game.mode != self.game.mode {
            self.game.mode.change_to(&game.mode, self.family, out);
        }
        self.game = game;
    }

    fn end(&mut self, winner: &str, out: &mut Outbox) {
        self.owes_old_move |= matches!(self.state, State::Search { .. });
        self.stop(out);
        self.state = State::Idle;
        if let Some(word) = self.family.end
            && let Some(result) = self.game.result(winner)
        {
            // Writing to memory cannot fail.
            let _ = writeln!(out, "{word} {result}");
        }
    }

    fn note(&mut self, line: &str, rest: &str, lent: &mut Lent<'_>) {
        if rest.trim_ascii_start().starts_with("string") {
            // Some engines say with each move how they were set up.
            if line != self.message {
                line.clone_into(&mut self.message);
                lent.note(line);
            }
        } else if let State::Search { .. } = self.state {
            self.report.add(line);
        }
    }

    fn move_of(&mut self, line: &str, rest: &str, lent: &mut Lent<'_>) -> Result<bool, Fault> {
        if std::mem::take(&mut self.owes_old_move) {
            return Ok(false);
        }
        let is_asked = self.is_asked && matches!(self.state, State::Search { .. });
        if !is_asked {
            return Err(Fault::MoveUnasked {
                line: excerpt(line, EXCERPT),
                rule: "a `go`: one `bestmove` answers one `go`",
            });
        }
        self.state = State::Idle;
        self.report.give(lent.values);
        if !self.terms.kept_of_info.is_empty() {
            self.report.give_more(&self.terms.kept_of_info, lent.values);
        }
        if !self.report.line.is_empty() {
            lent.note(&self.report.line);
        }
        lent.answer.clear();
        match rest.split_ascii_whitespace().next() {
            None | Some("(none)" | "none" | "0000" | "NULL") => {
                let line = excerpt(line, EXCERPT);
                lent.answer_no_move(&format!("`{line}`, which is no move"));
            }
            Some("resign") => lent.answer.push_str(RESIGN),
            Some(action) => lent.answer.push_str(action),
        }
        Ok(true)
    }

    fn is_ready(&mut self, answer: &mut String) -> Result<bool, Fault> {
        answer.clear();
        match self.state {
            State::Setup => {
                answer.push_str(&hello(&self.name));
                answer.push_str(" tunes");
            }
            State::Preparation => {
                let fits = self.fits(&self.game.mode);
                fits.map_err(|problem| Fault::EngineOption { problem })?;
                answer.push_str(READY);
            }
            State::Idle | State::Introduction | State::Search { .. } => return Ok(false),
        }
        self.state = State::Idle;
        Ok(true)
    }

    /// Whether the engine says that it does not know the first line. Others greet before they answer it.
    fn is_refused(&self, line: &str) -> bool {
        let line = line.to_ascii_lowercase();
        let refusals = ["error", "illegal", "invalid", "unknown"];
        line.ends_with(self.family.hello) && refusals.iter().any(|word| line.contains(word))
    }

    fn fits(&self, mode: &Mode) -> Result<(), String> {
        let Some((option, value)) = mode.option(self.family) else {
            return Ok(());
        };
        let checked = self.declared.checked(option, value);
        let fits = checked.map(drop);
        fits.map_err(|problem| format!("it cannot play {}: {problem}", mode.in_words()))
    }

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

impl Translator for UciEngine {
    fn missing(&self) -> Cow<'static, str> {
        let word = match self.state {
            State::Introduction => self.family.hello_ok,
            State::Setup | State::Preparation => "readyok",
            State::Search { .. } | State::Idle => "bestmove",
        };
        format!("`{word}`").into()
    }

    fn tell(&mut self, message: &ToBot<'_>, out: &mut Outbox) {
        self.is_asked = false;
        // Writing to memory cannot fail.
        let _ = match message {
            ToBot::Hello { .. } => {
                self.state = State::Introduction;
                writeln!(out, "{}", self.family.hello)
            }
            ToBot::Set { name, value } => {
                // Its range was compared with the parameter's before the first game.
                if let Ok((name, value)) = self.declared.checked(name, value) {
                    set_option(name, value, out);
                }
                Ok(())
            }
            ToBot::Start(start) => {
                self.state = State::Preparation;
                self.begin(start, out);
                writeln!(out, "{}\nisready", self.family.new_game)
            }
            ToBot::Did { action, .. } => {
                self.state = State::Idle;
                self.game.add(action);
                Ok(())
            }
            ToBot::Act { mine, others } => {
                self.state = State::Search { is_stopped: false };
                self.report.clear();
                // Engines play games of two.
                let theirs = others.first().copied().unwrap_or(Millis(None));
                let limits = &self.terms.go;
                self.game.ask(self.family, limits, *mine, theirs, out)
            }
            ToBot::End { winner, .. } => {
                self.end(winner, out);
                Ok(())
            }
            ToBot::Quit => out.write_str("quit\n"),
            // No game of engines tells a seat something alone, and an engine finds its moves itself.
            ToBot::See { .. } | ToBot::Can { .. } | ToBot::Points { .. } => Ok(()),
        };
    }

    fn ask(&mut self) {
        self.is_asked = true;
    }

    fn can_be_stopped(&self) -> bool {
        self.state == State::Search { is_stopped: false }
    }

    fn stop(&mut self, out: &mut Outbox) {
        if self.can_be_stopped() {
            self.state = State::Search { is_stopped: true };
            out.push(b"stop\n");
        }
    }

    fn hear(&mut self, line: &str, mut lent: Lent<'_>) -> Result<bool, Fault> {
        let line = line.trim_ascii();
        let end = line.bytes().position(|byte| byte.is_ascii_whitespace());
        let (word, rest) = line.split_at(end.unwrap_or(line.len()));
        match word {
            "info" => self.note(line, rest, &mut lent),
            "bestmove" => return self.move_of(line, rest, &mut lent),
            word if word == self.family.hello_ok => {
                if self.is_asked && self.state == State::Introduction {
                    self.set_options(lent.outbox)?;
                    self.state = State::Setup;
                }
            }
            "readyok" if self.is_asked => return self.is_ready(lent.answer),
            "id" if self.state == State::Introduction => {
                if let Some(name) = rest.trim_start().strip_prefix("name ") {
                    name.clone_into(&mut self.name);
                }
            }
            "option" if self.state == State::Introduction => self.declared.add(line),
            "" | "readyok" | "id" | "option" => {}
            _ if self.state == State::Introduction && self.is_refused(line) => {
                let problem = format!(
                    "the engine answers `{}` to `{}`: it may speak xboard alone, which is not spoken here",
                    excerpt(line, EXCERPT),
                    self.family.hello
                );
                return Err(Fault::EngineOption { problem });
            }
            _ => lent.note(line),
        }
        Ok(false)
    }

    fn check(&self, terms: &EngineTerms, variants: &[String]) -> Result<(), String> {
        let mut options = terms.options.iter();
        options.try_for_each(|(name, value)| self.declared.checked(name, value).map(drop))?;
        let mut modes = variants.iter().map(|name| Mode::of_variant(Some(name)));
        modes.try_for_each(|mode| self.fits(&mode))
    }

    fn set_up(&mut self, out: &mut Outbox) {
        for (name, value) in &self.terms.options {
            set_option(name, Some(value), out);
        }
        out.push(b"isready\n");
    }
}

pub(super) fn is_variant(name: &str) -> bool {
    Mode::of_variant(Some(name)) != Mode::Standard
}

#[derive(Debug, PartialEq, Eq)]
struct Family {
    pub hello: &'static str,
    /// The engine's answer to it, after its options.
    pub hello_ok: &'static str,
    pub new_game: &'static str,
    /// The word before a position in `position`.
    pub notation: &'static str,
    pub variant: &'static str,
    /// Its value for the game itself.
    pub standard: &'static str,
    /// The word of `go` for the time of one move.
    pub per_move: &'static str,
    /// Words of `go` where only the time of one move counts.
    pub no_clock: &'static str,
    /// The first word of the line that tells the end, where there is one.
    pub end: Option<&'static str>,
}

const UCI: Family = Family {
    hello: "uci",
    hello_ok: "uciok",
    new_game: "ucinewgame",
    notation: "fen",
    variant: "UCI_Variant",
    standard: "chess",
    per_move: "movetime",
    no_clock: "",
    end: None,
};

const USI: Family = Family {
    hello: "usi",
    hello_ok: "usiok",
    new_game: "usinewgame",
    notation: "sfen",
    variant: "USI_Variant",
    standard: "shogi",
    per_move: "byoyomi",
    no_clock: " btime 0 wtime 0",
    end: Some("gameover"),
};

impl Family {
    /// The words of a protocol; UCI's for one that is not of the family.
    pub fn of(protocol: EngineProtocol) -> &'static Self {
        match protocol {
            EngineProtocol::Usi => &USI,
            EngineProtocol::Uci | EngineProtocol::Gtp => &UCI,
        }
    }
}

/// Maximum bytes of the line that is kept of a search.
const LONGEST: usize = 1000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct SearchReport {
    /// The score of the best move in hundredths of a pawn, or in moves until mate; negative where the engine is mated.
    score: Option<i64>,
    mate: Option<i64>,
    depth: Option<i64>,
    nodes: Option<i64>,
    /// In milliseconds.
    time: Option<i64>,
    /// The last line with an exact score of the best move, cut off where it is long.
    line: String,
}

impl SearchReport {
    pub fn clear(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        *self = Self {
            line,
            ..Self::default()
        };
    }

    pub fn give(&self, values: &mut Values) {
        values.replace(&[
            ("score", self.score),
            ("mate", self.mate),
            ("depth", self.depth),
            ("nodes", self.nodes),
            ("time", self.time),
        ]);
    }

    /// Gives an answer more values of the kept line.
    pub fn give_more(&self, wanted: &[&str], values: &mut Values) {
        let mut words = self.line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                Values::PV if wanted.contains(&word) => {
                    let mut moves: Vec<&str> = words.collect();
                    // The last one may be cut off.
                    moves.truncate(moves.len() - usize::from(self.line.len() == LONGEST));
                    return values.set_line(&moves);
                }
                Values::PV | "string" => return,
                _ if wanted.contains(&word) => {
                    if let Some(Ok(number)) = words.next().map(str::parse::<i64>) {
                        values.set(word, number as f64);
                    }
                }
                _ => {}
            }
        }
    }

    /// Notes a line that begins with `info`. Scores of other moves than the best one, and bounds, are passed over.
    pub fn add(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace().skip(1);
        let number =
            |words: &mut dyn Iterator<Item = &str>| -> Option<i64> { words.next()?.parse().ok() };
        let mut now = Self::default();
        let mut is_exact = true;
        while let Some(word) = words.next() {
            match word {
                "depth" => now.depth = number(&mut words),
                "nodes" => now.nodes = number(&mut words),
                "time" => now.time = number(&mut words),
                "cp" => now.score = number(&mut words),
                "mate" => now.mate = number(&mut words),
                "lowerbound" | "upperbound" => is_exact = false,
                "multipv" => is_exact &= number(&mut words).is_none_or(|rank| rank == 1),
                // Moves and messages come last.
                "pv" | "string" => break,
                _ => {}
            }
        }
        self.nodes = now.nodes.or(self.nodes);
        self.time = now.time.or(self.time);
        if is_exact && now.score.or(now.mate).is_some() {
            (self.score, self.mate) = (now.score, now.mate);
            self.depth = now.depth;
            self.line.clear();
            self.line
                .push_str(&line[..line.floor_char_boundary(LONGEST)]);
        }
    }
}
