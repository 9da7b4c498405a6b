//! A game in progress whose rules are a program.

mod any_position;
mod told;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use told::{outcome, public_result, tell};

use super::answer::{Answer, News as Told, Next, Refusal as Refused, Turn};
use super::pool::Pool;
use super::program::Program;
use super::show::ShownPosition;
use crate::game::{
    Actors, AnyPosition, Chance, News, Outcome, PerSeat, RulesFault, RulesPoints, Seat, Seats,
};
use crate::text::excerpt;
use crate::units::micros;

/// Maximum characters of a quotation.
const EXCERPT: usize = 80;

/// A game in progress. Dropping it gives the program back.
#[derive(Debug)]
pub struct ProgramPosition {
    pool: Arc<Pool>,
    /// The program; `None` once it failed.
    program: RefCell<Option<Program>>,
    ply: u32,
    /// Whether an action is a line.
    has_lines: bool,
    dealt: News,
    to_act: Actors,
    /// The seats that have left.
    gone: Seats,
    offers: PerSeat<Vec<String>>,
    rules_points: Option<PerSeat<RulesPoints>>,
    outcome: Option<Outcome>,
    /// Microseconds that the program took for the last ply.
    last_us: u64,
    /// Requests that the program was sent already, and whose answers are not read.
    ahead: RefCell<VecDeque<Asked>>,
}

/// A request that was sent before its answer was asked for.
#[derive(Debug, PartialEq)]
enum Asked {
    Play(Vec<(Seat, String)>),
    Show(Option<Seat>),
}

/// A seed of 53 bits, which every language holds exactly.
fn seed(chance: &mut dyn Chance) -> u64 {
    let high = u64::from(chance.below(1 << 27));
    let low = u64::from(chance.below(1 << 26));
    high << 26 | low
}

impl ProgramPosition {
    /// Begins a game of this number of seats.
    ///
    /// # Errors
    /// The program fails, or refuses these options.
    pub(super) fn new(
        pool: &Arc<Pool>,
        seats: u8,
        options: &[(String, String)],
        chance: &mut dyn Chance,
    ) -> Result<Self, RulesFault> {
        let seed = seed(chance);
        let program = pool.take()?;
        let was_idle = program.has_played();
        match Self::begin(pool, program, seed, seats, options) {
            // The process ended between two games, which is no fault of this one.
            Err(fault) if was_idle && fault.is_end() => {
                Self::begin(pool, pool.take_new()?, seed, seats, options)
            }
            begun => begun,
        }
    }

    fn begin(
        pool: &Arc<Pool>,
        program: Program,
        seed: u64,
        seats: u8,
        options: &[(String, String)],
    ) -> Result<Self, RulesFault> {
        let mut position = Self {
            pool: Arc::clone(pool),
            has_lines: program.hello().has.lines,
            program: RefCell::new(Some(program)),
            ply: 0,
            dealt: News::default(),
            to_act: Actors::Nobody,
            gone: Seats::default(),
            offers: PerSeat::defaults(seats.into()),
            rules_points: None,
            outcome: None,
            last_us: 0,
            ahead: RefCell::default(),
        };
        let turn = match position.ask(|program| program.new_game(seed, seats, options))? {
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

    /// Goes on to the position after a turn.
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
