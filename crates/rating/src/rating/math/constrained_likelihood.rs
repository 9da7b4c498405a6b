//! The most likely distribution of results with a given mean, or with a given mean in standard deviations.

/// The most likely distribution with this mean, given the count of each result. Results are worth 0 to 1 in equal
/// steps.
pub fn with_mean(counts: &[f64], mean: f64) -> Vec<f64> {
    let excess: Vec<f64> = worths(counts).map(|worth| worth - mean).collect();
    balanced(counts, &excess).unwrap_or_else(|| shares(counts))
}

/// The most likely distribution whose mean is `t` of its standard deviations above one half, given the count of each
/// result.
///
/// The solution is also the most likely distribution under the constraint `mean - ½ - t × deviation = 0` in linear
/// terms. So each iteration solves the linear constraint, with the moments of the distribution before.
pub fn with_t(counts: &[f64], t: f64) -> Vec<f64> {
    let mut found = vec![1.0 / counts.len() as f64; counts.len()];
    for _ in 0..50 {
        let mean: f64 = sum(&found, |worth| worth);
        let deviation = sum(&found, |worth| (worth - mean).powi(2)).sqrt();
        let excess: Vec<f64> = worths(counts)
            .map(|worth| {
                let part = (worth - mean) / deviation;
                worth - 0.5 - t * deviation * f64::midpoint(1.0, part * part)
            })
            .collect();
        // There is no solution without a result on either side.
        let Some(next) = balanced(counts, &excess) else {
            return found;
        };
        let moved = found.iter().zip(&next).map(|(a, b)| (a - b).abs());
        let moved = moved.fold(0.0, f64::max);
        found = next;
        if moved < 1e-11 {
            break;
        }
    }
    found
}

fn worths(counts: &[f64]) -> impl Iterator<Item = f64> {
    let top = (counts.len() - 1) as f64;
    (0..counts.len()).map(move |at| at as f64 / top)
}

fn sum(shares: &[f64], of: impl Fn(f64) -> f64) -> f64 {
    shares
        .iter()
        .zip(worths(shares))
        .map(|(share, worth)| share * of(worth))
        .sum()
}

fn shares(counts: &[f64]) -> Vec<f64> {
    let total: f64 = counts.iter().sum();
    counts.iter().map(|count| count / total).collect()
}

/// The most likely distribution with a mean excess of 0. It has the form `p / (1 + t × excess)`. `None` if all excesses
/// are on one side of 0.
fn balanced(counts: &[f64], excess: &[f64]) -> Option<Vec<f64>> {
    let most = excess.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = excess.iter().copied().fold(f64::INFINITY, f64::min);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let parts: Vec<(f64, f64)> = shares(counts)
        .into_iter()
        .zip(excess.iter().copied())
        .collect();
    // The excess falls with t. Newton's method, with bisection where a step leaves the bracket.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut t = 0.0;
    for _ in 0..100 {
        let (mut left, mut slope) = (0.0, 0.0);
        for (p, a) in &parts {
            let part = a / (1.0 + t * a);
            left += p * part;
            slope += p * part * part;
        }
        if left > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let step = t + left / slope;
        let next = if step > low && step < high {
            step
        } else {
            f64::midpoint(low, high)
        };
        let done = (next - t).abs() < 1e-13;
        t = next;
        if done {
            break;
        }
    }
    Some(parts.iter().map(|(p, a)| p / (1.0 + t * a)).collect())
}
