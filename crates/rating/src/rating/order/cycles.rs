//! Cycles of three players.

use std::collections::BTreeSet;

use super::Residual;
use crate::rating::math;

/// Upper bound on the cycles that are listed. There can be a great many.
const MAX_CYCLES: usize = 10;

/// Upper bound on the triples that are tested. The largest residuals come first.
const MAX_TRIPLES: usize = 20_000_000;

/// Three players. Each does better than the next one, and the last one better than the first, by more than chance makes
/// of any strengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycle(pub [usize; 3]);

/// Cycles of three players and their number, at this probability of reporting any by chance.
pub fn cycles(players: usize, residuals: &[Residual], chance: f64) -> (Vec<Cycle>, u64) {
    let graph = Graph::new(players, residuals);
    let triples = triples(&graph.neighbours);
    if triples == 0 {
        return (Vec::new(), 0);
    }
    // In either direction.
    let least = math::upper_quantile(chance / 2.0 / triples as f64);
    let (cycles, count) = graph.cycles(least);
    (cycles.into_iter().map(Cycle).collect(), count)
}

struct Graph<'a> {
    residuals: &'a [Residual],
    /// For each vertex, its neighbours and the edges to them, sorted.
    neighbours: Vec<Vec<(usize, usize)>>,
}

impl<'a> Graph<'a> {
    fn new(players: usize, residuals: &'a [Residual]) -> Self {
        let mut neighbours: Vec<Vec<(usize, usize)>> = vec![Vec::new(); players];
        for (edge, residual) in residuals.iter().enumerate() {
            let [a, b] = residual.players;
            neighbours[a].push((b, edge));
            neighbours[b].push((a, edge));
        }
        neighbours.iter_mut().for_each(|list| list.sort_unstable());
        Self {
            residuals,
            neighbours,
        }
    }

    /// Residual and log odds of an edge, as one of its vertices sees them.
    fn seen_by(&self, edge: usize, vertex: usize) -> [f64; 2] {
        let residual = &self.residuals[edge];
        if residual.players[0] == vertex {
            [residual.value, residual.odds]
        } else {
            [-residual.value, -residual.odds]
        }
    }

    /// Edges that a cycle can have as its largest residual, the largest first. The residuals of a cycle add up to at
    /// least `least` standard errors.
    fn large_edges(&self, least: f64) -> Vec<usize> {
        let deviations = |edge: &usize| {
            let residual = &self.residuals[*edge];
            residual.value.abs() / residual.variance.sqrt()
        };
        // By Cauchy and Schwarz, one of three residuals is at least this far from 0.
        let mut edges: Vec<usize> = (0..self.residuals.len()).collect();
        edges.retain(|edge| deviations(edge) >= least / 3_f64.sqrt());
        edges.sort_by(|a, b| deviations(b).total_cmp(&deviations(a)));
        edges.truncate(MAX_TRIPLES / self.neighbours.len());
        edges
    }

    /// The first cycles in the order of the vertices, and the number of all.
    fn cycles(&self, least: f64) -> (BTreeSet<[usize; 3]>, u64) {
        let edges = self.large_edges(least);
        let mut rank = vec![usize::MAX; self.residuals.len()];
        for (at, edge) in edges.iter().enumerate() {
            rank[*edge] = at;
        }
        let (mut cycles, mut count) = (BTreeSet::new(), 0);
        for edge in edges {
            // The residual gives the direction of the cycle.
            let [mut a, mut b] = self.residuals[edge].players;
            if self.residuals[edge].value <= 0.0 {
                (a, b) = (b, a);
            }
            for (c, [of_b, of_a]) in common(&self.neighbours[b], &self.neighbours[a]) {
                // Each triple is found once, from its edge with the least rank.
                if rank[of_b].min(rank[of_a]) < rank[edge] {
                    continue;
                }
                let around = [(edge, a), (of_b, b), (of_a, c)];
                let variances = around.map(|(edge, _)| self.residuals[edge].variance);
                let variance: f64 = variances.iter().sum();
                let around = around.map(|(edge, vertex)| self.seen_by(edge, vertex));
                let sum: f64 = around.iter().map(|[residual, _]| residual).sum();
                if sum < least * variance.sqrt() || around.iter().any(|[_, odds]| *odds <= 0.0) {
                    continue;
                }
                count += 1;
                cycles.insert(from_least([a, b, c]));
                if cycles.len() > MAX_CYCLES {
                    cycles.pop_last();
                }
            }
        }
        (cycles, count)
    }
}

fn from_least(mut cycle: [usize; 3]) -> [usize; 3] {
    while cycle[0] > cycle[1].min(cycle[2]) {
        cycle.rotate_left(1);
    }
    cycle
}

/// Vertices that are in both sorted lists, with both edges.
fn common<'a>(
    one: &'a [(usize, usize)],
    other: &'a [(usize, usize)],
) -> impl Iterator<Item = (usize, [usize; 2])> + 'a {
    let mut other = other.iter().peekable();
    one.iter().filter_map(move |(player, edge)| {
        while other.next_if(|(next, _)| next < player).is_some() {}
        let (_, found) = other.next_if(|(next, _)| next == player)?;
        Some((*player, [*edge, *found]))
    })
}

/// Number of triples of players who have all met each other.
fn triples(neighbours: &[Vec<(usize, usize)>]) -> usize {
    let words = neighbours.len().div_ceil(64);
    let mut met = vec![0_u64; words * neighbours.len()];
    for (player, list) in neighbours.iter().enumerate() {
        for (other, _) in list {
            met[player * words + other / 64] |= 1 << (other % 64);
        }
    }
    let row = |player: usize| &met[player * words..][..words];
    let mut sum = 0;
    for (player, list) in neighbours.iter().enumerate() {
        for (other, _) in list.iter().filter(|(other, _)| *other > player) {
            let both = row(player).iter().zip(row(*other));
            sum += both
                .map(|(a, b)| (a & b).count_ones() as usize)
                .sum::<usize>();
        }
    }
    sum / 3
}
