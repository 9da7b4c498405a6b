//! Rules and agents of COMP30024 from 2023 on: the course's package by a wrapper, its agents by the adapter.
//!
//! `COMP30024=FOLDER` names the folder with a course's own package `referee`, and `COMP30024_COURSE` its year, such as
//! `comp30024-2023`. Without them, these tests play with the stand-in beside the adapter.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command};

use referee::rules::{Answer, Deadlines, Next, Program, Refusal};

use crate::support::python::python;
use crate::support::{
    TestRun, columns, copy_folder, examples, root, rules_program, start, started,
};

const SEATS: [&str; 2] = ["red", "blue"];

fn adapters() -> PathBuf {
    root().join("bots/course-adapters")
}

fn stand_in() -> PathBuf {
    adapters().join("examples/package")
}

/// The rules by the package in a folder; `None` where there is no Python.
fn rules(package: &Path) -> Option<Program> {
    let python = python()?;
    let package = package.to_str().expect("text");
    let args = ["comp30024.py", package];
    let started = start(&python.program, &args, &examples(), Deadlines::default());
    Some(started.expect("a rules program"))
}

struct Agent {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Agent {
    fn start(course: &str, folder: &Path, package: &str, skeleton: &Path) -> Self {
        let python = python().expect("Python").program;
        let mut command = Command::new(python);
        command.arg(adapters().join("adapter.py"));
        command.args([course, package]).current_dir(folder);
        let mut process = started(command.env("PYTHONPATH", skeleton));
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        Self {
            process,
            input,
            output,
        }
    }

    fn tell(&mut self, line: &str) {
        // An agent that has ended closed its pipe; its answer will be missing.
        let _ = writeln!(self.input, "{line}");
    }

    /// The answer to a request; empty if the agent ended.
    fn ask(&mut self, line: &str) -> String {
        self.tell(line);
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("text");
        answer.trim_end().to_owned()
    }

    fn begin(&mut self, game: &str, seat: &str, seed: u64) {
        assert!(self.ask("referee 1").starts_with("bot 1 "));
        let clock = "measure=cpu per-game=180000 increment=0 per-move=none";
        let ready = self.ask(&format!("start {game} {seat} seed={seed} {clock}"));
        assert_eq!(ready, "ready");
    }

    fn end(mut self, words: &str) -> String {
        self.tell(words);
        drop(self.input);
        let mut log = String::new();
        let mut errors = self.process.stderr.take().expect("a pipe");
        errors.read_to_string(&mut log).expect("text");
        self.process.wait().expect("it ends");
        log
    }
}

enum End {
    ByRules {
        actions: Vec<String>,
        digest: String,
    },
    NoAction(String),
    Refused(Refusal),
}

/// Plays agents against each other; returns the end and their logs.
fn game(
    rules: &mut Program,
    course: &str,
    agents: [(&Path, &str); 2],
    skeleton: &Path,
    seed: u64,
) -> (End, [String; 2]) {
    let name = rules.hello().name.clone();
    let mut agents =
        agents.map(|(folder, package)| Agent::start(course, folder, package, skeleton));
    for (agent, seat) in agents.iter_mut().zip(SEATS) {
        agent.begin(&name, seat, seed);
    }
    let mut next = rules_program::turn(rules.new_game(seed, 2, &[])).next;
    let mut actions: Vec<String> = Vec::new();
    let end = loop {
        let Next::Act(seats) = next else {
            let digest = rules.answers();
            break End::ByRules { actions, digest };
        };
        let seat = usize::from(seats[0]);
        let action = agents[seat].ask("act 180000 180000");
        if action.is_empty() || action.starts_with("illegal ") {
            break End::NoAction(action);
        }
        next = match rules.play(&[(seats[0], &action)]).expect("an answer") {
            Answer::Turn(turn) => turn.next,
            Answer::Refused(refusal) => break End::Refused(refusal),
        };
        for agent in &mut agents {
            agent.tell(&format!("did {} {action}", SEATS[seat]));
        }
        actions.push(action);
    };
    let by_rules = matches!(end, End::ByRules { .. });
    let words = if by_rules {
        "end draw rules draw"
    } else {
        "end none crash"
    };
    (end, agents.map(|agent| agent.end(words)))
}

#[test]
#[ignore = "slow"]
fn an_action_has_one_spelling() {
    let mut rules = needed!(rules(&stand_in()));
    assert!(!rules.hello().has.legal);
    rules_program::turn(rules.new_game(1, 2, &[]));
    let mut refused = |action: &str| match rules.play(&[(0, action)]) {
        Ok(Answer::Refused(refusal)) => (refusal.unparsable, refusal.words),
        other => panic!("{action}: {other:?}"),
    };
    for action in "place:00-0:0-1 place:+0-0:0-1 place:0-0:0-1:0-2 place:0-0 place:0-0:5-0 place:0-0:Down \
        Place:0-0:0-1 place:0-0:0-1: place:0-0:0-\u{661} grow: GROW hop:0-0: hop:0-0:down hop:0-0:0-1 \
        hop:0-0:Down.Down hop:0-0:[Down hop:0-0:() action board :".split(' ') {
        let (unparsable, words) = refused(action);
        assert!(unparsable, "{action}");
        assert!(words.contains("place:c1:c2"), "{words}");
    }
    let (unparsable, words) = refused("hop:0-0:Down");
    assert!(!unparsable && words.contains("no stone of RED"), "{words}");
    rules_program::turn(rules.play(&[(0, "place:0-0:0-1")]));
    let shown = rules.show(None).expect("a board");
    let board = shown.drawing.board.expect("a grid");
    assert!(board.rows().starts_with("RR.../"), "{}", board.rows());
    // Cells and colours have the names that actions and seats have.
    let shown = rules.show(None).expect("a board").drawing.to_string();
    assert!(shown.starts_with("  0 1 2 3 4\n0 R R . . .\n1 "), "{shown}");
    rules.close();
}

#[test]
#[ignore = "slow"]
fn agents_are_told_what_their_course_told_them() {
    let mut rules = needed!(rules(&stand_in()));
    let folder = root().join("tests/agents/comp30024-2025");
    let agents = [(folder.as_path(), "checks_what_it_is_told.py"); 2];
    let (end, logs) = game(&mut rules, "comp30024-2025", agents, &stand_in(), 1);
    let End::ByRules { actions, .. } = end else {
        panic!("{logs:?}");
    };
    assert_eq!(actions[0], "place:0-1:0-0");
    for log in logs {
        let told = |turn| log.contains(&format!(" of turn {turn}\n"));
        assert!(!log.contains("raised"), "{log}");
        assert!(told(actions.len() - 1) && !told(actions.len()), "{log}");
    }
    rules.close();
    // As it was sent, and without a clock with the course's time.
    let prints = "checks_what_it_is_told.py:Prints";
    let mut agent = Agent::start("comp30024-2025", &folder, prints, &stand_in());
    agent.begin("mosses", "blue", 1);
    assert_eq!(agent.ask("act none none"), "grow");
    let sent = [
        ("[Down.Up]", "list"),
        ("[Down]", "list"),
        ("(Down)", "tuple"),
        ("Down", "Direction"),
    ];
    for (directions, _) in sent {
        agent.tell(&format!("did red hop:0-1:{directions}"));
    }
    agent.ask("act none none");
    let log = agent.end("end none crash");
    let told = log.lines().filter(|line| line.starts_with("told "));
    let expected = sent.map(|(_, held)| format!("told HopAction {held} True"));
    assert_eq!(told.collect::<Vec<_>>(), expected, "{log}");
}

#[test]
#[ignore = "slow"]
fn an_agent_that_returns_no_action_hears_why() {
    let mut rules = needed!(rules(&stand_in()));
    let folder = root().join("tests/agents/comp30024-2025");
    let examples = adapters().join("examples");
    let mut played = |class: &str| {
        let package = format!("checks_what_it_is_told.py:{class}");
        let agents = [
            (folder.as_path(), package.as_str()),
            (&examples, "wanderer_2025"),
        ];
        game(&mut rules, "comp30024-2025", agents, &stand_in(), 1)
    };
    for row in [
        "ReturnsNone | a method that ends without `return`",
        "ReturnsText | GrowAction or HopAction or PlaceAction; this is a str",
        "ReturnsPairs | expected a Coord",
        "ReturnsHalves | coordinates are whole numbers",
        "ReturnsNoDirection | one or more of Direction",
        "ReturnsACell | one or more of Direction; this is a referee.game.coord.Coord",
    ] {
        let [class, words] = columns(row);
        let (end, logs) = played(class);
        match end {
            End::NoAction(answer) => assert!(answer.contains(words), "{class}: {answer}"),
            _ => panic!("{class}: {logs:?}"),
        }
    }
    let too_much = "MB beside Python and numpy, and the course's limit is 250 MB";
    for (class, words) in [
        ("Raises", "action() raised KeyError"),
        ("Reserves", too_much),
    ] {
        let (end, [log, _]) = played(class);
        assert!(matches!(end, End::NoAction(answer) if answer.is_empty()));
        assert!(log.contains(words), "{log}");
    }
    // A list of directions is as good as a tuple, as in the course; the board judges it.
    let (end, logs) = played("ReturnsAList");
    match end {
        End::Refused(refusal) => assert!(refusal.words.contains("no stone of RED"), "{refusal:?}"),
        _ => panic!("{logs:?}"),
    }
    rules.close();
}

/// With the course's own package where `COMP30024` names it.
#[test]
#[ignore = "slow"]
fn wanderers_play_the_package_of_a_course() {
    let package = std::env::var("COMP30024").map_or_else(|_| stand_in(), PathBuf::from);
    let course = std::env::var("COMP30024_COURSE").unwrap_or("comp30024-2025".to_owned());
    let (mut rules, mut other) = (needed!(rules(&package)), needed!(rules(&package)));
    let examples = adapters().join("examples");
    let agents = [(examples.as_path(), "wanderer_2025"); 2];
    for seed in 1..=3 {
        let (end, logs) = game(&mut rules, &course, agents, &package, seed);
        let End::ByRules { actions, digest } = end else {
            panic!("{logs:?}");
        };
        rules_program::turn(other.new_game(seed, 2, &[]));
        for (ply, action) in actions.iter().enumerate() {
            let turn = other.play(&[((ply % 2) as u8, action)]);
            rules_program::turn(turn);
        }
        assert_eq!(other.answers(), digest);
        let (name, actions) = (&rules.hello().name, actions.len());
        println!("{name}: a game of {actions} actions is the same when played again");
    }
    rules.close();
    other.close();
}

#[test]
#[ignore = "slow"]
fn the_configuration_of_2025_plays_its_games() {
    needed!(python());
    let run = TestRun::new("");
    let config = root().join("configs/comp30024-2025.toml");
    let check = format!("check --config {} --player wanderer", config.display());
    let alone = run.referee(&check);
    assert_eq!(alone.exit, 2, "{alone:?}");
    assert_has!(alone.stderr, "--against names the opponent");
    let checked = run.referee(&format!("{check} --against another")).ok();
    let good = " 0 warn, 0 failed, 0 skipped\n";
    assert!(checked.ends_with(good), "{checked}");
    run.referee(&format!("run {} --out out -j 2", config.display()))
        .done();
    let rows = run.rows();
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert_eq!(row["termination"], "rules", "{row:?}");
    }
    run.referee("verify out").done();
    let check = |program: &str| {
        let program = examples().join(program).display().to_string();
        run.referee(&format!("game check \"python3 {program}\" --run out"))
    };
    let package = stand_in();
    let checked = check(&format!("comp30024.py {}", package.display())).ok();
    assert_has!(checked, " 2 recorded games to their end");
    let good = " 8 ok, 0 warn, 0 failed, 1 skipped\n";
    assert!(checked.ends_with(good), "{checked}");
    let words = "option `--run with games of mosses`: expected a run of connect-four";
    check("connect_four.py").fails(2, words);
    copy_folder(&package, &run.path("small"));
    let constants = "small/referee/game/constants.py";
    let smaller = run.read(constants).replace("BOARD_N = 5", "BOARD_N = 3");
    run.write(constants, &smaller);
    let changed = check("comp30024.py small");
    assert_eq!(changed.exit, 1, "{changed:?}");
    let said = ", which was played in the run, is refused: ";
    assert_has!(changed.stdout, said);
}
