//! The questions of people who test engines: lost connections, interruptions, the figures of other programs, their
//! options, and large books.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write as _};

use referee::rating::{BlockScores, EloModel, MatchScore, Sprt, Tally};

use crate::support::pages::Page;
use crate::support::{TestRun, engines, figures, logistic_llr, normalized_llr, root, times};

/// The command of a program of `tests/engines`, as a list of TOML; `None` without Python.
fn stand_in(file: &str, words: &[&str]) -> Option<String> {
    Some(format!("{:?}", engines::stand_in(file, words)?))
}

#[test]
#[ignore = "slow"]
fn a_lost_connection_costs_one_game_and_the_engine_is_started_again() {
    let plays = needed!(stand_in("uci.py", &["plays"]));
    const LOST: [&str; 4] = ["crashes", "exits", "closes-its-output", "hangs"];
    let run = TestRun::new("");
    let mut config = format!(
        "seed = 1\n[game]\nname = \"chess\"\n[format]\nkind = \"gauntlet\"\nchallengers = [\"plays\"]\n\
         games-per-pairing = 6\n[clock]\nper-move = \"3s\"\n\
         [[player]]\nname = \"plays\"\nspeaks = \"uci\"\ncommand = {plays}\n"
    );
    for how in LOST {
        let mark = run.path(how);
        let mark = mark.to_str().expect("text");
        let command = stand_in("fails_once.py", &[how, mark]).expect("Python");
        config += &format!("[[player]]\nname = \"{how}\"\nspeaks = \"uci\"\ncommand = {command}\n");
    }
    run.configure(&config);
    run.play(&["-j", "2"]);
    let games = run.games();
    assert_eq!(games.len(), 6 * LOST.len());
    for how in LOST {
        let termination = if how == "hangs" { "time" } else { "crash" };
        let own = games.iter().filter(|row| row.names().contains(&how));
        let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
        for row in own {
            *ends.entry(row.end.termination.name()).or_default() += 1;
            let loser = row.is_forfeited().then(|| row.detail());
            assert_eq!(loser.is_some(), row.end.termination.name() != "rules");
        }
        let expected = BTreeMap::from([("rules", 5), (termination, 1)]);
        assert_eq!(ends, expected, "{how}");
    }
    run.referee("verify out").ok();
}

/// The games of a run as PGN, without dates and times.
fn pgn(run: &TestRun, folder: &str) -> Vec<String> {
    let text = run.read(&format!("{folder}/games.pgn"));
    let lines = text.lines().filter(|line| !line.starts_with("[Date "));
    let words = lines.flat_map(|line| line.split(' '));
    // Such as `0.012s}`.
    let is_time = |word: &&str| word.trim_end_matches('}').ends_with("s") && word.contains('.');
    let words = words.map(|word| if is_time(&word) { "time" } else { word });
    words.map(str::to_owned).collect()
}

#[test]
fn a_merged_run_has_the_pgn_of_a_run_on_one_machine() {
    let config = "seed = 8\n[game]\nname = \"chess\"\n[format]\nkind = \"round-robin\"\n\
                  games-per-pairing = 6\nopening-plies = 4\n[record]\npgn = true\n[report]\npages = false\n\
                  [[player]]\nhouse = \"greedy\"\nargs = [\"--nodes\", \"50\"]\n[[player]]\nhouse = \"random\"\n";
    let run = TestRun::played(config);
    run.referee("plan config.toml --out plan --shards 3").ok();
    run.work(3);
    let said = run.referee("merge plan").ok();
    assert!(said.ends_with("/plan/run/games.pgn\n"), "{said}");
    assert_eq!(pgn(&run, "plan/run"), pgn(&run, "out"));
    run.referee("verify plan/run").ok();
}

/// Differences of a test, game pairs with 0 to 2 points, and the ratio.
type Tested = ([f64; 2], [u64; 5], f64);

/// Counts of game pairs with the ratio that fastchess's own tests expect, `app/tests/sprt_test.cpp`.
const NORMALIZED: [Tested; 3] = [
    ([0.0, 2.0], [365, 16618, 36229, 16974, 390], 2.25),
    ([-1.75, 0.25], [127, 4883, 10712, 5150, 104], 3.01),
    ([0.0, 5.0], [0, 0, 0, 0, 5550], 111.82),
];
const LOGISTIC: [Tested; 2] = [
    ([0.5, 2.5], [223, 9863, 21279, 10037, 246], -3.07),
    ([0.0, 2.0], [871, 26175, 55983, 26678, 821], -4.98),
];
/// Counts of game pairs with normalized Elo, its margin, Elo and the likelihood of superiority in percent, of
/// `app/tests/elo_test.cpp`.
const FIGURES: [([u64; 5], [f64; 4]); 3] = [
    ([34, 54, 63, 64, 75], [57.94, 28.28, 55.58, 100.00]),
    ([332, 433, 498, 333, 334], [-9.17, 10.96, -8.64, 5.05]),
    ([7895, 8757, 5685, 568, 9999], [-19.01, 2.65, -21.04, 0.00]),
];

fn close(one: f64, other: f64, tolerance: f64, of: &str) {
    assert!((one - other).abs() <= tolerance, "{of}: {one}, {other}");
}

#[test]
fn the_formulas_of_fastchess_give_the_figures_of_its_own_tests() {
    let normalized: fn([u64; 5], [f64; 2]) -> f64 = normalized_llr;
    for (tests, llr) in [(&NORMALIZED[..], normalized), (&LOGISTIC, logistic_llr)] {
        for (elo, pairs, expected) in tests {
            // They have two decimals. Where all pairs are equal, its own solution is less exact.
            let tolerance = 0.006 + 2e-4 * expected.abs();
            let found = llr(*pairs, *elo);
            close(found, *expected, tolerance, &format!("{pairs:?}"));
        }
    }
    for (pairs, [normalized, margin, elo, los]) in FIGURES {
        let found = figures(pairs);
        close(found.normalized_elo, normalized, 0.006, "normalized Elo");
        close(found.normalized_margin, margin, 0.006, "its margin");
        close(found.elo, elo, 0.006, "Elo");
        close(100.0 * found.los, los, 0.006, "superiority");
    }
}

/// Matches of every kind: short and long, drawish and decided, with results that did not occur.
const MATCHES: [[u64; 5]; 10] = [
    [1, 3, 9, 5, 2],
    [0, 4, 12, 9, 0],
    [0, 0, 40, 3, 0],
    [5, 20, 50, 29, 9],
    [34, 54, 63, 64, 75],
    [120, 480, 900, 540, 160],
    [2, 96, 610, 131, 1],
    [365, 16618, 36229, 16974, 390],
    [871, 26175, 55983, 26678, 821],
    [0, 0, 0, 4, 60],
];

fn score(pairs: [u64; 5]) -> MatchScore {
    MatchScore {
        pairs,
        singles: Tally::default(),
    }
}

fn sprt(model: EloModel, [elo0, elo1]: [f64; 2]) -> Sprt {
    Sprt {
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
        model,
    }
}

#[test]
fn our_ratio_is_that_of_fastchess_times_a_factor_and_normalized_elo_is_equal() {
    for pairs in MATCHES {
        let games = score(pairs);
        let counts = pairs.map(|count| (count as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        for elo in [
            [0.0, 2.0],
            [0.0, 5.0],
            [-1.75, 0.25],
            [-5.0, 0.0],
            [0.0, 10.0],
        ] {
            for (model, theirs) in [
                (EloModel::Logistic, logistic_llr(pairs, elo)),
                (EloModel::Normalized, normalized_llr(pairs, elo)),
            ] {
                let ours = sprt(model, elo).llr(&BlockScores::of_match(&games));
                let expected = theirs * (total - 3.0) / total;
                // Their iteration for normalized Elo ends earlier.
                let tolerance = 1e-6 + 1e-3 * theirs.abs();
                let of = format!("{model:?} {elo:?} {pairs:?}");
                close(ours, expected, tolerance, &of);
            }
        }
        let [low, normalized, high] = games.normalized_elo().expect("not all are equal");
        let (theirs, margin) = (figures(pairs), (high - low) / 2.0);
        close(normalized, theirs.normalized_elo, 1e-6, "normalized Elo");
        close(margin, theirs.normalized_margin, 1e-6, "its margin");
        let [_, elo, _] = games.elo().expect("games");
        close(elo, theirs.elo, 1e-6, "Elo");
    }
}

fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn each_option_of_ours_on_the_page_exists() {
    let page = std::fs::read_to_string(root().join("docs/from-fastchess.md")).expect("the page");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .skip_while(|line| !line.starts_with("## Options"))
        .take_while(|line| !line.starts_with("## Failures"))
        .filter(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let run = TestRun::new("");
    let config = Page::read("config.md");
    let has = |section: &str, column: usize, key: &str| {
        let keys = config.column(section, column);
        keys.iter().any(|known| known.trim_matches('`') == key)
    };
    for row in &rows {
        assert_eq!(row.len(), 3, "{row:?}");
        assert!(code(row[1]).count() > 0 || row[1] == "-", "{row:?}");
        for ours in code(row[1]) {
            let option = ours.starts_with("--").then_some(("run", ours));
            let exists = match (option.or(ours.split_once(' ')), ours.split_once('.')) {
                (Some((command, option)), _) => {
                    let help = run.referee(&format!("{command} --help")).ok();
                    help.split_whitespace()
                        .any(|word| word.trim_matches([',', ']']) == option)
                }
                (None, Some(("game", key))) => has("game", 0, key) || has("Game options", 1, key),
                (None, Some((section, key))) => has(section, 0, key),
                (None, None) => has("Top level", 0, ours),
            };
            assert!(exists, "`{ours}` does not exist");
        }
    }
}

/// Writes a book of positions of this size: each has a pawn a file, anywhere on three rows.
fn write_book(path: &std::path::Path, bytes: usize) -> usize {
    const PAWNS: usize = 3_usize.pow(8);
    let rows = |mut number: usize, pawn: char| -> [String; 3] {
        let mut rows = [(); 3].map(|()| String::new());
        for _ in 0..8 {
            for (at, row) in rows.iter_mut().enumerate() {
                let stands = at == number % 3;
                match row.chars().last().and_then(|last| last.to_digit(10)) {
                    _ if stands => row.push(pawn),
                    Some(empty) => {
                        row.pop();
                        row.push_str(&(empty + 1).to_string());
                    }
                    None => row.push('1'),
                }
            }
            number /= 3;
        }
        rows
    };
    let [black, white] = ['p', 'P'].map(|pawn| {
        let all = (0..PAWNS).map(|number| rows(number, pawn).join("/"));
        all.collect::<Vec<String>>()
    });
    let mut file = BufWriter::new(std::fs::File::create(path).expect("a file"));
    let (mut written, mut lines) = (0, 0);
    while written < bytes {
        let [of_black, of_white] = [&black[lines % PAWNS], &white[(lines / 7 + lines) % PAWNS]];
        let line = format!("rnbqkbnr/{of_black}/{of_white}/RNBQKBNR w KQkq - hmvc 0;\n");
        file.write_all(line.as_bytes()).expect("written");
        written += line.len();
        lines += 1;
    }
    file.flush().expect("written");
    lines
}

/// `BOOK_MIB` sets the size: a build for tests reads slowly.
#[test]
fn a_large_book_takes_the_memory_of_its_text() {
    let mib = times("BOOK_MIB", 4);
    let run = TestRun::new(
        "seed = 3\n[game]\nname = \"chess\"\nopenings = \"book.epd\"\n[format]\nkind = \"round-robin\"\n\
         games-per-pairing = 4\n[report]\npages = false\n[[player]]\nhouse = \"greedy\"\n[[player]]\nhouse = \"random\"\n",
    );
    let lines = write_book(&run.path("book.epd"), mib << 20);
    // The text and 8 bytes a line, of the book and of the run's own openings, which take twice that while they are read;
    // and 64 MiB for all else.
    let most = 64 * 1024 + 3 * (mib * 1024 + lines * 24 / 1024);
    let limited = format!("ulimit -d {most}; exec \"$0\" \"$@\"");
    let begun = std::time::Instant::now();
    let ran = std::process::Command::new("sh")
        .args(["-c", &limited, crate::support::program::REFEREE])
        .args(["run", "config.toml", "--out", "out", "-j", "1"])
        .current_dir(run.folder())
        .output()
        .expect("sh");
    assert!(ran.status.success(), "{ran:?}");
    println!(
        "a book of {mib} MiB, {lines} openings, 4 games: {:.1?}",
        begun.elapsed()
    );
    assert_eq!(run.read("out/openings-chess.txt").lines().count(), lines);
    run.referee("verify out").ok();
}
