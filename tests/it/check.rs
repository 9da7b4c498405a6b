//! `referee check`: the report on bots that are fit for a tournament, and on those that are not.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::config::{GREEDY, scripted, shell, small_cachex};
use crate::support::needs::command;
use crate::support::pages::Page;
use crate::support::python::python;
use crate::support::{REFEREE, Ran, TestRun, columns, referee, root, screens};

/// A small board, and limits that even a slow machine meets.
const ROOMY: &str = "--game cachex --set size=4 --per-move 60s --handshake 60s --quit 60s";

/// Runs `referee check` on a line for the shell, in which RANDOM is the house bot of that name.
fn check_shell(line: &str, options: &str) -> Ran {
    let random = format!("{REFEREE} bot random");
    let command = format!("sh -c '{}'", line.replace("RANDOM", &random));
    let command = shlex::try_quote(&command).expect("no zero byte");
    referee(&format!("check {command} {options}"))
}

fn without_figures(report: &str) -> String {
    let mut text = String::new();
    for c in report.chars() {
        match c {
            '0'..='9' | '.' if text.ends_with('N') => {}
            '0'..='9' => text.push('N'),
            c => text.push(c),
        }
    }
    text
}

/// The line of one check, without its verdict and name, and those below it.
fn lines<'a>(report: &'a str, verdict: &str, name: &str) -> Vec<&'a str> {
    let begin = format!("{verdict:<8} {name:<12} ");
    let mut lines = report.lines().skip_while(|line| !line.starts_with(&begin));
    let first = lines.next().unwrap_or_default();
    assert!(first.starts_with(&begin), "no {begin}in\n{report}");
    let below = lines.take_while(|line| line.starts_with(' '));
    std::iter::once(&first[begin.len()..])
        .chain(below.map(str::trim_start))
        .collect()
}

#[test]
fn a_bot_that_is_fit_for_a_tournament() {
    let report = referee(&format!("check greedy {ROOMY}")).ok();
    assert!(report.ends_with(" 11 ok, 0 warn, 0 failed, 0 skipped\n"));
    assert!(report.contains("4 of 4 to their end"), "{report}");
    assert_screen!(without_figures(&report));
    // Every check is explained.
    let names = report.lines().take_while(|line| !line.is_empty());
    let names: Vec<&str> = names.map(|line| line[9..21].trim_end()).collect();
    let documented = Page::read("failures.md").column("Before the tournament", 0);
    assert_eq!(documented, names);
}

#[test]
fn the_report_as_json() {
    let ran = check_shell("read a; echo hello; cat", &format!("{ROOMY} --json"));
    assert_eq!((ran.exit, ran.stderr.as_str()), (1, ""), "{ran:?}");
    let mut report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let memory = &mut report["checks"][4]["seen"];
    assert!(
        memory
            .as_str()
            .is_some_and(|seen| seen.contains(" MiB at most; no limit"))
    );
    *memory = "[HELD]".into();
    let report = serde_json::to_string_pretty(&report).expect("JSON");
    assert_screen!(report);
}

/// What the report says in the line of each check: it, words of its report that have figures, and a bot with this fault.
fn findings(exit: i32, verdict: &str, bots: &[&str]) -> String {
    let mut found = String::new();
    for bot in bots {
        let mut parts = bot.splitn(3, "| ").map(str::trim_end);
        let [name, words, line] = [(); 3].map(|()| parts.next().expect("a part"));
        let options = match name {
            // The default is short, since the check waits for this bot in vain.
            "quit" => ROOMY.replace(" --quit 60s", ""),
            "memory" => format!("{ROOMY} --memory 16MiB"),
            _ => ROOMY.to_owned(),
        };
        let ran = check_shell(line, &options);
        assert_eq!((ran.exit, ran.stderr.as_str()), (exit, ""), "{ran:?}");
        let lines = lines(&ran.stdout, verdict, name);
        assert!(lines[0].contains(words), "{line}: {lines:?}");
        let hint = lines.last().expect("a hint");
        assert!(hint.starts_with("-> "), "{line}: {lines:?}");
        let report = without_figures(&lines.join("\n"));
        found.push_str(&format!("{line}\n{verdict}: {name}: {report}\n\n"));
    }
    found
}

#[test]
#[ignore = "slow"]
fn a_fault_that_loses_no_game_is_a_warning() {
    assert_screen!(findings(
        0,
        "warn",
        &[
            // Another seed in every process.
            "determinism | | sed -u \"s/seed=[0-9]*/seed=$$/\" | RANDOM",
            // Changes each `start` of a process but the first.
            "next game | | sed -u \"0,/^start/!s/seed=[0-9]*/seed=1/\" | RANDOM",
            "quit | still there 1.000 s after `quit` | RANDOM; exec sleep 600",
            "leftovers | | sleep 600 </dev/null >/dev/null 2>&1 & RANDOM",
            "output | 300000 bytes of debug output in 4 games; | yes | head -c 300000 >&2; RANDOM",
        ]
    ));
}

/// A bot that was told other things is not blamed for another game.
#[test]
fn rules_that_do_not_repeat_themselves_are_named_and_not_the_bot() {
    needed!(python());
    let notes = tempfile::NamedTempFile::new().expect("a file");
    let rules = "python3 tests/hostile_rules/zoo.py counts_its_games";
    let rules = format!("--rules \"{rules} {}\"", notes.path().display());
    let bot = "while read -r line; do case $line in referee*) echo bot 1 a;; start*) echo ready;; \
               act*) echo a;; quit) exit;; esac; done";
    let report = check_shell(bot, &rules).ok();
    let found = lines(&report, "warn", "determinism").join(" ");
    assert_has!(found, "the rules gave other answers");
    assert_has!(found, "`referee game check` says where");
    assert_has!(report, "needs rules that give the same answers again");
}

#[test]
fn a_fault_that_loses_games_is_a_failure() {
    let crash = "games | game 1, as red: crash: the bot's process exited with code 3 | read a; echo bot 1 x; read b; echo ready; read c; \
                 echo Traceback >&2; echo \"  KeyError: 7\" >&2; exit 3";
    let hog = "memory | of memory; the limit is 16.0 MiB | read a; echo bot 1 hog; x=$(head -c 40000000 /dev/zero | tr \"\\0\" x); read b; \
               echo ready; sleep 5";
    // The second line comes with the first, so it is always there before the next request.
    let says_more = "games | `hm` | RANDOM | while read -r line; do case $line in ready|bot*) echo $line;; \
                     *) printf \"%s\\nhm\\n\" $line;; esac; done";
    // This line may arrive before or after the request, and the report says which.
    findings(
        1,
        "failed",
        &["handshake | `Loading model` | echo Loading model; RANDOM"],
    );
    assert_screen!(findings(
        1,
        "failed",
        &[
            "handshake | `Loading model` | read a; echo Loading model; RANDOM",
            "ready | | read a; echo bot 1 x; read b; echo go; cat >/dev/null",
            says_more,
            "games | illegal_action: played `d4` at ply | RANDOM | sed -u s/^[a-d][1-4]$/d4/",
            "games | answered `I play | RANDOM | sed -u \"s/^\\([a-d][1-4]\\)$/I play \\1/\"",
            "games | at ply 1: it answered nothing | RANDOM | sed -u \"s/^[a-d][1-4]$/illegal it answered nothing/\"",
            crash,
            hog,
        ]
    ));
}

#[test]
fn a_line_at_the_end_of_a_game_and_a_silent_death_are_told_as_they_are() {
    let says_gg = "exec 3>&1; while read -r line; do echo $line; case $line in end*) echo gg >&3;; esac; done | RANDOM";
    // The line comes before or after the next `start`.
    let ran = check_shell(says_gg, ROOMY);
    let hint = "`did` and `end` want no answer, and a line that is written there";
    assert!(ran.stdout.contains(hint), "{ran:?}");
    assert!(!ran.stdout.contains("fresh-process"), "{ran:?}");
    let ran = check_shell("kill -9 $$", ROOMY);
    let lines = lines(&ran.stdout, "failed", "handshake");
    assert!(
        lines[1].contains("it wrote nothing to standard error"),
        "{lines:?}"
    );
}

#[test]
#[ignore = "slow"]
fn a_bot_that_sleeps_before_it_greets_is_not_told_to_load_later() {
    let options = ROOMY.replace("--handshake 60s --quit 60s", "--handshake 3s");
    let ran = check_shell("read a; exec sleep 600", &options);
    let lines = lines(&ran.stdout, "failed", "handshake");
    assert!(
        lines[1].contains("it slept, or waited for input"),
        "{lines:?}"
    );
}

#[test]
fn a_bot_that_cannot_be_checked_is_a_usage_error() {
    assert_screen!(screens(
        root(),
        &[
            "check no-such-bot --game cachex",
            "check random --game cachex --set size=99",
            "check random --game cachex --memory 5",
            "check random --game go",
            "check random --game cachex --quit 9999999years",
            "check random --game cachex --dir no/such",
        ]
    ));
}

#[test]
#[ignore = "slow"]
fn a_player_of_a_configuration_is_checked_under_its_clock_and_limits() {
    let busy = scripted("busy", "while :; do :; done");
    let clock = "[clock]\nmeasure = \"cpu\"\nper-move = \"100ms\"\n";
    let run = TestRun::new(&small_cachex(2, &[clock, &busy, GREEDY]));
    let check = |line: &str| run.referee(&format!("check --config config.toml {line}"));

    let report = check("--player busy");
    assert_eq!(report.exit, 1, "{report:?}");
    assert!(report.stdout.contains("failed   clock"), "{report:?}");
    let advice = "stop thinking in time: look at a clock of processor time";
    assert!(report.stdout.contains(advice), "{report:?}");
    assert!(report.stdout.contains("of processor time"), "{report:?}");
    assert!(report.stdout.contains("\nbusy at cachex: "), "{report:?}");

    // With three rows a game is short: the options are those of the configuration.
    for bot in ["--player greedy", "random"] {
        let report = check(&format!("{bot} --games 2 --json"));
        assert_eq!(report.exit, 0, "{report:?}");
    }
    for row in [
        " | <BOT>",
        "--player eve | --player eve: the configuration has no such player: expected one of busy, greedy",
        "--player greedy --game dark-chess | --game: the configuration does not have this game",
        "--player greedy --memory 20MiB | cannot be used with '--memory <SIZE>'",
        "random --player greedy | cannot be used with",
    ] {
        let [line, problem] = columns(row);
        check(line).fails(2, problem);
    }
    // A clock of processor time does not count this, and the check would not end.
    let late = "while read -r l; do case $l in act*) sleep 1.1;; esac; echo \"$l\"; done";
    let asleep = shell("asleep", &format!("{late} | {REFEREE} bot random"));
    let clock = "[clock]\nmeasure = \"cpu\"\nwall-cap = \"2s\"\n";
    let run = TestRun::new(&small_cachex(2, &[clock, &asleep, GREEDY]));
    let report = run.referee("check --config config.toml --player asleep");
    assert_eq!(report.exit, 0, "{report:?}");
    let [waits, _] = lines(&report.stdout, "warn", "clock")[..] else {
        panic!("{report:?}");
    };
    assert!(waits.starts_with("waits up to 1."), "{waits}");
    assert!(
        waits.ends_with("; the check ended after 2.000 s of it"),
        "{waits}"
    );

    run.referee("check --player greedy --game cachex")
        .fails(2, "--config <FILE>");
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Mistake {
    what: String,
    /// A text of the bot, and what stands in its place.
    change: [String; 2],
    #[serde(default)]
    args: String,
    /// The command; by default Python with the file.
    runs: Option<String>,
}

#[test]
#[ignore = "slow"]
fn beginners_are_told_what_their_mistake_is() {
    let _ = needed!(command("python3"));
    let file = root().join("tests/it/files/mistakes.toml");
    let text = fs::read_to_string(file).expect("a file");
    let all: BTreeMap<String, Vec<Mistake>> = toml::from_str(&text).expect("mistakes");
    let honest = fs::read_to_string(root().join("bots/twenty-lines/bot.py")).expect("a file");
    let mut told = String::new();
    for mistake in &all["mistake"] {
        let [from, to] = &mistake.change;
        assert!(honest.contains(from.as_str()), "{}", mistake.what);
        let run = TestRun::new("");
        let bot = run.path("bot.py");
        fs::write(&bot, honest.replacen(from.as_str(), to, 1)).expect("written");
        fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).expect("set");
        let runs = mistake.runs.as_deref().unwrap_or("python3 bot.py");
        let ran = run.referee(&format!("check \"{runs}\" {ROOMY} {}", mistake.args));
        told.push_str(&format!("{}: exit code {}\n", mistake.what, ran.exit));
        let mut is_fault = false;
        for line in ran.stdout.lines() {
            is_fault = match line.starts_with(' ') {
                true => is_fault,
                false => line.starts_with("failed ") || line.starts_with("warn "),
            };
            // The words of Python and `env` differ from one version to another.
            if is_fault && !line.trim_start().starts_with("| ") {
                let line = line.split(" ends with `/").next().unwrap_or(line);
                told.push_str(&without_figures(line));
                told.push('\n');
            }
        }
        told.push_str(&ran.stderr);
        told.push('\n');
    }
    assert_screen!(told);
}
