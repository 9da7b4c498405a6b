//! Every form of tournament with house bots: any number of jobs plays the same games.

mod support {
    pub mod tables;
    pub mod tournament;
}

use support::tables::without_clocks;
use support::tournament::run;

/// Two games among five house bots whose play the clock does not reach.
fn config(format: &str) -> String {
    let mut text = format!(
        "seed = 4\n[[game]]\nname = \"cachex\"\nsize = 3\n\
         [[game]]\nname = \"dark-chess\"\nmax-plies = 30\n\
         [format]\n{format}\nopening-plies = 1\n"
    );
    for (name, nodes) in [("a", 1), ("b", 5), ("c", 20), ("d", 40), ("e", 80)] {
        text.push_str(&format!(
            "[[player]]\nname = \"{name}\"\nhouse = \"greedy\"\nargs = [\"--nodes\", \"{nodes}\"]\n"
        ));
    }
    text
}

/// What is under `[format]`, how many games that makes, and what is said at the end.
const FORMS: [(&str, Option<usize>, &str); 5] = [
    (
        "kind = \"gauntlet\"\nchallengers = [\"b\", \"d\"]\ngames-per-pairing = 2",
        Some(24),
        "",
    ),
    (
        "kind = \"swiss\"\nrounds = 3\ngames-per-pairing = 2",
        Some(24),
        "cachex: in order ",
    ),
    (
        "kind = \"knockout\"\ngames-per-pairing = 2",
        None,
        " wins the tournament",
    ),
    (
        "kind = \"ladder\"\nrounds = 3\ngames-per-pairing = 2",
        Some(24),
        "dark-chess: in order ",
    ),
    (
        "kind = \"sprt\"\nchallengers = [\"e\"]\nelo0 = 0\nelo1 = 60\nmax-games = 60",
        None,
        "dark-chess: the test of e is ",
    ),
];

#[test]
fn the_number_of_jobs_changes_nothing() {
    for (format, count, said) in FORMS {
        let (alone, together) = (run(&config(format), 1), run(&config(format), 3));
        let games = alone.games();
        if let Some(count) = count {
            assert_eq!(games.len(), count, "{format}");
        }
        for id in 0..games.len() {
            let plies = |run: &support::tournament::Run| without_clocks(run.plies(id));
            assert_eq!(plies(&alone), plies(&together), "{format}: game {id}");
        }
        assert_eq!(without_clocks(games), without_clocks(together.games()));
        for file in ["ratings.csv", "standings.csv", "crosstable.csv"] {
            assert_eq!(alone.text(file), together.text(file), "{format}: {file}");
        }
        assert!(alone.summary.contains(said), "{}", alone.summary);
    }
}
