//! A person at the terminal as a player.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use super::live_game::LiveGame;
use super::shown::COMMANDS;
use crate::bot::{Double, Fault, Player, Reply};
use crate::cli::output::{print, say};
use crate::game::{AnyPosition, News, RulesFault, Seat};
use crate::protocol::{READY, ToBot, VERSION};
use crate::text::excerpt;

/// Maximum characters shown of rejected input.
const EXCERPT: usize = 100;

/// A person who plays `live`, asked until an action is legal. The `start` message tells the seat.
pub(super) fn human(live: Arc<LiveGame>) -> impl Player {
    let mut seat = Seat::FIRST;
    Double::new(move |told: &[String]| {
        let asked = Instant::now();
        let answer = match told.last().map(|line| ToBot::parse(line)) {
            Some(Ok(ToBot::Hello { .. })) => Ok(format!("bot {VERSION} human")),
            Some(Ok(ToBot::Start(start))) => {
                // The referee names seats of the game that it plays.
                seat = live.game().seat_from_name(start.seat).unwrap_or(seat);
                Ok(READY.to_owned())
            }
            _ => action(seat, &live),
        };
        match answer {
            Ok(answer) => Reply::Line(answer, asked.elapsed()),
            Err(fault) => Reply::Fault(fault),
        }
    })
}

fn action(seat: Seat, live: &LiveGame) -> Result<String, Fault> {
    let failed = |fault: RulesFault| Fault::Machine(io::Error::other(fault));
    let mut position = live.position().map_err(failed)?;
    let legal = position.listed(seat).map_err(failed)?;
    let name = live.game().seat_name(seat);
    loop {
        let typed = live.line(&format!("{name} (? for help)> "));
        let Some(typed) = typed.map_err(Fault::Machine)? else {
            let _ = print("\n");
            return Err(Fault::Left);
        };
        let exact = typed.trim().to_owned();
        // Actions of built-in games are lower case.
        let answer = exact.to_lowercase();
        if let Some(action) = [&exact, &answer].into_iter().find(|it| legal.contains(it)) {
            return Ok(action.clone());
        }
        let listed = format!("legal: {}\n", legal.join(" "));
        let _ = say(&match answer.as_str() {
            "quit" | "exit" => return Err(Fault::Left),
            "undo" => match live.undo(seat) {
                Ok(()) => return Err(Fault::BrokenOff),
                Err(why) => format!("{why}\n"),
            },
            "?" | "help" => format!("{}\n{COMMANDS}\n{listed}", live.goal()),
            "" => listed,
            other => match refused([other, &exact], seat, &legal, position.as_mut()) {
                Some(words) => words,
                None => return Ok(exact),
            },
        });
    }
}

/// Message for text that is no listed action: its completions, or the rule that it breaks. `None` where rules that list
/// nothing accept it. The text is as it is matched, and as it was typed.
fn refused(
    [typed, exact]: [&str; 2],
    seat: Seat,
    legal: &[String],
    position: &mut dyn AnyPosition,
) -> Option<String> {
    let begins = |action: &&String| typed.len() > 1 && action.starts_with(typed);
    let near: Vec<&str> = legal.iter().filter(begins).map(String::as_str).collect();
    let shown = excerpt(typed, EXCERPT);
    if !near.is_empty() {
        let near = near.join(" ");
        return Some(format!("legal actions that begin with `{shown}`: {near}\n"));
    }
    // A refused action leaves the position unchanged.
    let refused = position.play_of(seat, exact, &mut News::default()).err()?;
    Some(format!(
        "`{shown}` is {refused}; Enter lists the legal actions\n"
    ))
}
