//! Sums of parameters, whose variance is asked for.

/// A sum of parameters: at most two strengths, others, and the mean strength.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    /// Each index with its weight.
    pub parts: Vec<(usize, f64)>,
    /// The weight of the mean strength of all players.
    pub of_mean: f64,
}

impl Sum {
    /// The distance of a strength from the mean of all.
    pub fn from_mean(player: usize) -> Self {
        Self {
            parts: vec![(player, 1.0)],
            of_mean: -1.0,
        }
    }

    /// The difference of two parameters.
    pub fn apart(a: usize, b: usize) -> Self {
        Self {
            parts: vec![(a, 1.0), (b, -1.0)],
            of_mean: 0.0,
        }
    }

    /// The strengths, each with its weight.
    pub fn strengths(&self, players: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        self.parts
            .iter()
            .copied()
            .filter(move |(index, _)| *index < players)
    }
}
