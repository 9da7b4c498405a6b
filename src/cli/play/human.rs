//! A person at the terminal as a player.

use std::io::{BufRead, Read};
use std::sync::Arc;
use std::time::Instant;

use super::super::print;
use super::table::Table;
use crate::config::LONGEST_ROW;
use crate::game::AnyPosition;
use crate::player::{Double, Fault, Player, Reply};
use crate::protocol::{READY, ToBot, VERSION};
use crate::text::excerpt;

/// How many characters of what was typed are shown.
const EXCERPT: usize = 100;

const HELP: &str = "\
type an action, or its beginning to see how it can go on; Enter lists all legal actions; quit leaves the game
";

/// A person at `table` who is asked on stdin until an action is legal.
pub(super) fn human(table: Arc<Table>) -> impl Player {
    let mut seat = String::new();
    Double::new(move |told: &[String]| {
        let asked = Instant::now();
        let answer = match told.last().map(|line| ToBot::parse(line)) {
            Some(Ok(ToBot::Hello { .. })) => Ok(format!("bot {VERSION} human")),
            Some(Ok(ToBot::Start(start))) => {
                seat = start.seat.to_owned();
                Ok(READY.to_owned())
            }
            _ => action(&seat, table.position().as_mut()),
        };
        match answer {
            Ok(answer) => Reply::Line(answer, asked.elapsed()),
            Err(fault) => Reply::Fault(fault),
        }
    })
}

fn action(seat: &str, position: &mut dyn AnyPosition) -> Result<String, Fault> {
    let legal = position.legal();
    loop {
        // A closed stdout shows at the next read: the person is gone then too.
        let _ = print(&format!("{seat} (? for help)> "));
        let mut answer = String::new();
        let read = std::io::stdin()
            .lock()
            .take(LONGEST_ROW as u64)
            .read_line(&mut answer);
        if read.map_err(Fault::Machine)? == 0 {
            return Err(Fault::Left);
        }
        let answer = answer.trim();
        if legal.iter().any(|action| action == answer) {
            return Ok(answer.to_owned());
        }
        let _ = print(&match answer {
            "quit" | "exit" => return Err(Fault::Left),
            "?" | "help" => format!("{HELP}legal: {}\n", legal.join(" ")),
            "" => format!("legal: {}\n", legal.join(" ")),
            other => refused(other, &legal, position),
        });
    }
}

/// What to say of text that is not a legal action: how it can go on, or the rule that it breaks.
fn refused(typed: &str, legal: &[String], position: &mut dyn AnyPosition) -> String {
    let begins = |action: &&String| typed.len() > 1 && action.starts_with(typed);
    let near: Vec<&str> = legal.iter().filter(begins).map(String::as_str).collect();
    let shown = excerpt(typed, EXCERPT);
    if !near.is_empty() {
        let near = near.join(" ");
        return format!("legal actions that begin with `{shown}`: {near}\n");
    }
    // What is not legal changes nothing in the position.
    match position.act(typed, &mut String::new()) {
        Err(refusal) => format!("`{shown}` is {refusal}; Enter lists the legal actions\n"),
        Ok(()) => String::new(),
    }
}
