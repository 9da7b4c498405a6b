//! Bands of players that the games do not separate, as bars beside the ratings.

use std::ops::Range;

use crate::pages::parts::rows::ROW;
use crate::pages::parts::svg::{AXIS, Chart, Shape, round};
use crate::pages::parts::table::CellView;
use crate::results::Rated;

/// Probability of superiority that separates two players.
const SHOWN: f64 = 0.95;

/// Upper bound on the bars side by side; width of a bar's lane and of the bar, in percent of the chart.
const LANES: usize = 8;
const LANE: f64 = 1.6;
const BAR: f64 = 0.7;

/// The bands of the players of a game. Each is a range of places in the order of the ratings.
pub struct Bands {
    bands: Vec<Range<usize>>,
    /// The lane of each band; bands that overlap have different ones.
    lanes: Vec<usize>,
}

impl Bands {
    pub fn new(one: &Rated<'_>) -> Self {
        let bands = one.ratings.bands(&one.order, SHOWN);
        Self {
            lanes: lanes(&bands),
            bands,
        }
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

    /// Explanation of the bands for the chart's description.
    pub fn description(&self) -> &'static str {
        match (self.bands.is_empty(), self.are_drawn()) {
            (true, _) => {
                "Of each two players, one is the stronger with a probability of 95 % or more."
            }
            (_, true) => {
                "Each bar at the left is a band: neighbours in the order of the ratings. In a band no player is \
                 stronger than another one with a probability of 95 % or more."
            }
            (_, false) => {
                "The numbers have bands of neighbours in the order of the ratings. In a band no player is stronger \
                 than another one with a probability of 95 % or more. Too many bands overlap to be drawn."
            }
        }
    }

    /// Draws a bar for each band, if there is room for all.
    pub fn draw(&self, chart: &mut Chart, one: &Rated<'_>) {
        if !self.are_drawn() {
            return;
        }
        for ((band, lane), number) in self.bands.iter().zip(&self.lanes).zip(1..) {
            let name = |place: usize| {
                let name = one.order.get(place).map(|player| one.name(*player));
                one.settings.display_names.shown(name.unwrap_or_default())
            };
            let (first, last) = (name(band.start), name(band.end - 1));
            chart.shapes.push(Shape::Bar {
                class: "band",
                x: round(LANE * *lane as f64),
                y: AXIS + ROW * band.start as f64 + 7.0,
                width: BAR,
                height: ROW * band.len() as f64 - 6.0,
                tooltip: format!("band {number}: {first} to {last}"),
            });
        }
    }

    /// The numbers of the bands of the player at a place, from 1.
    pub fn cell(&self, place: usize) -> CellView {
        let own = self
            .bands
            .iter()
            .zip(1..)
            .filter(|(band, _)| band.contains(&place));
        let own: Vec<u32> = own.map(|(_, number)| number).collect();
        match own.as_slice() {
            [] => CellView::default(),
            [only] => CellView::text(&only.to_string()),
            // Bands are sorted by both ends, so the bands of a player are consecutive.
            [first, .., last] => CellView::text(&format!("{first} to {last}")),
        }
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
    fn bands_that_overlap_have_different_lanes() {
        assert_eq!(lanes(&[0..2, 2..5, 5..7]), [0, 0, 0]);
        assert_eq!(lanes(&[0..3, 1..4, 3..6, 4..7]), [0, 1, 0, 1]);
        assert_eq!(lanes(&[0..4, 1..5, 2..6, 4..8]), [0, 1, 2, 0]);
    }
}
