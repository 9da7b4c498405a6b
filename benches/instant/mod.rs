//! Bots that play by script, and their games through the referee.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::time::Duration;

use referee::clock::TimeControl;
use referee::game::{Game, Setup};
use referee::player::{Confinement, Launch, OutputLimits, Process, Supervisor};
use referee::random::Stream;
use referee::record::GameLog;
use referee::referee::{Adjudication, GameEnd, GameSpec, Participant, SeatTerms, play};

/// Plays every second action of a script, and thinks before each, given how many were played in the game.
pub fn serve(script: &str, mut think: impl FnMut(usize)) {
    // A bare bot is to be scheduled as supervised ones are, which have sessions of their own.
    let _ = rustix::process::setsid();
    let actions: Vec<&str> = script.split(' ').collect();
    let mut next = 0;
    let mut input = BufReader::new(stdin().lock());
    let mut output = stdout().lock();
    let mut line = String::new();
    let mut answer = String::new();
    while input.read_line(&mut line).is_ok_and(|count| count > 0) {
        answer.clear();
        if line.starts_with("act") {
            think(next / 2);
            let _ = writeln!(answer, "{}", actions[next]);
            next = (next + 2) % (actions.len() & !1);
        } else if line.starts_with("start") {
            next = usize::from(line.contains(" black "));
            answer.push_str("ready\n");
        } else if line.starts_with("referee") {
            answer.push_str("bot 1 instant\n");
        } else if line.starts_with("quit") {
            return;
        }
        if !answer.is_empty() && output.write_all(answer.as_bytes()).is_err() {
            return;
        }
        line.clear();
    }
}

/// This program once more, with arguments by which it knows that it is to be a bot.
pub fn launch(args: &[&str]) -> Launch {
    Launch {
        program: std::env::current_exe().expect("this program"),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        dir: None,
        env: Vec::new(),
    }
}

/// As where processor time decides nothing.
pub fn uncounted() -> Confinement {
    Confinement {
        cpu_counter: false,
        ..Confinement::default()
    }
}

pub fn supervisor() -> Supervisor {
    Supervisor {
        program: env!("CARGO_BIN_EXE_referee").into(),
    }
}

pub fn supervised(launch: &Launch, confinement: &Confinement) -> Process {
    let limits = OutputLimits::default();
    Process::supervised(launch, limits, &supervisor(), confinement).expect("the bot starts")
}

/// One game through the referee, with everything a tournament does in a ply.
pub fn referee_game(players: &mut [Participant<Process>; 2]) -> GameEnd {
    let mut chance = Stream::new(1, 0);
    let mut position = Setup::new(Game::WatchYourBack).start(&mut chance);
    let mut log = GameLog::new(Game::WatchYourBack);
    let [first, second] = players;
    let end = play(
        &GameSpec {
            game: Game::WatchYourBack,
            options: &[],
            bot_seeds: [0, 0],
            opening_plies: 0,
            adjudication: Adjudication::default(),
            terms: [SeatTerms {
                time: &TimeControl {
                    per_game: Some(Duration::from_secs(60)),
                    wall_cap: Duration::from_secs(60),
                    ..TimeControl::default()
                },
                handshake: Duration::from_secs(10),
                start: Duration::from_secs(10),
            }; 2],
        },
        position.as_mut(),
        [first, second],
        &mut chance,
        &mut log,
    )
    .expect("a game that counts");
    assert!(log.into_bytes().len() > end.plies as usize);
    end
}

pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
