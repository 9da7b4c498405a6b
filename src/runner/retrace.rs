//! Whether the games of a journal are those of the schedule.

use super::jobs::{Jobs, Order};
use crate::record::DoneGames;
use crate::schedule::{Format, Ticket};

/// A game of a journal that the schedule has not.
#[derive(Debug, Clone, Copy)]
pub struct Stray {
    /// Its number.
    pub id: u64,
    /// What the schedule has under that number, given the results before it: the index of the game, and
    /// who meets; `None` where that is nothing.
    pub planned: Option<(usize, Ticket)>,
}

/// Goes through the schedule of a format with the games of a journal. Whether all games were played, or
/// the first that the schedule has not.
pub fn retrace(
    format: &Format,
    players: usize,
    games: usize,
    done: DoneGames,
) -> Result<bool, Stray> {
    let mut queue = Jobs::new(format, players, games, done);
    let mut whole = true;
    loop {
        let order = match queue.next(0) {
            Order::Wait => queue.strange().unwrap_or(Order::Wait),
            order => order,
        };
        match order {
            Order::Play(_) => {
                whole = false;
                if queue.all_found() {
                    return Ok(false);
                }
            }
            Order::Wait => return Ok(false),
            Order::Done => return Ok(whole),
            Order::Strange { id, planned } => {
                let planned = planned.map(|job| (job.game, job.ticket));
                return Err(Stray { id, planned });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::num::NonZeroU32;

    use super::*;
    use crate::game::{GameResult, Seat};
    use crate::record::Done;
    use crate::schedule::NextGame;

    /// The games of a Swiss tournament of one game, of whose players the one with the lower index
    /// wins.
    fn swiss() -> (Format, HashMap<u64, Done>) {
        let format = Format::Swiss {
            rounds: 3,
            pairs: NonZeroU32::MIN,
        };
        let mut schedule = format.schedule(6);
        let mut done = HashMap::new();
        while let NextGame::Issue(Ticket { id, pair, players }) = schedule.next() {
            let stronger = usize::from(players[0] > players[1]);
            let result = GameResult::Won(Seat::BOTH[stronger]);
            schedule.record(id, result);
            let row = Done {
                game: 0,
                pair,
                players,
                result,
            };
            done.insert(id, row);
        }
        (format, done)
    }

    fn stray(change: impl Fn(&mut HashMap<u64, Done>)) -> Result<bool, Stray> {
        let (format, mut done) = swiss();
        assert_eq!(done.len(), 18);
        change(&mut done);
        let mut games = DoneGames::default();
        for (id, game) in done {
            assert!(games.insert(id, game));
        }
        retrace(&format, 6, 1, games)
    }

    #[test]
    fn the_games_of_a_schedule_are_its_own_and_a_part_of_them_is_a_part() {
        assert!(stray(|_| ()).is_ok_and(|whole| whole));
        assert!(stray(|done| done.retain(|id, _| *id < 7)).is_ok_and(|whole| !whole));
        assert!(stray(|done| done.clear()).is_ok_and(|whole| !whole));
    }

    #[test]
    fn the_first_game_that_the_schedule_has_not_is_named() {
        // Another result in the first round, and the second is between others.
        let other_result = stray(|done| {
            for id in [0, 1] {
                done.entry(id).and_modify(|game| {
                    if let GameResult::Won(seat) = &mut game.result {
                        *seat = seat.other();
                    }
                });
            }
        });
        let Stray { id, planned } = other_result.expect_err("other pairings");
        assert!((6..12).contains(&id), "{id}");
        assert!(planned.is_some());
        let other_pair = stray(|done| {
            done.entry(3).and_modify(|game| game.pair = 7);
        });
        assert_eq!(other_pair.expect_err("another pair").id, 3);
        // A game of the second round cannot be before the first is over.
        let missing = stray(|done| {
            done.remove(&2);
        });
        let Stray { id, planned } = missing.expect_err("a round too early");
        assert_eq!((id, planned.is_none()), (6, true));
        let one_more = stray(|done| {
            let last = done[&17];
            done.insert(18, last);
        });
        assert_eq!(one_more.expect_err("one too many").id, 18);
    }
}
