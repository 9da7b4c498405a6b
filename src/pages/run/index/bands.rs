//! Bands of players that the games do not tell apart, as bars and letters in the standings.

use std::ops::Range;

use crate::pages::parts::cell_chart::CellChart;
use crate::pages::parts::svg::round;
use crate::pages::parts::table::CellView;
use crate::report::TOLD_APART;
use crate::results::Rated;

/// Upper bound on the bars side by side; width of a bar's lane and of the bar, in percent of the chart.
const LANES: usize = 8;
const LANE: f64 = 2.4;
const BAR: f64 = 1.0;

/// The bands of the players of a game. Each is a range of places in the order of the ratings.
pub struct Bands {
    bands: Vec<Range<usize>>,
    /// The lane of each band; bands that overlap have different ones.
    lanes: Vec<usize>,
}

impl Bands {
    pub fn new(one: &Rated<'_>) -> Self {
        let bands = one.bands(TOLD_APART);
        Self {
            lanes: lanes(&bands),
            bands,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.bands.is_empty()
    }

    fn are_drawn(&self) -> bool {
        self.lanes.iter().all(|lane| *lane < LANES)
    }

    /// Width of all lanes, in percent of the chart.
    pub fn room(&self) -> f64 {
        match self.lanes.iter().max() {
            Some(last) if self.are_drawn() => round(LANE * (last + 1) as f64),
            _ => 0.0,
        }
    }

    /// Draws the bars of the bands at a place, if there is room for all bands.
    pub fn draw(&self, chart: &mut CellChart, place: usize) {
        if !self.are_drawn() {
            return;
        }
        for (band, lane) in self.bands.iter().zip(&self.lanes) {
            if band.contains(&place) {
                let goes_on = [place > band.start, place + 1 < band.end];
                chart.add_upright("band", [LANE * *lane as f64, BAR], goes_on);
            }
        }
    }

    /// The letters of the bands at a place: players with a common letter are not told apart.
    pub fn cell(&self, place: usize) -> CellView {
        let own = self.bands.iter().enumerate();
        let own = own.filter(|(_, band)| band.contains(&place));
        let own: Vec<String> = own.map(|(number, _)| letter(number)).collect();
        match own.as_slice() {
            [] => CellView::default(),
            // Bands are sorted by both ends, so the bands of a player are consecutive.
            [first, .., last] if own.len() > 2 => CellView::text(&format!("{first} to {last}")),
            few => CellView::text(&few.join(" ")),
        }
    }
}

/// The letters of a band: `a` to `z`, then `aa`, `ab` and so on.
fn letter(number: usize) -> String {
    // Below 26, so the cast is exact.
    let last = char::from(b'a' + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        more => letter(more - 1) + &last.to_string(),
    }
}

/// Greedy lanes: each band takes the first lane without an overlap.
fn lanes(bands: &[Range<usize>]) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    let lanes = bands.iter().map(|band| {
        let free = ends.iter().position(|end| *end <= band.start);
        let lane = free.unwrap_or(ends.len());
        match ends.get_mut(lane) {
            Some(end) => *end = band.end,
            None => ends.push(band.end),
        }
        lane
    });
    lanes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_band_has_its_letters() {
        let letters = [0, 25, 26, 27, 701, 702].map(letter);
        assert_eq!(letters, ["a", "z", "aa", "ab", "zz", "aaa"]);
    }

    #[test]
    fn bands_that_overlap_have_different_lanes() {
        assert_eq!(lanes(&[0..2, 2..5, 5..7]), [0, 0, 0]);
        assert_eq!(lanes(&[0..3, 1..4, 3..6, 4..7]), [0, 1, 0, 1]);
        assert_eq!(lanes(&[0..4, 1..5, 2..6, 4..8]), [0, 1, 2, 0]);
    }
}
