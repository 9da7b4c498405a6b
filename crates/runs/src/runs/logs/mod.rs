//! The files of each game: its log, and its bots' standard error.

pub(super) mod game_files;
pub(super) mod game_log;

use std::fmt::{self, Display};

use game_log::LoggedAction;

use crate::bot::Values;
use crate::game::{EngineProtocol, Game};
use crate::units::write_decimal;

/// The columns of a log. An action of the opening has no times: no player chose it.
pub const LOG_HEADER: &str = "ply,seat,action,public,wall_us,cpu_us,idle_cpu_us,left_us,answers,rules_us,values,output_bytes\n";

/// Whether scores of this game are in hundredths of a pawn. In any other, the unit is the bot's own.
pub fn counts_in_pawns(game: Game) -> bool {
    game.notation() == Some(EngineProtocol::Uci)
}

/// The score and the depth from the bot's point of view, displayed as in `+0.31/14` and `-M3/12`.
#[derive(Debug, Clone, Copy)]
pub struct ScoreAndDepth {
    score: ReportedScore,
    depth: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
enum ReportedScore {
    Mate(f64),
    Pawns(f64),
    Other(f64),
}

impl LoggedAction {
    pub fn score_and_depth(&self, game: Game) -> Option<ScoreAndDepth> {
        ScoreAndDepth::of(&self.values, game)
    }
}

impl ScoreAndDepth {
    pub fn of(values: &Values, game: Game) -> Option<Self> {
        Self::in_units(values, counts_in_pawns(game))
    }

    fn in_units(values: &Values, in_pawns: bool) -> Option<Self> {
        let score = match (values.get("mate"), values.get("score")) {
            (Some(moves), _) => ReportedScore::Mate(moves),
            (None, Some(score)) if in_pawns => ReportedScore::Pawns(score),
            (None, Some(score)) => ReportedScore::Other(score),
            (None, None) => return None,
        };
        let depth = values.get("depth");
        Some(Self { score, depth })
    }
}

impl ScoreAndDepth {
    pub fn write_to(&self, out: &mut impl fmt::Write) -> fmt::Result {
        match self.score {
            ReportedScore::Mate(moves) => {
                out.write_str(if moves > 0.0 { "+M" } else { "-M" })?;
                Values::write_number(moves.abs(), out)?;
            }
            ReportedScore::Pawns(score) => match Values::whole(score) {
                Some(score) => {
                    out.write_str(if score < 0 { "-" } else { "+" })?;
                    write_decimal(score.unsigned_abs(), 2, out)?;
                }
                None => write!(out, "{:+.2}", score / 100.0)?,
            },
            ReportedScore::Other(score) => write!(out, "{score:+}")?,
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
