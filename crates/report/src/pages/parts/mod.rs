//! Parts of any page: charts, tables, and the templates that make HTML of them.

pub mod cell_chart;
pub mod lines;
pub mod page;
pub mod svg;
pub mod table;
pub mod test_history;

use minijinja::value::Serde;
use minijinja::{Error, context};
use page::Templates;
use serde::Serialize;

/// A part of the pages of a run, with a page that leads to its others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunPart {
    Run,
    Players,
    Games,
    Plan,
}

impl RunPart {
    const ALL: [Self; 4] = [Self::Run, Self::Players, Self::Games, Self::Plan];

    pub fn file(self) -> &'static str {
        match self {
            Self::Run => "index.html",
            Self::Players => "players.html",
            Self::Games => "games.html",
            Self::Plan => "plan.html",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Players => "players",
            Self::Games => "games",
            Self::Plan => "plan",
        }
    }
}

/// How the page that is shown belongs to a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NavigationPlace {
    Page(RunPart),
    Below(RunPart),
}

#[derive(Serialize)]
struct LinkView {
    file: &'static str,
    name: &'static str,
    /// Value of `aria-current`; empty elsewhere.
    current: &'static str,
}

pub fn navigation(templates: &Templates, shown: NavigationPlace) -> Result<String, Error> {
    let links = RunPart::ALL.map(|part| LinkView {
        file: part.file(),
        name: part.name(),
        current: match shown {
            NavigationPlace::Page(own) if own == part => "page",
            NavigationPlace::Below(own) if own == part => "true",
            NavigationPlace::Page(_) | NavigationPlace::Below(_) => "",
        },
    });
    templates.render("navigation", context! { links => Serde(&links) })
}

/// Upper bound on the points of a line. More would lie within a pixel of each other.
const POINTS: usize = 160;

/// The first and the last of many points, and between them all, or every second, fourth and so on, so that there are at most
/// [`POINTS`] and the last.
#[derive(Debug)]
pub struct Thinned<T> {
    every: usize,
    added: usize,
    kept: Vec<T>,
    last: Option<T>,
}

impl<T> Default for Thinned<T> {
    fn default() -> Self {
        Self {
            every: 1,
            added: 0,
            kept: Vec::new(),
            last: None,
        }
    }
}

impl<T: Clone> Thinned<T> {
    pub fn add(&mut self, point: T) {
        if self.added.is_multiple_of(self.every) {
            if self.kept.len() == POINTS {
                let mut at = 0;
                self.kept.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
                self.every *= 2;
            }
            if self.added.is_multiple_of(self.every) {
                self.kept.push(point.clone());
            }
        }
        self.added += 1;
        self.last = Some(point);
    }

    pub fn last(&self) -> Option<&T> {
        self.last.as_ref()
    }

    pub fn points(&self) -> impl Iterator<Item = &T> {
        let is_kept = self.added == 0 || (self.added - 1).is_multiple_of(self.every);
        self.kept
            .iter()
            .chain(self.last.as_ref().filter(|_| !is_kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_line_has_its_first_and_last_point_and_never_too_many() {
        for count in [0, 1, 2, 159, 160, 161, 320, 321, 12_345] {
            let mut thinned = Thinned::default();
            (0..count).for_each(|point| thinned.add(point));
            let points: Vec<i32> = thinned.points().copied().collect();
            assert!(points.len() <= POINTS + 1, "{count}: {}", points.len());
            assert!(points.is_sorted_by(|a, b| a < b), "{points:?}");
            assert_eq!(points.first().copied(), (count > 0).then_some(0));
            assert_eq!(points.last().copied(), (count > 0).then_some(count - 1));
            if count > 2 * POINTS as i32 {
                assert!(points.len() > POINTS / 2, "{count}: {}", points.len());
            }
        }
    }
}
