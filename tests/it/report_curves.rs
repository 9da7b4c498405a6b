//! The curves of `referee report`: the files of the run have the same numbers.

use std::collections::BTreeMap;
use std::path::Path;

use referee::rating::{BlockScores, EloModel, MatchScore, Sprt, Tally};

use crate::support::{Browser, REFEREE, Table, TestRun, number, rows};

const PHONE: [u32; 2] = [360, 740];

/// A run with its figures, of small games of Cachex.
fn figures(format: &str, players: &str) -> TestRun {
    let run = TestRun::played(&format!(
        "seed = 5\n[game]\nname = \"cachex\"\nsize = 4\n[format]\n{format}\nopening-plies = 2\n{players}"
    ));
    run.referee("report out --figures figures").ok();
    run
}

fn search(name: &str, nodes: &str) -> String {
    format!(
        "[[player]]\nname = \"{name}\"\nhouse = \"search\"\nargs = [\"--nodes\", \"{nodes}\"]\n"
    )
}

fn figure(run: &TestRun, name: &str) -> Table {
    rows(&run.path(&format!("figures/{name}.csv")))
}

fn has_figure(run: &TestRun, name: &str) -> bool {
    Path::new(&run.path(&format!("figures/{name}.csv"))).exists()
}

/// The points of a player in each pair, doubled, in the order of the pairs.
fn pairs_of(run: &TestRun, player: &str) -> Vec<usize> {
    let mut pairs: BTreeMap<u64, f64> = BTreeMap::new();
    for row in run.rows() {
        let first = number(&row["first_points"]);
        let own = if row["first"] == player {
            first
        } else {
            1.0 - first
        };
        let pair = row["block"].parse().expect("a number");
        *pairs.entry(pair).or_default() += own;
    }
    let points = pairs.values();
    points.map(|points| (2.0 * points) as usize).collect()
}

/// The columns of an estimate in a figure, and those in a table.
const ESTIMATE: [(&str, &str); 3] = [("low", "elo_low"), ("Elo", "elo"), ("high", "elo_high")];

const TEST: &str = "kind = \"sprt\"\nchallengers = [\"new\"]\nelo0 = 0\nelo1 = 5\nmax-games = 40";

#[test]
#[ignore = "slow"]
fn the_ratio_is_that_of_each_prefix_and_ends_as_in_the_verdict_on_pages_that_fit_every_screen() {
    let run = figures(TEST, &(search("new", "60") + &search("old", "40")));
    let found = figure(&run, "cachex-llr");
    let verdict = &run.table("verdict.csv")[0];
    let last = found.last().expect("rows");
    for (column, of_verdict) in [
        ("games", "games"),
        ("LLR", "llr"),
        ("low bound", "llr_low"),
        ("high bound", "llr_high"),
    ] {
        assert_eq!(last[column], verdict[of_verdict], "{column}");
    }
    let test = Sprt {
        elo0: 0.0,
        elo1: 5.0,
        alpha: number(&verdict["alpha"]),
        beta: number(&verdict["beta"]),
        model: EloModel::Logistic,
    };
    let mut games = MatchScore {
        pairs: [0; 5],
        singles: Tally::default(),
    };
    assert_eq!(
        (found[0]["games"].as_str(), found[0]["LLR"].as_str()),
        ("0", "0.0000")
    );
    for (row, points) in found[1..].iter().zip(pairs_of(&run, "new")) {
        games.pairs[points] += 1;
        assert!(
            (number(&row["LLR"]) - test.llr(&BlockScores::of_match(&games))).abs() < 1e-4,
            "{row:?}"
        );
    }
    assert_eq!(found.len(), 21);

    // The match of two, by its score.
    let elo = figure(&run, "cachex-elo-over-games");
    let of_match = &run.table("match.csv")[0];
    let last = elo.last().expect("rows");
    assert_eq!(last["player"], of_match["player"]);
    for (column, of_file) in ESTIMATE {
        assert_eq!(last[column], of_match[of_file], "{column}");
    }
    assert_fits(&run);
}

#[test]
fn ratings_over_the_games_are_those_of_the_games_so_far() {
    let players = search("a", "60") + &search("b", "30") + "[[player]]\nhouse = \"random\"\n";
    let run = figures("kind = \"round-robin\"\ngames-per-pairing = 6", &players);
    let found = figure(&run, "cachex-elo-over-games");
    let at = |games: &str, player: &str| {
        let mut found = found.iter();
        let row = found.find(|row| row["games"] == games && row["player"] == player);
        row.unwrap_or_else(|| panic!("no {player} after {games}"))
            .clone()
    };
    let compare = |games: &str, table: &Table| {
        assert_eq!(table.len(), 3);
        for expected in table {
            let row = at(games, &expected["player"]);
            for (column, of_file) in ESTIMATE {
                let is_equal = match expected[of_file].as_str() {
                    // The file leaves an infinite end out.
                    "" => row[column].ends_with('∞'),
                    number => row[column] == number,
                };
                assert!(is_equal, "{games}: {column} of {row:?} and {expected:?}");
            }
        }
    };
    compare("18", &run.table("ratings.csv"));
    // The first 12 games, as a file of their own.
    let journal = run.read("out/games.csv");
    let (header, body) = journal.split_once('\n').expect("a header");
    let id = |line: &&str| number(line.split(',').next().expect("an id"));
    let some: Vec<&str> = body.lines().filter(|line| id(line) < 12.0).collect();
    run.write("some.csv", &format!("{header}\n{}\n", some.join("\n")));
    let rated = run.referee("rate some.csv --table ratings --format csv");
    run.write("rated.csv", &rated.stdout);
    compare("12", &rows(&run.path("rated.csv")));
    assert!(!has_figure(&run, "cachex-llr"), "three players, no test");
}

/// Whether the figures against a grid's parameters have the ratings of the variants, in the order of the parameters.
fn assert_of_ratings(run: &TestRun, found: &Table) {
    let ratings = run.table("ratings.csv");
    for row in found {
        let mut ratings = ratings.iter();
        let rating = ratings
            .find(|it| it["player"] == row["player"])
            .expect("a rating");
        for (column, of_file) in ESTIMATE {
            assert_eq!(row[column], rating[of_file], "{row:?}");
        }
    }
}

#[test]
fn a_grid_of_one_parameter_is_a_line_of_the_ratings() {
    let players = "[[player]]\nname = \"base\"\nhouse = \"random\"\n".to_owned()
        + &search("with-{nodes}", "{nodes}")
        + "[player.grid]\nnodes = [200, 9, 30]\n";
    let run = figures("kind = \"round-robin\"\ngames-per-pairing = 2", &players);
    let found = figure(&run, "cachex-elo-by-nodes");
    let nodes: Vec<&str> = found.iter().map(|row| row["nodes"].as_str()).collect();
    assert_eq!(nodes, ["9", "30", "200"]);
    let names: Vec<&str> = found.iter().map(|row| row["player"].as_str()).collect();
    assert_eq!(names, ["with-9", "with-30", "with-200"]);
    assert_of_ratings(&run, &found);
    let picture = run.read("figures/cachex-elo-by-nodes.svg");
    assert_has!(picture, "The scale of the parameter is logarithmic.");
    assert_eq!(picture.matches("class=\"line dot mark\"").count(), 3);
}

#[test]
fn a_grid_of_two_parameters_has_a_cell_for_each_variant() {
    let players = "[[player]]\nname = \"{nodes}-{kind}\"\nhouse = \"{kind}\"\nargs = [\"--nodes\", \"{nodes}\"]\n\
                   [player.grid]\nnodes = [9, 30, 100]\nkind = [\"search\", \"greedy\"]\n";
    let run = figures("kind = \"round-robin\"\ngames-per-pairing = 2", players);
    let found = figure(&run, "cachex-elo-by-kind-and-nodes");
    let cells: Vec<[&str; 2]> = found
        .iter()
        .map(|row| [row["kind"].as_str(), row["nodes"].as_str()])
        .collect();
    let expected = ["search", "greedy"].map(|kind| ["9", "30", "100"].map(|nodes| [kind, nodes]));
    let mut sorted = cells.clone();
    sorted.sort_unstable();
    let mut all = expected.concat();
    all.sort_unstable();
    assert_eq!(sorted, all);
    assert_of_ratings(&run, &found);
    let picture = run.read("figures/cachex-elo-by-kind-and-nodes.svg");
    // Each cell has its tooltip; the others are the ground and the legend.
    assert_eq!(picture.matches("</title></rect>").count(), 6, "{picture}");
}

/// `kind` and `nodes` change how a player plays, `copy` changes nothing.
const GRID: &str = "[[player]]\nname = \"{nodes}-{kind}-{copy}\"\nhouse = \"{kind}\"\nargs = [\"--nodes\", \"{nodes}\"]\n\
                    env = { COPY = \"{copy}\" }\n[player.grid]\nnodes = [9, 30]\nkind = [\"search\", \"greedy\"]\ncopy = [\"a\", \"b\"]\n";

#[test]
fn a_grid_of_three_parameters_has_a_mean_for_each_value() {
    let run = figures("kind = \"round-robin\"\ngames-per-pairing = 2", GRID);
    let ratings = run.table("ratings.csv");
    for (parameter, place, values) in [
        ("nodes", 0, ["9", "30"]),
        ("kind", 1, ["search", "greedy"]),
        ("copy", 2, ["a", "b"]),
    ] {
        let found = figure(&run, &format!("cachex-elo-by-{parameter}"));
        let own: Vec<&str> = found.iter().map(|row| row[parameter].as_str()).collect();
        assert_eq!(own, values);
        for row in found {
            let with = ratings.iter().filter(|rating| {
                rating["player"].split('-').nth(place) == Some(row[parameter].as_str())
            });
            let elo: Vec<f64> = with.map(|rating| number(&rating["elo"])).collect();
            assert_eq!(row["variants"], elo.len().to_string());
            let expected = [
                elo.iter().sum::<f64>() / elo.len() as f64,
                elo.iter().copied().fold(f64::INFINITY, f64::min),
                elo.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ];
            for (column, expected) in ["mean Elo", "lowest", "highest"].into_iter().zip(expected) {
                assert!(
                    (number(&row[column]) - expected).abs() < 0.11,
                    "{column}: {row:?}, {expected}"
                );
            }
        }
    }
}

#[test]
fn reported_values_are_means_of_the_logs() {
    // It reports the number of its answer as `count`.
    let report = "# value count %d\\n# value depth 4\\n# value nodes 900\\n# value time 3\\n";
    let counting = format!(
        "'{REFEREE}' bot random | while read -r line; do case \"$line\" in bot*|ready*) ;; \
         *) n=$((n+1)); printf '{report}' \"$n\";; esac; printf '%s\\n' \"$line\"; done"
    );
    let players = format!(
        "[[player]]\nname = \"one\"\nshell = '''\n{counting}'''\n[[player]]\nhouse = \"random\"\n"
    );
    let run = figures("kind = \"round-robin\"\ngames-per-pairing = 6", &players);
    let found = figure(&run, "cachex-count-over-games");
    let mut expected = Vec::new();
    for (game, row) in run.rows().iter().enumerate() {
        let seat = if row["first"] == "one" { 0 } else { 1 };
        let seat = referee::game::cachex::GAME.seat_names()[seat];
        let plies = run.plies(game);
        let own = plies
            .iter()
            .filter(|ply| ply["seat"] == seat && !ply["values"].is_empty());
        let counts = own.map(|ply| {
            let count = ply["values"]
                .split(' ')
                .find_map(|value| value.strip_prefix("count="));
            number(count.expect("a count"))
        });
        let counts: Vec<f64> = counts.collect();
        expected.push(counts.iter().sum::<f64>() / counts.len() as f64);
    }
    assert_eq!(found.len(), 6);
    for (row, expected) in found.iter().zip(&expected) {
        assert_eq!(row["player"], "one");
        assert!(
            (number(&row["count"]) - expected).abs() < 0.06,
            "{row:?}: {expected}"
        );
    }
    let depth = figure(&run, "cachex-depth-over-games");
    assert!(depth.iter().all(|row| row["depth"] == "4"), "{depth:?}");
    let speed = figure(&run, "cachex-nodes-per-second-over-games");
    assert!(
        speed.iter().all(|row| row["nodes per second"] == "300k"),
        "{speed:?}"
    );
    assert!(!has_figure(&run, "cachex-time-over-games"));
}

/// The pages of such a test fit every screen, and nobody is shut out of them.
fn assert_fits(run: &TestRun) {
    let mut browser = needed!(Browser::start());
    let mut page = browser.open(&run.path("out/report/index.html"), "", PHONE);
    for (size, dark) in [(PHONE, false), ([1280, 900], true), ([1920, 900], false)] {
        page.resize(size);
        page.show_as(false, dark);
        page.assert_fits("the page");
        // A line is as wide as its plot, and each label is in its chart.
        let outside = "[...document.querySelectorAll('figure.chart > .plot > svg')].flatMap(chart => { \
             const room = chart.getBoundingClientRect(); \
             return [...chart.querySelectorAll('text, polyline, polygon')].filter(shape => { \
             const own = shape.getBoundingClientRect(); \
             return own.left < room.left - 1 || own.right > room.right + 1 || own.bottom > room.bottom + 1; \
             }).map(shape => chart.getAttribute('aria-label') + ': ' + shape.outerHTML); })";
        assert_eq!(page.evaluate(outside), serde_json::json!([]), "{size:?}");
        let lines = "[...document.querySelectorAll('polyline')].filter(line => \
             line.getBoundingClientRect().width > 0.7 * line.closest('.plot').clientWidth).length";
        assert_eq!(page.evaluate(lines), 4, "LLR, two bounds, Elo");
    }
    assert_eq!(page.barriers(), [""; 0]);
}
