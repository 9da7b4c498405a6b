//! Whether the games agree with the Elo that players are given.
//!
//! For each two anchors, the difference that they are given is compared with the one that the games show without
//! any anchor: by the normal distribution, with both errors, and Bonferroni's bound for as many pairs.

use super::covariance::{Estimate, Ratings};
use super::findings::Findings;
use super::normal::normal_tails;

/// The probability that chance alone is reported is at most this.
const CHANCE: f64 = 0.05;

/// Two players, and how much stronger the first one is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contradiction {
    /// The players.
    pub players: [usize; 2],
    /// By the Elo that they are given. It is not below 0.
    pub given: Estimate,
    /// By the games.
    pub shown: Estimate,
    /// The probability that chance makes both as different in any pair of anchors, at most.
    pub probability: f64,
}

impl Findings {
    /// The two anchors that the games contradict most, if they do beyond chance. `ratings` are those without anchors.
    /// Two players whose distance only the weak prior limits are not compared: see [`Self::groups`] and
    /// [`Self::tiers`].
    pub fn contradiction(
        &self,
        ratings: &Ratings,
        anchors: &[(usize, Estimate)],
    ) -> Option<Contradiction> {
        let parts = match self.tiers.is_empty() {
            true => &self.groups,
            false => &self.tiers,
        };
        let part = |player: usize| parts.iter().position(|part| part.contains(&player));
        let mut anchors: Vec<_> = anchors
            .iter()
            .map(|(player, elo)| (*player, elo, part(*player)))
            .collect();
        anchors.sort_by(|(_, a, _), (_, b, _)| b.elo.total_cmp(&a.elo));
        let mut pairs = Vec::new();
        for (at, (player, elo, part)) in anchors.iter().enumerate() {
            let others = anchors[at + 1..].iter().filter(|(.., other)| other == part);
            pairs.extend(others.map(|(other, other_elo, _)| ([*player, *other], [elo, other_elo])));
        }
        let count = pairs.len() as f64;
        let compared = pairs.into_iter().map(|(players, [elo, other])| {
            let given = Estimate {
                elo: elo.elo - other.elo,
                error: elo.error.hypot(other.error),
            };
            let shown = ratings.difference(players[0], players[1]);
            let deviations = (given.elo - shown.elo) / given.error.hypot(shown.error);
            Contradiction {
                players,
                given,
                shown,
                probability: (count * normal_tails(deviations)).min(1.0),
            }
        });
        let beyond_chance = compared.filter(|it| it.probability < CHANCE);
        beyond_chance.min_by(|a, b| a.probability.total_cmp(&b.probability))
    }
}
