//! Speaks `rules 1` on stdin and stdout. The game is in `rules.rs`.

mod rules;

use std::io::{self, BufRead, Write};

use rules::{Game, HELLO};

fn main() -> io::Result<()> {
    let (mut game, mut stdout) = (None, io::stdout());
    for line in io::stdin().lock().lines() {
        let Some(answer) = answer(&mut game, &line?) else {
            break;
        };
        writeln!(stdout, "{answer}")?;
        stdout.flush()?;
    }
    Ok(())
}

/// The answer to a request; `None` for `quit`.
fn answer(game: &mut Option<Game>, request: &str) -> Option<String> {
    let (word, rest) = request.split_once(' ').unwrap_or((request, ""));
    let (first, action) = rest.split_once(' ').unwrap_or((rest, ""));
    let seat = first.parse().unwrap_or(usize::MAX);
    Some(match (word, game) {
        ("rules", _) => format!("{HELLO}\nok"),
        ("new", game) => match Game::new(&|key| option(rest, key)) {
            Ok(new) => turn(game.insert(new)),
            Err(refusal) => refusal,
        },
        ("play", Some(game)) => match game.play(seat, action) {
            Ok(()) => turn(game),
            Err(refusal) => refusal,
        },
        ("legal", Some(game)) => format!("{}\nok", can(game, seat)),
        ("show", Some(game)) => format!("{}\nok", game.show()),
        _ => return None,
    })
}

/// The value of an option, and of `seed`.
fn option<'a>(fields: &'a str, key: &str) -> Option<&'a str> {
    let mut pairs = fields.split(' ').filter_map(|field| field.split_once('='));
    pairs.find(|(name, _)| *name == key).map(|(_, value)| value)
}

fn can(game: &Game, seat: usize) -> String {
    let mut line = format!("can {seat}");
    for action in game.legal(seat) {
        line += " ";
        line += &action;
    }
    line
}

/// The continuation, with the actions on offer.
fn turn(game: &Game) -> String {
    match game.end() {
        Some(end) => format!("{end}\nok"),
        None => format!("{}\nact {}\nok", can(game, game.seat), game.seat),
    }
}
