//! `referee rate`: ratings from any number of journals.

mod support {
    pub mod program;
}

use std::path::PathBuf;

use support::program::{Ran, referee_reading};
use tempfile::TempDir;

const HEADER: &str = "id,game,options,pair,first,second,winner,first_points,second_points,\
    termination,forfeited_by,reason,detail,plies,date,game_us,first_wall_us,first_cpu_us,\
    second_wall_us,second_cpu_us\n";

/// Rows of games that the first named won.
fn games(pairings: &[(&str, &str)]) -> String {
    let row = |(first, second): &(&str, &str)| {
        format!(
            "0,cachex,size=9,0,{first},{second},red,1.0,0.0,rules,,connection,,9,2026-01-01T00:00:00Z,1,1,1,1,1\n"
        )
    };
    pairings.iter().map(row).collect()
}

/// Runs `referee rate` on files with these contents, called 0.csv, 1.csv and so on.
fn rate(contents: &[&[u8]], options: &[&str]) -> (Ran, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let paths: Vec<PathBuf> = (0..contents.len())
        .map(|index| folder.path().join(format!("{index}.csv")))
        .collect();
    for (path, bytes) in paths.iter().zip(contents) {
        std::fs::write(path, bytes).expect("written");
    }
    let mut args = vec!["rate"];
    args.extend(paths.iter().map(|path| path.to_str().expect("text")));
    args.extend(options);
    (referee_reading(b"", &args), folder)
}

#[test]
fn several_files_count_as_one_whatever_their_order() {
    let one = format!(
        "{HEADER}{}",
        games(&[("ann", "bob"), ("ann", "bob"), ("bob", "ann")])
    );
    let other = format!(
        "{HEADER}{}",
        games(&[("bob", "cat"), ("ann", "cat"), ("cat", "ann")])
    );
    let both = format!(
        "{HEADER}{}",
        games(&[
            ("ann", "bob"),
            ("ann", "bob"),
            ("bob", "ann"),
            ("bob", "cat"),
            ("ann", "cat"),
            ("cat", "ann"),
        ])
    );
    let (apart, _kept) = rate(&[one.as_bytes(), other.as_bytes()], &["--csv"]);
    let (swapped, _kept) = rate(&[other.as_bytes(), one.as_bytes()], &["--csv"]);
    let (whole, _kept) = rate(&[both.as_bytes()], &["--csv"]);
    assert_eq!(apart.exit, 0, "{apart:?}");
    assert_eq!(apart.stdout, swapped.stdout);
    assert_eq!(apart.stdout, whole.stdout);

    let lines: Vec<&str> = apart.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "game,rank,player,elo,elo_low,elo_high,games,points,wins,draws,losses,forfeits"
    );
    assert!(lines[1].starts_with("cachex,1,ann,"), "{}", lines[1]);
    assert!(lines[1].ends_with(",5,3,3,0,2,0"), "{}", lines[1]);
    assert_eq!(lines.len(), 4);
}

#[test]
fn for_people_it_is_a_table() {
    let file = format!(
        "{HEADER}{}",
        games(&[("ann", "bob"), ("ann", "bob"), ("bob", "ann")])
    );
    let (ran, _kept) = rate(&[file.as_bytes()], &[]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""));
    for words in [
        "cachex: 3 games",
        "ann",
        "bob",
        "points against",
        "ended by: 3 rules",
    ] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
}

#[test]
#[rustfmt::skip]
fn what_is_no_journal_is_named_with_its_line() {
    let row = games(&[("ann", "bob")]);
    let file = |rows: &str| format!("{HEADER}{rows}").into_bytes();
    let cases: [(Vec<u8>, &str); 10] = [
        (file(&row.replace("1.0,0.0", "1.0,1.0")), "line 2 is not a row of games.csv: expected points of 1 and 0, 0.5 each, or 0 each"),
        (file(&row.replace("1.0", "NaN")), "line 2 is not a row of games.csv: expected points of 1 and 0, 0.5 each, or 0 each"),
        (file(&games(&[("ann", "bob"), ("bob", "bob")])), "line 3 is not a row of games.csv: expected two players"),
        (Vec::new(), "line 1 is not the header of a games.csv: it has no column `id`"),
        (b"game,rank,player,elo\n".to_vec(), "line 1 is not the header of a games.csv: it has no column `id`"),
        (file(&format!("{row}1,cachex\n")), "line 3 is not a row of games.csv: it has 2 fields, expected 20"),
        (file(&row.replace("1.0", "one")), "line 2 is not a row of games.csv: field 7: invalid float literal"),
        (file(&format!("{row}{row}{}", row.replace("size=9", "\"size=9"))), "line 4 is not a row of games.csv: it has 3 fields, expected 20"),
        ([file(&row), b"\xff\xfe".to_vec()].concat(), "line 3 is not a row of games.csv"),
        (b"\x00\x01\x02\xff".to_vec(), "cannot be read"),
    ];
    for (bytes, words) in cases {
        let (ran, folder) = rate(&[&bytes], &[]);
        let shown = format!("{}", folder.path().join("0.csv").display());
        assert_eq!((ran.exit, ran.stdout.as_str()), (5, ""), "{words}: {ran:?}");
        assert!(ran.stderr.starts_with(&format!("referee: {shown}: ")), "{ran:?}");
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    }
}

#[test]
fn a_file_that_is_not_there() {
    let ran = referee_reading(b"", &["rate", "no-such.csv"]);
    assert_eq!(ran.exit, 5);
    assert_eq!(
        ran.stderr,
        "referee: no-such.csv: cannot be read: No such file or directory (os error 2)\n"
    );
    assert_eq!(referee_reading(b"", &["rate"]).exit, 2);
}
