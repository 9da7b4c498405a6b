//! The leak test: where a seat has heard the same in two games, its list, its refusals and its board must be equal.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use super::conversation::{Played, acting, transcript};
use super::problems as problem;
use super::problems::{Check, Problem, Value};
use super::progress::Progress;
use super::session::{RulesSession, StepFailure};
use crate::game::{Chance, NewsLine, shuffle};
use crate::rules::{Actions, Answer, Request, Turn};
use crate::text::counted;

/// Number of pairs that are compared by boards and refusals. The lists of all pairs are compared.
const PROBED: usize = 60;

const PROBES: usize = 16;

const KNOWN: usize = 2000;

/// A position of a game: the number of the game, the ply, and the seat that acts.
#[derive(Debug, Clone, Copy)]
struct Place {
    game: usize,
    ply: usize,
    seat: u8,
}

/// Two positions with equal news for a seat.
struct Pair(Place, Place);

pub fn check(progress: &mut Progress<'_>, session: &mut RulesSession) -> Result<(), StepFailure> {
    let games = &progress.games;
    let (pairs, unequal) = pairs(games, session.hello().has.hidden);
    if pairs.is_empty() {
        let needs = "two positions with equal news for a seat";
        progress.report.miss(Check::Secrets, needs);
        return Ok(());
    }
    if let Some(pair) = unequal {
        // Refusals follow the list.
        let seat = pair.0.seat;
        let values: [Value<'_>; 1] = [("seat", &seat)];
        let list = |session: &mut RulesSession| session.legal(seat);
        compare(games, session, &pair, (problem::LEGAL_LEAKS, &values), list)?;
        return Ok(());
    }
    let count = counted(pairs.len() as u64, "pair", "pairs");
    let words = format!("{count} of positions with equal news for a seat: equal for it");
    progress.report.see(Check::Secrets, words);
    let mut known = known_actions(games, &mut progress.chance);
    for pair in sample(pairs, &mut progress.chance) {
        probe(games, session, &pair, &mut known)?;
        if !session.has_time() {
            break;
        }
    }
    Ok(())
}

/// All pairs of positions in two games with equal news for the seat that acts, and the first whose lists differ.
/// Each position is paired with the first of its kind.
fn pairs(games: &[Played], is_hidden: bool) -> (Vec<Pair>, Option<Pair>) {
    let mut first: HashMap<(u8, u64), (Place, u64)> = HashMap::new();
    let (mut pairs, mut unequal) = (Vec::new(), None);
    for (game, played) in games.iter().enumerate() {
        let mut begun = DefaultHasher::new();
        (played.start.seats, &played.start.options).hash(&mut begun);
        let mut heard = vec![begun; usize::from(played.start.seats)];
        hear(&mut heard, is_hidden, &Vec::new(), &played.opening);
        for (ply, step) in played.steps.iter().enumerate() {
            for (seat, list) in &step.lists {
                let place = Place {
                    game,
                    ply,
                    seat: *seat,
                };
                // A seat is asked to act, and hears that.
                let heard = &mut heard[usize::from(*seat)];
                "act".hash(heard);
                match first.entry((*seat, heard.finish())) {
                    Entry::Vacant(free) => {
                        free.insert((place, *list));
                    }
                    Entry::Occupied(known) => {
                        let (other, its_list) = *known.get();
                        if its_list != *list && unequal.is_none() {
                            unequal = Some(Pair(other, place));
                        }
                        pairs.push(Pair(other, place));
                    }
                }
            }
            hear(&mut heard, is_hidden, &step.actions, &step.turn);
        }
    }
    (pairs, unequal)
}

/// Adds the news of a turn to a number for each seat that stands for all that it has heard.
fn hear(heard: &mut [DefaultHasher], is_hidden: bool, actions: &Actions, turn: &Turn) {
    for (seat, action) in actions {
        ("own", action).hash(&mut heard[usize::from(*seat)]);
    }
    let mut news = turn.news.iter();
    if !is_hidden && !news.any(|(_, line)| matches!(line, NewsLine::Did { .. })) {
        heard.iter_mut().for_each(|all| actions.hash(all));
    }
    for (to, line) in &turn.news {
        match to {
            None => heard.iter_mut().for_each(|all| line.hash(all)),
            Some(seat) => line.hash(&mut heard[seat.index()]),
        }
    }
}

pub fn known_actions(games: &[Played], chance: &mut dyn Chance) -> Vec<String> {
    let steps = games.iter().flat_map(|game| &game.steps);
    let actions = steps.flat_map(|step| &step.actions);
    let known: BTreeSet<&String> = actions.map(|(_, action)| action).collect();
    let mut known: Vec<String> = known.into_iter().take(KNOWN).cloned().collect();
    shuffle(&mut known, chance);
    known
}

fn sample(mut pairs: Vec<Pair>, chance: &mut dyn Chance) -> Vec<Pair> {
    // Late positions hide more; half of the sample is from the later half.
    let mut late = pairs.split_off(pairs.len() / 2);
    shuffle(&mut pairs, chance);
    shuffle(&mut late, chance);
    pairs.truncate(PROBED / 2);
    late.truncate(PROBED / 2);
    pairs.extend(late);
    pairs
}

/// Asks the same at both positions of a pair. Returns whether the answers differ, which is a problem.
fn compare<T: PartialEq>(
    games: &[Played],
    session: &mut RulesSession,
    Pair(one, other): &Pair,
    (problem, values): (Problem, &[Value<'_>]),
    ask: impl Fn(&mut RulesSession) -> Result<T, StepFailure>,
) -> Result<bool, StepFailure> {
    games[one.game].restore(session, one.ply)?;
    let first = ask(session)?;
    let mut lines = transcript(session.exchanges());
    games[other.game].restore(session, other.ply)?;
    if ask(session)? == first {
        return Ok(false);
    }
    let mut finding = session.finding(problem, values);
    lines.push("# another game:".to_owned());
    lines.append(&mut finding.transcript);
    finding.transcript = lines;
    session.findings.push(finding);
    Ok(true)
}

fn probe(
    games: &[Played],
    session: &mut RulesSession,
    pair: &Pair,
    known: &mut [String],
) -> Result<(), StepFailure> {
    let seat = pair.0.seat;
    let board = |session: &mut RulesSession| {
        let mut shown = session.show(Some(seat))?;
        // The name of the position is for programs that look at all of it.
        shown.state = None;
        Ok(shown)
    };
    let leak = (problem::SHOW_LEAKS, &[("seat", &seat as _)][..]);
    compare(games, session, pair, leak, board)?;
    let act_alone = |place: &Place| acting(games[place.game].turn(place.ply)).len() == 1;
    if !act_alone(&pair.0) || !act_alone(&pair.1) {
        return Ok(());
    }
    known.rotate_left(PROBES.min(known.len()));
    for action in known.iter().take(PROBES) {
        let request = Request::Play(vec![(seat, action.clone())]);
        let refusal = |session: &mut RulesSession| {
            Ok(match session.answer(&request)? {
                Answer::Refused(refusal) => Some(refusal),
                Answer::Turn(_) => None,
            })
        };
        let values: [Value<'_>; 2] = [("seat", &seat), ("action", action)];
        let leak = (problem::REFUSAL_LEAKS, &values[..]);
        if compare(games, session, pair, leak, refusal)? {
            break;
        }
    }
    Ok(())
}
