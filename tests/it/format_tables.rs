//! What formats decide, in files: places, verdicts, rounds; and the columns and tables to compute with.

use std::collections::BTreeMap;

use referee::game::BUILT_IN;
use referee::report::write_tables;
use referee::runs::Run;

use crate::support::config::{GREEDY, RANDOM, greedy, shell, small_cachex};
use crate::support::{TestRun, column, columns, number};

fn config(format: &str) -> String {
    let players = greedy(&[("n1", 1), ("n5", 5), ("n20", 20), ("n40", 40), ("n80", 80)]);
    format!(
        "seed = 4\n[game]\nname = \"cachex\"\nsize = 4\n[format]\n{format}\nopening-plies = 2\n{players}"
    )
}

const OF_ONE_FORMAT: &str = "points bye_points buchholz last_round next difference_low difference difference_high \
    corrected_elo_low corrected_elo corrected_elo_high";

const SWISS: &str = "kind = \"swiss\"\nrounds = 3\ngames-per-pairing = 2";
const ADAPTIVE: &str = "kind = \"adaptive\"\nconfidence = 0.6\nmax-games = 60";

/// A format, the line at its end, and the columns of places.csv that have values.
const PLACED: [[&str; 3]; 3] = [
    [
        SWISS,
        "final order: ",
        "points bye_points buchholz corrected_elo_low corrected_elo corrected_elo_high",
    ],
    [
        "kind = \"knockout\"\ngames-per-pairing = 2",
        " wins the tournament; places: ",
        "last_round corrected_elo_low corrected_elo corrected_elo_high",
    ],
    [
        ADAPTIVE,
        "final order: ",
        "next difference_low difference difference_high",
    ],
];

#[test]
#[ignore = "slow"]
fn places_are_the_order_that_the_format_has_at_its_end_and_tables_those_of_its_games() {
    for [format, said, filled] in PLACED {
        let filled: Vec<&str> = filled.split(' ').collect();
        let run = TestRun::new(&config(format));
        let text = run.play(&["-j", "2"]).replace('\n', " ");
        let places = run.table("places.csv");
        let order = text.split(said).nth(1).expect("an order");
        let order = order.split([';', '(', ' ']);
        let order = order.filter(|word| word.starts_with('n')).take(5);
        let order: Vec<&str> = order.map(|word| word.trim_end_matches(',')).collect();
        assert_eq!(column(&places, "player"), order, "{format}: {text}");
        let numbers = column(&places, "place");
        let numbers: Vec<f64> = numbers.iter().map(|it| number(it)).collect();
        let is_order = numbers[0] == 1.0 && numbers.is_sorted();
        assert!(is_order, "{format}: {numbers:?}");
        for name in OF_ONE_FORMAT.split(' ') {
            let some = column(&places, name).iter().any(|cell| !cell.is_empty());
            assert_eq!(some, filled.contains(&name), "{format}: {name}");
        }
        if filled.contains(&"corrected_elo") {
            let note = run.referee("rate out/games.csv --table ratings").stderr;
            assert!(note.contains("`corrected_elo` in places.csv"), "{note}");
            rated_again(&run);
        }
        run.referee("verify out").ok();
        match format {
            SWISS => {
                the_points_of_a_swiss_tournament_are_those_of_the_games_and_of_byes(&run, &text);
                tables_that_are_no_longer_true_go_away(&run);
            }
            ADAPTIVE => the_index_has_the_final_order_once_it_is_known(&run),
            _ => {}
        }
    }
}

fn the_points_of_a_swiss_tournament_are_those_of_the_games_and_of_byes(run: &TestRun, text: &str) {
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    let places = run.table("places.csv");
    let byes = column(&places, "bye_points");
    let byes: f64 = byes.iter().map(|it| number(it)).sum();
    assert_eq!(byes, 3.0 * 2.0, "a bye in each round, of two games");
    let standings = run.table("standings.csv");
    for row in &places {
        let played = standings.iter().find(|it| it["player"] == row["player"]);
        let played = number(&played.expect("plays")["points"]);
        assert_eq!(number(&row["points"]), played + number(&row["bye_points"]));
    }
    for [a, b] in places.array_windows() {
        let [higher, lower] = [a, b].map(|row| [number(&row["points"]), number(&row["buchholz"])]);
        assert!(higher >= lower);
        assert_eq!(higher == lower, a["place"] == b["place"]);
    }
    // All pairings from the journal, and a bye as an opponent with the player's own points.
    let points = |player: &str| {
        let row = places.iter().find(|row| row["player"] == player);
        number(&row.expect("placed")["points"])
    };
    for row in &places {
        let player = row["player"].as_str();
        let opponents = run.games().into_iter().filter_map(|game| {
            match game.names().pair().expect("two seats") {
                [one, other] if one == player => Some(points(other)),
                [one, other] if other == player => Some(points(one)),
                _ => None,
            }
        });
        // Both games of a pairing are there.
        let met: f64 = opponents.sum::<f64>() / 2.0;
        let byes = number(&row["bye_points"]) / 2.0;
        let found = number(&row["buchholz"]);
        assert_eq!(found, met + byes * points(player), "{player}");
        let said = format!("{player} ({}", row["points"]);
        assert!(text.contains(&said), "{said} in {text}");
    }
}

/// Rating a run gives the tables of its folder.
fn rated_again(run: &TestRun) {
    for table in ["ratings", "standings", "crosstable", "superiority"] {
        let line = format!("rate out --format csv --table {table}");
        let file = run.read(&format!("out/{table}.csv"));
        assert_eq!(run.referee(&line).stdout, file, "{table}");
    }
}

#[test]
fn a_tournament_without_an_order_of_its_own_has_no_places() {
    let run = TestRun::played(&format!(
        "seed = 4\n[game]\nname = \"dark-chess\"\nmax-plies = 60\n[format]\nkind = \"round-robin\"\n\
         games-per-pairing = 2\n{RANDOM}{GREEDY}"
    ));
    rated_again(&run);
    for file in ["places.csv", "verdict.csv"] {
        assert!(!run.out().join(file).exists(), "{file}");
    }
}

const SPRT: &str = "kind = \"sprt\"\nchallengers = [\"n80\"]\nelo0 = 0\nelo1 = 60\nmax-games = 40";

#[test]
fn the_verdict_of_a_test_is_in_a_file_and_on_the_screen() {
    let two = greedy(&[("n1", 1), ("n80", 80)]);
    let config = format!(
        "seed = 4\n[game]\nname = \"cachex\"\nsize = 4\n[format]\n{SPRT}\nopening-plies = 2\n{two}"
    );
    let run = TestRun::new(&config);
    let text = run.play(&["-j", "2", "--verbose"]).replace('\n', " ");
    let verdict = &run.table("verdict.csv")[0];
    let pairs = "pairs_0 pairs_half pairs_1 pairs_1_half pairs_2".split(' ');
    let counted: f64 = pairs.map(|pairs| number(&verdict[pairs])).sum();
    assert_eq!(verdict["games"], (2.0 * counted).to_string());
    assert_eq!([&verdict["player"], &verdict["elo1"]], ["n80", "60"]);
    let [llr, low, high] = ["llr", "llr_low", "llr_high"].map(|it| number(&verdict[it]));
    let expected = match verdict["verdict"].as_str() {
        "elo0" => llr <= low,
        "elo1" => llr >= high,
        "undecided" => low < llr && llr < high,
        _ => false,
    };
    assert!(expected, "{verdict:?}");
    let is_decided = verdict["verdict"] != "undecided";
    assert_eq!(verdict["ended_by"] == "bound", is_decided, "{verdict:?}");
    // Every pair counts, so both tables have the same estimate, or none where all pairs brought the same.
    let of_match = &run.table("match.csv")[0];
    assert_eq!(of_match["corrected_elo"], verdict["elo"]);
    assert_eq!(text.contains("Corrected Elo: "), !verdict["elo"].is_empty());
    assert!(text.contains("! The run has a test, which"), "{text}");
    let words = format!("LLR {llr:.2}, bounds {low:.2} and {high:.2}, after {counted} game pair");
    assert_has!(text, &words);
    // The other formula is that of all games, everywhere.
    let all = format!("{:.2}", number(&verdict["llr_all"]));
    assert_eq!(run.table("match.csv")[0]["llr"], all);
    let rated = rated(&run).replace('\n', " ");
    assert!(rated.contains(&format!("LLR {all}, bounds")), "{rated}");
    run.referee("verify out").ok();
}

/// What `rate` prints of the test of `n80`. It says that the run has one.
fn rated(run: &TestRun) -> String {
    let ran = run.referee("rate out --sprt n80,0,60").done();
    let note = "note: out: The run has a test, which could end the games";
    assert!(ran.stderr.starts_with(note), "{ran:?}");
    ran.stdout
}

/// The formats, and the greatest number of games in a round of five players.
const ROUNDS: [(&str, Option<usize>); 4] = [
    ("kind = \"round-robin\"\ngames-per-pairing = 4", Some(4)),
    (GAUNTLET, Some(4)),
    (SWISS, Some(4)),
    (SPRT, None),
];
const GAUNTLET: &str =
    "kind = \"gauntlet\"\nchallengers = [\"n5\", \"n40\"]\ngames-per-pairing = 2";

#[test]
#[ignore = "slow"]
fn the_journal_has_rounds_openings_and_seeds() {
    for (format, in_a_round) in ROUNDS {
        let run = TestRun::played(&config(format));
        if format == SPRT {
            // Against several opponents, too, it has one ratio.
            let all = number(&run.table("verdict.csv")[0]["llr_all"]);
            let words = format!("LLR {all:.2}, bounds");
            assert_has!(rated(&run).replace('\n', " "), &words);
        }
        let rows = run.rows();
        let mut rounds: BTreeMap<&str, Vec<&BTreeMap<String, String>>> = BTreeMap::new();
        for row in &rows {
            rounds.entry(&row["round"]).or_default().push(row);
        }
        match in_a_round {
            None => assert_eq!(rounds.keys().collect::<Vec<_>>(), [&""], "{format}"),
            Some(games) => {
                let mut sizes = rounds.values().map(Vec::len);
                assert!(sizes.all(|size| size == games), "{format}");
                let mut numbers = (1..=rounds.len()).map(|round| round.to_string());
                assert!(numbers.all(|round| rounds.contains_key(round.as_str())));
            }
        }
        for pair in rows.chunks(2) {
            for column in ["opening", "first_seed", "second_seed"] {
                assert_eq!(pair[0][column], pair[1][column], "both begin alike");
            }
            let plies = run.plies(pair[0]["id"].parse().expect("a number"));
            assert_eq!(pair[0]["opening"], column(&plies, "action")[..2].join(" "));
            let seeds = ["first_seed", "second_seed"].map(|it| pair[0][it].parse::<u64>());
            assert!(seeds.iter().all(Result::is_ok) && seeds[0] != seeds[1]);
        }
    }
}

#[test]
fn a_row_with_another_start_is_noticed() {
    let run = TestRun::played_in_order(&config(ROUNDS[0].0));
    let journal = run.read("out/games.csv");
    let last = journal.lines().last().expect("a row");
    let fields: Vec<&str> = last.split(',').collect();
    let [.., round, opening, first, second] = fields[..] else {
        panic!("{last}");
    };
    for (column, value, said) in [
        (0, "1", "round 1, block "),
        (1, "a1 b1", "`opening` is `a1 b1`, and should be `"),
        (2, "7", "`first_seed` is `7`, and should be `"),
    ] {
        let mut start = [round, opening, first, second];
        start[column] = value;
        let end = format!("{round},{opening},{first},{second}\n");
        let forged = journal.replace(&end, &(start.join(",") + "\n"));
        assert_ne!(forged, journal);
        run.write("out/games.csv", &forged);
        run.referee("verify out").fails(1, said);
    }
}

#[test]
fn players_have_what_they_run_and_their_grid_in_columns() {
    let grid = "[[player]]\nname = \"s{nodes}-{args}\"\nhouse = \"search\"\nargs = [\"--nodes\", \"{nodes}\"]\n\
                env = { A = \"{args}\" }\n[player.grid]\nnodes = [5, 10]\nargs = [\"x\"]\n";
    let run = TestRun::played(&small_cachex(2, &[RANDOM, grid, &shell("ada", "exit 1")]));
    let players = run.table("players.csv");
    for row in [
        "player | random,s5-x,s10-x,ada",
        "house | random,search,search,",
        "args | ,--nodes 5,--nodes 10,",
        "command | ,,,sh -c 'exit 1'",
        "nodes | ,5,10,",
        "grid_args | ,x,x,",
    ] {
        let [name, cells] = columns(row);
        assert_eq!(column(&players, name).join(","), cells, "{name}");
    }
    let digests = column(&players, "digest");
    assert!(digests.iter().all(|it| it.starts_with("sha256:")));
    // The grid says nothing that the rest of an entry does not say.
    let manifest = run.read("out/manifest.toml").replace("args = \"x\"\n", "");
    run.write("out/manifest.toml", &manifest);
    run.play(&["--resume"]);
}

/// As where a run goes on without games that it had, and is stopped before its end.
fn tables_that_are_no_longer_true_go_away(test: &TestRun) {
    let run = Run::open(&test.out(), BUILT_IN).expect("a run");
    assert!(test.path("out/places.csv").exists());
    write_tables(&run, &[], &[]).expect("written");
    assert!(!test.path("out/places.csv").exists());
}

fn the_index_has_the_final_order_once_it_is_known(run: &TestRun) {
    run.referee("report out").ok();
    let index = run.read("out/report/index.html");
    let places = run.table("places.csv");
    for row in &places {
        let apart = format!("<td class=\"name\">{}</td>", row["next"]);
        assert!(row["next"].is_empty() || index.contains(&apart), "{apart}");
        for column in ["difference_low", "difference", "difference_high"] {
            let cell = format!(">{}</td>", row[column]);
            assert!(row[column].is_empty() || index.contains(&cell), "{cell}");
        }
    }
    assert!(index.contains(&format!("final order: {}, ", places[0]["player"])));
    assert!(index.contains("between neighbours in the final order above"));

    // As after a kill in the middle.
    run.keep_games(20);
    std::fs::remove_file(run.path("out/run.sha256")).expect("it is there");
    run.referee("report out").ok();
    let index = run.read("out/report/index.html");
    assert!(index.contains("Not decided: the tournament is not over."));
    assert!(!index.contains("final order: "), "{index}");
}
