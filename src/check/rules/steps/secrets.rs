//! The leak test: where a seat has heard the same in two games, its list, its refusals and its board must be equal.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use super::progress::{Budget, Progress};
use crate::check::rules::played::{Played, acting};
use crate::check::rules::report::{Check, Finding, RulesFlaw};
use crate::check::rules::request::{Actions, Request};
use crate::check::rules::session::{Exchange, RulesSession, StepFailure, transcript};
use crate::game::{Chance, shuffle};
use crate::rules::{Answer, News, ShownPosition, To, Turn};

/// Number of pairs that are compared by boards and refusals. The lists of all pairs are compared.
const PROBED: usize = 60;

/// Actions that are tried at a pair.
const PROBES: usize = 16;

/// Known actions of the game.
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

pub fn check(progress: &mut Progress<'_>) -> Result<(), StepFailure> {
    let mut session = progress.start(Check::Secrets)?;
    let (pairs, unequal) = pairs(&progress.games, session.hello().has.hidden);
    let count = pairs.len();
    if count == 0 {
        progress
            .report
            .miss(Check::Secrets, "two positions with equal news for a seat");
        return Ok(());
    }
    if let Some(pair) = unequal {
        // Refusals follow the list.
        let finding = of_lists(progress, &mut session, &pair)?;
        progress.report.add(finding);
        return Ok(());
    }
    let mut known = known_actions(&progress.games, &mut progress.chance);
    let mut budget = Budget::new(progress.plan);
    for pair in sample(pairs, &mut progress.chance) {
        let found = probe(progress, &mut session, &pair, &mut known)?;
        found
            .into_iter()
            .for_each(|finding| progress.report.add(finding));
        if !budget.charge(&mut session) {
            break;
        }
    }
    progress.report.facts.alike = Some(count);
    Ok(())
}

/// All pairs of positions in two games with equal news for the seat that acts, and the first whose lists differ.
/// Each position is paired with the first of its kind.
fn pairs(games: &[Played], is_hidden: bool) -> (Vec<Pair>, Option<Pair>) {
    let mut first: HashMap<(u8, u64), (Place, u64)> = HashMap::new();
    let (mut pairs, mut unequal) = (Vec::new(), None);
    for (game, played) in games.iter().enumerate() {
        let mut heard = Heard::new(played, is_hidden);
        for (ply, step) in played.steps.iter().enumerate() {
            for (seat, list) in &step.lists {
                let place = Place {
                    game,
                    ply,
                    seat: *seat,
                };
                match first.entry((*seat, heard.asked(*seat))) {
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
            heard.after(&step.actions, &step.turn);
        }
    }
    (pairs, unequal)
}

/// A number for each seat that stands for all that it has heard.
struct Heard {
    seats: Vec<DefaultHasher>,
    is_hidden: bool,
}

impl Heard {
    fn new(game: &Played, is_hidden: bool) -> Self {
        let mut begun = DefaultHasher::new();
        (game.start.seats, &game.start.options).hash(&mut begun);
        let mut heard = Self {
            seats: vec![begun; usize::from(game.start.seats)],
            is_hidden,
        };
        heard.after(&Vec::new(), &game.opening);
        heard
    }

    /// A seat is asked to act, and hears that.
    fn asked(&mut self, seat: u8) -> u64 {
        let heard = &mut self.seats[usize::from(seat)];
        "act".hash(heard);
        heard.finish()
    }

    fn after(&mut self, actions: &Actions, turn: &Turn) {
        for (seat, action) in actions {
            ("own", action).hash(&mut self.seats[usize::from(*seat)]);
        }
        let tells = |news: &News| matches!(news, News::Did { .. });
        if !self.is_hidden && !turn.news.iter().any(tells) {
            self.all(&actions);
        }
        for news in &turn.news {
            match news {
                News::Did {
                    seat,
                    action,
                    public,
                } => self.all(&("did", seat, action, public)),
                News::See { to: To::All, words } => self.all(&("see", words)),
                News::See {
                    to: To::Seat(seat),
                    words,
                } => {
                    ("see", words).hash(&mut self.seats[usize::from(*seat)]);
                }
            }
        }
    }

    fn all(&mut self, news: &impl Hash) {
        for heard in &mut self.seats {
            news.hash(heard);
        }
    }
}

/// Actions that were played in any game.
fn known_actions(games: &[Played], chance: &mut dyn Chance) -> Vec<String> {
    let steps = games.iter().flat_map(|game| &game.steps);
    let actions = steps.flat_map(|step| &step.actions);
    let known: BTreeSet<&String> = actions.map(|(_, action)| action).collect();
    let mut known: Vec<String> = known.into_iter().take(KNOWN).cloned().collect();
    shuffle(&mut known, chance);
    known
}

/// Pairs to look at closely.
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

fn restore(
    progress: &Progress<'_>,
    session: &mut RulesSession<'_>,
    place: Place,
) -> Result<(), StepFailure> {
    progress.games[place.game]
        .restore(session, place.ply)
        .map(|_| ())
}

/// The finding for two lists that differ.
fn of_lists(
    progress: &Progress<'_>,
    session: &mut RulesSession<'_>,
    Pair(one, other): &Pair,
) -> Result<Finding, StepFailure> {
    let seat = one.seat;
    restore(progress, session, *one)?;
    let mut first = session.legal(seat)?;
    let conversation = session.exchanges().to_vec();
    restore(progress, session, *other)?;
    let mut second = session.legal(seat)?;
    first.sort_unstable();
    second.sort_unstable();
    let is_order = first == second;
    Ok(of_two(
        session,
        &conversation,
        RulesFlaw::LegalLeaks { seat, is_order },
    ))
}

/// A finding with two conversations: an earlier one, and the one of the session.
fn of_two(session: &RulesSession<'_>, earlier: &[Exchange], problem: RulesFlaw) -> Finding {
    let mut finding = session.finding(problem);
    let mut lines = transcript(earlier);
    lines.push("# another game:".to_owned());
    lines.append(&mut finding.transcript);
    finding.transcript = lines;
    finding
}

/// Compares boards and refusals of a pair.
fn probe(
    progress: &Progress<'_>,
    session: &mut RulesSession<'_>,
    Pair(one, other): &Pair,
    known: &mut [String],
) -> Result<Vec<Finding>, StepFailure> {
    let seat = one.seat;
    let mut findings = Vec::new();
    let board = |session: &mut RulesSession<'_>| session.show(Some(seat)).map(without_state);
    restore(progress, session, *one)?;
    let first = board(session)?;
    let conversation = session.exchanges().to_vec();
    restore(progress, session, *other)?;
    if first != board(session)? {
        findings.push(of_two(
            session,
            &conversation,
            RulesFlaw::ShowLeaks { seat },
        ));
    }
    let turns = [one, other].map(|place| progress.games[place.game].turn(place.ply));
    if turns.iter().any(|turn| acting(turn).len() > 1) {
        return Ok(findings);
    }
    known.rotate_left(PROBES.min(known.len()));
    for action in known.iter().take(PROBES) {
        let request = Request::Play(vec![(seat, action.clone())]);
        restore(progress, session, *one)?;
        let first = session.answer(&request)?;
        let conversation = session.exchanges().to_vec();
        restore(progress, session, *other)?;
        let second = session.answer(&request)?;
        let is_equal = match (first, second) {
            (Answer::Refused(first), Answer::Refused(second)) => first == second,
            (Answer::Turn(_), Answer::Turn(_)) => true,
            _ => false,
        };
        if !is_equal {
            let action = action.clone();
            findings.push(of_two(
                session,
                &conversation,
                RulesFlaw::RefusalLeaks { seat, action },
            ));
            break;
        }
    }
    Ok(findings)
}

/// A board without the name of the position, which is for the check alone.
fn without_state(mut shown: ShownPosition) -> ShownPosition {
    shown.state = None;
    shown
}
