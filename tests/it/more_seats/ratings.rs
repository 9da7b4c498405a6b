//! Ratings of tournaments in games of three and four seats, in all that shows them.

use super::tournaments::{ROUND_ROBIN, chexers, tron};
use crate::support::tables::rows;

#[test]
fn the_tables_of_a_run_are_the_ones_that_rate_makes() {
    for (run, seats) in [(chexers(ROUND_ROBIN), 3), (tron(ROUND_ROBIN), 4)] {
        let Some(run) = run else {
            return;
        };
        run.play(&["-j", "2"]);
        for name in ["ratings", "standings", "crosstable", "superiority"] {
            let rated = run
                .referee(&format!("rate out --format csv --table {name}"))
                .ok();
            assert_eq!(rated, run.read(&format!("out/{name}.csv")), "{name}");
        }
        let ratings = rows(&run.out().join("ratings.csv"));
        for row in &ratings {
            let places: Vec<u64> = row["places"]
                .split('-')
                .map(|count| count.parse().expect("a number"))
                .collect();
            assert_eq!(places.len(), seats, "{row:?}");
            assert_eq!(row["games"], places.iter().sum::<u64>().to_string());
        }
    }
}
