//! A small edition of `examples/adaptive.rs`: fewer games than a round robin for an equally clear ranking.

use crate::support::ranking::{FIELDS, adaptive, round_robin};

#[test]
fn a_ranking_is_clear_after_fewer_games_than_in_a_round_robin() {
    for field in FIELDS.iter().filter(|field| field.players <= 20) {
        let mut games = [0, 0];
        let mut wrong = 0;
        for seed in 0..4 {
            let (ours, theirs) = (adaptive(field, 0.9, seed), round_robin(field, 0.9, seed));
            games[0] += ours.games;
            games[1] += theirs.games;
            wrong += ours.wrong + theirs.wrong;
        }
        println!(
            "{} players, {}: {} games, and {} in a round robin",
            field.players, field.name, games[0], games[1]
        );
        assert!(games[0] < games[1], "{field:?}");
        // A tenth of the neighbours may be in the wrong order.
        let neighbours = 8 * (field.players as u64 - 1);
        assert!(wrong * 5 < neighbours, "{field:?}: {wrong} of {neighbours}");
    }
}
