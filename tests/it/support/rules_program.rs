//! Rules programs, started as the harness starts them, and games that they play.

use std::path::{Path, PathBuf};

use referee::bot::{Confinement, Launch, OutputLimits, Process};
use referee::game::{BUILT_IN, Chance, Games, RulesFault};
use referee::random::Stream;
use referee::rules::{Answer, Deadlines, Next, Program, Programs, SeatNames, Turn};
use tempfile::TempDir;

use super::host::supervisor;
use super::program::root;
use super::python::python;

static PROGRAMS: Programs = Programs::new(BUILT_IN, || Ok(supervisor()));

/// Starts a bot as a run does in the tier `containment`.
pub fn start_bot(launch: &Launch) -> Process {
    let (limits, confinement) = (OutputLimits::default(), Confinement::default());
    Process::start(launch, limits, &supervisor(), &confinement).expect("it starts")
}

/// All games: built in, and of rules programs.
pub fn all_games() -> Games {
    BUILT_IN.with_programs(&PROGRAMS)
}

pub fn start(
    program: &str,
    args: &[&str],
    dir: &Path,
    deadlines: Deadlines,
) -> Result<Program, RulesFault> {
    let launch = Launch {
        program: program.into(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        dir: Some(dir.to_owned()),
        ..Launch::default()
    };
    let supervisor = supervisor();
    let confinement = Confinement::default();
    Program::start(&launch, deadlines, &supervisor, &confinement, None)
}

pub fn examples() -> PathBuf {
    root().join("examples/rules")
}

/// An example in Python; `None` where there is no Python.
pub fn example(file: &str) -> Option<Program> {
    python()?;
    let started = start("python3", &[file], &examples(), Deadlines::default());
    Some(started.expect("a rules program"))
}

/// A game by the helper `game.py`; `None` where there is no Python.
pub fn by_helper(body: &str) -> Option<(TempDir, Program)> {
    python()?;
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!("from game import *\n\n{body}\n\nserve(mine)\n");
    std::fs::write(folder.path().join("mine.py"), text).expect("written");
    std::fs::copy(examples().join("game.py"), folder.path().join("game.py")).expect("copied");
    let program = start("python3", &["mine.py"], folder.path(), Deadlines::default());
    Some((folder, program.expect("a hello")))
}

/// The log of such a game, which ended by a mistake that `play` comes to.
pub fn mistaken(
    body: &str,
    play: impl FnOnce(&mut Program) -> Result<Answer, RulesFault>,
) -> Option<String> {
    let (_folder, mut program) = by_helper(body)?;
    let fault = play(&mut program).expect_err(body);
    assert!(matches!(fault, RulesFault::Ended(_)), "{body}: {fault}");
    let log = program.take_log().text();
    Some(String::from_utf8_lossy(&log).into_owned())
}

/// The turn of an answer, which must be no refusal.
#[track_caller]
pub fn turn(answer: Result<Answer, RulesFault>) -> Turn {
    let turn = match answer.expect("an answer") {
        Answer::Turn(turn) => Ok(turn),
        Answer::Refused(refusal) => Err(refusal),
    };
    turn.expect("no refusal")
}

/// Begins a game of the fewest seats with these options and the default values of all others.
#[track_caller]
pub fn begin(program: &mut Program, seed: u64, options: &[(&str, &str)]) -> Turn {
    turn(begin_anyhow(program, seed, options))
}

/// Asks for a game of the fewest seats, which the program may refuse.
pub fn begin_anyhow(
    program: &mut Program,
    seed: u64,
    options: &[(&str, &str)],
) -> Result<Answer, RulesFault> {
    begin_with(program, fewest_seats(program), seed, options)
}

/// The number of seats, or the fewest.
pub fn fewest_seats(program: &Program) -> u8 {
    match &program.hello().seats {
        SeatNames::Named(names) => u8::try_from(names.len()).expect("few seats"),
        SeatNames::Range { least, .. } => *least,
    }
}

/// Asks for a game of this number of seats, which the program may refuse.
pub fn begin_with(
    program: &mut Program,
    seats: u8,
    seed: u64,
    options: &[(&str, &str)],
) -> Result<Answer, RulesFault> {
    let all = &program.hello().options;
    for (key, _) in options {
        assert!(all.iter().any(|option| option.key == *key), "{key}");
    }
    let values: Vec<(String, String)> = all
        .iter()
        .map(|option| {
            let given = options.iter().find(|(key, _)| *key == option.key);
            let value = given.map_or(option.default.as_str(), |(_, value)| value);
            (option.key.clone(), value.to_owned())
        })
        .collect();
    program.new_game(seed, seats, &values)
}

pub struct Played {
    /// The answer to `new`, and to each ply.
    pub turns: Vec<Turn>,
    pub plies: Vec<Vec<(u8, String)>>,
    /// The digest after `new`, and after each ply.
    pub digests: Vec<String>,
}

impl Played {
    #[track_caller]
    pub fn end(&self) -> (Vec<String>, &str) {
        let end = match &self.turns.last().expect("a turn").next {
            Next::End { points, reason } => Ok((points, reason)),
            Next::Act(seats) => Err(seats),
        };
        let (points, reason) = end.expect("an end");
        (points.iter().map(ToString::to_string).collect(), reason)
    }
}

#[track_caller]
pub fn play_at_random(program: &mut Program, seed: u64, options: &[(&str, &str)]) -> Played {
    let mut chance = Stream::new(seed, 0);
    let mut played = Played {
        turns: vec![begin(program, seed, options)],
        plies: Vec::new(),
        digests: vec![program.answers()],
    };
    while let Some(Next::Act(seats)) = played.turns.last().map(|turn| turn.next.clone()) {
        assert!(played.plies.len() < 2000, "the game has no end");
        let choose = |seat: u8| {
            let legal = program.legal(seat).expect("a list");
            let count = u32::try_from(legal.len()).expect("a short list");
            (seat, legal[chance.below(count) as usize].clone())
        };
        let actions: Vec<(u8, String)> = seats.into_iter().map(choose).collect();
        played.turns.push(play(program, &actions));
        played.plies.push(actions);
        played.digests.push(program.answers());
    }
    played
}

#[track_caller]
pub fn play(program: &mut Program, actions: &[(u8, String)]) -> Turn {
    let actions: Vec<(u8, &str)> = actions
        .iter()
        .map(|(seat, action)| (*seat, action.as_str()))
        .collect();
    turn(program.play(&actions))
}
