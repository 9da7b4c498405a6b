//! Tournaments of games whose rules are a program.

use std::process::Command;

use referee::game::Chance as _;
use referee::random::Stream;

use crate::support::content::content;
use crate::support::kills::Killer;
use crate::support::program::{REFEREE, root};
use crate::support::python::python;
use crate::support::run::TestRun;
use crate::support::tables::{Table, rows};

/// A column of a table.
fn column(table: &Table, name: &str) -> Vec<String> {
    table.iter().map(|row| row[name].clone()).collect()
}

/// A round robin of house bots in the game of this table.
fn tournament(game: &str, games_per_pairing: u32) -> String {
    let random = |name: &str| format!("[[player]]\nname = \"{name}\"\nhouse = \"random\"\n");
    let players = ["a", "b", "c"].map(random).concat();
    format!(
        "seed = 5\n[game]\n{game}\n[format]\nkind = \"round-robin\"\ngames-per-pairing = {games_per_pairing}\n\
         opening-plies = 2\n{players}"
    )
}

/// Cachex, which the program itself serves.
fn served_cachex(games_per_pairing: u32) -> String {
    let game = format!("rules = [\"{REFEREE}\", \"rules\", \"cachex\"]\nsize = 4");
    tournament(&game, games_per_pairing)
}

/// Rules in the shell: the hello, and then these answers to every request.
fn rules_in_shell(answers: &str) -> String {
    let hello = "game g 1\\\\nseats one two\\\\nhas legal\\\\nok\\\\n";
    let script = format!("read line; printf '{hello}'; while read line; do {answers}; done");
    tournament(&format!("rules = [\"sh\", \"-c\", \"{script}\"]"), 2)
}

/// Connect Four in a folder of its own; `None` where there is no Python.
fn connect_four() -> Option<TestRun> {
    python()?;
    let game = "rules = [\"python3\", \"connect_four.py\"]\ndir = \"rules\"\nwidth = 5";
    let run = TestRun::new(&tournament(game, 4));
    std::fs::create_dir(run.path("rules")).expect("made");
    run.write("rules/connect_four.py", &example());
    Some(run)
}

fn example() -> String {
    std::fs::read_to_string(root().join("examples/rules/connect_four.py")).expect("text")
}

#[test]
fn a_game_of_a_program_is_played_recorded_and_verified_like_a_built_in_one() {
    let run = TestRun::played(&served_cachex(4));
    let verified = run.referee("verify out").ok();
    assert!(verified.contains("12 games"), "{verified}");
    let rows = run.rows();
    assert_eq!(column(&rows, "game"), vec!["cachex"; 12]);
    for answers in column(&rows, "answers") {
        assert_eq!(answers.len(), 16, "{answers}");
    }
    let [plies, log] = [column(&rows, "plies"), column(&run.plies(0), "answers")];
    assert_eq!(plies[0], log.len().to_string());
    assert_eq!(column(&rows, "answers")[0], log[log.len() - 1]);
    let shown = run.referee("replay out 0").ok();
    assert!(
        shown.contains("red wins") || shown.contains("blue wins"),
        "{shown}"
    );
    let rated = run.referee("rate out").ok();
    assert!(rated.contains("cachex: 12 games"), "{rated}");
}

#[test]
fn a_killed_run_goes_on_to_the_games_of_one_that_was_not() {
    let whole = TestRun::played(&served_cachex(4));
    let run = TestRun::new(&served_cachex(4));
    let mut killer = Killer::new(Stream::new(7, 7), 6);
    while !killer.is_done() {
        if run.out().exists() {
            std::fs::remove_dir_all(run.out()).expect("removed");
        }
        killer.run_to_the_end(20..400, &mut |chance| {
            let mut command = Command::new(REFEREE);
            let jobs = (1 + chance.below(2)).to_string();
            command.args(["run", "config.toml", "--out", "out", "--resume", "-q", "-j"]);
            command.arg(jobs).current_dir(run.folder());
            command
        });
        assert_eq!(content(&run.out()), content(&whole.out()));
        run.referee("verify out").ok();
    }
}

#[test]
fn shards_play_by_frozen_rules() {
    let Some(run) = connect_four() else {
        return;
    };
    run.referee("plan config.toml --out plan --shards 2 --sample 0")
        .ok();
    // The originals may change or go.
    std::fs::remove_dir_all(run.path("rules")).expect("removed");
    run.referee("work plan --quiet --any").ok();
    run.referee("merge plan").ok();
    let verified = run.referee("verify plan/run").ok();
    assert!(verified.contains("12 games"), "{verified}");
}

#[test]
fn verify_names_the_first_ply_that_changed_rules_answer_otherwise() {
    let Some(run) = connect_four() else {
        return;
    };
    run.play(&["-j", "1"]);
    run.referee("verify out").ok();
    let turn = "self.end or f\"";
    let changed = example().replace(turn, "self.end or f\"see * wind\\n");
    assert_ne!(changed, example());
    run.write("rules/connect_four.py", &changed);
    let told = run.referee("verify out");
    told.fails(1, "ply 1");
    told.fails(1, "the rules changed");
    // A run that is to go on notices it by the digest of the folder.
    run.run(&["--resume"]).fails(2, "rules-digest");
}

#[test]
fn rules_that_keep_failing_end_the_run_and_are_no_players_loss() {
    for (answers, words) in [
        ("exit 3", "exited with code 3"),
        ("echo ok", "`act` or `end` before `ok`"),
        ("echo 'oops: a bug' >&2; exit 1", "oops: a bug"),
        ("printf 'act 7\\\\nok\\\\n'", "act 7"),
    ] {
        let run = TestRun::new(&rules_in_shell(answers).replace("opening-plies = 2", ""));
        let ran = run.run(&["-j", "1", "-q"]);
        ran.fails(10, "the rules failed in 3 games in a row");
        ran.fails(10, words);
        assert_eq!(run.games().len(), 0, "{answers}");
        assert_eq!(
            column(&run.table("set-aside.csv"), "id").len(),
            3,
            "{answers}"
        );
    }
}

#[test]
fn what_a_program_cannot_do_is_said_before_the_first_game() {
    let without_legal = rules_in_shell("exit 1").replace("has legal", "has score");
    for (config, words) in [
        (without_legal.clone(), "do not list legal actions"),
        (
            without_legal.replace("opening-plies = 2", ""),
            "house bot random cannot play g",
        ),
        (
            served_cachex(2).replace("size = 4", "size = 99"),
            "`size` cannot be `99`",
        ),
        (
            served_cachex(2).replace("size = 4", "sizes = 4"),
            "an option of cachex",
        ),
        (
            served_cachex(2).replace("size = 4", "name = \"chess\""),
            "calls its game \"cachex\"",
        ),
        (
            served_cachex(2).replace("house = \"random\"", "house = \"greedy\""),
            "house bot greedy does not know cachex",
        ),
        (
            tournament("rules = [\"no-such-program\"]", 2),
            "there is no program `no-such-program`",
        ),
        (tournament("rules = \"sh\"", 2), "`rules` is no command"),
        (
            tournament("name = \"cachex\"\ndir = \".\"", 2),
            "`dir` goes with `rules` only",
        ),
        (
            rules_in_shell("exit 1").replace("seats one two", "seats a b c"),
            "a game for two seats",
        ),
    ] {
        let run = TestRun::new(&config);
        run.run(&["--check"]).fails(2, words);
    }
}

#[test]
fn a_game_that_has_no_end_is_a_draw() {
    let answers = "case $line in new*) printf 'act 0\\\\nok\\\\n';; legal*0) printf 'can 0 x\\\\nok\\\\n';; \
                   legal*) printf 'can 1 x\\\\nok\\\\n';; play*0*) printf 'act 1\\\\nok\\\\n';; play*) printf 'act \
                   0\\\\nok\\\\n';; show*) echo ok;; quit) exit;; esac";
    let run = TestRun::new(&format!(
        "{}[limits]\nplies = 12\n",
        rules_in_shell(answers)
    ));
    run.play(&["-j", "2"]);
    let rows = run.rows();
    assert_eq!(column(&rows, "reason"), vec!["max_plies"; 6]);
    assert_eq!(column(&rows, "plies"), vec!["12"; 6]);
    assert_eq!(column(&rows, "winner"), vec!["draw"; 6]);
    run.referee("verify out").ok();
}

#[test]
fn a_class_is_graded_in_a_game_of_a_program() {
    let Some(run) = connect_four() else {
        return;
    };
    let bot = std::fs::read_to_string(root().join("bots/eight-lines/bot.py")).expect("text");
    // It is told no actions, as the game offers none, and tries the columns one after another.
    let by_turns = bot.replace("random.choice(actions)", "random.randint(1, 5)");
    let wrong = bot.replace("random.choice(actions)", "99");
    let mut roster = String::from("id,name\n");
    for (student, text) in [
        ("s1", by_turns.as_str()),
        ("s2", "raise SystemExit(1)"),
        ("s3", wrong.as_str()),
        ("s4", by_turns.as_str()),
        ("s5", wrong.as_str()),
        ("s6", by_turns.as_str()),
    ] {
        let folder = format!("class/{student}");
        std::fs::create_dir_all(run.path(&folder)).expect("made");
        run.write(&format!("{folder}/bot.py"), text);
        roster.push_str(&format!("{student},{student}\n"));
    }
    run.write("roster.csv", &roster);
    run.write(
        "grade.toml",
        "[class]\nroster = \"roster.csv\"\nsubmissions = \"class\"\n[submission]\ncommand = [\"python3\", \"bot.py\"]\n\
         [game]\nrules = [\"python3\", \"connect_four.py\"]\ndir = \"rules\"\n[[test]]\nagainst = [\"random\"]\nmarks = 10\n",
    );
    run.referee("grade grade.toml --out marks --quiet").ok();
    let marks = rows(&run.path("marks/marks.csv"));
    let statuses = column(&marks, "status");
    assert_eq!(
        statuses,
        ["graded", "broken", "graded", "graded", "graded", "graded"]
    );
    run.referee("verify marks/feedback/s1/random").ok();
}
