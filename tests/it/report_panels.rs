//! Means over the parameters of a grid.

use crate::report_curves::{figure, figures, number};

/// `kind` and `nodes` change how a player plays, `copy` changes nothing.
const GRID: &str = "[[player]]\nname = \"{nodes}-{kind}-{copy}\"\nhouse = \"{kind}\"\nargs = [\"--nodes\", \"{nodes}\"]\n\
                    env = { COPY = \"{copy}\" }\n[player.grid]\nnodes = [9, 30]\nkind = [\"search\", \"greedy\"]\ncopy = [\"a\", \"b\"]\n";

#[test]
fn a_grid_of_three_parameters_has_a_mean_for_each_value() {
    let run = figures("kind = \"round-robin\"\ngames-per-pairing = 2", GRID);
    let ratings = run.table("ratings.csv");
    for (parameter, place, values) in [
        ("nodes", 0, ["9", "30"]),
        ("kind", 1, ["search", "greedy"]),
        ("copy", 2, ["a", "b"]),
    ] {
        let found = figure(&run, &format!("cachex-elo-by-{parameter}"));
        let own: Vec<&str> = found.iter().map(|row| row[parameter].as_str()).collect();
        assert_eq!(own, values);
        for row in found {
            let with = ratings.iter().filter(|rating| {
                rating["player"].split('-').nth(place) == Some(row[parameter].as_str())
            });
            let elo: Vec<f64> = with.map(|rating| number(&rating["elo"])).collect();
            assert_eq!(row["variants"], elo.len().to_string());
            let expected = [
                elo.iter().sum::<f64>() / elo.len() as f64,
                elo.iter().copied().fold(f64::INFINITY, f64::min),
                elo.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ];
            for (column, expected) in ["mean Elo", "lowest", "highest"].into_iter().zip(expected) {
                assert!(
                    (number(&row[column]) - expected).abs() < 0.11,
                    "{column}: {row:?}, {expected}"
                );
            }
        }
    }
}
