//! Simulated tournaments of equal players of whom some draw more than others.

use referee::game::Blame;
use referee::rating::{Model, RatedGame, Ratings, Standings};

use super::simulated::{Chance, Held, outcome};

/// What a study found of the differences of two players of the first half, of two of different halves, and of two of the
/// second half.
pub type Found = [Differences; 3];

/// Differences of which the truth is 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Differences {
    /// The 95 % intervals.
    pub intervals: Held,
    /// How often the likelihood of superiority is above 97.5 % for neither of the two.
    pub los: Held,
}

/// Plays and rates so many round robins of single games. `draws` are the shares of draws within the first half of the
/// players, between the halves, and within the second half.
pub fn study(draws: [f64; 3], players: usize, games: usize, tournaments: u64) -> Found {
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
                let Differences { intervals, los } = &mut found[class(a, b)];
                let difference = ratings.difference(at(a), at(b));
                intervals.count(difference.low(), 0.0, difference.high());
                los.count(0.025, ratings.los(at(a), at(b)), 0.975);
            }
        }
    }
    found
}
