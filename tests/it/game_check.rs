//! `referee game check`: rules programs that are right, and rules programs that are each wrong in one way.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::LazyLock;

use serde_json::Value;

use crate::support::python::{python, python_with};
use crate::support::{Ran, command, referee, root, screens, started};

/// The command of Python. A check starts some 25 processes, so Python itself runs them, without a launcher and without
/// the packages of the machine.
static PYTHON: LazyLock<String> =
    LazyLock::new(|| python().map_or(String::new(), |it| format!("{} -S", it.program)));

fn check(folder: &str, program: &str, options: &str) -> Ran {
    let command = format!("\"{} {program}\" --dir {folder}", *PYTHON);
    let mut ran = referee(&format!("game check {command} {options}"));
    ran.stdout = ran.stdout.replace(PYTHON.as_str(), "python3");
    ran
}

/// Runs `referee game check` on a program of the zoo.
fn zoo(program: &str, options: &str) -> Ran {
    check("tests/wrong_rules", &format!("zoo.py {program}"), options)
}

/// The report as JSON, and the exit code. No time ends a part early.
fn report(program: &str, options: &str) -> (i32, Value) {
    let ran = zoo(program, &format!("{options} --json --time 1h"));
    let report: serde_json::Result<Value> = serde_json::from_str(&ran.stdout);
    assert!(report.is_ok(), "{program}: {ran:?}");
    (ran.exit, report.expect("JSON"))
}

fn findings(report: &Value) -> Vec<&Value> {
    let checks = report["checks"].as_array().expect("a list").iter();
    let findings = checks.filter_map(|check| check["findings"].as_array());
    findings.flatten().collect()
}

fn names(report: &Value) -> BTreeSet<&str> {
    let names = findings(report)
        .into_iter()
        .map(|finding| finding["code"].as_str());
    names.map(|code| code.expect("a code")).collect()
}

/// The words of a check without a problem, and whether it was made.
fn outcome<'a>(report: &'a Value, check: &str) -> (&'a str, &'a str) {
    let mut checks = report["checks"].as_array().expect("a list").iter();
    let check = checks.find(|it| it["name"] == check).expect("a check");
    let text = |key: &str| check[key].as_str().expect("a text");
    (text("verdict"), text("seen"))
}

fn numbers(report: &Value, check: &str) -> Vec<u64> {
    let words = outcome(report, check)
        .1
        .split(|c: char| !c.is_ascii_digit());
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Each program has one finding, with words, a remedy and a transcript. A line has a game, and its faults with options. A
/// cross in front of the options: it loses no game.
fn assert_found(cases: &'static str) {
    needed!(python());
    let of_game = |line: &'static str| {
        let (game, faults) = line.split_once(": ").expect("a game");
        faults.split(", ").map(move |fault| (game, fault))
    };
    for (game, fault) in cases.lines().flat_map(of_game) {
        let (fault, options) = fault.split_once(' ').unwrap_or((fault, ""));
        let harmless = options.strip_prefix('x').map(|options| (options, 0));
        let (options, exit) = harmless.unwrap_or((options, 1));
        let games = match options.contains("--games") {
            true => "",
            false => "--games 12",
        };
        let program = format!("{game} {fault}");
        let (ended, report) = report(&program, &format!("{games} {options}"));
        let expected = BTreeSet::from([fault]);
        assert_eq!(names(&report), expected, "{program}: {report}");
        assert_eq!(ended, exit, "{program}: {report}");
        for finding in findings(&report) {
            let is_text = |key: &str| finding[key].as_str().is_some_and(|text| !text.is_empty());
            assert!(is_text("words") && is_text("hint"), "{finding}");
            // Each value has its place in the words.
            let words = finding["words"].to_string();
            assert!(!words.contains(['{', '}']), "{finding}");
            let lines = finding["transcript"].as_array().expect("a list");
            let is_request = |line: &Value| line.as_str().is_some_and(|it| it.starts_with("> "));
            let has_request = fault == "grows" || lines.iter().any(is_request);
            assert!(has_request, "{finding}");
        }
    }
}

#[test]
#[ignore = "slow"]
fn programs_that_break_the_protocol_are_found() {
    assert_found(
        "noughts: malformed, ended, no-answer --answer 2s, hello-changes, option-refused, new-refused, wrong-news\n\
         hands: no-score, no-offer, offer-differs, offer-to-other-seat",
    );
}

#[test]
#[ignore = "slow"]
fn wrong_lists_and_wrong_refusals_are_found() {
    assert_found(
        "noughts: legal-empty, legal-double, legal-changes, legal-of-other-seat, legal-refused\n\
         noughts: spelling, unlisted, not-now, other-seat, after-end, refusal-changes\n\
         heap: other-seat\n\
         hands: refusal-changes, wrong-refusal",
    );
}

#[test]
#[ignore = "slow"]
fn games_that_another_process_plays_otherwise_are_found() {
    assert_found(
        "noughts: unseeded, asking-changes, keeps-state, one-write --answer 2s, hash-order, time-zone, locale, folder",
    );
}

#[test]
fn leaks_are_found() {
    assert_found("phantom: legal-leaks --games 4, refusal-leaks --games 4, show-leaks --games 4");
}

#[test]
#[ignore = "slow"]
fn odd_ends_and_growing_memory_are_found() {
    assert_found(
        "noughts: no-end --plies 60, unknown-reason x, never-decided x--games 100, grows x--games 40",
    );
}

#[test]
#[ignore = "slow"]
fn right_rules_pass_with_each_check_that_fits_them() {
    needed!(python());
    for game in ["noughts", "phantom", "hands", "heap"] {
        let (exit, report) = report(game, "--games 40");
        assert_eq!((exit, names(&report)), (0, BTreeSet::new()), "{report}");
        for check in report["checks"].as_array().expect("a list") {
            assert_eq!(check["verdict"], "ok", "{game}: {check}");
        }
        assert_eq!(numbers(&report, "games")[0], 40, "{report}");
        assert!(numbers(&report, "refused")[0] > 50, "{report}");
        assert!(numbers(&report, "secrets")[0] > 10, "{report}");
        let twin =
            "the same with another hash seed, time zone and locale, and in a copy of the folder";
        assert_eq!(outcome(&report, "twin"), ("ok", twin));
    }
}

/// Each check applies to the examples, and finds nothing wrong.
#[test]
#[ignore = "slow"]
fn the_examples_pass() {
    let python = needed!(python());
    let cases = [
        ("connect_four.py", "--games 30 --set width=5"),
        ("chexers.py", "--set turns=20 --games 6"),
        ("tron.py", "--set size=6 --games 24"),
    ];
    let mut cases = cases.map(|it| (it, python.program.clone())).to_vec();
    if let Some(python) = python_with("pyspiel") {
        cases.push((("openspiel.py --game kuhn_poker", "--games 40"), python));
    }
    for ((program, options), python) in cases {
        let command = format!("\"{python} {program}\" --dir examples/rules --time 1h");
        let report = referee(&format!("game check {command} {options}")).ok();
        let end = ": 9 ok, 0 warn, 0 failed, 0 skipped\n";
        assert!(report.ends_with(end), "{program}: {report}");
        // Where nobody won, no list begins with a comma.
        assert!(!report.contains(" , "), "{report}");
    }
}

/// A program that cannot list its actions is not tried with games, and the report says so.
#[test]
fn without_lists_the_report_says_what_it_could_not_test() {
    needed!(python());
    let (exit, report) = report("noughts without-legal", "");
    assert_eq!((exit, names(&report)), (0, BTreeSet::new()), "{report}");
    for check in report["checks"].as_array().expect("a list") {
        let is_hello = check["name"] == "hello";
        let verdict = if is_hello { "ok" } else { "skipped" };
        assert_eq!(check["verdict"], verdict, "{check}");
    }
    assert!(outcome(&report, "games").1.contains("`has legal`"));
}

/// The requests of a transcript bring the same answers from the program itself.
#[test]
fn a_transcript_can_be_pasted() {
    needed!(python());
    for program in [
        "noughts unlisted",
        "hands wrong-refusal",
        "noughts legal-double",
    ] {
        let (_, report) = report(program, "--games 2");
        let findings = findings(&report);
        let place = &findings[0]["place"];
        assert!(place["seed"].is_u64() && place["ply"].is_u64(), "{report}");
        let lines = findings[0]["transcript"].as_array().expect("a list");
        let lines = || lines.iter().filter_map(Value::as_str);
        let requests: Vec<&str> = lines().filter_map(|line| line.strip_prefix("> ")).collect();
        let answers: Vec<&str> = lines().filter_map(|line| line.strip_prefix("< ")).collect();
        let mut python = command("python3").expect("asked before");
        python.arg("zoo.py").args(program.split(' '));
        let mut child = started(python.current_dir(root().join("tests/wrong_rules")));
        let mut stdin = child.stdin.take().expect("a pipe");
        let text = requests.join("\n") + "\n";
        stdin.write_all(text.as_bytes()).expect("written");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let written = String::from_utf8(output.stdout).expect("text");
        assert!(!answers.is_empty());
        let end = answers.join("\n") + "\n";
        assert!(written.ends_with(&end), "{program}: {written}");
    }
}

/// The report with an N for every number of its line about memory.
fn without_memory(report: &str) -> String {
    let is_figure = |c: char| c.is_ascii_digit() || c == '.';
    let lines = report.lines().map(|line| {
        let is_memory = line.split_whitespace().nth(1) == Some("memory");
        let parts = line.split(|c| is_memory && is_figure(c));
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        parts.join("N") + "\n"
    });
    lines.collect()
}

#[test]
#[ignore = "slow"]
fn the_report_says_what_is_wrong_and_shows_it() {
    needed!(python());
    let programs = [
        "noughts hash-order",
        "phantom legal-leaks",
        "hands wrong-refusal",
        "hands offer-differs",
    ];
    let reports = programs.map(|program| zoo(program, "--games 20 --time 1h").stdout);
    assert_screen!(without_memory(&reports.join("\n")));
}

#[test]
fn programs_that_cannot_be_checked_are_named() {
    let none = referee("game check \"sh -c 'read line; echo hello; cat'\"");
    assert_eq!(none.exit, 1, "{none:?}");
    assert!(none.stdout.contains("[malformed]"), "{none:?}");
    assert_has!(none.stdout, "needs an answer to `rules 1`");
    let hello = "read l; printf \"game g 1\\nseats a b\\noption n 1..3 2\\nok\\n\"; cat";
    let script = format!("sh -c '{hello}'");
    let script = shlex::try_quote(&script).expect("no zero byte");
    assert_screen!(screens(
        root(),
        &[
            "game check ./no/such/program",
            "game check \"python3 'unclosed\"",
            "game check sh --dir no/such/folder",
            &format!("game check {script} --set m=1"),
            &format!("game check {script} --set n=4"),
            &format!("game check {script} --set n"),
        ]
    ));
}
