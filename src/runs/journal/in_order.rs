//! A journal in the order of the games' numbers.

use std::collections::BTreeMap;
use std::path::Path;

use super::row::GameRow;
use super::rows::Rows;
use crate::game::Game;
use crate::runs::error::journal::JournalError;

/// Upper bound on the rows that [`games_in_order`] holds.
const WINDOW: u64 = 1 << 14;

/// Reads a journal in the order of the games' numbers, in bounded memory. Rows are nearly in that order
/// unless games were played again later. A row too far ahead is left for another pass over the journal.
pub(in crate::runs) fn games_in_order(
    path: &Path,
    games: impl IntoIterator<Item = Game> + Clone,
    each: &mut dyn FnMut(&GameRow),
) -> Result<(), JournalError> {
    // All games below are done.
    let mut next = 0;
    loop {
        let mut waiting = BTreeMap::new();
        // Lowest number left for the next pass.
        let mut beyond = None;
        for row in Rows::open(path, games.clone())? {
            let row = row?;
            match row.id.checked_sub(next) {
                None => {}
                Some(0) => {
                    each(&row);
                    next = next.saturating_add(1);
                    while let Some(row) = waiting.remove(&next) {
                        each(&row);
                        next = next.saturating_add(1);
                    }
                }
                Some(ahead) if ahead < WINDOW => {
                    waiting.insert(row.id, row);
                }
                Some(_) => beyond = Some(beyond.unwrap_or(row.id).min(row.id)),
            }
        }
        // Rows still wait here if a number below them has no game. A row beyond the window may come
        // between, so only lower numbers are final.
        let before = |id: &u64| beyond.is_none_or(|beyond| *id < beyond);
        for (_, row) in waiting.iter().take_while(|(id, _)| before(id)) {
            each(row);
        }
        match beyond {
            Some(id) => next = id,
            None => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::BUILT_IN;
    use crate::runs::GameRow;

    /// In any order, with gaps, and further out of order than the window is wide.
    #[test]
    fn games_are_read_in_the_order_of_their_numbers() {
        const REST: &str =
            "cachex,size=3,0,a,b,red,1.0,0.0,,,rules,,connection,,,,,,,5,00,,,1,1,1,1,1,,,,,,,,1,2";
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.csv");
        let late = 3 * WINDOW;
        for ids in [
            vec![],
            vec![5],
            (0..late).rev().collect(),
            (2..late).step_by(3).chain((0..late).step_by(3)).collect(),
            (1..late).chain([late + WINDOW, u64::MAX, 0]).collect(),
            (0..late).map(|id| id ^ 1).collect::<Vec<u64>>(),
        ] {
            let mut text = String::from_utf8(GameRow::header(2)).expect("text");
            text.extend(ids.iter().map(|id| format!("{id},{REST}\n")));
            std::fs::write(&path, text).expect("written");
            let mut shown = Vec::new();
            games_in_order(&path, BUILT_IN, &mut |row| shown.push(row.id)).expect("read");
            let mut sorted = ids;
            sorted.sort_unstable();
            assert!(shown == sorted, "{} games", sorted.len());
        }
    }
}
