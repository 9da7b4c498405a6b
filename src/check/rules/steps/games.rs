//! Random games: lists, turns, ends, times and memory.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};
use std::time::Duration;

use super::progress::{Budget, Progress};
use crate::check::rules::played::{Played, Step, acting};
use crate::check::rules::report::{Check, Results, RulesFlaw};
use crate::check::rules::request::{Actions, Request, Start};
use crate::check::rules::session::{RulesSession, StepFailure};
use crate::check::rules::turns::{ask_everything, check_turn, legal_refused, list};
use crate::check::rules::{Step as Stage, session};
use crate::game::RulesPoints;
use crate::rules::{Answer, Next, Turn};

/// Games where everything is asked at each ply.
const THOROUGH_GAMES: u32 = 40;

/// Maximum number of times that are kept for the median.
const KEPT_TIMES: usize = 1 << 20;

/// Number of games that are rarely all drawn.
const MANY: u32 = 100;

/// Growth of memory that is no noise: in all, and a game.
const GROWTH: u64 = 8 << 20;
const GROWTH_A_GAME: u64 = 8 << 10;

/// Observations of the random games.
#[derive(Default)]
struct Observed {
    results: Results,
    times: Vec<Duration>,
    /// The continuation in the position of each `state`, and the seats of its game.
    states: HashMap<(u8, String), u64>,
    /// Games, and memory, at an early time.
    early: Option<(u32, u64)>,
    /// Plies of the longest game that the time cut short.
    cut: Option<usize>,
}

/// Begins a game with each number of seats. That is all where no actions are known.
pub fn only_begin(
    progress: &mut Progress<'_>,
    mut session: RulesSession<'_>,
) -> Result<(), StepFailure> {
    let (least, most) = progress.seats;
    for game in 0..=u64::from(most - least) {
        let start = progress.start_of(game);
        begin(progress, &mut session, &start)?;
    }
    Ok(())
}

pub fn play(progress: &mut Progress<'_>, mut session: RulesSession<'_>) -> Result<(), StepFailure> {
    session.check = Check::Games;
    let mut observed = Observed::default();
    let mut budget = Budget::new(progress.plan);
    let played = play_all(progress, &mut session, &mut observed, &mut budget);
    conclude(progress, &mut session, observed);
    played
}

fn play_all(
    progress: &mut Progress<'_>,
    session: &mut RulesSession<'_>,
    observed: &mut Observed,
    budget: &mut Budget,
) -> Result<(), StepFailure> {
    let games = progress.plan.games;
    for number in 0..games {
        (progress.tell)(Stage::Game(number + 1));
        let start = progress.start_of(number.into());
        let Some(game) = play_one(progress, session, observed, budget, start, number)? else {
            return Ok(());
        };
        let results = &mut observed.results;
        results.ended += u32::from(game.has_ended());
        results.plies += game.steps.len() as u64;
        results.longest = results.longest.max(game.steps.len());
        if game.has_ended() {
            progress.keep(game);
        }
        if number == games / 4 || (observed.early.is_none() && number == THOROUGH_GAMES) {
            observed.early = session.peak_memory().map(|bytes| (number, bytes));
        }
        if budget.left.is_zero() {
            return Ok(());
        }
    }
    Ok(())
}

/// Begins a game. `None` if the program refuses.
fn begin(
    progress: &mut Progress<'_>,
    session: &mut RulesSession<'_>,
    start: &Start,
) -> Result<Option<Turn>, StepFailure> {
    match session.answer(&Request::New(start.clone()))? {
        Answer::Turn(turn) => {
            check_turn(session, &mut progress.report, &Vec::new(), &turn);
            Ok(Some(turn))
        }
        Answer::Refused(refusal) => {
            let words = refusal.words;
            progress
                .report
                .add(session.finding(RulesFlaw::NewRefused { words }));
            Ok(None)
        }
    }
}

/// Plays a game, to its end where the program and the time allow. `None` if no further game makes sense.
fn play_one(
    progress: &mut Progress<'_>,
    session: &mut RulesSession<'_>,
    observed: &mut Observed,
    budget: &mut Budget,
    start: Start,
    number: u32,
) -> Result<Option<Played>, StepFailure> {
    session.check = Check::Games;
    let Some(opening) = begin(progress, session, &start)? else {
        return Ok(None);
    };
    let mut game = Played {
        start,
        opening,
        steps: Vec::new(),
    };
    loop {
        let turn = game.turn(game.steps.len()).clone();
        if let Next::End { points, reason } = &turn.next {
            observe_end(progress, session, observed, points, reason);
            if number < THOROUGH_GAMES {
                session.check = Check::Legal;
                let seats = game.start.seats;
                ask_everything(session, &mut progress.report, &turn, &[], seats)?;
            }
            return Ok(Some(game));
        }
        let Some((lists, actions)) = choose(progress, session, observed, &game, &turn, number)?
        else {
            return Ok(Some(game));
        };
        session.check = Check::Games;
        budget.charge(session);
        let answer = session.answer(&Request::Play(actions.clone()))?;
        observe_time(progress, session, observed, budget);
        let next = match answer {
            Answer::Turn(next) => next,
            Answer::Refused(refusal) => {
                session.check = Check::Accepted;
                let problem = legal_refused(&actions, refusal);
                progress.report.add(session.finding(problem));
                return Ok(Some(game));
            }
        };
        check_turn(session, &mut progress.report, &actions, &next);
        game.steps.push(Step {
            lists,
            actions,
            turn: next,
        });
        if game.steps.len() >= progress.plan.plies {
            session.check = Check::End;
            let plies = game.steps.len();
            progress
                .report
                .add(session.finding(RulesFlaw::NoEnd { plies }));
            return Ok(None);
        }
        if budget.left.is_zero() {
            observed.cut = observed.cut.max(Some(game.steps.len()));
            return Ok(None);
        }
    }
}

/// A random action of each seat that acts, and numbers for their lists. `None` if a seat has none.
#[expect(clippy::type_complexity, reason = "two parts of a `Step`")]
fn choose(
    progress: &mut Progress<'_>,
    session: &mut RulesSession<'_>,
    observed: &mut Observed,
    game: &Played,
    turn: &Turn,
    number: u32,
) -> Result<Option<(Vec<(u8, u64)>, Actions)>, StepFailure> {
    session.check = Check::Legal;
    let mut lists = Vec::new();
    for seat in acting(turn) {
        lists.push((*seat, list(session, &mut progress.report, turn, *seat)?));
        observed.results.lists += u64::from(session.hello().has.legal);
    }
    if number < THOROUGH_GAMES {
        let seats = game.start.seats;
        let state = ask_everything(session, &mut progress.report, turn, &lists, seats)?;
        observed.results.boards += u64::from(seats) + 1;
        if let Some(state) = state {
            observe_state(
                progress,
                session,
                observed,
                (seats, state),
                digest(&(acting(turn), &lists)),
            );
        }
    }
    let mut actions = Vec::new();
    for (seat, list) in &lists {
        if list.is_empty() {
            return Ok(None);
        }
        actions.push((*seat, list[progress.below(list.len())].clone()));
    }
    let lists = lists.iter().map(|(seat, list)| (*seat, digest(list)));
    Ok(Some((lists.collect(), actions)))
}

/// A number that stands for a value.
fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn observe_state(
    progress: &mut Progress<'_>,
    session: &mut RulesSession<'_>,
    observed: &mut Observed,
    state: (u8, String),
    future: u64,
) {
    match observed.states.entry(state) {
        Entry::Vacant(free) => {
            free.insert(future);
        }
        Entry::Occupied(known) if *known.get() != future => {
            session.check = Check::Show;
            let state = known.key().1.clone();
            progress
                .report
                .add(session.finding(RulesFlaw::StateDiffers { state }));
        }
        Entry::Occupied(_) => {}
    }
}

fn observe_time(
    progress: &mut Progress<'_>,
    session: &mut RulesSession<'_>,
    observed: &mut Observed,
    budget: &mut Budget,
) {
    let took = session.take_time();
    budget.left = budget.left.saturating_sub(took);
    if observed.times.len() < KEPT_TIMES {
        observed.times.push(took);
    }
    let limit = progress.plan.deadlines.answer;
    if took > limit / 2 {
        let mut finding = session.finding(RulesFlaw::Slow { took, limit });
        finding.check = Check::Time;
        progress.report.add(finding);
    }
}

fn observe_end(
    progress: &mut Progress<'_>,
    session: &mut RulesSession<'_>,
    observed: &mut Observed,
    points: &[RulesPoints],
    reason: &str,
) {
    session.check = Check::End;
    let reasons = &session.hello().reasons;
    if !reasons.is_empty() && !reasons.iter().any(|(name, _)| name == reason) {
        let reason = reason.to_owned();
        progress
            .report
            .add(session.finding(RulesFlaw::UnknownReason { reason }));
    }
    let results = &mut observed.results;
    let best = points.iter().max();
    let mut first = (points.iter().enumerate()).filter(|(_, points)| Some(*points) == best);
    match (first.next(), first.next()) {
        (Some((seat, _)), None) => {
            if results.won.len() <= seat {
                results.won.resize(seat + 1, 0);
            }
            results.won[seat] += 1;
        }
        _ => results.shared += 1,
    }
}

/// Findings and facts about all games.
fn conclude(progress: &mut Progress<'_>, session: &mut RulesSession<'_>, mut observed: Observed) {
    let results = observed.results;
    let report = &mut progress.report;
    session.check = Check::End;
    if results.ended == 0
        && let Some(plies) = observed.cut
    {
        report.add(session.finding(RulesFlaw::NoneEnded { plies }));
    }
    let more_seats = progress.seats.1 > 1;
    if more_seats && results.ended >= MANY && results.shared == results.ended {
        let games = results.ended;
        report.add(session.finding(RulesFlaw::NeverDecided { games }));
    }
    observed.times.sort_unstable();
    if let (Some(median), Some(slowest)) = (
        observed.times.get(observed.times.len() / 2),
        observed.times.last(),
    ) {
        report.facts.times = Some((*median, *slowest, progress.plan.deadlines.answer));
    }
    session.check = Check::Memory;
    match (observed.early, session.peak_memory()) {
        (Some((early, before)), Some(after)) => {
            let games = results.ended.saturating_sub(early);
            let bytes = after.saturating_sub(before);
            if bytes > GROWTH && bytes > GROWTH_A_GAME * u64::from(games) {
                let mut finding = session.finding(RulesFlaw::Grows { bytes, games });
                finding.transcript = session::transcript(&[]);
                report.add(finding);
            }
            report.facts.memory = Some((before, after));
        }
        _ => report.miss(Check::Memory, "some random games"),
    }
    report.facts.states = observed.states.len();
    report.facts.results = (results.ended > 0).then_some(results);
}
