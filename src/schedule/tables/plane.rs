//! Affine planes: `q²` players at tables of `q`, where every two players meet exactly once.

/// The tables of the affine plane over the field of `order` elements, if this is 3, 4, 5, 7 or 8. The player
/// `q x + y` is the point `(x, y)`, and a table is a line. Each run of `order` tables are parallel lines, at
/// which everybody plays once. (C. Colbourn and J. Dinitz, *Handbook of Combinatorial Designs*, 2nd edition,
/// 2007, section VII.2.)
pub fn affine_plane(order: usize) -> Option<Vec<Vec<usize>>> {
    if !matches!(order, 3 | 4 | 5 | 7 | 8) {
        return None;
    }
    let all = 0..order;
    let point = |x: usize, y: usize| order * x + y;
    let line = |slope: usize, offset: usize| {
        all.clone()
            .map(|x| point(x, plus(order, times(order, slope, x), offset)))
            .collect()
    };
    let columns = all
        .clone()
        .map(|x| all.clone().map(|y| point(x, y)).collect());
    let sloping = all
        .clone()
        .flat_map(|slope| all.clone().map(move |offset| (slope, offset)));
    Some(
        columns
            .chain(sloping.map(|(slope, offset)| line(slope, offset)))
            .collect(),
    )
}

fn plus(order: usize, one: usize, other: usize) -> usize {
    match order {
        4 | 8 => one ^ other,
        prime => (one + other) % prime,
    }
}

/// In a field of 4 or 8 elements, a number is a polynomial with its bits as coefficients, modulo `x² + x + 1`
/// or `x³ + x + 1`.
fn times(order: usize, one: usize, other: usize) -> usize {
    let modulus = match order {
        4 => 0b111,
        8 => 0b1011,
        prime => return one * other % prime,
    };
    let mut product = 0;
    let mut shifted = one;
    for bit in 0..order.ilog2() {
        if other >> bit & 1 == 1 {
            product ^= shifted;
        }
        shifted <<= 1;
        if shifted >= order {
            shifted ^= modulus;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::tables::meetings::Meetings;

    #[test]
    fn every_two_players_meet_once_and_everybody_plays_once_in_each_run_of_parallel_lines() {
        for order in [3, 4, 5, 7, 8] {
            let tables = affine_plane(order).expect("a field");
            let mut meetings = Meetings::new(order * order);
            for parallel in tables.chunks(order) {
                let mut seen: Vec<usize> = parallel.concat();
                seen.sort_unstable();
                assert_eq!(seen, (0..order * order).collect::<Vec<_>>());
                parallel.iter().for_each(|table| meetings.seat(table));
            }
            assert_eq!(meetings.extremes(), [1, 1], "order {order}");
        }
        assert_eq!(affine_plane(6), None);
    }
}
