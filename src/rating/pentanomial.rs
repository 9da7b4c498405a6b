//! Two players: game pairs by their points, normalized Elo, and the sequential probability ratio
//! test.

use super::performance::elo_of_score;
use super::standings::{Meeting, Score, Tally};
use super::{ELO, Z95};

/// All games of two players, seen by one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchScore {
    /// How many complete game pairs brought 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// Games that do not belong to a complete pair.
    pub singles: Tally,
}

/// The lower end of a 95 % interval, the value, and the upper end.
pub type Interval = [f64; 3];

impl MatchScore {
    /// The match of a meeting, seen by the first of its players.
    pub fn new(meeting: &Meeting) -> Self {
        let mut pairs = [0; 5];
        let mut singles = meeting.tally();
        for one in Score::ALL {
            for two in Score::ALL {
                let count = meeting.pairs[one as usize][two as usize];
                pairs[one as usize + two as usize] += count;
                for score in [one, two] {
                    match score {
                        Score::Win => singles.wins -= count,
                        Score::Draw => singles.draws -= count,
                        Score::Loss => singles.losses -= count,
                    }
                }
            }
        }
        Self { pairs, singles }
    }

    /// The games of two matches.
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

    /// The same match, seen by the opponent.
    pub fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self {
            pairs,
            singles: self.singles.reversed(),
        }
    }

    /// The average score of a game, and the variance of that average: from the variance of the pairs
    /// and the variance of the single games.
    fn mean_score(&self) -> Option<(f64, f64)> {
        let (pairs, singles) = (moments(&self.pairs), moments(&self.trinomial()));
        let games = 2.0 * pairs.count + singles.count;
        if games == 0.0 {
            return None;
        }
        let score = (2.0 * pairs.count * pairs.mean + singles.count * singles.mean) / games;
        let variance = 4.0 * pairs.count * pairs.variance + singles.count * singles.variance;
        Some((score, variance / (games * games)))
    }

    fn trinomial(&self) -> [u64; 3] {
        [self.singles.losses, self.singles.draws, self.singles.wins]
    }

    /// The difference in Elo by the classical curve, with its 95 % interval. Infinite where the score,
    /// or an end of its interval, is 0 or 1.
    pub fn elo(&self) -> Option<Interval> {
        let (score, variance) = self.mean_score()?;
        let margin = Z95 * variance.sqrt();
        let ends = [score - margin, score, score + margin];
        Some(ends.map(|score| elo_of_score(score.clamp(0.0, 1.0))))
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

/// How many results there are, with their mean and variance.
struct Moments {
    count: f64,
    mean: f64,
    variance: f64,
}

/// The moments of results worth 0 to 1 in equal steps, given how often each came.
fn moments(counts: &[u64]) -> Moments {
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

/// A sequential test between two hypotheses about how much stronger a player is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The difference under the first hypothesis, in Elo by the classical curve.
    pub elo0: f64,
    /// The difference under the second hypothesis, above that of the first.
    pub elo1: f64,
    /// The greatest probability of accepting the second where the first is true.
    pub alpha: f64,
    /// The greatest probability of accepting the first where the second is true.
    pub beta: f64,
}

/// Corrects the ratio of few results. The ratio divides by the variance, which is estimated from the
/// same results. The inverse of such an estimate from `n` results is too large by `n / (n - 3)` on
/// average (the mean of an inverse chi-squared variable with n - 1 degrees of freedom, times n).
const BIAS: f64 = 3.0;

/// What a sequential test decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SprtVerdict {
    /// The first hypothesis is accepted: the difference is `elo0`.
    AcceptElo0,
    /// The second hypothesis is accepted: the difference is `elo1`.
    AcceptElo1,
    /// More games are needed.
    Undecided,
}

impl Sprt {
    /// The logarithm of the likelihood ratio of the second hypothesis to the first. Under each
    /// hypothesis, pairs and single games have the most likely distribution with its mean.
    /// (M. Van den Bergh, "The Generalized Sequential Probability Ratio Test", 2018.)
    pub fn llr(&self, games: &MatchScore) -> f64 {
        self.llr_of(&games.pairs) + self.llr_of(&games.trinomial())
    }

    fn llr_of(&self, counts: &[u64]) -> f64 {
        if counts.iter().all(|count| *count == 0) {
            return 0.0;
        }
        // A result that has not occurred yet is still possible.
        let counts: Vec<f64> = counts.iter().map(|n| (*n as f64).max(1e-3)).collect();
        let [one, two] = [self.elo0, self.elo1]
            .map(|elo| most_likely(&counts, 1.0 / (1.0 + 10_f64.powf(-elo / 400.0))));
        let ratios = one.iter().zip(&two).map(|(one, two)| (two / one).ln());
        let llr: f64 = counts.iter().zip(ratios).map(|(n, ratio)| n * ratio).sum();
        let total: f64 = counts.iter().sum();
        llr * (total - BIAS).max(0.0) / total
    }

    /// The test ends when its ratio falls to the first of these, or rises to the second.
    ///
    /// If the first hypothesis is true, a likelihood ratio reaches `1 / alpha` with a probability of at
    /// most `alpha` (J. Ville, *Étude critique de la notion de collectif*, 1939). If the second is true,
    /// it falls to `beta` with a probability of at most `beta`. The usual bounds,
    /// `ln(beta / (1 - alpha))` and `ln((1 - beta) / alpha)`, are a little closer together, and only
    /// promise error rates of `beta / (1 - alpha)` and `alpha / (1 - beta)` (A. Wald, Annals of
    /// Mathematical Statistics 16, 1945).
    pub fn bounds(&self) -> [f64; 2] {
        [self.beta.ln(), -self.alpha.ln()]
    }

    /// The verdict at this ratio.
    pub fn verdict(&self, llr: f64) -> SprtVerdict {
        let [low, high] = self.bounds();
        if llr <= low {
            SprtVerdict::AcceptElo0
        } else if llr >= high {
            SprtVerdict::AcceptElo1
        } else {
            SprtVerdict::Undecided
        }
    }
}

/// The most likely distribution with this mean, given how often each result came. The results are
/// worth 0 to 1 in equal steps. The distribution has the form `p / (1 + t (worth - mean))`.
fn most_likely(counts: &[f64], mean: f64) -> Vec<f64> {
    let total: f64 = counts.iter().sum();
    let top = (counts.len() - 1) as f64;
    let parts: Vec<(f64, f64)> = counts
        .iter()
        .enumerate()
        .map(|(at, count)| (count / total, at as f64 / top - mean))
        .collect();
    // The excess falls with t. Newton's method, with bisection where a step leaves the bracket.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let mut t = 0.0;
    for _ in 0..100 {
        let (mut excess, mut slope) = (0.0, 0.0);
        for (p, a) in &parts {
            let part = a / (1.0 + t * a);
            excess += p * part;
            slope += p * part * part;
        }
        match excess > 0.0 {
            true => low = t,
            false => high = t,
        }
        let step = t + excess / slope;
        let next = match step > low && step < high {
            true => step,
            false => f64::midpoint(low, high),
        };
        let done = (next - t).abs() < 1e-13;
        t = next;
        if done {
            break;
        }
    }
    parts.iter().map(|(p, a)| p / (1.0 + t * a)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 5.0,
        alpha: 0.05,
        beta: 0.05,
    };

    fn pairs(pairs: [u64; 5]) -> MatchScore {
        MatchScore {
            pairs,
            singles: Tally::default(),
        }
    }

    #[test]
    fn normalized_elo_by_hand() {
        // Mean 0.55, pair variance (0.3025 + 0 * ... ) computed from the counts one by one.
        let games = pairs([10, 20, 30, 30, 20]);
        let worth = [0.0, 0.25, 0.5, 0.75, 1.0];
        let n = 110.0;
        let mean = (5.0 + 15.0 + 22.5 + 20.0) / n;
        let variance: f64 = games
            .pairs
            .iter()
            .zip(worth)
            .map(|(count, worth)| *count as f64 * (worth - mean) * (worth - mean))
            .sum::<f64>()
            / n;
        let [low, value, high] = games.normalized_elo().expect("games");
        assert!(
            (value - (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / 10_f64.ln()).abs() < 1e-9
        );
        assert!((high - low - 2.0 * 1.96 * 800.0 / 10_f64.ln() / 220_f64.sqrt()).abs() < 0.01);
        let [a, b, c] = games.elo().expect("games");
        assert!(a < b && b < c && (b - elo_of_score(mean)).abs() < 1e-9);
    }

    #[test]
    fn the_ratio_is_close_to_its_normal_approximation() {
        let games = pairs([120, 480, 900, 540, 160]);
        let (score, variance) = games.mean_score().expect("games");
        let [s0, s1] = [0.0, 5.0].map(|elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
        let normal = (s1 - s0) * (2.0 * score - s0 - s1) / (2.0 * variance);
        let llr = TEST.llr(&games);
        assert!((llr / normal - 1.0).abs() < 0.01, "{llr} and {normal}");
        assert!(
            (llr + Sprt {
                elo0: 5.0,
                elo1: 0.0,
                ..TEST
            }
            .llr(&games))
            .abs()
                < 1e-9
        );
    }

    #[test]
    fn verdicts() {
        assert_eq!(
            TEST.verdict(TEST.llr(&pairs([10, 100, 500, 300, 50]))),
            SprtVerdict::AcceptElo1
        );
        assert_eq!(
            TEST.verdict(TEST.llr(&pairs([50, 300, 500, 100, 10]))),
            SprtVerdict::AcceptElo0
        );
        assert_eq!(
            TEST.verdict(TEST.llr(&pairs([1, 1, 1, 1, 1]))),
            SprtVerdict::Undecided
        );
        assert_eq!(TEST.llr(&pairs([0; 5])), 0.0);
    }

    #[test]
    fn results_that_have_not_occurred_and_few_results_decide_nothing() {
        let test = Sprt { elo1: 40.0, ..TEST };
        let even = test.llr(&pairs([5, 20, 50, 20, 5]));
        assert!(even < 0.0, "{even}");
        let strong = test.llr(&pairs([5, 15, 40, 30, 10]));
        assert!(strong > 0.0, "{strong}");
        // Two pairs that were won 2:0 change nothing, and five decide nothing.
        assert!(test.llr(&pairs([0, 0, 0, 0, 2])).abs() < 1e-9);
        let won = test.llr(&pairs([0, 0, 0, 0, 5]));
        assert!((0.1..1.0).contains(&won), "{won}");
    }
}
