//! Scores of games as text and as points.

use super::problem::CellProblem;
use crate::game::GameResult;

/// The score of a game that was not finished.
pub(super) const UNFINISHED: &str = "*";

/// The result with these points of both seats.
pub(super) fn of_points(points: [f64; 2]) -> Option<GameResult> {
    let mut results = GameResult::OF_TWO.into_iter();
    results.find(|result| result.points_of_two() == points)
}

/// The result with these points of the first seat, and the rest for its opponent.
pub(super) fn of_first(points: f64) -> Option<GameResult> {
    of_points([points, 1.0 - points])
}

/// Parses the points of the first player from the usual spellings of a score; `None` for an unfinished
/// game.
pub(super) fn points(text: &str) -> Result<Option<f64>, CellProblem> {
    match text {
        "1" | "1.0" | "1-0" => return Ok(Some(1.0)),
        "0" | "0.0" | "0-1" => return Ok(Some(0.0)),
        "0.5" | "1/2" | "½" | "1/2-1/2" | "½-½" | "0.5-0.5" | "=" => return Ok(Some(0.5)),
        UNFINISHED | "" => return Ok(None),
        _ => {}
    }
    // A file with semicolons between fields may have decimal commas.
    match text.replace(',', ".").parse::<f64>() {
        Ok(points) if [0.0, 0.5, 1.0].contains(&points) => Ok(Some(points)),
        _ => Err(CellProblem::NotAScore(text.to_owned())),
    }
}
