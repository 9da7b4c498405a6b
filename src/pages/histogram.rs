//! Quantiles of any number of times in constant memory.

/// Ratio of the bounds of successive classes.
const FACTOR: f64 = 1.1;

/// Upper bound on the classes of a histogram. The last one begins at 1.1²⁵⁴ µs, some nine hours.
const TIME_CLASSES: usize = 256;

/// Times in microseconds, in logarithmic classes: each is [`FACTOR`] times as wide as the one before.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    counts: Vec<u32>,
    /// Number of times added.
    pub count: u64,
    /// Maximum, exact.
    pub most: u64,
}

impl Histogram {
    pub fn add(&mut self, micros: u64) {
        let class = match micros {
            0 => 0,
            // Not negative, and far below 2⁶⁴.
            _ => 1 + ((micros as f64).ln() / FACTOR.ln()) as usize,
        };
        let class = class.min(TIME_CLASSES - 1);
        if self.counts.len() <= class {
            self.counts.resize(class + 1, 0);
        }
        self.counts[class] = self.counts[class].saturating_add(1);
        self.count += 1;
        self.most = self.most.max(micros);
    }

    pub fn merge(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count = count.saturating_add(*more);
        }
        self.count += other.count;
        self.most = self.most.max(other.most);
    }

    /// Quantile of the times at `share`, as the geometric middle of its class: within 5 %.
    pub fn quantile(&self, share: f64) -> f64 {
        let wanted = (share * self.count as f64).ceil() as u64;
        let mut passed = 0;
        for (class, count) in self.counts.iter().enumerate() {
            passed += u64::from(*count);
            if passed >= wanted.max(1) {
                let middle = match class {
                    0 => 0.0,
                    _ => FACTOR.powf(class as f64 - 0.5),
                };
                return middle.min(self.most as f64);
            }
        }
        self.most as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_five_percent() {
        let mut histogram = Histogram::default();
        let mut times: Vec<u64> = (0..10_000_u64)
            .map(|it| it * it * 7919 % 3_000_017)
            .collect();
        let (front, back) = times.split_at(4_000);
        let mut other = Histogram::default();
        front.iter().for_each(|time| histogram.add(*time));
        back.iter().for_each(|time| other.add(*time));
        histogram.merge(&other);
        times.sort_unstable();
        for share in [0.0001, 0.1, 0.5, 0.9, 0.99, 1.0] {
            let exact = times[(share * 10_000.0) as usize - 1] as f64;
            let found = histogram.quantile(share);
            assert!(
                (found - exact).abs() <= 0.05 * exact,
                "{share}: {found} {exact}"
            );
        }
        assert_eq!(histogram.most, times[9_999]);
    }

    #[test]
    fn any_time_has_a_class() {
        let mut histogram = Histogram::default();
        for time in [0, 1, u64::MAX] {
            histogram.add(time);
        }
        assert_eq!((histogram.count, histogram.most), (3, u64::MAX));
        assert_eq!(histogram.quantile(0.1), 0.0);
        assert_eq!(histogram.quantile(0.5), 1.05_f64.min(FACTOR.sqrt()));
        assert_eq!(histogram.counts.len(), TIME_CLASSES);
    }
}
