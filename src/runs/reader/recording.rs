//! Replays one game of a run from its log, and checks the records against it.

use std::time::Duration;

use crate::bot::Language;
use crate::clock::TimeControl;
use crate::config::{PairStart, PlannedGame, is_told_legal};
use crate::game::{
    ActError, Actors, AnyPosition, BOTH_PLAYERS, Blame, Game, News, Outcome, PerSeat, Points,
    Reason, Refusal, RulesFault, Seat, Seats,
};
use crate::referee::Termination;
use crate::runs::error::journal::RowError;
use crate::runs::journal::row::GameRow;
use crate::runs::journal::seat_columns::seat_column;
use crate::runs::logs::game_log::{ActionsDigest, LoggedPly};
use crate::runs::manifest::Manifest;
use crate::runs::manifest::players::PlayerTable;
use crate::text::same;

/// Maximum number of plies that a rules program is sent ahead, which bounds the memory of the longest games.
const AHEAD: usize = 256;

/// A recorded game.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Its row of the journal.
    pub row: GameRow,
    /// Its plies.
    pub plies: Vec<LoggedPly>,
    /// The game with its options and openings.
    pub planned: PlannedGame,
    /// The time controls of the players.
    pub times: PerSeat<TimeControl>,
    /// Whether each player was told its legal actions even where the game does not offer them.
    pub told_legal: PerSeat<bool>,
    /// The languages of the bots.
    pub languages: PerSeat<Language>,
    seed: u64,
}

/// A contradiction in the records of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Difference {
    /// The options differ from the manifest.
    #[error("`options` is `{row}`, and the manifest says `{manifest}`")]
    Options { row: String, manifest: String },
    /// There is a ply after the end.
    #[error("ply {ply}: the game was over already")]
    AfterTheEnd { ply: u32 },
    /// Another seat was to act.
    #[error("ply {ply}: it was {expected}'s turn, not {found}'s")]
    Turn {
        ply: u32,
        expected: String,
        found: String,
    },
    /// A ply of the opening differs from the seed's.
    #[error("ply {ply}: the opening is `{logged}`, and the seed says `{drawn}`")]
    Opening {
        ply: u32,
        logged: String,
        drawn: String,
    },
    /// A ply that a player chose has no time.
    #[error("ply {ply}: it has no time, and is not of the opening")]
    NoTime { ply: u32 },
    /// The rules refuse an action.
    #[error("ply {ply}: `{action}` is {refusal}")]
    Refused {
        ply: u32,
        action: String,
        refusal: Refusal,
    },
    /// The public result differs.
    #[error(
        "ply {ply}: `{action}` made `{logged}` public, and the rules and the seed say `{made}`"
    )]
    Public {
        ply: u32,
        action: String,
        logged: String,
        made: String,
    },
    /// A rules program answered otherwise than when the game was played.
    #[error(
        "ply {ply}: after `{action}` the digest of the rules' answers was `{logged}` and is `{made}`: the rules \
             changed, or do not depend on the seed and the actions alone"
    )]
    Answers {
        ply: u32,
        action: String,
        logged: String,
        made: String,
    },
    /// The numbers of plies differ.
    #[error("the journal has {journal} plies, the log {log}")]
    Plies { journal: u32, log: usize },
    /// The digests of the actions differ.
    #[error("`actions_digest` is `{journal}`, and the log's is `{log}`")]
    Digest { journal: String, log: String },
    /// A column of the journal contradicts the rules.
    #[error(transparent)]
    Column(#[from] RowError),
    /// A forfeit is recorded of a game that was over.
    #[error("`termination` is `{termination}`, and the game was over by `{reason}`")]
    WasOver {
        termination: &'static str,
        reason: Reason,
    },
    /// An end by the rules is recorded of a game that goes on.
    #[error("`termination` is `{termination}`, and after the last ply the game goes on")]
    GoesOn { termination: &'static str },
    /// The rules failed, so nothing is known about the records.
    #[error(transparent)]
    Rules(#[from] RulesFault),
}

impl Recording {
    pub(in crate::runs) fn new(
        manifest: &Manifest,
        planned: PlannedGame,
        row: GameRow,
        plies: Vec<LoggedPly>,
    ) -> Self {
        Self {
            times: row.names().map(|name| manifest.time_of(name).clone()),
            told_legal: row.names().map(|name| {
                let house = manifest.player(name).and_then(|it| it.house.as_deref());
                is_told_legal(row.game, house)
            }),
            languages: row.names().map(|name| {
                let player = manifest.player(name);
                player.map(PlayerTable::language).unwrap_or_default()
            }),
            row,
            plies,
            planned,
            seed: manifest.seed,
        }
    }

    /// Which game it is.
    pub fn game(&self) -> Game {
        self.row.game
    }

    /// The starting position and the opening.
    ///
    /// # Errors
    /// The rules failed.
    pub fn start(&self) -> Result<PairStart<'_>, RulesFault> {
        self.planned.start(self.seed, self.row.pair)
    }

    /// Replays the game, and gives the seats that act after its last ply.
    ///
    /// # Errors
    /// The first contradiction, or the rules failed.
    pub fn check(&self) -> Result<Actors, Difference> {
        let mut to_act = Actors::Nobody;
        self.play_again(&[], &mut |position| {
            to_act = position.to_act();
            Ok(())
        })?;
        Ok(to_act)
    }

    /// Replays the game and passes every position to `each`, including the first. `each` asks a position for exactly
    /// these drawings, in this order, and the last position also for anything else: rules that are a program are sent
    /// all actions and drawings ahead.
    ///
    /// # Errors
    /// The first contradiction, or the rules failed.
    pub fn play_again(
        &self,
        drawings: &[Option<Seat>],
        each: &mut dyn FnMut(&dyn AnyPosition) -> Result<(), RulesFault>,
    ) -> Result<(), Difference> {
        let (row, manifest) = (self.row.options.clone(), self.planned.options_text());
        if row != manifest {
            return Err(Difference::Options { row, manifest });
        }
        let mut start = self.start()?;
        let mut digest = ActionsDigest::default();
        each(start.position.as_ref())?;
        let mut adjudicator = start.adjudicator();
        let mut adjudicated = None;
        let mut foreseen = 0;
        for (index, ply) in self.plies.iter().enumerate() {
            if index == foreseen {
                foreseen = self.plies.len().min(index + AHEAD);
                let mut plies = self.plies[index..foreseen].iter().map(LoggedPly::tokens);
                start.position.foresee(&mut plies, drawings);
            }
            if adjudicated.is_some() {
                let ply = start.position.ply() + 1;
                return Err(Difference::AfterTheEnd { ply });
            }
            self.play_ply(ply, &mut start)?;
            adjudicated = adjudicator.outcome_after(start.position.as_ref(), &ply.reported());
            for (_, logged) in ply.actions() {
                digest.update(&logged.action, &logged.public);
            }
            each(start.position.as_ref())?;
        }
        let (journal, log) = (self.row.end.plies, self.plies.len());
        if u64::from(journal) != log as u64 {
            return Err(Difference::Plies { journal, log });
        }
        let (journal, log) = (self.row.actions_digest.clone(), digest.text());
        if journal != log {
            return Err(Difference::Digest { journal, log });
        }
        let position = start.position.as_ref();
        let outcome = position.outcome().or(adjudicated);
        check_end(&self.row, outcome.or_else(|| self.resigned(position)))
    }

    /// The outcome of a game that was given up by the player that was to act in its last position.
    fn resigned(&self, last: &dyn AnyPosition) -> Option<Outcome> {
        match (self.row.end.reason, last.to_act()) {
            (Some(Reason::RESIGNED), Actors::One(seat)) => {
                let result = self.game().lost_by(Seats::from_iter([seat]));
                Some(Outcome {
                    result,
                    reason: Reason::RESIGNED,
                    points: None,
                })
            }
            _ => None,
        }
    }

    fn play_ply(&self, logged: &LoggedPly, start: &mut PairStart<'_>) -> Result<(), Difference> {
        let position = start.position.as_mut();
        let ply = position.ply() + 1;
        let actors = position.to_act();
        if actors.is_nobody() {
            return Err(Difference::AfterTheEnd { ply });
        }
        if logged.actors() != actors {
            let names = |actors| self.game().actor_names(actors).unwrap_or_default();
            return Err(Difference::Turn {
                ply,
                expected: names(actors),
                found: names(logged.actors()),
            });
        }
        if ply <= start.opening_plies {
            let (drawn, word) = (start.opening.choose(position)?, logged.word());
            if drawn != word || logged.actions().any(|(_, action)| action.spent.is_some()) {
                let logged = word;
                return Err(Difference::Opening { ply, logged, drawn });
            }
        } else if !logged.is_chosen() {
            return Err(Difference::NoTime { ply });
        }
        let mut news = News::default();
        position
            .play_actions(&logged.texts(), &mut news)
            .map_err(|error| match error {
                ActError::Refused(refusal) => Difference::Refused {
                    ply,
                    action: logged.word(),
                    refusal,
                },
                ActError::Rules(fault) => fault.into(),
            })?;
        for (seat, action) in logged.actions() {
            if !same(news.public(seat), &action.public) {
                return Err(Difference::Public {
                    ply,
                    action: action.action.clone(),
                    logged: action.public.clone(),
                    made: news.public(seat).to_owned(),
                });
            }
        }
        let made = position.answers().unwrap_or_default();
        let mut actions = logged.actions();
        match actions.find(|(_, action)| action.answers != made) {
            None => Ok(()),
            Some((_, action)) => Err(Difference::Answers {
                ply,
                action: logged.word(),
                logged: action.answers.clone(),
                made,
            }),
        }
    }

    /// The position after `plies` plies.
    ///
    /// # Errors
    /// The first contradiction up to there, or the rules failed.
    pub fn position(&self, plies: usize) -> Result<Box<dyn AnyPosition>, Difference> {
        let mut start = self.start()?;
        for ply in self.plies.iter().take(plies) {
            self.play_ply(ply, &mut start)?;
        }
        Ok(start.position)
    }

    /// Time left on both clocks after `plies` plies; `None` for a player without a limit per game.
    pub fn clocks(&self, plies: usize) -> PerSeat<Option<Duration>> {
        let mut left = self.times.each_ref().map(|time| time.per_game);
        for ply in self.plies.iter().take(plies) {
            for (seat, action) in ply.actions() {
                left[seat] = action.left.or(left[seat]);
            }
        }
        left
    }

    /// Whether the player of a seat is to blame for the end.
    pub fn blames(&self, seat: Seat) -> bool {
        self.row.end.blame().includes(seat)
    }
}

/// Checks that the recorded end is the end by the rules.
fn check_end(row: &GameRow, outcome: Option<Outcome>) -> Result<(), Difference> {
    let (end, game) = (&row.end, row.game);
    let termination = end.termination.name();
    let by_the_rules = matches!(
        end.termination,
        Termination::Rules | Termination::Adjudication
    );
    let (result, reason, points) = match (outcome, by_the_rules) {
        (
            Some(Outcome {
                result,
                reason,
                points,
            }),
            true,
        ) => {
            let right = if reason.is_adjudication() {
                Termination::Adjudication
            } else {
                Termination::Rules
            };
            RowError::unless_equal("termination", termination, right.name())?;
            (result, Some(reason), points)
        }
        (Some(Outcome { reason, .. }), false) => {
            return Err(Difference::WasOver {
                termination,
                reason,
            });
        }
        (None, true) => return Err(Difference::GoesOn { termination }),
        // The log shows that somebody forfeited, but not who. The result needs no check: rows with
        // contradicting result and blame cannot be read.
        (None, false) if end.blame() == Blame::Nobody => {
            return Err(RowError::contradiction("forfeited_by", "", BOTH_PLAYERS).into());
        }
        (None, false) => (end.result, None, None),
    };
    let name = |reason: Option<Reason>| reason.map_or("", Reason::name);
    RowError::unless_equal(
        "winner",
        game.result_name(end.result),
        game.result_name(result),
    )?;
    RowError::unless_equal("reason", name(end.reason), name(reason))?;
    for seat in game.seats() {
        let places = [end.result, result].map(|result| result.places(game.seat_count())[seat]);
        RowError::unless_equal(seat_column(seat, "place"), places[0], places[1])?;
        let text = |points: &Option<PerSeat<Points>>| {
            let points = points.as_ref().map(|points| points[seat].to_string());
            points.unwrap_or_default()
        };
        RowError::unless_equal(seat_column(seat, "score"), text(&end.points), text(&points))?;
    }
    if by_the_rules {
        RowError::unless_equal("forfeited_by", row.forfeited_by(), "")?;
    }
    Ok(())
}
