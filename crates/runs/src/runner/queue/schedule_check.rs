//! Checks the games of a journal against the schedule.

use super::{GameQueue, QueueStep, UnfitGame};
use crate::runs::DoneGames;
use crate::schedule::{Conclusion, Schedule};

#[derive(Debug, Clone, PartialEq)]
pub struct ScheduleCheck {
    pub complete: bool,
    /// Conclusions of the formats by the index of the game, except those that need more games.
    pub conclusions: Vec<(usize, Conclusion)>,
}

/// Replays schedules, one for each game of a plan, with the games of a journal.
pub fn check_against_schedule(
    schedules: Vec<Box<dyn Schedule>>,
    done: DoneGames,
) -> Result<ScheduleCheck, UnfitGame> {
    let mut queue = GameQueue::new(schedules, done);
    let complete = all_played(&mut queue)?;
    Ok(ScheduleCheck {
        complete,
        conclusions: queue.conclusions(),
    })
}

fn all_played(queue: &mut GameQueue) -> Result<bool, UnfitGame> {
    let mut complete = true;
    loop {
        match queue.next(0) {
            QueueStep::Play(_) => {
                complete = false;
                if queue.first_unplanned().is_none() {
                    return Ok(false);
                }
            }
            QueueStep::Wait | QueueStep::Pause(_) => {
                return queue.first_unplanned().map_or(Ok(false), Err);
            }
            QueueStep::Done => return Ok(complete),
            QueueStep::Unfit(game) => return Err(game),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::{GameResult, Seat};
    use crate::runner::queue::QueuedGame;
    use crate::runs::Done;
    use crate::schedule::{Format, GamesPerPairing, NextGame, Ticket};

    /// A Swiss tournament of one game that the player with the lower index always wins.
    fn swiss() -> (Format, HashMap<u64, Done>) {
        let format = Format::Swiss {
            rounds: 3,
            games: GamesPerPairing::new(2).expect("not zero"),
        };
        let mut schedule = format.schedule(6, 2);
        let mut done = HashMap::new();
        while let NextGame::Issue(ticket) = schedule.next() {
            let Ticket {
                id,
                block,
                round,
                players,
                values: _,
            } = ticket;
            let stronger = usize::from(players[Seat::FIRST] > players[Seat::SECOND]);
            let result = GameResult::Won(Seat::BOTH[stronger]);
            schedule.record(id, result);
            let row = Done {
                game: 0,
                block,
                round,
                players,
                result,
                values: None,
                is_set_aside: false,
            };
            done.insert(id, row);
        }
        (format, done)
    }

    fn check(change: impl Fn(&mut HashMap<u64, Done>)) -> Result<bool, (u64, Option<QueuedGame>)> {
        let (format, mut done) = swiss();
        assert_eq!(done.len(), 18);
        change(&mut done);
        let mut games = DoneGames::default();
        games.extend(done);
        match check_against_schedule(vec![format.schedule(6, 2)], games) {
            Ok(checked) => Ok(checked.complete),
            Err(UnfitGame { id, planned }) => Err((id, planned.map(|it| *it))),
        }
    }

    #[test]
    fn a_schedule_has_its_own_games_and_knows_whether_some_are_missing() {
        assert!(check(|_| ()).is_ok_and(|complete| complete));
        assert!(check(|done| done.retain(|id, _| *id < 7)).is_ok_and(|complete| !complete));
        assert!(check(|done| done.clear()).is_ok_and(|complete| !complete));
    }

    #[test]
    fn the_first_unplanned_game_is_named() {
        // With another result in the first round, the second has other pairings.
        let other_result = check(|done| {
            for id in [0, 1] {
                done.entry(id).and_modify(|game| {
                    if let GameResult::Won(seat) = &mut game.result {
                        *seat = seat.other();
                    }
                });
            }
        });
        let (id, planned) = other_result.expect_err("other pairings");
        assert!((6..12).contains(&id), "{id}");
        assert!(planned.is_some());
        let other_block = check(|done| {
            done.entry(3).and_modify(|game| game.block = 7);
        });
        assert_eq!(other_block.expect_err("another block").0, 3);
        let other_round = check(|done| {
            done.entry(4).and_modify(|game| game.round = Some(2));
        });
        assert_eq!(other_round.expect_err("another round").0, 4);
        // Missing: a game of the second round cannot begin before the first round is over.
        let missing = check(|done| {
            done.remove(&2);
        });
        let (id, planned) = missing.expect_err("a round too early");
        assert_eq!((id, planned.is_none()), (6, true));
        let one_more = check(|done| {
            let last = done[&17].clone();
            done.insert(18, last);
        });
        assert_eq!(one_more.expect_err("one too many").0, 18);
    }
}
