//! A person at the terminal as a player.

use std::cell::RefCell;
use std::io::BufRead;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::print;
use crate::clock::{Spent, Wait};
use crate::player::{Contention, Fault, Log, Player};
use crate::protocol::{READY, ToBot, VERSION};

/// Asks for actions on stdin until one is legal.
pub(super) struct Human {
    legal: Rc<RefCell<Vec<String>>>,
    seat: String,
    asked_to: Request,
}

/// What the referee asked for last.
enum Request {
    Hello,
    Start,
    Act,
}

impl Human {
    /// A person who may ask for `legal`, the actions that are legal now.
    pub fn new(legal: Rc<RefCell<Vec<String>>>) -> Self {
        Self {
            legal,
            seat: String::new(),
            asked_to: Request::Hello,
        }
    }

    fn action(&self, answer: &mut String) -> Result<(), Fault> {
        let legal = self.legal.borrow();
        loop {
            // A closed stdout shows at the next read: the person is gone then too.
            let _ = print(&format!("{} (? for help)> ", self.seat));
            answer.clear();
            let read = std::io::stdin().lock().read_line(answer);
            if read.map_err(Fault::Machine)? == 0 {
                return Err(Fault::Left);
            }
            answer.truncate(answer.trim_end().len());
            if legal.contains(answer) {
                return Ok(());
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
}

impl Player for Human {
    fn tell(&mut self, message: &ToBot<'_>) {
        match message {
            ToBot::Hello { .. } => self.asked_to = Request::Hello,
            ToBot::Start(start) => {
                self.seat = start.seat.to_owned();
                self.asked_to = Request::Start;
            }
            ToBot::Act { .. } => self.asked_to = Request::Act,
            ToBot::Did { .. } | ToBot::End { .. } | ToBot::Quit => {}
        }
    }

    fn flush(&mut self) {}

    fn request(&mut self) {}

    fn answer(&mut self, _wait: Wait, answer: &mut String) -> Result<Spent, Fault> {
        let asked = Instant::now();
        match self.asked_to {
            Request::Hello => *answer = format!("bot {VERSION} human"),
            Request::Start => READY.clone_into(answer),
            Request::Act => self.action(answer)?,
        }
        Ok(Spent {
            wall: asked.elapsed(),
            cpu: Duration::ZERO,
            idle_cpu: Duration::ZERO,
        })
    }

    fn contention(&mut self) -> Contention {
        Contention::default()
    }

    fn take_log(&mut self) -> Log {
        Log::default()
    }

    fn out_of_step(&mut self) -> bool {
        false
    }

    fn peak_kib(&mut self) -> Option<u64> {
        None
    }

    fn dismiss(&mut self) {}

    fn close(&mut self, _grace: Duration) {}
}
