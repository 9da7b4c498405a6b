//! Rules programs that are slow, hang, fail or change the manner of play in mid-game.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{
    Table, TestRun, column, randoms, scripted, wait_for_the_end_of_all_with, wait_until,
};

/// A variable that the harness, its bots and its rules programs have, with the folder of the test.
const MARK: &str = "MARK_OF_RULES_TRUST";

/// A run of house bots by rules in the shell, with further sections. `$line` is a request, `$1 $2 $3` its words, and
/// `$ply` the plies since `new`.
fn run_by(answers: &str, format: &str, sections: &str) -> TestRun {
    let players = match sections.contains("[[player]]") {
        true => String::new(),
        false => randoms(&["a", "b"]),
    };
    let run = TestRun::new(&format!(
        "seed = 5\n[game]\nrules = [\"sh\", \"rules.sh\"]\n[format]\nkind = \"round-robin\"\n{format}\n{sections}{players}"
    ));
    let text = format!(
        "read line; printf 'game g 1\nseats one two\nhas legal\nok\n'\n\
             say() {{ for said in \"$@\"; do echo \"$said\"; done; echo ok; }}\n\
             while read -r line; do set -- $line\n\
             case $1 in new) ply=0;; play) ply=$((ply + 1));; with) continue;; quit) exit;; esac\n\
             {answers}\ndone\n"
    );
    run.write("rules.sh", &text);
    run
}

/// Answers of a game of 10 plies with the actions a and b, in which the seats take turns.
const TEN_PLIES: &str = "case $1 in legal) [ $2 = $((ply % 2)) ] && say \"can $2 a b\" || say \"can $2\";; \
                         show) say;; *) [ $ply = 10 ] && say 'end 1 0 done' || say \"act $((ply % 2))\";; esac";

fn ten_plies_after(before: &str) -> String {
    format!("{before}\n{TEN_PLIES}")
}

fn start(run: &TestRun) -> Child {
    let mut command = run.command(&["-j", "1"]);
    command
        .env(MARK, run.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command.spawn().expect("it runs")
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it is there");
}

fn wait_for_the_end_of_all(run: &TestRun) {
    wait_for_the_end_of_all_with(&format!("{MARK}={}", run.folder().display()));
}

#[test]
#[ignore = "slow"]
fn slow_plies_are_logged() {
    let slow = "[ \"$1 $ply\" = 'play 7' ] && sleep 0.5";
    let run = run_by(&ten_plies_after(slow), "games-per-pairing = 2", "");
    run.run(&["-j", "1", "-q"]).done();
    let times = column(&run.plies(0), "rules_us");
    let times: Vec<u64> = times.iter().map(|us| us.parse().expect("a time")).collect();
    assert_eq!(times.len(), 10);
    assert!(times[6] >= 500_000, "{times:?}");
    run.referee("verify out").ok();
}

#[test]
fn who_breaks_off_a_run_does_not_wait_for_rules_that_hang() {
    // The first `new` is asked before the run begins.
    let at_new = "[ $1 = new ] && { [ -e first ] && { >hangs; sleep 1d; }; >first; }";
    for hang in ["[ $1 = play ] && { >hangs; sleep 1d; }", at_new] {
        let limits = "[limits]\nrules = \"1h\"\n";
        let run = run_by(&ten_plies_after(hang), "games-per-pairing = 2", limits);
        let mut child = start(&run);
        wait_until(|| run.path("hangs").exists());
        send(&child, Signal::INT);
        let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("text");
        assert!(line.starts_with("stopping"), "{line}");
        send(&child, Signal::INT);
        let mut words = String::new();
        stderr.read_to_string(&mut words).expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(7), "{words}");
        assert_has!(words, "2 games left to play, 1 of them broken off");
        assert_eq!(run.rows(), Table::default());
        assert!(!run.path("out/set-aside.csv").exists());
        wait_for_the_end_of_all(&run);
    }
}

#[test]
fn a_killed_run_leaves_no_rules_behind() {
    for before in ["", "[ $1 = play ] && { >hangs; sleep 1d; }"] {
        let run = run_by(&ten_plies_after(before), "games-per-pairing = 100000", "");
        let mut child = start(&run);
        match before {
            "" => run.wait_for_games(1),
            _ => wait_until(|| run.path("hangs").exists()),
        }
        child.kill().expect("killed");
        child.wait().expect("it is gone");
        wait_for_the_end_of_all(&run);
    }
}

/// Answers of a game that an action `b` ends.
const B_ENDS: &str = "case $1 in legal) [ $2 = $((ply % 2)) ] && say \"can $2 a b\" || say \"can $2\";; show) say;; \
                      play) [ $3 = b ] && say 'end 1 0 b' || { [ $ply = 6 ] && say 'end 0 0 a' || say \"act $((ply % 2))\"; };; \
                      *) say 'act 0';; esac";

#[test]
fn random_openings_that_end_the_game_are_drawn_again() {
    let format = "games-per-pairing = 12\nopening-plies = 3";
    let run = run_by(B_ENDS, format, "");
    run.play(&["-j", "2"]);
    assert_eq!(column(&run.rows(), "opening"), vec!["a a a"; 12]);
    run.referee("verify out").ok();
    run.referee("replay out 0").ok();
    // A longer opening leaves nothing to play.
    let run = run_by(B_ENDS, "games-per-pairing = 8\nopening-plies = 6", "");
    let ran = run.run(&["-j", "1", "-q"]);
    ran.fails(
        10,
        "100 random openings in a row ended the game within 6 plies",
    );
    ran.fails(10, "make `opening-plies` smaller");
    assert_eq!(run.rows(), Table::default());
}

#[test]
fn rules_that_refuse_what_they_list_are_at_fault() {
    let refuses = "[ $1 = play ] && { echo illegal no; ply=$((ply - 1)); continue; }";
    let format = "games-per-pairing = 4\nopening-plies = 1";
    let run = run_by(&ten_plies_after(refuses), format, "");
    let ran = run.run(&["-j", "1", "-q"]);
    ran.fails(10, "as legal and refuses it");
}

#[test]
fn a_game_becomes_one_of_both_at_once_in_its_second_ply() {
    let answers = "case $1 in legal) say \"can $2 a b\";; show) say;; \
                   *) case $ply in 0) say 'act 0';; 1) say 'act 0 1';; 2) say 'act 1';; *) say 'end 1 0 done';; esac;; esac";
    let players = scripted("quick", "echo a") + &scripted("slow", "sleep 0.3; echo a");
    let clock = format!("[clock]\nmeasure = \"cpu\"\nper-game = \"20s\"\n{players}");
    let run = run_by(answers, "games-per-pairing = 2", &clock);
    run.play(&["-j", "1"]);
    run.referee("verify out").ok();
    for (id, slow) in [(0, "two"), (1, "one")] {
        let log = run.plies(id);
        assert_eq!(column(&log, "ply"), ["1", "2", "2", "3"]);
        assert_eq!(column(&log, "seat"), ["one", "one", "two", "two"]);
        let joint = &log[1..3];
        assert_eq!(joint[0]["rules_us"], joint[1]["rules_us"]);
        let asleep = joint.iter().find(|row| row["seat"] == slow);
        let asleep = asleep.expect("it acted");
        // Waits for a processor are no time of the bot.
        assert!(asleep["wall_us"].parse::<u64>().expect("a time") >= 200_000);
        // Each is charged its own time.
        for (seat, left) in [("one", &log[1]["left_us"]), ("two", &log[2]["left_us"])] {
            assert!(left.parse::<u64>().is_ok(), "{seat}: {left}");
        }
    }
}

#[test]
fn pinned_rules_run_on_the_processors_of_their_game() {
    let tells = "[ $1 = play ] && grep Cpus_allowed_list: /proc/self/status >>rules-where";
    let bot = |name: &str| {
        let tells = "grep Cpus_allowed_list: /proc/self/status >>bots-where; echo a";
        format!("{}dir = \".\"\n", scripted(name, tells))
    };
    // Pages ask the rules after the games.
    let sections = format!(
        "[report]\npages = false\n[limits]\noff-turn = \"stop\"\n{}{}",
        bot("a"),
        bot("b")
    );
    let run = run_by(&ten_plies_after(tells), "games-per-pairing = 2", &sections);
    run.play(&["--pin", "-j", "1"]);
    let lists = ["bots-where", "rules-where"].map(|file| {
        let mut lines: Vec<String> = run.read(file).lines().map(str::to_owned).collect();
        lines.dedup();
        lines
    });
    assert_eq!(lists[0], lists[1]);
    assert_eq!(lists[0].len(), 1, "{lists:?}");
}

#[test]
fn an_action_that_the_rules_play_and_do_not_list_is_illegal() {
    let at_once = "case $1 in legal) say \"can $2 a b\";; show) say;; \
                   *) [ $ply = 10 ] && say 'end 1 0 done' || say 'act 0 1';; esac";
    for answers in [TEN_PLIES, at_once] {
        // The third action is another spelling of the ones before.
        let spells = "n=x$n; [ $n = xxx ] && echo A || echo a";
        let players = scripted("plain", "echo a") + &scripted("spells", spells);
        let run = run_by(answers, "games-per-pairing = 2", &players);
        run.run(&["-j", "1", "-q"]).done();
        for row in run.rows() {
            let end = [&row["termination"], &row["forfeited_by"]];
            assert_eq!(end, ["illegal_action", "spells"]);
            let detail = format!("{}{}", row["first_detail"], row["second_detail"]);
            let said =
                "it is not among the legal actions; write it as `a`; legal, the closest first: a b";
            assert!(detail.starts_with("played `A` at ply "), "{detail}");
            assert!(detail.ends_with(said), "{detail}");
        }
        run.referee("verify out").ok();
    }
}
