//! The headers of PGN files. The moves are skipped.

mod scan;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, Read as _};
use std::path::Path;

use scan::{LONGEST_LINE, PgnPart, Scanner};

use super::{ReadResults, of_first, one_player, points};
use super::{Refuse, bad_line};
use crate::config::Encoding;
use crate::game::{ForfeitedBy, GameResult};
use crate::results::ResultRow;
use crate::results::files::{ResultsError, ResultsProblem};
use crate::text;

/// Terminations that are the fault of who lost, as tournament managers write them.
const FORFEITS: [&str; 6] = [
    "time forfeit",
    "rules infraction",
    "illegal move",
    "stalled connection",
    "disconnect",
    "abandoned",
];

/// The tags that are read. A game has each of the first four once.
const TAGS: [&str; 14] = [
    "Event",
    "White",
    "Black",
    "Result",
    "Round",
    "FEN",
    "Variant",
    "Termination",
    "Date",
    "UTCDate",
    "Time",
    "UTCTime",
    // Of our own files.
    "GamePair",
    "OpeningMoves",
];

/// Reads the games of a PGN file one by one. Unfinished games are counted. A value that is not UTF-8 is
/// read as Windows-1252: there every byte is a character, so two names never become one.
pub(super) fn read(
    path: &Path,
    mut file: impl BufRead,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
    refuse: &mut Refuse<'_>,
) -> Result<ReadResults, ResultsError> {
    let cannot = |error| ResultsError::new(path, ResultsProblem::Read(error));
    let mut reader = Reader {
        source,
        each,
        refuse,
        tags: Tags::default(),
        scanner: Scanner::default(),
        held: Held::default(),
        any: false,
        unfinished: 0,
        rounds: Some(HashSet::new()),
        are_pairs: false,
    };
    let mut number = 0;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        number += 1;
        let mut limited = file.by_ref().take(LONGEST_LINE as u64);
        if limited.read_until(b'\n', &mut bytes).map_err(cannot)? == 0 {
            break;
        }
        if bytes.len() == LONGEST_LINE && !bytes.ends_with(b"\n") {
            reader.long_line(number)?;
            file.skip_until(b'\n').map_err(cannot)?;
            continue;
        }
        // Old files have a carriage return alone at the end of a line.
        let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        for line in text.split(|byte| *byte == b'\r') {
            reader.line(number, line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line))?;
        }
    }
    reader.end_of_comment("")?;
    reader.end_of_game()?;
    if !reader.any {
        let problem = "no game begins in this file: expected `[White \"NAME\"]`, `[Black \"NAME\"]` and `[Result \"1-0\"]`";
        return Err(bad_line(path, 1, problem.to_owned()));
    }
    Ok(ReadResults {
        encoding: reader.tags.encoding,
        unfinished: reader.unfinished,
        lacks_openings: reader.are_pairs && reader.rounds.is_some(),
    })
}

struct Reader<'a, 'r> {
    source: u64,
    each: &'a mut dyn FnMut(&ResultRow<'_>),
    refuse: &'a mut Refuse<'r>,
    tags: Tags,
    scanner: Scanner,
    held: Held,
    any: bool,
    unfinished: u64,
    /// The rounds and players of games so far; `None` once a game says its opening.
    rounds: Option<HashSet<u64>>,
    /// Whether two players had both colours in a round.
    are_pairs: bool,
}

impl Reader<'_, '_> {
    fn line(&mut self, number: u64, line: &[u8]) -> Result<(), ResultsError> {
        if self.scanner.comment.is_some() {
            match self.held.add(number, line) {
                InComment::Comment => {}
                InComment::Held => return Ok(()),
                InComment::NoEnd(opened) => return self.end_of_comment(&opened),
            }
        } else {
            self.tags.after_blank |= line.trim_ascii().is_empty();
        }
        let mut scanner = std::mem::take(&mut self.scanner);
        scanner.line(number, line, |part| match part {
            PgnPart::Tag { name, value } => self.tag(number, name, &value),
            PgnPart::Result(result) => {
                self.tags.result = self.tags.result.or(Some(result));
                Ok(())
            }
            PgnPart::Other => {
                self.tags.moves = true;
                Ok(())
            }
        })?;
        self.scanner = scanner;
        Ok(())
    }

    fn tag(&mut self, line: u64, name: &[u8], value: &[u8]) -> Result<(), ResultsError> {
        self.any = true;
        if self.tags.begun.is_some() && (self.tags.moves || self.tags.is_again(name)) {
            self.end_of_game()?;
        }
        self.tags.add(line, name, value);
        Ok(())
    }

    /// Refuses an open comment, and reads its buffered lines as games. `why` says where it should have ended.
    fn end_of_comment(&mut self, why: &str) -> Result<(), ResultsError> {
        let Some(begun) = self.scanner.comment else {
            return Ok(());
        };
        let problem = format!(
            "the comment that begins here with `{{` has no `}}`{why}: close it, or leave the `{{` out"
        );
        (self.refuse)(begun, problem)?;
        self.tags.clear();
        self.scanner = Scanner::default();
        // Only the last of these lines can open a comment, so nothing is held while they are read.
        std::mem::take(&mut self.held).replay(|number, line| self.line(number, line))
    }

    fn long_line(&mut self, number: u64) -> Result<(), ResultsError> {
        if let Some(game) = self.held.game() {
            self.end_of_comment(&too_long(game))?;
        }
        (self.refuse)(
            number,
            format!("longer than {LONGEST_LINE} bytes: break the line"),
        )?;
        self.tags.clear();
        self.scanner = Scanner::default();
        Ok(())
    }

    fn end_of_game(&mut self) -> Result<(), ResultsError> {
        if let Some(begun) = self.tags.begun {
            match self.tags.game(begun, self.source, self.each) {
                Ok(Finished::Yes) => self.add_round(),
                Ok(Finished::No) => self.unfinished += 1,
                Err((line, problem)) => (self.refuse)(line, problem)?,
            }
        }
        self.tags.clear();
        Ok(())
    }

    fn add_round(&mut self) {
        let tags = &self.tags;
        if !tags.get("FEN").is_empty() || !tags.get("GamePair").is_empty() {
            self.rounds = None;
        }
        let rounds = self.rounds.as_mut().filter(|_| tags.has_round());
        if let Some(rounds) = rounds.filter(|_| !self.are_pairs) {
            let [own, turned] = [["White", "Black"], ["Black", "White"]].map(|players| {
                let mut hasher = DefaultHasher::new();
                let players = players.map(|tag| tags.get(tag));
                (tags.get("Event"), tags.round(), players).hash(&mut hasher);
                hasher.finish()
            });
            self.are_pairs = rounds.contains(&turned);
            rounds.insert(own);
        }
    }
}

enum Finished {
    Yes,
    No,
}

#[derive(Debug, Default)]
struct Tags {
    /// The line on which it begins; `None` before its first tag.
    begun: Option<u64>,
    values: [Option<String>; TAGS.len()],
    result: Option<&'static str>,
    /// Whether anything but tags was read.
    moves: bool,
    after_blank: bool,
    encoding: Encoding,
}

impl Tags {
    /// Whether there is such a tag already, and another cannot be of the same game.
    fn is_again(&self, name: &[u8]) -> bool {
        let at = TAGS.iter().position(|tag| tag.as_bytes() == name);
        at.is_some_and(|at| self.values[at].is_some() && (at < 4 || self.after_blank))
    }

    fn add(&mut self, line: u64, name: &[u8], value: &[u8]) {
        if self.begun.is_none() {
            self.clear();
            self.begun = Some(line);
        }
        if let Some(at) = TAGS.iter().position(|tag| tag.as_bytes() == name) {
            let text = self.encoding.text(value);
            self.values[at] = Some(text.trim_ascii().to_owned());
        }
    }

    fn clear(&mut self) {
        *self = Self {
            encoding: self.encoding,
            ..Self::default()
        };
    }

    fn get(&self, name: &str) -> &str {
        let place = TAGS.iter().position(|tag| *tag == name);
        let value = place.and_then(|at| self.values[at].as_deref());
        value.unwrap_or_default()
    }

    fn round(&self) -> &str {
        self.get("Round").split('.').next().unwrap_or_default()
    }

    fn has_round(&self) -> bool {
        !["", "?", "-"].contains(&self.round())
    }

    fn game(
        &self,
        begun: u64,
        source: u64,
        each: &mut dyn FnMut(&ResultRow<'_>),
    ) -> Result<Finished, (u64, String)> {
        let get_or = |name: &str, default| match self.get(name) {
            "" => default,
            value => value,
        };
        let need = |name: &'static str, value| match value {
            "" | "?" => {
                let problem = format!(
                    "the game that begins here has no header `{name}` with a value on one line; a header that comes twice \
                     begins another game"
                );
                Err((begun, problem))
            }
            value => Ok(value),
        };
        let names = [
            need("White", self.get("White"))?,
            need("Black", self.get("Black"))?,
        ]
        .map(text::name);
        for (tag, name) in ["White", "Black"].into_iter().zip(&names) {
            need(tag, name)?;
        }
        let result = need("Result", get_or("Result", self.result.unwrap_or_default()))?;
        let result =
            points(result).map_err(|problem| (begun, format!("header `Result`: {problem}")))?;
        let Some(result) = result.and_then(of_first) else {
            return Ok(Finished::No);
        };
        if names[0] == names[1] {
            return Err((begun, one_player(&names[0])));
        }
        let termination = self.get("Termination").to_ascii_lowercase();
        let fault = FORFEITS.contains(&termination.as_str());
        let opening = match (self.get("FEN"), self.get("OpeningMoves")) {
            (fen, "") => fen,
            (_, moves) => moves,
        };
        let round = self.round();
        // Of games whose round is not known, their order would decide which are pairs.
        let is_known = !opening.is_empty() && self.has_round();
        // A file may hold the games of several runs.
        let of_event = |number: &str, opening: &str| {
            let mut hasher = DefaultHasher::new();
            (self.get("Event"), number, opening).hash(&mut hasher);
            hasher.finish()
        };
        let pair = self.get("GamePair");
        let pair = (!pair.is_empty()).then(|| of_event(pair, ""));
        let alike = (is_known && pair.is_none()).then(|| of_event(round, opening));
        each(&ResultRow {
            source,
            game: game_name(self.get("Variant")),
            seats: &[],
            answers: "",
            options: "",
            block: pair,
            alike,
            opening,
            names: [&*names[0], &*names[1]].into(),
            rules_points: None,
            result,
            forfeited_by: match result {
                GameResult::Won(seat) if fault => ForfeitedBy::Of(seat.other()),
                _ => ForfeitedBy::Nobody,
            },
            termination: match self.get("Termination") {
                "?" | "-" => "",
                termination => termination,
            },
            digest: "",
        });
        Ok(Finished::Yes)
    }
}

/// The name of a game by its tag `Variant`, for which programs have several words.
fn game_name(variant: &str) -> &str {
    let letters = variant.chars().filter(|it| it.is_alphanumeric());
    match letters.collect::<String>().to_ascii_lowercase().as_str() {
        "" | "standard" | "normal" | "chess" | "fromposition" => "chess",
        "chess960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" => "Chess960",
        _ => variant,
    }
}

enum InComment {
    Comment,
    /// Buffered: a comment or a game.
    Held,
    /// The comment has no end, for this reason, and the buffered lines are games.
    NoEnd(String),
}

/// Of a comment with more text than is kept in memory, after a game has begun.
fn too_long(game: u64) -> String {
    format!(" within a MiB after a game begins in line {game}")
}

#[derive(Debug, Default)]
struct Held {
    /// Numbers of the first buffered line, which begins with a tag, and of the last one.
    lines: Option<[u64; 2]>,
    bytes: Vec<u8>,
}

impl Held {
    pub fn game(&self) -> Option<u64> {
        self.lines.map(|[game, _]| game)
    }

    pub fn add(&mut self, number: u64, line: &[u8]) -> InComment {
        let game = match &mut self.lines {
            None if !scan::begins_with_tag(line) => return InComment::Comment,
            None => {
                self.lines = Some([number; 2]);
                number
            }
            Some([game, last]) => {
                let is_same = std::mem::replace(last, number) == number;
                self.bytes.push(if is_same { b'\r' } else { b'\n' });
                *game
            }
        };
        self.bytes.extend(line);
        match line.iter().find(|byte| b"{}".contains(byte)) {
            Some(b'}') => {
                *self = Self::default();
                InComment::Comment
            }
            Some(_) => InComment::NoEnd(format!(
                " before a game begins in line {game} and another comment in line {number}"
            )),
            None if self.bytes.len() > LONGEST_LINE => InComment::NoEnd(too_long(game)),
            None => InComment::Held,
        }
    }

    pub fn replay<E>(&self, mut each: impl FnMut(u64, &[u8]) -> Result<(), E>) -> Result<(), E> {
        let Some(game) = self.game() else {
            return Ok(());
        };
        for (number, lines) in (game..).zip(self.bytes.split(|byte| *byte == b'\n')) {
            for line in lines.split(|byte| *byte == b'\r') {
                each(number, line)?;
            }
        }
        Ok(())
    }
}
