//! The table `ranks` of `referee rate`, and a small edition of `examples/ranks.rs`.

use crate::support::program::referee_in;
use crate::support::superior::{FIELDS, first};

/// The standard error of the share of leaders who are the strongest is 5 points.
#[test]
fn the_likeliest_first_is_the_strongest_at_least_as_often_as_stated() {
    for field in FIELDS.iter().filter(|field| !field.groups) {
        let stated = first(field, 4, 40, 80).leader.percent();
        let [probability, was] = stated.expect("a leader in each tournament");
        let found = format!("{}: {probability} {was}", field.world.name);
        assert!(probability - was < 10.0, "{found}");
        if field.world.name == "wide, decisive" {
            assert!(was - probability < 10.0, "{found}");
        }
    }
}

/// Three players, of whom the first wins most.
const GAMES: &str =
    "ann,bob,1\nbob,ann,0\nann,bob,1\nbob,ann,1\nann,cat,1\ncat,ann,0\nbob,cat,1\ncat,bob,0.5\n";

#[test]
fn each_player_has_all_its_ranks_on_a_screen_and_those_that_are_likely_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("games.csv"), GAMES).expect("written");
    let rate = |more: &str| referee_in(folder.path(), &format!("rate games.csv {more}")).ok();
    let csv = rate("--table ranks --format csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows[0], ["game", "player", "rank", "probability"]);
    for name in ["ann", "bob", "cat"] {
        let own = rows.iter().filter(|row| row[1] == name);
        let sum: f64 = own
            .map(|row| row[3].parse::<f64>().expect("a number"))
            .sum();
        assert!((sum - 1.0).abs() < 0.002, "{csv}");
    }
    let screen = rate("--table ranks");
    let titles: Vec<&str> = screen
        .lines()
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    assert!(titles.ends_with(&["player", "1", "2", "3"]), "{screen}");
    assert_eq!(screen.lines().filter(|line| line.contains('%')).count(), 3);
}

#[test]
fn of_many_players_a_screen_has_the_likeliest_ranks_and_of_too_many_there_is_no_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |players: usize| {
        let rows: String = (0..players)
            .map(|at| format!("p{at},p{},1\n", (at + 1) % players))
            .collect();
        std::fs::write(folder.path().join("games.csv"), rows).expect("written");
    };
    write(13);
    let screen = referee_in(folder.path(), "rate games.csv --table ranks").ok();
    assert!(screen.contains("likeliest"), "{screen}");
    write(301);
    referee_in(folder.path(), "rate games.csv --table ranks")
        .fails(2, "--table ranks: games has 301 players, more than 300");
}
