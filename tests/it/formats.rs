//! Every tournament format with house bots: any number of jobs plays the same games, and `referee verify`
//! finds the records correct.

use std::collections::BTreeSet;

use crate::support::content::content;
use crate::support::{OPENINGS, TestRun, all_combinations};

/// Two games among five house bots whose play does not depend on the clock.
fn config(format: &str) -> String {
    let openings = match format {
        WITH_OPENINGS => format!("openings = {OPENINGS:?}\n"),
        _ => String::new(),
    };
    format!(
        "seed = 4\n[[game]]\nname = \"cachex\"\nsize = 4\n{openings}\
         [[game]]\nname = \"dark-chess\"\nmax-plies = 30\n\
         [format]\nkind = {format}\nopening-plies = 1\n\
         [[player]]\nname = \"n{{nodes}}\"\nhouse = \"greedy\"\nargs = [\"--nodes\", \"{{nodes}}\"]\n\
         [player.grid]\nnodes = [1, 5, 20, 40, 80]\n"
    )
}

/// Keys of the format, how many games are played where that does not depend on the results, and words at the end of the
/// output.
type Case = (&'static str, Option<usize>, &'static str);

const CASES: [Case; 8] = [
    (WITH_OPENINGS, Some(80), ""),
    ("\"round-robin\"\ngames-per-pairing = 3", Some(60), ""),
    (GAUNTLET, Some(24), ""),
    (LIST, Some(12), ""),
    (SWISS, Some(24), "cachex: final order: "),
    (KNOCKOUT, None, " wins the tournament"),
    (SPRT, None, "dark-chess: the test of n80: "),
    (ADAPTIVE, None, "(chance of error: at most 40 % for one"),
];

const GAUNTLET: &str = "\"gauntlet\"\nchallengers = [\"n5\", \"n40\"]\ngames-per-pairing = 2";
const LIST: &str = "\"list\"\npairings = [[\"n5\", \"n1\"], [\"n80\", \"n20\"], [\"n5\", \"n40\"]]";
const SWISS: &str = "\"swiss\"\nrounds = 3\ngames-per-pairing = 2";
const KNOCKOUT: &str = "\"knockout\"\ngames-per-pairing = 2";
const SPRT: &str = "\"sprt\"\nchallengers = [\"n80\"]\nelo0 = 0\nelo1 = 60\nmax-games = 40";
const ADAPTIVE: &str = "\"adaptive\"\nconfidence = 0.6\nmax-games = 60";

/// Cachex has a file of openings here.
const WITH_OPENINGS: &str = "\"round-robin\"\ngames-per-pairing = 4";

#[test]
#[ignore = "slow"]
fn any_number_of_jobs_plays_the_same_games_in_every_format() {
    for (format, games_of_case, words) in CASES {
        let jobs = &["1", "8", "2"][..2 + usize::from(all_combinations())];
        let runs = jobs.iter().map(|jobs| {
            let run = TestRun::new(&config(format));
            let said = run.play(&["-j", jobs]);
            assert_has!(said, words);
            run
        });
        let runs: Vec<TestRun> = runs.collect();
        let (alone, others) = runs.split_first().expect("runs");
        let games = alone.rows().len();
        assert_eq!(games_of_case.unwrap_or(games), games, "{format}");
        for other in others {
            let same = content(&alone.out()) == content(&other.out());
            assert!(same, "{format}");
        }
        let verified = alone.referee("verify out").ok();
        assert!(verified.ends_with(" are as recorded\n"), "{verified}");
        let format = format.replace('\n', ", ");
        println!(
            "-j {} play the same {games} games: {format}",
            jobs.join(" and ")
        );
    }
}

#[test]
fn both_games_of_a_pair_have_the_same_opening_of_the_file() {
    let run = TestRun::played(&config(WITH_OPENINGS));
    let file = std::fs::read_to_string(OPENINGS).expect("text");
    let lines: Vec<Vec<&str>> = file
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .map(|line| line.split_whitespace().collect())
        .filter(|line: &Vec<&str>| !line.is_empty())
        .collect();
    let mut used = BTreeSet::new();
    let rows = run.rows();
    let pairs = rows.chunks(2).filter(|pair| pair[0]["game"] == "cachex");
    for pair in pairs {
        let openings = [0, 1].map(|index| {
            let plies = run.plies(pair[index]["id"].parse().expect("a number"));
            let opening = plies.iter().take_while(|ply| ply["wall_us"].is_empty());
            opening.map(|ply| ply["action"].clone()).collect::<Vec<_>>()
        });
        assert_eq!(openings[0], openings[1]);
        let is_there = lines.iter().any(|line| *line == openings[0]);
        assert!(is_there, "{openings:?}");
        used.insert(openings[0].clone());
    }
    assert!(used.len() > 2, "{used:?}");
    // The openings are kept with the run, and the manifest has their digest.
    run.write("out/openings-cachex.txt", "a1\n");
    let ran = run.referee("verify out");
    ran.fails(5, "not the openings whose digest");
}
