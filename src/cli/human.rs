//! A person at the terminal as a player.

use std::cell::RefCell;
use std::io::BufRead;
use std::rc::Rc;
use std::time::Instant;

use super::print;
use crate::player::{Double, Fault, Player, Reply};
use crate::protocol::{READY, ToBot, VERSION};

/// A person who is asked on stdin until an action is one of `legal`, those that are legal now.
pub(super) fn human(legal: Rc<RefCell<Vec<String>>>) -> impl Player {
    let mut seat = String::new();
    Double::new(move |told: &[String]| {
        let asked = Instant::now();
        let answer = match told.last().map(|line| ToBot::parse(line)) {
            Some(Ok(ToBot::Hello { .. })) => Ok(format!("bot {VERSION} human")),
            Some(Ok(ToBot::Start(start))) => {
                seat = start.seat.to_owned();
                Ok(READY.to_owned())
            }
            _ => action(&seat, &legal.borrow()),
        };
        match answer {
            Ok(answer) => Reply::Line(answer, asked.elapsed()),
            Err(fault) => Reply::Fault(fault),
        }
    })
}

fn action(seat: &str, legal: &[String]) -> Result<String, Fault> {
    loop {
        // A closed stdout shows at the next read: the person is gone then too.
        let _ = print(&format!("{seat} (? for help)> "));
        let mut answer = String::new();
        let read = std::io::stdin().lock().read_line(&mut answer);
        if read.map_err(Fault::Machine)? == 0 {
            return Err(Fault::Left);
        }
        answer.truncate(answer.trim_end().len());
        if legal.contains(&answer) {
            return Ok(answer);
        }
        let near: Vec<&str> = legal
            .iter()
            .map(String::as_str)
            .filter(|action| answer.len() > 1 && action.starts_with(answer.as_str()))
            .collect();
        let _ = print(&match (answer.as_str(), near.is_empty()) {
            ("" | "?", _) => format!("legal: {}\n", legal.join(" ")),
            (start, false) => format!(
                "legal actions that begin with `{start}`: {}\n",
                near.join(" ")
            ),
            (other, true) => format!("`{other}` is not legal now; ? lists the legal actions\n"),
        });
    }
}
