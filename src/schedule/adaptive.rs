//! An adaptive tournament: those meet of whom most is to be learned about the ranking.

use super::Conclusion;
use super::waves::{Meeting, Waves};
use crate::game::{Blame, GameResult};
use crate::rating::{Model, RatedGame, Ratings, Standings};

/// The least number of game pairs in a wave: enough to keep some processors busy.
const WAVE: usize = 8;

/// Each wave is of the game pairs that [`Ratings::most_informative_pairs`] asks for, given the results of all
/// waves before: of [`WAVE`] pairs, or half as many as there are players. It ends when the order of
/// every two neighbours is clear, or the greatest number of game pairs is played.
///
/// What is kept are the counts of [`Standings`], which grow with the pairings and not with the games.
#[derive(Debug)]
pub(super) struct Adaptive {
    /// By player: a name that sorts like the index.
    names: Vec<String>,
    standings: Standings,
    confidence: f64,
    pairs_left: u64,
}

impl Adaptive {
    /// A tournament of `players`, at least two, of at most that many game pairs.
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
            pairs_left: most_pairs,
        }
    }

    fn ratings(&self) -> Ratings {
        Ratings::new(&self.standings, Model::default())
    }
}

impl Waves for Adaptive {
    fn wave(&mut self, _played: &[Meeting]) -> Vec<Meeting> {
        let size = WAVE.max(self.names.len() / 2) as u64;
        let size = size.min(self.pairs_left) as usize;
        if size == 0 {
            return Vec::new();
        }
        let pairs = self.ratings().most_informative_pairs(self.confidence, size);
        self.pairs_left -= pairs.len() as u64;
        pairs
            .into_iter()
            .map(|players| Meeting::new(players, 1))
            .collect()
    }

    fn game(&mut self, pair: u64, players: [usize; 2], result: GameResult) {
        self.standings.add(&RatedGame {
            names: players.map(|player| self.names[player].as_str()),
            result,
            blame: Blame::Nobody,
            pair: Some(pair),
            digest: None,
        });
    }

    fn total(&self) -> Option<u64> {
        None
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
    fn it_ends_when_all_neighbours_are_apart_and_not_before() {
        for players in [2, 3, 8, 13] {
            let (games, end) = conclude(&adaptive(0.95, 100_000), players, 1, often);
            let Some(Conclusion::Ranking { order, unclear, .. }) = end else {
                panic!("{end:?}");
            };
            assert_eq!(order, (0..players).collect::<Vec<_>>());
            assert!(unclear.is_empty() && games.len() < 200_000);
            assert_game_pairs(&games);
            assert_eq!(balance(players, &games), 0);
            // A wave less, and it was not clear yet.
            let pairs = games.len() as u64 / 2;
            let (_, end) = conclude(&adaptive(0.95, pairs - 8), players, 1, often);
            let Some(Conclusion::Ranking { unclear, .. }) = end else {
                panic!("{end:?}");
            };
            assert!(!unclear.is_empty(), "{players}");
        }
    }

    #[test]
    fn it_ends_with_the_budget_and_says_what_is_not_clear() {
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
    fn nobody_is_left_out() {
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
