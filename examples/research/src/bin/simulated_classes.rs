//! What marks are worth, over simulated classes whose true strengths are known.
//!
//! ```text
//! cargo run --release -p research --bin simulated_classes
//! ```
//!
//! An argument, such as 10, multiplies how much is simulated. The figures are in `docs/marks.md`.

use referee::grade::Scheme;
use research::classes::{
    BINS, MORE_SEATS, OTHERS, Setting, Stated, WORLDS, World, coverage, one_test_of,
    stated_and_changed, wrong_order,
};
use research::schemes::{course, one_test};

/// How many students each world has.
const STUDENTS: u64 = 3000;

/// How many repetitions are simulated for each student.
const SIMULATIONS: usize = 400;

/// How often each student is marked again.
const AGAIN: u32 = 10;

fn main() {
    let times: u64 = research::count(1);
    for (worlds, name) in [(&WORLDS[..], "chosen with"), (&OTHERS[..], "others")] {
        for (title, setting) in settings() {
            changes(&format!("{title}; {name}"), worlds, &setting, times);
        }
    }
    for games in [42_u32, 21] {
        for world in &MORE_SEATS {
            let games = games.next_multiple_of(world.seats as u32);
            let setting = Setting::new(one_test_of(world.seats), games, 1);
            let title = format!("one test of {games} games");
            changes(&title, std::slice::from_ref(world), &setting, times);
        }
    }
    orders(times);
    intervals(times);
}

/// How the classes are marked.
fn settings() -> Vec<(&'static str, Setting)> {
    let mut curved = one_test();
    curved.tests[0].curve = Some(vec![[0.1, 0.0], [0.5, 0.7], [0.9, 1.0]]);
    let rounded = |rounding| Scheme {
        rounding,
        ..one_test()
    };
    vec![
        ("one test of 40 games", Setting::new(one_test(), 40, 1)),
        ("four tests and reliability", Setting::new(course(), 40, 2)),
        ("one test of 10 games", Setting::new(one_test(), 10, 1)),
        ("20 games", Setting::new(one_test(), 20, 1)),
        ("100 games", Setting::new(one_test(), 100, 1)),
        ("4 times 10 games", Setting::new(one_test(), 40, 4)),
        ("40 games, steps of 1", Setting::new(rounded(1.0), 40, 1)),
        ("40 games, curve", Setting::new(curved, 40, 1)),
    ]
}

/// Stated probability of another total, less the observed frequency. A bin has its number of students, the mean of
/// what was stated, and what was observed.
fn changes(title: &str, worlds: &[World], setting: &Setting, times: u64) {
    println!("Stated less observed probability of change, in percent: {title}\n");
    println!("| class | students | stated | observed | difference | by bins of what was stated |");
    println!("|---|---:|---:|---:|---:|---|");
    let mut all = [Stated::default(); BINS.len()];
    let row = |name: &str, bins: &[Stated]| {
        let mut whole = Stated::default();
        bins.iter().for_each(|bin| whole += *bin);
        let [difference, error] = whole.excess();
        let each = bins.iter().zip(BINS).filter(|(bin, _)| bin.students > 0.0);
        let each: Vec<String> = each
            .map(|(bin, from)| {
                let [excess, error] = bin.excess().map(|part| 100.0 * part);
                let observed = 100.0 * bin.changed / bin.students;
                format!(
                    "{:.0}+: {} students {:.1}, {observed:.1} ± {error:.1}",
                    100.0 * from,
                    bin.students,
                    observed + excess
                )
            })
            .collect();
        println!(
            "| {name} | {} | {:.1} | {:.1} | {:.1} ± {:.1} | {} |",
            whole.students,
            100.0 * whole.stated / whole.students,
            100.0 * whole.changed / whole.students,
            100.0 * difference,
            100.0 * error,
            each.join("; "),
        );
    };
    for world in worlds {
        let bins = stated_and_changed(world, setting, times * STUDENTS, SIMULATIONS, AGAIN);
        row(world.name, &bins);
        all.iter_mut().zip(bins).for_each(|(all, bin)| *all += bin);
    }
    row("all of them", &all);
    println!();
}

/// How often a better student has the lower mark.
fn orders(times: u64) {
    println!(
        "The better of two students, by 10 points of win rate, has the lower mark (the same mark), in percent\n"
    );
    println!("| win rates | tests of 40 games | in steps of ½ | not rounded |");
    println!("|---|---:|---:|---:|");
    for middle in [0.5, 0.9] {
        for tests in [1, 2, 4, 6, 7, 8, 14] {
            let [half, none] = [0.5, 0.0].map(|rounding| {
                let found = wrong_order(middle, tests, rounding, times * 4000);
                let [lower, same] = found.map(|part| 100.0 * part);
                format!("{lower:.2} ({same:.1})")
            });
            let rates = [middle + 0.05, middle - 0.05].map(|rate| 100.0 * rate);
            println!(
                "| {:.0}, {:.0} | {tests} | {half} | {none} |",
                rates[0], rates[1]
            );
        }
    }
    println!();
}

/// How often 95 % intervals of a share hold the truth.
fn intervals(times: u64) {
    println!("Intervals of a share that hold the truth, in percent (mean width, in points)\n");
    println!("| class | 1 × 40 games | 1 × 10 | 2 × 20 | 4 × 10 |");
    println!("|---|---:|---:|---:|---:|");
    for world in &WORLDS {
        let cells = [(1, 40), (1, 10), (2, 20), (4, 10)].map(|(opponents, games)| {
            let found = coverage(world, opponents, games, times * 10_000);
            let [held, width] = found.map(|part| 100.0 * part);
            format!("{held:.1} ({width:.0})")
        });
        println!("| {} | {} |", world.name, cells.join(" | "));
    }
}
