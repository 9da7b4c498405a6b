//! `referee run` with house bots: what it leaves behind, and what is the same again.

use std::collections::BTreeSet;

use crate::support::tables::{Table, without_clocks};
use crate::support::tournament::{Run, run};

/// All three games among three house bots whose play the clock does not reach.
fn config(seed: u64) -> String {
    format!(
        r#"
name = "trio"
seed = {seed}
[[game]]
name = "watch-your-back"
[[game]]
name = "cachex"
size = 4
[[game]]
name = "dark-chess"
max-plies = 60
[format]
kind = "round-robin"
games-per-pairing = 2
opening-plies = 2
[[player]]
house = "random"
[[player]]
house = "greedy"
args = ["--nodes", "50"]
[[player]]
house = "search"
args = ["--nodes", "50"]
"#
    )
}

const GAMES: [&str; 3] = ["watch-your-back", "cachex", "dark-chess"];
const PLAYERS: [&str; 3] = ["random", "greedy", "search"];

fn files_below(run: &Run, folder: &str) -> BTreeSet<String> {
    std::fs::read_dir(run.path().join(folder))
        .expect(folder)
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("text"))
        .collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_run_leaves_a_complete_folder() {
    let run = run(&config(1), 2);
    let files = [
        "manifest.toml",
        "games.csv",
        "games",
        "ratings.csv",
        "standings.csv",
        "crosstable.csv",
        "superiority.csv",
        "history.csv",
    ];
    assert_eq!(files_below(&run, ""), set(&files), "and nothing else");

    // 3 games, 3 pairings, 2 games each.
    let games = run.games();
    let ids: Vec<String> = games.iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, (0..18).map(|id| id.to_string()).collect::<Vec<_>>());
    let logs: BTreeSet<String> = (0..18).map(|id| format!("{id:06}.csv")).collect();
    assert_eq!(files_below(&run, "games/0000"), logs);
    for (id, row) in games.iter().enumerate() {
        let plies = run.plies(id);
        assert_eq!(plies.len().to_string(), row["plies"], "game {id}");
        let numbers: Vec<String> = plies.iter().map(|ply| ply["ply"].clone()).collect();
        let expected: Vec<String> = (1..=plies.len()).map(|n| n.to_string()).collect();
        assert_eq!(numbers, expected, "game {id}");
        // The opening was chosen by no player and took none of anybody's time.
        for (index, ply) in plies.iter().enumerate() {
            assert_eq!(ply["wall_us"].is_empty(), index < 2, "game {id}");
        }
        assert!(
            matches!(row["termination"].as_str(), "rules" | "adjudication"),
            "{row:?}"
        );
        assert!(!row["reason"].is_empty() && row["forfeited_by"].is_empty());
    }
    assert!(run.summary.contains("18 rules") || run.summary.contains("adjudication"));
}

#[test]
fn the_header_of_every_file_is_as_documented() {
    let run = run(&config(1), 2);
    let header = |file: &str| run.text(file).lines().next().expect("a line").to_owned();
    assert_eq!(
        header("games.csv"),
        "id,game,options,pair,first,second,winner,first_points,second_points,termination,\
         forfeited_by,reason,detail,plies,actions_digest,date,game_us,first_wall_us,first_cpu_us,\
         second_wall_us,second_cpu_us,first_peak_kib,second_peak_kib"
    );
    assert_eq!(
        header("games/0000/000000.csv"),
        "ply,seat,action,public,wall_us,cpu_us,idle_cpu_us,left_us"
    );
    assert_eq!(
        header("ratings.csv"),
        "game,rank,player,elo,elo_low,elo_high,games,points,wins,draws,losses,forfeits,score,\
         field_score,performance,margin,forfeit_points"
    );
    assert_eq!(
        header("superiority.csv"),
        "game,player,opponent,difference,difference_low,difference_high,superiority,\
         expected_score,games,points"
    );
    assert_eq!(
        header("history.csv"),
        "game,number,date,first,second,first_points,first_elo,second_elo,first_glicko,\
         first_deviation,second_glicko,second_deviation"
    );
    assert_eq!(
        header("standings.csv"),
        "game,rank,player,points,games,wins,draws,losses,forfeits"
    );
    let crosstable = header("crosstable.csv");
    let mut names: Vec<&str> = crosstable.split(',').skip(2).collect();
    assert!(crosstable.starts_with("game,player,"));
    names.sort_unstable();
    assert_eq!(names, ["greedy", "random", "search"]);
}

#[test]
fn the_tables_agree_with_the_journal() {
    let run = run(&config(3), 2);
    let games = run.games();
    let number = |text: &String| text.parse::<f64>().expect("a number");
    for game in GAMES {
        let of_game = |table: &Table| -> Table {
            table
                .iter()
                .filter(|row| row["game"] == game)
                .cloned()
                .collect()
        };
        let ratings = of_game(&run.table("ratings.csv"));
        let standings = of_game(&run.table("standings.csv"));
        let crosstable = of_game(&run.table("crosstable.csv"));
        assert_eq!(
            [ratings.len(), standings.len(), crosstable.len()],
            [3, 3, 3]
        );
        for player in PLAYERS {
            let points: f64 = of_game(&games)
                .iter()
                .map(|row| match player {
                    _ if row["first"] == player => number(&row["first_points"]),
                    _ if row["second"] == player => number(&row["second_points"]),
                    _ => 0.0,
                })
                .sum();
            let line = |table: &Table| {
                let mut rows = table.iter().filter(|row| row["player"] == player).cloned();
                rows.next().expect("a row for every player")
            };
            let (rating, standing) = (line(&ratings), line(&standings));
            assert_eq!(number(&rating["points"]), points);
            assert_eq!(number(&standing["points"]), points);
            assert_eq!(rating["games"], "4");
            let [low, elo, high] =
                ["elo_low", "elo", "elo_high"].map(|column| number(&rating[column]));
            assert!(low.is_finite() && high.is_finite() && low <= elo && elo <= high);
            for other in PLAYERS {
                let cell = &line(&crosstable)[other];
                let mirrored: Vec<String> = line_of(&crosstable, other)[player]
                    .split('-')
                    .rev()
                    .map(str::to_owned)
                    .collect();
                assert_eq!(*cell, mirrored.join("-"), "{player} and {other} in {game}");
                assert_eq!(cell.is_empty(), player == other);
            }
        }
    }
}

fn line_of<'a>(table: &'a Table, player: &str) -> &'a std::collections::BTreeMap<String, String> {
    table
        .iter()
        .find(|row| row["player"] == player)
        .expect("a row for every player")
}

#[test]
fn games_of_a_pair_share_their_start_and_swap_the_seats() {
    let run = run(&config(5), 2);
    for pair in run.games().chunks(2) {
        assert_eq!(pair[0]["pair"], pair[1]["pair"]);
        assert_eq!(pair[0]["first"], pair[1]["second"]);
        assert_eq!(pair[0]["second"], pair[1]["first"]);
        let [one, other] = [0, 1].map(|index| run.plies(pair[index]["id"].parse().expect("an id")));
        let opening = |plies: &Table| without_clocks(plies[..2].to_vec());
        assert_eq!(opening(&one), opening(&other));
        if pair[0]["game"] == "dark-chess" {
            one_shuffle(&one, &other);
        }
    }
}

/// Flips of the same square, before anything can have moved there, show the same piece.
fn one_shuffle(one: &Table, other: &Table) {
    let flips = |plies: &Table| -> BTreeSet<(String, String)> {
        plies
            .iter()
            .filter(|ply| !ply["action"].contains('-'))
            .map(|ply| (ply["action"].clone(), ply["public"].clone()))
            .collect()
    };
    let (one, other) = (flips(one), flips(other));
    let mut common = 0;
    for (square, piece) in &one {
        for (_, again) in other.iter().filter(|(same, _)| same == square) {
            assert_eq!(piece, again, "{square}");
            common += 1;
        }
    }
    assert!(common > 2, "the two games flip some square both");
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let (alone, together) = (run(&config(7), 1), run(&config(7), 3));
    assert_eq!(
        without_clocks(alone.games()),
        without_clocks(together.games())
    );
    for id in 0..18 {
        assert_eq!(
            without_clocks(alone.plies(id)),
            without_clocks(together.plies(id)),
            "game {id}"
        );
    }
    for file in ["ratings", "standings", "crosstable", "superiority"] {
        let file = format!("{file}.csv");
        assert_eq!(alone.text(&file), together.text(&file), "{file}");
    }
    assert_eq!(
        without_clocks(alone.table("history.csv")),
        without_clocks(together.table("history.csv"))
    );
}

#[test]
fn another_seed_gives_other_games() {
    let (one, other) = (run(&config(1), 2), run(&config(2), 2));
    for (index, game) in GAMES.into_iter().enumerate() {
        let actions = |run: &Run| -> Vec<String> {
            let ids = (0..3).map(|pair| 6 * index + 2 * pair);
            ids.flat_map(|id| run.plies(id))
                .map(|ply| ply["action"].clone())
                .collect()
        };
        assert_ne!(actions(&one), actions(&other), "{game}");
    }
}

#[test]
fn the_manifest_is_the_plan_as_understood() {
    let run = run(&config(9), 2);
    let manifest: toml::Table = run.text("manifest.toml").parse().expect("TOML");
    assert_eq!(manifest["seed"].as_integer(), Some(9));
    assert_eq!(manifest["jobs"].as_integer(), Some(2));
    assert_eq!(manifest["clock"]["measure"].as_str(), Some("wall"));
    assert_eq!(manifest["clock"]["per-game"].as_str(), Some("none"));
    assert_eq!(manifest["format"]["opening-plies"].as_integer(), Some(2));
    let games = manifest["game"].as_array().expect("an array");
    let names: Vec<_> = games.iter().map(|game| game["name"].as_str()).collect();
    assert_eq!(names, GAMES.map(Some));
    assert_eq!(games[1]["size"].as_str(), Some("4"));
    let players = manifest["player"].as_array().expect("an array");
    for (player, name) in players.iter().zip(PLAYERS) {
        assert_eq!(player["name"].as_str(), Some(name));
        let digest = player["digest"].as_str().expect("text");
        assert_eq!(digest.len(), "sha256:".len() + 64);
    }
}

#[test]
fn a_match_of_two_players_has_a_table_of_its_own() {
    let third = "[[player]]\nhouse = \"search\"\nargs = [\"--nodes\", \"50\"]\n";
    let run = run(&config(4).replace(third, ""), 2);
    let rows = run.table("match.csv");
    assert_eq!(rows.len(), GAMES.len());
    for row in rows {
        let pairs: u64 = [
            "pairs_0",
            "pairs_half",
            "pairs_1",
            "pairs_1_half",
            "pairs_2",
        ]
        .iter()
        .map(|column| row[*column].parse::<u64>().expect("a number"))
        .sum();
        assert_eq!((pairs, row["single_games"].as_str()), (1, "0"), "{row:?}");
    }
}

#[test]
fn games_with_the_same_actions_have_the_same_digest() {
    let (one, other) = (run(&config(6), 2).games(), run(&config(6), 1).games());
    let mut digests = BTreeSet::new();
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one["actions_digest"], other["actions_digest"]);
        assert_eq!(one["actions_digest"].len(), 16, "{one:?}");
        digests.insert(one["actions_digest"].clone());
    }
    assert_eq!(digests.len(), 18, "and others another");
}
