//! `referee run` with house bots: the files that it writes, and what is reproducible.

use std::collections::BTreeSet;

use crate::support::config::{RANDOM, all_games, greedy};
use crate::support::{Table, TestRun, column, number};

const SEARCH: &str = "[[player]]\nhouse = \"search\"\nargs = [\"--nodes\", \"50\"]\n";

/// A tournament of three house bots whose play does not depend on the clock.
fn config(seed: u64) -> String {
    let players = [RANDOM, &greedy(&[("greedy", 50)]), SEARCH];
    format!("name = \"trio\"\n{}", all_games(seed, 600, &players))
}

const GAMES: [&str; 3] = ["watch-your-back", "cachex", "dark-chess"];
const PLAYERS: [&str; 3] = ["random", "greedy", "search"];

fn files_below(run: &TestRun, folder: &str) -> BTreeSet<String> {
    std::fs::read_dir(run.out().join(folder))
        .expect(folder)
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("text"))
        .collect()
}

#[test]
fn a_run_leaves_a_complete_folder() {
    let run = TestRun::new(&config(1));
    assert_screen!(run.play(&["-j", "2"]));
    the_tables_agree_with_the_journal(&run);
    another_seed_gives_other_games(&run);
    let files = "manifest.toml games.csv games ratings.csv standings.csv crosstable.csv \
                 superiority.csv players.csv report run.sha256";
    let files: BTreeSet<String> = files.split(' ').map(str::to_owned).collect();
    assert_eq!(files_below(&run, ""), files, "and nothing else");

    // 3 games, 3 pairings, 2 games each.
    let games = run.rows();
    let found = column(&games, "id");
    assert_eq!(found, (0..18).map(|id| id.to_string()).collect::<Vec<_>>());
    let logs: BTreeSet<String> = (0..18).map(|id| format!("{id:06}.csv")).collect();
    assert_eq!(files_below(&run, "games/0000"), logs);
    for (id, row) in games.iter().enumerate() {
        let plies = run.plies(id);
        assert_eq!(plies.len().to_string(), row["plies"], "game {id}");
        let expected: Vec<String> = (1..=plies.len()).map(|n| n.to_string()).collect();
        assert_eq!(column(&plies, "ply"), expected, "game {id}");
        // No player chose the opening, and it took nobody's time.
        for (index, ply) in plies.iter().enumerate() {
            assert_eq!(ply["wall_us"].is_empty(), index < 2, "game {id}");
        }
        assert!(
            matches!(row["termination"].as_str(), "rules" | "adjudication"),
            "{row:?}"
        );
        assert!(!row["reason"].is_empty() && row["forfeited_by"].is_empty());
    }
}

fn the_tables_agree_with_the_journal(run: &TestRun) {
    let games = run.rows();
    for game in GAMES {
        let of_game = |table: &Table| -> Table {
            let rows = table.iter().filter(|row| row["game"] == game);
            rows.cloned().collect()
        };
        let ratings = of_game(&run.table("ratings.csv"));
        let standings = of_game(&run.table("standings.csv"));
        let crosstable = of_game(&run.table("crosstable.csv"));
        for table in [&ratings, &standings, &crosstable] {
            assert_eq!(table.len(), 3, "{game}");
        }
        for player in PLAYERS {
            let points: f64 = of_game(&games)
                .iter()
                .map(|row| match player {
                    _ if row["first"] == player => number(&row["first_points"]),
                    _ if row["second"] == player => number(&row["second_points"]),
                    _ => 0.0,
                })
                .sum();
            let rating = line_of(&ratings, player);
            let standing = line_of(&standings, player);
            assert_eq!(number(&rating["points"]), points);
            assert_eq!(number(&standing["points"]), points);
            assert_eq!(rating["games"], "4");
            let elo = number(&rating["elo"]);
            let ends = ["elo_low", "elo_high"].map(|end| &rating[end]);
            let [low, high] = ends.map(|end| (!end.is_empty()).then(|| number(end)));
            assert!(low.is_none_or(|low| low < elo) && high.is_none_or(|high| elo < high));
            // Only results on one side leave an end open.
            let is_one_sided = points == 0.0 || points == 4.0;
            assert!(
                is_one_sided || low.is_some() && high.is_some(),
                "{rating:?}"
            );
            for other in PLAYERS {
                let cell = &line_of(&crosstable, player)[other];
                let mirrored = &line_of(&crosstable, other)[player];
                let mirrored: Vec<&str> = mirrored.split('-').rev().collect();
                assert_eq!(*cell, mirrored.join("-"), "{player} and {other} in {game}");
                assert_eq!(cell.is_empty(), player == other);
            }
        }
    }
}

fn line_of<'a>(table: &'a Table, player: &str) -> &'a std::collections::BTreeMap<String, String> {
    let row = table.iter().find(|row| row["player"] == player);
    row.expect("a row for every player")
}

fn another_seed_gives_other_games(one: &TestRun) {
    let other = TestRun::played(&config(2));
    for (index, game) in GAMES.into_iter().enumerate() {
        let actions = |run: &TestRun| -> Vec<String> {
            let ids = (0..3).map(|pair| 6 * index + 2 * pair);
            ids.flat_map(|id| run.plies(id))
                .map(|ply| ply["action"].clone())
                .collect()
        };
        assert_ne!(actions(one), actions(&other), "{game}");
    }
}
