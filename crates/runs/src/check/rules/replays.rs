//! Games again: in a new process, without questions, in one write, after other games, and in other surroundings.

use super::conversation::{Exchange, Played, answer_lines, first_difference};
use super::problems as problem;
use super::problems::{Check, Problem};
use super::progress::Progress;
use super::report::Finding;
use super::session::{HASH_SEED, RulesSession, StepFailure};
use crate::rules::Request;
use crate::text::counted;

const GAMES: usize = 3;

/// Maximum plies of such a game, where there is a choice.
const PLIES: usize = 200;

/// Times that a game is played again in the same way, before a difference is laid on another way.
const CONFIRMATIONS: usize = 4;

type Env = &'static [(&'static str, &'static str)];

/// Other ways to play a game: the way, the problem if an answer differs, and variables of the process.
const WAYS: [(&str, Problem, Env); 9] = [
    ("after other games", problem::KEEPS_STATE, &[]),
    ("in one write", problem::ONE_WRITE, &[]),
    ("without the questions", problem::ASKING_CHANGES, &[]),
    // A small set may have one order by two seeds.
    (
        "with another hash seed",
        problem::HASH_ORDER,
        &[(HASH_SEED, "1")],
    ),
    (
        "with another hash seed",
        problem::HASH_ORDER,
        &[(HASH_SEED, "2")],
    ),
    (
        "with another hash seed",
        problem::HASH_ORDER,
        &[(HASH_SEED, "3")],
    ),
    (
        "with another time zone",
        problem::TIME_ZONE,
        &[("TZ", "ABC-13:45")],
    ),
    (
        "with another locale",
        problem::LOCALE,
        &[("LC_ALL", "C"), ("LANG", "C"), ("LANGUAGE", "tr")],
    ),
    ("in a copy of the folder", problem::FOLDER, &[]),
];

pub fn check(progress: &mut Progress<'_>, session: &mut RulesSession) -> Result<(), StepFailure> {
    let (plan, has_legal) = (progress.plan, session.hello().has.legal);
    let mut games = Vec::new();
    for game in longest(&progress.games) {
        let mut alone = RulesSession::start(plan, Check::Replay, &[], None)?;
        let all = game.requests_with_questions(has_legal);
        games.push((game, one_by_one(&mut alone, &all)?));
    }
    for (way, problem, env) in WAYS {
        let dir = plan.copy.as_deref().filter(|_| problem == problem::FOLDER);
        let is_found = session.findings.iter().any(|it| it.problem == problem);
        if is_found || (problem == problem::FOLDER && dir.is_none()) {
            continue;
        }
        let mut other = RulesSession::start(plan, problem.check, env, dir)?;
        progress.compare_hello(&mut other);
        session.findings.append(&mut other.findings);
        let rounds = if problem == problem::KEEPS_STATE {
            2
        } else {
            1
        };
        for (game, recorded) in std::iter::repeat_n(&games, rounds).flatten() {
            if let Some(finding) = play(&mut other, game, recorded, way, problem)? {
                let finding = confirmed(progress, recorded, finding)?;
                session.findings.push(finding);
                break;
            }
        }
        let mut found = session.findings.iter();
        if found.any(|finding| finding.check == Check::Replay) {
            return Ok(());
        }
    }
    let games = counted(games.len() as u64, "game", "games");
    let words = format!("{games}: the same in one write, in a new process and after other games");
    progress.report.see(Check::Replay, words);
    let folder = plan
        .copy
        .as_ref()
        .map_or("", |_| ", and in a copy of the folder");
    let words = format!("the same with another hash seed, time zone and locale{folder}");
    progress.report.see(Check::Twin, words);
    Ok(())
}

fn longest(games: &[Played]) -> Vec<&Played> {
    let mut order: Vec<&Played> = games.iter().collect();
    order.sort_by_key(|game| (game.steps.len() > PLIES, usize::MAX - game.steps.len()));
    order.truncate(GAMES);
    order
}

fn one_by_one(
    session: &mut RulesSession,
    requests: &[Request],
) -> Result<Vec<Exchange>, StepFailure> {
    for request in requests {
        session.ask(std::slice::from_ref(request))?;
    }
    Ok(session.exchanges().to_vec())
}

fn requests(recorded: &[Exchange]) -> Vec<Request> {
    recorded.iter().map(|it| it.request.clone()).collect()
}

/// Plays a recorded game in another way. Returns the finding if an answer differs.
fn play(
    session: &mut RulesSession,
    game: &Played,
    recorded: &[Exchange],
    way: &str,
    problem: Problem,
) -> Result<Option<Finding>, StepFailure> {
    if problem == problem::ONE_WRITE {
        match session.ask(&requests(recorded)) {
            Err(broken) if broken.problem == problem::NO_ANSWER => {
                let difference = "an answer is missing";
                return Ok(Some(
                    session.finding(problem, &[("difference", &difference)]),
                ));
            }
            answered => answered?,
        };
    } else if problem == problem::ASKING_CHANGES {
        let other_ply = game.restore(session, game.steps.len())?;
        let is_move = |it: &&Exchange| matches!(it.request, Request::New(_) | Request::Play(_));
        let moves: Vec<Exchange> = recorded.iter().filter(is_move).cloned().collect();
        let unasked = session.exchanges();
        // The random games were played in one process, each after others.
        let after_others = || {
            let upto = &unasked[..=other_ply?];
            let difference = upto.last()?.differs(false);
            let values: [problem::Value<'_>; 1] = [("difference", &difference)];
            Some(Finding::new(problem::KEEPS_STATE, &values, upto))
        };
        return Ok(compare(&moves, unasked, way, problem).or_else(after_others));
    } else {
        one_by_one(session, &requests(recorded))?;
    }
    Ok(compare(recorded, session.exchanges(), way, problem))
}

/// The finding, or another one if the game differs too where it is played as it was at first.
fn confirmed(
    progress: &Progress<'_>,
    recorded: &[Exchange],
    finding: Finding,
) -> Result<Finding, StepFailure> {
    for _ in 0..CONFIRMATIONS {
        let mut session = RulesSession::start(progress.plan, Check::Replay, &[], None)?;
        let again = one_by_one(&mut session, &requests(recorded))?;
        if let Some(unseeded) = compare(recorded, &again, "another process", problem::UNSEEDED) {
            return Ok(unseeded);
        }
    }
    Ok(finding)
}

/// A finding, if two plays of one game differ. `way` tells how the second was played.
fn compare(one: &[Exchange], other: &[Exchange], way: &str, problem: Problem) -> Option<Finding> {
    let (index, difference) = first_difference(one, other)?;
    let mut finding = Finding::new(problem, &[("difference", &difference)], &one[..=index]);
    finding.transcript.push(format!("# {way}:"));
    finding
        .transcript
        .extend(answer_lines(&other[index].answer));
    Some(finding)
}
