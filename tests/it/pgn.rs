//! PGN files as people and programs write them, in `tests/pgn`.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use referee::game::{GameResult, Seat};
use referee::record::{BadRows, Encoding, read_results};

use crate::support::files::files_below;
use crate::support::program::{referee_in, root};

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
    let encoding = read_results(
        path,
        0,
        BadRows::Refuse,
        &mut |row| {
            let result = match row.result {
                GameResult::Won(Seat::First) => "1-0",
                GameResult::Won(Seat::Second) => "0-1",
                GameResult::Drawn => "1/2-1/2",
                GameResult::Nobody => "nobody",
            };
            let file = path.file_name().and_then(|name| name.to_str());
            let name = file.and_then(|name| name.split_once('.'));
            let name = name.expect("a name").0;
            games.push([name, row.names[0], row.names[1], result].join(" | "));
        },
        &mut |_| (),
    );
    (games, encoding.expect("games"))
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
    assert_eq!(
        ran.stderr,
        "note: latin1.pgn is not UTF-8: its names are read as Windows-1252, of which Latin-1 is a part\n"
    );
    // Every byte that is not UTF-8 is another character.
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
    assert_eq!(names.len(), 128);
}

#[test]
fn files_compressed_by_gzip_are_read_as_what_they_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = std::fs::read(root().join("tests/pgn/quotes.pgn")).expect("a file");
    let path = folder.path().join("quotes.pgn.gz");
    // Two members, as `cat a.gz b.gz` makes them.
    let (one, other) = text.split_at(text.len() / 2);
    let mut packed = Vec::new();
    for part in [one, other] {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(part).expect("memory");
        packed.extend(gzip.finish().expect("memory"));
    }
    std::fs::write(&path, &packed).expect("written");
    assert_eq!(
        games(&path).0,
        games(&root().join("tests/pgn/quotes.pgn")).0
    );
    std::fs::write(folder.path().join("cut.gz"), &packed[..packed.len() - 20]).expect("written");
    referee_in(folder.path(), "rate cut.gz").fails(5, "cut.gz: cannot be read: ");
}

#[test]
fn what_would_lose_games_silently_is_refused_with_its_line() {
    let game = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    let open =
        "[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 { no end\n\n";
    let named = game.replace("[White", "[Event \"y\"]\n[White");
    let files = [
        (
            "open.pgn",
            format!("{game}{open}{named}"),
            "line 12: the comment that begins here",
        ),
        (
            "end.pgn",
            format!("{game}{open}"),
            "line 12: the comment that begins here",
        ),
        (
            "long.pgn",
            format!("{game}{}", "e4 ".repeat(400_000)),
            "line 7: longer than 1048576 bytes",
        ),
        (
            "none.pgn",
            "[1, 2]\n".to_owned(),
            "line 1: no game begins in this file",
        ),
        (
            "white.pgn",
            game.replace("White", "Whit"),
            "line 1: the game that begins here has no header `White`",
        ),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text, words) in &files {
        std::fs::write(folder.path().join(name), text).expect("written");
        referee_in(folder.path(), &format!("rate {name}")).fails(5, words);
    }
    // The games around it count where bad ones are left out.
    let ran = referee_in(
        folder.path(),
        "rate open.pgn --skip-bad-rows --format csv --table standings",
    );
    assert!(ran.stdout.contains("chess,1,a,2,2,"), "{ran:?}");
}
