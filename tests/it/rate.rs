//! `referee rate`: ratings from any number of journals.

use crate::support::{Ran, columns, gzipped, referee_in, screens};
use tempfile::TempDir;

const HEADER: &str = "id,game,options,block,first,second,winner,first_points,second_points,\
    termination,forfeited_by,reason,detail,plies,date,game_us,first_wall_us,first_cpu_us,\
    second_wall_us,second_cpu_us\n";

/// Rows of games won by the first player of each pair.
fn games(pairings: &[(&str, &str)]) -> String {
    let row = |(pair, (first, second)): (usize, &(&str, &str))| {
        format!(
            "0,cachex,size=9,{pair},{first},{second},red,1.0,0.0,rules,,connection,,9,2026-01-01T00:00:00Z,1,1,1,1,1\n"
        )
    };
    pairings.iter().enumerate().map(row).collect()
}

/// A folder with these files, called 0.csv, 1.csv and so on.
fn files<T: AsRef<[u8]>>(contents: &[T]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (index, bytes) in contents.iter().enumerate() {
        let file = folder.path().join(format!("{index}.csv"));
        std::fs::write(file, bytes).expect("written");
    }
    folder
}

/// Runs `referee rate` on one file.
pub(super) fn rate(content: &str, options: &str) -> Ran {
    let folder = files(&[content]);
    referee_in(folder.path(), &format!("rate 0.csv {options}"))
}

/// The rows of the table that `referee rate` makes of one file.
fn csv_of(content: &str, options: &str) -> Vec<Vec<String>> {
    let ran = rate(content, &format!("{options} --format csv"));
    assert_eq!(ran.exit, 0, "{ran:?}");
    let rows = ran.stdout.lines().skip(1);
    rows.map(|row| row.split(',').map(str::to_owned).collect())
        .collect()
}

/// Three players in a plain table.
const PLAIN: &str = "White,Black,Score\nann,bob,1\nbob,ann,1/2-1/2\nann,cat,1-0\ncat,bob,0.5\n";

#[test]
fn several_files_count_as_one_whatever_their_order() {
    let one = games(&[("ann", "bob"), ("ann", "bob"), ("bob", "ann")]);
    let other = games(&[("bob", "cat"), ("ann", "cat"), ("cat", "ann")]);
    let both = format!("{HEADER}{one}{other}");
    let folder = files(&[format!("{HEADER}{one}"), format!("{HEADER}{other}")]);
    let rate_files = |files| referee_in(folder.path(), &format!("rate {files} --format csv")).ok();
    let apart = rate_files("0.csv 1.csv");
    assert_eq!(apart, rate_files("1.csv 0.csv"));
    assert_eq!(apart, rate(&both, "--format csv").ok());

    let lines: Vec<&str> = apart.lines().collect();
    let expected = "game,rank,player,elo,elo_low,elo_high,games,points,wins,draws,losses,places,forfeits,score,\
         margin,score_margin,blocks,rules_points,rules_points_margin,forfeit_points,shrunk_elo,\
         shrunk_elo_low,shrunk_elo_high";
    assert_eq!(lines[0], expected);
    assert!(lines[1].starts_with("cachex,1,ann,"), "{}", lines[1]);
    assert_has!(lines[1], ",5,3,3,0,2,3-2,0,0.6000,");
    assert_eq!(lines.len(), 4);
}

#[test]
fn every_format_has_the_same_tables_and_notes() {
    let folder = files(&[PLAIN]);
    let json = rate(PLAIN, "--format json").json();
    for table in ["ratings", "standings", "crosstable"] {
        let rows = json["tables"][table].as_array().expect(table);
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0]["player"], "ann");
    }
    assert_eq!(json["games"]["games"]["games"], 4);
    let formats = ["rate 0.csv", "rate 0.csv --format csv"];
    let shown = screens(folder.path(), &formats);
    assert!(!shown.contains('\u{1b}'), "no colour in a pipe");
    assert_screen!(shown);
}

#[test]
fn a_file_that_is_not_a_journal_is_named_with_its_line() {
    let row = games(&[("ann", "bob")]);
    let file = |rows: &str| format!("{HEADER}{rows}").into_bytes();
    let contents: [Vec<u8>; 13] = [
        file(&row.replace("1.0,0.0", "1.0,1.0")),
        file(&row.replace("1.0", "NaN")),
        file(&games(&[("ann", "bob"), ("bob", "bob")])),
        file(&games(&[("ann", " ")])),
        file(&row.replace("9,0,ann", "9,x,ann")),
        Vec::new(),
        b"first,score\n".to_vec(),
        b"game,rank,player,elo\n".to_vec(),
        file(&format!("{row}1,cachex\n")),
        file(&row.replace("1.0", "one")),
        file(&format!("{row}{row}{}", row.replace("size=9", "\"size=9"))),
        [file(&row), b"\xff\xfe".to_vec()].concat(),
        b"\x00\x01\x02\xff".to_vec(),
    ];
    let folder = files(&contents);
    let mut said = String::new();
    for (index, content) in contents.iter().enumerate() {
        let ran = referee_in(folder.path(), &format!("rate {index}.csv"));
        ran.fails(5, &format!("referee: {index}.csv: "));
        assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
        let rows = String::from_utf8_lossy(content).replace(HEADER, "HEADER\n");
        let rows = rows.escape_debug().to_string().replace("\\n", "\n");
        said.push_str(&format!("{rows}\n{}\n", ran.stderr));
    }
    assert_screen!(said);
}

#[test]
fn who_forfeited_is_a_player_who_lost() {
    let rows = ["1,zzz", "0.5,ann", "1,ann", "1,both", "0,ann", "1,"];
    let header = "first,second,first_points,forfeited_by";
    let rows = rows.map(|end| format!("{header}\nann,bob,{end}\n").into_bytes());
    let folder = files(&rows);
    let not_lost = "forfeited and has not lost by the points: correct one of them";
    let said = ["`zzz` is neither player", not_lost, not_lost, not_lost];
    for (index, said) in said.into_iter().enumerate() {
        let ran = referee_in(folder.path(), &format!("rate {index}.csv"));
        ran.fails(5, said);
        assert_has!(ran.stderr, "line 2: column 4 (`forfeited_by`)");
    }
    referee_in(folder.path(), "rate 4.csv 5.csv").ok();
    let text = std::fs::read_to_string(folder.path().join("5.csv")).expect("text");
    let packed = gzipped(text.replace('\n', "\r\n").as_bytes());
    std::fs::write(folder.path().join("6.csv.gz"), packed).expect("written");
    for copy in ["./5.csv", "6.csv.gz"] {
        let again = referee_in(folder.path(), &format!("rate 5.csv 4.csv {copy}"));
        let twice = "its games are given already, and would count twice: leave one out";
        again.fails(2, &format!("{copy}: {twice}"));
    }
}

#[test]
fn tables_with_and_without_a_header_and_pgn_say_the_same() {
    let bare = PLAIN.split_once('\n').expect("lines").1;
    let game = |(white, black, result): (&str, &str, &str)| {
        format!(
            "[Event \"x\"]\n[Result \"{result}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n\
             1. e4 {{a [%clk 1:00] comment\n[%eval 0]}} e5 {result}\n\n"
        )
    };
    let pgn = [
        ("ann", "bob", "1-0"),
        ("bob", "ann", "1/2-1/2"),
        ("ann", "cat", "1-0"),
        ("cat", "bob", "1/2-1/2"),
        ("ann", "bob", "*"),
    ];
    let plain = csv_of(PLAIN, "");
    assert_eq!(plain, csv_of(bare, ""));
    let mut of_pgn = csv_of(&pgn.map(game).concat(), "");
    for row in &mut of_pgn {
        assert_eq!(std::mem::replace(&mut row[0], "games".to_owned()), "chess");
    }
    assert_eq!(plain, of_pgn);
    assert_eq!(plain[0][2..3], ["ann"]);
    assert_eq!(plain[0][6..11], ["3", "2.5", "2", "1", "0"]);
}

#[test]
fn rounds_without_an_opening_are_noted() {
    let game = |round: &str, white: &str, black: &str, more: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n[Round \"{round}\"]\n{more}\n1-0\n\n"
        )
    };
    for (round, more, is_noted) in [
        ("1.2", "", true),
        ("2.1", "", false),
        ("1.2", "[FEN \"k7/8/8/8/8/8/8/K7 w - - 0 1\"]\n", false),
    ] {
        let text = game("1.1", "ann", "bob", "") + &game(round, "bob", "ann", more);
        let ran = rate(&text, "");
        let found = ran.stderr.contains("no game has a tag FEN");
        assert_eq!(found, is_noted, "{ran:?}");
    }
}

#[test]
fn bad_rows_are_left_out_where_that_is_asked_for() {
    let bad = format!("{PLAIN}ann,bob,2\nann,cat\n");
    let ran = rate(&bad, "--skip-bad-rows --format csv");
    assert_eq!(ran.exit, 0);
    assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
    for line in ["line 6: column 3", "line 7: 2 fields"] {
        assert!(ran.stderr.contains(line), "{}", ran.stderr);
    }
    assert_eq!(ran.stdout, rate(PLAIN, "--format csv").ok());
}

#[test]
fn filters_choose_the_games() {
    let file = "first,second,score,date,game,options,termination\n\
        ann,bob,1,2026-01-31T10:00:00Z,cachex,size=9,rules\n\
        bob,ann,1,2026-02-01T10:00:00Z,cachex,size=7 x=1,time\n\
        bob,cat,0,2026-03-01T10:00:00Z,cachex,size=9,rules\n\
        cat,ann,0,2026-03-02T10:00:00Z,chess,,crash\n";
    for (options, count) in [
        ("", 4),
        ("--player ann", 3),
        ("--player ann --player bob --among", 2),
        ("--player ann --seat second", 2),
        ("--player ann --seat blue", 1),
        ("--player ann --seat black", 1),
        ("--termination time --termination crash", 2),
        ("--option size=7", 1),
        ("--game chess", 1),
        ("--game dark-chess", 0),
    ] {
        let rows = csv_of(file, options);
        let games = rows.iter().map(|row| row[6].parse::<u64>().expect("games"));
        assert_eq!(games.sum::<u64>(), 2 * count, "{options}");
    }
    rate(file, "--player ann --seat third").fails(
        2,
        "--seat third: no game has it; there is black, blue, red, white\n",
    );
}

#[test]
fn anchors_of_a_file_hold_their_elo_exactly_or_with_a_margin() {
    let anchors = "player,elo,margin,note\nann,1500,,old\ncat,+1300.5,40,\n";
    let folder = files(&[PLAIN, anchors, "player,elo,margin\nbob,1500,\n"]);
    let run = |line: &str| referee_in(folder.path(), &format!("rate 0.csv {line}"));
    assert_screen!(screens(
        folder.path(),
        &[
            "rate 0.csv --anchors 1.csv",
            "rate 0.csv --anchors 1.csv --format csv",
            "rate 0.csv --anchors 1.csv --anchor ann",
        ]
    ));
    let json = run("--anchors 1.csv --format json").json();
    let ann = &json["tables"]["ratings"][0];
    assert_eq!(ann["player"], "ann");
    assert_eq!([&ann["elo"], &ann["margin"]], [1500.0, 0.0]);
    let expected = "Reference: 2 anchors from 1.csv have the given Elo.";
    assert_eq!(json["games"]["games"]["notes"][0], expected);
    let one = run("--anchors 2.csv --format csv").ok();
    assert_eq!(one, run("--anchor bob=1500 --format csv").ok());
}

#[test]
fn anchors_belong_to_the_games_that_they_name() {
    let file =
        "first,second,score,game\nann,bob,1,go\nbob,ann,1,go\nann,bob,1,chess\nbob,ann,1,chess\n";
    let anchors = "game,player,elo,margin\ngo,ann,1000,\nchess,bob,2000,\n";
    let folder = files(&[file, anchors]);
    let rows = referee_in(folder.path(), "rate 0.csv --anchors 1.csv --format csv").ok();
    for row in ["chess,1,bob,2000.0", "go,1,ann,1000.0"] {
        assert!(rows.contains(row), "{rows}");
    }
}

#[test]
fn a_line_that_is_no_anchor_is_named() {
    let folder = files(&[PLAIN]);
    let rows = [
        "player,elo,error\nann,1,2\n | line 1: there is no column `margin`; expected player, elo",
        "player,elo,margin\nann,1,\nbobb,2,\n | line 3: `bobb` plays none of these games (did you mean `bob`?)",
        "player,elo,margin\nann,1,\nann,2,\n | line 3: `ann` is in line 2 already",
        "player,elo,margin\nann,high,\n | line 2: elo `high`: expected a number from -100000 to 100000",
        "player,elo,margin\nann,1,-3\n | line 2: margin `-3`: expected a number from 0 to 10000",
        "player,elo,margin\n,1,\n | line 2: it names no player",
        "player,elo,margin\n | line 1: it names no player: expected a row for each anchor",
        "player,elo,margin,elo\nann,1,,2\n | line 1: there are two columns `elo`: leave one out",
        "player,elo,margin\nann,1\n | line 2: it has 2 fields, expected 3",
        "game,player,elo,margin\ngo,ann,1,\n | line 2: `ann` plays no game of `go`",
    ];
    for (at, row) in rows.into_iter().enumerate() {
        let [text, problem] = columns(row);
        let name = format!("anchors-{at}.csv");
        std::fs::write(folder.path().join(&name), text).expect("written");
        let ran = referee_in(folder.path(), &format!("rate 0.csv --anchors {name}"));
        ran.fails(5, &format!("referee: {name}: {problem}"));
    }
}

#[test]
fn options_that_fit_no_player_or_table_are_usage_errors() {
    let folder = files(&[PLAIN]);
    assert_screen!(screens(
        folder.path(),
        &[
            "rate 0.csv --anchor dan=3",
            "rate 0.csv --sprt ann,5,0",
            "rate 0.csv --sprt dan,0,5",
        ]
    ));
}

#[test]
fn a_match_of_two_has_its_pairs_and_its_test() {
    let mut file = "first,second,score,block\n".to_owned();
    for pair in 0..60 {
        let back = ["0", "0.5", "1"][pair % 3];
        file.push_str(&format!("ann,bob,1,{pair}\nbob,ann,{back},{pair}\n"));
    }
    let rows = csv_of(&file, "--table match --sprt bob,0,10");
    // Ann won both games of twenty pairs, so bob has no point in them.
    let expected = ["games", "bob", "ann", "20", "20", "20", "0", "0", "0"];
    assert_eq!(rows[0][..9], expected);
    let llr: f64 = rows[0][16].parse().expect("a number");
    assert!(llr < -1.0, "{llr}");
    assert_screen!(rate(&file, "--sprt bob,0,10").ok());
}

#[test]
fn filters_that_no_game_can_pass_are_usage_errors() {
    let file = format!("{HEADER}{}", games(&[("ann", "bob"), ("bob", "ann")]));
    for row in [
        "--game shogi | referee: --game shogi: no game has it; there is cachex\n",
        "--option sice=9 | referee: --option sice=9: no game has it (did you mean `size=9`?); there is size=9\n",
    ] {
        let [options, problem] = columns(row);
        rate(&file, options).fails(2, problem);
    }
    let all = rate(&file, "").ok();
    assert_eq!(rate(&file, "--game cachex").ok(), all);
    // Such games might be there.
    let others =
        "--termination time, --option size=7, --game dark-chess --player ann, --player ann --among";
    for options in others.split(", ") {
        let ran = rate(&file, options);
        assert_eq!((ran.exit, &*ran.stdout), (0, "no games\n"), "{ran:?}");
        let words = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        let note = "note: no game is left of 2 games: none passes all filters";
        assert_eq!(words, note);
    }
    rate(&file, "--player Bob").fails(2, "nobody of that name plays (did you mean `bob`?)\n");
    rate(&file, "--termination rule").fails(
        2,
        "--termination rule: no game has it (did you mean `rules`?); there is rules\n",
    );
    let many: String = (0..100).map(|end| format!("a,b,1,end {end}\n")).collect();
    let table = format!("first,second,score,termination\n{many}");
    rate(&table, "--termination x").fails(2, " and 80 more\n");
}

#[test]
fn folders_of_runs_and_stdin_are_read_too() {
    let folder = files(&[PLAIN]);
    let rate = |line: &str| referee_in(folder.path(), &format!("rate {line}"));
    let expected = rate("0.csv").ok();
    std::fs::create_dir(folder.path().join("run")).expect("a folder");
    std::fs::write(folder.path().join("run/games.csv"), PLAIN).expect("written");
    assert_eq!(rate("run").ok(), expected);
    assert_eq!(rate(&format!("- <<< {PLAIN}")).ok(), expected);
    rate(".").fails(
        5,
        "referee: .: is not the folder of a run: it has no games.csv",
    );
}

/// Each note under the tables appears in one case.
#[test]
fn notes_warn_of_what_the_games_cannot_show() {
    let cycle = ["a,b,1\nb,a,0\n", "b,c,1\nc,b,0\n", "c,a,1\na,c,0\n"];
    let cycle = cycle.map(|row| row.repeat(20)).concat();
    let seats = "a,b,1\n".repeat(30) + &"a,b,0\n".repeat(10);
    let seat_won_all = "a,b,1\nb,a,1\n".repeat(15);
    let same =
        "first,second,score,actions_digest\n".to_owned() + &"a,b,1,00ff\nb,a,0.5,11ff\n".repeat(3);
    let forfeits = "first,second,first_points,second_points,forfeited_by,termination\n\
        a,b,1,0,b,time\na,b,0,1,,rules\nb,a,0,0,both,handshake\n";
    let groups = "a,b,1\nb,a,1\nc,d,1\nd,c,0\n";
    let cases = [
        ("a cycle of three", cycle.as_str(), ""),
        ("two groups that never met", groups, ""),
        ("one seat for each player", &seats, ""),
        ("the same with equal seats", &seats, "--equal-seats"),
        ("forfeits", forfeits, ""),
        ("a seat that won all", &seat_won_all, ""),
        ("games that repeat", &same, ""),
        ("games that repeat, once", &same, "--once"),
    ];
    let shown =
        cases.map(|(name, file, options)| format!("{name}:\n\n{}", rate(file, options).ok()));
    assert_screen!(shown.join("\n"));
}

#[test]
fn one_name_in_several_forms_of_unicode_is_one_player() {
    let forms = "José,Jose\u{301},\u{feff}José,Jos\u{200b}é,José\u{a0},J\u{2060}osé";
    let forms: Vec<&str> = forms.split(',').collect();
    let rows = forms
        .iter()
        .map(|name| format!("{name},bob,1\nbob,{name},0\n"));
    let table = format!("first,second,score\n{}", rows.collect::<String>());
    let tags = |[white, black]: [&str; 2]| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1-0\n\n")
    };
    let pgn = forms
        .iter()
        .map(|name| tags([name, "bob"]) + &tags(["bob", name]));
    for file in [table, pgn.collect()] {
        let rows = csv_of(&file, "--table standings --player Jose\u{301}");
        let mut names: Vec<&str> = rows.iter().map(|row| row[2].as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["José", "bob"]);
    }
    let own = "first,second,score\nJosé,Jose\u{301}\u{200d},1\n";
    rate(own, "").fails(
        5,
        "referee: 0.csv: line 2: column 2 (`second` or `black`): `José` cannot play itself",
    );
}

#[test]
fn semicolons_and_tabs_separate_fields_as_commas_do() {
    let expected = rate(PLAIN, "--format csv").ok();
    let anchors = "player,elo,margin\nann,12.5,1.5\n";
    let anchored = anchored(PLAIN, anchors);
    for separator in [";", "\t"] {
        let other = |text: &str| text.replace(',', separator).replace('.', ",");
        let plain = other(PLAIN).replace('\n', "\r\n");
        assert_eq!(rate(&plain, "--format csv").ok(), expected);
        let with_mark = format!("\u{feff}{}", other(anchors));
        assert_eq!(self::anchored(&plain, &with_mark), anchored);
    }
}

fn anchored(games: &str, anchors: &str) -> String {
    let folder = files(&[games, anchors]);
    referee_in(folder.path(), "rate 0.csv --anchors 1.csv --format csv").ok()
}

#[test]
fn games_that_were_not_finished_are_counted() {
    let table = format!("{PLAIN}ann,bob,*\nbob,cat,*\n");
    let pgn = "[White \"ann\"]\n[Black \"bob\"]\n[Result \"1-0\"]\n\n1-0\n\n\
               [White \"ann\"]\n[Black \"cat\"]\n[Result \"*\"]\n\n*\n";
    for (file, words) in [(table.as_str(), "2 games are"), (pgn, "1 game is")] {
        let ran = rate(file, "--format csv");
        let note = format!("note: 0.csv: {words} not finished (`*`), and left out\n");
        assert!(ran.exit == 0 && ran.stderr.contains(&note), "{ran:?}");
    }
    let found = rate(&table, "--format csv").stdout;
    assert_eq!(found, rate(PLAIN, "--format csv").ok());
    rate(&format!("{PLAIN}ann,bob,\n"), "").fails(5, "referee: 0.csv: line 6: ");
}

#[test]
fn a_match_has_two_players() {
    rate(PLAIN, "--table match").fails(
        2,
        "referee: --table match: games has 3 players, more than 2: choose some with --player and --among\n",
    );
    let two = rate(PLAIN, "--table match --player ann --player bob --among").ok();
    assert!(two.contains("ann"), "{two}");
}

#[test]
fn what_never_ends_is_refused_with_its_limit() {
    let long_row = "first,second,score\n".to_owned() + &"x".repeat(4 << 20);
    let gzip = gzipped(long_row.as_bytes());
    let folder = files(&[&gzip[..], PLAIN.as_bytes()]);
    std::fs::create_dir(folder.path().join("run")).expect("a folder");
    for row in [
        "rate 0.csv | 5 | 0.csv: cannot be read: a row has more than 1 MiB",
        "rate /dev/zero | 5 | /dev/zero: cannot be read: a row has more than 1 MiB",
        "rate 1.csv --anchors /dev/zero | 5 | /dev/zero: cannot be read: it has more than 16 MiB",
        "run /dev/zero | 2 | /dev/zero: cannot be read: it has more than 16 MiB",
        "grade /dev/zero | 2 | /dev/zero: cannot be read: it has more than 16 MiB",
        "position cachex --actions /dev/zero | 5 | /dev/zero: ",
    ] {
        let [line, exit, words] = columns(row);
        let exit = exit.parse().expect("a number");
        referee_in(folder.path(), line).fails(exit, &format!("referee: {words}"));
    }
}
