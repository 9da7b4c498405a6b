//! Whether a turn has the lines that the hello promises, and whether lists are well formed.

use super::conversation::acting;
use super::problems as problem;
use super::session::{RulesSession, StepFailure};
use crate::game::NewsLine;
use crate::rules::{Actions, Turn};

/// Looks at the lines of a turn. `actions` led to it; none did after `new`.
pub fn check_turn(session: &mut RulesSession, actions: &Actions, turn: &Turn) {
    let has = session.hello().has;
    if has.score && turn.score.is_none() {
        session.report(problem::NO_SCORE, &[]);
    }
    let acting = acting(turn);
    for (seat, offered) in &turn.offers {
        if !acting.contains(seat) && !offered.is_empty() {
            session.report(problem::OFFER_TO_OTHER, &[("seat", seat)]);
        }
    }
    let mut idle = acting.iter().filter(|seat| offers(turn, **seat).is_empty());
    if has.offers
        && let Some(seat) = idle.next()
    {
        session.report(problem::NO_OFFER, &[("seat", seat)]);
    }
    let mut news = turn.news.iter();
    if has.hidden || !news.any(|(_, line)| matches!(line, NewsLine::Did { .. })) {
        return;
    }
    for (seat, action) in actions {
        let is_told = |line: &NewsLine| matches!(line, NewsLine::Did { seat: of, action: told, .. } if of.number() == *seat && told == action);
        if !turn.news.iter().any(|(_, line)| is_told(line)) {
            session.report(problem::WRONG_NEWS, &[("seat", seat), ("action", action)]);
        }
    }
}

fn offers(turn: &Turn, seat: u8) -> Vec<String> {
    let offers = turn.offers.iter().filter(|(of, _)| *of == seat);
    offers.flat_map(|(_, some)| some.iter().cloned()).collect()
}

/// The actions of a seat that acts, by `legal` or by what the turn offers.
pub fn list(session: &mut RulesSession, turn: &Turn, seat: u8) -> Result<Vec<String>, StepFailure> {
    let offered = offers(turn, seat);
    if !session.hello().has.legal {
        return Ok(offered);
    }
    let legal = session.legal(seat)?;
    if legal.is_empty() {
        session.report(problem::LEGAL_EMPTY, &[("seat", &seat)]);
    }
    if !offered.is_empty() && offered != legal {
        session.report(problem::OFFER_DIFFERS, &[("seat", &seat)]);
    }
    let mut sorted: Vec<&String> = legal.iter().collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let values: [problem::Value<'_>; 2] = [("seat", &seat), ("action", pair[0])];
        session.report(problem::LEGAL_DOUBLE, &values);
    }
    Ok(legal)
}

/// Asks for everything at a position: `legal` once more, `legal` of seats that do not act, and all boards.
pub fn ask_everything(
    session: &mut RulesSession,
    turn: &Turn,
    lists: &[(u8, Vec<String>)],
    seats: u8,
) -> Result<(), StepFailure> {
    if session.hello().has.legal {
        for (seat, first) in lists {
            if session.legal(*seat)? != *first {
                session.report(problem::LEGAL_CHANGES, &[("seat", seat)]);
            }
        }
        for seat in (0..seats).filter(|seat| !acting(turn).contains(seat)) {
            if !session.legal(seat)?.is_empty() {
                session.report(problem::LEGAL_OF_OTHER, &[("seat", &seat)]);
            }
        }
    }
    for seat in 0..seats {
        session.show(Some(seat))?;
    }
    session.show(None).map(|_| ())
}
