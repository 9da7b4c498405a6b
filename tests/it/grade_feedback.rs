//! What students get of a grading: their games, why games were lost, and results for a learning platform.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::python::python;
use crate::support::{TestRun, files_below, landlock_holds, number, without_programs};

/// Plays legal actions; its kit is one file.
const GOOD: &str = include_str!("../../bots/starter-python/bot.py");

/// Fails in play with a traceback of its own, after it told what it can see of the machine.
const CRASHING: &str = include_str!("files/crashing.py");

/// Answers the handshake with something else.
const MUTE: &str = "for line in __import__('sys').stdin: print('what?', flush=True)\n";

const ROSTER: &str = "id,team,name,email\nann1,,Ann Adams,ann@class.example\nbob2,,Bob Brown,bob@class.example\n\
                      cat3,,Cat Clark,cat@class.example\ndan4,,Dan Dodd,dan@class.example\neve,team-nine,Eve Evans,eve@class.example\n";

/// All that tells of somebody, by the key of the student.
const PEOPLE: [(&str, [&str; 2]); 5] = [
    ("ann1", ["Ann Adams", "ann@class"]),
    ("bob2", ["Bob Brown", "bob@class"]),
    ("cat3", ["Cat Clark", "cat@class"]),
    ("dan4", ["Dan Dodd", "dan@class"]),
    ("team-nine", ["Eve Evans", "eve@class"]),
];

const CONFIG: &str = include_str!("files/trial.toml");

fn class_of(config: &str, files: &[(&str, &str)]) -> TestRun {
    let class = TestRun::new("");
    class.write("class.toml", config);
    class.write("roster.csv", ROSTER);
    for (name, text) in files {
        class.write(name, text);
    }
    class
}

fn json(class: &TestRun, name: &str) -> Value {
    serde_json::from_str(&class.read(name)).expect("JSON")
}

fn whole_class() -> TestRun {
    class_of(
        CONFIG,
        &[
            ("submissions/ann1/bot.py", CRASHING),
            ("submissions/bob2/bot.py", GOOD),
            ("submissions/cat3/bot.py", MUTE),
            ("submissions/team-nine/bot.py", GOOD),
        ],
    )
}

fn names(tests: &[Value]) -> Vec<&str> {
    let names = tests.iter().map(|test| test["name"].as_str());
    names.flatten().collect()
}

fn below<'a>(text: &'a str, line: &str) -> Vec<&'a str> {
    let mut lines = text.lines().skip_while(|it| *it != line);
    assert_eq!(lines.next(), Some(line), "{text}");
    lines.collect()
}

#[test]
#[ignore = "slow"]
fn a_class_has_feedback_that_is_made_anew_for_new_games_and_for_each_platform() {
    needed!(python());
    let class = whole_class();
    class.grade("");
    a_forfeit_is_told_once_with_the_line_of_the_bot_and_a_command_that_runs(&class);
    feedback_is_made_anew_only_where_games_are_new(&class);
    each_platform_gets_what_it_reads(&class);
}

fn a_forfeit_is_told_once_with_the_line_of_the_bot_and_a_command_that_runs(class: &TestRun) {
    let text = class.read("out/feedback/ann1/feedback.md");
    let head = "# Feedback for ann1\n\n**0 of 12 marks.**\n\n";
    assert!(text.starts_with(head), "{text}");
    assert_has!(text, "| random | 4 | 0 % | 0 | 5 |");
    let title = "### 6 games: it ended in the middle of the game at bot.py:5";
    assert_eq!(text.matches("### ").count(), 1, "{text}");
    let lines = below(&text, title);
    assert!(lines[1].starts_with("By test: greedy 2, random 4. The first is [random, game 0](<random/report/game.html#g0p2>), as red against random, after 2 plies: "), "{text}");
    assert_has!(lines[1], "IndexError: list index out of range");
    let trace = "```text\n  File \"./bot.py\", line 5, in act\n    return [][ply]\nIndexError: list index out of range\n```";
    assert_eq!(lines[3..8].join("\n"), trace, "{text}");
    let board = below(&text, "The board at that moment:");
    assert!(
        board[2].trim_start().starts_with("4 ") && board[6].trim() == "a b c d",
        "{text}"
    );
    let words = "your program's environment also had TOKEN, which the commands do not set";
    assert_has!(text, words);
    assert!(!text.contains("of-the-lecturer"), "{text}");
    let game = class.path("out/feedback/ann1/random/games/0000/000003.csv");
    assert!(game.exists());
    let wrote = class.read("out/feedback/ann1/random/stderr/0000/000000-red.log");
    assert_has!(wrote, "  File \"./bot.py\", line 5, in act\n");
    // At home the feedback lies in the folder of the bot.
    let home = tempfile::tempdir().expect("a folder");
    fs::write(home.path().join("bot.py"), CRASHING).expect("written");
    let feedback = class.path("out/feedback/ann1");
    fs::rename(feedback, home.path().join("feedback")).expect("moved");
    let command = below(&text, "See it again:")[2];
    assert_eq!(command, "python3 bot.py < feedback/random/0.txt");
    let again = Command::new("sh")
        .args(["-c", command])
        .current_dir(home.path())
        .output();
    let again = again.expect("started");
    assert_eq!(again.stdout, b"bot 1 crashing\nready\n");
    let failure = String::from_utf8_lossy(&again.stderr);
    assert_has!(failure, "IndexError");
}

#[test]
fn output_that_is_no_answer_is_told_as_what_it_is() {
    needed!(python());
    let writing = |before: &str| {
        let answer = "elif word == \"act\": print(act(3), flush=True)";
        assert!(CRASHING.contains(answer));
        CRASHING.replace(answer, &format!("elif word == \"act\": {before}"))
    };
    let bots = r##"ann1: it wrote a line that is too long: print('#' + 'z' * 9000, flush=True)
cat3: it wrote a line that is no text: sys.stdout.buffer.write(b'\xff\n'); sys.stdout.flush()
dan4: it wrote too much before its answer: exec('while 1: print("#" + "z" * 999)')
team-nine: its answer was no action: print('what?', flush=True)"##;
    let bots = bots.lines().map(|bot| {
        let mut parts = bot.splitn(3, ": ");
        [(); 3].map(|()| parts.next().expect("a part"))
    });
    let class = class_of(CONFIG, &[]);
    for [key, _, before] in bots.clone() {
        class.write(&format!("submissions/{key}/bot.py"), &writing(before));
    }
    class.grade("");
    for [key, heading, _] in bots {
        let text = class.read(&format!("out/feedback/{key}/feedback.md"));
        let mut headings = text.lines().filter(|line| line.starts_with("### "));
        // A bot that is stopped while it writes may name a line of its own.
        let is_told = |line: &str| line.split(" at ").next().expect("text").ends_with(heading);
        assert!(headings.clone().all(is_told), "{key}: {text}");
        assert!(headings.next().is_some(), "{key}: {text}");
    }
}

#[test]
fn what_is_no_bot_is_told_what_would_mend_it() {
    needed!(python());
    let build = CONFIG.replace(
        "command = [\"python3\", \"bot.py\"]",
        "command = [\"python3\", \"bot.py\"]\nbuild = [\"python3\", \"-m\", \"py_compile\", \"bot.py\"]",
    );
    let class = class_of(
        &build,
        &[
            ("submissions/ann1/bot.py", "def act(:\n"),
            ("submissions/bob2.zip", "no archive"),
            ("submissions/cat3/bot.py", MUTE),
        ],
    );
    class.grade("--for gradescope");
    let results = json(&class, "out/feedback/bob2/results.json");
    for part in results["tests"].as_array().expect("parts") {
        assert_eq!(
            (&part["score"], &part["output"]),
            (&0.0.into(), &"no game was played".into())
        );
    }
    let ann1 = class.read("out/feedback/ann1/feedback.md");
    assert_has!(ann1, "**No game could be played:** it cannot be built: ");
    let log = below(&ann1, "What the build said:").join("\n");
    assert_has!(log, "File \"bot.py\", line 1");
    assert_has!(log, "SyntaxError");
    let bob2 = class.read("out/feedback/bob2/feedback.md");
    let words = "**No game could be played:** what was handed in cannot be unpacked: ";
    assert_has!(&bob2, words);
    let cat3 = class.read("out/feedback/cat3/feedback.md");
    assert_has!(cat3, "**No game could be played:** it cannot be loaded: ");
    let found = below(&cat3, "## What the check found").join("\n");
    assert_has!(found, "- **handshake:** ");
    assert_has!(found, "What helps: ");
    let dan4 = class.read("out/feedback/dan4/feedback.md");
    let words = "Nothing was handed in, or it was not found under your id.";
    assert_has!(&dan4, words);
    for key in ["ann1", "bob2", "cat3", "dan4"] {
        let page = class.read(&format!("out/feedback/{key}/index.html"));
        let said = without_programs(&page);
        assert!(!said.contains('`'), "{said}");
    }
}

#[test]
fn nothing_in_it_is_of_anybody_else_or_of_the_machine() {
    needed!(python());
    let class = whole_class();
    if landlock_holds() {
        let limits = "[limits]\nisolation = \"landlock\"\n";
        class.write("class.toml", &CONFIG.replace("[limits]\n", limits));
    }
    class.grade("--for gradescope");
    let home = std::env::home_dir().expect("a home");
    let scratch = std::env::temp_dir().join("referee-bot-");
    let folder = class.folder();
    let name = folder.file_name().expect("a name").to_str().expect("text");
    let machine = [
        folder.to_str().expect("text"),
        name,
        home.to_str().expect("text"),
        scratch.to_str().expect("text"),
    ];
    // The search finds what is there: most of it stands in the run. Bots may have another home.
    let work = class.path("out/work/runs/ann1");
    for text in [machine[0], machine[1]] {
        assert!(has(&work, text), "{text}");
    }
    for (key, _) in PEOPLE {
        let feedback = class.path("out/feedback").join(key);
        assert!(files_below(&feedback).len() >= 3, "{key}");
        for text in machine {
            assert!(!has(&feedback, text), "{key}: {text}");
        }
        for (other, words) in PEOPLE.iter().filter(|(other, _)| *other != key) {
            for text in words {
                assert!(!has(&feedback, text), "{key}: {text}");
            }
            // In another word it means nothing.
            assert!(!has(&feedback, &format!(" {other} ")), "{key}: {other}");
            assert!(!has(&feedback, &format!("/{other}/")), "{key}: {other}");
        }
    }
}

fn has(folder: &Path, text: &str) -> bool {
    files_below(folder).iter().any(|file| {
        let bytes = fs::read(file).expect("a file");
        let name = file.strip_prefix(folder).expect("inside");
        let mut parts = bytes.windows(text.len());
        name.to_string_lossy().contains(text) || parts.any(|part| part == text.as_bytes())
    })
}

/// A reference with values and output of its own, which fails when it is asked for its third action.
const STAFF: &str = include_str!("files/failing_staff.py");

const VALUES: &str = include_str!("files/reports_a_value.py");

#[test]
fn a_student_gets_the_values_of_its_own_program_and_no_secrets_of_a_reference() {
    needed!(python());
    let config = CONFIG.split("[[test]]").next().expect("a part");
    let staff = "[[reference]]\nname = \"staff\"\ncommand = [\"python3\", \"staff.py\"]\ndir = \"staff\"\n\
                 [[test]]\nagainst = [\"staff\"]\nmarks = 5\ngames = 2\nopening-plies = 0\n";
    let config = format!("{config}{staff}");
    let files = [
        ("submissions/ann1/bot.py", VALUES),
        ("staff/staff.py", STAFF),
    ];
    let class = class_of(&config, &files);
    class.grade("");
    let run = class.path("out/work/runs/ann1/staff");
    let feedback = class.path("out/feedback/ann1");
    for own in ["score=1234", "\"score\",1234"] {
        assert!(has(&feedback, own), "{own}");
    }
    assert_eq!(files_below(&feedback.join("staff/games")).len(), 2);
    let secrets = "score=4711,the staff think,the staff failed,staff.py";
    for secret in secrets.split(',') {
        assert!(has(&run, secret), "{secret}");
        assert!(!has(&feedback, secret), "{secret}");
    }
    assert!(!has(&feedback, "\"score\",4711"));
    // It won both games, so that nothing is to be found in its output.
    assert!(has(&run, "I think") && !has(&feedback, "I think"));

    // A bot that may write there puts a link to somebody's file in the place of its own.
    let log = files_below(&run)
        .into_iter()
        .find(|file| file.ends_with("games/0000/000000.csv"));
    let log = log.expect("a log");
    fs::remove_file(&log).expect("removed");
    std::os::unix::fs::symlink(class.path("roster.csv"), &log).expect("linked");
    fs::remove_dir_all(&feedback).expect("removed");
    let ran = class.referee("grade class.toml --out out -q");
    assert_ne!(ran.exit, 0, "{ran:?}");
    assert_has!(ran.stderr, "it was changed after its game");
    assert!(!has(&class.path("out/feedback"), "Bob Brown"));
}

fn feedback_is_made_anew_only_where_games_are_new(class: &TestRun) {
    class.grade("");
    let page = class.path("out/feedback/ann1/random/report/game.html");
    let changed = || {
        let page = fs::metadata(&page).expect("a page");
        page.modified().expect("a time")
    };
    let before = changed();
    class.grade("");
    assert_eq!(changed(), before, "nothing was played");
    class.write("submissions/ann1/bot.py", GOOD);
    class.grade("");
    assert_ne!(changed(), before);
    let text = class.read("out/feedback/ann1/feedback.md");
    assert!(!text.contains("forfeited"), "{text}");
    fs::remove_dir_all(class.path("out/feedback/ann1")).expect("removed");
    class.grade("--only ann1");
    assert_eq!(class.read("out/feedback/ann1/feedback.md"), text);
    // Nothing is left beside the folders of the students.
    let entries = fs::read_dir(class.path("out/feedback")).expect("a folder");
    for entry in entries {
        let name = entry.expect("an entry").file_name();
        assert!(!name.to_string_lossy().starts_with('.'), "{name:?}");
    }
}

fn each_platform_gets_what_it_reads(class: &TestRun) {
    class.grade("--for gradescope");
    let mut marks = class.table("marks.csv").into_iter();
    let bob2 = marks.find(|row| row["id"] == "bob2").expect("bob2");
    let column = |name: &str| number(&bob2[name]);
    let results = json(class, "out/feedback/bob2/results.json");
    assert_eq!(results["score"], column("total"));
    assert_eq!(results["output_format"], "md");
    assert_eq!(results["visibility"], "visible");
    assert_eq!(results["stdout_visibility"], "hidden");
    assert!(results.get("leaderboard").is_none());
    let output = results["output"].as_str().expect("text");
    assert!(output.starts_with("# Feedback for bob2\n"));
    assert!(!output.contains("](<"), "no link without a file");
    let tests = results["tests"].as_array().expect("tests");
    assert_eq!(names(tests), ["random", "greedy", "reliability"]);
    for (at, (name, most)) in [("random", 5.0), ("greedy", 5.0)].into_iter().enumerate() {
        assert_eq!(tests[at]["score"], column(&format!("{name}_marks")));
        assert_eq!(tests[at]["max_score"], Value::from(most));
        assert_eq!(tests[at]["number"], Value::from((at + 1).to_string()));
    }
    let sum: f64 = tests.iter().filter_map(|test| test["score"].as_f64()).sum();
    assert!((sum - column("total")).abs() < 0.1, "{sum}");
    assert_eq!(json(class, "out/feedback/dan4/results.json")["score"], 0.0);

    class.grade("--for prairielearn");
    let results = json(class, "out/feedback/bob2/results.json");
    assert_eq!(results["gradable"], true);
    let share = results["score"].as_f64().expect("a number");
    assert!((share - column("total") / 12.0).abs() < 0.001, "{share}");
    let tests = results["tests"].as_array().expect("tests");
    assert_eq!(tests.len(), 3);
    for key in ["name", "description", "points", "max_points", "message"] {
        assert!(tests[0].get(key).is_some(), "{key}");
    }
}

/// A submission in a container, with what Gradescope says of it.
fn container(bot: &str) -> TestRun {
    let late = "[clock]\nmeasure = \"wall\"\nper-game = \"60s\"\n[late]\nmarks-per-day = 1\ndays = \"calendar\"\n";
    let config = CONFIG.replace("[class]", "[class]\ndeadline = 2026-05-18T12:00:00+00:00") + late;
    let class = class_of(&config, &[("autograder/submission/bot.py", bot)]);
    // What the container does not have.
    fs::remove_file(class.path("roster.csv")).expect("removed");
    let metadata = r#"{"id": 1, "created_at": "2026-05-20T10:00:00.365935-01:00", "assignment": {"due_date": "2026-05-19T12:00:00Z", "title": "B"},
        "users": [{"email": "ann@class.example", "id": 3, "name": "Ann Adams"}], "previous_submissions": []}"#;
    class.write("autograder/submission_metadata.json", metadata);
    class
}

const CONTAINER: &str =
    "grade class.toml -q --submission autograder/submission --results autograder/results.json";

#[test]
fn one_submission_is_graded_without_a_roster() {
    needed!(python());
    let class = container(GOOD);
    class
        .referee(&format!("{CONTAINER} --budget 5m --out out"))
        .done();
    let results = json(&class, "autograder/results.json");
    let tests = results["tests"].as_array().expect("tests");
    let all = ["random", "greedy", "reliability", "late"];
    assert_eq!(names(tests), all, "{results}");
    let days = "one day after the later of the two dates";
    assert_eq!(tests[3]["score"], -1.0, "{days}");
    let says = tests[0]["output"].as_str().expect("text");
    let expected = Some("4 games");
    assert_eq!(says.split(" in ").nth(1).map(|it| &it[..7]), expected);
    assert_has!(says, "these games fit a true strength that is worth ");
    assert!(!says.contains("repetition"), "{says}");
    let text = results["output"].as_str().expect("text");
    assert_has!(text, "Here only processor time counts");
    assert_has!(text, "| random | processor |");
    assert!(!text.contains("There was time for"), "{text}");
    assert!(!text.contains("referee replay"), "there is no folder");
    assert!(class.path("out/feedback/submission/index.html").exists());
    assert!(results["execution_time"].is_u64());
}

#[test]
#[ignore = "slow"]
fn results_are_written_whatever_happens() {
    needed!(python());
    let class = container("def act(:\n");
    let score_and_text = |options: &str| {
        fs::remove_dir_all(class.path("autograder/out")).ok();
        let line = CONTAINER.replace("results.json", "out/results.json");
        let ran = class.referee(&format!("{line} {options}")).done();
        // The folder of the grading is a temporary one.
        assert!(!ran.stderr.contains("goes on"), "{ran:?}");
        let results = json(&class, "autograder/out/results.json");
        let text = results["output"].as_str().expect("text").to_owned();
        // The reason of a failure is for the staff alone.
        let has_failed = text.starts_with("The grading failed, and not through your program");
        let staff = &results["tests"][0];
        assert_eq!(staff["visibility"] == "hidden", has_failed, "{results}");
        assert!(!has_failed || results["score"].is_null(), "{results}");
        (results["score"].as_f64(), text)
    };
    let (score, text) = score_and_text("--budget 5m");
    assert_eq!(score, Some(0.0));
    assert_has!(text, "**No game could be played:** it cannot be loaded: ");
    assert_has!(text, "SyntaxError");
    let folder = class.folder().to_str().expect("text");
    assert!(!text.contains(folder), "{text}");

    // Before anything is played, the time is over.
    class.write("autograder/submission/bot.py", GOOD);
    let (_, text) = score_and_text("--budget 1ms");
    assert!(
        text.starts_with("The grading failed") || text.contains("There was time for 0 games of 6"),
        "{text}"
    );

    // A program that hangs is told so.
    let bot = "autograder/submission/bot.py";
    class.write(bot, "import time\ntime.sleep(60)\n");
    let (score, text) = score_and_text("--budget 6s");
    assert_eq!(score, Some(0.0));
    let silent = "Your program had not answered the handshake, its first message, within that time, so 0 games of 6";
    assert_has!(text, silent);

    fs::remove_file(class.path(bot)).expect("removed");
    class.write("autograder/submission/bot.zip", "no archive");
    let (_, text) = score_and_text("--budget 5m");
    assert_has!(text, "what was handed in cannot be unpacked");

    class.write("class.toml", "no = \"grading\"");
    let (_, text) = score_and_text("--budget 5m");
    assert_starts!(text, "The grading failed, and not through your program:");
    let ran = class
        .referee(&format!("{CONTAINER} --for prairielearn"))
        .done();
    assert_has!(ran.stderr, "class.toml");
    let results = json(&class, "autograder/results.json");
    assert_eq!(results["gradable"], false);
    assert_eq!(results["score"], 0.0);
}
