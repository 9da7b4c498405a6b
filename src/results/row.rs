//! One game as ratings see it.

use crate::game::{Blame, GameResult, PerSeat};
use crate::referee::Termination;
use crate::runs::GameRow;

/// One game, with the fields that ratings and tables need.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultRow<'a> {
    /// Number of the source: numbers of blocks are unique only within one.
    pub source: u64,
    /// The number of the game within the source.
    pub id: Option<u64>,
    /// The name of the game played, or its label; empty if the file has none.
    pub game: &'a str,
    /// The names of its seats; empty if the game is not known.
    pub seats: &'a [&'static str],
    /// The digest of a rules program's answers; empty if the file has none.
    pub answers: &'a str,
    /// Its options as `key=value`, separated by spaces.
    pub options: &'a str,
    /// The number of the block, such as a game pair, within the source.
    pub block: Option<u64>,
    /// Key for finding pairs in a source without numbers of blocks: two games with equal keys and swapped seats are a
    /// pair.
    pub alike: Option<u64>,
    /// The opening of the game; empty if it or the file has none.
    pub opening: &'a str,
    /// The players, by seat.
    pub names: PerSeat<&'a str>,
    /// Points of the seats by the rules.
    pub rules_points: Option<PerSeat<f64>>,
    /// Who won.
    pub result: GameResult,
    /// Who forfeited.
    pub blame: Blame,
    /// Name of the termination.
    pub termination: &'a str,
    /// A digest of the actions; empty if the file has none.
    pub digest: &'a str,
    /// Date of the game's end, year first.
    pub date: &'a str,
}

impl<'a> ResultRow<'a> {
    /// Whether the file says that no forfeit ended the game, so that one of a player that left it did not stop it.
    pub fn is_by_rules(&self) -> bool {
        Termination::from_name(self.termination).is_some_and(Termination::is_by_rules)
    }

    /// The name of the game for tables; `games` if the file has none.
    pub fn game_name(&self) -> &'a str {
        if self.game.is_empty() {
            "games"
        } else {
            self.game
        }
    }
}

/// A game of a run that is rated alone, as source 0.
impl<'a> From<&'a GameRow> for ResultRow<'a> {
    fn from(row: &'a GameRow) -> Self {
        Self {
            source: 0,
            id: Some(row.id),
            game: row.game.label(),
            seats: row.game.seat_names(),
            answers: &row.answers,
            options: &row.options,
            block: Some(row.block),
            alike: None,
            opening: &row.start.opening,
            names: row.names(),
            rules_points: rules_points(row),
            result: row.end.result,
            blame: row.end.blame(),
            termination: row.end.termination.name(),
            digest: &row.actions_digest,
            date: &row.date,
        }
    }
}

fn rules_points(row: &GameRow) -> Option<PerSeat<f64>> {
    let points = row.end.rules_points.as_ref()?;
    Some(points.values().map(|it| it.approximate()).collect())
}
