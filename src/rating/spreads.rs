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
    players: [usize; 2],
    /// The squares of the residuals of points.
    squares: f64,
    /// What the fit expects of them.
    expected: f64,
    /// Their variance, if the fit is right.
    variance: f64,
    /// The greatest sum that there can be with these points.
    most: f64,
}

impl Scatter {
    fn add(&mut self, edge: &Edge, expected: Expected) {
        let Edge {
            games,
            points,
            draws,
            ..
        } = *edge;
        let wins = points - draws / 2.0;
        let drawn = expected.draw;
        let won = expected.points - drawn / 2.0;
        let residuals = [1.0, 0.5, 0.0].map(|points: f64| points - expected.points);
        let outcomes = [
            (wins, won),
            (draws, drawn),
            (games - wins - draws, 1.0 - won - drawn),
        ];
        let weight = expected.weights().points;
        let mut fourth = 0.0;
        for ((count, probability), residual) in outcomes.into_iter().zip(residuals) {
            self.squares += count * residual * residual;
            fourth += probability * residual.powi(4);
        }
        self.expected += games * weight;
        self.variance += games * (fourth - weight * weight).max(0.0);
        self.most += games * expected.points * (1.0 - expected.points);
    }

    /// The variance in units of what is expected, and what that is worth.
    fn group(&self) -> Group {
        match self.variance > 0.0 {
            true => Group {
                value: self.squares / self.expected,
                weight: self.expected * self.expected / self.variance,
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
        let mut all: Vec<Scatter> = Vec::new();
        for edge in &problem.edges {
            let players = [edge.a, edge.b];
            if all.last().is_none_or(|last| last.players != players) {
                all.push(Scatter {
                    players,
                    ..Scatter::default()
                });
            }
            if let Some(last) = all.last_mut() {
                last.add(edge, problem.expected(edge, at));
            }
        }
        let groups: Vec<Group> = all.iter().map(Scatter::group).collect();
        let own = own_parts(&groups, 1.0);
        if own.iter().all(|own| *own == 0.0) {
            return Self(Vec::new());
        }
        // The fit follows its games, so all residuals are a little too small.
        let sums = groups.iter().fold([0.0; 2], |[above, below], group| {
            [above + group.weight * group.value, below + group.weight]
        });
        let mean = sums[0] / sums[1];
        let each = all.iter().zip(&groups).zip(own);
        let each = each.map(|((scatter, group), own)| {
            let spread = 1.0 - own + own * group.value / mean;
            (scatter.players, spread.min(scatter.most / scatter.expected))
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
