//! Who is connected with whom by results.

use super::standings::Standings;

/// Players in groups; within a group everybody is connected with everybody, by games whatever
/// their results.
pub(super) fn connected(standings: &Standings) -> Vec<Vec<usize>> {
    let count = standings.lines().len();
    let mut to = vec![Vec::new(); count];
    for meeting in standings.meetings() {
        let [a, b] = meeting.players;
        if meeting.decided().games() > 0 {
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

/// Players in tiers; within a tier everybody took a point, or half of one, from everybody, if not
/// directly then through others. Between tiers all results are one way. (Ford, American
/// Mathematical Monthly 64(8), 1957: maximum likelihood has a finite answer in one tier only.)
///
/// By Kosaraju's method: what can be reached, from the last to be left, against the arrows.
pub(super) fn tiers(standings: &Standings) -> Vec<Vec<usize>> {
    let count = standings.lines().len();
    let (mut to, mut from) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for meeting in standings.meetings() {
        let [a, b] = meeting.players;
        let tally = meeting.decided();
        for (winner, loser, points) in [(a, b, tally.points()), (b, a, tally.reversed().points())] {
            if points > 0.0 {
                to[winner].push(loser);
                from[loser].push(winner);
            }
        }
    }
    let mut seen = vec![false; count];
    let mut left = Vec::with_capacity(count);
    for start in 0..count {
        visit(start, &to, &mut seen, &mut left);
    }
    seen.fill(false);
    left.into_iter()
        .rev()
        .filter_map(|start| {
            let mut tier = Vec::new();
            visit(start, &from, &mut seen, &mut tier);
            tier.sort_unstable();
            (!tier.is_empty()).then_some(tier)
        })
        .collect()
}

/// Everybody who can be reached and was not seen before, in the order in which they are left.
fn visit(start: usize, to: &[Vec<usize>], seen: &mut [bool], left: &mut Vec<usize>) {
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
                left.push(*player);
                path.pop();
            }
        }
    }
}
