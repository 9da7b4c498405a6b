//! A small edition of `examples/adaptive.rs`: fewer games than a round robin for as clear a ranking.

#[path = "support/ranking.rs"]
mod ranking;

use ranking::{FIELDS, adaptive, round_robin};

#[test]
fn a_ranking_is_clear_after_fewer_games_than_in_a_round_robin() {
    for field in FIELDS.iter().filter(|field| field.players <= 20) {
        let seeds = 0..4;
        let ours: u64 = seeds.clone().map(|n| adaptive(field, 0.9, n).games).sum();
        let theirs: u64 = seeds.map(|n| round_robin(field, 0.9, n).games).sum();
        println!(
            "{} players, {}: {ours} games, and {theirs} in a round robin",
            field.players, field.name
        );
        assert!(ours < theirs, "{field:?}");
    }
}
