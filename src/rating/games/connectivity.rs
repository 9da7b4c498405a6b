//! Players who are connected by results.

use super::standings::Standings;

/// Groups of players. Within a group, all are connected by chains of games.
pub fn connected(standings: &Standings) -> Vec<Vec<usize>> {
    let count = standings.players().len();
    let mut to = vec![Vec::new(); count];
    for ([a, b], tally) in standings.blocks().met() {
        if tally.games() > 0 {
            to[a].push(b);
            to[b].push(a);
        }
    }
    let mut seen = vec![false; count];
    (0..count)
        .filter_map(|start| {
            let mut group = Vec::new();
            visit(start, &to, &mut seen, &mut group);
            group.sort_unstable();
            (!group.is_empty()).then_some(group)
        })
        .collect()
}

/// Tiers of players. Within a tier, each player has scored against each other one, directly or through
/// a chain of players. Between two tiers, one won all games. (Ford, American Mathematical Monthly
/// 64(8), 1957: maximum likelihood is finite only within one tier.)
///
/// These are the strongly connected components of the graph of points, by Kosaraju's algorithm.
pub fn tiers(standings: &Standings) -> Vec<Vec<usize>> {
    let count = standings.players().len();
    let (mut to, mut from) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for ([a, b], tally) in standings.blocks().met() {
        for (winner, loser, points) in [(a, b, tally.points()), (b, a, tally.reversed().points())] {
            if points > 0.0 {
                to[winner].push(loser);
                from[loser].push(winner);
            }
        }
    }
    let mut seen = vec![false; count];
    let mut postorder = Vec::with_capacity(count);
    for start in 0..count {
        visit(start, &to, &mut seen, &mut postorder);
    }
    seen.fill(false);
    postorder
        .into_iter()
        .rev()
        .filter_map(|start| {
            let mut tier = Vec::new();
            visit(start, &from, &mut seen, &mut tier);
            tier.sort_unstable();
            (!tier.is_empty()).then_some(tier)
        })
        .collect()
}

/// A depth-first search. Adds the reached players that were not seen before, in postorder.
fn visit(start: usize, to: &[Vec<usize>], seen: &mut [bool], postorder: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((player, next)) = path.last_mut() {
        match to[*player].get(*next) {
            Some(other) => {
                *next += 1;
                if !std::mem::replace(&mut seen[*other], true) {
                    path.push((*other, 0));
                }
            }
            None => {
                postorder.push(*player);
                path.pop();
            }
        }
    }
}
