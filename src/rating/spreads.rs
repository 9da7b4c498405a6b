//! How much the points of each two players scatter. The fit has one share of draws for all, so it expects too much of
//! players who draw more among themselves, and too little of those who draw less.

use super::fit::{Edge, Expected, Problem};
use super::information::Information;
use super::unlike::{Group, own_parts};

/// The variances of the points of each two players, in units of those that the fit expects.
pub(super) struct Spreads(Vec<([usize; 2], f64)>);

/// Sums over the games of two players.
#[derive(Default)]
struct Scatter {
    /// The variance of points with the draws that there are, and the points that the fit expects.
    found: f64,
    /// The same with the draws that the fit expects.
    expected: f64,
    /// The variance of `found`, if the fit is right.
    error: f64,
}

impl Scatter {
    fn add(&mut self, edge: &Edge, expected: Expected) {
        let Expected { points, draw, .. } = expected;
        self.found += edge.games * points * (1.0 - points) - edge.draws / 4.0;
        self.expected += edge.games * expected.weights().points;
        self.error += edge.games * draw * (1.0 - draw) / 16.0;
    }

    /// The variance in units of what is expected, and what that is worth.
    fn group(&self) -> Group {
        match self.error > 0.0 {
            true => Group {
                value: (self.found / self.expected).max(0.0),
                weight: self.expected * self.expected / self.error,
            },
            false => Group {
                value: 1.0,
                weight: 0.0,
            },
        }
    }
}

impl Spreads {
    /// All variances are as expected unless they are clearly unlike: then each one's own counts as far as its games
    /// tell it from the others'.
    pub fn new(problem: &Problem, at: &[f64]) -> Self {
        // Without draws, the variance follows from the points.
        if !problem.has_draws {
            return Self(Vec::new());
        }
        // There can be a million of them, so only what is needed of each is kept.
        let meetings = || problem.edges.chunk_by(|x, y| (x.a, x.b) == (y.a, y.b));
        let group = |edges: &[Edge]| {
            let mut scatter = Scatter::default();
            for edge in edges {
                scatter.add(edge, problem.expected(edge, at));
            }
            scatter.group()
        };
        let groups: Vec<Group> = meetings().map(group).collect();
        let own = own_parts(&groups, 1.0);
        if own.iter().all(|own| *own == 0.0) {
            return Self(Vec::new());
        }
        let each = meetings()
            .zip(&groups)
            .zip(own)
            .map(|((edges, group), own)| {
                ([edges[0].a, edges[0].b], 1.0 + own * (group.value - 1.0))
            });
        Self(each.collect())
    }

    /// Whether all variances are as expected.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The variance of the points of two players, the lower one first.
    pub fn of(&self, players: [usize; 2]) -> f64 {
        let found = self.0.binary_search_by_key(&players, |(both, _)| *both);
        found.map_or(1.0, |at| self.0[at].1)
    }

    /// What the information leaves out of the variances.
    pub fn correction(&self, problem: &Problem, at: &[f64]) -> Information {
        let mut middle = Information::diagonal(vec![0.0; problem.size()]);
        if self.is_empty() {
            return middle;
        }
        let gamma = problem.advantage();
        for edge in &problem.edges {
            let weight = problem.expected(edge, at).weights().points;
            let more = (self.of([edge.a, edge.b]) - 1.0) * edge.games * weight;
            middle.tie(edge.a, edge.b, more);
            if problem.model.first_mover {
                middle.share(0, [edge.a, edge.b], edge.side * more);
                middle.add(gamma, gamma, more);
            }
        }
        middle
    }
}
