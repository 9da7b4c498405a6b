//! From the fit to ratings with intervals.

use std::collections::BTreeMap;

use super::StrengthPrior;
use super::clusters::Openings;
use super::covariance::{Covariance, MAX_EXACT_PLAYERS, Sum};
use crate::rating::games::Standings;
use crate::rating::math;
use crate::rating::model::{
    Difference, Estimate, Expected, Model, Objective, draw_rate, elo_scale, limit, solve,
};
use crate::rating::{Interval, Z95};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// The mean of all players has this many Elo.
    Mean(f64),
    /// One player has exactly this many Elo.
    Player(usize, f64),
    /// The anchors of the fit have theirs. If it has none, the mean of all players has 0.
    Fitted,
}

impl Default for Anchor {
    fn default() -> Self {
        Self::Mean(0.0)
    }
}

#[derive(Debug, Clone, Default)]
pub struct FitOptions {
    pub model: Model,
    pub openings: Openings,
    /// Players with a given Elo, each at most once: exact if its error is 0, otherwise with a normal prior of this
    /// standard error. [`Anchor::Fitted`] is their scale.
    pub anchors: Vec<(usize, Estimate)>,
}

#[derive(Debug, Clone)]
pub struct Ratings {
    /// The parameters: strengths first.
    pub(in crate::rating) at: Vec<f64>,
    /// The parameters that variances by the model are taken at.
    moderate: Vec<f64>,
    players: usize,
    /// Index of the first seat's worth, by number of seats.
    seats_at: [Option<usize>; crate::game::MOST_SEATS + 1],
    /// Index of `ln δ`, by size of a tie from 2.
    ties_at: Vec<Option<usize>>,
    is_anchored: bool,
    exact: BTreeMap<usize, f64>,
    pub(super) covariance: Covariance,
    pub(super) prior: StrengthPrior,
    /// The players who won or lost all their games, and the least or the greatest strength that this leaves.
    one_sided: BTreeMap<usize, OneSided>,
}

/// A strength that results bound on one side alone.
#[derive(Debug, Clone, Copy)]
enum OneSided {
    AtLeast(f64),
    AtMost(f64),
}

/// The strength that wins all games with this probability is the end of a 95 % interval.
const ALL_WON: f64 = 0.025;

/// Most players with limits of their own. More are not worth the time.
const MOST_ONE_SIDED: usize = 100;

impl Ratings {
    /// Fits the ratings of all players of `standings`, with exact margins.
    ///
    /// Games that all players forfeited do not show who is stronger and are left out.
    pub fn new(standings: &Standings, model: Model) -> Self {
        let options = FitOptions {
            model,
            ..FitOptions::default()
        };
        Self::fit(standings, &options, usize::MAX)
    }

    /// Ratings with [estimated](Self::margin_error) margins where there are many players and no anchors.
    pub fn of_any_number(standings: &Standings, options: &FitOptions) -> Self {
        let most = match options.anchors.is_empty() {
            true => MAX_EXACT_PLAYERS,
            false => usize::MAX,
        };
        Self::fit(standings, options, most)
    }

    pub(in crate::rating) fn fit(
        standings: &Standings,
        options: &FitOptions,
        max_exact: usize,
    ) -> Self {
        let players = standings.players().len();
        let objective =
            Objective::new(players, standings.blocks(), options.model, &options.anchors);
        let fit = solve(&objective);
        let one_sided = one_sided(standings, &objective, &fit.at);
        let mut ratings = Self {
            at: fit.at.clone(),
            moderate: fit.moderate.clone(),
            players,
            seats_at: std::array::from_fn(|seats| objective.seats_at(seats)),
            ties_at: (2..=crate::game::MOST_SEATS)
                .map(|size| objective.tie_at(size))
                .collect(),
            is_anchored: objective.is_anchored(),
            exact: objective.exact(),
            prior: StrengthPrior::new(&[]),
            one_sided,
            covariance: Covariance::new(objective, fit, options.openings, max_exact),
        };
        let share = 1.0 - 1.0 / players.max(2) as f64;
        let distances = (0..players).map(|player| {
            let from_others = ratings.in_order(&Sum {
                parts: vec![(player, 1.0 / share)],
                of_mean: -1.0 / share,
            });
            (share * from_others.elo, (share * from_others.error).powi(2))
        });
        let distances: Vec<(f64, f64)> = distances.collect();
        ratings.prior = StrengthPrior::new(&distances);
        ratings
    }

    pub(in crate::rating) fn players(&self) -> usize {
        self.players
    }

    /// Relative error of margins, if they are estimated: two standard errors of the least known one.
    pub fn margin_error(&self) -> Option<f64> {
        self.covariance.error()
    }

    /// How many times as much the results of blocks, or of openings, vary beside as many independent games; `None`
    /// without any of several games.
    pub fn variation(&self) -> Option<f64> {
        self.covariance.variation()
    }

    /// Number of clusters of several games: of blocks, or of openings that belong together.
    pub fn clusters(&self) -> u64 {
        self.covariance.clusters()
    }

    fn tie_at(&self, size: usize) -> Option<usize> {
        *self.ties_at.get(size.checked_sub(2)?)?
    }

    /// `δ(2)`: the weight of a tie of two players.
    pub(in crate::rating) fn nu(&self) -> f64 {
        self.tie_at(2).map_or(0.0, |at| self.at[at].exp())
    }

    pub(in crate::rating) fn scale(&self) -> f64 {
        elo_scale(self.nu())
    }

    pub fn rating(&self, player: usize, anchor: Anchor) -> Estimate {
        let of_mean = |elo: f64| (self.in_elo(Sum::from_mean(player)), elo);
        let (estimate, elo) = match anchor {
            Anchor::Player(anchor, elo) => (self.difference(player, anchor), elo),
            Anchor::Mean(elo) => of_mean(elo),
            Anchor::Fitted if !self.is_anchored => of_mean(0.0),
            Anchor::Fitted => {
                if let Some(elo) = self.exact.get(&player) {
                    return Estimate {
                        elo: *elo,
                        error: 0.0,
                    };
                }
                let alone = Sum {
                    parts: vec![(player, 1.0)],
                    of_mean: 0.0,
                };
                (self.in_elo(alone), 0.0)
            }
        };
        Estimate {
            elo: estimate.elo + elo,
            ..estimate
        }
    }

    /// The rating of a player with its 95 % interval. Where it won or lost all its games, the interval has one end, by the
    /// likelihood given the others' strengths; the other one is infinite.
    pub fn interval(&self, player: usize, anchor: Anchor) -> Interval {
        let rating = self.rating(player, anchor);
        let [low, high] = match self.one_sided.get(&player) {
            None => [rating.low(), rating.high()],
            Some(one_sided) => {
                let strength = one_sided.strength();
                let by = strength - self.at[player];
                let share = match anchor {
                    Anchor::Player(anchor, _) if anchor == player => 0.0,
                    Anchor::Mean(_) => 1.0 - 1.0 / self.players as f64,
                    Anchor::Fitted if !self.is_anchored => 1.0 - 1.0 / self.players as f64,
                    Anchor::Player(..) | Anchor::Fitted => 1.0,
                };
                one_sided.interval(rating.elo + self.scale() * share * by)
            }
        };
        [low, rating.elo, high]
    }

    /// How much stronger one player is than another, with its 95 % interval, as [`Self::interval`] has it.
    pub fn difference_interval(&self, a: usize, b: usize) -> Interval {
        let apart = self.difference(a, b);
        let to = |strength: f64| self.scale() * strength;
        let [low, high] = match (self.one_sided.get(&a), self.one_sided.get(&b)) {
            (Some(OneSided::AtLeast(least)), _) => [to(least - self.at[b]), f64::INFINITY],
            (Some(OneSided::AtMost(most)), _) => [f64::NEG_INFINITY, to(most - self.at[b])],
            (None, Some(OneSided::AtMost(most))) => [to(self.at[a] - most), f64::INFINITY],
            (None, Some(OneSided::AtLeast(least))) => [f64::NEG_INFINITY, to(self.at[a] - least)],
            (None, None) => [apart.low(), apart.high()],
        };
        [low, apart.elo, high]
    }

    pub fn difference(&self, a: usize, b: usize) -> Estimate {
        match a == b {
            true => Estimate {
                elo: 0.0,
                error: 0.0,
            },
            false => self.in_elo(Sum::apart(a, b)),
        }
    }

    /// The worth of a seat, from 0, in games with this number of seats, relative to the mean of its seats. `None` without
    /// such games, and where the worth of seats is not fitted.
    pub fn seat(&self, seats: usize, seat: usize) -> Option<Estimate> {
        let first = *self.seats_at.get(seats)?.as_ref()?;
        let share = 1.0 / seats as f64;
        let others = (0..seats).map(|other| (first + other, -share));
        Some(self.in_elo(Sum {
            parts: others.chain([(first + seat, 1.0)]).collect(),
            of_mean: 0.0,
        }))
    }

    pub fn seats_apart(&self, seats: usize, [a, b]: [usize; 2]) -> Option<Estimate> {
        let first = *self.seats_at.get(seats)?.as_ref()?;
        Some(self.in_elo(Sum::apart(first + a, first + b)))
    }

    /// The advantage of the first seat in games of two, if it was fitted.
    pub fn advantage(&self) -> Option<Estimate> {
        self.seats_apart(2, [0, 1])
    }

    /// The advantage of the first of two seats in units of the log odds; 0 if it was not fitted.
    pub(in crate::rating) fn advantage_in_units(&self) -> f64 {
        self.seats_at[2].map_or(0.0, |first| self.at[first] - self.at[first + 1])
    }

    /// The probability of a draw between two equals without an advantage.
    pub fn draw_rate(&self) -> f64 {
        draw_rate(self.nu())
    }

    /// The probability of a draw between two equals, with the advantage of the first seat.
    pub fn draws_of_equals(&self) -> f64 {
        Expected::new(self.advantage_in_units(), self.nu()).draw
    }

    /// `δ` of ties of this size, with its 95 % interval: a tie of this many equal players is `δ` times as likely as one of
    /// them alone. `None` if no such tie occurred.
    pub fn tie(&self, size: usize) -> Option<Interval> {
        let ln_delta = self.in_units(&Sum {
            parts: vec![(self.tie_at(size)?, 1.0)],
            of_mean: 0.0,
        });
        Some([ln_delta.low(), ln_delta.elo, ln_delta.high()].map(f64::exp))
    }

    /// Converts a sum of strengths or seats to Elo, with the uncertainty of the scale.
    fn in_elo(&self, mut sum: Sum) -> Estimate {
        let scale = self.scale();
        let value = self.value(&self.at, &sum);
        let wider = self.wider(&sum);
        if let Some(ties) = self.tie_at(2) {
            sum.parts.push((ties, -self.draw_rate() * value));
        }
        Estimate {
            elo: scale * value,
            error: scale * wider * self.covariance.variance(&sum).sqrt(),
        }
    }

    fn value(&self, at: &[f64], sum: &Sum) -> f64 {
        let of_parts: f64 = sum
            .parts
            .iter()
            .map(|(index, weight)| weight * at[*index])
            .sum();
        match sum.of_mean {
            0.0 => of_parts,
            weight => of_parts + weight * mean(&at[..self.players]),
        }
    }

    pub(super) fn mean(&self) -> f64 {
        mean(&self.at[..self.players])
    }

    /// The covariance of two players' ratings around the mean, in squared Elo, as the model expects it of so many games: few
    /// game pairs that all ended alike say less than they seem to. `None` where margins are estimated.
    pub fn covariance_by_model(&self) -> Option<Vec<Vec<f64>>> {
        let is_exact = self.margin_error().is_none();
        let covariance = is_exact.then(|| self.covariance.of_distances_by_model())?;
        let square = self.scale() * self.scale();
        let row = |row: usize| covariance.row(row).map(|cell| square * cell).collect();
        Some((0..self.players).map(row).collect())
    }

    /// The variance of the difference of two strengths, in squared units of the log odds.
    pub(in crate::rating) fn variance_apart(&self, a: usize, b: usize) -> f64 {
        self.covariance.variance(&Sum::apart(a, b))
    }

    /// A difference of strengths, or of one and the others' mean, with the error that counts for its sign.
    ///
    /// A game between players far apart says little about their distance, but much about their order: the signed root of
    /// the likelihood ratio against equal strengths is larger than the difference in standard errors. The more it is so, the
    /// more the variance by the model counts: games that one player won do not show how unlike blocks are.
    fn in_order(&self, sum: &Sum) -> Estimate {
        let apart = self.in_units(sum);
        let Some(by_model) = self.covariance.variance_by_model(sum) else {
            return apart;
        };
        let variation = self.variation().unwrap_or(1.0).max(1.0);
        let difference =
            |value: f64| Difference::new(value, by_model, self.advantage_in_units(), self.nu());
        let information = difference(self.value(&self.moderate, sum)).information;
        let certainty = difference(apart.elo).certainty(information);
        let near = certainty.powi(-4).min(1.0);
        let variance = near * apart.error.powi(2) + (1.0 - near) * by_model * variation;
        Estimate {
            error: variance.sqrt() / certainty,
            ..apart
        }
    }

    /// A sum of parameters in their own unit. The error is a standard error where blocks are many, and more where they are
    /// few, so that 95 % intervals hold.
    fn in_units(&self, sum: &Sum) -> Estimate {
        Estimate {
            elo: self.value(&self.at, sum),
            error: self.wider(sum) * self.covariance.variance(sum).sqrt(),
        }
    }

    /// Student's quantile relative to the normal one.
    fn wider(&self, sum: &Sum) -> f64 {
        math::student_quantile(self.covariance.freedom(sum)) / Z95
    }

    /// The expected score of a player against another, alone in a game of two, averaged over both seats. In the model, one
    /// is ahead of the other as often among more players.
    pub fn expected(&self, a: usize, b: usize) -> f64 {
        let [first, second] = self.expected_by_seat([a, b]);
        f64::midpoint(first.points, second.points)
    }

    pub(in crate::rating) fn odds(&self, a: usize, b: usize) -> f64 {
        self.at[a] - self.at[b]
    }

    /// Expectations for a game of two players: with the first of them in the first seat, and in the second.
    pub(in crate::rating) fn expected_by_seat(&self, [a, b]: [usize; 2]) -> [Expected; 2] {
        let (advantage, nu) = (self.advantage_in_units(), self.nu());
        [advantage, -advantage].map(|side| Expected::new(self.odds(a, b) + side, nu))
    }

    /// The probability that `a` is stronger than `b`, given the games and the spread of all strengths. Neither depends on
    /// the number of players that are compared.
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        let apart = self.in_order(&Sum::apart(a, b));
        match a == b || apart.error <= 0.0 {
            true => 0.5,
            false => self
                .prior
                .positive(apart.elo / apart.error, apart.error.powi(2)),
        }
    }

    /// The likelihood of superiority, as tests of engines use it: the probability that `a` is stronger, if all differences
    /// were equally likely before. It is 97.5 % where the 95 % interval of the difference begins at 0.
    pub fn los(&self, a: usize, b: usize) -> f64 {
        let is_one_sided = [a, b]
            .iter()
            .any(|player| self.one_sided.contains_key(player));
        let apart = match is_one_sided {
            true => self.in_order(&Sum::apart(a, b)),
            false => self.difference(a, b),
        };
        let z = apart.elo / apart.error;
        match apart.error > 0.0 {
            // The probability of such results between equals, as the end of the interval has it.
            true if is_one_sided => 0.5 + (0.5 - (-z * z / 2.0).exp()).max(0.0).copysign(z),
            true => math::cdf(z),
            false => 0.5,
        }
    }

    /// All players, strongest first. Of equal players, the lower index comes first.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players()).collect();
        // The last digits of equal strengths are rounding errors. Adding zero gives both zeros one sign.
        let strength = |player: &usize| (self.at[*player] * 1e7).round() + 0.0;
        order.sort_by(|a, b| strength(b).total_cmp(&strength(a)).then(a.cmp(b)));
        order
    }
}

fn mean(strengths: &[f64]) -> f64 {
    strengths.iter().sum::<f64>() / strengths.len().max(1) as f64
}

impl OneSided {
    fn strength(self) -> f64 {
        match self {
            Self::AtLeast(strength) | Self::AtMost(strength) => strength,
        }
    }

    fn interval(self, end: f64) -> [f64; 2] {
        match self {
            Self::AtLeast(_) => [end, f64::INFINITY],
            Self::AtMost(_) => [f64::NEG_INFINITY, end],
        }
    }
}

/// The players who won or lost all their games, with the limits on their strengths. A given Elo is a limit of its own.
fn one_sided(
    standings: &Standings,
    objective: &Objective<'_>,
    at: &[f64],
) -> BTreeMap<usize, OneSided> {
    let tallies = standings.blocks().tallies(objective.players);
    let found = tallies.iter().enumerate().filter_map(|(player, tally)| {
        let is_sided = tally.games() > 0 && !objective.is_given(player);
        match (tally.wins == tally.games(), tally.losses == tally.games()) {
            (true, false) if is_sided => Some((player, true)),
            (false, true) if is_sided => Some((player, false)),
            _ => None,
        }
    });
    let found = found.take(MOST_ONE_SIDED).map(|(player, has_won)| {
        let limit = limit(objective, player, has_won, at, -ALL_WON.ln());
        (
            player,
            if has_won {
                OneSided::AtLeast(limit)
            } else {
                OneSided::AtMost(limit)
            },
        )
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{GameCounter, WinDrawLoss};

    #[test]
    fn twenty_of_twenty_show_how_strong_a_player_is_at_least() {
        let mut games = GameCounter::default();
        (0..10).for_each(|_| games.add_score(["a", "b"], WinDrawLoss::Win));
        (0..10).for_each(|_| games.add_score(["b", "a"], WinDrawLoss::Loss));
        let ratings = Ratings::new(&games.standings(), Model { first_mover: false });
        let [low, elo, high] = ratings.difference_interval(0, 1);
        // 20 games are won with a probability of 0.025 at the odds of 4.94.
        let won = ALL_WON.powf(1.0 / 20.0);
        let by_hand = 400.0 * (won / (1.0 - won)).log10();
        assert!((low - by_hand).abs() < 0.01, "{low} {by_hand}");
        assert!(elo > low && high.is_infinite());
        assert!(ratings.superiority(0, 1) > 0.99);
        let [low_of_a, ..] = ratings.interval(0, Anchor::default());
        let [.., high_of_b] = ratings.interval(1, Anchor::default());
        assert!((low_of_a - high_of_b - low).abs() < 0.01 && (low_of_a + high_of_b).abs() < 0.01);
        let [against, ..] = ratings.interval(0, Anchor::Player(1, 0.0));
        assert!((against - low).abs() < 1e-9);
    }
}
