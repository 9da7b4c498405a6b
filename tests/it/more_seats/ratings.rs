//! Ratings of tournaments in games of three and four seats, in all that shows them.

use std::collections::BTreeMap;

use super::tournaments::{ROUND_ROBIN, chexers, tron};
use crate::support::run::TestRun;
use crate::support::tables::{Table, rows};

/// A tournament in which player `a` cannot be started.
fn with_a_forfeiter(run: &TestRun) {
    let config = run.read("config.toml");
    let own = "name = \"a\"\nhouse = \"random\"";
    assert!(config.contains(own), "{config}");
    let config = config.replace(own, "name = \"a\"\nshell = \"exit 3\"");
    run.write("config.toml", &config.replace("pairing = 3", "pairing = 9"));
}

fn of<'a>(table: &'a Table, player: &str) -> &'a BTreeMap<String, String> {
    let mut rows = table.iter();
    rows.find(|row| row["player"] == player).expect("a row")
}

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

#[test]
fn a_forfeit_puts_the_others_ahead_of_the_player_alone() {
    let Some(run) = chexers(ROUND_ROBIN) else {
        return;
    };
    with_a_forfeiter(&run);
    let end = run.run(&["-j", "2"]).ok();
    assert!(end.contains("chexers: 30 games"), "{end}");
    let ratings = rows(&run.out().join("ratings.csv"));
    let games = run.rows();
    let forfeited = games
        .iter()
        .filter(|row| row["forfeited_by"] == "a")
        .count();
    assert!(forfeited > 3 && forfeited < games.len(), "{forfeited}");
    let own = of(&ratings, "a");
    assert_eq!(own["forfeits"], forfeited.to_string());
    assert_eq!(
        (&own["places"][..2], own["score"].as_str()),
        ("0-", "0.0000")
    );
    assert_eq!(own["rank"], "5");
    let shown = run.referee("rate out").ok();
    let note =
        format!("{forfeited} games were decided by forfeit, of 30 in all: the others are ahead");
    assert!(shown.contains(&note), "{shown}");
    let live = run.referee("rate out --format json").ok();
    assert!(live.contains("\"seats\""), "{live}");
}
