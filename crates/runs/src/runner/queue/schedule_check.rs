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
    use crate::schedule::{Format, GamesPerPairing, NextGame};

    /// A Swiss tournament of one game that the player with the lower index always wins.
    fn swiss() -> (Format, HashMap<u64, Done>) {
        let format = Format::Swiss {
            rounds: 3,
            games: GamesPerPairing::new(2).expect("not zero"),
        };
        let mut schedule = format.schedule(6, 2);
        let mut done = HashMap::new();
        while let NextGame::Issue(ticket) = schedule.next() {
            let stronger = usize::from(ticket.players[Seat::FIRST] > ticket.players[Seat::SECOND]);
            let result = GameResult::Won(Seat::BOTH[stronger]);
            schedule.record(ticket.id, result);
            let row = Done {
                game: 0,
                block: ticket.block,
                round: ticket.round,
                players: ticket.players,
                result,
                values: None,
                is_set_aside: false,
            };
            done.insert(ticket.id, row);
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
        let other_result = |game: &mut Done| {
            if let GameResult::Won(seat) = &mut game.result {
                *seat = seat.other();
            }
        };
        // With another result in the first round, the second has other pairings.
        let unfit = check(|done| {
            for id in [0, 1] {
                other_result(done.get_mut(&id).expect("a game"));
            }
        });
        let (id, planned) = unfit.expect_err("other pairings");
        assert!((6..12).contains(&id) && planned.is_some(), "{id}");
        let other = |id: u64, change: fn(&mut Done)| {
            let unfit = check(|done| change(done.get_mut(&id).expect("a game")));
            assert_eq!(unfit.expect_err("another game").0, id);
        };
        other(3, |game| game.block = 7);
        other(4, |game| game.round = Some(2));
        // Missing: a game of the second round cannot begin before the first round is over.
        let (id, planned) = check(|done| drop(done.remove(&2))).expect_err("a round too early");
        assert_eq!((id, planned.is_none()), (6, true));
        let one_more = check(|done| drop(done.insert(18, done[&17].clone())));
        assert_eq!(one_more.expect_err("one too many").0, 18);
    }
}
