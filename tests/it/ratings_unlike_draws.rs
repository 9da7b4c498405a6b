//! Players of whom some draw more than others.

use referee::game::Blame;
use referee::rating::{Model, RatedGame, Ratings, Standings};

use crate::support::simulated::{Chance, Held, outcome};

/// How often the 95 % intervals of differences hold, which are 0 of two players of the first half, of two of different halves, and of two of the
/// second half.
type Found = [Held; 3];

/// Plays and rates so many round robins of single games. `draws` are the shares of draws within the first half of the
/// players, between the halves, and within the second half.
fn study(draws: [f64; 3], players: usize, games: usize, tournaments: u64) -> Found {
    let names: Vec<String> = (0..players).map(|player| format!("p{player:02}")).collect();
    let class = |a: usize, b: usize| usize::from(2 * a >= players) + usize::from(2 * b >= players);
    let mut found = Found::default();
    for tournament in 0..tournaments {
        let mut chance = Chance::new(16, tournament);
        let mut standings = Standings::default();
        for a in 0..players {
            for b in 0..a {
                for game in 0..games {
                    let seats = if game % 2 == 0 { [a, b] } else { [b, a] };
                    standings.add(&RatedGame {
                        names: seats.map(|player| names[player].as_str()),
                        result: outcome(0.0, draws[class(a, b)], chance.uniform()).as_result(),
                        blame: Blame::Nobody,
                        pair: None,
                        digest: None,
                    });
                }
            }
        }
        let ratings = Ratings::new(&standings, Model::default());
        let at = |player: usize| standings.find(&names[player]).expect("a player");
        for a in 0..players {
            for b in 0..a {
                let difference = ratings.difference(at(a), at(b));
                found[class(a, b)].count(difference.low(), 0.0, difference.high());
            }
        }
    }
    found
}

#[test]
fn who_draws_less_than_others_has_wider_intervals() {
    let found = study([0.0, 0.8, 0.8], 6, 60, 200);
    for (class, three_deviations) in [(0, 3.2), (1, 1.8), (2, 3.2)] {
        let held = found[class].percent();
        assert!((held - 95.0).abs() < three_deviations, "{class}: {held} %");
    }
}

#[test]
fn where_all_draw_alike_chance_makes_no_interval_wider_or_narrower() {
    for found in study([0.4; 3], 6, 60, 200) {
        let held = found.percent();
        assert!((held - 95.0).abs() < 3.2, "{held} %");
    }
}
