//! Computes the next wave of a run from the results of all waves before.

use super::game_queue::GameQueue;
use super::queued_game::{QueueStep, QueuedGame, UnfitGame};
use crate::config::Plan;
use crate::runs::DoneGames;
use crate::schedule::Conclusion;

/// Result of folding whole waves into the schedule.
#[derive(Debug)]
pub struct Fold {
    /// The next wave; empty if the run is over.
    pub next: Vec<QueuedGame>,
    /// Conclusions of the formats, by the index of the game.
    pub conclusions: Vec<(usize, Conclusion)>,
    /// Games beyond the end of a sequential test. They are no part of the run.
    pub surplus: DoneGames,
}

/// Computes the games that follow `done`. A wave has all games that can begin before another result is known.
/// If the plan has one game, and its format is a sequential test, it has at least `ahead` blocks.
///
/// # Errors
/// A game is not in the plan.
pub fn fold(plan: &Plan, done: &DoneGames, ahead: u64) -> Result<Fold, UnfitGame> {
    let mut queue = GameQueue::new(plan.schedules(0), done.clone());
    let over = match queue.next(0) {
        QueueStep::Play(_) | QueueStep::Wait => false,
        QueueStep::Done => true,
        // The schedule is over: the other games are surplus.
        QueueStep::Unfit(UnfitGame { planned: None, .. }) => true,
        QueueStep::Unfit(game) => return Err(game),
    };
    // The numbers of a second game begin where the first ends, and surplus games would shift them.
    let ahead = if plan.games.len() == 1 { ahead } else { 0 };
    let mut next = Vec::new();
    if !over {
        let mut wave = GameQueue::new(plan.schedules(ahead), done.clone());
        while let QueueStep::Play(game) = wave.next(0) {
            next.push(game);
        }
    }
    Ok(Fold {
        next,
        conclusions: queue.conclusions(),
        surplus: if over {
            queue.into_unplanned()
        } else {
            DoneGames::default()
        },
    })
}
