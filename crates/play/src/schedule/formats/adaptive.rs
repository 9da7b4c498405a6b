//! An adaptive tournament: the next games are between ranking neighbours with the least certain order.

use crate::game::GameResult;
use crate::rating::{GameCounter, Model, RankingTest, RatedGame, Ratings};
use crate::schedule::seating::{Match, WavePlanner};
use crate::schedule::{Conclusion, GameCount, NextPlace, Ticket};

/// Minimum number of game pairs in a wave, to keep several processors busy.
const MIN_WAVE_PAIRS: u64 = 8;

/// A wave has at least 1/64 of the game pairs played before, so that long tournaments have few waves.
const SHARE_OF_PLAYED: u64 = 64;

/// Each wave has the game pairs that [`Ratings::least_clear_pairs`] returns for the results of all waves
/// before. Its size is the largest of [`MIN_WAVE_PAIRS`], half the number of players and 1/[`SHARE_OF_PLAYED`]
/// of the pairs played. The tournament ends when the ranking test separates all neighbours, or when
/// `pairs_left` is 0.
///
/// Only the counts of [`GameCounter`] are kept: memory grows with the pairings, not with the games.
#[derive(Debug)]
pub struct Adaptive {
    /// A name for each player, in the sort order of its index.
    names: Vec<String>,
    games: GameCounter,
    test: RankingTest,
    most_pairs: u64,
    pairs_left: u64,
}

impl Adaptive {
    /// A tournament of `players` (at least two) and at most `most_pairs` game pairs.
    pub fn new(players: usize, test: RankingTest, most_pairs: u64) -> Self {
        let names: Vec<String> = (0..players).map(|player| format!("{player:010}")).collect();
        let mut games = GameCounter::default();
        for name in &names {
            games.add_player(name);
        }
        Self {
            names,
            games,
            test,
            most_pairs,
            pairs_left: most_pairs,
        }
    }

    fn ratings(&self) -> Ratings {
        Ratings::new(&self.games.clone().standings(), Model::default())
    }
}

impl WavePlanner for Adaptive {
    fn next_wave(&mut self, _played: &[Match]) -> Vec<Match> {
        let size = MIN_WAVE_PAIRS
            .max(self.names.len() as u64 / 2)
            .max((self.most_pairs - self.pairs_left) / SHARE_OF_PLAYED)
            .min(self.pairs_left);
        if size == 0 {
            return Vec::new();
        }
        let pairs = self.ratings().least_clear_pairs(&self.test, size as usize);
        self.pairs_left -= pairs.len() as u64;
        pairs
            .into_iter()
            .map(|players| Match::new(players.to_vec(), 1))
            .collect()
    }

    fn record(&mut self, game: &Ticket, result: GameResult) {
        let names = game.players.each_ref();
        let names = names.map(|player| self.names[*player].as_str());
        self.games.add(&RatedGame {
            block: Some(game.block),
            ..RatedGame::new(names, result)
        });
    }

    fn count(&self) -> GameCount {
        GameCount::AtMost(self.most_pairs.saturating_mul(2))
    }

    fn conclusion(&self) -> Option<Conclusion> {
        let ratings = self.ratings();
        let order = ratings.order();
        let next = order.windows(2).map(|two| {
            let players = [two[0], two[1]];
            NextPlace {
                apart: ratings.order_verdict(players, &self.test),
                difference: ratings.difference_after_test(players, &self.test),
            }
        });
        Some(Conclusion::Ranking {
            next: next.collect(),
            test: self.test,
            order,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seat;
    use crate::rating::OrderVerdict;
    use crate::schedule::Format;
    use crate::schedule::testing::{balance, conclude, stronger_wins};

    fn adaptive(confidence: f64, most_pairs: u64) -> Format {
        Format::Adaptive {
            test: RankingTest {
                confidence,
                indifference: 20.0,
            },
            most_games: 2 * most_pairs,
        }
    }

    /// Order of an adaptive tournament, and whether each place is unclear against the next.
    fn ranking(end: Option<Conclusion>) -> (Vec<usize>, Vec<bool>) {
        let Some(Conclusion::Ranking { order, next, .. }) = end else {
            panic!("{end:?}");
        };
        let unclear = next.iter().map(|next| next.apart == OrderVerdict::Unclear);
        (order, unclear.collect())
    }

    /// The lower index wins the first game of a pair, and three in four of the others.
    fn often(ticket: &Ticket) -> GameResult {
        match (ticket.block % 4, ticket.id % 2) {
            (0, 1) => GameResult::Won(Seat::FIRST),
            (_, _) => stronger_wins(ticket),
        }
    }

    #[test]
    fn it_ends_when_the_order_of_all_neighbours_is_clear_and_not_before() {
        for players in [2, 3, 8, 13] {
            let (games, end) = conclude(&adaptive(0.95, 100_000), players, 1, often);
            let (order, unclear) = ranking(end);
            assert_eq!(order, (0..players).collect::<Vec<_>>());
            assert!(!unclear.contains(&true) && games.len() < 200_000);
            assert_eq!(balance(players, games.iter().map(|it| &it.0)), 0);
            // Before the last wave the order was not clear yet.
            let before = games
                .iter()
                .take_while(|(game, _)| game.round < games[games.len() - 1].0.round);
            let pairs = before.count() as u64 / 2;
            let (_, end) = conclude(&adaptive(0.95, pairs), players, 1, often);
            assert!(ranking(end).1.contains(&true), "{players}");
        }
    }

    #[test]
    fn equal_players_end_as_tied() {
        let (games, end) = conclude(&adaptive(0.95, 10_000), 3, 1, |_| GameResult::Drawn);
        let Some(Conclusion::Ranking { next, .. }) = end else {
            panic!("{end:?}");
        };
        assert!(games.len() < 20_000);
        for next in next {
            assert_eq!(next.apart, OrderVerdict::Tied);
            let [low, _, high] = next.difference;
            assert!(-40.0 < low && low < 0.0 && 0.0 < high && high < 40.0);
        }
    }
}
