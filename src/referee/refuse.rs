//! The forfeit for an action that cannot be played, in words for its player.

use super::abort::Abort;
use super::{EXCERPT, FaultKind, GameInPlay};
use crate::game::{AnyPosition, Refusal, RulesFault, Seat};
use crate::protocol::said_illegal;
use crate::text::excerpt;

/// Number of legal actions listed to a player after an illegal one.
const LISTED: usize = 5;

/// Maximum length of a bot's own explanation for an illegal action, in characters.
const OWN_WORDS: usize = 300;

impl GameInPlay<'_, '_> {
    /// The forfeit for an action that cannot be played.
    pub(super) fn refuse(
        &self,
        seat: Seat,
        position: &dyn AnyPosition,
        refusal: &Refusal,
    ) -> Abort {
        let ply = position.ply() + 1;
        if let Some(words) = said_illegal(&self.answers[seat]) {
            let detail = format!("at ply {ply}: {}", excerpt(words, OWN_WORDS));
            return self.forfeit(seat, FaultKind::NoAction, detail);
        }
        let token = excerpt(&self.answers[seat], EXCERPT);
        match refusal {
            Refusal::Unparsable { expected } => self.forfeit(
                seat,
                FaultKind::NotAnAction,
                format!("answered `{token}` at ply {ply}: expected {expected}"),
            ),
            Refusal::Illegal { rule } => match self.legal_and_board(seat, position) {
                Ok(there) => {
                    let detail = format!("played `{token}` at ply {ply}: {rule}; {there}");
                    self.forfeit(seat, FaultKind::Illegal, detail)
                }
                Err(fault) => fault.into(),
            },
        }
    }

    /// The legal actions and the board, for the message about an illegal action.
    fn legal_and_board(
        &self,
        seat: Seat,
        position: &dyn AnyPosition,
    ) -> Result<String, RulesFault> {
        let legal = position.legal_near(seat, &self.answers[seat])?;
        let near = legal[..legal.len().min(LISTED)].join(" ");
        let others = match legal.len().saturating_sub(LISTED) {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        let board = position.drawing(Some(seat))?.board;
        let board = board.map(|board| format!("board: {}", board.rows()));
        let legal = format!("legal, the closest first: {near}{others}");
        let legal = (!near.is_empty()).then_some(legal);
        let parts: Vec<String> = legal.into_iter().chain(board).collect();
        Ok(parts.join("; "))
    }
}
