//! Random games: lists, turns, ends and memory.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::RecordedGame;
use super::conversation::{Played, Step, acting};
use super::problems as problem;
use super::problems::Check;
use super::progress::Progress;
use super::report::Finding;
use super::session::{RulesSession, StepFailure};
use super::turns::{ask_everything, check_turn, list};
use crate::bot::mebibytes;
use crate::game::RulesPoints;
use crate::rules::{Actions, Answer, NewGame, Next, Request, Turn};
use crate::text::counted;

const THOROUGH_GAMES: u32 = 40;

/// Number of random games between two lines of progress.
const TOLD: u32 = 100;

/// Number of games that are rarely all drawn.
const MANY: u32 = 100;

/// Limits on the games that are kept for the later steps.
const KEPT_GAMES: usize = 400;
const KEPT_PLIES: u64 = 20_000;

/// Growth of memory that is no noise: in all, and a game.
const GROWTH: u64 = 8 << 20;
const GROWTH_A_GAME: u64 = 8 << 10;

#[derive(Default)]
struct Results {
    /// Games to their end, their plies, and the plies of the longest.
    ended: u32,
    plies: u64,
    longest: usize,
    /// Games that each seat won alone, and games that the best seats shared.
    won: Vec<u32>,
    shared: u32,
    lists: u64,
    early: Option<(u32, u64)>,
    /// Plies of a game that the time cut short.
    cut: Option<usize>,
}

pub fn check(progress: &mut Progress<'_>, session: &mut RulesSession) -> Result<(), StepFailure> {
    let mut results = Results::default();
    let played = play_all(progress, session, &mut results);
    conclude(progress, session, &results);
    played
}

fn play_all(
    progress: &mut Progress<'_>,
    session: &mut RulesSession,
    results: &mut Results,
) -> Result<(), StepFailure> {
    let has = session.hello().has;
    let (least, most) = progress.seats;
    // Where no actions are known, a game is begun with each number of seats, and that is all.
    let recorded = &progress.plan.recorded;
    let games = match has.legal || has.offers {
        _ if !recorded.is_empty() => recorded.len() as u32,
        true => progress.plan.games,
        false => u32::from(most - least) + 1,
    };
    for number in 0..games {
        if number % TOLD == 0 {
            (progress.tell)(&format!("game {} of {games}", number + 1));
        }
        let recorded = recorded.get(number as usize);
        let start = match recorded {
            Some(game) => game.start.clone(),
            None => progress.start_of(number.into()),
        };
        let Some(opening) = begin(session, &start)? else {
            return Ok(());
        };
        let is_thorough = number < THOROUGH_GAMES;
        let most = progress.plan.plies;
        let game = play(
            progress,
            session,
            start,
            opening,
            is_thorough,
            most,
            recorded,
        )?;
        let plies = game.steps.len();
        let has_time = session.has_time();
        if has.legal {
            let lists = game.steps.iter().map(|step| step.lists.len() as u64);
            results.lists += lists.sum::<u64>();
        }
        if let Next::End { points, reason } = &game.turn(plies).next {
            let reasons = &session.hello().reasons;
            if !reasons.is_empty() && !reasons.iter().any(|(name, _)| name == reason) {
                session.report(problem::UNKNOWN_REASON, &[("reason", reason)]);
            }
            results.count(points, plies);
            if progress.games.len() < KEPT_GAMES && results.plies <= KEPT_PLIES {
                progress.games.push(game);
            }
        } else if plies >= most {
            session.report(problem::NO_END, &[("plies", &plies)]);
            return Ok(());
        } else if !has_time {
            results.cut = Some(plies);
        }
        if number == games / 4 || (results.early.is_none() && number == THOROUGH_GAMES) {
            results.early = session.peak_memory().map(|bytes| (number, bytes));
        }
        if !has_time {
            return Ok(());
        }
    }
    Ok(())
}

fn begin(session: &mut RulesSession, start: &NewGame) -> Result<Option<Turn>, StepFailure> {
    match session.answer(&Request::New(start.clone()))? {
        Answer::Turn(turn) => {
            check_turn(session, &Vec::new(), &turn);
            Ok(Some(turn))
        }
        Answer::Refused(refusal) => {
            session.report(problem::NEW_REFUSED, &[("refusal", &refusal.words)]);
            Ok(None)
        }
    }
}

/// Plays a game at random, or one that was recorded, until it ends, a problem stops it, or the time or the number of
/// plies is used up.
pub fn play(
    progress: &mut Progress<'_>,
    session: &mut RulesSession,
    start: NewGame,
    opening: Turn,
    is_thorough: bool,
    plies: usize,
    recorded: Option<&RecordedGame>,
) -> Result<Played, StepFailure> {
    let mut game = Played {
        start,
        opening,
        steps: Vec::new(),
    };
    while game.steps.len() < plies {
        let turn = game.turn(game.steps.len()).clone();
        let mut lists = Vec::new();
        for seat in acting(&turn) {
            lists.push((*seat, list(session, &turn, *seat)?));
        }
        if is_thorough {
            ask_everything(session, &turn, &lists, game.start.seats)?;
        }
        let known = recorded.map(|it| it.plies.get(game.steps.len()));
        let is_unknown = known.is_none() && lists.iter().any(|(_, list)| list.is_empty());
        if lists.is_empty() || is_unknown {
            return Ok(game);
        }
        let choose = |(seat, list): &(u8, Vec<String>)| {
            let action = &list[progress.below(list.len())];
            (*seat, action.clone())
        };
        let actions: Actions = match known {
            Some(Some(actions)) => actions.clone(),
            // A forfeit or an adjudication ended it.
            Some(None) => return Ok(game),
            None => lists.iter().map(choose).collect(),
        };
        let next = match session.answer(&Request::Play(actions.clone()))? {
            Answer::Turn(next) => next,
            Answer::Refused(refusal) => {
                let seat = refusal.seats.first().copied().unwrap_or_default();
                let action = actions.iter().find(|(of, _)| *of == seat);
                let action = action.map_or("", |(_, action)| action);
                let words = &refusal.words_of(seat);
                let problem = match recorded {
                    Some(_) => problem::RECORDED_REFUSED,
                    None => problem::LEGAL_REFUSED,
                };
                session.report(
                    problem,
                    &[("seat", &seat), ("action", &action), ("refusal", words)],
                );
                return Ok(game);
            }
        };
        check_turn(session, &actions, &next);
        let lists = lists.iter().map(|(seat, list)| (*seat, digest(list)));
        game.steps.push(Step {
            lists: lists.collect(),
            actions,
            turn: next,
        });
        if !session.has_time() {
            return Ok(game);
        }
    }
    Ok(game)
}

fn digest(list: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    list.hash(&mut hasher);
    hasher.finish()
}

impl Results {
    fn count(&mut self, points: &[RulesPoints], plies: usize) {
        self.ended += 1;
        self.plies += plies as u64;
        self.longest = self.longest.max(plies);
        self.won.resize(self.won.len().max(points.len()), 0);
        let best = points.iter().max();
        let mut first = (0..points.len()).filter(|seat| points.get(*seat) == best);
        match (first.next(), first.next()) {
            (Some(seat), None) => self.won[seat] += 1,
            _ => self.shared += 1,
        }
    }

    fn in_words(&self, [one, more]: [&str; 2]) -> String {
        let games = counted(self.ended.into(), one, more);
        let plies = self.plies / u64::from(self.ended.max(1));
        let won = self.won.iter().enumerate();
        let won: Vec<String> = won
            .map(|(seat, games)| format!("seat {seat} won {games}"))
            .collect();
        format!(
            "{games} to their end, {plies} plies on average, {} at most; {}, {} shared",
            self.longest,
            won.join(", "),
            self.shared
        )
    }
}

fn conclude(progress: &mut Progress<'_>, session: &mut RulesSession, results: &Results) {
    let games = results.ended;
    let report = &mut progress.report;
    match results.cut {
        _ if games > 0 => {
            let words = results.in_words(match progress.plan.recorded.is_empty() {
                true => ["random game", "random games"],
                false => ["recorded game", "recorded games"],
            });
            report.see(Check::Games, words);
        }
        Some(plies) => session.report(problem::NONE_ENDED, &[("plies", &plies)]),
        None => {}
    }
    if progress.seats.1 > 1 && games >= MANY && results.shared == games {
        session.report(problem::NEVER_DECIDED, &[("games", &games)]);
    }
    if results.lists > 0 {
        let lists = counted(results.lists, "list", "lists");
        let words = format!("{lists}: no list is empty or has doubles");
        report.see(Check::Legal, words);
    } else if !session.hello().has.legal {
        report.miss(Check::Legal, "`has legal`");
    }
    let early = results.early.filter(|_| games > 0);
    let (Some((early, before)), Some(after)) = (early, session.peak_memory()) else {
        return;
    };
    let grown = after.saturating_sub(before);
    let games = games.saturating_sub(early);
    if grown > GROWTH && grown > GROWTH_A_GAME * u64::from(games) {
        let (size, games) = (mebibytes(grown), counted(games.into(), "game", "games"));
        let values: [problem::Value<'_>; 2] = [("size", &size), ("games", &games)];
        session
            .findings
            .push(Finding::new(problem::GROWS, &values, &[]));
    }
    let (before, after) = (mebibytes(before), mebibytes(after));
    report.see(Check::Memory, format!("{before} at first, {after} at last"));
}
