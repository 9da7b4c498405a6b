//! Games of chess as PGN.

use std::process::Stdio;

use crate::support::config::shell;
use crate::support::python::python_with;
use crate::support::run::TestRun;

/// A bot whose first move is illegal.
const ILLEGAL: &str = "while read l; do case $l in referee*) echo bot 1 bad;; start*) echo ready;; act*) echo e2e5;; esac; done";

/// A line of moves that ends in a repetition, and a book with a start in which black begins.
const BOOK: &str = "\
e2e4 e7e5 g1f3
start=r3k2r/8/8/8/8/8/P6p/R3K2R_b_KQkq_-_0_20
";

fn config(game: &str, format: &str, more: &str) -> String {
    format!(
        "name = \"spring\"\nseed = 3\n[game]\nname = \"chess\"\n{game}\n[format]\nkind = \"round-robin\"\n{format}\n\
         [[player]]\nhouse = \"greedy\"\n[[player]]\nhouse = \"random\"\n{more}"
    )
}

fn played() -> TestRun {
    let run = TestRun::new(&config(
        "openings = \"book.txt\"\nopening-order = \"sequential\"",
        "games-per-pairing = 4",
        &format!(
            "{}[clock]\nper-game = \"60s\"\nincrement = \"100ms\"\n[record]\npgn = true\n",
            shell("bad", ILLEGAL)
        ),
    ));
    run.write("book.txt", BOOK);
    run.play(&[]);
    run
}

#[test]
fn a_run_writes_its_games_as_pgn() {
    let run = played();
    let text = run.read("out/games.pgn");
    assert_eq!(text, run.referee("games out --pgn").ok());
    let games: Vec<&str> = text.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 12);
    for (id, game) in games.iter().enumerate() {
        assert!(
            game.starts_with("\"spring\"]\n[Site \"?\"]\n[Date \"2"),
            "{game}"
        );
        assert!(
            game.lines().all(|line| line.chars().count() <= 80),
            "{game}"
        );
        assert!(game.contains(&format!("[GamePair \"{}\"]", id / 2)));
        assert!(game.contains("[TimeControl \"60+0.1\"]"));
    }
    let with_start: Vec<&&str> = games
        .iter()
        .filter(|it| it.contains("[SetUp \"1\"]"))
        .collect();
    assert_eq!(with_start.len(), 6);
    for game in with_start {
        assert!(game.contains("[FEN \"r3k2r/8/8/8/8/8/P6p/R3K2R b KQkq - 0 20\"]"));
        let has_moves = !game.contains("[PlyCount \"0\"]");
        assert_eq!(game.contains("\n20... "), has_moves, "{game}");
    }
    let with_book = games
        .iter()
        .filter(|it| it.contains("\n1. e4 {book} e5 {book} 2. Nf3 {book} "));
    assert_eq!(with_book.count(), 6);
    let forfeits = games.iter().filter(|it| {
        let words = it.replace('\n', " ");
        words.contains("[Termination \"illegal move\"]")
            && words.contains("bad forfeits by illegal_action: played `e2e5`")
    });
    assert_eq!(forfeits.count(), 8);
    // A part of them, by the filters.
    let lost = run.referee("games out --pgn --player bad --lost").ok();
    assert_eq!(lost.matches("[Event ").count(), 8);
    run.referee("verify out").ok();
}

#[test]
fn it_grows_while_games_are_played_and_a_killed_run_makes_it_anew() {
    let run = TestRun::new(&config(
        "variant = \"fischer-random\"",
        "games-per-pairing = 100\nopening-plies = 3",
        "[record]\npgn = true\n",
    ));
    let mut referee = run.command(&["-j", "1"]);
    let mut referee = referee.stderr(Stdio::null()).spawn().expect("it runs");
    run.wait_for_games(20);
    referee.kill().expect("it runs");
    referee.wait().expect("it was started");
    let early = run.read("out/games.pgn");
    let games = early.matches("[Event ").count();
    assert!((19..100).contains(&games), "{games}");
    run.play(&["--resume"]);
    let whole = run.read("out/games.pgn");
    assert_eq!(whole.matches("[Event ").count(), 100);
    assert!(whole.starts_with(&early));
    assert_eq!(whole, run.referee("games out --pgn").ok());
}

#[test]
fn rate_makes_the_same_table_of_it() {
    let run = played();
    let of_run = run.referee("rate out --format csv").ok();
    let of_pgn = run.referee("rate out/games.pgn --format csv").ok();
    assert_eq!(of_run, of_pgn);
    std::fs::copy(run.path("out/games.csv"), run.path("copy.csv")).expect("copied");
    for files in ["out out/games.pgn", "out/games.pgn out", "out copy.csv"] {
        run.referee(&format!("rate {files}"))
            .fails(2, "its games are given already, and would count twice");
    }
}

#[test]
fn games_without_a_log_have_no_moves() {
    let run = TestRun::played(&config(
        "",
        "games-per-pairing = 2",
        "[player.clock]\nper-move = \"10s\"\n[record]\nlogs = \"none\"\npgn = true\n",
    ));
    let text = run.read("out/games.pgn");
    for tags in [
        "[WhiteTimeControl \"-\"]\n[BlackTimeControl \"10/move\"]\n",
        "[WhiteTimeControl \"10/move\"]\n[BlackTimeControl \"-\"]\n",
    ] {
        assert!(text.contains(tags), "{text}");
    }
    assert_eq!(text.matches("[PlyCount \"0\"]").count(), 2);
}

#[test]
fn pgn_is_for_chess() {
    let cachex = "seed = 1\n[game]\nname = \"cachex\"\nsize = 3\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
                  [[player]]\nhouse = \"greedy\"\n[[player]]\nhouse = \"random\"\n";
    let run = TestRun::played(cachex);
    run.referee("games out --pgn").fails(
        2,
        "PGN is for chess, and the games of this run are of cachex",
    );
    run.configure(&format!("{cachex}[record]\npgn = true\n"));
    run.run(&["--check"])
        .fails(2, "`pgn` is for chess, and no game is chess");
}

/// Prints each game of the files as its headers' result, its moves, and the errors of the reader.
const READER: &str = "\
import sys, logging, chess.pgn
logging.basicConfig(level=logging.WARNING, format='warning: %(message)s', stream=sys.stdout)
for name in sys.argv[1:]:
    with open(name) as file:
        while game := chess.pgn.read_game(file):
            for error in game.errors:
                print('error:', error)
            board = game.end().board()
            print(game.headers['Result'], game.headers['Termination'], len(list(game.mainline_moves())), board.fen())
";

#[test]
fn python_chess_reads_it_without_a_warning() {
    let python = needed!(python_with("chess"));
    let run = played();
    let random = TestRun::played(&config(
        "variant = \"fischer-random\"",
        "games-per-pairing = 10\nopening-plies = 2",
        "[record]\npgn = true\n",
    ));
    for run in [&run, &random] {
        let ran = std::process::Command::new(&python)
            .args(["-c", READER])
            .arg(run.path("out/games.pgn"))
            .output()
            .expect("python");
        let said = String::from_utf8(ran.stdout).expect("text");
        let mut rows = run.games();
        rows.sort_by_key(|row| row.id);
        assert_eq!(said.lines().count(), rows.len(), "{said}");
        for (line, row) in said.lines().zip(rows) {
            let mut words = line.split(' ');
            let result = match row.end.result.points_of_two() {
                [1.0, _] => "1-0",
                [_, 1.0] => "0-1",
                _ => "1/2-1/2",
            };
            assert_eq!(words.next(), Some(result), "{line}");
            assert!(line.contains(&format!(" {} ", row.end.plies)), "{line}");
            // The last position is the recorded one.
            let shown = run.referee(&format!("replay out {} --json", row.id)).ok();
            let last = shown.lines().rev().find(|it| it.contains("\"board\""));
            let board = last.and_then(|it| it.split("\"board\":\"").nth(1));
            let board = board.and_then(|it| it.split('"').next()).expect("a board");
            let fen = words.find(|word| word.contains('/')).expect("a FEN");
            assert_eq!(squares(fen), board, "{line}");
        }
    }
}

/// The rows of a FEN with a dot for each empty square.
fn squares(fen: &str) -> String {
    let squares = fen.chars().map(|letter| match letter.to_digit(10) {
        Some(empty) => ".".repeat(empty as usize),
        None => letter.to_string(),
    });
    squares.collect()
}
