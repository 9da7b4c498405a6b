//! Greedy house bot: one ply.

use super::super::{Brain, Budget};
use super::evaluation::{evaluate, result};
use super::unseen;
use crate::game::dark_chess::{Action, Piece, View};
use crate::game::{Chance, Side, View as _};
use crate::random::Stream;

/// Plays the action with the best evaluation, averaged over the face-down pieces that it may reveal.
#[derive(Debug, Default)]
pub struct Greedy;

impl Brain<View> for Greedy {
    fn choose(&mut self, view: &View, _budget: &mut Budget, chance: &mut Stream) -> Action {
        let seat = view.turn();
        let mut actions = Vec::new();
        view.legal(&mut actions);
        let values: Vec<i32> = actions
            .iter()
            .map(|&action| average(view, action, seat))
            .collect();
        let best = values.iter().copied().max();
        let mut as_good = actions
            .iter()
            .zip(&values)
            .filter(|&(_, &value)| Some(value) == best);
        let index = chance.below(as_good.clone().count() as u32);
        as_good
            .nth(index as usize)
            .map_or(actions[0], |(&action, _)| action)
    }
}

fn average(view: &View, action: Action, seat: Side) -> i32 {
    let after = |shown: Option<Piece>| {
        let mut next = *view;
        next.follow(action, shown);
        match next.outcome() {
            Some(outcome) => result(outcome, seat, 1),
            None => evaluate(&next, seat),
        }
    };
    if view.shows(action).is_none() {
        return after(None);
    }
    let (mut sum, mut total) = (0, 0);
    for (piece, count) in unseen(view) {
        sum += after(Some(piece)) * count;
        total += count;
    }
    sum / total.max(1)
}
