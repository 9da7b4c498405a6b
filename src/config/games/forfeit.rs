//! Whether a forfeit ends a game, or its seat leaves.

use crate::config::Flaw;
use crate::config::file::GameTable;
use crate::game::Game;

/// The key in the table of a game, and its values.
pub const FORFEIT: &str = "forfeit";
const END: &str = "end";
pub const DROP: &str = "drop";

impl GameTable {
    /// Whether a game drops the seats of players that forfeit, which its rules have to allow.
    pub(super) fn checked_drops(&self, game: Game) -> Result<bool, Flaw> {
        let Some((_, value)) = self.get(FORFEIT) else {
            return Ok(false);
        };
        match value.get_ref().as_str() {
            Some(END) => return Ok(false),
            Some(DROP) => {}
            _ => {
                let wrong = value.get_ref();
                let problem =
                    format!("`forfeit` cannot be {wrong}: expected \"{END}\" or \"{DROP}\"");
                return Err(Flaw::of(value, problem));
            }
        }
        let name = game.name();
        let problem = match (game.seat_count(), game.program()) {
            (2, _) => format!("{name} has 2 seats, so a forfeit ends the game"),
            (_, None) => {
                format!("{name} is built in, and seats leave only where rules are a program")
            }
            (_, Some(program)) if !program.drops => {
                format!(
                    "the rules of {name} cannot go on without a seat: they do not say `has drop`"
                )
            }
            _ => return Ok(true),
        };
        Err(Flaw::of(
            value,
            format!("`forfeit` cannot be \"{DROP}\": {problem}; expected \"{END}\""),
        ))
    }
}
