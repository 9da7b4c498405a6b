//! An adaptive tournament: the next games are those that are the most informative about the ranking.

use super::waves::{Pairing, WavePlanner};
use super::{Conclusion, GameCount};
use crate::game::{Blame, GameResult};
use crate::rating::{Model, RatedGame, Ratings, Standings};

/// The least number of game pairs in a wave: enough to keep several processors busy.
const MIN_WAVE_PAIRS: usize = 8;

/// Each wave consists of the game pairs that [`Ratings::most_informative_pairs`] returns for the results
/// of all waves before: [`MIN_WAVE_PAIRS`], or half as many as there are players. The tournament ends when
/// the order of every two neighbours is clear, or when `pairs_left` is 0.
///
/// It keeps only the counts of [`Standings`], which grow with the pairings and not with the games.
#[derive(Debug)]
pub(super) struct Adaptive {
    /// A name for each player that sorts like its index.
    names: Vec<String>,
    standings: Standings,
    confidence: f64,
    most_pairs: u64,
    pairs_left: u64,
}

impl Adaptive {
    /// A tournament of `players`, at least two, of at most `most_pairs` game pairs.
    pub fn new(players: usize, confidence: f64, most_pairs: u64) -> Self {
        let names: Vec<String> = (0..players).map(|player| format!("{player:010}")).collect();
        let mut standings = Standings::default();
        for name in &names {
            standings.add_player(name);
        }
        Self {
            names,
            standings,
            confidence,
            most_pairs,
            pairs_left: most_pairs,
        }
    }

    fn ratings(&self) -> Ratings {
        Ratings::new(&self.standings, Model::default())
    }
}

impl WavePlanner for Adaptive {
    fn next_wave(&mut self, _played: &[Pairing]) -> Vec<Pairing> {
        let size = MIN_WAVE_PAIRS.max(self.names.len() / 2) as u64;
        let size = size.min(self.pairs_left) as usize;
        if size == 0 {
            return Vec::new();
        }
        let pairs = self.ratings().most_informative_pairs(self.confidence, size);
        self.pairs_left -= pairs.len() as u64;
        pairs
            .into_iter()
            .map(|players| Pairing::new(players, 1))
            .collect()
    }

    fn record(&mut self, pair: u64, players: [usize; 2], result: GameResult) {
        self.standings.add(&RatedGame {
            names: players.map(|player| self.names[player].as_str()),
            result,
            blame: Blame::Nobody,
            pair: Some(pair),
            digest: None,
        });
    }

    fn count(&self) -> GameCount {
        GameCount::AtMost(self.most_pairs.saturating_mul(2))
    }

    fn conclusion(&self) -> Option<Conclusion> {
        let ratings = self.ratings();
        Some(Conclusion::Ranking {
            order: ratings.order(),
            confidence: self.confidence,
            unclear: ratings.unclear(self.confidence),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_game_pairs, balance, conclude, random, stronger_wins};
    use super::super::{Format, Ticket};
    use super::*;
    use crate::game::Seat;

    fn adaptive(confidence: f64, most_pairs: u64) -> Format {
        Format::Adaptive {
            confidence,
            most_pairs,
        }
    }

    /// The lower index wins the first game of a pair, and three in four of the others.
    fn often(ticket: &Ticket) -> GameResult {
        match (ticket.pair % 4, ticket.id % 2) {
            (0, 1) => GameResult::Won(Seat::First),
            (_, _) => stronger_wins(ticket),
        }
    }

    #[test]
    fn it_ends_when_the_order_of_all_neighbours_is_clear_and_not_before() {
        for players in [2, 3, 8, 13] {
            let (games, end) = conclude(&adaptive(0.95, 100_000), players, 1, often);
            let Some(Conclusion::Ranking { order, unclear, .. }) = end else {
                panic!("{end:?}");
            };
            assert_eq!(order, (0..players).collect::<Vec<_>>());
            assert!(unclear.is_empty() && games.len() < 200_000);
            assert_game_pairs(&games);
            assert_eq!(balance(players, &games), 0);
            // One wave earlier it was not clear yet.
            let pairs = games.len() as u64 / 2;
            let (_, end) = conclude(&adaptive(0.95, pairs - 8), players, 1, often);
            let Some(Conclusion::Ranking { unclear, .. }) = end else {
                panic!("{end:?}");
            };
            assert!(!unclear.is_empty(), "{players}");
        }
    }

    #[test]
    fn it_ends_after_most_pairs_and_names_the_unclear_neighbours() {
        let draw = |_: &Ticket| GameResult::Drawn;
        for budget in [1, 7, 8, 9, 100] {
            let (games, end) = conclude(&adaptive(0.9, budget), 4, 3, draw);
            assert_eq!(games.len() as u64, budget * 2);
            let Some(Conclusion::Ranking { unclear, .. }) = end else {
                panic!("{end:?}");
            };
            assert_eq!(unclear, [[0, 1], [1, 2], [2, 3]]);
        }
    }

    #[test]
    fn the_number_of_jobs_and_the_order_of_results_change_nothing() {
        for seed in 0..5 {
            for players in [2, 5, 30] {
                let one = conclude(&adaptive(0.9, 150), players, 1, random(seed));
                for jobs in [2, 8, 50] {
                    let other = conclude(&adaptive(0.9, 150), players, jobs, random(seed));
                    assert_eq!(one, other, "{jobs} jobs");
                }
            }
        }
    }

    #[test]
    fn every_player_plays() {
        let (games, _) = conclude(&adaptive(0.9, 200), 41, 1, random(1));
        for player in 0..41 {
            assert!(games.iter().any(|(game, _)| game.players.contains(&player)));
        }
    }

    #[test]
    fn games_that_both_forfeit_do_not_decide() {
        let (games, end) = conclude(&adaptive(0.9, 20), 2, 1, |_| GameResult::Nobody);
        assert_eq!(games.len(), 40);
        let Some(Conclusion::Ranking { unclear, .. }) = end else {
            panic!("{end:?}");
        };
        assert_eq!(unclear, [[0, 1]]);
    }
}
