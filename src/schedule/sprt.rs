//! A sequential test: plays until it is clear whether the challenger is stronger.

use super::{Conclusion, Next, Schedule, Ticket};

/// How many game pairs may be begun beyond the last whose result is taken into account. It is fixed,
/// and not the number of jobs, so that any number of jobs plays the same games.
const AHEAD: u64 = 8;

/// What is counted for a result of a pair that never came about: no result is impossible.
const UNSEEN: f64 = 1e-3;

/// The two hypotheses, and how often each may be rejected by mistake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hypotheses {
    /// The challenger is only this much stronger, in Elo.
    pub elo0: f64,
    /// It is this much stronger.
    pub elo1: f64,
    /// How often elo1 may be accepted though elo0 is true.
    pub alpha: f64,
    /// How often elo0 may be accepted though elo1 is true.
    pub beta: f64,
}

impl Hypotheses {
    /// The log-likelihood ratios at which elo0 and elo1 are accepted (A. Wald, "Sequential Tests of
    /// Statistical Hypotheses", Annals of Mathematical Statistics 16, 1945).
    pub fn bounds(&self) -> [f64; 2] {
        [
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        ]
    }

    /// The log-likelihood ratio of elo1 over elo0, given how many game pairs brought the challenger
    /// 0, ½, 1, 1½ and 2 points. Each hypothesis has the likelihood of the distribution that has
    /// its mean and explains the results best (M. Van den Bergh, "A Practical Introduction to the
    /// GSPRT").
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        let total: u64 = pairs.iter().sum();
        if total == 0 {
            return 0.0;
        }
        let counts = pairs.map(|count| (count as f64).max(UNSEEN));
        let [tilt0, tilt1] = [self.elo0, self.elo1].map(|elo| {
            let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
            (tilt(&counts, score), score)
        });
        let weight =
            |(tilt, score): (f64, f64), result: usize| 1.0 + tilt * (value(result) - score);
        (0..5)
            .map(|result| counts[result] * (weight(tilt0, result) / weight(tilt1, result)).ln())
            .sum()
    }
}

/// The challenger's share of the points of a pair.
fn value(result: usize) -> f64 {
    result as f64 / 4.0
}

/// By how much the observed distribution must be tilted for its mean to be `score`: the root of a
/// falling function, by halving.
fn tilt(counts: &[f64; 5], score: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        let sum: f64 = (0..5)
            .map(|result| {
                let off = value(result) - score;
                counts[result] * off / (1.0 + middle * off)
            })
            .sum();
        match sum > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    f64::midpoint(low, high)
}

/// A sequential probability ratio test of one challenger against all other players in turn, in game
/// pairs. Pairs are taken into account in the order of their numbers, and no pair is begun that is
/// more than [`AHEAD`] pairs beyond those.
#[derive(Debug, Clone)]
pub(super) struct Sprt {
    challenger: usize,
    field: Vec<usize>,
    hypotheses: Hypotheses,
    most_pairs: u64,
    issued: u64,
    /// The challenger's half points and the games that came in, of the pairs from `counted` on.
    open: std::collections::VecDeque<(usize, u8)>,
    counted: u64,
    results: [u64; 5],
    llr: f64,
    verdict: Option<bool>,
}

impl Sprt {
    /// A test of `challenger` among `players`, of at most that many game pairs.
    pub fn new(
        players: usize,
        challenger: usize,
        hypotheses: Hypotheses,
        most_pairs: Option<u64>,
    ) -> Self {
        Self {
            challenger,
            field: (0..players)
                .filter(|player| *player != challenger)
                .collect(),
            hypotheses,
            most_pairs: most_pairs.unwrap_or(u64::MAX / 2),
            issued: 0,
            open: Default::default(),
            counted: 0,
            results: [0; 5],
            llr: 0.0,
            verdict: None,
        }
    }

    fn count(&mut self) {
        while self.verdict.is_none()
            && let Some((half_points, 2)) = self.open.front().copied()
        {
            self.open.pop_front();
            self.counted += 1;
            self.results[half_points.min(4)] += 1;
            self.llr = self.hypotheses.llr(&self.results);
            let [lower, upper] = self.hypotheses.bounds();
            if self.llr >= upper {
                self.verdict = Some(true);
            } else if self.llr <= lower {
                self.verdict = Some(false);
            }
        }
    }
}

impl Schedule for Sprt {
    fn next(&mut self) -> Next {
        let pair = self.issued / 2;
        let in_reach = pair < self.counted + AHEAD;
        // The second game of a pair that was begun is played in any case, and so is every pair in
        // reach of those that led to the verdict: they might have been begun already.
        let ended = pair >= self.most_pairs || (self.verdict.is_some() && !in_reach);
        if ended && self.issued.is_multiple_of(2) {
            return Next::Done;
        }
        if !in_reach {
            return Next::Wait;
        }
        let id = self.issued;
        self.issued += 1;
        if id.is_multiple_of(2) {
            self.open.push_back((0, 0));
        }
        let other = self.field[(pair % self.field.len() as u64) as usize];
        let players = [self.challenger, other];
        Next::Issue(Ticket {
            id,
            pair,
            players: match id.is_multiple_of(2) {
                true => players,
                false => [other, self.challenger],
            },
        })
    }

    fn record(&mut self, id: u64, points: [f64; 2]) {
        let index = (id / 2).checked_sub(self.counted);
        let open = index.and_then(|index| self.open.get_mut(index as usize));
        if let Some((half_points, games)) = open {
            *half_points += (points[(id % 2) as usize] * 2.0) as usize;
            *games += 1;
        }
        self.count();
    }

    fn total(&self) -> Option<u64> {
        None
    }

    fn conclusion(&self) -> Option<Conclusion> {
        Some(Conclusion::Test {
            challenger: self.challenger,
            hypotheses: self.hypotheses,
            pairs: self.results,
            llr: self.llr,
            stronger: self.verdict,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::testing::{assert_game_pairs, conclude};
    use super::*;

    const TEST: Hypotheses = Hypotheses {
        elo0: 0.0,
        elo1: 40.0,
        alpha: 0.05,
        beta: 0.1,
    };

    /// Results of a challenger that is so much stronger, with a third of the games drawn, and openings
    /// that favour one seat: drawn for each game from its number.
    fn strength(elo: f64, seed: u64) -> impl FnMut(&Ticket) -> [f64; 2] {
        let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        move |ticket| {
            let draw = |number: u64| {
                let mut z = (seed << 24 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
            };
            let bias = (draw(1 << 20 | ticket.pair) - 0.5) * 0.4;
            let seat = usize::from(ticket.players[0] != 0);
            let win = score - 1.0 / 6.0 + if seat == 0 { bias } else { -bias };
            let points = match draw(ticket.id) {
                number if number < win => 1.0,
                number if number < win + 1.0 / 3.0 => 0.5,
                _ => 0.0,
            };
            match seat {
                0 => [points, 1.0 - points],
                _ => [1.0 - points, points],
            }
        }
    }

    fn test(most_pairs: Option<u64>) -> Format {
        Format::Sprt {
            challenger: 0,
            hypotheses: TEST,
            most_pairs,
        }
    }

    fn verdict(elo: f64, seed: u64) -> bool {
        let mut schedule = Sprt::new(2, 0, TEST, None);
        let mut result = strength(elo, seed);
        while schedule.verdict.is_none() {
            let Next::Issue(ticket) = schedule.next() else {
                panic!("a game at a time never waits");
            };
            schedule.record(ticket.id, result(&ticket));
        }
        schedule.verdict == Some(true)
    }

    #[test]
    fn over_ten_thousand_matches_errors_are_as_rare_as_asked_for() {
        const MATCHES: u64 = 5_000;
        let accepted = |elo: f64, from: u64| {
            let all = (from..from + MATCHES).filter(|seed| verdict(elo, *seed));
            all.count() as f64 / MATCHES as f64
        };
        let false_alarms = accepted(TEST.elo0, 0);
        let misses = 1.0 - accepted(TEST.elo1, MATCHES);
        println!("accepted at elo0: {false_alarms}, rejected at elo1: {misses}");
        // Three standard deviations of what 5000 matches can tell.
        let slack = |rate: f64| 3.0 * (rate * (1.0 - rate) / MATCHES as f64).sqrt();
        assert!(
            false_alarms <= TEST.alpha + slack(TEST.alpha),
            "{false_alarms}"
        );
        assert!(misses <= TEST.beta + slack(TEST.beta), "{misses}");
        // And a test that never errs would be one that plays too much.
        assert!(false_alarms > TEST.alpha / 4.0 && misses > TEST.beta / 4.0);
    }

    #[test]
    fn the_number_of_jobs_changes_nothing() {
        for seed in 0..20 {
            for players in [2, 4] {
                let one = conclude(&test(None), players, 1, strength(30.0, seed));
                assert_game_pairs(&one.0);
                for jobs in [2, 8, 50] {
                    let other = conclude(&test(None), players, jobs, strength(30.0, seed));
                    assert_eq!(one, other, "{jobs} jobs");
                }
            }
        }
    }

    #[test]
    fn the_ratio_has_the_right_sign_and_no_result_is_a_surprise_too_far() {
        assert_eq!(TEST.llr(&[0; 5]), 0.0);
        let even = TEST.llr(&[5, 20, 50, 20, 5]);
        assert!(even < 0.0, "{even}");
        let strong = TEST.llr(&[5, 15, 40, 30, 10]);
        assert!(strong > 0.0, "{strong}");
        // Two pairs won outright say something, and decide nothing.
        let won = TEST.llr(&[0, 0, 0, 0, 2]);
        assert!((0.1..1.0).contains(&won), "{won}");
    }

    #[test]
    fn it_ends_at_the_greatest_number_of_games() {
        let (games, end) = conclude(&test(Some(3)), 2, 8, |_| [0.5, 0.5]);
        assert_eq!(games.len(), 6);
        let Some(Conclusion::Test {
            stronger, pairs, ..
        }) = end
        else {
            panic!("{end:?}");
        };
        assert_eq!((stronger, pairs), (None, [0, 0, 3, 0, 0]));
    }
}
