//! Whether all that is no legal action is refused, at sampled positions, and nothing is changed by that.

use super::conversation::{Exchange, Played, acting, first_difference};
use super::problems as problem;
use super::problems::{Check, Problem};
use super::progress::Progress;
use super::secrets::known_actions;
use super::session::{RulesSession, StepFailure};
use super::turns::list;
use crate::rules::{Actions, Answer, Request};
use crate::text::counted;

const POSITIONS: usize = 12;

/// Actions of a list whose spellings are tried at a position.
const ACTIONS: usize = 4;

/// Actions of the last plies, and of all games, that are tried where no list has them.
const ELSEWHERE: usize = 8;

const PLIES_AFTER: usize = 40;

struct Wrong {
    actions: Actions,
    guilty: Vec<u8>,
    problem: Problem,
    listed: String,
}

impl Wrong {
    fn of(seat: u8, actions: Actions, problem: Problem) -> Self {
        Self {
            actions,
            guilty: vec![seat],
            problem,
            listed: String::new(),
        }
    }
}

pub fn check(progress: &mut Progress<'_>, session: &mut RulesSession) -> Result<(), StepFailure> {
    let (mut refused, mut positions) = (0, 0);
    let mut sampled = progress.positions(POSITIONS);
    sampled.push((0, progress.games[0].steps.len()));
    let mut known = known_actions(&progress.games, &mut progress.chance);
    for (game, ply) in sampled {
        let game = &progress.games[game];
        let step = ELSEWHERE.min(known.len());
        known.rotate_left(step);
        let wrong = wrong_turns(session, game, ply, &known)?;
        let found = session.findings.len();
        for wrong in &wrong {
            if !session.has_time() {
                break;
            }
            refused += 1;
            judge(session, game, ply, wrong)?;
        }
        if session.findings.len() == found {
            change(session, game, ply, &wrong)?;
        }
        positions += 1;
        if !session.has_time() {
            break;
        }
    }
    let actions = counted(refused, "action", "actions");
    let positions = counted(positions, "position", "positions");
    let words = format!("{actions} at {positions}, and nothing changed");
    progress.report.see(Check::Refused, words);
    Ok(())
}

fn wrong_turns(
    session: &mut RulesSession,
    game: &Played,
    ply: usize,
    known: &[String],
) -> Result<Vec<Wrong>, StepFailure> {
    game.restore(session, ply)?;
    let acting = acting(game.turn(ply)).to_vec();
    let Some(step) = game.steps.get(ply) else {
        return Ok(after_end(game));
    };
    let mut wrong = Vec::new();
    let has = session.hello().has;
    if has.legal || has.offers {
        for seat in &acting {
            let list = list(session, game.turn(ply), *seat)?;
            let elsewhere = elsewhere(game, ply, known, &list).into_iter();
            let elsewhere = elsewhere.map(|text| (text, problem::NOT_NOW, String::new()));
            for (text, problem, listed) in elsewhere.chain(unlisted(&list)) {
                let mut actions = step.actions.clone();
                let own = actions.iter_mut().find(|(of, _)| of == seat);
                own.into_iter()
                    .for_each(|(_, action)| action.clone_from(&text));
                wrong.push(Wrong {
                    listed,
                    ..Wrong::of(*seat, actions, problem)
                });
            }
        }
        if acting.len() > 1 {
            let text = "a".repeat(4096);
            let actions = acting.iter().map(|seat| (*seat, text.clone())).collect();
            wrong.push(Wrong {
                guilty: acting.clone(),
                ..Wrong::of(acting[0], actions, problem::UNLISTED)
            });
        }
    }
    for seat in (0..game.start.seats).filter(|seat| !acting.contains(seat)) {
        let action = step.actions[0].1.clone();
        wrong.push(Wrong::of(seat, vec![(seat, action)], problem::OTHER_SEAT));
    }
    Ok(wrong)
}

/// The last action again, by each seat, after the end of the game.
fn after_end(game: &Played) -> Vec<Wrong> {
    let last = game.steps.last().and_then(|step| step.actions.first());
    let wrong = |seat| {
        Some(Wrong::of(
            seat,
            vec![(seat, last?.1.clone())],
            problem::AFTER_END,
        ))
    };
    (0..game.start.seats).filter_map(wrong).collect()
}

/// Actions of another turn or another seat that a list does not have: the latest of the game, and some of all games.
fn elsewhere(game: &Played, ply: usize, known: &[String], list: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let steps = game.steps[..=ply].iter().rev();
    let latest = steps.flat_map(|step| step.actions.iter().map(|(_, action)| action));
    let mut add = |action: &String, most| {
        if all.len() < most && !list.contains(action) && !all.contains(action) {
            all.push(action.clone());
        }
    };
    latest.for_each(|action| add(action, ELSEWHERE));
    known.iter().for_each(|action| add(action, 2 * ELSEWHERE));
    all
}

/// Texts that a list does not have, the problem if one is accepted, and the action that it may be taken for.
fn unlisted(list: &[String]) -> Vec<(String, Problem, String)> {
    let mut all = Vec::new();
    for action in list.iter().take(ACTIONS) {
        let spellings = spellings(action).into_iter();
        all.extend(spellings.map(|text| (text, problem::SPELLING, action.clone())));
    }
    let nonsense = nonsense().into_iter();
    all.extend(nonsense.map(|text| (text, problem::UNLISTED, String::new())));
    all.retain(|(text, ..)| !list.contains(text));
    all
}

/// Reports a problem if a wrong turn is accepted, or others than the guilty are named.
fn judge(
    session: &mut RulesSession,
    game: &Played,
    ply: usize,
    wrong: &Wrong,
) -> Result<(), StepFailure> {
    game.restore(session, ply)?;
    match session.answer(&Request::Play(wrong.actions.clone()))? {
        Answer::Turn(_) => {
            let seat = wrong.guilty[0];
            let action = wrong.actions.iter().find(|(of, _)| *of == seat);
            let action = action.map_or("", |(_, action)| action);
            let listed = &wrong.listed;
            session.report(
                wrong.problem,
                &[("seat", &seat), ("action", &action), ("listed", listed)],
            );
        }
        Answer::Refused(refusal) if refusal.seats != wrong.guilty => {
            let (guilty, blamed) = (seats(&wrong.guilty), seats(&refusal.seats));
            session.report(
                problem::WRONG_BLAME,
                &[("guilty", &guilty), ("blamed", &blamed)],
            );
        }
        Answer::Refused(_) => {}
    }
    Ok(())
}

fn seats(numbers: &[u8]) -> String {
    let words: Vec<String> = numbers.iter().map(|seat| format!("seat {seat}")).collect();
    match words.is_empty() {
        true => "no seat".to_owned(),
        false => words.join(" and "),
    }
}

/// Reports a problem if something differs after refused turns: after one of them, else after all.
fn change(
    session: &mut RulesSession,
    game: &Played,
    ply: usize,
    wrong: &[Wrong],
) -> Result<(), StepFailure> {
    let rest = rest(session, game, ply);
    let expected = play_with(session, game, ply, &[], &rest)?;
    let all = play_with(session, game, ply, wrong, &rest)?;
    if first_difference(&expected, &all).is_none() {
        return Ok(());
    }
    for some in wrong.iter().map(std::slice::from_ref).chain([wrong]) {
        let after = play_with(session, game, ply, some, &rest)?;
        if let Some((_, difference)) = first_difference(&expected, &after) {
            session.report(problem::REFUSAL_CHANGES, &[("difference", &difference)]);
            break;
        }
    }
    Ok(())
}

/// Requests after a position: lists and the board, and the game as it went on.
fn rest(session: &RulesSession, game: &Played, ply: usize) -> Vec<Request> {
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
    session: &mut RulesSession,
    game: &Played,
    ply: usize,
    wrong: &[Wrong],
    rest: &[Request],
) -> Result<Vec<Exchange>, StepFailure> {
    game.restore(session, ply)?;
    for wrong in wrong {
        session.answer(&Request::Play(wrong.actions.clone()))?;
    }
    session.ask(rest)?;
    let exchanges = session.exchanges();
    Ok(exchanges[exchanges.len() - rest.len()..].to_vec())
}

/// Other spellings of an action, which a program may take for it: with a sign, leading zeros, other capitals, a
/// separator, decimals or digits of another script.
pub fn spellings(action: &str) -> Vec<String> {
    let wide: String = action.chars().map(wide_digit).collect();
    let mut all = vec![
        format!("+{action}"),
        format!("0{action}"),
        format!("{action}.0"),
        grouped(action),
        action.to_uppercase(),
        action.to_lowercase(),
        wide,
    ];
    if action.contains(' ') {
        all.push(action.replacen(' ', "  ", 1));
    }
    all.retain(|spelling| spelling != action);
    all.dedup();
    all
}

/// The first two neighbouring digits with an underscore between them.
fn grouped(action: &str) -> String {
    let is_pair = |pair: &[u8]| pair.iter().all(u8::is_ascii_digit);
    match action.as_bytes().windows(2).position(is_pair) {
        // Both are ASCII, so the cut is between characters.
        Some(at) => format!("{}_{}", &action[..=at], &action[at + 1..]),
        None => action.to_owned(),
    }
}

/// A digit of another script for a digit, which many languages read as a number too.
fn wide_digit(c: char) -> char {
    match c.to_digit(10) {
        Some(digit) if c.is_ascii_digit() => char::from_u32('\u{ff10}' as u32 + digit).unwrap_or(c),
        _ => c,
    }
}

/// Texts that are rarely an action of any game.
pub fn nonsense() -> Vec<String> {
    let mut texts: Vec<String> = [
        "-1",
        "0",
        "999",
        "99999999999999999999999",
        "none",
        "nan",
        "a0",
        "0,0",
        "-1,-1",
        "(0,0)",
        "../..",
        "%s",
        "\"",
        "é",
    ]
    .map(str::to_owned)
    .into();
    texts.push("a".repeat(4096));
    texts.push("9".repeat(4096));
    texts
}
