//! A game in progress whose rules are a program.

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::answer::{Next, Turn};
use super::pool::Pool;
use super::show::ShownPosition;
use crate::game::{
    ActError, Actors, AnyPosition, AtOnceError, Chance, Drawing, GameResult, News, NewsLine,
    Outcome, PerSeat, Places, Reason, Refusal, RulesFault, RulesPoints, Seat, Seats,
};
use crate::rules::answer::{Answer, Refusal as Refused};
use crate::rules::program::Program;
use crate::rules::request::{Actions, NewGame, Request};
use crate::rules::{EXCERPT, Malformed};
use crate::text::excerpt;
use crate::units::micros;

const MOST_KNOWN: usize = 1 << 16;

/// A game in progress. Dropping it gives the program back.
#[derive(Debug)]
pub struct ProgramPosition {
    pool: Arc<Pool>,
    /// The program; `None` once it failed.
    program: RefCell<Option<Program>>,
    ply: u32,
    begun: NewGame,
    /// The actions of all plies so far.
    played: Vec<Actions>,
    has_lines: bool,
    dealt: News,
    to_act: Actors,
    gone: Seats,
    offers: PerSeat<Vec<String>>,
    /// Actions that were listed in this game.
    known: RefCell<HashSet<String>>,
    /// Seats whose actions of the last ply were not listed.
    unlisted: Seats,
    rules_points: Option<PerSeat<RulesPoints>>,
    outcome: Option<Outcome>,
    last_us: u64,
    /// Requests that were sent before their answers were asked for.
    ahead: RefCell<VecDeque<Request>>,
}

/// The seed of a game: 53 bits, which every language holds exactly.
pub fn seed_of_game(chance: &mut dyn Chance) -> u64 {
    let high = u64::from(chance.below(1 << 27));
    let low = u64::from(chance.below(1 << 26));
    high << 26 | low
}

impl ProgramPosition {
    pub(super) fn new(
        pool: &Arc<Pool>,
        seats: u8,
        options: &[(String, String)],
        chance: &mut dyn Chance,
    ) -> Result<Self, RulesFault> {
        let beginning = NewGame {
            seed: seed_of_game(chance),
            seats,
            options: options.to_owned(),
        };
        let program = pool.take()?;
        let was_idle = program.has_played();
        match Self::begin(pool, program, beginning.clone()) {
            // The process ended between two games, which is no fault of this one.
            Err(fault) if was_idle && fault.is_end() => {
                Self::begin(pool, pool.take_new()?, beginning)
            }
            begun => begun,
        }
    }

    fn begin(pool: &Arc<Pool>, program: Program, begun: NewGame) -> Result<Self, RulesFault> {
        let mut position = Self {
            pool: Arc::clone(pool),
            has_lines: program.hello().has.lines,
            program: RefCell::new(Some(program)),
            ply: 0,
            dealt: News::default(),
            to_act: Actors::Nobody,
            gone: Seats::default(),
            offers: PerSeat::defaults(begun.seats.into()),
            known: RefCell::default(),
            unlisted: Seats::default(),
            begun,
            played: Vec::new(),
            rules_points: None,
            outcome: None,
            last_us: 0,
            ahead: RefCell::default(),
        };
        let begun = position.ask(|program| {
            program.queue(&Request::New(position.begun.clone()));
            program.next_beginning(position.begun.seats)
        });
        let turn = match begun? {
            Answer::Turn(turn) => turn,
            Answer::Refused(Refused { words, .. }) => {
                let problem = format!("the rules program refuses these options: {words}");
                return Err(RulesFault::Broken(problem));
            }
        };
        let mut dealt = News::default();
        dealt.tell_lines(&turn.news);
        position.dealt = dealt;
        position.follow(turn)?;
        Ok(position)
    }

    /// Asks the program. Once it failed, it is ended, and every later question fails.
    fn ask<T>(
        &self,
        question: impl FnOnce(&mut Program) -> Result<T, RulesFault>,
    ) -> Result<T, RulesFault> {
        let mut slot = self.program.borrow_mut();
        let Some(program) = slot.as_mut() else {
            return Err(RulesFault::Ended("it failed before".to_owned()));
        };
        let answer = question(program).map_err(|fault| program.with_log(fault));
        if answer.is_err() {
            *slot = None;
        }
        answer
    }

    /// Ends the program, for what it did.
    fn broken<T>(&self, what: &str) -> Result<T, RulesFault> {
        let fault = RulesFault::Broken(format!("the rules program {what}"));
        self.ask(|_| Err(fault))
    }

    /// Whether an action can be sent to the rules: it is not empty, has no control characters, and no blanks unless
    /// actions are lines.
    fn is_well_formed(&self, token: &str) -> bool {
        let is_allowed = |c: char| !c.is_control() && (self.has_lines || !c.is_whitespace());
        !token.trim().is_empty() && token.chars().all(is_allowed)
    }

    /// Whether a request was sent ahead, so that its answer is the next one.
    fn was_asked(&self, request: Option<&Request>) -> Result<bool, RulesFault> {
        match self.ahead.borrow_mut().pop_front() {
            None => Ok(false),
            Some(asked) if Some(&asked) == request => Ok(true),
            // The answer that comes next is to another request.
            Some(_) => self.broken("does not play the recorded game: it asks for other actions"),
        }
    }

    fn show(&self, seat: Option<Seat>) -> Result<ShownPosition, RulesFault> {
        let request = Request::Show(seat.map(Seat::number));
        let was_asked = self.was_asked(Some(&request))?;
        self.ask(|program| {
            if !was_asked {
                program.queue(&request);
            }
            program.next_shown()
        })
    }

    /// The seats whose legal actions are asked before these are played: actions that were not listed in this game, where
    /// they could be. Rules that play another spelling would send it to the opponent, or fail on it a ply later.
    fn doubtful(&self, actions: &Actions) -> Result<Vec<u8>, RulesFault> {
        let known = self.known.borrow();
        let lists = self.ask(|program| Ok(program.hello().has.legal))?;
        let doubtful = actions.iter();
        let doubtful = doubtful.filter(|(_, action)| lists && !known.contains(action));
        Ok(doubtful.map(|(seat, _)| *seat).collect())
    }

    fn learn(&self, actions: &[String]) {
        let mut known = self.known.borrow_mut();
        for action in actions {
            if known.len() < MOST_KNOWN && !known.contains(action) {
                known.insert(action.clone());
            }
        }
    }

    /// This position in a new process; `None` where seats have left, or the rules do not repeat themselves.
    fn again(&self) -> Result<Option<Self>, RulesFault> {
        if !self.gone.is_empty() {
            return Ok(None);
        }
        let mut again = Self::begin(&self.pool, self.pool.take_new()?, self.begun.clone())?;
        again.known.clone_from(&self.known);
        for ply in &self.played {
            if again.play(ply.clone(), &mut News::default())?.is_some() {
                break;
            }
        }
        Ok(((again.ply, again.to_act) == (self.ply, self.to_act)).then_some(again))
    }

    /// Plays the actions of the seats that act. Returns the refusal of actions that change nothing.
    fn play(&mut self, actions: Actions, news: &mut News) -> Result<Option<Refused>, RulesFault> {
        let request = Request::Play(actions.clone());
        let was_asked = self.was_asked(Some(&request))?;
        // A recorded game whose plies were sent ahead was judged when it was played.
        let doubtful = match was_asked {
            true => Vec::new(),
            false => self.doubtful(&actions)?,
        };
        let (lists, answer, took, is_hidden) = self.ask(|program| {
            for seat in &doubtful {
                program.queue(&Request::Legal(*seat));
            }
            if !was_asked {
                program.queue(&request);
            }
            let lists = doubtful.iter().map(|seat| program.next_legal(*seat));
            let lists = lists.collect::<Result<Vec<_>, _>>()?;
            // The time of questions between two plies is not the time of this one.
            program.take_time();
            let acted: Vec<u8> = actions.iter().map(|(seat, _)| *seat).collect();
            let answer = program.next_answer(&acted)?;
            Ok((
                lists,
                answer,
                program.take_time(),
                program.hello().has.hidden,
            ))
        })?;
        lists.iter().for_each(|list| self.learn(list));
        let is_unlisted = |(seat, list): &(&u8, &Vec<String>)| {
            let mut acted = actions.iter();
            let acted = acted.find(|(of, _)| of == *seat);
            !list.is_empty() && acted.is_some_and(|(_, action)| !list.contains(action))
        };
        let unlisted = doubtful.iter().zip(&lists).filter(is_unlisted);
        self.unlisted = unlisted.map(|(seat, _)| Seat::numbered(*seat)).collect();
        let turn = match answer {
            Answer::Turn(turn) => turn,
            Answer::Refused(refused) => return Ok(Some(refused)),
        };
        if !self.unlisted.is_empty()
            && let Some(again) = self.again()?
        {
            self.program.swap(&again.program);
            return Ok(None);
        }
        let mut told = turn.news.iter();
        let is_secret = is_hidden || told.any(|(_, line)| matches!(line, NewsLine::Did { .. }));
        for (number, token) in &actions {
            let seat = Seat::numbered(*number);
            if is_secret {
                news.keep_secret(seat);
            }
            let public = turn.news.iter().find_map(|(_, line)| match line {
                NewsLine::Did {
                    seat: of,
                    action,
                    public,
                } if *of == seat && action == token => Some(public.clone()),
                _ => None,
            });
            *news.public_mut(seat) = public.unwrap_or_default();
        }
        news.tell_lines(&turn.news);
        self.ply += 1;
        self.played.push(actions);
        self.last_us = micros(took);
        self.follow(turn)?;
        Ok(None)
    }

    /// Checks that an action that was refused was not listed as legal, which would be no fault of its player.
    fn refuses_rightly(
        &self,
        seat: Seat,
        token: &str,
        refused: &Refused,
    ) -> Result<(), RulesFault> {
        // A recorded game whose plies were sent ahead was judged when it was played.
        if self.unlisted.contains(seat) || !self.ahead.borrow().is_empty() {
            return Ok(());
        }
        let is_token = |action: &String| action == token;
        if !self.offers[seat].iter().any(is_token) && !self.listed(seat)?.iter().any(is_token) {
            return Ok(());
        }
        let fault = RulesFault::ListedRefused {
            action: excerpt(token, EXCERPT),
            words: excerpt(refused.words_of(seat.number()), EXCERPT),
        };
        self.ask(|_| Err(fault))
    }

    fn follow(&mut self, turn: Turn) -> Result<(), RulesFault> {
        self.rules_points = turn.score.map(PerSeat::from_iter);
        self.offers = PerSeat::defaults(self.offers.count());
        for (seat, actions) in turn.offers {
            self.offers[Seat::numbered(seat)].extend(actions);
        }
        self.to_act = match turn.next {
            Next::Act(seats) => {
                let seats: Seats = seats.into_iter().map(Seat::numbered).collect();
                if let Some(seat) = seats.iter().find(|seat| self.gone.contains(*seat)) {
                    let seat = seat.number();
                    return self.broken(&format!("names seat {seat} to act, which left by `drop`"));
                }
                if self.gone.len() + 1 == self.seats() {
                    return self.broken("goes on after `drop` with one seat left: expected `end`");
                }
                Actors::those(seats)
            }
            Next::End { points, reason } => {
                self.outcome = Some(outcome(points, &reason)?);
                Actors::Nobody
            }
        };
        Ok(())
    }
}

impl Drop for ProgramPosition {
    fn drop(&mut self) {
        // A program with unread answers is ended.
        if let Some(program) = self
            .program
            .take()
            .filter(|_| self.ahead.get_mut().is_empty())
        {
            self.pool.give_back(program);
        }
    }
}

impl AnyPosition for ProgramPosition {
    fn ply(&self) -> u32 {
        self.ply
    }

    fn seats(&self) -> usize {
        self.offers.count()
    }

    fn to_act(&self) -> Actors {
        self.to_act
    }

    fn dealt(&self, news: &mut News) {
        news.clone_from(&self.dealt);
    }

    fn act(&mut self, token: &str, news: &mut News) -> Result<(), ActError> {
        if !self.is_well_formed(token) {
            return Err(malformed_action().into());
        }
        let Actors::One(seat) = self.to_act else {
            let rule = "no single seat is to act".to_owned();
            return Err(Refusal::Illegal { rule }.into());
        };
        match self.play(vec![(seat.number(), token.to_owned())], news)? {
            None if self.unlisted.contains(seat) => Err(not_listed().into()),
            None => Ok(()),
            Some(refused) => {
                self.refuses_rightly(seat, token, &refused)?;
                Err(refusal(&refused, seat).into())
            }
        }
    }

    fn act_at_once(&mut self, tokens: &PerSeat<&str>, news: &mut News) -> Result<(), AtOnceError> {
        let actors = self.to_act;
        let malformed = actors
            .seats()
            .filter(|seat| !self.is_well_formed(tokens[*seat]));
        let malformed: Vec<Seat> = malformed.collect();
        if !malformed.is_empty() {
            let refusals = malformed.into_iter().map(|seat| (seat, malformed_action()));
            return Err(AtOnceError::Refused(refusals.collect()));
        }
        let actions = actors.seats();
        let actions = actions.map(|seat| (seat.number(), tokens[seat].to_owned()));
        let refused = self.play(actions.collect(), news);
        let refused = refused.map_err(AtOnceError::Rules)?;
        let Some(refused) = refused else {
            let refusals: Vec<_> = self
                .unlisted
                .iter()
                .map(|seat| (seat, not_listed()))
                .collect();
            return match refusals.is_empty() {
                true => Ok(()),
                false => Err(AtOnceError::Refused(refusals.into_iter().collect())),
            };
        };
        let mut refusals = Vec::new();
        for seat in actors.seats() {
            let token = tokens[seat];
            if refused.seats.contains(&seat.number()) {
                let checked = self.refuses_rightly(seat, token, &refused);
                checked.map_err(AtOnceError::Rules)?;
                refusals.push((seat, refusal(&refused, seat)));
                continue;
            }
            // Rules may name one seat at fault and leave another open. The words are for that one alone.
            if !self.ahead.borrow().is_empty() {
                continue;
            }
            let legal = self.listed(seat).map_err(AtOnceError::Rules)?;
            if !legal.is_empty() && !legal.iter().any(|action| action == token) {
                refusals.push((seat, not_listed()));
            }
        }
        Err(AtOnceError::Refused(refusals.into_iter().collect()))
    }

    /// The seats leave one after another, in rising order, until the rules end the game.
    fn drop_seats(&mut self, seats: Seats, news: &mut News) -> Result<(), RulesFault> {
        let mut took = Duration::ZERO;
        for seat in seats.iter() {
            if self.to_act.is_nobody() {
                break;
            }
            self.was_asked(None)?;
            let turn = self.ask(|program| {
                if !program.hello().has.drop {
                    return Err(RulesFault::NoDrop);
                }
                program.take_time();
                match program.drop_seat(seat.number())? {
                    Answer::Turn(turn) => {
                        took += program.take_time();
                        Ok(turn)
                    }
                    Answer::Refused(Refused { words, .. }) => Err(RulesFault::Broken(format!(
                        "the rules program refuses `drop {}`: {}",
                        seat.number(),
                        excerpt(&words, EXCERPT)
                    ))),
                }
            })?;
            self.gone.insert(seat);
            news.tell_lines(&turn.news);
            self.follow(turn)?;
        }
        self.ply += 1;
        self.last_us = micros(took);
        Ok(())
    }

    fn foresee(
        &mut self,
        plies: &mut dyn Iterator<Item = PerSeat<Option<&str>>>,
        drawings: &[Option<Seat>],
    ) {
        let mut requests = Vec::new();
        for tokens in plies {
            let acted = tokens.iter();
            let acted = acted.filter_map(|(seat, token)| Some((seat.number(), (*token)?)));
            let acted: Vec<_> = acted.collect();
            if !acted.iter().all(|(_, token)| self.is_well_formed(token)) {
                break;
            }
            let acted = acted.into_iter();
            let acted = acted.map(|(seat, token)| (seat, token.to_owned()));
            requests.push(Request::Play(acted.collect()));
            let seats = drawings.iter().map(|seat| seat.map(Seat::number));
            requests.extend(seats.map(Request::Show));
        }
        let queued = self.ask(|program| {
            requests.iter().for_each(|request| program.queue(request));
            Ok(())
        });
        if queued.is_ok() {
            self.ahead.get_mut().extend(requests);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn legal(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        if !self.to_act.includes(seat) {
            return Ok(Vec::new());
        }
        if self.ask(|program| Ok(program.hello().has.legal))? {
            self.was_asked(None)?;
            let legal = self.ask(|program| program.legal(seat.number()))?;
            self.learn(&legal);
            Ok(legal)
        } else {
            Err(RulesFault::NotListed)
        }
    }

    fn listed_again(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        match self.again()? {
            Some(again) => again.listed(seat),
            None => Ok(Vec::new()),
        }
    }

    /// The program's own order, and nothing where it lists no legal actions.
    fn legal_near(&self, seat: Seat, _token: &str) -> Result<Vec<String>, RulesFault> {
        self.listed(seat)
    }

    fn offers(&self, seat: Seat) -> &[String] {
        &self.offers[seat]
    }

    fn answers(&self) -> Option<String> {
        let program = self.program.borrow();
        program.as_ref().map(Program::answers)
    }

    fn rules_us(&self) -> Option<u64> {
        Some(self.last_us)
    }

    fn rules_points(&self) -> Option<PerSeat<RulesPoints>> {
        self.rules_points.clone()
    }

    fn drawing(&self, seat: Option<Seat>) -> Result<Drawing, RulesFault> {
        Ok(self.show(seat)?.drawing)
    }
}

/// The end of a game: the seat with the most points has won. The reader lets points for each seat pass.
fn outcome(points: Vec<RulesPoints>, reason: &str) -> Result<Outcome, RulesFault> {
    let points = PerSeat::from_iter(points);
    let reason = Reason::interned(reason).ok_or_else(|| {
        Malformed::new(
            &format!("end … {reason}"),
            "one of at most 4096 different reasons",
        )
    })?;
    Ok(Outcome {
        result: GameResult::placed(Places::by(&points)),
        reason,
        rules_points: Some(points),
    })
}

fn not_listed() -> Refusal {
    Refusal::Illegal {
        rule: "it is not among the legal actions".to_owned(),
    }
}

fn malformed_action() -> Refusal {
    Refusal::Unparsable {
        expected: "an action of one word, without control characters".into(),
    }
}

fn refusal(refused: &Refused, seat: Seat) -> Refusal {
    let words = refused.words_of(seat.number()).to_owned();
    if refused.unparsable {
        Refusal::Unparsable {
            expected: words.into(),
        }
    } else {
        Refusal::Illegal { rule: words }
    }
}
