//! Matches of two players: game pairs by their points, Elo and normalized Elo.

use super::{Meeting, Tally, WinDrawLoss, elo_of_score};
use crate::rating::math::{cdf, wilson_interval};
use crate::rating::{ELO, Interval, Z95};

/// All games of two players, seen by one of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MatchScore {
    /// How many complete game pairs brought 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// Games that do not belong to a complete pair.
    pub singles: Tally,
}

/// The variance of the score of an even game without draws, and of two independent ones.
const EVEN_GAME: f64 = 0.25;
const EVEN_PAIR: f64 = EVEN_GAME / 2.0;

/// This number of even results is added for the variance of a score, since a few results can all be equal.
const EVEN_RESULTS: f64 = 2.0;

impl MatchScore {
    pub fn new(meeting: &Meeting) -> Self {
        let mut pairs = [0; 5];
        let mut singles = meeting.tally();
        for one in WinDrawLoss::ALL {
            for two in WinDrawLoss::ALL {
                let count = meeting.pairs[one as usize][two as usize];
                pairs[one as usize + two as usize] += count;
                for score in [one, two] {
                    match score {
                        WinDrawLoss::Win => singles.wins -= count,
                        WinDrawLoss::Draw => singles.draws -= count,
                        WinDrawLoss::Loss => singles.losses -= count,
                    }
                }
            }
        }
        Self { pairs, singles }
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let mut pairs = self.pairs;
        for (count, more) in pairs.iter_mut().zip(other.pairs) {
            *count += more;
        }
        Self {
            pairs,
            singles: self.singles.plus(other.singles),
        }
    }

    pub fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self {
            pairs,
            singles: self.singles.reversed(),
        }
    }

    /// The average score of a game, and the number of independent games that would make a score as certain.
    fn score(&self) -> Option<(f64, f64)> {
        let (pairs, singles) = (moments(&self.pairs), moments(&self.trinomial()));
        let games = 2.0 * pairs.count + singles.count;
        if games == 0.0 {
            return None;
        }
        let points = 2.0 * pairs.count * pairs.mean + singles.count * singles.mean;
        let (even_pairs, even_games) = if pairs.count > 0.0 {
            (EVEN_RESULTS, 0.0)
        } else {
            (0.0, EVEN_RESULTS)
        };
        let added = 2.0 * even_pairs + even_games;
        let mean = (points + added / 2.0) / (games + added);
        let variance = |of: &Moments, even: f64, of_even: f64| {
            let own = of.count * (of.variance + (of.mean - mean).powi(2));
            let squares = own + even * (of_even + (0.5 - mean).powi(2));
            squares / (of.count + even).max(1.0)
        };
        let of_pairs = variance(&pairs, even_pairs, EVEN_PAIR);
        let of_singles = variance(&singles, even_games, EVEN_GAME);
        let variance =
            (4.0 * pairs.count * of_pairs + singles.count * of_singles) / (games * games);
        Some((points / games, mean * (1.0 - mean) / variance))
    }

    pub(in crate::rating) fn trinomial(&self) -> [u64; 3] {
        [self.singles.losses, self.singles.draws, self.singles.wins]
    }

    /// The difference in Elo by the classical curve, with its 95 % interval (Wilson's of the score). Infinite where the
    /// score is 0 or 1.
    pub fn elo(&self) -> Option<Interval> {
        let (score, games) = self.score()?;
        Some(wilson_interval(score, games).map(elo_of_score))
    }

    /// Likelihood of superiority: one minus the p-value of an even match. It is above 97.5 % where the interval of
    /// [`elo`](Self::elo) is above 0, since that one has the scores that the same test does not reject.
    pub fn los(&self) -> Option<f64> {
        let (score, games) = self.score()?;
        Some(cdf((score - 0.5) * (games / EVEN_GAME).sqrt()))
    }

    /// Normalized Elo with its 95 % interval: the score above one half, in standard deviations of a
    /// game. It determines how many games a test of the difference needs. Computed from complete pairs
    /// if there are any, else from single games. (M. Van den Bergh, "Normalized Elo", 2021.)
    pub fn normalized_elo(&self) -> Option<Interval> {
        let (moments, games) = match moments(&self.pairs) {
            pairs if pairs.count > 0.0 => (pairs, 2.0),
            _ => (moments(&self.trinomial()), 1.0),
        };
        let deviation = (games * moments.variance).sqrt();
        if deviation <= 0.0 {
            return None;
        }
        let value = 2.0 * ELO * (moments.mean - 0.5) / deviation;
        let margin = 2.0 * ELO * Z95 / (games * moments.count).sqrt();
        Some([value - margin, value, value + margin])
    }
}

pub struct Moments {
    pub count: f64,
    pub mean: f64,
    pub variance: f64,
}

/// The moments of results worth 0 to 1 in equal steps, given the count of each.
pub fn moments(counts: &[u64]) -> Moments {
    let top = (counts.len() - 1) as f64;
    let count = counts.iter().sum::<u64>() as f64;
    let average = |of: &dyn Fn(f64) -> f64| -> f64 {
        let results = counts.iter().enumerate();
        let sum: f64 = results
            .map(|(at, count)| *count as f64 * of(at as f64 / top))
            .sum();
        sum / count.max(1.0)
    };
    let mean = average(&|worth| worth);
    Moments {
        count,
        mean,
        variance: average(&|worth| (worth - mean).powi(2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: [u64; 5]) -> MatchScore {
        MatchScore {
            pairs,
            singles: Tally::default(),
        }
    }

    #[test]
    fn an_interval_of_elo_always_has_a_width() {
        let singles = Tally {
            wins: 5,
            ..Tally::default()
        };
        for (games, value) in [
            (pairs([0, 0, 15, 0, 0]), 0.0),
            (pairs([0, 0, 0, 15, 0]), elo_of_score(0.75)),
            (pairs([0, 0, 0, 0, 15]), f64::INFINITY),
            (
                MatchScore {
                    pairs: [0; 5],
                    singles,
                },
                f64::INFINITY,
            ),
        ] {
            let [low, elo, high] = games.elo().expect("games");
            assert!(low.is_finite() && low < elo && elo <= high, "{low} {high}");
            assert!(elo == value || (elo - value).abs() < 1e-9);
            let los = games.los().expect("games");
            assert!((los > 0.975) == (low > 0.0), "{los} {low}");
        }
        // 15 pairs of 1-1, and two of even games: 17 with a sum of squares of 0.25. So a pair has the variance
        // 1/68, and 15 of them are as certain as 255 games.
        let [low, _, _] = pairs([0, 0, 15, 0, 0]).elo().expect("games");
        let [by_hand, _, _] = wilson_interval(0.5, 255.0);
        assert!((low - elo_of_score(by_hand)).abs() < 1e-9);
    }
}
