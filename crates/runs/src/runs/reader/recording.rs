//! Replays one game of a run from its log, and checks the records against it.

use std::time::Duration;

use super::Difference;
use crate::bot::Language;
use crate::clock::TimeControl;
use crate::config::{BlockStart, PlannedGame, filled, is_told_legal};
use crate::game::{
    ActError, Actors, AnyPosition, BOTH_PLAYERS, ForfeitedBy, Game, GameResult, News, Outcome,
    PerSeat, Reason, RulesFault, Seat, Seats,
};
use crate::referee::{Opening, Termination, has_tablebases};
use crate::runs::error::RowError;
use crate::runs::journal::GameRow;
use crate::runs::logs::game_log::{ActionsDigest, LoggedPly};
use crate::runs::manifest::Manifest;
use crate::runs::manifest::players::PlayerTable;
use crate::schedule::values_of_text;
use crate::text::same;

/// Maximum number of plies that a rules program is sent ahead, which bounds the memory of the longest games.
const AHEAD: usize = 256;

#[derive(Debug, Clone)]
pub struct Recording {
    pub row: GameRow,
    pub plies: Vec<LoggedPly>,
    pub planned: PlannedGame,
    pub times: PerSeat<TimeControl>,
    /// Whether each player was told its legal actions even where the game does not offer them.
    pub told_legal: PerSeat<bool>,
    pub languages: PerSeat<Language>,
    seed: u64,
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
            languages: PerSeat::of(row.players.count(), |seat| {
                let player = manifest.player(&row.players[seat]);
                let mut language = player.map(PlayerTable::language).unwrap_or_default();
                let values = row.values.as_ref().map(|values| &values[seat]);
                if let Some(values) = values.and_then(|text| values_of_text(text)) {
                    let options = language.options_mut().iter_mut();
                    options.for_each(|(_, text)| *text = filled(text, &values));
                }
                language
            }),
            row,
            plies,
            planned,
            seed: manifest.seed,
        }
    }

    pub fn game(&self) -> Game {
        self.row.game
    }

    pub fn start(&self) -> Result<BlockStart<'_>, RulesFault> {
        self.planned.start(self.seed, self.row.block)
    }

    /// Replays the game, and gives the seats that act after its last ply.
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
    pub fn play_again(
        &self,
        drawings: &[Option<Seat>],
        each: &mut dyn FnMut(&dyn AnyPosition) -> Result<(), RulesFault>,
    ) -> Result<(), Difference> {
        let (row, manifest) = (self.row.options.clone(), self.planned.options_text());
        if row != manifest {
            let words = format!("`options` is `{row}`, and the manifest says `{manifest}`");
            return Err(words.into());
        }
        let mut start = self.start()?;
        let mut digest = ActionsDigest::default();
        each(start.position.as_ref())?;
        let mut adjudicator = start.adjudicator();
        let mut adjudicated = None;
        let mut foreseen = 0;
        for (index, ply) in self.plies.iter().enumerate() {
            if index == foreseen {
                let ahead = self.plies[index..].iter().take(AHEAD);
                let count = ahead.take_while(|ply| !ply.is_drop()).count();
                foreseen = index + count.max(1);
                let mut plies = self.plies[index..index + count]
                    .iter()
                    .map(LoggedPly::tokens);
                start.position.foresee(&mut plies, drawings);
            }
            if adjudicated.is_some() {
                let ply = start.position.ply() + 1;
                return Err(format!("ply {ply}: the game was over already").into());
            }
            let played = self.play_ply(ply, &mut start);
            played.map_err(|difference| self.explained(difference))?;
            adjudicated = adjudicator.outcome_after(start.position.as_ref(), &ply.reported());
            for (seat, logged) in ply.actions() {
                match ply.is_drop() {
                    true => digest.update_left(self.game().seat_name(seat)),
                    false => digest.update(&logged.action, &logged.public),
                }
            }
            each(start.position.as_ref())?;
        }
        let (journal, log) = (self.row.end.plies, self.plies.len());
        if u64::from(journal) != log as u64 {
            return Err(format!("the journal has {journal} plies, the log {log}").into());
        }
        let (journal, log) = (&self.row.actions_digest, digest.text());
        if *journal != log {
            let words = format!("`actions_digest` is `{journal}`, and the log's is `{log}`");
            return Err(words.into());
        }
        let position = start.position.as_ref();
        let outcome = position.outcome().or(adjudicated);
        let outcome = outcome.or_else(|| self.resigned(position));
        let outcome = outcome.or_else(|| self.by_absent_tablebases());
        check_end(&self.row, outcome, self.left())
    }

    /// A difference in a ply, with its likely causes where the rules are a program.
    fn explained(&self, difference: Difference) -> Difference {
        match difference {
            Difference::Records(words) if self.game().program().is_some() => {
                Difference::Records(format!(
                    "{words}: the records or the rules changed, or the rules do not follow from the seed and the actions \
                     alone, which `referee game check` tests"
                ))
            }
            difference => difference,
        }
    }

    /// The seats that left before the end, the earliest first, in sets by ply.
    pub fn left(&self) -> Vec<Seats> {
        let plies = self.plies.iter().filter(|ply| ply.is_drop());
        plies.map(|ply| ply.actors().set()).collect()
    }

    /// The outcome of a game that was given up by the player that was to act in its last position.
    fn resigned(&self, last: &dyn AnyPosition) -> Option<Outcome> {
        match (self.row.end.reason, last.to_act()) {
            (Some(Reason::RESIGNED), Actors::One(seat)) => {
                let result = self.game().lost_by(Seats::from_iter([seat]));
                Some(Outcome {
                    result,
                    reason: Reason::RESIGNED,
                    rules_points: None,
                })
            }
            _ => None,
        }
    }

    /// The recorded outcome by a tablebase, where none is open here.
    fn by_absent_tablebases(&self) -> Option<Outcome> {
        let is_recorded = self.row.end.reason == Some(Reason::TABLEBASE)
            && self.planned.adjudication.tablebase.is_some();
        (is_recorded && !has_tablebases()).then_some(Outcome {
            result: self.row.end.result,
            reason: Reason::TABLEBASE,
            rules_points: None,
        })
    }

    fn play_ply(&self, logged: &LoggedPly, start: &mut BlockStart<'_>) -> Result<(), Difference> {
        let position = start.position.as_mut();
        let ply = position.ply() + 1;
        let actors = position.to_act();
        if actors.is_nobody() {
            return Err(format!("ply {ply}: the game was over already").into());
        }
        if self.planned.drops && logged.is_drop() && ply > start.opening_plies {
            self.check_drop(ply, logged, actors, start.opening_plies)?;
            position.drop_seats(logged.actors().set(), &mut News::default())?;
            return check_answers(ply, logged, start.position.as_ref());
        }
        if logged.actors() != actors {
            let names = |actors| self.game().actor_names(actors).unwrap_or_default();
            let (expected, found) = (names(actors), names(logged.actors()));
            return Err(format!("ply {ply}: it was {expected}'s turn, not {found}'s").into());
        }
        if ply <= start.opening_plies {
            let (drawn, word) = (start.opening.choose(position)?, logged.word());
            if drawn != word || logged.actions().any(|(_, action)| action.spent.is_some()) {
                let words =
                    format!("ply {ply}: the opening is `{word}`, and the seed says `{drawn}`");
                return Err(words.into());
            }
        } else if !logged.is_chosen() {
            return Err(format!("ply {ply}: it has no time, and is not of the opening").into());
        }
        let mut news = News::default();
        position
            .play_actions(&logged.texts(), &mut news)
            .map_err(|error| match error {
                ActError::Refused(refusal) => {
                    Difference::Records(format!("ply {ply}: `{}` is {refusal}", logged.word()))
                }
                ActError::Rules(fault) => fault.into(),
            })?;
        for (seat, action) in logged.actions() {
            if !same(news.public(seat), &action.public) {
                let words = format!(
                    "ply {ply}: `{}` made `{}` public, and the rules and the seed say `{}`",
                    action.action,
                    action.public,
                    news.public(seat)
                );
                return Err(words.into());
            }
        }
        check_answers(ply, logged, position)
    }

    /// Checks a ply that seats left while `actors` were to act: they were asked, or failed before the first request, and
    /// each is at fault, unless one alone resigned.
    fn check_drop(
        &self,
        ply: u32,
        logged: &LoggedPly,
        actors: Actors,
        opening_plies: u32,
    ) -> Result<(), Difference> {
        let has_resigned = matches!(actors, Actors::One(_)) && logged.is_chosen();
        for (seat, action) in logged.actions() {
            let (at, name) = (seat, self.game().seat_name(seat));
            let termination = self.row.end.fault(at).map(|fault| fault.termination);
            let failed_early = termination.is_some_and(Termination::is_before_play);
            let was_asked = match failed_early {
                true => ply == opening_plies + 1 && action.spent.is_none(),
                false => actors.includes(seat) && action.spent.is_some(),
            };
            let problem = match termination {
                None if !has_resigned => "its row has no fault of its player",
                _ if !was_asked => "its player was not asked",
                _ => continue,
            };
            return Err(format!("ply {ply}: {name} left the game, and {problem}").into());
        }
        Ok(())
    }

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

    pub fn forfeited(&self, seat: Seat) -> bool {
        self.row.end.forfeited_by().includes(seat)
    }
}

fn check_answers(
    ply: u32,
    logged: &LoggedPly,
    position: &dyn AnyPosition,
) -> Result<(), Difference> {
    let made = position.answers().unwrap_or_default();
    let mut actions = logged.actions();
    match actions.find(|(_, action)| action.answers != made) {
        None => Ok(()),
        Some((_, action)) => Err(Difference::Records(format!(
            "ply {ply}: after `{}` the digest of the rules' answers was `{}` and is `{made}`",
            logged.word(),
            action.answers
        ))),
    }
}

/// Checks that the recorded end is the end by the rules of a game that these seats left before it.
fn check_end(
    row: &GameRow,
    outcome: Option<Outcome>,
    mut left: Vec<Seats>,
) -> Result<(), Difference> {
    let (end, game) = (&row.end, row.game);
    let gone: Seats = left.iter().flat_map(|set| set.iter()).collect();
    let last = end.forfeiters().iter().filter(|seat| !gone.contains(*seat));
    let last: Seats = last.collect();
    let by_the_rules = end.termination.is_by_rules();
    let mut due = row.clone();
    match (outcome, by_the_rules) {
        (Some(outcome), true) => {
            due.end.termination = match outcome.reason.is_adjudication() {
                true => Termination::Adjudication,
                false => Termination::Rules,
            };
            due.end.result = outcome.result;
            due.end.reason = Some(outcome.reason);
            due.end.rules_points = outcome.rules_points;
        }
        (Some(Outcome { reason, .. }), false) => {
            let termination = end.termination.name();
            let words =
                format!("`termination` is `{termination}`, and the game was over by `{reason}`");
            return Err(words.into());
        }
        // The log shows that somebody forfeited, but not who.
        (None, false) if end.forfeited_by() == ForfeitedBy::Nobody => {
            return Err(RowError::contradiction("forfeited_by", "", BOTH_PLAYERS).into());
        }
        (None, false) if !last.is_empty() => {
            left.push(last);
            due.end.result = GameResult::Drawn;
            due.end.reason = None;
            due.end.rules_points = None;
        }
        // Who left did not end it.
        (None, _) => {
            let termination = end.termination.name();
            let words = format!(
                "`termination` is `{termination}`, and after the last ply the game goes on"
            );
            return Err(words.into());
        }
    }
    if !left.is_empty() {
        due.end.result = due.end.result.below_which(game.seat_count(), &left);
    }
    if by_the_rules && let Some(seat) = last.iter().next() {
        if !gone.is_empty() {
            let seat = game.seat_name(seat);
            let words = format!(
                "the row has a fault of the player of {seat}, and by the log that seat did not leave"
            );
            return Err(words.into());
        }
        due.end.faults = PerSeat::of(game.seat_count(), |_| None);
    }
    Ok(row.unless_equal(&due)?)
}
