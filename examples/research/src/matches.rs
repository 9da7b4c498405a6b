//! Simulated matches of two players whose true difference is known, played by a sequential test.

use referee::game::{GameResult, Seat};
use referee::random::Stream;
use referee::rating::{EloModel, Interval, MatchScore, Sprt, SprtVerdict, Tally};
use referee::schedule::{Format, NextGame, TestState};

/// How the results of a game pair vary, apart from the players' strength.
#[derive(Debug, Clone, Copy)]
pub struct World {
    pub name: &'static str,
    /// How many games are drawn.
    pub draws: f64,
    /// By how much an opening favours one seat. Each player has the good seat once, which correlates the
    /// two games of a pair negatively.
    pub seat: f64,
    /// By how much an opening favours one player in both games, which correlates them positively.
    pub style: f64,
}

pub const WORLDS: [World; 5] = [
    World {
        name: "decisive",
        draws: 0.0,
        seat: 0.0,
        style: 0.0,
    },
    World {
        name: "a third drawn",
        draws: 1.0 / 3.0,
        seat: 0.1,
        style: 0.0,
    },
    World {
        name: "drawish",
        draws: 0.7,
        seat: 0.0,
        style: 0.0,
    },
    World {
        name: "pairs opposed",
        draws: 0.1,
        seat: 0.3,
        style: 0.0,
    },
    World {
        name: "pairs alike",
        draws: 0.1,
        seat: 0.0,
        style: 0.3,
    },
];

#[derive(Debug, Clone, Copy)]
pub struct Rates {
    /// How often elo1 was accepted though elo0 is true.
    pub false_alarms: f64,
    /// How often elo0 was accepted though elo1 is true.
    pub misses: f64,
    /// How many game pairs a match took to be decided, on average.
    pub pairs: f64,
}

/// Plays so many matches at elo0, and as many at elo1.
pub fn rates(world: &World, test: Sprt, matches: u64) -> Rates {
    let mut pairs = 0;
    let [accepted0, accepted1] = [test.elo0, test.elo1].map(|value| {
        let accepted = (0..matches).filter(|number| {
            let state = play(world, test, elo(world, test.model, value), *number);
            pairs += state.scores.blocks();
            assert_ne!(state.verdict, SprtVerdict::Undecided, "there is no limit");
            state.verdict == SprtVerdict::AcceptElo1
        });
        accepted.count() as f64 / matches as f64
    });
    Rates {
        false_alarms: accepted0,
        misses: 1.0 - accepted1,
        pairs: pairs as f64 / (2 * matches) as f64,
    }
}

/// What estimates after many matches are worth: corrected for when they ended, or not.
#[derive(Debug, Clone, Copy)]
pub struct Estimates {
    /// The median, in Elo.
    pub median: f64,
    /// How often the 95 % interval holds the truth.
    pub held: f64,
}

/// Plays so many matches of a player who is this much stronger. The first estimates are corrected.
pub fn estimates(world: &World, test: Sprt, elo: f64, matches: u64) -> [Estimates; 2] {
    let played: Vec<TestState> = (0..matches)
        .map(|number| play(world, test, elo, number))
        .collect();
    let corrected = |state: &TestState| {
        let estimate = state.estimate()?;
        Some(estimate.elo)
    };
    let plain = |state: &TestState| pairs_of(state).elo();
    [
        summary(elo, played.iter().filter_map(corrected)),
        summary(elo, played.iter().filter_map(plain)),
    ]
}

fn summary(truth: f64, intervals: impl Iterator<Item = Interval>) -> Estimates {
    let intervals: Vec<Interval> = intervals.collect();
    let held = |[low, _, high]: &&Interval| *low <= truth && truth <= *high;
    let mut middles: Vec<f64> = intervals.iter().map(|[_, middle, _]| *middle).collect();
    middles.sort_by(f64::total_cmp);
    Estimates {
        median: middles[middles.len() / 2],
        held: intervals.iter().filter(held).count() as f64 / intervals.len() as f64,
    }
}

fn elo(world: &World, model: EloModel, value: f64) -> f64 {
    match model {
        EloModel::Logistic => value,
        EloModel::Normalized => {
            let t = value * 10_f64.ln() / 800.0;
            // The variance of a game's share of a pair, and the greater mean that needs it.
            let mut mean = 0.5;
            for _ in 0..50 {
                let game = world.score_variance(mean);
                mean = 0.5 + t * game.sqrt();
            }
            400.0 * (mean / (1.0 - mean)).log10()
        }
    }
}

impl World {
    /// Twice the variance of a pair's share of the points, given the mean score.
    fn score_variance(&self, mean: f64) -> f64 {
        let own = |mean: f64| mean * (1.0 - mean) - self.draws / 4.0;
        let spread = |luck: f64| f64::midpoint(own(mean + luck), own(mean - luck));
        let within = spread(self.seat + self.style);
        // In one opening both games have the luck of style, and opposite ones of seats.
        within + 2.0 * self.style * self.style
    }
}

/// Plays the match with this number, of a player who is so much stronger.
fn play(world: &World, test: Sprt, elo: f64, number: u64) -> TestState {
    let mut chance = Chance(Stream::new(elo.to_bits(), number));
    let format = Format::Sprt {
        challenger: 0,
        test,
        most_games: None,
    };
    let mut schedule = format.schedule(2, 2);
    let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let mut opening = 1.0;
    while let NextGame::Issue(ticket) = schedule.next() {
        let seat = usize::from(ticket.players[Seat::FIRST] != 0);
        if seat == 0 {
            opening = if chance.uniform() < 0.5 { 1.0 } else { -1.0 };
        }
        let seat_luck = if seat == 0 { world.seat } else { -world.seat };
        let win = score + opening * (seat_luck + world.style) - world.draws / 2.0;
        assert!((0.0..=1.0 - world.draws).contains(&win), "{world:?}");
        let result = match chance.uniform() {
            luck if luck < win => GameResult::Won(Seat::BOTH[seat]),
            luck if luck < win + world.draws => GameResult::Drawn,
            _ => GameResult::Won(Seat::BOTH[1 - seat]),
        };
        schedule.record(ticket.id, result);
    }
    schedule.test().expect("it is a test")
}

struct Chance(Stream);

impl Chance {
    fn uniform(&mut self) -> f64 {
        self.0.uniform()
    }
}

fn pairs_of(state: &TestState) -> MatchScore {
    MatchScore {
        pairs: state.pairs().expect("a game of two"),
        singles: Tally::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::{WORLDS, estimates, rates};
    use referee::rating::{EloModel, Sprt};

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 40.0,
        alpha: 0.05,
        beta: 0.1,
        model: EloModel::Logistic,
    };

    const MATCHES: u64 = 10_000;

    #[test]
    #[ignore = "slow"]
    fn errors_in_ten_thousand_matches_are_as_rare_as_asked_for() {
        for world in &WORLDS {
            let rates = rates(world, TEST, MATCHES);
            println!(
                "{}: {:.2} % accepted at {} Elo (asked for: {} %), {:.2} % rejected at {} Elo ({} %), \
                 {:.0} game pairs",
                world.name,
                100.0 * rates.false_alarms,
                TEST.elo0,
                100.0 * TEST.alpha,
                100.0 * rates.misses,
                TEST.elo1,
                100.0 * TEST.beta,
                rates.pairs
            );
            // As rare as asked for, within three standard errors.
            let most = |rate: f64| rate + 3.0 * (rate * (1.0 - rate) / MATCHES as f64).sqrt();
            assert!(rates.false_alarms <= most(TEST.alpha), "{}", world.name);
            assert!(rates.misses <= most(TEST.beta), "{}", world.name);
            // A test that makes no errors would play too many games.
            assert!(rates.false_alarms > TEST.alpha / 3.0, "{}", world.name);
            assert!(rates.misses > TEST.beta / 3.0, "{}", world.name);
        }
    }

    #[test]
    fn estimates_are_right_although_the_test_decided_when_the_match_ended() {
        // A test of a difference far outside of both hypotheses is short, and the correction goes a little too far.
        for (elo, most) in [(0.0, 3.0), (20.0, 3.0), (60.0, 6.0)] {
            let [corrected, plain] = estimates(&WORLDS[1], TEST, elo, 1000);
            println!("{elo} Elo: {corrected:?}, not corrected: {plain:?}");
            assert!((corrected.median - elo).abs() < most, "{corrected:?}");
            assert!(corrected.held > 0.93, "{corrected:?}");
            // Without the correction, the ends of the scale are too far out.
            assert!(elo == 20.0 || (plain.median - elo).abs() > 5.0, "{plain:?}");
        }
    }
}
