//! A small edition of `examples/research/src/bin/adaptive.rs`: fewer games than a round robin for an equally clear ranking, and
//! differences that hold the truth.

use crate::support::ranking::{FIELDS, adaptive, round_robin};
use referee::rating::RankingTest;

/// With so great an indifference that the tournaments are short.
const TEST: RankingTest = RankingTest {
    confidence: 0.9,
    indifference: 40.0,
};

#[test]
#[ignore = "slow"]
fn a_ranking_is_clear_after_fewer_games_than_in_a_round_robin_and_as_rarely_wrong_as_asked_for() {
    let (mut wrong, mut neighbours) = (0, 0);
    let mut held = 0;
    for field in FIELDS.iter().filter(|field| field.players == 8) {
        let mut games = [0, 0];
        for seed in 0..10 {
            let ours = adaptive(field, TEST, seed);
            if seed < 2 {
                games[0] += ours.games;
                games[1] += round_robin(field, TEST, seed).games;
            }
            wrong += ours.wrong + ours.wrongly_tied;
            neighbours += field.players as u64 - 1;
            held += ours.held;
        }
        println!(
            "{}: {} games, and {} in a round robin",
            field.name, games[0], games[1]
        );
        assert!(games[0] < games[1], "{field:?}");
    }
    assert!(wrong * 10 <= neighbours, "{wrong} of {neighbours}");
    assert!(held * 100 >= neighbours * 93, "{held} of {neighbours}");
}
