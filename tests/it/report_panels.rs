//! Curves of many players, and means over the parameters of a grid.

use std::collections::BTreeMap;

use crate::report_curves::{figure, figures, number, search};

#[test]
fn each_of_nine_players_has_a_panel_that_ends_at_its_rating() {
    let players: String = (1..=9)
        .map(|nodes| search(&format!("s{nodes}"), &nodes.to_string()))
        .collect();
    let run = figures("kind = \"round-robin\"\ngames-per-pairing = 2", &players);
    let found = figure(&run, "cachex-elo-over-games");
    let last = found.iter().filter(|row| row["games"] == "72");
    let last: BTreeMap<&str, [&str; 3]> = last
        .map(|row| {
            let elo = ["low", "Elo", "high"].map(|column| row[column].as_str());
            (row["player"].as_str(), elo)
        })
        .collect();
    let ratings = run.table("ratings.csv");
    let expected: BTreeMap<&str, [&str; 3]> = ratings
        .iter()
        .map(|row| {
            let elo = ["elo_low", "elo", "elo_high"].map(|column| row[column].as_str());
            (row["player"].as_str(), elo)
        })
        .collect();
    assert_eq!(last, expected);
    let picture = run.read("figures/cachex-elo-over-games.svg");
    let count = |element: &str| picture.matches(element).count();
    assert_eq!([count("<polyline"), count("<polygon")], [9, 9], "{picture}");
    for nodes in 1..=9 {
        assert_eq!(count(&format!(">s{nodes}</text>")), 1);
    }
}

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
