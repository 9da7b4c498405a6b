//! The rule by which a test is marked.

use super::games::TestGames;

/// How a test's games become a share of its marks.
#[derive(Debug, Clone, PartialEq)]
pub enum MarkRule {
    /// The share of the points.
    Share,
    /// A line from point to point, each from a share of the points to a share of the marks, in rising
    /// order; flat before the first and after the last.
    Curve(Vec<[f64; 2]>),
    /// All marks for a true share of at least `share`, none for less: a sequential test.
    Reach {
        /// The share of the points to reach.
        share: f64,
        /// The test errs at most as often as `error` says for a true share of at most `share - margin`, or at
        /// least `share + margin`. Between them either verdict is right.
        margin: f64,
        /// The greatest probability of a wrong verdict, for each of the two.
        error: f64,
        /// Who gets the marks if the test has no verdict at its cap.
        doubt: Doubt,
    },
}

impl MarkRule {
    /// Whether the test goes on until it has a verdict.
    pub fn is_sequential(&self) -> bool {
        matches!(self, Self::Reach { .. })
    }
}

/// Who gets the marks of a sequential test that has no verdict at its cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// The student gets all.
    Student,
    /// The student gets half.
    Half,
    /// The student gets none.
    Nobody,
}

impl Doubt {
    pub(super) fn fraction(self) -> f64 {
        match self {
            Self::Student => 1.0,
            Self::Half => 0.5,
            Self::Nobody => 0.0,
        }
    }
}

/// A test in a scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemeTest {
    /// The marks that it can give.
    pub marks: f64,
    /// How games become marks.
    pub rule: MarkRule,
    /// The most games that a sequential test plays. Other rules have no use for it.
    pub cap: u32,
    /// The least and the most points that a game can be worth.
    pub points: [f64; 2],
    /// Number of seats of its game.
    pub seats: usize,
}

impl SchemeTest {
    /// Whether there are as many games as a sequential test plays at most.
    pub(super) fn is_at_cap(&self, games: &TestGames) -> bool {
        games.count().games >= f64::from(self.cap).max(1.0)
    }
}
