//! The files of each game: its log, and its bots' standard error.

pub(super) mod game_files;
pub(super) mod game_log;

use std::fmt::{self, Display};
use std::sync::LazyLock;

use game_log::LoggedAction;
use serde::Serialize;

use crate::bot::Values;
use crate::game::{EngineProtocol, Game};
use crate::runs::files::csv_header;
use crate::units::write_decimal;

/// The columns of a log, in their order. An action of the opening has no times: no player chose it.
#[derive(Debug, Default, Serialize)]
struct PlyColumns<P, S, T> {
    pub ply: P,
    pub seat: S,
    pub action: S,
    pub public: S,
    pub wall_us: T,
    pub cpu_us: T,
    pub idle_cpu_us: T,
    pub left_us: T,
    pub answers: S,
    pub rules_us: T,
    pub values: S,
    pub output_bytes: T,
}

pub fn log_header() -> &'static [u8] {
    // Every game begins a log.
    static HEADER: LazyLock<Vec<u8>> =
        LazyLock::new(|| csv_header(&PlyColumns::<u32, &str, Option<u64>>::default()));
    &HEADER
}

impl PlyColumns<u32, &str, Option<u64>> {
    /// Adds the row to a log. A serializer would take several times as long. Names of seats, digests and values need no
    /// quotes.
    pub fn add_to(&self, log: &mut Vec<u8>) {
        let numbers = [self.wall_us, self.cpu_us, self.idle_cpu_us, self.left_us];
        add_number(Some(self.ply.into()), log);
        log.push(b',');
        log.extend_from_slice(self.seat.as_bytes());
        for text in [self.action, self.public] {
            log.push(b',');
            add_text(text, log);
        }
        for number in numbers {
            log.push(b',');
            add_number(number, log);
        }
        log.push(b',');
        log.extend_from_slice(self.answers.as_bytes());
        log.push(b',');
        add_number(self.rules_us, log);
        log.push(b',');
        log.extend_from_slice(self.values.as_bytes());
        log.push(b',');
        add_number(self.output_bytes, log);
        log.push(b'\n');
    }
}

/// Adds text, in quotes if it needs them.
fn add_text(text: &str, log: &mut Vec<u8>) {
    let is_plain = |byte: u8| !matches!(byte, b',' | b'"' | b'\r' | b'\n');
    if text.bytes().all(is_plain) {
        log.extend_from_slice(text.as_bytes());
        return;
    }
    log.push(b'"');
    for part in text.split_inclusive('"') {
        log.extend_from_slice(part.as_bytes());
        if part.ends_with('"') {
            log.push(b'"');
        }
    }
    log.push(b'"');
}

/// Adds the digits of a number, if there is one.
fn add_number(number: Option<u64>, log: &mut Vec<u8>) {
    if let Some(number) = number {
        log.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }
}

/// Whether scores of this game are in hundredths of a pawn. In any other, the unit is the bot's own.
pub fn counts_in_pawns(game: Game) -> bool {
    game.notation() == Some(EngineProtocol::Uci)
}

/// The score and the depth from the bot's point of view, displayed as in `+0.31/14` and `-M3/12`.
#[derive(Debug, Clone, Copy)]
pub struct ScoreAndDepth {
    score: Score,
    depth: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
enum Score {
    Mate(f64),
    Pawns(f64),
    Other(f64),
}

impl LoggedAction {
    /// The reported score and depth; `None` without a score.
    pub fn score_and_depth(&self, game: Game) -> Option<ScoreAndDepth> {
        ScoreAndDepth::of(&self.values, game)
    }
}

impl ScoreAndDepth {
    /// As these values have them; `None` without a score.
    pub fn of(values: &Values, game: Game) -> Option<Self> {
        Self::in_units(values, counts_in_pawns(game))
    }

    fn in_units(values: &Values, in_pawns: bool) -> Option<Self> {
        let score = match (values.get("mate"), values.get("score")) {
            (Some(moves), _) => Score::Mate(moves),
            (None, Some(score)) if in_pawns => Score::Pawns(score),
            (None, Some(score)) => Score::Other(score),
            (None, None) => return None,
        };
        let depth = values.get("depth");
        Some(Self { score, depth })
    }
}

impl ScoreAndDepth {
    pub fn write_to(&self, out: &mut impl fmt::Write) -> fmt::Result {
        match self.score {
            Score::Mate(moves) => {
                out.write_str(if moves > 0.0 { "+M" } else { "-M" })?;
                Values::write_number(moves.abs(), out)?;
            }
            Score::Pawns(score) => match Values::whole(score) {
                Some(score) => {
                    out.write_str(if score < 0 { "-" } else { "+" })?;
                    write_decimal(score.unsigned_abs(), 2, out)?;
                }
                None => write!(out, "{:+.2}", score / 100.0)?,
            },
            Score::Other(score) => write!(out, "{score:+}")?,
        }
        let Some(depth) = self.depth else {
            return Ok(());
        };
        out.write_str("/")?;
        Values::write_number(depth, out)
    }
}

impl Display for ScoreAndDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(row: &PlyColumns<u32, &str, Option<u64>>) -> Vec<u8> {
        let mut builder = csv::WriterBuilder::new();
        let mut writer = builder.has_headers(false).from_writer(Vec::new());
        writer.serialize(row).unwrap();
        writer.into_inner().unwrap()
    }

    #[test]
    fn rows_are_those_of_a_writer_of_csv() {
        for action in ["a1", "", "a,1", "\"a\"", "\"", "a\"b", "a\r1", "a\n1", "ä"] {
            for number in [None, Some(0), Some(10), Some(1_234_567), Some(u64::MAX)] {
                let row = PlyColumns {
                    ply: 102,
                    seat: "red",
                    action,
                    public: "x y",
                    wall_us: number,
                    cpu_us: Some(7),
                    idle_cpu_us: Some(0),
                    left_us: None,
                    answers: "ab",
                    rules_us: number,
                    values: "a=1 b=2",
                    output_bytes: Some(90),
                };
                let mut log = Vec::new();
                row.add_to(&mut log);
                assert_eq!(log, written(&row), "{row:?}");
            }
        }
    }

    #[test]
    fn a_report_is_written_as_tournament_managers_do() {
        for (values, pawns, own) in [
            ("", None, None),
            ("nodes=5", None, None),
            ("score=31 depth=14", Some("+0.31/14"), Some("+31/14")),
            ("score=-5", Some("-0.05"), Some("-5")),
            ("score=2.25", Some("+0.02"), Some("+2.25")),
            ("score=-12345", Some("-123.45"), Some("-12345")),
            ("mate=3 depth=9", Some("+M3/9"), Some("+M3/9")),
            ("score=1 mate=-2 depth=9", Some("-M2/9"), Some("-M2/9")),
            ("mate=0", Some("-M0"), Some("-M0")),
        ] {
            let known = Values::parse(values).expect(values);
            let written = [true, false].map(|in_pawns| {
                let written = ScoreAndDepth::in_units(&known, in_pawns);
                written.map(|written| written.to_string())
            });
            assert_eq!(
                written.each_ref().map(Option::as_deref),
                [pawns, own],
                "{values}"
            );
        }
    }
}
