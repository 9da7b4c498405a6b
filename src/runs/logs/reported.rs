//! The score and the depth that a bot reported with an action, in the notation of tournament managers.

use super::game_log::LoggedAction;
use crate::bot::Values;
use crate::game::{Game, Notation};

/// Whether scores of this game are in hundredths of a pawn. In any other, the unit is the bot's own.
pub fn counts_in_pawns(game: Game) -> bool {
    game.notation() == Notation::Uci
}

impl LoggedAction {
    /// The score and the depth from the bot's point of view, as in `+0.31/14` and `-M3/12`; `None` without a score.
    pub fn score_and_depth(&self, game: Game) -> Option<String> {
        score_and_depth(&self.values, counts_in_pawns(game))
    }
}

fn score_and_depth(values: &Values, in_pawns: bool) -> Option<String> {
    let score = match (values.get("mate"), values.get("score")) {
        (Some(moves), _) if moves > 0.0 => format!("+M{moves}"),
        (Some(moves), _) => format!("-M{}", moves.abs()),
        (None, Some(score)) if in_pawns => format!("{:+.2}", score / 100.0),
        (None, Some(score)) => format!("{score:+}"),
        (None, None) => return None,
    };
    Some(match values.get("depth") {
        Some(depth) => format!("{score}/{depth}"),
        None => score,
    })
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
            ("mate=3 depth=9", Some("+M3/9"), Some("+M3/9")),
            ("score=1 mate=-2 depth=9", Some("-M2/9"), Some("-M2/9")),
            ("mate=0", Some("-M0"), Some("-M0")),
        ] {
            let known = Values::parse(values).expect(values);
            let written = [true, false].map(|in_pawns| score_and_depth(&known, in_pawns));
            assert_eq!(
                written.each_ref().map(Option::as_deref),
                [pawns, own],
                "{values}"
            );
        }
    }
}
