//! PGN files as people and programs write them, in `tests/pgn`.

use std::path::Path;

use referee::config::Encoding;
use referee::game::{Chance, GameResult, Seat};
use referee::random::Stream;
use referee::results::{BadRows, read_results};

use crate::support::{columns, files_below, gzipped, referee_in, root, screens};

/// What `tests/reference/pgn.py` printed.
const PYTHON_CHESS: &str = include_str!("../reference/pgn.txt");

/// What python-chess does not read, and we do.
const BEYOND: &str = "\
a_damaged_tag | ann | bob | 1-0
begins_with_brace | ann | bob | 1-0
begins_with_brace | bob | ann | 0-1
empty_lines_everywhere | ann | bob | 1-0
empty_lines_everywhere | bob | ann | 0-1
no_empty_lines | ann | bob | 1-0
no_empty_lines | bob | ann | 0-1
results_after_moves | ann | bob | 1-0
results_after_moves | bob | ann | 1/2-1/2
results_after_moves | ann | cat | 0-1
spaces_in_tags | ann | bob | 1-0
spaces_in_tags | bob | cat | 0-1
two_tags_on_a_line | ann | bob | 1-0
two_tags_on_a_line | bob | ann | 1/2-1/2
";

/// A line per game, as `tests/reference/pgn.py` prints them, and the encoding of the file.
fn games(path: &Path) -> (Vec<String>, Encoding) {
    let mut games = Vec::new();
    let found = read_results(
        path,
        0,
        BadRows::Refuse,
        &mut |row| {
            let result = match row.result {
                GameResult::Won(Seat::FIRST) => "1-0",
                GameResult::Won(_) => "0-1",
                GameResult::Drawn => "1/2-1/2",
                GameResult::Nobody | GameResult::Placed(_) => "nobody",
            };
            let file = path.file_name().and_then(|name| name.to_str());
            let name = file.and_then(|name| name.split_once('.'));
            let name = name.expect("a name").0;
            let [white, black] = [Seat::FIRST, Seat::SECOND].map(|seat| row.names[seat]);
            games.push([name, white, black, result].join(" | "));
        },
        &mut |_| (),
    );
    (games, found.expect("games").encoding)
}

#[test]
fn names_and_results_are_those_of_python_chess_and_of_the_standard() {
    let mut found = Vec::new();
    for path in files_below(&root().join("tests/pgn")) {
        found.extend(games(&path).0);
    }
    let mut expected: Vec<&str> = PYTHON_CHESS.lines().chain(BEYOND.lines()).collect();
    expected.sort_by_key(|line| line.split(" | ").next());
    found.sort_by(|a, b| a.split(" | ").next().cmp(&b.split(" | ").next()));
    assert_eq!(found, expected);
}

#[test]
fn names_that_are_not_utf8_stay_apart_and_a_note_says_how_they_were_read() {
    let folder = root().join("tests/pgn");
    assert_eq!(games(&folder.join("latin1.pgn")).1, Encoding::Windows1252);
    assert_eq!(games(&folder.join("utf8_bom_crlf.pgn")).1, Encoding::Utf8);
    let ran = referee_in(&folder, "rate latin1.pgn --format csv --table standings");
    for name in ["Müller", "Möller", "Mäller", "Muller"] {
        assert!(ran.stdout.contains(name), "{ran:?}");
    }
    let expected = "note: latin1.pgn is not UTF-8: its names are read as Windows-1252, which \
                    includes Latin-1\n";
    assert_eq!(ran.stderr, expected);
    // Every byte that is not UTF-8 is another character. Two of them cannot be seen at the end of a name.
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = Vec::new();
    for byte in 0x80..=0xff_u8 {
        text.extend(b"[White \"a");
        text.push(byte);
        text.extend(b"\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n\n");
    }
    let path = folder.path().join("bytes.pgn");
    std::fs::write(&path, text).expect("written");
    let mut names = games(&path).0;
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 127);
}

#[test]
fn files_compressed_by_gzip_are_read_as_what_they_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = std::fs::read(root().join("tests/pgn/quotes.pgn")).expect("a file");
    let path = folder.path().join("quotes.pgn.gz");
    // Two members, as `cat a.gz b.gz` makes them.
    let (one, other) = text.split_at(text.len() / 2);
    let packed = [one, other].map(gzipped).concat();
    std::fs::write(&path, &packed).expect("written");
    let plain = games(&root().join("tests/pgn/quotes.pgn")).0;
    assert_eq!(games(&path).0, plain);
    let mut other = packed.clone();
    other[packed.len() - 6] ^= 1;
    let zeros = [&packed[..], &[0; 100]].concat();
    let wrong_sum = "are damaged (corrupt gzip stream does not have a matching checksum)";
    let cases = [
        (packed[..packed.len() - 20].to_vec(), "end too early"),
        (packed[..5].to_vec(), "end too early"),
        ([&packed[..], b"more"].concat(), "end too early"),
        (zeros, "are damaged (invalid gzip header)"),
        (other, wrong_sum),
    ];
    let again = ": fetch or compress the file again\n";
    for (bytes, words) in cases {
        std::fs::write(&path, bytes).expect("written");
        let said = format!("quotes.pgn.gz: cannot be read: its gzip data {words}{again}");
        referee_in(folder.path(), "rate quotes.pgn.gz").fails(5, &said);
    }
}

#[test]
fn what_would_lose_games_silently_is_refused_with_its_line() {
    let game = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    let open =
        "[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 { no end\n\n";
    let named = game.replace("[White", "[Event \"y\"]\n[White");
    let texts = [
        format!("{game}{open}{named}"),
        format!("{game}{open}"),
        format!("{game}{open}{game}").replace("1-0\n\n", "{better} 1-0\n\n"),
        format!("{game}{open}{}", game.repeat(25_000)),
        game.replace("a\"]", "a]"),
        format!("{game}{}", game.replace("b\"]", "b\"")),
        format!("{game}{}", game.replace("[Black", "[White \"c\"]\n[Black")),
        game.replace("\n\n1.", "\n[Result \"0-1\"]\n\n1."),
        format!("{game}{}", "e4 ".repeat(400_000)),
        "[1, 2]\n".to_owned(),
        game.replace("White", "Whit"),
    ];
    let said = [
        "open | line 12: the comment that begins here with `{` has no `}`: close it, or leave the \
         `{` out",
        "end | line 12: the comment that begins here with `{` has no `}`: close it",
        "again | line 12: the comment that begins here with `{` has no `}` before a game begins in \
         line 14 and another comment in line 18: close it",
        "large | line 12: the comment that begins here with `{` has no `}` within a MiB after a game \
         begins in line 14",
        "cut | line 2: the game that begins here has no header `White` with a value on one line",
        "cut2 | line 7: the game that begins here has no header `Black` with a value on one line",
        "twice | line 7: the game that begins here has no header `Black` with a value on one line; \
         a header that comes twice begins another game\n",
        "twice2 | line 4: the game that begins here has no header `White` with a value on one line",
        "long | line 7: longer than 1048576 bytes",
        "none | line 1: no game begins in this file",
        "white | line 1: the game that begins here has no header `White`",
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (row, text) in said.into_iter().zip(&texts) {
        let [name, words] = columns(row);
        std::fs::write(folder.path().join(format!("{name}.pgn")), text).expect("written");
        referee_in(folder.path(), &format!("rate {name}.pgn")).fails(5, words);
    }
    // The games around it count where bad ones are left out.
    for (name, games) in [("open", 2), ("again", 2), ("large", 25_001)] {
        let line = format!("rate {name}.pgn --skip-bad-rows --format csv --table standings");
        let ran = referee_in(folder.path(), &line);
        let first = format!("chess,1,a,{games},{games},");
        assert!(ran.stdout.contains(&first), "{ran:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    }
}

fn game_of(round: &str, fen: usize, names: [&str; 2], result: &str) -> String {
    let [white, black] = names;
    format!(
        "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
         [FEN \"start {fen}\"]\n\n1. e4 {result}\n\n"
    )
}

#[test]
fn the_order_of_games_changes_nothing() {
    let names = ["ann", "bob", "cat"];
    let results = ["1-0", "0-1", "1/2-1/2"];
    let mut chance = Stream::new(7, 0);
    let mut games = Vec::new();
    // Few openings and rounds, so that one comes once, twice, or more often between two players.
    for _ in 0..400 {
        let first = chance.below(3) as usize;
        let second = (first + 1 + chance.below(2) as usize) % 3;
        let round = ["?", "-", "", "1", "2.1", "2.2", "3"][chance.below(7) as usize];
        let fen = chance.below(10) as usize;
        let result = results[chance.below(3) as usize];
        games.push(game_of(round, fen, [names[first], names[second]], result));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut shown = Vec::new();
    for _ in 0..4 {
        std::fs::write(folder.path().join("games.pgn"), games.concat()).expect("written");
        shown.push(screens(
            folder.path(),
            &[
                "rate games.pgn",
                "rate games.pgn --player ann --player bob --among",
                "rate games.pgn --format csv --table superiority",
            ],
        ));
        for at in (1..games.len()).rev() {
            games.swap(at, chance.below(at as u32 + 1) as usize);
        }
    }
    assert!(shown[0].contains("400 games in 390 blocks"), "{}", shown[0]);
    for other in &shown[1..] {
        assert_eq!(&shown[0], other);
    }
}

#[test]
fn two_games_of_one_known_round_and_opening_are_a_pair_and_more_are_none() {
    let there = |round| game_of(round, 1, ["ann", "bob"], "1-0");
    let back = |round| game_of(round, 1, ["bob", "ann"], "0-1");
    let pair = |round| there(round) + &back(round);
    for (text, pairs) in [
        (pair("1"), 1),
        (there("1.1") + &back("1.2") + &pair("2"), 2),
        (pair("1") + &there("1") + &pair("2"), 1),
        (there("1") + &there("1") + &back("1"), 0),
        (pair("1") + &pair("1"), 0),
        (pair("?") + &pair("-") + &pair("") + &pair("?.1"), 0),
        (pair("1").replace("[Round \"1\"]\n", ""), 0),
        (pair("1").replace("[FEN \"start 1\"]\n", ""), 0),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("games.pgn"), &text).expect("written");
        let ran = referee_in(folder.path(), "rate games.pgn --format csv --table match");
        // A note may say that rounds without openings are no pairs.
        let row: Vec<&str> = ran
            .stdout
            .lines()
            .nth(1)
            .expect("a row")
            .split(',')
            .collect();
        let found = row[3..8]
            .iter()
            .map(|n| n.parse::<u32>().expect("a number"));
        assert_eq!(found.sum::<u32>(), pairs, "{row:?}: {text}");
    }
}
