//! `referee rate`: ratings from any number of journals.

use std::path::PathBuf;

use crate::support::program::{Ran, referee_reading};
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
    let (apart, _kept) = rate(&[one.as_bytes(), other.as_bytes()], &["--format", "csv"]);
    let (swapped, _kept) = rate(&[other.as_bytes(), one.as_bytes()], &["--format", "csv"]);
    let (whole, _kept) = rate(&[both.as_bytes()], &["--format", "csv"]);
    assert_eq!(apart.exit, 0, "{apart:?}");
    assert_eq!(apart.stdout, swapped.stdout);
    assert_eq!(apart.stdout, whole.stdout);

    let lines: Vec<&str> = apart.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "game,rank,player,elo,elo_low,elo_high,games,points,wins,draws,losses,forfeits,score,\
         field_score,performance,margin,forfeit_points"
    );
    assert!(lines[1].starts_with("cachex,1,ann,"), "{}", lines[1]);
    assert!(lines[1].contains(",5,3,3,0,2,0,0.6000,"), "{}", lines[1]);
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
        "won-drawn-lost",
        "ended by: 3 rules",
        "  forfeit wins  games won because the opponent forfeited\n",
    ] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
}

#[test]
#[rustfmt::skip]
fn what_is_no_journal_is_named_with_its_line() {
    let row = games(&[("ann", "bob")]);
    let file = |rows: &str| format!("{HEADER}{rows}").into_bytes();
    let cases: [(Vec<u8>, &str); 13] = [
        (file(&row.replace("1.0,0.0", "1.0,1.0")), "line 2: column 9 (`second_points`): 1 and 1 points are no result"),
        (file(&row.replace("1.0", "NaN")), "line 2: column 8 (`first_points` or `score` or `result` or `points`): `NaN` is not a score: expected 1, 0.5 or 0"),
        (file(&games(&[("ann", "bob"), ("bob", "bob")])), "line 3: column 6 (`second` or `black`): `bob` cannot play itself"),
        (file(&games(&[("ann", " ")])), "line 2: column 6 (`second` or `black`): no player"),
        (file(&row.replace("9,0,ann", "9,x,ann")), "line 2: column 4 (`pair`): `x` is not a whole number"),
        (Vec::new(), "0.csv: is empty"),
        (b"first,score\n".to_vec(), "line 1: the header has no column `second` or `black`"),
        (b"game,rank,player,elo\n".to_vec(), "line 1: neither a header with the columns `first`"),
        (file(&format!("{row}1,cachex\n")), "line 3: 2 fields, expected 20"),
        (file(&row.replace("1.0", "one")), "line 2: column 8 (`first_points` or `score` or `result` or `points`): `one` is not a score"),
        (file(&format!("{row}{row}{}", row.replace("size=9", "\"size=9"))), "line 4: 3 fields, expected 20"),
        ([file(&row), b"\xff\xfe".to_vec()].concat(), "line 3: 1 fields, expected 20"),
        (b"\x00\x01\x02\xff".to_vec(), "line 1: neither a header"),
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

/// Three players in a plain table.
const PLAIN: &str = "White,Black,Score\nann,bob,1\nbob,ann,1/2-1/2\nann,cat,1-0\ncat,bob,0.5\n";

fn csv_of(contents: &[&[u8]], options: &[&str]) -> Vec<Vec<String>> {
    let options: Vec<&str> = [options, &["--format", "csv"]].concat();
    let (ran, _kept) = rate(contents, &options);
    assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{ran:?}");
    let rows = ran.stdout.lines().skip(1);
    rows.map(|row| row.split(',').map(str::to_owned).collect())
        .collect()
}

#[test]
fn tables_with_and_without_a_header_and_pgn_say_the_same() {
    let bare = PLAIN.split_once('\n').expect("lines").1;
    let pgn: String = [
        ("ann", "bob", "1-0"),
        ("bob", "ann", "1/2-1/2"),
        ("ann", "cat", "1-0"),
    ]
    .iter()
    .chain(&[("cat", "bob", "1/2-1/2"), ("ann", "bob", "*")])
    .map(|(white, black, result)| {
        format!(
            "[Event \"x\"]\n[Result \"{result}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n\
                 1. e4 {{a [%clk 1:00] comment\n[%eval 0]}} e5 {result}\n\n"
        )
    })
    .collect();
    let plain = csv_of(&[PLAIN.as_bytes()], &[]);
    assert_eq!(plain, csv_of(&[bare.as_bytes()], &[]));
    let mut of_pgn = csv_of(&[pgn.as_bytes()], &[]);
    for row in &mut of_pgn {
        assert_eq!(std::mem::replace(&mut row[0], "games".to_owned()), "chess");
    }
    assert_eq!(plain, of_pgn);
    assert_eq!(plain[0][2..3], ["ann"]);
    assert_eq!(plain[0][6..11], ["3", "2.5", "2", "1", "0"]);
}

#[test]
fn pgn_knows_forfeits_and_names_what_is_missing() {
    let game = |more: &str| format!("[White \"a\"]\n[Black \"b\"]\n{more}\n1. e4\n");
    let lost = game("[Result \"0-1\"]\n[Termination \"time forfeit\"]\n");
    let rows = csv_of(&[lost.as_bytes()], &[]);
    let forfeits: Vec<(&str, &str)> = rows.iter().map(|row| (&*row[2], &*row[11])).collect();
    assert_eq!(forfeits, [("b", "0"), ("a", "1")]);
    let (ran, _kept) = rate(&[format!("{lost}{}", game("")).as_bytes()], &[]);
    assert_eq!(ran.exit, 5);
    let words = "0.csv: line 7: the game that begins here has no header `Result`\n";
    assert!(ran.stderr.ends_with(words), "{}", ran.stderr);
}

#[test]
fn bad_rows_are_left_out_where_that_is_asked_for() {
    let bad = format!("{PLAIN}ann,bob,2\nann,cat\n");
    let (ran, _kept) = rate(&[bad.as_bytes()], &["--skip-bad-rows", "--format", "csv"]);
    assert_eq!(ran.exit, 0);
    assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
    for line in ["line 6: column 3", "line 7: 2 fields"] {
        assert!(ran.stderr.contains(line), "{}", ran.stderr);
    }
    let (good, _kept) = rate(&[PLAIN.as_bytes()], &["--format", "csv"]);
    assert_eq!(ran.stdout, good.stdout);
}

#[test]
fn filters_choose_the_games() {
    let file = "first,second,score,date,game,options,termination\n\
        ann,bob,1,2026-01-31T10:00:00Z,cachex,size=9,rules\n\
        bob,ann,1,2026-02-01T10:00:00Z,cachex,size=7 x=1,time\n\
        bob,cat,0,2026-03-01T10:00:00Z,cachex,size=9,rules\n\
        cat,ann,0,2026-03-02T10:00:00Z,chess,,crash\n";
    let games = |options: &[&str]| -> u64 {
        let rows = csv_of(&[file.as_bytes()], options);
        let seats: u64 = rows
            .iter()
            .map(|row| row[6].parse::<u64>().expect("games"))
            .sum();
        seats / 2
    };
    for (options, count) in [
        (&[][..], 4),
        (&["--player", "ann"], 3),
        (&["--player", "ann", "--player", "bob", "--among"], 2),
        (&["--player", "ann", "--seat", "second"], 2),
        (&["--termination", "time", "--termination", "crash"], 2),
        (&["--since", "2026-02"], 3),
        (&["--until", "2026-02"], 2),
        (&["--since", "2026-02-01", "--until", "2026-03-01"], 2),
        (&["--option", "size=7"], 1),
        (&["--game", "chess"], 1),
        (&["--game", "go"], 0),
    ] {
        assert_eq!(games(options), count, "{options:?}");
    }
    let (ran, _kept) = rate(&[file.as_bytes()], &["--player", "dan"]);
    assert_eq!(ran.exit, 2);
    assert!(
        ran.stderr
            .contains("--player dan: nobody of that name plays")
    );
}

#[test]
fn anchors_and_sorting() {
    let find = |rows: &[Vec<String>], name: &str| -> f64 {
        let row = rows.iter().find(|row| row[2] == name).expect(name);
        row[3].parse().expect("a number")
    };
    let mean = csv_of(&[PLAIN.as_bytes()], &[]);
    let sum: f64 = ["ann", "bob", "cat"]
        .iter()
        .map(|name| find(&mean, name))
        .sum();
    assert!(sum.abs() < 0.2);
    let rows = csv_of(
        &[PLAIN.as_bytes()],
        &["--anchor", "bob=1500", "--sort", "-elo"],
    );
    assert_eq!(find(&rows, "bob"), 1500.0);
    let apart = find(&rows, "ann") - 1500.0;
    assert!((apart - (find(&mean, "ann") - find(&mean, "bob"))).abs() < 0.2);
    assert_eq!(rows[2][2], "ann");
    let bob = rows.iter().find(|row| row[2] == "bob").expect("bob");
    assert_eq!(bob[4..6], ["1500.0", "1500.0"], "an anchor is certain");
    for (options, words) in [
        (
            ["--anchor", "dan=3"],
            "--anchor dan=3: expected the name of a player",
        ),
        (
            ["--sort", "beauty"],
            "--sort beauty: no table has that column",
        ),
        (["--sprt", "ann,5,0"], "expected ELO0 below ELO1"),
        (
            ["--sprt", "dan,0,5"],
            "--sprt: `dan` plays none of these games",
        ),
        (["--k", "0"], "--k 0: expected a number above 0"),
    ] {
        let (ran, _kept) = rate(&[PLAIN.as_bytes()], &options);
        assert_eq!(ran.exit, 2, "{ran:?}");
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn json_and_markdown_have_the_same_tables_and_notes() {
    let (ran, _kept) = rate(&[PLAIN.as_bytes()], &["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    for table in ["ratings", "standings", "crosstable"] {
        let rows = json["tables"][table].as_array().expect(table);
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0]["player"], "ann");
    }
    assert_eq!(json["games"]["games"]["games"], 4);
    let (ran, _kept) = rate(&[PLAIN.as_bytes()], &["--format", "markdown"]);
    for line in ["## ratings", "| games | 1 | ann |", "95 % interval"] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains('\u{1b}'), "no colour in a pipe");
}

#[test]
fn a_match_of_two_has_its_pairs_and_its_test() {
    let mut file = "first,second,score,pair\n".to_owned();
    for pair in 0..60 {
        let back = ["0", "0.5", "1"][pair % 3];
        file.push_str(&format!("ann,bob,1,{pair}\nbob,ann,{back},{pair}\n"));
    }
    let options = ["--table", "match", "--sprt", "bob,0,10"];
    let rows = csv_of(&[file.as_bytes()], &options);
    // Ann won both games of twenty pairs, so bob has no point of them.
    assert_eq!(
        rows[0][..9],
        ["games", "bob", "ann", "20", "20", "20", "0", "0", "0"]
    );
    let llr: f64 = rows[0][15].parse().expect("a number");
    assert!(llr < -1.0, "{llr}");
    let (ran, _kept) = rate(&[file.as_bytes()], &options[2..]);
    for words in [
        "SPRT: is bob stronger by 10 Elo rather than by 0 Elo?",
        "60 complete game pairs",
    ] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
}

#[test]
fn history_follows_the_games_one_by_one() {
    let rows = csv_of(&[PLAIN.as_bytes()], &["--table", "history", "--k", "40"]);
    assert_eq!(rows.len(), 4);
    // Equals: the winner takes half of K.
    assert_eq!(rows[0][6..8], ["20.0", "-20.0"]);
    // Bob at -20 draws ann at +20: K times what he was expected to fall short by.
    let moved = 40.0 * (0.5 - 1.0 / (1.0 + 10_f64.powf(40.0 / 400.0)));
    assert_eq!(rows[1][6], format!("{:.1}", -20.0 + moved));
}

#[test]
fn notes_say_what_the_games_do_not() {
    let summary = |file: &str, options: &[&str]| {
        let (ran, _kept) = rate(&[file.as_bytes()], options);
        assert_eq!(ran.exit, 0, "{ran:?}");
        // As one line, wherever it was broken.
        ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let repeat = |row: &str, times: usize| row.repeat(times);
    let cycle: String = ["a,b,1\nb,a,0\n", "b,c,1\nc,b,0\n", "c,a,1\na,c,0\n"]
        .map(|row| repeat(row, 20))
        .concat();
    let text = summary(&cycle, &[]);
    assert!(text.contains("beyond chance: a > b > c > a."), "{text}");
    assert!(!text.contains("Won every game") && !text.contains("never met"));

    let groups = "a,b,1\nb,a,1\nc,d,1\nd,c,0\n";
    let text = summary(groups, &[]);
    for words in [
        "2 groups that never met",
        "a, b | c, d",
        "Fewer than 20 games",
        "Won every game: c.",
        "Lost every game: d.",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }

    let seats = repeat("a,b,1\n", 30) + &repeat("a,b,0\n", 10);
    assert!(summary(&seats, &[]).contains("Players hardly changed seats"));
    assert!(!summary(&seats, &["--equal-seats"]).contains("Players hardly changed seats"));

    let forfeits = "first,second,first_points,second_points,forfeited_by,termination\n\
        a,b,1,0,b,time\na,b,0,1,,rules\nb,a,0,0,both,handshake\n";
    let text = summary(forfeits, &[]);
    for words in [
        "1 point was won because the opponent forfeited, of 2 points in all",
        "1 game was forfeited by both players",
        "1 handshake, 1 rules, 1 time",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }

    let same =
        "first,second,score,actions_digest\n".to_owned() + &repeat("a,b,1,00ff\nb,a,0.5,11ff\n", 3);
    assert!(summary(&same, &[]).contains("4 games repeat action by action"));
    let text = summary(&same, &["--once"]);
    assert!(
        text.contains("games: 2") && text.contains("they were left out"),
        "{text}"
    );
}
