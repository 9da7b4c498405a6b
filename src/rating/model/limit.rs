//! The limits that results set on the strength of a player who won or lost all its games.

use super::pool::{GameModel, Pool};
use super::problem::{Problem, Tallied};
use crate::rating::games::Choice;

/// A distance in strength at which all games are foregone.
const FAR: f64 = 40.0;

/// Halvings of an interval of that size, to far below a thousandth of an Elo.
const HALVINGS: usize = 40;

/// The limit on the strength of a player who won or lost all its games, given the others' strengths: the
/// farthest one that is less likely than the best by the factor `exp(-drop)` at most. The likelihood has no other limit.
pub fn limit(problem: &Problem<'_>, player: usize, has_won: bool, at: &[f64], drop: f64) -> f64 {
    let own = |one: &&(usize, &Tallied)| {
        problem
            .seats_of(one.1.seating as usize)
            .contains(&(player as u32))
    };
    let numbered: Vec<(usize, &Tallied)> = problem.tallied.iter().enumerate().collect();
    let own: Vec<(usize, &Tallied)> = numbered.iter().filter(own).copied().collect();
    let ties = problem.ties(at);
    let mut moved = at.to_vec();
    let mut pool = Pool::default();
    let mut log_likelihood = |strength: f64| {
        moved[player] = strength;
        let terms = own.iter().map(|(number, one)| {
            let players = problem.seats_of(one.seating as usize);
            let model = problem.model(players.iter().map(|it| *it as usize), &moved, &ties);
            pool.fill(&model, &one.among);
            log_likelihood_of(problem, *number, one, &model, &pool)
        });
        terms.sum::<f64>()
    };
    let best = at[player] + if has_won { FAR } else { -FAR };
    let least = log_likelihood(best) - drop;
    let (mut inside, mut outside) = (best, at[player] - (best - at[player]));
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inside, outside);
        match log_likelihood(middle) >= least {
            true => inside = middle,
            false => outside = middle,
        }
    }
    inside
}

fn log_likelihood_of(
    problem: &Problem<'_>,
    number: usize,
    one: &Tallied,
    model: &GameModel,
    pool: &Pool,
) -> f64 {
    let of_chosen = problem
        .chosen_of(number, one)
        .iter()
        .map(|(chosen, count)| {
            let choice = Choice {
                chosen: *chosen,
                ..one.among
            };
            let weight: f64 = model
                .features(&choice)
                .map(|(local, part)| part * model.value(local))
                .sum();
            f64::from(*count) * (weight - pool.log_sum)
        });
    of_chosen.sum()
}
