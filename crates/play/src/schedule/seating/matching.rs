//! Perfect matchings in a graph, by Edmonds' blossom algorithm.
//! (J. Edmonds, "Paths, Trees, and Flowers", Canadian Journal of Mathematics 17, 1965.)

/// The mate of each vertex, if it is matched.
pub type Mates = Vec<Option<usize>>;

/// Matches all of `vertices` along edges, starting from the matching in `mates`. Returns whether a perfect
/// matching exists; if not, `mates` is a maximum matching.
pub fn match_all(
    vertices: &[usize],
    edge: &dyn Fn(usize, usize) -> bool,
    mates: &mut Mates,
) -> bool {
    let mut all = true;
    for &vertex in vertices {
        all &= mates[vertex].is_some() || augment(vertex, vertices, edge, mates);
    }
    all
}

/// Searches for an augmenting path from an unmatched vertex, and flips it.
fn augment(
    root: usize,
    vertices: &[usize],
    edge: &dyn Fn(usize, usize) -> bool,
    mates: &mut Mates,
) -> bool {
    let mut search = Search {
        base: (0..mates.len()).collect(),
        parent: vec![None; mates.len()],
        outer: vec![false; mates.len()],
        queue: vec![root],
    };
    search.outer[root] = true;
    let mut head = 0;
    while head < search.queue.len() {
        let from = search.queue[head];
        head += 1;
        for &to in vertices {
            let known = search.base[from] == search.base[to] || mates[from] == Some(to);
            if from == to || known || !edge(from, to) {
                continue;
            }
            // `to` is outer: the edge closes an odd cycle.
            if to == root || mates[to].is_some_and(|mate| search.parent[mate].is_some()) {
                search.contract(from, to, vertices, mates);
            } else if search.parent[to].is_none() {
                search.parent[to] = Some(from);
                match mates[to] {
                    None => {
                        search.swap_along(to, mates);
                        return true;
                    }
                    Some(mate) => {
                        search.outer[mate] = true;
                        search.queue.push(mate);
                    }
                }
            }
        }
    }
    false
}

struct Search {
    /// Base of the blossom that contains a vertex; the vertex itself if none does.
    base: Vec<usize>,
    parent: Vec<Option<usize>>,
    /// Whether a vertex has an even distance from the root.
    outer: Vec<bool>,
    queue: Vec<usize>,
}

impl Search {
    /// Contracts the odd cycle (blossom) closed by an edge between two outer vertices.
    fn contract(&mut self, one: usize, other: usize, vertices: &[usize], mates: &Mates) {
        let top = self.common_base(one, other, mates);
        let mut inside = vec![false; self.base.len()];
        self.mark(one, other, top, mates, &mut inside);
        self.mark(other, one, top, mates, &mut inside);
        for &vertex in vertices {
            if inside[self.base[vertex]] {
                self.base[vertex] = top;
                if !self.outer[vertex] {
                    self.outer[vertex] = true;
                    self.queue.push(vertex);
                }
            }
        }
    }

    fn common_base(&self, one: usize, other: usize, mates: &Mates) -> usize {
        let up = |vertex: usize| mates[vertex].and_then(|mate| self.parent[mate]);
        let mut seen = vec![false; self.base.len()];
        let mut at = Some(one);
        while let Some(vertex) = at {
            seen[self.base[vertex]] = true;
            at = up(self.base[vertex]);
        }
        let mut vertex = self.base[other];
        while !seen[vertex] {
            match up(vertex) {
                Some(next) => vertex = self.base[next],
                None => break,
            }
        }
        vertex
    }

    /// Marks the path from `vertex` up to the base, and adds parents so that it can be walked from the other
    /// side.
    fn mark(
        &mut self,
        mut vertex: usize,
        mut child: usize,
        top: usize,
        mates: &Mates,
        inside: &mut [bool],
    ) {
        while self.base[vertex] != top {
            let Some(mate) = mates[vertex] else { return };
            inside[self.base[vertex]] = true;
            inside[self.base[mate]] = true;
            self.parent[vertex] = Some(child);
            child = mate;
            let Some(next) = self.parent[mate] else {
                return;
            };
            vertex = next;
        }
    }

    fn swap_along(&self, end: usize, mates: &mut Mates) {
        let mut at = Some(end);
        while let Some(vertex) = at {
            let Some(parent) = self.parent[vertex] else {
                return;
            };
            at = mates[parent];
            mates[vertex] = Some(parent);
            mates[parent] = Some(vertex);
        }
    }
}

#[cfg(test)]
pub mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Whether `left` has a perfect matching, by brute force.
    pub fn possible(left: &[usize], edge: &dyn Fn(usize, usize) -> bool) -> bool {
        let Some((first, rest)) = left.split_first() else {
            return true;
        };
        (0..rest.len()).any(|index| {
            let mut others = rest.to_vec();
            let other = others.remove(index);
            edge(*first, other) && possible(&others, edge)
        })
    }

    #[test]
    fn it_finds_a_perfect_matching_exactly_where_there_is_one() {
        let mut found = [0; 2];
        for number in 0..4000_u64 {
            let vertices: Vec<usize> = (0..[4, 6, 8][number as usize % 3]).collect();
            let mut bits = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut edges = HashSet::new();
            for a in 0..8_usize {
                for b in 0..a {
                    bits = bits
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    if (bits >> 60) < 3 + number % 4 {
                        edges.insert((a, b));
                    }
                }
            }
            let edge = |a: usize, b: usize| edges.contains(&(a.max(b), a.min(b)));
            let mut mates = vec![None; 8];
            let all = match_all(&vertices, &edge, &mut mates);
            assert_eq!(all, possible(&vertices, &edge), "graph {number}");
            found[usize::from(all)] += 1;
            for (vertex, mate) in mates.iter().enumerate() {
                if let Some(mate) = mate {
                    assert!(edge(vertex, *mate));
                    assert_eq!(mates[*mate], Some(vertex));
                }
            }
        }
        assert!(found[0] > 200 && found[1] > 200, "{found:?}");
    }
}
