//! Openings of chess: books in EPD and PGN, and starts that are drawn.

use std::collections::BTreeSet;

use referee::config::{OpeningOrder, OpeningUse, Openings};
use referee::game::{Setup, chess};

use crate::support::content::content;
use crate::support::{TestRun, columns, gzipped, randoms};

const EPD: &str = "\
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2 bm Nf3; id \"sicilian\";

rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1
r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -
";

const SICILIAN: &str = "start=rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-_0_2";
const QUEENS_PAWN: &str = "start=rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR_b_KQkq_-_0_1";
const SPANISH: &str = "start=r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R_b_KQkq_-_0_1";

/// Comments, variations, marks, and a game from a position.
const PGN: &str = include_str!("files/openings.pgn");

fn chess(settings: &[(&str, &str)]) -> Setup {
    let mut setup = Setup::new(chess::GAME);
    for (key, value) in settings {
        setup.set(key, value).expect("an option");
    }
    setup
}

fn read(
    name: &str,
    text: impl AsRef<[u8]>,
    setup: &Setup,
    used: OpeningUse,
) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    let read = Openings::read(&path, setup, used);
    let error = |error: &dyn std::fmt::Display| {
        let folder = format!("{}/", folder.path().display());
        error.to_string().replace(&folder, "")
    };
    read.map(|openings| openings.text().to_owned())
        .map_err(|problem| error(&problem))
}

/// Reads it from its first opening, in whole lines.
fn book(name: &str, text: impl AsRef<[u8]>, setup: &Setup) -> Result<String, String> {
    read(name, text, setup, sequential(1, None))
}

fn sequential(first: usize, length: Option<u32>) -> OpeningUse {
    OpeningUse {
        first,
        length,
        ..OpeningOrder::Sequential.into()
    }
}

#[test]
fn a_book_in_epd_has_a_start_a_line() {
    let setup = chess(&[]);
    for name in ["book.epd", "book.EPD", "book.fen"] {
        let lines = book(name, EPD, &setup);
        let expected = format!("{SICILIAN}\n{QUEENS_PAWN}\n{SPANISH}\n");
        assert_eq!(lines.as_ref(), Ok(&expected));
        let counted = "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 7; fmvn 31; id \"x\";";
        let counted = book(name, counted, &setup);
        let start = "start=4k3/8/8/8/8/8/4P3/4K3_w_-_-_7_31\n".to_owned();
        assert_eq!(counted, Ok(start));
        // The lines that a run keeps are read back.
        assert_eq!(book("kept.txt", &expected, &setup), lines);
    }
}

#[test]
fn a_book_may_be_compressed_and_in_windows_1252() {
    let mut text = b"[White \"Bj\xf6rn\"]\n".to_vec();
    text.extend_from_slice(PGN.as_bytes());
    let packed = gzipped(&text);
    let lines = |name, bytes| read(name, bytes, &chess(&[]), sequential(1, Some(3)));
    let expected = lines("book.pgn", PGN.as_bytes().to_vec()).expect("valid");
    assert_eq!(lines("book.pgn", text).as_ref(), Ok(&expected));
    assert_eq!(lines("book.pgn.gz", packed).as_ref(), Ok(&expected));
    let wide = lines("book.pgn", b"\xff\xfe[\0".to_vec()).expect_err("UTF-16");
    assert_has!(wide, "it is UTF-16 text: save it as UTF-8");
    // Two frames of Zstandard, each with a block that is not compressed.
    let frame = |part: &[u8]| {
        let block = 1 | (part.len() as u32) << 3;
        let head = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x58];
        [&head, &block.to_le_bytes()[..3], part].concat()
    };
    let (one, other) = PGN.as_bytes().split_at(PGN.len() / 2);
    let frames = [frame(one), frame(other)].concat();
    assert_eq!(
        lines("book.pgn.zst", frames.clone()).as_ref(),
        Ok(&expected)
    );
    let cut = lines("book.pgn.zst", frames[..frames.len() - 9].to_vec());
    let cut = cut.expect_err("cut");
    assert!(cut.contains("its zstd data are damaged ("), "{cut}");
}

#[test]
fn a_book_of_polyglot_has_its_positions_at_a_depth() {
    const START: u64 = 0x463b_9618_1691_fc9c;
    const AFTER_E4: u64 = 0x823c_9b50_fd11_4196;
    // Squares are numbered from a1, row by row.
    let entry = |(key, from, to, weight): (u64, u16, u16, u16)| {
        let bits = from << 6 | to;
        let ends = [bits, weight, 0, 0].map(u16::to_be_bytes).concat();
        [&key.to_be_bytes()[..], &ends].concat()
    };
    let entries = [
        (START, 8, 16, 0),
        (START, 11, 27, 1),
        (START, 12, 28, 2),
        (START, 12, 36, 9),
        (AFTER_E4, 52, 36, 1),
        (AFTER_E4, 50, 34, 3),
    ];
    let book = entries.map(entry).concat();
    let setup = chess(&[]);
    let lines = |length| read("book.bin", &book, &setup, sequential(1, length));
    assert_eq!(lines(Some(1)).as_deref(), Ok("e2e4\nd2d4\n"));
    let wanted = Ok("e2e4 c7c5\ne2e4 e7e5\nd2d4\n");
    assert_eq!(lines(Some(9)).as_deref(), wanted);
    let cachex = Setup::new(referee::game::cachex::GAME);
    for (error, said) in [
        (lines(None), "expected `opening-length`"),
        (
            read("a.bin", &book[1..], &setup, sequential(1, Some(1))),
            "a.bin: is no book of Polyglot: expected entries of 16 bytes",
        ),
        (
            read("a.bin", &book, &cachex, sequential(1, Some(1))),
            "is a book in Polyglot's format, and the rules of cachex read none",
        ),
        (
            read("a.bin", &book[80..], &setup, sequential(1, Some(1))),
            "a.bin:1: has no opening",
        ),
    ] {
        let error = error.expect_err(said);
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn openings_that_are_none_are_left_out_and_counted_where_that_is_asked_for() {
    let config = "[game]\nname = \"chess\"\nopenings = \"book.pgn\"\nopening-length = 9\nskip-bad-openings = true\n\
                  [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n";
    let run = TestRun::new(&[config, &randoms(&["a", "b"])].concat());
    let book = format!("1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke3 *\n\n{PGN}");
    run.write("book.pgn", &book);
    let ran = run.referee("run config.toml --check");
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(ran.stdout.contains("  chess: 4 openings\n"), "{ran:?}");
    let left_out = "chess: 2 openings are left out, the first at line 1: ";
    assert!(ran.stderr.contains(left_out), "{ran:?}");
    run.play(&[]);
    run.referee("verify out").ok();
}

#[test]
fn a_book_in_pgn_has_the_first_moves_of_each_game() {
    let setup = chess(&[]);
    let lines = |length| read("book.pgn", PGN, &setup, sequential(1, length));
    let expected =
        format!("e2e4 e7e5 g1f3\n{QUEENS_PAWN} d7d5 c2c4 e7e6\nd2d4 d7d5\nc2c4 c7c5 g1f3\n");
    assert_eq!(lines(Some(3)), Ok(expected));
    let whole = lines(None).expect("read");
    let mut whole = whole.lines();
    let wanted = Some("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1");
    assert_eq!(whole.next(), wanted);
    assert!(whole.next().is_some_and(|line| line.ends_with("e2e3 e8g8")));
}

#[test]
fn fischer_random_chess_takes_books_with_starts_only() {
    let setup = chess(&[("variant", "fischer-random")]);
    let fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 2 9";
    let kept = fen.replace("GBgb", "KQkq").replace(' ', "_");
    let lines = book("a.epd", fen, &setup);
    assert_eq!(lines, Ok(format!("start={kept}\n")));
    let game = format!("[FEN \"{fen}\"]\n\n9. O-O O-O-O *\n");
    let lines = book("a.pgn", &game, &setup);
    assert_eq!(lines, Ok(format!("start={kept} e1g1 e8b8\n")));
    let error = book("a.pgn", "1. e4 *", &setup).expect_err("drawn");
    assert_has!(error, "a.pgn:1: has no FEN, and the start is drawn");
    let error = book("a.txt", "e2e4", &setup).expect_err("drawn");
    assert_has!(error, "depends on the start, which is drawn");
    let error = book("a.epd", fen, &chess(&[])).expect_err("standard");
    let words = "a.epd:1: has a start that needs the option `variant` to be fischer-random";
    assert_has!(error, words);
}

#[test]
fn moves_are_read_as_old_programs_write_them() {
    let text = "1. e2-e4 f5 2. e5 d5 3. exd6e.p. Nf6 4. Nf3 g6 5. dxc7 Bg7 6. cxb8(Q) o-o (6... 0-0) 7. Be2 a6 8. 0-0 *";
    let lines = book("a.pgn", text, &chess(&[])).expect("read");
    for moves in ["e5d6", " c7b8q e8g8 f1e2 a7a6 e1g1"] {
        assert_has!(lines, moves);
    }
}

/// A variation has no tags in it, so a game begins there.
#[test]
fn a_variation_without_an_end_loses_no_other_game() {
    let text = "[Event \"1\"]\n\n1. e4 (1. b3 e5 1/2-1/2\n\n[Event \"2\"]\n\n1. d4 *\n";
    let lines = book("a.pgn", text, &chess(&[]));
    assert_eq!(lines.as_deref(), Ok("e2e4\nd2d4\n"));
}

#[test]
fn a_wrong_book_names_the_line() {
    let setup = chess(&[]);
    for row in [
        "a.epd | \n\nnonsense | a.epd:3: has a start that cannot be: expected a FEN, and it has 1 fields",
        "a.epd |  | a.epd:1: has no opening",
        "a.pgn | [Event \"x\"]\n\n1. e4 e5\n2. Ke3 * | a.pgn:4: has a move `Ke3` that is not legal there",
        "a.pgn | [FEN \"8/8 w\"]\n\n1. e4 | a.pgn:1: has a FEN that is none: it has 2 fields",
        "a.pgn | 1. e4 a6 2. e5 d5 3. exd6 e.p. *\n1. e4 -- * | a.pgn:2: has a move `--` that is not legal there",
        "a.pgn | 1. f3 e5 2. g4 Qh4# 0-1 | a.pgn:1: ends the game",
        // Silence would lose the games that follow.
        "a.pgn | 1. e4 *\n\n1. d4 {never closed *\n\n[Event \"x\"]\n\n1. c4 {closed} * | \
         a.pgn:3: has a comment without an end",
        "a.pgn | 1. e4 *\n1. d4 { * | a.pgn:2: has a comment without an end",
        "a.pgn | 1. e4 *\n1. d4 ( d5\n* | a.pgn:2: has a variation without an end",
        "a.txt | e2e4\nstart=x e2e4 | a.txt:2: has a start that cannot be: expected a FEN",
    ] {
        let [name, text, said] = columns(row);
        let error = book(name, text, &setup).expect_err(text);
        assert!(error.starts_with(said), "{error}");
    }
    let error = read("a.epd", EPD, &setup, sequential(4, None)).expect_err("three");
    assert_has!(error, "has 3 openings: `opening-first` is 4");
    let cachex = Setup::new(referee::game::cachex::GAME);
    let error = book("a.pgn", PGN, &cachex).expect_err("cachex");
    assert_has!(error, "is a book in PGN, and the rules of cachex read none");
}

fn config(game: &str, format: &str) -> String {
    format!(
        "seed = 3\n[game]\nname = \"chess\"\n{game}\n[format]\nkind = \"round-robin\"\n{format}\n\
         [[player]]\nhouse = \"greedy\"\n[[player]]\nhouse = \"random\"\n"
    )
}

#[test]
fn a_pair_plays_one_opening_and_every_record_keeps_it() {
    let text = config(
        "openings = \"book.epd\"\nopening-order = \"sequential\"\nopening-first = 2",
        "games-per-pairing = 8",
    );
    let run = TestRun::new(&text);
    run.write("book.epd", EPD);
    run.play(&[]);
    let mut rows = run.games();
    rows.sort_by_key(|row| row.id);
    let openings: Vec<&str> = rows.iter().map(|row| row.start.opening.as_str()).collect();
    let expected = [QUEENS_PAWN, SPANISH, SICILIAN, QUEENS_PAWN];
    assert_eq!(openings, expected.map(|it| [it, it]).concat());
    for pair in rows.chunks(2) {
        let [one, other] = [pair[0].names(), pair[1].names()];
        let [a, b] = one.pair().expect("two seats");
        assert_eq!(other.pair().expect("two seats"), [b, a]);
    }
    // Black begins where the position says so.
    let first = |id: u64| run.plies(id as usize)[0]["seat"].clone();
    assert_eq!([first(0), first(2), first(4)], ["black", "black", "white"]);
    assert_eq!(run.read("out/openings-chess.txt").lines().count(), 3);
    run.referee("verify out").ok();
    let told = run.referee("replay out 0 --transcript --seat white").ok();
    assert_has!(told, QUEENS_PAWN);
    // A run that was stopped goes on with the same openings.
    let whole = content(&run.out());
    run.keep_games(3);
    run.play(&["--resume"]);
    assert_eq!(content(&run.out()), whole);
    // The manifest names its copy of them.
    run.referee("run out/manifest.toml --out again").done();
    assert_eq!(content(&run.path("again")), whole);
    // Shards play them too.
    run.referee("plan config.toml --out plan --shards 2").ok();
    run.work(2);
    run.referee("merge plan").ok();
    assert_eq!(
        content(&run.path("plan/run"))["games.csv"],
        whole["games.csv"]
    );
}

#[test]
fn a_drawn_start_is_told_and_recorded() {
    let run = TestRun::played(&config(
        "variant = \"fischer-random\"",
        "games-per-pairing = 6\nopening-plies = 2",
    ));
    let rows = run.games();
    let starts = rows.iter().map(|row| row.start.opening.split(' ').next());
    assert_eq!(starts.collect::<BTreeSet<_>>().len(), 3);
    for row in &rows {
        assert_eq!(row.options, "variant=fischer-random");
        let words: Vec<&str> = row.start.opening.split(' ').collect();
        assert_eq!(words.len(), 3);
        assert!(words[0].starts_with("start="));
        let line = format!("replay out {} --transcript --seat white", row.id);
        assert!(run.referee(&line).ok().contains(words[0]));
    }
    run.referee("verify out").ok();
}
