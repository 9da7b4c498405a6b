//! Rows of a journal that may change once other games are played again.

use crate::config::Plan;
use crate::runs::journal::done::DoneGames;
use crate::runs::journal::ids::Ids;
use crate::schedule::{HopelessRule, NextGame, Ticket};

/// The `kept` games that the rule on players that never play may decide differently, if all other games of a plan
/// with fixed pairings are yet to be played.
pub(in crate::runs) fn undecided(plan: &Plan, seed: u64, mut kept: DoneGames) -> Ids {
    let terms = plan.hopeless_terms(seed);
    let mut undecided = Ids::default();
    let mut first = 0;
    for (game, mut schedule) in plan.schedules(0).into_iter().enumerate() {
        let mut rule = HopelessRule::new(terms.clone(), game);
        let mut next = first;
        while let NextGame::Issue(ticket) = schedule.next() {
            let id = first + ticket.id;
            next = id + 1;
            let ticket = Ticket { id, ..ticket };
            rule.issue(&ticket);
            let Some(done) = kept.take(id) else {
                continue;
            };
            let course = kept.course(id, done.course);
            match course.fits(done.result, rule.standings(&ticket)) {
                Some(true) => rule.decide(
                    &ticket,
                    course.evidence(done.result, ticket.players.count()),
                ),
                // It is played again, so its evidence is open.
                Some(false) | None => {
                    undecided.insert(id);
                }
            }
        }
        first = next;
    }
    undecided
}
