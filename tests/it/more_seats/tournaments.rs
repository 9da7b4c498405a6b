//! Tournaments in games of three and four seats: any number of jobs and shards gives the same games.

use super::tournament;
use crate::games_listing::listed;
use crate::support::content::content;
use crate::support::tables::rows as rows_of;
use crate::support::{TestRun, all_combinations, columns, randoms};

/// A tournament of five random players; `None` where there is no Python. `SEATS` in the format is the number of seats.
fn among_randoms(rules: &str, seats: usize, game: &str, format: &str) -> Option<TestRun> {
    let format = format.replace("SEATS", &seats.to_string());
    let players = randoms(&["a", "b", "c", "d", "e"]);
    let rest = format!("[format]\n{format}\n[clock]\nmeasure = \"cpu\"\n{players}");
    tournament(rules, game, &rest)
}

/// Four in turn, each with secrets of its own.
fn secrets(format: &str) -> Option<TestRun> {
    among_randoms("secrets", 4, "seats = 4", format)
}

fn chexers(format: &str) -> Option<TestRun> {
    among_randoms("chexers", 3, "turns = 20", format)
}

fn tron(format: &str) -> Option<TestRun> {
    among_randoms("tron", 4, "seats = 4\nsize = 6", format)
}

const ROUND_ROBIN: &str = "kind = \"round-robin\"\ngames-per-pairing = SEATS";
const GAUNTLET: &str = "kind = \"gauntlet\"\nchallengers = [\"d\"]\ngames-per-pairing = SEATS";
/// The other one cannot fill the seats beside a challenger.
const COPIES: &str =
    "kind = \"gauntlet\"\nchallengers = [\"a\", \"b\", \"c\", \"d\"]\ngames-per-pairing = SEATS";
/// The challenger meets two, three or more copies of each other player in turn.
const TEST: &str = "kind = \"sprt\"\nchallengers = [\"d\"]\nelo0 = 0\nelo1 = 200\nmax-games = 24";
const SWISS: &str = "kind = \"swiss\"\nrounds = 2\ngames-per-pairing = SEATS";

#[test]
#[ignore = "slow"]
fn any_number_of_jobs_plays_the_same_games_in_every_format() {
    let games = [chexers, tron, secrets];
    let formats = [ROUND_ROBIN, GAUNTLET, COPIES, SWISS, TEST];
    for (at, format) in formats.iter().enumerate() {
        let some = &games[at % 3..][..1];
        for game in if all_combinations() { &games } else { some } {
            let (one, other) = (needed!(game(format)), needed!(game(format)));
            one.play(&["-j", "1"]);
            other.play(&["-j", "3", "--spread"]);
            assert_eq!(content(&one.out()), content(&other.out()), "{format}");
            other.referee("verify out").ok();
            for table in ["ratings", "standings", "crosstable", "superiority"] {
                let rated = one.referee(&format!("rate out --format csv --table {table}"));
                let is_equal = rated.stdout == one.read(&format!("out/{table}.csv"));
                assert!(is_equal || *format != ROUND_ROBIN, "{table}");
            }
        }
    }
}

#[test]
#[ignore = "slow"]
fn a_test_has_the_challenger_in_each_seat_beside_copies_of_one_player() {
    for (run, seats) in [(chexers(TEST), 3), (tron(TEST), 4)] {
        let run = needed!(run);
        run.play(&["-j", "2"]);
        let mut rows = run.rows();
        rows.sort_by_key(|row| row["id"].parse::<u64>().expect("a number"));
        assert_eq!(rows.len() % seats, 0);
        let columns = &["first", "second", "third", "fourth"][..seats];
        for block in rows.chunks(seats) {
            for (at, row) in block.iter().enumerate() {
                let others = || columns.iter().enumerate().filter(|(seat, _)| *seat != at);
                assert_eq!(row[columns[at]], "d");
                let base = &block[0][columns[1]];
                assert!(others().all(|(_, column)| row[*column] == *base), "{row:?}");
            }
        }
        let verdict = rows_of(&run.out().join("verdict.csv"));
        assert_eq!(verdict[0]["player"], "d");
        assert_eq!(verdict[0]["games"], rows.len().to_string());
        // No game of two was played.
        assert_eq!(verdict[0]["llr_all"], "");
        run.referee("verify out").ok();
    }
}

#[test]
fn games_are_filtered_by_the_seats_of_their_game() {
    let run = needed!(chexers(ROUND_ROBIN));
    run.play(&["-j", "2"]);
    let rows = run.rows();
    for (column, name) in [("first", "red"), ("second", "green"), ("third", "blue")] {
        let own = rows.iter().filter(|row| row[column] == "a");
        let ids: Vec<u64> = own
            .map(|row| row["id"].parse().expect("a number"))
            .collect();
        assert!(!ids.is_empty());
        for seat in [name, column] {
            let options = format!("--player a --seat {seat}");
            assert_eq!(listed(&run, &options), ids, "{seat}");
            let rated = run
                .referee(&format!("rate out {options} --format csv"))
                .ok();
            run.write("rated.csv", &rated);
            let games = ids.len().to_string();
            let mut rated = rows_of(&run.path("rated.csv")).into_iter();
            assert!(rated.any(|row| row["player"] == "a" && row["games"] == games));
        }
    }
    for command in ["games", "rate"] {
        let ran = run.referee(&format!("{command} out --player a --seat fourth"));
        let words = "--seat fourth: no game has it; there is blue, green, red\n";
        ran.fails(2, words);
    }
    // Without its manifest, a journal has the words of its columns alone.
    let journal = run.read("out/games.csv");
    run.write("alone.csv", &journal);
    run.referee("rate alone.csv --player a --seat third").ok();
    run.referee("rate alone.csv --player a --seat blue").fails(
        2,
        "--seat blue: no game has it; there is first, second, third\n",
    );
}

#[test]
fn what_does_not_go_with_more_seats_is_said_before_the_first_game() {
    for row in [
        "kind = \"round-robin\" | kind = \"knockout\" | kind = \"knockout\" is for matches of two, and the game \
         has 3 seats",
        "kind = \"round-robin\"\ngames-per-pairing = 3 | kind = \"swiss\"\nrounds = 2\ngames-per-pairing = 4 | \
         `games-per-pairing` is 4: expected a multiple of 3",
        "turns = 20 | seats = 4 | 4 seats are asked for",
        "turns = 20 | seats = 9 | `seats` cannot be 9",
        "turns = 20 | adjudicate-draw-plies = 9 | games are adjudicated between two players only",
        "[game]\n | [[game]]\nname = \"cachex\"\n[[game]]\n | cachex has 2 seats, and chexers has 3 seats",
    ] {
        let [change, to, words] = columns(row);
        let run = needed!(chexers(ROUND_ROBIN));
        let config = run.read("config.toml");
        assert!(config.contains(change), "{change}");
        run.write("config.toml", &config.replace(change, to));
        run.run(&["--check"]).fails(2, words);
    }
    let run = needed!(chexers(ROUND_ROBIN));
    run.referee("play cachex random random random")
        .fails(2, "cachex is a game for 2 players, and 3 are named");
    run.referee("play 'python3 rules/chexers.py' random random")
        .fails(2, "chexers is a game for 3 players, and 2 are named");
}
