//! A game in progress whose rules are a program.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::answer::{Next, Turn};
use super::pool::Pool;
use super::show::ShownPosition;
use crate::game::{
    ActError, Actors, AnyPosition, AtOnceError, Chance, Drawing, GameResult, News, Outcome,
    PerSeat, Places, Reason, Refusal, RulesFault, RulesPoints, Seat, Seats,
};
use crate::rules::answer::{Answer, News as Told, Refusal as Refused, To};
use crate::rules::program::Program;
use crate::rules::request::Request;
use crate::rules::{EXCERPT, Malformed};
use crate::text::excerpt;
use crate::units::micros;

/// A game in progress. Dropping it gives the program back.
#[derive(Debug)]
pub struct ProgramPosition {
    pool: Arc<Pool>,
    /// The program; `None` once it failed.
    program: RefCell<Option<Program>>,
    ply: u32,
    begun: Beginning,
    /// The actions of all plies so far.
    played: Vec<Vec<(Seat, String)>>,
    has_lines: bool,
    dealt: News,
    to_act: Actors,
    gone: Seats,
    offers: PerSeat<Vec<String>>,
    rules_points: Option<PerSeat<RulesPoints>>,
    outcome: Option<Outcome>,
    last_us: u64,
    ahead: RefCell<VecDeque<Asked>>,
}

/// The start of a game.
#[derive(Debug, Clone)]
struct Beginning {
    seed: u64,
    seats: u8,
    options: Vec<(String, String)>,
}

/// A request that was sent before its answer was asked for.
#[derive(Debug, PartialEq)]
enum Asked {
    Play(Vec<(Seat, String)>),
    Show(Option<Seat>),
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
        let beginning = Beginning {
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

    fn begin(pool: &Arc<Pool>, program: Program, begun: Beginning) -> Result<Self, RulesFault> {
        let mut position = Self {
            pool: Arc::clone(pool),
            has_lines: program.hello().has.lines,
            program: RefCell::new(Some(program)),
            ply: 0,
            dealt: News::default(),
            to_act: Actors::Nobody,
            gone: Seats::default(),
            offers: PerSeat::defaults(begun.seats.into()),
            begun,
            played: Vec::new(),
            rules_points: None,
            outcome: None,
            last_us: 0,
            ahead: RefCell::default(),
        };
        let Beginning {
            seed,
            seats,
            options,
        } = &position.begun;
        let turn = match position.ask(|program| program.new_game(*seed, *seats, options))? {
            Answer::Turn(turn) => turn,
            Answer::Refused(refused) => return Err(RulesFault::Options(refused.words)),
        };
        let mut dealt = News::default();
        tell(&turn.news, &mut dealt);
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

    /// Whether an action can be sent to the rules: it is not empty, has no control characters, and no blanks unless
    /// actions are lines.
    fn is_well_formed(&self, token: &str) -> bool {
        let is_allowed = |c: char| !c.is_control() && (self.has_lines || !c.is_whitespace());
        !token.trim().is_empty() && token.chars().all(is_allowed)
    }

    fn lists_legal(&self) -> Result<bool, RulesFault> {
        self.ask(|program| Ok(program.hello().has.legal))
    }

    /// Whether a request was sent ahead, so that its answer is the next one.
    fn was_asked(&self, is_request: impl FnOnce(&Asked) -> bool) -> Result<bool, RulesFault> {
        match self.ahead.borrow_mut().pop_front() {
            None => Ok(false),
            Some(asked) if is_request(&asked) => Ok(true),
            // The answer that comes next is to another request.
            Some(_) => self.ask(|_| Err(RulesFault::NotForeseen)),
        }
    }

    fn show(&self, seat: Option<Seat>) -> Result<ShownPosition, RulesFault> {
        let was_asked = self.was_asked(|asked| *asked == Asked::Show(seat))?;
        self.ask(|program| match was_asked {
            true => program.next_shown(),
            false => program.show(seat.map(Seat::number)),
        })
    }

    /// Plays the actions of the seats that act. Returns the refusal of actions that change nothing.
    fn play(
        &mut self,
        actions: &[(Seat, &str)],
        news: &mut News,
    ) -> Result<Option<Refused>, RulesFault> {
        let numbered: Vec<(u8, &str)> = actions
            .iter()
            .map(|(seat, token)| (seat.number(), *token))
            .collect();
        let was_asked = self.was_asked(|asked| match asked {
            Asked::Play(ply) => {
                let ply = ply.iter().map(|(seat, token)| (*seat, token.as_str()));
                ply.eq(actions.iter().copied())
            }
            Asked::Show(_) => false,
        })?;
        let (answer, took, is_hidden) = self.ask(|program| {
            // The time of questions between two plies is not the time of this one.
            program.take_time();
            let answer = match was_asked {
                true => {
                    let acted: Vec<u8> = numbered.iter().map(|(seat, _)| *seat).collect();
                    program.next_answer(&acted)?
                }
                false => program.play(&numbered)?,
            };
            Ok((answer, program.take_time(), program.hello().has.hidden))
        })?;
        let turn = match answer {
            Answer::Turn(turn) => turn,
            Answer::Refused(refused) => return Ok(Some(refused)),
        };
        let is_told = |line: &Told| matches!(line, Told::Did { .. });
        let is_secret = is_hidden || turn.news.iter().any(is_told);
        for (seat, token) in actions {
            if is_secret {
                news.keep_secret(*seat);
            }
            *news.public_mut(*seat) = public_result(&turn.news, *seat, token).unwrap_or_default();
        }
        tell(&turn.news, news);
        self.ply += 1;
        let actions = actions.iter();
        let actions = actions.map(|(seat, token)| (*seat, (*token).to_owned()));
        self.played.push(actions.collect());
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
        if !self.ahead.borrow().is_empty() {
            return Ok(());
        }
        let is_token = |action: &String| action == token;
        if !self.offers[seat].iter().any(is_token) && !self.listed(seat)?.iter().any(is_token) {
            return Ok(());
        }
        let fault = RulesFault::ListedRefused {
            action: excerpt(token, EXCERPT),
            words: excerpt(&refused.words, EXCERPT),
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
                    return self.ask(|_| Err(RulesFault::DroppedActs { seat }));
                }
                if self.gone.len() + 1 == self.seats() {
                    return self.ask(|_| Err(RulesFault::DropGoesOn));
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
        match self.play(&[(seat, token)], news)? {
            None => Ok(()),
            Some(refused) => {
                self.refuses_rightly(seat, token, &refused)?;
                Err(refusal(&refused).into())
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
        let actions: Vec<(Seat, &str)> = actors.seats().map(|seat| (seat, tokens[seat])).collect();
        let refused = self.play(&actions, news).map_err(AtOnceError::Rules)?;
        let Some(refused) = refused else {
            return Ok(());
        };
        let mut at_fault = Seats::default();
        for (seat, token) in &actions {
            let is_at_fault = if refused.seats.contains(&seat.number()) {
                let checked = self.refuses_rightly(*seat, token, &refused);
                checked.map_err(AtOnceError::Rules)?;
                true
            } else {
                // Rules may name one seat at fault and leave another open.
                let legal = self.listed(*seat).map_err(AtOnceError::Rules)?;
                !legal.is_empty() && !legal.iter().any(|action| action == token)
            };
            if is_at_fault {
                at_fault.insert(*seat);
            }
        }
        let refusals = at_fault.iter().map(|seat| (seat, refusal(&refused)));
        Err(AtOnceError::Refused(refusals.collect()))
    }

    /// The seats leave one after another, in rising order, until the rules end the game.
    fn drop_seats(&mut self, seats: Seats, news: &mut News) -> Result<(), RulesFault> {
        let mut took = Duration::ZERO;
        for seat in seats.iter() {
            if self.to_act.is_nobody() {
                break;
            }
            self.was_asked(|_| false)?;
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
                    Answer::Refused(refused) => Err(RulesFault::DropRefused {
                        seat: seat.number(),
                        words: excerpt(&refused.words, EXCERPT),
                    }),
                }
            })?;
            self.gone.insert(seat);
            tell(&turn.news, news);
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
        let plies = plies.map(|tokens| {
            let acted = tokens.iter();
            let acted = acted.filter_map(|(seat, token)| Some((seat, (*token)?.to_owned())));
            acted.collect::<Vec<_>>()
        });
        let is_well_formed =
            |ply: &Vec<(Seat, String)>| ply.iter().all(|(_, token)| self.is_well_formed(token));
        let plies: Vec<_> = plies.take_while(is_well_formed).collect();
        let queued = self.ask(|program| {
            for ply in &plies {
                let ply = ply
                    .iter()
                    .map(|(seat, token)| (seat.number(), token.as_str()));
                program.queue_play(&ply.collect::<Vec<_>>());
                for seat in drawings {
                    program.queue(&Request::Show(seat.map(Seat::number)));
                }
            }
            Ok(())
        });
        if queued.is_err() {
            return;
        }
        let ahead = self.ahead.get_mut();
        for ply in plies {
            ahead.push_back(Asked::Play(ply));
            ahead.extend(drawings.iter().copied().map(Asked::Show));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn legal(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        if !self.to_act.includes(seat) {
            return Ok(Vec::new());
        }
        if self.lists_legal()? {
            self.was_asked(|_| false)?;
            self.ask(|program| program.legal(seat.number()))
        } else {
            Err(RulesFault::NotListed)
        }
    }

    fn listed_again(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        if !self.gone.is_empty() {
            return Ok(Vec::new());
        }
        let mut again = Self::begin(&self.pool, self.pool.take_new()?, self.begun.clone())?;
        for ply in &self.played {
            let actions = ply.iter().map(|(seat, token)| (*seat, token.as_str()));
            let refused = again.play(&actions.collect::<Vec<_>>(), &mut News::default())?;
            if refused.is_some() {
                break;
            }
        }
        // Rules that do not repeat themselves say nothing about this position.
        match (again.ply, again.to_act) == (self.ply, self.to_act) {
            true => again.listed(seat),
            false => Ok(Vec::new()),
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

fn tell(told: &[Told], news: &mut News) {
    for line in told {
        match line {
            Told::Did {
                seat,
                action,
                public,
            } => news.tell_action(Seat::numbered(*seat), action.clone(), public.clone()),
            Told::See { to, words } => match to {
                To::All => news.tell_all(words.clone()),
                To::Seat(seat) => news.tell(Seat::numbered(*seat), words.clone()),
            },
        }
    }
}

fn public_result(told: &[Told], actor: Seat, token: &str) -> Option<String> {
    told.iter().find_map(|line| match line {
        Told::Did {
            seat,
            action,
            public,
        } if Seat::numbered(*seat) == actor && action == token => Some(public.clone()),
        _ => None,
    })
}

fn malformed_action() -> Refusal {
    Refusal::Unparsable {
        expected: "an action of one word, without control characters".into(),
    }
}

fn refusal(refused: &Refused) -> Refusal {
    let words = refused.words.clone();
    if refused.unparsable {
        Refusal::Unparsable {
            expected: words.into(),
        }
    } else {
        Refusal::Illegal { rule: words }
    }
}
