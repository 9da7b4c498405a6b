//! Every form of tournament with house bots: any number of jobs plays the same games, and the records
//! are found true.

use crate::support::program::referee_reading;
use crate::support::tables::{Table, without_clocks};
use crate::support::tournament::{Run, run};

/// Two games among five house bots whose play the clock does not reach.
fn config(form: &Form) -> String {
    let mut text = format!(
        "seed = 4\n[[game]]\nname = \"cachex\"\nsize = 4\n{}\n\
         [[game]]\nname = \"dark-chess\"\nmax-plies = 30\n\
         [format]\n{}\nopening-plies = 1\n",
        form.openings, form.format
    );
    text.push_str(
        "[[player]]\nname = \"n{nodes}\"\nhouse = \"greedy\"\nargs = [\"--nodes\", \"{nodes}\"]\n\
         [player.grid]\nnodes = [1, 5, 20, 40, 80]\n",
    );
    text
}

/// A form of tournament.
struct Form {
    format: &'static str,
    /// What is under `[[game]]` besides, for Cachex.
    openings: &'static str,
    /// How many games that makes, where it does not depend on the results.
    games: Option<usize>,
    /// What is said at the end.
    said: &'static str,
}

const fn form(format: &'static str, games: Option<usize>, said: &'static str) -> Form {
    Form {
        format,
        openings: "",
        games,
        said,
    }
}

const FORMS: [Form; 8] = [
    form(
        "kind = \"round-robin\"\ngames-per-pairing = 3",
        Some(60),
        "",
    ),
    Form {
        openings: concat!(
            "openings = \"",
            env!("CARGO_MANIFEST_DIR"),
            "/tests/it/support/openings-4.txt\""
        ),
        ..form(
            "kind = \"round-robin\"\ngames-per-pairing = 4",
            Some(80),
            "",
        )
    },
    form(
        "kind = \"gauntlet\"\nchallengers = [\"n5\", \"n40\"]\ngames-per-pairing = 2",
        Some(24),
        "",
    ),
    form(
        "kind = \"swiss\"\nrounds = 3\ngames-per-pairing = 2",
        Some(24),
        "cachex: final order: ",
    ),
    form(
        "kind = \"knockout\"\ngames-per-pairing = 2",
        None,
        " wins the tournament",
    ),
    form(
        "kind = \"ladder\"\nrounds = 3\ngames-per-pairing = 2",
        Some(24),
        "dark-chess: final order: ",
    ),
    form(
        "kind = \"sprt\"\nchallengers = [\"n80\"]\nelo0 = 0\nelo1 = 60\nmax-games = 40",
        None,
        "dark-chess: the test of n80: ",
    ),
    form(
        "kind = \"adaptive\"\nconfidence = 0.6\nmax-games = 60",
        None,
        "; at 60 % confidence ",
    ),
];

/// The journal in the order of the games' numbers and the log of each game, without what the clock
/// decides.
fn content(run: &Run) -> (Table, Vec<Table>) {
    let games = run.games();
    let logs = (0..games.len()).map(|id| without_clocks(run.plies(id)));
    let logs = logs.collect();
    (without_clocks(games), logs)
}

#[test]
fn any_number_of_jobs_plays_the_same_games_in_every_format() {
    for form in &FORMS {
        let [alone, two, eight] = [1, 2, 8].map(|jobs| run(&config(form), jobs));
        let (games, logs) = content(&alone);
        if let Some(count) = form.games {
            assert_eq!(games.len(), count, "{}", form.format);
        }
        for other in [&two, &eight] {
            let (other_games, other_logs) = content(other);
            assert_eq!(games, other_games, "{}", form.format);
            for (id, (log, other)) in logs.iter().zip(&other_logs).enumerate() {
                assert_eq!(log, other, "{}: game {id}", form.format);
            }
            for file in ["ratings.csv", "standings.csv", "crosstable.csv"] {
                assert_eq!(alone.text(file), other.text(file), "{}", form.format);
            }
        }
        assert!(alone.summary.contains(form.said), "{}", alone.summary);
        let ran = referee_reading(b"", &["verify", alone.path().to_str().expect("text")]);
        assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{}", form.format);
        assert!(ran.stdout.ends_with(" are as recorded\n"), "{}", ran.stdout);
        println!(
            "-j 1, 2 and 8 play the same {} games: {}{}",
            games.len(),
            form.format.replace('\n', ", "),
            if form.openings.is_empty() {
                ""
            } else {
                ", openings from a file"
            }
        );
    }
}

#[test]
fn both_games_of_a_pair_have_the_same_opening_of_the_file() {
    let run = run(&config(&FORMS[1]), 2);
    let file = std::fs::read_to_string("tests/it/support/openings-4.txt").expect("text");
    let lines: Vec<Vec<&str>> = file
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .map(|line| line.split_whitespace().collect())
        .filter(|line: &Vec<&str>| !line.is_empty())
        .collect();
    let mut used = std::collections::BTreeSet::new();
    for pair in run
        .games()
        .chunks(2)
        .filter(|pair| pair[0]["game"] == "cachex")
    {
        let openings = [0, 1].map(|index| {
            let plies = run.plies(pair[index]["id"].parse().expect("a number"));
            let opening: Vec<String> = plies
                .iter()
                .take_while(|ply| ply["wall_us"].is_empty())
                .map(|ply| ply["action"].clone())
                .collect();
            opening
        });
        assert_eq!(openings[0], openings[1]);
        assert!(
            lines.iter().any(|line| *line == openings[0]),
            "{openings:?}"
        );
        used.insert(openings[0].clone());
    }
    assert!(used.len() > 2, "{used:?}");
    // They are kept with the run, and must be those whose digest the manifest has.
    let kept = run.path().join("openings-cachex.txt");
    std::fs::write(&kept, "a1\n").expect("written");
    let ran = referee_reading(b"", &["verify", run.path().to_str().expect("text")]);
    assert_eq!(ran.exit, 5);
    assert!(
        ran.stderr.contains("not the openings whose digest"),
        "{}",
        ran.stderr
    );
}
