//! A run in waves: what is played next, given the results of all waves before.

use super::UnplannedGame;
use super::game_queue::{GameQueue, QueueStep, QueuedGame};
use crate::config::Plan;
use crate::record::DoneGames;
use crate::schedule::Conclusion;

/// What follows from the results of whole waves.
#[derive(Debug)]
pub struct Fold {
    /// The next wave; empty if the run is over.
    pub next: Vec<QueuedGame>,
    /// What the formats say, by the index of the game.
    pub conclusions: Vec<(usize, Conclusion)>,
    /// The games that came after the end of a sequential test. They do not belong to the run.
    pub surplus: DoneGames,
}

/// Works out what is played after these games. A wave has all games that can be begun before a result is
/// known, and at least `ahead` game pairs of a sequential test, if that is the only game of the plan.
///
/// # Errors
/// A game is not one of the plan.
pub fn fold(plan: &Plan, done: &DoneGames, ahead: u64) -> Result<Fold, UnplannedGame> {
    let (players, games) = (plan.players.len(), plan.games.len());
    let mut queue = GameQueue::new(&plan.format, players, games, done.clone());
    let over = match queue.next(0) {
        QueueStep::Play(_) | QueueStep::Forfeit(..) | QueueStep::Wait => false,
        // No shard forfeits games unplayed.
        QueueStep::Misjudged(_) | QueueStep::Done => true,
        // The schedule is over, and there are more games.
        QueueStep::Unplanned(game) if game.planned.is_none() => true,
        QueueStep::Unplanned(game) => return Err(game),
    };
    // Where a game follows another, its numbers begin at those of the surplus.
    let ahead = if games == 1 { ahead } else { 0 };
    let mut next = Vec::new();
    if !over {
        let done = done.clone();
        let mut wave = GameQueue::ahead(&plan.format, players, games, done, ahead);
        while let QueueStep::Play(game) = wave.next(0) {
            next.push(game);
        }
    }
    Ok(Fold {
        next,
        conclusions: queue.conclusions(),
        surplus: match over {
            true => queue.into_unplanned(),
            false => DoneGames::default(),
        },
    })
}
