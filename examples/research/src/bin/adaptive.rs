//! How many games it takes until a ranking is clear, how often it is wrong then, and what its differences are worth:
//! adaptive tournaments over simulated fields.
//!
//! ```text
//! cargo run --release -p research --bin adaptive
//! ```
//!
//! Arguments: how many tournaments a line is made of, and indifferences. The figures are in `docs/sequential-tests.md`.

use referee::rating::RankingTest;
use research::ranking::{FIELDS, Field, Went, adaptive, round_robin};

/// How many tournaments each line is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 1000;

/// The indifferences, unless arguments say otherwise.
const INDIFFERENCES: [f64; 1] = [10.0];

/// Round robins take long, and what they cost hardly varies.
const ROUND_ROBINS: u64 = 3;

fn main() {
    let mut args = std::env::args().skip(1);
    let tournaments = args.next().and_then(|count| count.parse().ok());
    let tournaments = tournaments.unwrap_or(TOURNAMENTS);
    let mut indifferences: Vec<f64> = args.filter_map(|elo| elo.parse().ok()).collect();
    if indifferences.is_empty() {
        indifferences = INDIFFERENCES.to_vec();
    }
    println!(
        "| players | field | δ | games | round robin, games | wrong by δ | turned at all | tied | wrongly tied | neighbours at the end: held | corrected: \
         held | median error | plain: held | median error |"
    );
    println!("|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for indifference in indifferences {
        let test = RankingTest {
            confidence: 0.95,
            indifference,
        };
        for field in &FIELDS {
            row(field, test, tournaments);
        }
    }
}

fn row(field: &Field, test: RankingTest, tournaments: u64) {
    let all: Vec<Went> = (0..tournaments)
        .map(|seed| adaptive(field, test, seed))
        .collect();
    let mean = |all: &[Went], of: fn(&Went) -> u64| {
        all.iter().map(of).sum::<u64>() as f64 / all.len() as f64
    };
    let share = |of| 100.0 * mean(&all, of) / (field.players as f64 - 1.0);
    let others: Vec<Went> = (0..ROUND_ROBINS.min(tournaments))
        .map(|seed| round_robin(field, test, seed))
        .collect();
    let differences: Vec<_> = all.iter().flat_map(|went| &went.differences).collect();
    let [corrected, plain] = [0, 1].map(|which| {
        let held = |(truth, intervals): &&&(f64, [[f64; 3]; 2])| {
            let [low, _, high] = intervals[which];
            low <= *truth && *truth <= high
        };
        let held = differences.iter().filter(held).count() as f64 / differences.len() as f64;
        let mut errors: Vec<f64> = differences
            .iter()
            .map(|(truth, intervals)| intervals[which][1] - truth)
            .collect();
        errors.sort_by(f64::total_cmp);
        format!("{:.1} % | {:+.1}", 100.0 * held, errors[errors.len() / 2])
    });
    println!(
        "| {} | {} | {} | {:.0} | {:.0} | {:.2} % | {:.2} % | {:.1} % | {:.2} % | {:.1} % | {corrected} | {plain} |",
        field.players,
        field.name,
        test.indifference,
        mean(&all, |went| went.games),
        mean(&others, |went| went.games),
        share(|went| went.wrong),
        share(|went| went.turned),
        share(|went| went.tied),
        share(|went| went.wrongly_tied),
        share(|went| went.held),
    );
}
