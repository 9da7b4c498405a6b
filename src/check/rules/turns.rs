//! Whether a turn has the lines that the hello promises, and whether lists are well formed.

use crate::check::rules::played::acting;
use crate::check::rules::report::{Check, Report, RulesFlaw};
use crate::check::rules::request::Actions;
use crate::check::rules::session::{RulesSession, StepFailure};
use crate::rules::{News, Refusal, Turn};

/// Looks at the lines of a turn. `actions` led to it; none did after `new`.
pub fn check_turn(session: &RulesSession<'_>, report: &mut Report, actions: &Actions, turn: &Turn) {
    let has = session.hello().has;
    let mut problems = Vec::new();
    if has.score && turn.score.is_none() {
        problems.push(RulesFlaw::NoScore);
    }
    let acting = acting(turn);
    for (seat, offered) in &turn.offers {
        if !acting.contains(seat) && !offered.is_empty() {
            problems.push(RulesFlaw::OfferToOther { seat: *seat });
        }
    }
    if has.offers {
        let is_offered = |seat: &u8| !offers(turn, *seat).is_empty();
        if let Some(seat) = acting.iter().find(|seat| !is_offered(seat)) {
            problems.push(RulesFlaw::NoOffer { seat: *seat });
        }
    }
    let tells = |news: &News| matches!(news, News::Did { .. });
    if !has.hidden && turn.news.iter().any(tells) {
        for (seat, action) in actions {
            let is_told = |news: &News| matches!(news, News::Did { seat: of, action: told, .. } if of == seat && told == action);
            if !turn.news.iter().any(is_told) {
                problems.push(RulesFlaw::WrongNews {
                    seat: *seat,
                    action: action.clone(),
                });
            }
        }
    }
    for problem in problems {
        report.add(session.finding(problem));
    }
}

/// The actions that a turn offers a seat.
pub fn offers(turn: &Turn, seat: u8) -> Vec<String> {
    let mut actions = Vec::new();
    for (of, some) in &turn.offers {
        if *of == seat {
            actions.extend(some.iter().cloned());
        }
    }
    actions
}

/// The actions of a seat that acts, by `legal` or by what the turn offers. Problems of the list go to the report.
pub fn list(
    session: &mut RulesSession<'_>,
    report: &mut Report,
    turn: &Turn,
    seat: u8,
) -> Result<Vec<String>, StepFailure> {
    let has = session.hello().has;
    let offered = offers(turn, seat);
    if !has.legal {
        return Ok(offered);
    }
    let legal = session.legal(seat)?;
    if legal.is_empty() {
        report.add(session.finding(RulesFlaw::LegalEmpty { seat }));
    }
    if !offered.is_empty() && offered != legal {
        report.add(session.finding(RulesFlaw::OfferDiffers { seat }));
    }
    let mut sorted: Vec<&String> = legal.iter().collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        report.add(session.finding(RulesFlaw::LegalDouble {
            seat,
            action: pair[0].clone(),
        }));
    }
    Ok(legal)
}

/// Asks for everything at a position: `legal` once more, `legal` of seats that do not act, and all boards.
pub fn ask_everything(
    session: &mut RulesSession<'_>,
    report: &mut Report,
    turn: &Turn,
    lists: &[(u8, Vec<String>)],
    seats: u8,
) -> Result<Option<String>, StepFailure> {
    if session.hello().has.legal {
        for (seat, first) in lists {
            if session.legal(*seat)? != *first {
                report.add(session.finding(RulesFlaw::LegalChanges { seat: *seat }));
            }
        }
        for seat in (0..seats).filter(|seat| !acting(turn).contains(seat)) {
            if !session.legal(seat)?.is_empty() {
                report.add(session.finding(RulesFlaw::LegalOfOther { seat }));
            }
        }
    }
    session.check = Check::Show;
    for seat in 0..seats {
        session.show(Some(seat))?;
    }
    Ok(session.show(None)?.state)
}

/// The problem of listed actions that are refused.
pub fn legal_refused(actions: &Actions, refusal: Refusal) -> RulesFlaw {
    let seat = refusal.seats.first().copied().unwrap_or_default();
    let action = actions.iter().find(|(of, _)| *of == seat);
    RulesFlaw::LegalRefused {
        seat,
        action: action.map(|(_, action)| action.clone()).unwrap_or_default(),
        words: refusal.words,
    }
}
