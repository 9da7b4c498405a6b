//! Bands of players whom the games do not tell apart.

use std::ops::Range;

/// The bands of an order, given how likely one player is stronger than another: ranges of places with at least two neighbours
/// each, from the first place to the last. No player of a band is known, with this confidence, to be stronger than another
/// one. Bands can overlap, but none is inside another one.
pub fn bands(
    order: &[usize],
    confidence: f64,
    superiority: impl Fn(usize, usize) -> f64,
) -> Vec<Range<usize>> {
    let mut bands: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for (place, player) in order.iter().enumerate() {
        let clear = |other: &usize| {
            let superiority = superiority(*other, *player);
            superiority.max(1.0 - superiority) >= confidence
        };
        let last_clear = order[start..place].iter().rposition(clear);
        start = last_clear.map_or(start, |at| start + at + 1);
        if start == place {
            continue;
        }
        match bands.last_mut() {
            Some(band) if band.start == start => band.end = place + 1,
            _ => bands.push(start..place + 1),
        }
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{GameCounter, Model, Ratings, Score};

    /// Ratings of players who each met only the next one, and won `wins` games of twenty.
    fn ratings(wins: &[u64]) -> Ratings {
        let mut standings = GameCounter::default();
        let names: Vec<String> = (0..=wins.len()).map(|name| format!("{name:02}")).collect();
        for (pair, wins) in names.windows(2).zip(wins) {
            for game in 0..20 {
                let score = if game < *wins {
                    Score::Win
                } else {
                    Score::Loss
                };
                standings.add_score([pair[0].as_str(), pair[1].as_str()], score);
            }
        }
        Ratings::new(&standings.standings(), Model { first_mover: false })
    }

    /// The first place of each band, and the one after its last.
    fn bands_of(wins: &[u64]) -> Vec<[usize; 2]> {
        let ratings = ratings(wins);
        let order = ratings.order();
        assert!(order.is_sorted(), "{order:?}");
        let bands = bands(&order, 0.95, |a, b| ratings.superiority(a, b));
        bands.iter().map(|band| [band.start, band.end]).collect()
    }

    #[test]
    fn a_band_ends_where_two_of_its_players_can_be_told_apart() {
        assert_eq!(bands_of(&[11, 11, 11]), [[0, 4]]);
        assert_eq!(bands_of(&[11, 19, 11]), [[0, 2], [2, 4]]);
        // Neighbours are alike, and those two places apart are not.
        let neighbours: Vec<[usize; 2]> = (0..7).map(|at| [at, at + 2]).collect();
        assert_eq!(bands_of(&[13; 7]), neighbours);
        // A player who differs clearly from all others is in no band.
        assert_eq!(bands_of(&[19, 19, 11]), [[2, 4]]);
        assert_eq!(bands_of(&[19; 7]), [[0; 2]; 0]);
    }

    #[test]
    fn each_two_players_of_a_band_and_no_further_one_are_alike() {
        let ratings = ratings(&[12, 14, 10, 11, 15, 12, 13, 19, 12, 11, 11, 14]);
        let order = ratings.order();
        let alike = |a: usize, b: usize| {
            let superiority = ratings.superiority(order[a], order[b]);
            superiority < 0.95 && superiority > 0.05
        };
        let all_alike = |band: &Range<usize>| {
            let mut players = band.clone();
            players.all(|a| (a + 1..band.end).all(|b| alike(a, b)))
        };
        let mut longest = Vec::new();
        for start in 0..order.len() {
            let ends = (start + 2..=order.len()).rev();
            let mut bands = ends.map(|end| start..end);
            let Some(band) = bands.find(all_alike) else {
                continue;
            };
            if longest
                .last()
                .is_none_or(|last: &Range<usize>| last.end < band.end)
            {
                longest.push(band);
            }
        }
        assert!(longest.len() > 3, "{longest:?}");
        assert_eq!(
            bands(&order, 0.95, |a, b| ratings.superiority(a, b)),
            longest
        );
    }
}
