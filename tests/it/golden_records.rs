//! Records of games of two that are kept, so that a change of them is seen: the journal, the ratings and a log of one seed, in
//! two built-in games.

use crate::support::{RANDOM, Table, TestRun, without_clocks};

const SEARCH: &str = "[[player]]\nhouse = \"search\"\nargs = [\"--nodes\", \"20\"]\n";

/// A tournament of two house bots whose play does not depend on the clock.
fn run(game: &str) -> TestRun {
    let run = TestRun::new(&format!(
        "seed = 11\n[game]\n{game}\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 4\nopening-plies = 2\n\
         [clock]\nmeasure = \"cpu\"\n{RANDOM}{SEARCH}"
    ));
    run.play(&["-j", "1"]);
    run
}

/// A table without what depends on the clock, as lines of `column=value`; empty values are left out.
fn lines(table: Table) -> String {
    let row = |row: std::collections::BTreeMap<String, String>| {
        let filled = row.into_iter().filter(|(_, value)| !value.is_empty());
        let cells: Vec<String> = filled
            .map(|(column, value)| format!("{column}={value}"))
            .collect();
        cells.join(" ") + "\n"
    };
    without_clocks(table).into_iter().map(row).collect()
}

fn records(run: &TestRun) -> String {
    let log = run.table("games/0000/000001.csv");
    let ratings = run.read("out/ratings.csv");
    [lines(run.rows()), ratings, lines(log)].join("\n")
}

#[test]
fn records_of_two_seats_stay_as_they_were() {
    insta::assert_snapshot!("cachex", records(&run("name = \"cachex\"\nsize = 4")));
    insta::assert_snapshot!(
        "watch_your_back",
        records(&run("name = \"watch-your-back\"\nmax-plies = 40"))
    );
}
