//! One game: a position, two players, two clocks. Any behaviour of the players leads to a
//! [`GameEnd`]. This module knows no tournament, file, rating or terminal.

use std::time::Duration;

use crate::bot::{Player, millis};
use crate::clock::{Clock, Spent, TimeControl};
use crate::game::{
    ActError, AnyPosition, Blame, Game, GameResult, News, NewsLine, Outcome, PerSeat, RulesFault,
    Seat,
};
use crate::protocol::ToBot;

mod adjudication;
mod fault;
mod handshake;
mod failed_answers;
mod game_end;
mod opening;
mod participant;
mod refuse;
mod abort;
mod termination;
mod witness;

use abort::Abort;
pub use abort::Void;
pub use adjudication::{Adjudication, Adjudicator, Lead};
pub use fault::{FaultKind, PlayerFault};
pub use game_end::GameEnd;
pub use opening::{Line, Opening};
pub use participant::Participant;
pub use termination::Termination;
use witness::Unwatched;
pub use witness::{Ply, Witness};

/// Specification of one game.
#[derive(Debug, Clone)]
pub struct GameSpec<'a> {
    /// The game.
    pub game: Game,
    /// Its public options.
    pub options: &'a [(&'static str, String)],
    /// The seeds that the bots are given.
    pub bot_seeds: PerSeat<u64>,
    /// Number of plies of the opening, played before the players take over.
    pub opening_plies: u32,
    /// Conditions that end it early.
    pub adjudication: Adjudication,
    /// Time limits.
    pub terms: PerSeat<SeatTerms<'a>>,
}

/// Time limits of the player of a seat.
#[derive(Debug, Clone, Copy)]
pub struct SeatTerms<'a> {
    /// Its time control. Both players' have the same measure.
    pub time: &'a TimeControl,
    /// Time limit of its bot for the handshake.
    pub handshake: Duration,
    /// Time limit of its bot to get ready for a game.
    pub start: Duration,
}

/// Termination that players are told for a void game.
pub const VOID: &str = "void";

/// Maximum length of a quotation of a bot's line, in characters.
const EXCERPT: usize = 60;

/// Plays one game from the starting position to its end. Tells both players the end, and leaves them
/// running.
///
/// # Errors
/// The game is void: it counts for nothing.
pub fn play<'p>(
    spec: &GameSpec<'_>,
    position: &mut dyn AnyPosition,
    participants: [&'p mut Participant<dyn Player + 'p>; 2],
    opening: &mut dyn Opening,
    witness: &mut dyn Witness,
) -> Result<GameEnd, Void> {
    let mut game = GameInPlay::new(spec, participants);
    let verdict = game.play(position, opening, witness);
    game.conclude(verdict, position)
}

/// Begins a game as [`play`] does, and breaks it off before the first action. Returns the end if a player
/// forfeited before that.
///
/// # Errors
/// The game is void.
pub fn begin<'p>(
    spec: &GameSpec<'_>,
    position: &dyn AnyPosition,
    participants: [&'p mut Participant<dyn Player + 'p>; 2],
) -> Result<Option<GameEnd>, Void> {
    let mut game = GameInPlay::new(spec, participants);
    match game.greet().and_then(|()| game.start()) {
        Ok(()) => {
            game.cancel(Void::BrokenOff);
            Ok(None)
        }
        stopped => game.conclude(stopped, position).map(Some),
    }
}

/// Replays a recorded game between players that answer from its log, so that they receive the original
/// messages. At the end of the log they have no answer, and are told the recorded end.
pub fn play_recorded<'p>(
    spec: &GameSpec<'_>,
    position: &mut dyn AnyPosition,
    participants: [&'p mut Participant<dyn Player + 'p>; 2],
    opening: &mut dyn Opening,
    end: &GameEnd,
) {
    let mut game = GameInPlay::new(spec, participants);
    // The replay stops with a fault at the end of the log. Only the recorded end counts.
    let _ = game.play(position, opening, &mut Unwatched);
    game.announce(end);
}

struct GameInPlay<'a, 'p> {
    spec: &'a GameSpec<'a>,
    participants: PerSeat<&'p mut Participant<dyn Player + 'p>>,
    clocks: PerSeat<Clock>,
    totals: PerSeat<Spent>,
    /// The outcome of a game that was adjudicated.
    adjudicated: Option<Outcome>,
    answer: String,
    news: News,
}

impl<'a, 'p> GameInPlay<'a, 'p> {
    fn new(
        spec: &'a GameSpec<'a>,
        participants: [&'p mut Participant<dyn Player + 'p>; 2],
    ) -> Self {
        Self {
            spec,
            participants: participants.into(),
            clocks: spec.terms.map(|terms| Clock::new(terms.time)),
            totals: PerSeat::default(),
            adjudicated: None,
            answer: String::new(),
            news: News::default(),
        }
    }

    /// Plays from the handshake to the end, or to a forfeit or void before it.
    fn play(
        &mut self,
        position: &mut dyn AnyPosition,
        opening: &mut dyn Opening,
        witness: &mut dyn Witness,
    ) -> Result<(), Abort> {
        self.greet()?;
        self.start()?;
        self.run(position, opening, witness)
    }

    fn player(&mut self, seat: Seat) -> &mut dyn Player {
        &mut self.participants[seat].player
    }

    fn run(
        &mut self,
        position: &mut dyn AnyPosition,
        opening: &mut dyn Opening,
        witness: &mut dyn Witness,
    ) -> Result<(), Abort> {
        let mut adjudicator = Adjudicator::new(self.spec.adjudication, self.spec.opening_plies);
        position.dealt(&mut self.news);
        self.tell_news(None);
        while let Some(seat) = position.to_act() {
            let spent = if position.ply() < self.spec.opening_plies {
                self.answer = opening.choose(position)?;
                None
            } else {
                self.tell_legal(seat, position)?;
                Some(self.request(seat)?)
            };
            self.news.clear();
            let acted = position.act(&self.answer, &mut self.news);
            acted.map_err(|error| match (error, spent) {
                (ActError::Rules(fault), _) => fault.into(),
                (ActError::Refused(refusal), Some(_)) => self.refuse(seat, position, refusal),
                (ActError::Refused(_), None) => Abort::Void(Void::Opening {
                    action: self.answer.clone(),
                    ply: position.ply() + 1,
                }),
            })?;
            witness.ply(
                &Ply {
                    number: position.ply(),
                    seat,
                    action: &self.answer,
                    public: &self.news.public,
                    spent,
                    left: self.clocks[seat].left(),
                },
                position,
            );
            self.tell_news(Some(seat));
            // Lines are buffered until the next request. An eager bot wants its opponent's action at once.
            let other = &mut self.participants[seat.other()];
            if other.hello.as_ref().is_some_and(|hello| hello.eager) {
                other.player.flush();
            }
            self.adjudicated = adjudicator.outcome_after(position);
            if self.adjudicated.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Tells all players the news that they may know: of the action of a seat, or of the start.
    fn tell_news(&mut self, actor: Option<Seat>) {
        let game = self.spec.game;
        let did = actor
            .filter(|_| !self.news.is_secret)
            .map(|seat| ToBot::Did {
                seat: game.seat_name(seat),
                action: &self.answer,
                public: &self.news.public,
            });
        for (seat, participant) in self.participants.iter_mut() {
            if let Some(did) = &did {
                participant.player.tell(did);
            }
            for line in self.news.lines_for(seat) {
                participant.player.tell(&match line {
                    NewsLine::See(words) => ToBot::See { words },
                    NewsLine::Did {
                        seat,
                        action,
                        public,
                    } => ToBot::Did {
                        seat: game.seat_name(*seat),
                        action,
                        public,
                    },
                });
            }
        }
    }

    /// Tells a player its legal actions, if the game offers them or the player needs them.
    fn tell_legal(&mut self, seat: Seat, position: &dyn AnyPosition) -> Result<(), RulesFault> {
        let listed;
        let participant = &mut self.participants[seat];
        let actions = match position.offers(seat) {
            [] if participant.is_told_legal => {
                listed = position.legal()?;
                &listed
            }
            offers => offers,
        };
        if actions.is_empty() {
            return Ok(());
        }
        let program = self.spec.game.program();
        if program.is_some_and(|program| program.lines) {
            for actions in actions {
                participant.player.tell(&ToBot::Can { actions });
            }
        } else {
            let actions = &actions.join(" ");
            participant.player.tell(&ToBot::Can { actions });
        }
        Ok(())
    }

    /// Asks a player for its action and charges its clock.
    fn request(&mut self, seat: Seat) -> Result<Spent, Abort> {
        let request = ToBot::Act {
            mine: millis(self.clocks[seat].left()),
            theirs: millis(self.clocks[seat.other()].left()),
        };
        let time = self.spec.terms[seat].time;
        let wait = self.clocks[seat].wait(time);
        let player = &mut self.participants[seat].player;
        player.tell(&request);
        player.request();
        let spent = match player.answer(wait, &mut self.answer) {
            Ok(spent) => spent,
            Err(fault) => {
                // The time spent on a failed action counts in the game's totals too.
                let spent = player.unanswered();
                self.add_up(seat, spent);
                return Err(self.failed_to_act(seat, wait, fault));
            }
        };
        self.add_up(seat, spent);
        match self.clocks[seat].charge(time, spent) {
            Ok(()) => Ok(spent),
            Err(overrun) => Err(self.overrun(seat, overrun)),
        }
    }

    fn add_up(&mut self, seat: Seat, spent: Spent) {
        let total = &mut self.totals[seat];
        total.wall += spent.wall;
        total.cpu += spent.cpu;
        total.idle_cpu += spent.idle_cpu;
    }

    /// Turns a verdict into the end of the game, and tells both players.
    fn conclude(
        &mut self,
        verdict: Result<(), Abort>,
        position: &dyn AnyPosition,
    ) -> Result<GameEnd, Void> {
        let mut end = GameEnd {
            result: GameResult::Nobody,
            termination: Termination::Rules,
            reason: None,
            points: None,
            faults: PerSeat::default(),
            plies: position.ply(),
            spent: self.totals,
        };
        match (verdict, position.outcome().or(self.adjudicated)) {
            (Ok(()), Some(outcome)) => {
                let Outcome {
                    winner,
                    reason,
                    points,
                } = outcome;
                end.result = winner.map_or(GameResult::Drawn, GameResult::Won);
                end.reason = Some(reason);
                end.points = points;
                if reason.is_adjudication() {
                    end.termination = Termination::Adjudication;
                }
            }
            (Err(Abort::Forfeit(forfeit)), _) => {
                end.termination = forfeit.termination;
                end.faults = forfeit.faults;
                if let Blame::Of(seat) = end.blame() {
                    end.result = GameResult::Won(seat.other());
                }
            }
            (Err(Abort::Void(void)), _) => return Err(self.cancel(void)),
            (Ok(()), None) => return Err(self.cancel(RulesFault::NoOutcome.into())),
        }
        self.announce(&end);
        Ok(end)
    }

    /// Tells both players how the game ended.
    fn announce(&mut self, end: &GameEnd) {
        for seat in Seat::BOTH {
            self.tell_end(
                seat,
                end.result,
                end.termination.name(),
                end.reason_for(seat),
            );
        }
    }

    /// Tells both players that the game counts for nothing.
    fn cancel(&mut self, void: Void) -> Void {
        for seat in Seat::BOTH {
            self.tell_end(seat, GameResult::Nobody, VOID, "");
        }
        void
    }

    fn tell_end(&mut self, seat: Seat, result: GameResult, termination: &str, detail: &str) {
        let player = &mut self.participants[seat].player;
        player.tell(&ToBot::End {
            winner: result.name(self.spec.game),
            termination,
            detail,
        });
        player.flush();
    }
}
