//! Tournaments of games whose rules are a program.

use crate::support::config::shell;
use crate::support::python::python;
use crate::support::{
    REFEREE, Table, TestRun, column, columns, examples, files_below, randoms, root, rows, scripted,
};

/// A round robin of house bots in the game of this table.
fn tournament(game: &str, games_per_pairing: u32) -> String {
    let players = randoms(&["a", "b", "c"]);
    format!(
        "seed = 5\n[game]\n{game}\n[format]\nkind = \"round-robin\"\ngames-per-pairing = {games_per_pairing}\n\
         opening-plies = 2\n{players}"
    )
}

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
    run.write("rules/connect_four.py", &example());
    Some(run)
}

fn example() -> String {
    std::fs::read_to_string(examples().join("connect_four.py")).expect("text")
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
    assert_has!(shown, ") wins after ");
    let rated = run.referee("rate out").ok();
    assert_has!(rated, "cachex (rules program): 12 games");
}

#[test]
fn a_program_s_game_is_another_game_than_a_built_in_one_of_its_name() {
    let run = TestRun::played(&served_cachex(2));
    let built_in = TestRun::played(&tournament("name = \"cachex\"\nsize = 4", 4));
    built_in.write("of-the-program.csv", &run.read("out/games.csv"));
    let rated = |files: &str| {
        let ran = built_in.referee(&format!("rate {files} --format csv"));
        let lines = ran.stdout.lines().skip(1).map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{} {}", cells[0], cells[6])
        });
        (lines.collect::<Vec<_>>(), ran.stderr)
    };
    let apart = [vec!["cachex (rules program) 4"; 3], vec!["cachex 8"; 3]].concat();
    let apart: Vec<&str> = apart.into_iter().rev().collect();
    let out = run.out();
    let out = out.display();
    // By its manifest, and without one by the answers of the rules.
    for files in [format!("out {out}"), "of-the-program.csv out".to_owned()] {
        let (mut lines, stderr) = rated(&files);
        lines.sort();
        let mut expected = apart.clone();
        expected.sort_unstable();
        assert_eq!(lines, expected, "{files}");
        assert_eq!(stderr, "");
    }
    let both = rated(&format!("out {out} --game cachex")).0;
    assert_eq!(both.len(), 6);
    let alone = rated(&format!("out {out} --game 'cachex (rules program)'")).0;
    assert_eq!(alone, ["cachex (rules program) 4"; 3]);
    let page = run.read("out/report/index.html");
    assert!(page.contains("cachex (rules program)"));
}

/// A game of six plies that waits before its first answer to `play` until it has read all six, if WAITS is True.
const PATIENT: &str = include_str!("files/patient_rules.py");

#[test]
fn a_recorded_game_goes_to_its_rules_before_the_first_answer() {
    needed!(python());
    let game = "rules = [\"python3\", \"patient.py\"]\ndir = \"rules\"";
    let run = TestRun::new(&tournament(game, 2).replace("opening-plies = 2", ""));
    run.write("rules/patient.py", PATIENT);
    run.play(&["-j", "1"]);
    let shown = run.referee("replay out 0").ok();
    let page = run.referee("replay out 0 --html -").ok();
    let waits = PATIENT.replace("WAITS = False", "WAITS = True");
    run.write("rules/patient.py", &waits);
    assert_eq!(run.referee("replay out 0").ok(), shown);
    assert_eq!(run.referee("replay out 0 --html -").ok(), page);
    assert!(page.contains("ply 6 for all"), "{page}");
    run.referee("verify out").ok();
}

#[test]
fn random_plays_a_game_whose_actions_are_lines() {
    needed!(python());
    let game = "rules = [\"python3\", \"phrases.py\"]\ndir = \"rules\"";
    let run = TestRun::new(&tournament(game, 2));
    run.copy(&examples().join("game.py"), "rules/game.py");
    run.write(
        "rules/phrases.py",
        "from game import act, end, rules, serve
@rules('phrases', seats='one two', has='legal lines')
def phrases(game):
    for ply in range(8):
        # The last actions are alone.
        yield act(ply % 2, can=['go on', 'go on and on', 'stay'][: 3 if ply < 6 else 1])
    return end([1, 0], 'said')
serve(phrases)
",
    );
    run.play(&["-j", "1"]);
    assert_eq!(column(&run.rows(), "reason"), vec!["said"; 6]);
    let actions = column(&run.plies(0), "action");
    assert_eq!(actions[6..], ["go on", "go on"]);
    run.referee("verify out").ok();
}

/// A run by rules in Python that use the helper.
fn by_helper(rules: &str, players: &str) -> TestRun {
    let game = "[game]\nrules = [\"python3\", \"mine.py\"]\ndir = \"rules\"\n[format]\nkind = \"round-robin\"\n\
                games-per-pairing = 2\n";
    let run = TestRun::new(&format!("{game}{players}"));
    run.write("rules/mine.py", rules);
    run.copy(&examples().join("game.py"), "rules/game.py");
    run
}

#[test]
fn each_of_two_illegal_actions_at_once_is_told_its_own_fault_alone() {
    needed!(python());
    let says = |name: &str, action: &str| {
        let cases = format!(
            "while read -r line; do case $line in r*) echo bot 1 x;; st*) echo ready;; act*) echo {action};; esac; done"
        );
        shell(name, &cases)
    };
    let players = says("ada", "SECRET") + &says("bob", "b99");
    let why = "can=['a'], why=lambda seat, action: illegal(f'{action} is unknown to {seat}')";
    let at_once = "yield illegal('a is the action', 0, 1)";
    let unknown = "X is unknown to SEAT; legal, the closest first: a";
    let illegal = "X is not a legal action here; legal, the closest first: a";
    for (has, terms, then, words) in [
        ("legal", why, "", unknown),
        ("", "", at_once, "a is the action"),
        ("legal", "can=['a']", "", illegal),
    ] {
        let rules = format!(
            "from game import act, end, illegal, rules, serve\n@rules('mine', seats='one two', has='{has}')\n\
             def mine(game):\n    yield act(0, 1, {terms})\n    {then}\nserve(mine)\n"
        );
        let run = by_helper(&rules, &players);
        run.play(&[]);
        let row = &run.rows()[0];
        let is_first = row["first"] == "ada";
        for (seat, said, at) in [("first", is_first, "0"), ("second", !is_first, "1")] {
            let action = if said { "SECRET" } else { "b99" };
            let words = words.replace("SEAT", at);
            let detail = row[&format!("{seat}_detail")].replace(action, "X");
            assert_eq!(detail, format!("played `X` at ply 1: {words}"), "{row:?}");
        }
        let told = run.referee("replay out 0 --seat bob --transcript").ok();
        assert!(told.contains("end ") && !told.contains("SECRET"), "{told}");
    }
}

#[test]
fn rules_that_fail_are_quoted_by_the_line_that_says_why_and_a_check_is_named_with_them() {
    needed!(python());
    let rules = "from game import act, end, rules, serve\n@rules('mine', seats='one two', has='legal')\n\
                 def mine(game):\n    yield act(0, can=['a'])\n    1 / 0\nserve(mine)\n";
    let run = by_helper(rules, "");
    let line = "play --game 'python3 rules/mine.py' random random";
    let ran = run.referee(line);
    let said = "its last words are: ZeroDivisionError: division by zero";
    assert_has!(ran.stderr, said);
    let line = "play --game 'python3 rules/mine.py' 'sh -c \"exit 4\"' random";
    let ran = run.referee(line);
    assert_has!(ran.stderr, "referee check --rules 'python3 rules/mine.py' ");
}

#[test]
#[ignore = "slow"]
fn shards_play_by_frozen_rules() {
    let run = needed!(connect_four());
    run.referee("plan config.toml --out plan --shards 2").ok();
    // The originals may change or go.
    std::fs::remove_dir_all(run.path("rules")).expect("removed");
    run.work(2);
    run.referee("merge plan").ok();
    let verified = run.referee("verify plan/run").ok();
    assert!(verified.contains("12 games"), "{verified}");
}

#[test]
fn verify_names_the_first_ply_that_changed_rules_answer_otherwise() {
    let run = needed!(connect_four());
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

/// The first time the game is void: anything may have failed. Without a list of legal actions nobody can tell whose fault it is.
#[test]
fn who_crashes_naive_rules_by_an_action_that_is_not_listed_forfeits() {
    for lists in [true, false] {
        let run = needed!(connect_four());
        let check = "action not in [str(c + 1) for c in range(self.width)]";
        let mut naive = example().replace(check, "int(action) > self.width");
        if !lists {
            naive = naive.replace("\nhas legal", "");
        }
        run.write("rules/connect_four.py", &naive);
        run.configure(&format!(
            "[game]\nrules = [\"python3\", \"connect_four.py\"]\ndir = \"rules\"\n[format]\nkind = \"round-robin\"\n\
             games-per-pairing = 2\n{}{}",
            scripted("honest", "echo 1"),
            scripted("evil", "echo x")
        ));
        let ran = run.run(&["-j1"]);
        // Its first such action already, so that no game that it loses is played again.
        let is_void = ran.stderr.contains("The rules were given `x` by red");
        assert_eq!(is_void, !lists, "{ran:?}");
        if lists {
            assert_eq!(ran.exit, 0, "{ran:?}");
            for row in run.rows() {
                assert_eq!(row["termination"], "illegal_action", "{row:?}");
                assert_eq!(row["forfeited_by"], "evil", "{row:?}");
            }
        } else {
            let count = "2 games were set aside: the rules failed each time on an action of evil";
            assert_eq!(ran.exit, 6, "{ran:?}");
            assert!(ran.stderr.contains(count), "{ran:?}");
            let aside = run.table("set-aside.csv");
            assert_eq!(column(&aside, "after"), ["evil", "evil"]);
        }
    }
}

#[test]
fn rules_that_are_killed_as_they_start_are_no_wrong_configuration() {
    let kill = "rules = [\"sh\", \"-c\", \"kill -9 $$\"]";
    let run = TestRun::new(&tournament(kill, 2));
    run.run(&[]).fails(
        10,
        "was ended by SIGKILL, it was killed before it said hello",
    );
}

#[test]
fn rules_that_keep_failing_end_the_run_and_are_no_players_loss() {
    let bug = "echo first >&2; echo 'oops: a bug' >&2; exit 1";
    for (answers, words) in [
        ("exit 3", "exited with code 3"),
        ("echo ok", "`act` or `end` before `ok`"),
        (bug, "oops: a bug"),
        ("printf 'act 7\\\\nok\\\\n'", "act 7"),
    ] {
        let run = TestRun::new(&rules_in_shell(answers).replace("opening-plies = 2", ""));
        let ran = run.run(&["-j", "1", "-q"]);
        ran.fails(10, "the rules failed in 3 games in a row");
        ran.fails(10, words);
        assert_eq!(run.games().len(), 0, "{answers}");
        let found = column(&run.table("set-aside.csv"), "id").len();
        assert_eq!(found, 3, "{answers}");
        let kept = run.folder().join("out/rules/000000.log");
        if answers.contains("oops") {
            let kept = std::fs::read_to_string(kept).expect("a log");
            assert!(kept.contains("first\noops: a bug\n"), "{kept}");
        } else {
            assert!(!kept.exists(), "{answers}");
        }
    }
}

#[test]
fn what_a_program_cannot_do_is_said_before_the_first_game() {
    let without_legal = rules_in_shell("exit 1").replace("has legal", "has score");
    let served = [
        "size = 4 | size = 99 | `size` cannot be `99`",
        "size = 4 | sizes = 4 | an option of cachex",
        "size = 4 | name = \"chess\" | calls its game \"cachex\"",
        "house = \"random\" | house = \"greedy\" | house bot greedy does not know cachex",
        "[game] | [[game]]\nname = \"cachex\"\n[[game]] | `cachex` is there twice",
    ];
    let of_a_game = [
        "rules = [\"no-such-program\"] | there is no program `no-such-program`",
        "rules = \"sh\" | `rules` is no command",
        "name = \"cachex\"\ndir = \".\" | `dir` goes with `rules` only",
    ];
    let alone = rules_in_shell("exit 1").replace("seats one two", "seats alone");
    let without_opening = without_legal.replace("opening-plies = 2", "");
    let mut cases = vec![
        (without_legal, "do not list legal actions"),
        (without_opening, "house bot random cannot play g"),
        (alone, "expected 2 to 8 seats"),
    ];
    cases.extend(served.map(|row| {
        let [from, to, words] = columns(row);
        (served_cachex(2).replace(from, to), words)
    }));
    cases.extend(of_a_game.map(|row| {
        let [game, words] = columns(row);
        (tournament(game, 2), words)
    }));
    for (config, words) in cases {
        TestRun::new(&config).run(&["--check"]).fails(2, words);
    }
}

#[test]
fn a_game_that_has_no_end_is_a_draw() {
    let answers = "case $line in new*) printf 'act 0\\\\nok\\\\n';; legal*0) printf 'can 0 x\\\\nok\\\\n';; \
                   legal*) printf 'can 1 x\\\\nok\\\\n';; play*0*) printf 'act 1\\\\nok\\\\n';; play*) printf 'act \
                   0\\\\nok\\\\n';; show*) echo ok;; quit) exit;; esac";
    let rules = rules_in_shell(answers);
    let run = TestRun::new(&format!("{rules}[limits]\nplies = 12\n"));
    run.play(&["-j", "2"]);
    let rows = run.rows();
    assert_eq!(column(&rows, "reason"), vec!["max_plies"; 6]);
    assert_eq!(column(&rows, "plies"), vec!["12"; 6]);
    assert_eq!(column(&rows, "winner"), vec!["draw"; 6]);
    run.referee("verify out").ok();
}

#[test]
#[ignore = "slow"]
fn a_class_is_graded_in_a_game_of_a_program() {
    let run = needed!(connect_four());
    let bot = std::fs::read_to_string(root().join("bots/eight-lines/bot.py")).expect("text");
    // It is told no actions, as the game offers none, and tries the columns one after another.
    let by_turns = bot.replace("random.choice(actions)", "random.randint(1, 5)");
    let wrong = bot.replace("random.choice(actions)", "99");
    let mut roster = String::from("id,name\n");
    let [plays, broken] = [by_turns.as_str(), "raise SystemExit(1)"];
    let bots = [plays, broken, &wrong, plays, &wrong, plays];
    for (number, text) in (1..).zip(bots) {
        let student = format!("s{number}");
        let bot = format!("{text}\n# {student}\n");
        run.write(&format!("class/{student}/bot.py"), &bot);
        roster.push_str(&format!("{student},{student}\n"));
    }
    run.write("roster.csv", &roster);
    let config = "[class]\nroster = \"roster.csv\"\nsubmissions = \"class\"\n\
         [submission]\ncommand = [\"python3\", \"bot.py\"]\n\
         [game]\nrules = [\"python3\", \"connect_four.py\"]\ndir = \"rules\"\n\
         [[test]]\nagainst = [\"random\"]\nmarks = 10\n";
    run.write("grade.toml", config);
    run.referee("grade grade.toml --out marks --quiet").ok();
    let marks = rows(&run.path("marks/marks.csv"));
    let statuses = column(&marks, "status");
    let expected = ["graded", "broken", "graded", "graded", "graded", "graded"];
    assert_eq!(statuses, expected);
    // A student's feedback does not tell where the class lies.
    let place = run.path("").display().to_string();
    for file in files_below(&run.path("marks/feedback/s1")) {
        let text = std::fs::read_to_string(&file).expect("text");
        let is_told = text.contains(place.trim_end_matches('/'));
        assert!(!is_told, "{}", file.display());
    }
    assert_kept_rules(&run);
}

/// The rules of a grading may change: it goes on with its copy, and says so.
fn assert_kept_rules(run: &TestRun) {
    let grade = |more: &str| {
        run.referee(&format!("grade grade.toml --out marks --quiet {more}"))
            .done()
    };
    let runs = || {
        let runs = std::fs::read_dir(run.path("marks/work/runs/s1/random")).expect("runs");
        runs.count()
    };
    let marks = run.read("marks/marks.csv");
    // The new rules call every game a draw.
    let won = "f\"end {1 - seat} {seat} four_in_a_row\"";
    let drawn = example().replace(won, "\"end 0.5 0.5 four_in_a_row\"");
    assert_ne!(drawn, example());
    run.write("rules/connect_four.py", &drawn);
    let told = grade("");
    let note = "rules: connect-four has other rules in";
    let problems = run.read("marks/problems.txt");
    assert!(problems.contains(note), "{problems} {told:?}");
    assert_has!(problems, "all marks of `random` are still by the copy");
    assert_eq!(run.read("marks/marks.csv"), marks);
    assert_eq!(runs(), 1);
    grade("--only s1 --again");
    let again = std::fs::read_dir(run.path("marks/work/again/s1/1/random")).expect("a run");
    let again = again.map(|entry| rows(&entry.expect("a run").path().join("games.csv")));
    let again: Table = again.flatten().collect();
    let mut won = again.iter().filter(|row| row["reason"] == "four_in_a_row");
    assert!(won.any(|row| row["winner"] != "draw"), "{again:?}");
    std::fs::remove_dir_all(run.path("marks/work/rules")).expect("removed");
    grade("");
    assert_eq!(runs(), 2);
    assert!(!run.read("marks/problems.txt").contains(note));
}
