//! Games of chess as PGN.

use std::process::Stdio;

use crate::support::{TestRun, columns, python_with, shell, stand_in};

const ILLEGAL: &str = "while read l; do case $l in referee*) echo bot 1 bad;; start*) echo ready;; act*) echo e2e5;; esac; done";

/// A line of moves that ends in a repetition, and a book with a start in which black begins.
const BOOK: &str = "\
e2e4 e7e5 g1f3
start=r3k2r/8/8/8/8/8/P6p/R3K2R_b_KQkq_-_0_20
";

fn config(game: &str, format: &str, more: &str) -> String {
    format!(
        "name = \"spring\"\nseed = 3\n[game]\nname = \"chess\"\n{game}\n[format]\nkind = \"round-robin\"\n{format}\n\
         [[player]]\nhouse = \"greedy\"\ndisplay-name = \"Greedy 1\"\n[[player]]\nhouse = \"random\"\n{more}"
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
fn a_run_writes_its_games_as_pgn_and_rate_makes_the_same_table_of_it() {
    let run = played();
    let text = run.read("out/games.pgn");
    assert_eq!(text, run.referee("games out --pgn").ok());
    let games: Vec<&str> = text.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 12);
    for (id, game) in games.iter().enumerate() {
        assert_starts!(game, "\"spring\"]\n[Site \"?\"]\n[Date \"2");
        let mut lengths = game.lines().map(|line| line.chars().count());
        assert!(lengths.all(|length| length <= 80), "{game}");
        assert!(game.contains(&format!("[GamePair \"{}\"]", id / 2)));
        assert!(game.contains("[TimeControl \"60+0.1\"]"));
    }
    let with_start = games.iter().filter(|it| it.contains("[SetUp \"1\"]"));
    let with_start: Vec<&&str> = with_start.collect();
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
    rated(&run);
}

#[test]
fn it_grows_while_games_are_played_and_a_killed_run_makes_it_anew() {
    let run = TestRun::new(&config(
        "variant = \"fischer-random\"",
        "games-per-pairing = 40\nopening-plies = 3",
        "[record]\npgn = true\n",
    ));
    let mut referee = run.command(&["-j", "1"]);
    let mut referee = referee.stderr(Stdio::null()).spawn().expect("it runs");
    run.wait_for_games(8);
    referee.kill().expect("it runs");
    referee.wait().expect("it was started");
    let early = run.read("out/games.pgn");
    let games = early.matches("[Event ").count();
    assert!((7..40).contains(&games), "{games}");
    run.play(&["--resume"]);
    let whole = run.read("out/games.pgn");
    assert_eq!(whole.matches("[Event ").count(), 40);
    assert!(whole.starts_with(&early));
    assert_eq!(whole, run.referee("games out --pgn").ok());
}

/// `rate` makes the same table of it.
fn rated(run: &TestRun) {
    let of_run = run.referee("rate out --format csv").ok();
    let of_pgn = run.referee("rate out/games.pgn --format csv").ok();
    assert_eq!(of_run, of_pgn);
    // Games of another file, which has display names alone.
    let text = run.read("out/games.pgn");
    assert_has!(text, "[White \"Greedy 1\"]");
    assert_lacks!(text, "\"greedy\"");
    run.write("other.pgn", &text.replace("\"?\"", "\"Bonn\""));
    run.write("copy.pgn", &text);
    for files in ["out other.pgn", "other.pgn out"] {
        let both = run.referee(&format!("rate {files} --format csv")).ok();
        assert_eq!(both.lines().count(), of_run.lines().count(), "{both}");
    }
    run.copy(&run.path("out/games.csv"), "copy.csv");
    for files in [
        "out out/games.pgn",
        "out/games.pgn out",
        "out copy.csv",
        "copy.pgn out",
        "out/games.pgn copy.pgn",
    ] {
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

#[test]
fn comments_have_what_is_asked_for_and_the_log_keeps_it() {
    let engine = needed!(stand_in("uci.py", &["plays"]));
    let engine = format!("speaks = \"uci\"\ncommand = {engine:?}\n");
    let config = |record: &str| {
        format!(
            "seed = 3\n[game]\nname = \"chess\"\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             [clock]\nper-game = \"60s\"\n[report]\npages = false\n[record]\npgn = \"all.pgn\"\nepd = \"final.epd\"\n\
             {record}[[player]]\nname = \"a\"\n{engine}[[player]]\nname = \"b\"\n{engine}"
        )
    };
    let words = "tbhits,pv,nodes,seldepth,nps,timeleft,latency";
    let list = words.replace(',', "\", \"");
    let run = TestRun::new(&config(&format!(
        "pgn-append = true\npgn-moves = \"lan\"\npgn-with = [\"{list}\"]\n"
    )));
    run.play(&["-j", "1"]);
    let games = run.read("all.pgn");
    assert_eq!(games, run.read("out/games.pgn"));
    assert_eq!(
        games,
        run.referee(&format!("games out --pgn --moves lan --with {words}"))
            .ok()
    );
    let text = games.replace('\n', " ");
    assert!(text.contains("1. Ng1-f3 {+0.13/5 0."), "{text}");
    let comment = ", n=1234, sd=7, nps=617000, pv=\"g1f3\"} Ng8-f6";
    assert!(text.contains(comment), "{text}");
    assert_has!(text, "s, tl=");
    assert_has!(text, "s, latency=0.");
    let epd = run.read("final.epd");
    assert_eq!(epd, run.referee("games out --epd").ok());
    let last = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 8; fmvn 5; c9 \"1/2-1/2\"; id \"tournament 0\";";
    assert_eq!(epd.lines().next(), Some(last));
    run.referee("verify out").ok();
    // A file that exists is written on only if that is asked for, and a log has no more than that.
    let again = |out: &str| run.referee(&format!("run config.toml --out {out} -q -j 1"));
    again("more").fails(5, "final.epd: exists already");
    std::fs::remove_file(run.path("final.epd")).expect("removed");
    assert_eq!(again("more").exit, 0);
    assert_eq!(run.read("all.pgn"), games + &run.read("more/games.pgn"));
    run.configure(&config(""));
    again("bare").fails(5, "all.pgn: exists already");
    for file in ["final.epd", "all.pgn"] {
        std::fs::remove_file(run.path(file)).expect("removed");
    }
    assert_eq!(again("bare").exit, 0);
    let log = run.read("bare/games/0000/000000.csv");
    assert_has!(log, ",score=13 depth=5 nodes=1234 time=2,");
    for row in [
        "pgn-with = [\"node\"]\n | `pgn-with` cannot be `node` (did you mean `nodes`?): expected one of `timeleft`, ",
        "pgn-moves = \"x\"\n | `pgn-moves` cannot be `x`: expected one of `san`, `lan`, `uci`",
        "logs = \"none\"\n | `epd` needs the moves of all games: expected `logs = \"all\"`",
    ] {
        let [record, problem] = columns(row);
        run.configure(&config(record));
        run.run(&["--check"]).fails(2, problem);
    }
    run.configure(&config("pgn-append = true\n").replace("\"all.pgn\"", "true"));
    run.run(&["--check"]).fails(
        2,
        "`pgn-append` is about a file: expected `pgn` with its name too",
    );
    run.configure(&config("pgn-moves = \"lan\"\n").replace("\"all.pgn\"", "false"));
    run.run(&["--check"])
        .fails(2, "`pgn-moves` is about `pgn`: expected `pgn = true`");
}

/// Prints each game of the files as its headers' result, its moves, and the errors of the reader. `lan` or `uci` before the
/// files is the notation that their moves are compared with.
const READER: &str = include_str!("files/pgn_reader.py");

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
        let read = |notation: &str| {
            let file = format!("{notation}.pgn");
            run.write(
                &file,
                &run.referee(&format!("games out --pgn --moves {notation}"))
                    .ok(),
            );
            let ran = std::process::Command::new(&python)
                .args(["-c", READER, notation])
                .arg(run.path(&file))
                .output()
                .expect("python");
            String::from_utf8(ran.stdout).expect("text")
        };
        let said = read("san");
        for notation in ["lan", "uci"] {
            assert_eq!(read(notation), said);
        }
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
