//! Games that a league of 20 needs until all ratings are known to ±30 Elo, by who meets whom.

use research::count;
use research::league::{Pairing, all_at_once, one_more};

fn main() {
    let times = count(20);
    let (bots, margin) = (20, 30.0);
    println!("{times} leagues of {bots} each: games until ±{margin} Elo");
    for pairing in [Pairing::League, Pairing::RoundRobin, Pairing::Random] {
        let all = (0..times).map(|seed| all_at_once(pairing, bots, margin, seed));
        let [games, error] = all.fold([0.0; 2], |[games, error], one| {
            [games + one[0], error + one[1]]
        });
        let more: f64 = (0..times)
            .map(|seed| one_more(pairing, bots, margin, seed))
            .sum();
        let of = |sum: f64| sum / times as f64;
        println!(
            "{pairing:?}: all at once {:.0}, mean error {:.1}; one more {:.0}",
            of(games),
            of(error),
            of(more)
        );
    }
}
