//! Tunings as they are played, recorded, resumed and verified.

use crate::support::content::content;
use crate::support::{TestRun, columns};

const PLAYER: &str =
    "[[player]]\nname = \"bot\"\nhouse = \"greedy\"\nargs = [\"--nodes\", \"{nodes}\"]\n";
const NODES: &str = "[player.tune]\nnodes = { min = 1, max = 90, start = 2, scale = \"log\" }\n";

fn config(format: &str, player: &str) -> String {
    format!(
        "seed = 4\n[game]\nname = \"cachex\"\nsize = 4\n\
         [format]\nkind = \"tune\"\nopening-plies = 2\n{format}\n{player}"
    )
}

const SHORT: &str = "games = 48\ngames-per-iteration = 4\nlag = 2\nconfirm = 24";

#[test]
#[ignore = "slow"]
fn a_tuning_has_the_same_games_at_any_number_of_jobs_after_a_kill_and_in_shards_in_waves() {
    let config = config(SHORT, &format!("{PLAYER}{NODES}"));
    let run = TestRun::new(&config);
    let text = run.play(&["-j", "1"]).replace("\n  ", " ");
    assert!(text.contains("bot with nodes="), "{text}");
    assert!(text.contains("in the confirmation of 24 games"), "{text}");
    assert!(text.contains("matters"), "{text}");
    let whole = content(&run.out());
    let other = TestRun::new(&config);
    other.play(&["-j", "3"]);
    assert_eq!(content(&other.out()), whole);

    run.referee("plan config.toml --out plan --shards 2").ok();
    let mut waves = 0;
    while !run.path("plan/waves/end").exists() {
        assert_ne!(run.referee("lead plan --once").exit, 2);
        run.work(2);
        waves += 1;
        assert!(waves < 99);
    }
    run.referee("merge plan").ok();
    assert_eq!(content(&run.path("plan/run")), whole);
    run.referee("verify plan/run").ok();

    // Values that the results do not lead to are found.
    let values = &run.rows()[40]["second_values"];
    let journal = run.read("out/games.csv");
    let mut lines: Vec<String> = journal.lines().map(str::to_owned).collect();
    lines[41] = lines[41].replace(&format!(",{values}"), ",nodes=77");
    run.write("out/games.csv", &format!("{}\n", lines.join("\n")));
    let verified = run.referee("verify out");
    assert_ne!(verified.exit, 0);
    for said in ["game 40: ", "(nodes=77)", values] {
        assert_has!(verified.stderr, said);
    }

    // As after a kill: the journal is short, and the run has no digests.
    run.write("out/games.csv", &journal);
    run.keep_games(19);
    std::fs::remove_file(run.path("out/run.sha256")).expect("removed");
    run.play(&["-j", "2", "--resume"]);
    assert_eq!(content(&run.out()), whole);
    run.referee("verify out").ok();

    // The manifest is the configuration once more.
    run.referee("run out/manifest.toml --out again -j 2 --quiet")
        .ok();
    let again = run.read("again/parameters.csv");
    assert_eq!(again, run.read("out/parameters.csv"));

    let mut tried = run.table("games.csv").into_iter();
    assert!(tried.all(|row| row["first_values"].starts_with("nodes=")));
    assert_eq!(run.table("tune.csv").len(), 12);
    let parameters = run.table("parameters.csv");
    assert_eq!(parameters[0]["start"], "2");
    // The player found plays.
    let best = run.read("out/best.toml");
    let found = format!("\"--nodes\", \"{}\"", parameters[0]["best"]);
    assert!(best.contains(&found), "{best}: {found}");
    let with_best = TestRun::new(&format!(
        "[game]\nname = \"cachex\"\nsize = 4\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
         {best}[[player]]\nhouse = \"random\"\n"
    ));
    with_best.play(&["-j", "1"]);
}

#[test]
fn a_value_that_is_best_at_its_bound_is_told() {
    let terms = "games = 80\ngames-per-iteration = 4\nconfirm = 2";
    let range = "[player.tune]\nnodes = { min = 1, max = 6, start = 4 }\n";
    let run = TestRun::new(&config(terms, &format!("{PLAYER}{range}")));
    let text = run.play(&["-j", "2"]).replace('\n', " ");
    // The curve goes on between whole numbers.
    let page = run.read("out/report/index.html");
    assert_has!(page, ">1.25<");
    let words = "nodes is best at its max, 6: a wider range may have a better value";
    assert_has!(text, words);
}

/// Notes what it is told, and from which process, and plays the first move of a game of one each.
const TOLD: &str = r##"[[player]]
name = "bot"
shell = """
while read -r word a b rest; do case $word in
    referee) echo bot 1 told tunes ;;
    set) told="$a $b" ;;
    start) seat=$b; echo "# $$ $told"; echo ready ;;
    act) if [ $seat = white ]; then echo e2e4; else echo e7e5; fi ;;
esac; done
"""
speaks = "referee"
options = { skill = "{skill}" }
[player.tune]
skill = { min = 0, max = 9, start = 1 }
"##;

#[test]
fn a_bot_that_tunes_is_told_its_values_before_each_game_and_plays_on() {
    let run = TestRun::new(&format!(
        "seed = 4\n[game]\nname = \"chess\"\nadjudicate-max-moves = 1\n\
         [format]\nkind = \"tune\"\n{SHORT}\n{TOLD}"
    ));
    run.play(&["-j", "1"]);
    let mut processes = std::collections::BTreeSet::new();
    for row in run.table("games.csv") {
        for (seat, colour) in [("first", "white"), ("second", "black")] {
            let log = run.read(&format!("out/stderr/0000/{:0>6}-{colour}.log", row["id"]));
            let values = row[&format!("{seat}_values")].replace('=', " ");
            let said = log.lines().find(|line| line.ends_with(&values));
            let said = said.unwrap_or_else(|| panic!("{values}: {log}"));
            processes.extend(said.split(' ').nth(1).map(str::to_owned));
        }
    }
    // The four players of a tuning.
    assert_eq!(processes.len(), 4, "{processes:?}");
    assert_has!(run.read("out/best.toml"), "[player.options]\nskill = ");

    let silent = TOLD.replace(" tunes", "");
    let run = TestRun::new(&config(SHORT, &silent));
    run.play(&["-j", "1"]);
    let rows = run.table("games.csv");
    let words = "is told them by `set`, and says `tunes` after its name";
    assert_has!(rows[0]["first_detail"], words);
}

#[test]
fn errors_say_what_a_tuning_needs() {
    let other = "[[player]]\nhouse = \"random\"\n";
    let fixed = PLAYER.replace("{nodes}", "5") + other;
    let of_format = [
        "games = 8\nmethod = \"random\" | `method` cannot be `random`: expected one of `spsa`, `design`",
        "games = 8\nuntil-gain-left = 0 | `until-gain-left` cannot be 0",
        "games = 9 | `games` is 9: expected a multiple of 8",
        "games = 160008 | expected at most 20000 iterations",
        "games = 8\nconfirm = 3 | `confirm` is 3: expected a multiple of 2",
        "games = 8\nmax-games = 3 | `max-games` does not go with kind = \"tune\"",
    ];
    let of_table = [
        " | `tune` has no parameter",
        "node = { min = 1, max = 2, start = 1 } | `{nodes}` is not a parameter of `tune`: expected one of node",
        "nodes = 4 | `nodes` has no `start`: expected a table",
        "nodes = { min = 3, max = 2, start = 1 } | `min` is 3 and `max` 2",
        "nodes = { min = 1, max = 9, start = 10 } | `start` is 10: expected from 1 to 9",
        "nodes = { min = 0, max = 9, start = 1, scale = \"log\" } | expected more than 0",
        "nodes = { min = 1, max = 9, start = 1, step = 0 } | `step` is 0",
        "nodes = { min = 1, max = 9, start = 1, stop = 2 } | parameter `nodes`: ",
    ];
    let tuned = format!("{PLAYER}{NODES}");
    let two = format!("{tuned}{other}");
    let of = |players: &str| config("games = 8", players);
    let round_robin = of(&tuned).replace("\"tune\"", "\"round-robin\"");
    let mut wrong = vec![
        (of(&fixed), "needs one [[player]] with [player.tune]"),
        (of(&two), "expected one [[player]], with [player.tune]"),
        (round_robin, "`tune` is for tunings"),
    ];
    wrong.extend(of_format.map(|row| {
        let [format, said] = columns(row);
        (config(format, &tuned), said)
    }));
    wrong.extend(of_table.map(|row| {
        let [table, said] = columns(row);
        (of(&format!("{PLAYER}[player.tune]\n{table}\n")), said)
    }));
    for (config, said) in wrong {
        let ran = TestRun::new(&config).run(&["--check"]);
        assert_ne!(ran.exit, 0, "{config}");
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
    }
}
