//! Which rows of a journal may be decided otherwise, once other games of it are played again.

use super::{DoneGames, Ids};
use crate::config::Plan;
use crate::schedule::{HopelessRule, NextGame};

/// The games among these that the rule of players that never play may decide otherwise, given that all others of
/// a plan with fixed pairings are yet to be played.
pub(super) fn undecided(plan: &Plan, mut kept: DoneGames) -> Ids {
    let after = plan.hopeless_after();
    let mut undecided = Ids::default();
    let mut first = 0;
    for _ in &plan.games {
        let mut rule = HopelessRule::new(&after);
        let mut schedule = plan.format.schedule(plan.players.len());
        let mut next = first;
        while let NextGame::Issue(ticket) = schedule.next() {
            let id = first + ticket.id;
            next = id + 1;
            rule.issue(id, ticket.players);
            let Some(done) = kept.take(id) else {
                continue;
            };
            let course = kept.course(id, done.course);
            let standings = ticket.players.map(|player| rule.standing(player, id));
            match course.fits(done.result, standings) {
                Some(true) => rule.decide(id, ticket.players, course.shown(done.result)),
                // It is played again, so what it shows is open.
                Some(false) | None => {
                    undecided.insert(id);
                }
            }
        }
        first = next;
    }
    undecided
}
