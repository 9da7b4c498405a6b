//! Whether all that is no legal action is refused, at sampled positions, and nothing is changed by that.

use super::progress::{Budget, Progress};
use crate::check::rules::played::{Played, acting, replies};
use crate::check::rules::report::{Check, RulesFlaw};
use crate::check::rules::request::{Actions, Request};
use crate::check::rules::session::{Exchange, RulesSession, StepFailure, acted, first_difference};
use crate::check::rules::spelling::{UNSENDABLE, nonsense, spellings};
use crate::rules::Answer;

/// Positions that are sampled.
const POSITIONS: usize = 12;

/// Actions of a list whose spellings are tried at a position.
const ACTIONS: usize = 4;

/// Plies after a refused action that are compared.
const PLIES_AFTER: usize = 40;

/// An action that must be refused, as part of a turn.
struct Wrong {
    actions: Actions,
    /// The seats whose actions are wrong.
    guilty: Vec<u8>,
    /// The problem if it is accepted.
    problem: RulesFlaw,
}

pub fn check(progress: &mut Progress<'_>) -> Result<(), StepFailure> {
    let mut session = progress.start(Check::Refused)?;
    let mut budget = Budget::new(progress.plan);
    let (mut refused, mut positions) = (0, 0);
    let mut sampled = progress.positions(POSITIONS);
    sampled.push((0, progress.games[0].steps.len()));
    for (game, ply) in sampled {
        let game = &progress.games[game];
        let wrong = wrong_actions(&mut session, game, ply)?;
        let mut is_clean = true;
        for wrong in &wrong {
            if !budget.charge(&mut session) {
                break;
            }
            refused += 1;
            if let Some(problem) = judge(&mut session, game, ply, wrong)? {
                progress.report.add(session.finding(problem));
                is_clean = false;
            }
        }
        if is_clean && let Some(problem) = change(&mut session, game, ply, &wrong)? {
            progress.report.add(session.finding(problem));
        }
        positions += 1;
        if !budget.charge(&mut session) {
            break;
        }
    }
    let unsendable = unsendable(progress)?;
    if progress.report.of(Check::Refused).next().is_none() {
        progress.report.facts.refused = Some((refused, positions));
        progress.report.facts.unsendable = unsendable;
    }
    Ok(())
}

/// Turns at a position that must be refused.
fn wrong_actions(
    session: &mut RulesSession<'_>,
    game: &Played,
    ply: usize,
) -> Result<Vec<Wrong>, StepFailure> {
    game.restore(session, ply)?;
    let acting = acting(game.turn(ply)).to_vec();
    let Some(step) = game.steps.get(ply) else {
        return Ok(after_end(game));
    };
    let mut wrong = Vec::new();
    if session.hello().has.legal {
        for seat in &acting {
            let list = session.legal(*seat)?;
            for (text, problem) in unlisted(*seat, &list) {
                let mut actions = step.actions.clone();
                let own = actions.iter_mut().find(|(of, _)| of == seat);
                own.into_iter()
                    .for_each(|(_, action)| action.clone_from(&text));
                wrong.push(Wrong {
                    actions,
                    guilty: vec![*seat],
                    problem,
                });
            }
        }
        if acting.len() > 1 {
            let text = "a".repeat(4096);
            let actions = acting.iter().map(|seat| (*seat, text.clone())).collect();
            let problem = RulesFlaw::Unlisted {
                seat: acting[0],
                action: text,
            };
            wrong.push(Wrong {
                actions,
                guilty: acting.clone(),
                problem,
            });
        }
    }
    for seat in (0..game.start.seats).filter(|seat| !acting.contains(seat)) {
        let action = step.actions[0].1.clone();
        wrong.push(Wrong {
            actions: vec![(seat, action)],
            guilty: vec![seat],
            problem: RulesFlaw::OtherSeat { seat },
        });
    }
    Ok(wrong)
}

/// The last action again, by each seat, after the end of the game.
fn after_end(game: &Played) -> Vec<Wrong> {
    let last = game.steps.last().and_then(|step| step.actions.first());
    let action = last.map(|(_, action)| action.clone()).unwrap_or_default();
    let wrong = |seat| Wrong {
        actions: vec![(seat, action.clone())],
        guilty: vec![seat],
        problem: RulesFlaw::AfterEnd { seat },
    };
    match action.is_empty() {
        true => Vec::new(),
        false => (0..game.start.seats).map(wrong).collect(),
    }
}

/// Texts that a list does not have, and the problem if one is accepted.
fn unlisted(seat: u8, list: &[String]) -> Vec<(String, RulesFlaw)> {
    let mut all = Vec::new();
    for action in list.iter().take(ACTIONS) {
        for spelling in spellings(action) {
            let problem = RulesFlaw::Spelling {
                seat,
                spelling: spelling.clone(),
                action: action.clone(),
            };
            all.push((spelling, problem));
        }
    }
    for text in nonsense() {
        let problem = RulesFlaw::Unlisted {
            seat,
            action: text.clone(),
        };
        all.push((text, problem));
    }
    all.retain(|(text, _)| !list.contains(text));
    all
}

/// The problem, if a wrong turn is accepted, or others than the guilty are named.
fn judge(
    session: &mut RulesSession<'_>,
    game: &Played,
    ply: usize,
    wrong: &Wrong,
) -> Result<Option<RulesFlaw>, StepFailure> {
    game.restore(session, ply)?;
    Ok(
        match session.answer(&Request::Play(wrong.actions.clone()))? {
            Answer::Turn(_) => Some(wrong.problem.clone()),
            Answer::Refused(refusal) if refusal.seats != wrong.guilty => {
                Some(RulesFlaw::WrongBlame {
                    guilty: wrong.guilty.clone(),
                    blamed: refusal.seats,
                })
            }
            Answer::Refused(_) => None,
        },
    )
}

/// The problem, if something differs after refused turns. The session has the conversation that shows it.
fn change(
    session: &mut RulesSession<'_>,
    game: &Played,
    ply: usize,
    wrong: &[Wrong],
) -> Result<Option<RulesFlaw>, StepFailure> {
    let rest = rest(session, game, ply);
    let expected = play_with(session, game, ply, &[], &rest)?;
    let all = play_with(session, game, ply, wrong, &rest)?;
    let Some((_, difference)) = first_difference(&expected, &all) else {
        return Ok(None);
    };
    for one in wrong {
        let rest_after = play_with(session, game, ply, std::slice::from_ref(one), &rest)?;
        if let Some((_, difference)) = first_difference(&expected, &rest_after) {
            return Ok(Some(RulesFlaw::RefusalChanges { difference }));
        }
    }
    play_with(session, game, ply, wrong, &rest)?;
    Ok(Some(RulesFlaw::RefusalChanges { difference }))
}

/// Requests after a position: lists and the board, and the game as it went on.
fn rest(session: &RulesSession<'_>, game: &Played, ply: usize) -> Vec<Request> {
    let mut requests = Vec::new();
    if session.hello().has.legal {
        requests.extend((0..game.start.seats).map(Request::Legal));
    }
    requests.push(Request::Show(None));
    let steps = game.steps[ply..].iter().take(PLIES_AFTER);
    requests.extend(steps.map(|step| Request::Play(step.actions.clone())));
    requests
}

/// Plays a game up to a ply, then wrong turns, then other requests. Returns these with their answers.
fn play_with(
    session: &mut RulesSession<'_>,
    game: &Played,
    ply: usize,
    wrong: &[Wrong],
    rest: &[Request],
) -> Result<Vec<Exchange>, StepFailure> {
    game.restore(session, ply)?;
    for wrong in wrong {
        session.ask(&Request::Play(wrong.actions.clone()))?;
    }
    replies(session, rest)?;
    let exchanges = session.exchanges();
    Ok(exchanges[exchanges.len() - rest.len()..].to_vec())
}

/// Sends actions that the harness never sends, so that neither a fault nor a turn is a problem. Returns both in words.
fn unsendable(progress: &mut Progress<'_>) -> Result<Option<String>, StepFailure> {
    let (mut taken, mut ends) = (Vec::new(), Vec::new());
    for (name, bytes) in UNSENDABLE {
        let mut session = progress.start(Check::Refused)?;
        let game = &progress.games[0];
        game.restore(&mut session, 0)?;
        let Some(step) = game.steps.first().filter(|step| step.actions.len() == 1) else {
            return Ok(None);
        };
        match session.accepts_bytes(acted(&step.actions)[0], bytes) {
            Ok(true) => taken.push(name),
            Ok(false) => {}
            Err(_) => ends.push(name),
        }
    }
    let words = [("takes", taken), ("ends at", ends)];
    let words = words.into_iter().filter(|(_, names)| !names.is_empty());
    let words: Vec<String> = words
        .map(|(verb, names)| format!("it {verb} {}", names.join(" and ")))
        .collect();
    Ok((!words.is_empty()).then(|| format!("; {}: never sent", words.join(", "))))
}
