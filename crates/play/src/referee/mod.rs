//! One game: a position, and a player with a clock for each seat. Any behaviour of the players leads to a
//! [`GameEnd`]. This module knows no tournament, file, rating or terminal.

mod adjudication;
mod handshake;
mod tablebase;
mod failed_answers;
mod conclusion;
mod game_end;
mod abort;

use std::borrow::Cow;
use std::time::Duration;

pub use abort::Void;
use abort::{Abort, Dropping};
pub use adjudication::{Adjudication, Adjudicator, ExpectedDraw, Lead, Resignation};
use conclusion::Unwatched;
pub use conclusion::{PlayedAction, Ply, Witness};
pub use game_end::{FaultKind, GameEnd, PlayerFault, Termination};
pub use handshake::{Line, Opening};
pub use tablebase::{TablebaseTerms, has_tablebases, open_tablebases};

use crate::bot::{
    Asked, LateAnswer, Options, Player, Unanswered, answer_of, answers_at_once, millis,
};
use crate::clock::{Clock, Spent, TimeControl, Wait};
use crate::game::{
    ActError, Actors, AnyPosition, AtOnceError, Game, News, NewsLine, Outcome, PerSeat, RulesFault,
    Seat, Seats,
};
use crate::protocol::{Hello, Millis, RESIGN, ToBot};

#[derive(Debug, Clone)]
pub struct GameSpec<'a> {
    pub game: Game,
    pub options: Cow<'a, [(&'static str, String)]>,
    pub bot_seeds: PerSeat<u64>,
    /// Number of plies of the opening, played before the players take over.
    pub opening_plies: u32,
    pub adjudication: Adjudication,
    /// Whether the game goes on without the seats whose players forfeit.
    pub drops: bool,
    pub terms: PerSeat<SeatTerms<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub struct SeatTerms<'a> {
    /// Its time control. All players' have the same measure.
    pub time: &'a TimeControl,
    pub handshake: Duration,
    pub start: Duration,
}

#[derive(Debug)]
pub struct Participant<P: ?Sized> {
    /// The bot's answer to the handshake; `None` before it.
    hello: Option<Hello>,
    /// Whether it is told its legal actions even where the game does not offer them, as the house bot random is where rules
    /// are a program.
    pub is_told_legal: bool,
    /// The options that it is told before the game.
    pub options: Options,
    /// Whether its bot alone computed too much in each earlier attempt, all void, and this is the last. If it does so
    /// again, it forfeits.
    pub has_delayed: bool,
    /// Of a player that left its game before the end, the most memory that its bot held, in KiB, if it is known.
    peak_at_end: Option<Option<u64>>,
    pub player: P,
}

impl<P: ?Sized> Participant<P> {
    pub fn has_left(&self) -> bool {
        self.peak_at_end.is_some()
    }
}

impl<P: Player + ?Sized> Participant<P> {
    /// Peak memory of the bot in its last game, in KiB, where known.
    pub fn peak_kib(&mut self) -> Option<u64> {
        self.peak_at_end.unwrap_or_else(|| self.player.peak_kib())
    }

    fn dismiss(&mut self) {
        self.peak_at_end = Some(self.player.peak_kib());
        self.player.dismiss();
    }

    fn end(&mut self, grace: Duration) -> Option<LateAnswer> {
        self.player.close(grace);
        self.player.end();
        self.player.late_answer()
    }
}

impl<P: Player> Participant<P> {
    pub fn new(player: P) -> Self {
        Self {
            hello: None,
            is_told_legal: false,
            options: Options::new(),
            has_delayed: false,
            peak_at_end: None,
            player,
        }
    }
}

/// Termination that players are told for a void game.
pub const VOID: &str = "void";

const EXCERPT: usize = 60;

pub fn play<'p>(
    spec: &GameSpec<'_>,
    position: &mut dyn AnyPosition,
    participants: PerSeat<&'p mut Participant<dyn Player + 'p>>,
    opening: &mut dyn Opening,
    witness: &mut dyn Witness,
) -> Result<GameEnd, Void> {
    let mut game = GameInPlay::new(spec, participants);
    let verdict = game.play(position, opening, witness);
    game.conclude(verdict, position)
}

/// Begins a game as [`play`] does, and breaks it off before the first action. Returns the end after a forfeit.
pub fn begin<'p>(
    spec: &GameSpec<'_>,
    position: &dyn AnyPosition,
    participants: PerSeat<&'p mut Participant<dyn Player + 'p>>,
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
    participants: PerSeat<&'p mut Participant<dyn Player + 'p>>,
    opening: &mut dyn Opening,
    end: &GameEnd,
) {
    let mut game = GameInPlay::new(spec, participants);
    game.recorded = Some(end);
    // The replay stops with a fault at the end of the log. Only the recorded end counts.
    let _ = game.play(position, opening, &mut Unwatched);
    game.announce(end);
}

struct GameInPlay<'a, 'p> {
    spec: &'a GameSpec<'a>,
    participants: PerSeat<&'p mut Participant<dyn Player + 'p>>,
    clocks: PerSeat<Clock>,
    totals: PerSeat<Spent>,
    /// The time that each player took in the last turn; `None` if it was not asked.
    spent: PerSeat<Option<Spent>>,
    dropping: Dropping,
    recorded: Option<&'a GameEnd>,
    adjudicated: Option<Outcome>,
    answers: PerSeat<String>,
    /// The players that failed to answer when they were last asked.
    has_failed: Seats,
    /// Processor time that each player had used since its last answer when others were last asked.
    used_before: PerSeat<Duration>,
    news: News,
    /// The clocks of others that a player is told.
    told: Vec<Millis>,
}

impl<'a, 'p> GameInPlay<'a, 'p> {
    fn new(
        spec: &'a GameSpec<'a>,
        participants: PerSeat<&'p mut Participant<dyn Player + 'p>>,
    ) -> Self {
        Self {
            spec,
            participants,
            clocks: spec.terms.each_ref().map(|terms| Clock::new(terms.time)),
            totals: spec.game.per_seat(|_| Spent::default()),
            spent: spec.game.per_seat(|_| None),
            dropping: Dropping::new(spec.game.seat_count()),
            recorded: None,
            adjudicated: None,
            answers: spec.game.per_seat(|_| String::new()),
            has_failed: Seats::default(),
            used_before: spec.game.per_seat(|_| Duration::ZERO),
            news: News::default(),
            told: Vec::new(),
        }
    }

    /// Plays from the handshake to the end, or to a forfeit or void before it.
    fn play(
        &mut self,
        position: &mut dyn AnyPosition,
        opening: &mut dyn Opening,
        witness: &mut dyn Witness,
    ) -> Result<(), Abort> {
        let greeted = self.greet();
        self.or_without(greeted, position)?;
        let started = self.start();
        self.or_without(started, position)?;
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
        let (rules, opening_plies) = (self.spec.adjudication, self.spec.opening_plies);
        let mut adjudicator = Adjudicator::new(rules, opening_plies, position);
        position.dealt(&mut self.news);
        self.tell_news(Actors::Nobody);
        loop {
            let actors = position.to_act();
            if actors.is_nobody() {
                break;
            }
            let leaving = if position.ply() < self.spec.opening_plies {
                self.open(actors, position, opening)?;
                Seats::default()
            } else {
                self.turn(actors, position)?
            };
            let played = match leaving.is_empty() {
                true => self.played(actors, position.ply()),
                false => self.dropped(leaving, position.ply()),
            };
            witness.ply(&played, position);
            let reported = played.reported();
            let adjudicated = adjudicator.outcome_after(position, &reported);
            self.adjudicated = adjudicated;
            let (told, seen) = match leaving.is_empty() {
                true => (actors, actors),
                // The rules tell of those that leave.
                false => (Actors::Nobody, Actors::those(leaving)),
            };
            self.tell_news(told);
            self.flush_to_eager(seen);
            if self.adjudicated.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn open(
        &mut self,
        actors: Actors,
        position: &mut dyn AnyPosition,
        opening: &mut dyn Opening,
    ) -> Result<(), Abort> {
        let chosen = opening.choose(position)?;
        let ply = position.ply() + 1;
        let illegal = || {
            let action = chosen.clone();
            Abort::Void(Void::Opening { action, ply })
        };
        let Some(actions) = actors.split(position.seats(), &chosen) else {
            return Err(illegal());
        };
        for seat in actors.seats() {
            self.answers[seat].clear();
            self.answers[seat].push_str(actions[seat]);
        }
        self.spent = self.spec.game.per_seat(|_| None);
        self.news.clear();
        position
            .play(&chosen, &mut self.news)
            .map_err(|error| match error {
                ActError::Rules(fault) => fault.into(),
                ActError::Refused(_) => illegal(),
            })
    }

    fn played(&self, actors: Actors, number: u32) -> Ply<'_> {
        let spent = &self.spent;
        let actions = PerSeat::of(spent.count(), |seat| match actors.includes(seat) {
            true => PlayedAction {
                action: &self.answers[seat],
                public: self.news.public(seat),
                is_hidden: self.news.hides(seat, &self.answers[seat]),
                spent: spent[seat],
                values: match spent[seat] {
                    Some(_) => self.participants[seat].player.values(),
                    None => Default::default(),
                },
                output: self.participants[seat].player.output(),
                left: self.clocks[seat].left(),
            },
            false => PlayedAction::default(),
        });
        Ply {
            number,
            actors,
            actions,
        }
    }

    fn dropped(&self, leaving: Seats, number: u32) -> Ply<'_> {
        let actions = PerSeat::of(self.spent.count(), |seat| match leaving.contains(seat) {
            true => PlayedAction {
                spent: self.spent[seat],
                output: self.participants[seat].player.output(),
                ..PlayedAction::default()
            },
            false => PlayedAction::default(),
        });
        Ply {
            number,
            actors: Actors::those(leaving),
            actions,
        }
    }

    /// Tells all players the news that they may know: of the actions of a ply, or of the start.
    fn tell_news(&mut self, actors: Actors) {
        let game = self.spec.game;
        for seat in self.seats_left() {
            let participant = &mut self.participants[seat];
            for actor in actors.seats().filter(|actor| !self.news.is_secret(*actor)) {
                participant.player.tell(&ToBot::Did {
                    seat: self.spec.game.seat_name(actor),
                    action: &self.answers[actor],
                    public: self.news.public(actor),
                });
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
                listed = position.choices(seat)?;
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
            if participant.is_told_legal {
                // A house bot knows no game, so it is told that blanks divide no actions.
                participant.player.tell(&ToBot::Can { actions: "" });
            }
        } else {
            let actions = &actions.join(" ");
            participant.player.tell(&ToBot::Can { actions });
        }
        Ok(())
    }

    /// Sends the news of a ply to players that want their opponents' actions at once. Lines for others are buffered
    /// until their next request.
    fn flush_to_eager(&mut self, actors: Actors) {
        for seat in self.seats_left() {
            let participant = &mut self.participants[seat];
            let is_eager = participant.hello.as_ref().is_some_and(|hello| hello.eager);
            if is_eager && actors.seats().any(|actor| actor != seat) {
                participant.player.flush();
            }
        }
    }
}

impl GameInPlay<'_, '_> {
    /// Asks the players of the seats that act, and charges each clock its own time. Where several act, each has its own
    /// deadline, and all are waited for before anything else happens.
    fn ask(&mut self, actors: Actors) -> Result<(), Abort> {
        let game = self.spec.game;
        for seat in actors.seats() {
            let others = game.seats().filter(|other| *other != seat);
            let mut told = std::mem::take(&mut self.told);
            told.clear();
            told.extend(others.map(|other| millis(self.clocks[other].left())));
            let mine = millis(self.clocks[seat].left());
            self.player(seat).tell(&ToBot::Act {
                mine,
                others: Cow::Borrowed(&told),
            });
            self.told = told;
        }
        if actors.are_several() {
            for seat in actors.seats() {
                self.player(seat).act_beside_another();
            }
        }
        self.note_time_used(actors);
        for seat in actors.seats() {
            self.player(seat).request();
        }
        self.spent = game.per_seat(|_| None);
        let wait_of = |seat: Seat| self.clocks[seat].wait(self.spec.terms[seat].time);
        if let Actors::One(seat) = actors {
            let wait = wait_of(seat);
            let result = self.await_answer(seat, wait);
            return self.charge(seat, wait, result);
        }
        let waits = game.per_seat(wait_of);
        let mut results = self.await_answers(actors, &waits);
        Abort::all(game.per_seat(|seat| match results[seat].take() {
            Some(result) => self.charge(seat, waits[seat], result),
            None => Ok(()),
        }))
    }

    fn await_answer(&mut self, seat: Seat, wait: Wait) -> Result<Spent, Unanswered> {
        let player = &mut self.participants[seat].player;
        let result = answer_of(player, wait, &mut self.answers[seat]);
        self.has_failed = Seats::default();
        if result.is_err() {
            self.has_failed.insert(seat);
        }
        result
    }

    fn await_answers(
        &mut self,
        actors: Actors,
        waits: &PerSeat<Wait>,
    ) -> PerSeat<Option<Result<Spent, Unanswered>>> {
        let mut results = self.spec.game.per_seat(|_| None);
        match actors {
            Actors::Nobody => {}
            Actors::One(seat) => {
                results[seat] = Some(self.await_answer(seat, waits[seat]));
            }
            Actors::AtOnce(seats) => {
                let players = self.participants.iter_mut().zip(self.answers.iter_mut());
                let asked = players.filter(|((seat, _), _)| seats.contains(*seat));
                let asked = asked.map(|((seat, it), (_, answer))| Asked {
                    player: &mut it.player as &mut dyn Player,
                    wait: waits[seat],
                    answer,
                });
                let answered = answers_at_once(asked.collect());
                for (seat, result) in seats.iter().zip(answered) {
                    results[seat] = Some(result);
                }
            }
        }
        let failed = results.iter();
        let failed = failed.filter(|(_, result)| matches!(result, Some(Err(_))));
        self.has_failed = failed.map(|(seat, _)| seat).collect();
        results
    }

    fn charge(
        &mut self,
        seat: Seat,
        wait: Wait,
        result: Result<Spent, Unanswered>,
    ) -> Result<(), Abort> {
        match result {
            Ok(spent) => {
                self.add_up(seat, spent);
                let charged = self.clocks[seat].charge(self.spec.terms[seat].time, spent);
                charged.map_err(|overrun| self.overrun(seat, overrun))?;
                self.kept_waiting(seat, wait, spent)
            }
            Err(unanswered) => {
                // The time spent on a failed action counts in the game's totals too.
                self.add_up(seat, unanswered.spent);
                Err(self.failed_to_act(seat, wait, unanswered))
            }
        }
    }

    fn add_up(&mut self, seat: Seat, spent: Spent) {
        self.spent[seat] = Some(spent);
        self.totals[seat] += spent;
    }

    fn judge(&mut self, actors: Actors, position: &mut dyn AnyPosition) -> Result<(), Abort> {
        self.news.clear();
        match actors {
            Actors::Nobody => Ok(()),
            Actors::One(seat) => {
                let mut acted = position.act(&self.answers[seat], &mut self.news);
                if let Err(ActError::Refused(_)) = acted
                    && let Some(action) = position.respelled(&self.answers[seat])
                {
                    self.answers[seat] = action;
                    acted = position.act(&self.answers[seat], &mut self.news);
                }
                acted.map_err(|error| match error {
                    ActError::Rules(fault) => self.rules_failed(actors, fault, position),
                    ActError::Refused(_) if self.answers[seat] == RESIGN => Abort::Resigned(seat),
                    ActError::Refused(refusal) => self.refuse(seat, position, &refusal),
                })
            }
            Actors::AtOnce(_) => {
                let actions = self.answers.each_ref().map(String::as_str);
                let refusals = match position.act_at_once(&actions, &mut self.news) {
                    Ok(()) => return Ok(()),
                    Err(AtOnceError::Rules(fault)) => {
                        return Err(self.rules_failed(actors, fault, position));
                    }
                    Err(AtOnceError::Refused(refusals)) => refusals,
                };
                Abort::all(self.spec.game.per_seat(|seat| match refusals.of(seat) {
                    None => Ok(()),
                    Some(refusal) => Err(self.refuse(seat, position, refusal)),
                }))
            }
        }
    }
}
