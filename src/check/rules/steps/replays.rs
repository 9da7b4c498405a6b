//! Games again: in a new process, without questions, in one write, after other games, and in other surroundings.

use super::progress::Progress;
use crate::check::rules::CheckPlan;
use crate::check::rules::played::{Played, replies};
use crate::check::rules::report::{Check, Difference, Finding, RequestKind, RulesFlaw, Variation};
use crate::check::rules::request::Request;
use crate::check::rules::session::{
    Exchange, HASH_SEED, RulesSession, StepFailure, Surroundings, answer_lines, first_difference,
    transcript,
};
use crate::game::RulesFault;

/// Games that are played again.
const GAMES: usize = 3;

/// Maximum plies of such a game, where there is a choice.
const PLIES: usize = 200;

/// Times that a game is played again in the same way, before a difference is laid on another way.
const CONFIRMATIONS: usize = 4;

pub fn check(progress: &mut Progress<'_>) -> Result<(), StepFailure> {
    let second = progress.start(Check::Handshake)?;
    compare_hello(progress, &second);
    let games = choose(&progress.games);
    let mut findings = Vec::new();
    let mut recorded = Vec::new();
    for game in &games {
        let game = &progress.games[*game];
        let (exchanges, finding) = same_surroundings(progress, game)?;
        if let Some(finding) = finding {
            findings.push(confirmed(progress, &exchanges, finding)?);
            break;
        }
        recorded.push(exchanges);
    }
    if findings.is_empty()
        && let Some((game, finding)) = after_other_games(progress, &recorded)?
    {
        findings.push(confirmed(progress, &recorded[game], finding)?);
    }
    if !findings.is_empty() {
        findings
            .into_iter()
            .for_each(|finding| progress.report.add(finding));
        return Ok(());
    }
    progress.report.facts.replayed = Some(games.len());
    for variation in Variation::ALL {
        twins(progress, variation, &recorded)?;
    }
    Ok(())
}

/// Numbers of the games to play again: the longest that are not too long.
fn choose(games: &[Played]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..games.len()).collect();
    let key = |game: &usize| {
        let plies = games[*game].steps.len();
        (plies > PLIES, usize::MAX - plies, *game)
    };
    order.sort_by_key(key);
    order.truncate(GAMES);
    order
}

/// Plays requests one by one.
fn one_by_one(
    session: &mut RulesSession<'_>,
    requests: &[Request],
) -> Result<Vec<Exchange>, StepFailure> {
    for request in requests {
        session.ask(request)?;
    }
    Ok(session.exchanges().to_vec())
}

/// Plays a game in new processes of the same surroundings. Returns the game with all questions.
fn same_surroundings(
    progress: &Progress<'_>,
    game: &Played,
) -> Result<(Vec<Exchange>, Option<Finding>), StepFailure> {
    let mut first = progress.start(Check::Replay)?;
    let all = game.requests_with_questions(first.hello().has.legal);
    let recorded = one_by_one(&mut first, &all)?;
    // One that is not seeded shows here too, and is told apart by playing the game once more.
    if let Some(finding) = in_one_write(progress, &all, &recorded)? {
        return Ok((recorded, Some(finding)));
    }
    let mut silent = progress.start(Check::Replay)?;
    let other_ply = game.restore(&mut silent, game.steps.len())?;
    let unasked = silent.exchanges();
    let is_move =
        |exchange: &&Exchange| matches!(exchange.request, Request::New(_) | Request::Play(_));
    let moves: Vec<Exchange> = recorded.iter().filter(is_move).cloned().collect();
    let problem = |difference| RulesFlaw::AskingChanges { difference };
    if let Some(finding) = compare(&moves, unasked, "without the questions", problem) {
        return Ok((recorded, Some(finding)));
    }
    // The record is of a process that had played other games before.
    if let Some(ply) = other_ply {
        let part = if ply == 0 {
            RequestKind::New
        } else {
            RequestKind::Play
        };
        let difference = Difference {
            part,
            is_order: false,
        };
        let mut finding = silent.finding(RulesFlaw::KeepsState { difference });
        finding.transcript = transcript(&unasked[..=ply]);
        return Ok((recorded, Some(finding)));
    }
    Ok((recorded, None))
}

/// Sends a game with all questions in one write.
fn in_one_write(
    progress: &Progress<'_>,
    all: &[Request],
    recorded: &[Exchange],
) -> Result<Option<Finding>, StepFailure> {
    let mut session = progress.start(Check::Replay)?;
    if let Err(mut broken) = replies(&mut session, all) {
        if let RulesFlaw::Fault {
            fault: RulesFault::TimedOut(_),
            ..
        } = broken.problem
        {
            broken.problem = RulesFlaw::OneWrite { difference: None };
        }
        return Ok(Some(*broken));
    }
    let problem = |difference| RulesFlaw::OneWrite {
        difference: Some(difference),
    };
    Ok(compare(
        recorded,
        session.exchanges(),
        "in one write",
        problem,
    ))
}

/// Plays all games in one process, and then each again.
fn after_other_games(
    progress: &Progress<'_>,
    recorded: &[Vec<Exchange>],
) -> Result<Option<(usize, Finding)>, StepFailure> {
    let mut session = progress.start(Check::Replay)?;
    for (number, game) in recorded
        .iter()
        .enumerate()
        .chain(recorded.iter().enumerate())
    {
        let again = one_by_one(&mut session, &requests(game))?;
        let problem = |difference| RulesFlaw::KeepsState { difference };
        let finding = compare(game, &again, "after other games", problem);
        if let Some(finding) = finding {
            return Ok(Some((number, finding)));
        }
    }
    Ok(None)
}

/// The finding, or another one if the game differs too where it is played as it was at first.
fn confirmed(
    progress: &Progress<'_>,
    recorded: &[Exchange],
    finding: Finding,
) -> Result<Finding, StepFailure> {
    for _ in 0..CONFIRMATIONS {
        let mut session = progress.start(Check::Replay)?;
        let again = one_by_one(&mut session, &requests(recorded))?;
        let problem = |difference| RulesFlaw::Unseeded { difference };
        if let Some(unseeded) = compare(recorded, &again, "another process", problem) {
            return Ok(unseeded);
        }
    }
    Ok(finding)
}

/// Whether the hello of a session is the one of the first process.
fn compare_hello(progress: &mut Progress<'_>, session: &RulesSession<'_>) {
    if progress.report.hello.as_ref() != Some(session.hello()) {
        let mut finding = session.finding(RulesFlaw::HelloChanges);
        finding.check = Check::Handshake;
        finding.transcript = vec!["> rules 1".to_owned()];
        progress.report.add(finding);
    }
}

/// Plays the games in processes of other surroundings.
fn twins(
    progress: &mut Progress<'_>,
    variation: Variation,
    recorded: &[Vec<Exchange>],
) -> Result<(), StepFailure> {
    let surroundings = surroundings(variation, progress.plan);
    for surroundings in &surroundings {
        let mut session = RulesSession::start(progress.plan, surroundings, Check::Twin)?;
        compare_hello(progress, &session);
        for game in recorded {
            let again = one_by_one(&mut session, &requests(game))?;
            let problem = |difference| RulesFlaw::Surroundings {
                variation,
                difference,
            };
            let name = format!("with another {}", variation.name());
            if let Some(finding) = compare(game, &again, &name, problem) {
                let mut finding = confirmed(progress, game, finding)?;
                finding.check = Check::Twin;
                progress.report.add(finding);
                return Ok(());
            }
        }
    }
    if !surroundings.is_empty() {
        progress.report.facts.varied.push(variation);
    }
    Ok(())
}

/// Other surroundings. Several for the hash seed: a small set may have one order by two of them.
fn surroundings(variation: Variation, plan: &CheckPlan) -> Vec<Surroundings> {
    let env = |variables: &[(&str, &str)]| Surroundings {
        env: variables
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect(),
        dir: None,
    };
    match variation {
        Variation::HashSeed => ["1", "2", "3"].map(|seed| env(&[(HASH_SEED, seed)])).into(),
        Variation::TimeZone => vec![env(&[("TZ", "ABC-13:45")])],
        Variation::Locale => vec![env(&[("LC_ALL", "C"), ("LANG", "C"), ("LANGUAGE", "tr")])],
        Variation::Folder => plan
            .copy
            .iter()
            .map(|copy| Surroundings {
                env: Vec::new(),
                dir: Some(copy.clone()),
            })
            .collect(),
    }
}

fn requests(game: &[Exchange]) -> Vec<Request> {
    game.iter()
        .map(|exchange| exchange.request.clone())
        .collect()
}

/// A finding, if two plays of one game differ. `name` tells how the second was played.
fn compare(
    one: &[Exchange],
    other: &[Exchange],
    name: &str,
    problem: impl Fn(Difference) -> RulesFlaw,
) -> Option<Finding> {
    let (index, difference) = first_difference(one, other)?;
    let mut transcript = transcript(&one[..=index]);
    transcript.push(format!("# {name}:"));
    transcript.extend(answer_lines(&other[index].answer));
    Some(Finding {
        check: Check::Replay,
        problem: problem(difference),
        transcript,
    })
}
