//! The headers of PGN files. What was played is skipped.

mod scan;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, Read};
use std::path::Path;

use super::results::{CellProblem, Encoding, Refuse, ResultProblem, ResultRow, of_first, points};
use super::{RecordError, RecordProblem};
use crate::game::{Blame, GameResult};
use scan::{Part, Scanner};

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
const TAGS: [&str; 12] = [
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
];

/// Longer lines are refused, so that memory stays bounded.
const LONGEST_LINE: usize = 1 << 20;

/// Reads the games of a PGN file one by one. Unfinished games are passed over. A value that is not UTF-8 is
/// Windows-1252, in which every byte is a character, so that two names never become one.
pub(super) fn read(
    path: &Path,
    mut file: impl BufRead,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
    refuse: &mut Refuse<'_>,
) -> Result<Encoding, RecordError> {
    let cannot = |error| RecordError::new(path, RecordProblem::Read(error));
    let (mut tags, mut scanner) = (Tags::default(), Scanner::default());
    let (mut number, mut any) = (0, false);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        number += 1;
        let mut limited = file.by_ref().take(LONGEST_LINE as u64);
        if limited.read_until(b'\n', &mut bytes).map_err(cannot)? == 0 {
            break;
        }
        if bytes.len() == LONGEST_LINE && !bytes.ends_with(b"\n") {
            refuse(number, ResultProblem::LongLine(LONGEST_LINE))?;
            file.skip_until(b'\n').map_err(cannot)?;
            tags.clear();
            scanner.reset();
            continue;
        }
        // Old files have a carriage return alone at the end of a line.
        let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        for line in text.split(|byte| *byte == b'\r') {
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            if let Some(begun) = scanner.comment()
                && line.trim_ascii_start().starts_with(b"[Event \"")
            {
                refuse(begun, ResultProblem::OpenComment)?;
                tags.clear();
                scanner.reset();
            }
            tags.after_blank |= line.trim_ascii().is_empty() && scanner.comment().is_none();
            scanner.line(number, line, |part| match part {
                Part::Tag { name, value } => {
                    any = true;
                    if tags.begins_another(name) {
                        tags.end(source, each, refuse)?;
                    }
                    tags.add(number, name, &value);
                    Ok(())
                }
                Part::Result(result) => {
                    tags.result = tags.result.or(Some(result));
                    Ok(())
                }
                Part::Other => {
                    tags.moves = true;
                    Ok(())
                }
            })?;
        }
    }
    if let Some(begun) = scanner.comment() {
        refuse(begun, ResultProblem::OpenComment)?;
        tags.clear();
    }
    tags.end(source, each, refuse)?;
    match any {
        true => Ok(tags.encoding),
        false => Err(RecordError::new(
            path,
            RecordProblem::Result {
                line: 1,
                problem: ResultProblem::NoGame,
            },
        )),
    }
}

/// What is known of the game that is being read.
#[derive(Debug, Default)]
struct Tags {
    /// The line on which it begins; `None` before its first tag.
    begun: Option<u64>,
    values: [Option<String>; TAGS.len()],
    /// The result after its moves.
    result: Option<&'static str>,
    /// Whether anything but tags was read.
    moves: bool,
    /// Whether there was an empty line.
    after_blank: bool,
    /// The encoding of all games so far.
    encoding: Encoding,
}

impl Tags {
    /// Whether a tag cannot be of the same game: after moves, or if there is one already.
    fn begins_another(&self, name: &[u8]) -> bool {
        let place = TAGS.iter().position(|tag| tag.as_bytes() == name);
        let is_again =
            place.is_some_and(|at| self.values[at].is_some() && (at < 4 || self.after_blank));
        self.begun.is_some() && (self.moves || is_again)
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

    /// Ends the game, if one has begun.
    fn end(
        &mut self,
        source: u64,
        each: &mut dyn FnMut(&ResultRow<'_>),
        refuse: &mut Refuse<'_>,
    ) -> Result<(), RecordError> {
        if let Some(begun) = self.begun
            && let Err(problem) = self.game(source, each)
        {
            refuse(begun, problem)?;
        }
        self.clear();
        Ok(())
    }

    fn get(&self, name: &str) -> &str {
        let place = TAGS.iter().position(|tag| *tag == name);
        let value = place.and_then(|at| self.values[at].as_deref());
        value.unwrap_or_default()
    }

    fn game(&self, source: u64, each: &mut dyn FnMut(&ResultRow<'_>)) -> Result<(), ResultProblem> {
        let get_or = |name: &str, default| match self.get(name) {
            "" => default,
            value => value,
        };
        let need = |name: &'static str, value| match value {
            "" | "?" => Err(ResultProblem::NoHeader(name)),
            value => Ok(value),
        };
        let names = [
            need("White", self.get("White"))?,
            need("Black", self.get("Black"))?,
        ];
        let result = need("Result", get_or("Result", self.result.unwrap_or_default()))?;
        let result = points(result).map_err(|problem| ResultProblem::Header {
            name: "Result",
            problem,
        })?;
        let Some(result) = result.and_then(of_first) else {
            return Ok(());
        };
        if names[0] == names[1] {
            let problem = CellProblem::OnePlayer(names[0].to_owned());
            return Err(ResultProblem::Players(problem));
        }
        let day = get_or("UTCDate", self.get("Date")).replace('.', "-");
        let date = match get_or("UTCTime", self.get("Time")) {
            "" => day,
            time => format!("{day}T{time}"),
        };
        let termination = self.get("Termination").to_ascii_lowercase();
        let fault = FORFEITS.contains(&termination.as_str());
        let opening = self.get("FEN");
        let round = self.get("Round").split('.').next().unwrap_or_default();
        // Of games whose round is not known, their order would decide which are pairs.
        let is_known = !opening.is_empty() && !["", "?", "-"].contains(&round);
        let alike = is_known.then(|| {
            let mut hasher = DefaultHasher::new();
            (self.get("Event"), round, opening).hash(&mut hasher);
            hasher.finish()
        });
        each(&ResultRow {
            source,
            id: None,
            game: get_or("Variant", "chess"),
            options: "",
            pair: None,
            alike,
            opening,
            names,
            result,
            blame: match result {
                GameResult::Won(seat) if fault => Blame::Of(seat.other()),
                _ => Blame::Nobody,
            },
            termination: get_or("Termination", "normal"),
            digest: "",
            date: &date,
        });
        Ok(())
    }
}
