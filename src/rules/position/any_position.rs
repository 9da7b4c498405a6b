//! A game whose rules are a program, as any position.

use std::time::Duration;

use super::told::{malformed_action, refusal, tell};
use super::{Asked, EXCERPT, ProgramPosition};
use crate::game::{
    ActError, Actors, AnyPosition, AtOnceError, Drawing, News, Outcome, PerSeat, Refusal,
    RulesFault, RulesPoints, Seat, Seats,
};
use crate::rules::answer::Answer;
use crate::rules::program::Program;
use crate::text::excerpt;
use crate::units::micros;

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
                    program.queue_show(seat.map(Seat::number));
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
