//! The joint covariance of all parameters of a fit.

use ndarray::Array2;

use super::clusters::{AS_EXPECTED, Clusters, Evidence, MOST_WITH_CHOICES, Openings};
use super::sampled::Sampled;
use crate::rating::math::{Information, Symmetric};
use crate::rating::model::{ChoiceMoments, Fit, Objective};

/// The most players whose covariance is computed as a matrix when tables are made.
pub const MAX_EXACT_PLAYERS: usize = 2000;

/// Openings whose squares are added at once.
const SIDE_BY_SIDE: usize = 64;

#[derive(Debug, Clone)]
pub struct Covariance {
    kind: Kind,
    players: usize,
    /// The information of the model, where variances are estimated of strengths alone, and of few players its inverse.
    information: Information,
    by_model: Option<Symmetric>,
    evidence: Evidence,
}

#[derive(Debug, Clone)]
enum Kind {
    /// As a matrix, with the covariance of the mean strength with each parameter, and its variance.
    Exact(Symmetric, Vec<f64>, f64),
    /// Estimates of variances, for many players.
    Sampled(Box<Sampled>),
}

impl Kind {
    fn exact(covariance: Symmetric, players: usize) -> Self {
        let (with_mean, mean_variance) = of_mean(&covariance, players);
        Self::Exact(covariance, with_mean, mean_variance)
    }
}

/// The covariance of the mean strength with each parameter, and its variance.
fn of_mean(covariance: &Symmetric, players: usize) -> (Vec<f64>, f64) {
    let share = 1.0 / players.max(1) as f64;
    let row = |row: usize| covariance.row(row).take(players).sum::<f64>() * share;
    let with_mean: Vec<f64> = (0..covariance.size()).map(row).collect();
    let mean_variance = with_mean[..players].iter().sum::<f64>() * share;
    (with_mean, mean_variance)
}

impl Covariance {
    pub fn new(
        objective: Objective<'_>,
        mut fit: Fit,
        openings: Openings,
        max_exact: usize,
    ) -> Self {
        let players = objective.players;
        let clusters = Clusters::new(&objective, &fit, openings);
        let (is_exact, is_small) = (players <= max_exact, players <= MOST_WITH_CHOICES);
        let by_model = (is_exact || is_small).then(|| inverse(&fit.information));
        let (kind, evidence) = match by_model.as_ref().filter(|_| is_exact) {
            Some(by_model) => exact(&objective, &fit, &clusters, by_model),
            None => {
                let (middle, evidence) = sparse_middle(&objective, &fit, &clusters);
                drop(objective);
                let sampled = Sampled::new(&mut fit.information, middle, players);
                (Kind::Sampled(Box::new(sampled)), evidence)
            }
        };
        Self {
            kind,
            players,
            evidence,
            by_model: by_model.filter(|_| is_small),
            information: fit.information,
        }
    }

    /// Relative error of margins, if they are estimated: two standard errors of the least known one.
    pub fn error(&self) -> Option<f64> {
        match &self.kind {
            Kind::Exact(..) => None,
            Kind::Sampled(sampled) => Some(sampled.error()),
        }
    }

    pub fn clusters(&self) -> u64 {
        self.evidence.clusters
    }

    /// How many times as much clusters of several games vary as that many independent games; `None` without any.
    pub fn variation(&self) -> Option<f64> {
        let [squares, information] = self.evidence.variation;
        (information > 0.0).then(|| squares / information)
    }

    pub fn variance(&self, sum: &Sum) -> f64 {
        let (matrix, with_mean, mean_variance) = match &self.kind {
            Kind::Exact(matrix, with_mean, mean_variance) => (matrix, with_mean, mean_variance),
            Kind::Sampled(sampled) => return sampled.variance(&self.information, sum),
        };
        let mut variance = sum.of_mean * sum.of_mean * mean_variance;
        for (one, a) in &sum.parts {
            variance += 2.0 * a * sum.of_mean * with_mean[*one];
            for (other, b) in &sum.parts {
                variance += a * b * matrix.at(*one, *other);
            }
        }
        variance.max(0.0)
    }

    /// The variance of a sum by the model alone, where there are few players.
    pub fn variance_by_model(&self, sum: &Sum) -> Option<f64> {
        let by_model = self.by_model.as_ref()?;
        let weights = self.weights(by_model, sum);
        Some(dot(&product(by_model, &weights), &weights))
    }

    /// The weight of each parameter in a sum.
    fn weights(&self, by_model: &Symmetric, sum: &Sum) -> Vec<f64> {
        let mut weights = vec![0.0; by_model.size()];
        weights[..self.players].fill(sum.of_mean / self.players.max(1) as f64);
        for (index, weight) in &sum.parts {
            weights[*index] += weight;
        }
        weights
    }

    /// The covariance of all players' distances from their mean by the model alone, times the variation of all clusters
    /// together where that is more than 1.
    pub fn of_distances_by_model(&self) -> Symmetric {
        let by_model = inverse(&self.information);
        let (with_mean, mean_variance) = of_mean(&by_model, self.players);
        let variation = self.variation().unwrap_or(1.0).max(1.0);
        let mut distances = Symmetric::zero(self.players);
        for a in 0..self.players {
            for b in a..self.players {
                let covariance = by_model.at(a, b) - with_mean[a] - with_mean[b];
                distances.add(a, b, variation * (covariance + mean_variance));
            }
        }
        distances
    }

    /// The degrees of freedom of the variance of a sum: Satterthwaite's, less the one of the sum itself, with the blocks
    /// that count as expected; infinite where the model gives the variance.
    ///
    /// Openings have no such blocks. The prior of a player who always won is not evidence, so kurtosis leaves two degrees.
    ///
    /// A square varies by its kurtosis: less than a normal one among equals, and more where one player nearly always wins.
    pub fn freedom(&self, sum: &Sum) -> f64 {
        let [variance, squares, excess] = match &self.by_model {
            Some(by_model) => self.spread(by_model, sum),
            None => self.spread_of_strengths(sum),
        };
        if squares <= 0.0 {
            return match self.evidence.clusters {
                0 => f64::INFINITY,
                clusters => (clusters - 1) as f64,
            };
        }
        let square = variance * variance;
        let of_normal = square / squares - 1.0;
        let own = match of_normal > 0.0 {
            true => 1.0 / (1.0 / of_normal + excess / (2.0 * square)),
            false => 0.0,
        };
        match self.evidence.of_opening.is_empty() {
            true => AS_EXPECTED + own,
            false => own.max(AS_EXPECTED.min(of_normal.max(0.0))),
        }
    }

    /// The variance of a sum by the model, the sum of the squares of its parts by cluster, and of their fourth cumulants.
    fn spread(&self, by_model: &Symmetric, sum: &Sum) -> [f64; 3] {
        let weights = self.weights(by_model, sum);
        let told = product(by_model, &weights);
        let variance = dot(&told, &weights);
        let mut pool = ChoiceMoments::default();
        let (mut squares, mut excess) = (0.0, 0.0);
        for blocks in self
            .evidence
            .blocks
            .chunk_by(|a, b| a.opening > 0 && a.opening == b.opening)
        {
            let mut all = 0.0;
            for block in blocks {
                let [own, fourth] = block.cumulants(&told, &mut pool);
                excess += block.count * fourth;
                match block.opening {
                    0 => squares += block.count * own * own,
                    _ => all += block.count * own,
                }
            }
            squares += all * all;
        }
        [variance, squares, excess]
    }

    /// As [`Self::spread`], with all strengths known but the ones in the sum, for many players.
    fn spread_of_strengths(&self, sum: &Sum) -> [f64; 3] {
        let told = sum.strengths(self.players);
        let told: Vec<(usize, f64)> = told
            .map(|(at, weight)| (at, weight / self.information.own(at)))
            .collect();
        let (mut variance, mut squares, mut excess) = (0.0, 0.0, 0.0);
        for (player, told) in &told {
            let own = told * told;
            let [square, of_excess] = self.evidence.of_player[*player];
            variance += own * self.information.own(*player);
            squares += own * own * square;
            excess += own * own * of_excess;
        }
        if let [(a, a_told), (b, b_told)] = told[..]
            && self.evidence.of_opening.is_empty()
        {
            let (low, high) = if a < b {
                ((a, a_told), (b, b_told))
            } else {
                ((b, b_told), (a, a_told))
            };
            if let Some(link) = self.information.link_of(low.0, high.0) {
                let (one, two) = (low.1, high.1);
                variance += 2.0 * one * two * self.information.between(low.0, high.0);
                let of_link = self.evidence.of_link.get(link).copied().unwrap_or_default();
                let [both, together, of_low, of_high] = of_link.map(f64::from);
                let common = 2.0 * (one * two).powi(2) * (both + 2.0 * together)
                    + 4.0 * one * two * (one * one * of_low + two * two * of_high);
                if squares > 0.0 {
                    excess += common * excess / squares;
                }
                squares += common;
            }
        }
        for opening in &self.evidence.of_opening {
            let (mut all, mut most) = (0.0, 0.0_f64);
            for (player, told) in &told {
                let at = opening.binary_search_by_key(&(*player as u32), |it| it.0);
                let [information, kurtosis] = at.map_or([0.0; 2], |at| opening[at].1);
                all += told * told * information;
                most = most.max(kurtosis);
            }
            squares += all * all;
            excess += all * all * most;
        }
        [variance, squares, excess]
    }
}

fn inverse(information: &Information) -> Symmetric {
    let mut inverse = information.to_dense();
    // The priors make it positive definite, so inversion can only fail with a NaN.
    match inverse.invert() {
        true => inverse,
        false => Symmetric::unknown(information.size()),
    }
}

fn exact(
    objective: &Objective<'_>,
    fit: &Fit,
    clusters: &Clusters<'_>,
    by_model: &Symmetric,
) -> (Kind, Evidence) {
    let size = objective.size();
    if clusters.are_single() {
        let evidence = Evidence {
            of_player: vec![[0.0; 2]; objective.players],
            ..Evidence::default()
        };
        return (Kind::exact(by_model.clone(), objective.players), evidence);
    }
    let mut middle = Symmetric::zero(size);
    add_priors(objective, fit, &mut |row, column, value| {
        middle.add(row, column, value)
    });
    let mut roots = Array2::zeros((size, SIDE_BY_SIDE));
    let mut count = 0;
    let mut of_openings = Symmetric::zero(size);
    let evidence = clusters.add_middle(
        &|indices| Some(by_model.part(indices)),
        &mut |row, column, value| middle.add(row, column, value),
        &mut |all, root| {
            for (index, value) in all.indices.iter().zip(root) {
                roots[[*index, count]] = *value;
            }
            count += 1;
            if count == SIDE_BY_SIDE {
                of_openings.add_squares(&roots);
                roots.fill(0.0);
                count = 0;
            }
        },
    );
    of_openings.add_squares(&roots);
    middle.add_all(&of_openings);
    (
        Kind::exact(by_model.sandwich(&middle), objective.players),
        evidence,
    )
}

/// `M` with the cells of players who met, and no others.
fn sparse_middle(
    objective: &Objective<'_>,
    fit: &Fit,
    clusters: &Clusters<'_>,
) -> (Information, Evidence) {
    let mut middle = fit.information.clone();
    middle.clear();
    let middle = std::cell::RefCell::new(middle);
    add_priors(objective, fit, &mut |row, column, value| {
        middle.borrow_mut().add(row, column, value)
    });
    let evidence = clusters.add_middle(
        // The leverage takes all other players' strengths as known.
        &|indices| {
            let mut own = Symmetric::zero(indices.len());
            for (row, one) in indices.iter().enumerate() {
                for (column, other) in indices[..=row].iter().enumerate() {
                    own.add(row, column, fit.information.cell(*one, *other));
                }
            }
            own.invert().then_some(own)
        },
        &mut |row, column, value| middle.borrow_mut().add(row, column, value),
        // In such a field, nobody has many games of one opening.
        &mut |all, root| {
            for (index, value) in all.indices.iter().zip(root) {
                middle.borrow_mut().add(*index, *index, value * value);
            }
        },
    );
    (middle.into_inner(), evidence)
}

fn add_priors(objective: &Objective<'_>, fit: &Fit, add: &mut dyn FnMut(usize, usize, f64)) {
    for (factor, _) in objective.prior_squares(&fit.at) {
        for (row, (one, a)) in factor.iter().enumerate() {
            for (other, b) in &factor[..=row] {
                add(*one, *other, a * b);
            }
        }
    }
}

/// A sum of parameters: at most two strengths, others, and the mean strength.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    pub parts: Vec<(usize, f64)>,
    pub of_mean: f64,
}

impl Sum {
    pub fn from_mean(player: usize) -> Self {
        Self {
            parts: vec![(player, 1.0)],
            of_mean: -1.0,
        }
    }

    pub fn apart(a: usize, b: usize) -> Self {
        Self {
            parts: vec![(a, 1.0), (b, -1.0)],
            of_mean: 0.0,
        }
    }

    pub fn strengths(&self, players: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        self.parts
            .iter()
            .copied()
            .filter(move |(index, _)| *index < players)
    }
}

/// Terms of the series below are left out from this size on, relative to the first one.
const SMALL: f64 = 1e-9;

/// Upper bound on these terms. A block that alone knows a parameter converges slowly.
const MOST_TERMS: usize = 400;

pub fn product(matrix: &Symmetric, vector: &[f64]) -> Vec<f64> {
    (0..vector.len())
        .map(|row| dot(matrix.row(row), vector))
        .collect()
}

pub fn dot<'a>(one: impl IntoIterator<Item = &'a f64>, other: &[f64]) -> f64 {
    one.into_iter().zip(other).map(|(a, b)| a * b).sum()
}

/// `(I - A B)^(-1/2) vector`, where all eigenvalues of `A B` are between 0 and 1, as a binomial series.
pub fn unleveraged(a: &Symmetric, b: &Symmetric, vector: &[f64]) -> Vec<f64> {
    let mut term = vector.to_vec();
    let mut sum = term.clone();
    let length = |vector: &[f64]| dot(vector, vector);
    let goal = SMALL * SMALL * length(vector);
    for at in 1..=MOST_TERMS {
        let factor = (2 * at - 1) as f64 / (2 * at) as f64;
        term = product(a, &product(b, &term));
        term.iter_mut().for_each(|it| *it *= factor);
        for (sum, term) in sum.iter_mut().zip(&term) {
            *sum += term;
        }
        if length(&term) <= goal {
            break;
        }
    }
    sum
}
