//! Games that hide something, whose rules are a program: a player hears what the rules address to its seat, and can read
//! nothing else. `WRAPPED_PYTHON` names the Python that has OpenSpiel.

use std::path::Path;

use referee::game::{NewsLine, Seat};
use referee::rules::{Answer, Deadlines, Next, Program, Turn};

use crate::support::python::{python, python_with};
use crate::support::{Table, TestRun, examples, landlock_holds, root, skip, start, turn};

const PYTHON: &str = "/usr/bin/python3";

const GAMES: usize = 4;

/// The folder of the bot that writes down all that it hears and can read, and of the rules that offer actions.
fn told() -> std::path::PathBuf {
    root().join("tests/agents/told")
}

fn rules<'a>(python: &'a str, requests: &'a str, program: &[&'a str]) -> Vec<String> {
    let recorder = told().join("rules.py").display().to_string();
    let words = [&[python, &recorder, requests, python], program].concat();
    words.into_iter().map(str::to_owned).collect()
}

/// Plays games in which both players write down all that they hear.
fn played(command: &[String]) -> TestRun {
    let run = TestRun::new("");
    let (out, bot) = (run.out(), told());
    let player = |name: &str| {
        format!(
            "[[player]]\nname = \"{name}\"\ndir = {bot:?}\ncommand = [\"{PYTHON}\", \"bot.py\", {out:?}, {:?}]\n",
            examples()
        )
    };
    run.configure(&format!(
        "seed = 11\n[game]\nrules = {command:?}\ndir = {:?}\n[format]\nkind = \"round-robin\"\n\
         games-per-pairing = {GAMES}\n[limits]\nisolation = \"landlock\"\n[report]\npages = false\n{}{}",
        examples(),
        player("a"),
        player("b")
    ));
    run.play(&["-j", "1", "--spread"]);
    run
}

/// A line of a turn, as the seat hears it; `None` if it does not.
fn heard((to, line): &(Option<Seat>, NewsLine), seat: u8, names: &[String]) -> Option<String> {
    match line {
        NewsLine::Did {
            seat,
            action,
            public,
        } => {
            let line = format!("did {} {action} {public}", names[seat.index()]);
            Some(line.trim_end().to_owned())
        }
        NewsLine::See(_) if to.is_some_and(|to| to.number() != seat) => None,
        NewsLine::See(words) => Some(format!("see {words}")),
    }
}

fn hear(turn: &Turn, seat: u8, names: &[String], lines: &mut Vec<String>) {
    lines.extend(turn.news.iter().filter_map(|news| heard(news, seat, names)));
    if matches!(&turn.next, Next::Act(seats) if seats.contains(&seat)) {
        let offers = turn.offers.iter().filter(|(to, _)| *to == seat);
        let actions: Vec<&str> = offers
            .flat_map(|(_, actions)| actions.iter().map(String::as_str))
            .collect();
        lines.push(format!("can {}", actions.join(" ")));
        lines.push("act none none".to_owned());
    }
}

/// A game that was asked for: its seed, and the actions of each ply.
#[derive(Debug, Default)]
struct Asked {
    seed: u64,
    plies: Vec<Vec<(u8, String)>>,
}

/// The games in the requests to a rules program.
fn asked(requests: &str) -> Vec<Asked> {
    let mut games: Vec<Asked> = Vec::new();
    let mut ply = Vec::new();
    for line in requests.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match (words.as_slice(), games.last_mut()) {
            (["new", seed, ..], _) => games.push(Asked {
                seed: seed["seed=".len()..].parse().expect("a number"),
                plies: Vec::new(),
            }),
            ([word @ ("with" | "play"), seat, action], Some(game)) => {
                ply.push((seat.parse().expect("a seat"), (*action).to_owned()));
                if *word == "play" {
                    game.plies.push(std::mem::take(&mut ply));
                }
            }
            _ => {}
        }
    }
    // Before the first game, its options are tried.
    games.retain(|game| !game.plies.is_empty());
    games
}

fn logged(log: &Table, names: &[String]) -> Vec<(u8, String)> {
    let seat = |name: &String| names.iter().position(|it| it == name).expect("a seat") as u8;
    log.iter()
        .map(|row| (seat(&row["seat"]), row["action"].clone()))
        .collect()
}

/// Plays a game by the rules alone. Gives what each seat hears.
fn recomputed(program: &mut Program, game: &Asked, names: &[String]) -> [Vec<String>; 2] {
    let options = program.hello().options.clone().into_iter();
    let options: Vec<(String, String)> = options.map(|it| (it.key, it.default)).collect();
    let answer = |answer: Result<Answer, _>| turn(answer);
    let mut turns = vec![answer(program.new_game(game.seed, 2, &options))];
    for ply in &game.plies {
        let actions: Vec<(u8, &str)> = ply.iter().map(|(seat, it)| (*seat, it.as_str())).collect();
        turns.push(answer(program.play(&actions)));
    }
    [0, 1].map(|seat| {
        let mut lines = Vec::new();
        for turn in &turns {
            hear(turn, seat, names, &mut lines);
        }
        lines
    })
}

/// What both players wrote down is what the rules told their seats, and nothing else.
fn nothing_else_is_heard(python: &str, program: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let requests = folder.path().join("requests");
    let run = played(&rules(python, &requests.display().to_string(), program));
    let games = asked(&std::fs::read_to_string(&requests).expect("requests"));
    assert_eq!(games.len(), GAMES, "{program:?}");
    let again = folder.path().join("again").display().to_string();
    let command = rules(python, &again, program);
    let args: Vec<&str> = command[1..].iter().map(String::as_str).collect();
    let mut apart =
        start(&command[0], &args, &examples(), Deadlines::default()).expect("a rules program");
    let names = apart.hello().seats.of(2).expect("two seats");
    let mut lines = 0;
    for (id, game) in games.iter().enumerate() {
        let row = &run.rows()[id];
        assert_eq!(row["termination"], "rules", "{row:?}");
        assert_eq!(logged(&run.plies(id), &names), game.plies.concat());
        let told = recomputed(&mut apart, game, &names);
        for (name, expected) in names.iter().zip(told) {
            let path = run.out().join(format!("stderr/0000/{id:06}-{name}.log"));
            lines += is_all(&path, &expected, game.seed, row["reason"].as_str());
        }
    }
    apart.close();
    println!("{program:?}: {GAMES} games, {lines} lines, each addressed to the seat that heard it");
}

/// Checks what a bot wrote down in a game. Gives the number of lines.
fn is_all(log: &Path, expected: &[String], seed: u64, reason: &str) -> usize {
    let text = std::fs::read_to_string(log).expect("a log");
    let mut heard = Vec::new();
    for line in text.lines() {
        let line = line.strip_prefix("heard ");
        let line = line.unwrap_or_else(|| unreachable!("{}: {text}", log.display()));
        assert!(!line.contains(&seed.to_string()), "{line}");
        match line.split(' ').next() {
            Some("see" | "did" | "can" | "act") => heard.push(line.to_owned()),
            Some("end") => assert!(line.ends_with(&format!(" rules {reason}")), "{line}"),
            word => assert!(matches!(word, Some("referee" | "start" | "quit")), "{line}"),
        }
    }
    assert_eq!(heard, expected, "{}", log.display());
    heard.len()
}

fn is_possible() -> bool {
    let is_there = Path::new(PYTHON).exists();
    if !is_there {
        skip(PYTHON);
    }
    is_there && landlock_holds()
}

#[test]
fn a_player_of_phantom_tic_tac_toe_hears_what_its_seat_is_told() {
    if python().is_some() && is_possible() {
        nothing_else_is_heard("python3", &["phantom_tic_tac_toe.py"]);
    }
}

#[test]
#[ignore = "slow"]
fn a_player_of_a_hidden_game_of_openspiel_hears_what_its_seat_is_told() {
    let python = needed!(python_with("pyspiel"));
    needed!(is_possible().then_some(()));
    let games = "kuhn_poker leduc_poker liars_dice phantom_ttt dark_hex(board_size=3) \
        goofspiel(num_cards=4,imp_info=true)";
    for game in games.split(' ') {
        nothing_else_is_heard(&python, &["openspiel.py", "--game", game]);
    }
}
