//! How much more games would help: repetitions of marks that rest on more games than were played.

use super::TestGames;
use super::repetition::{EQUAL, Scheme, Spread};
use super::urn::Urn;
use crate::game::Chance;

/// How a repetition would differ after more games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forecast {
    /// The probability that the total is another one.
    pub probability: f64,
    /// The mean distance of both totals, in marks.
    pub distance: f64,
}

impl Scheme {
    /// Guesses how a repetition would differ, if `more` games were played against each seating of opponents first, in whole
    /// blocks. Each simulation
    /// draws these games from the urns, marks them with the games that were played, and compares this total with a
    /// repetition of all games. Sequential tests have no more games: they play on until their verdict.
    pub fn forecast(
        &self,
        games: &[TestGames],
        other: f64,
        more: u32,
        simulations: usize,
        chance: &mut dyn Chance,
    ) -> Forecast {
        let urns = |games: &[TestGames]| -> Vec<Vec<Urn>> {
            let urns = self.tests.iter().zip(games);
            urns.map(|(test, own)| Urn::of(test, own, games.len(), 1.0))
                .collect()
        };
        let mut first = urns(games);
        let mut spreads = vec![Spread::default(); self.tests.len() + 1];
        let (mut changed, mut distance) = (0.0, 0.0);
        for _ in 0..simulations {
            let mut longer = games.to_vec();
            let tests = self.tests.iter().zip(&mut first).zip(&mut longer);
            for ((test, urns), own) in tests.filter(|((test, _), _)| !test.rule.is_sequential()) {
                for (urn, blocks) in urns.iter_mut().zip(&mut own.opponents) {
                    urn.refill();
                    let more = more as usize / test.seats;
                    blocks.extend((0..more).map(|_| urn.draw(chance)));
                }
            }
            let total = self.total(&longer, other);
            let again = self.once(&mut urns(&longer), other, &mut spreads, chance);
            changed += f64::from(u8::from((again - total).abs() > EQUAL));
            distance += (again - total).abs();
        }
        let number = simulations.max(1) as f64;
        Forecast {
            probability: changed / number,
            distance: distance / number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::scheme::{Doubt, MarkRule, MarkedBlock, MarkedGame, SchemeTest};
    use crate::random::Stream;

    /// Pairs of a game won and a game lost, and as many of two games won.
    fn games(pairs: usize) -> TestGames {
        let game = |points: f64| MarkedGame {
            points,
            forfeited: false,
        };
        let pair = |at: usize| MarkedBlock::new([game(1.0), game((at % 2) as f64)]);
        TestGames {
            opponents: vec![(0..pairs).map(pair).collect()],
        }
    }

    fn scheme(rule: MarkRule) -> Scheme {
        Scheme {
            tests: vec![SchemeTest {
                marks: 10.0,
                rule,
                cap: 40,
                points: [0.0, 1.0],
                seats: 2,
            }],
            reliability: None,
            rounding: 0.5,
            most: 10.0,
        }
    }

    fn forecast(scheme: &Scheme, pairs: usize, more: u32) -> Forecast {
        let mut chance = Stream::new(7, 0);
        scheme.forecast(&[games(pairs)], 0.0, more, 4000, &mut chance)
    }

    #[test]
    fn without_more_games_it_is_the_probability_of_a_change() {
        let scheme = scheme(MarkRule::Share);
        for pairs in [4, 10, 40] {
            let mut chance = Stream::new(8, 0);
            let change = scheme.change(&[games(pairs)], 0.0, 4000, &mut chance);
            let found = forecast(&scheme, pairs, 0).probability;
            // Five standard errors of the difference.
            let error = 5.0 * (2.0 * found * (1.0 - found) / 4000.0).sqrt();
            assert!(
                (found - change.probability).abs() < error,
                "{pairs}: {found} {change:?}"
            );
        }
    }

    #[test]
    fn more_games_bring_repetitions_nearer() {
        let scheme = scheme(MarkRule::Share);
        let distances = [0, 20, 80, 320].map(|more| forecast(&scheme, 10, more).distance);
        assert!(
            distances.is_sorted_by(|one, other| one > other),
            "{distances:?}"
        );
        // Sixteen times as many games have a quarter of the error.
        let part = distances[3] / distances[0];
        assert!((0.2..0.4).contains(&part), "{distances:?}");
    }

    #[test]
    fn sequential_tests_have_no_more_games() {
        let scheme = scheme(MarkRule::Reach {
            share: 0.7,
            margin: 0.05,
            error: 0.01,
            doubt: Doubt::Half,
        });
        assert_eq!(forecast(&scheme, 20, 0), forecast(&scheme, 20, 80));
    }
}
