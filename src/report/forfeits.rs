//! Who forfeited games, and why: a line for each player and reason at the end of a run.

use std::collections::BTreeMap;
use std::path::Path;

use super::render::Style;
use super::text::wrap;
use crate::game::Seat;
use crate::referee::Termination;
use crate::runs::GameRow;
use crate::text::{DisplayNames, counted, excerpt};

/// For how many players and reasons there is a line at most.
const SHOWN: usize = 10;

/// How many characters are shown of what a player did wrong.
const EXCERPT: usize = 160;

/// The forfeits of a run, by player and by the termination of the game.
#[derive(Debug, Default)]
pub struct Forfeits(BTreeMap<(String, &'static str), Forfeit>);

/// The games that a player forfeited in one way.
#[derive(Debug)]
pub struct Forfeit {
    /// How many games.
    pub count: u64,
    /// The game with the least number of them.
    pub first: u64,
    /// What the player did wrong there.
    pub detail: String,
}

impl Forfeits {
    /// Takes in a game, which nobody may have forfeited.
    pub fn add(&mut self, row: &GameRow) {
        for seat in Seat::BOTH {
            if let Some(fault) = row.end.fault(seat) {
                self.count(
                    &row.players[seat.index()],
                    row.end.termination.name(),
                    row.id,
                    &fault.to_string(),
                );
            }
        }
    }

    fn count(&mut self, player: &str, termination: &'static str, id: u64, detail: &str) {
        let forfeit = self
            .0
            .entry((player.to_owned(), termination))
            .or_insert_with(|| Forfeit {
                count: 0,
                first: u64::MAX,
                detail: String::new(),
            });
        forfeit.count += 1;
        if id < forfeit.first {
            forfeit.first = id;
            forfeit.detail = excerpt(detail, EXCERPT);
        }
    }

    /// The forfeits of each player, by the termination of the game.
    pub fn each(&self) -> impl ExactSizeIterator<Item = (&str, &'static str, &Forfeit)> {
        let each = self.0.iter();
        each.map(|((player, termination), forfeit)| (player.as_str(), *termination, forfeit))
    }

    /// For each player and reason: how many games, the first of them, and how to see it. Empty if nobody
    /// forfeited.
    pub fn text(&self, run: &Path, names: &DisplayNames, style: Style) -> String {
        let mut text = String::new();
        let run = shell_word(run);
        for ((player, termination), forfeit) in self.0.iter().take(SHOWN) {
            let (first, detail) = (forfeit.first, &forfeit.detail);
            let forfeited = format!(
                "{} forfeited {}",
                names.shown(player),
                counted(forfeit.count, "game", "games")
            );
            let is_unplayed = *termination == Termination::Unplayed.name();
            let what = match is_unplayed {
                true => format!("{forfeited} unplayed, the first is game {first}: {detail}"),
                false => format!("{forfeited} by {termination}, first game {first}: {detail}"),
            };
            wrap(&mut text, "! ", &what, style.paragraph_width());
            if !is_unplayed {
                text.push_str(&format!("  see: referee replay {run} {first}\n"));
            }
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => {}
            more => text.push_str(&format!(
                "! and {more} more such lines: referee games {run} --forfeited\n"
            )),
        }
        text
    }
}

/// A path as a word for a shell.
pub fn shell_word(path: &Path) -> String {
    let path = path.to_string_lossy();
    shlex::try_quote(&path).map_or_else(|_| path.to_string(), |quoted| quoted.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_player_and_reason() {
        let mut forfeits = Forfeits::default();
        assert_eq!(
            forfeits.text(Path::new("out"), &DisplayNames::default(), Style::default()),
            ""
        );
        for (player, termination, id) in
            [("eve", "time", 7), ("bob", "crash", 3), ("eve", "time", 4)]
        {
            forfeits.count(player, termination, id, &format!("detail {id}"));
        }
        let names = DisplayNames::from_iter([("bob", Some("José"))]);
        assert_eq!(
            forfeits.text(Path::new("my out"), &names, Style::default()),
            "! José forfeited 1 game by crash, first game 3: detail 3\n\
             \x20 see: referee replay 'my out' 3\n\
             ! eve forfeited 2 games by time, first game 4: detail 4\n\
             \x20 see: referee replay 'my out' 4\n"
        );
    }
}
