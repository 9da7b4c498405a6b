//! Adjudication: of games whose rules count points, a win by a lasting lead and a draw by unchanged points; of any game, an end
//! that the bots expect.

mod bot_scores;

pub use bot_scores::{ExpectedDraw, Resignation};
use bot_scores::{Streaks, outcome};

use crate::bot::Values;
use crate::game::{AnyPosition, Outcome, PerSeat, Reason, RulesPoints, Seat};

/// Conditions that end a game early; by default none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Adjudication {
    /// The lead that wins.
    pub lead: Option<Lead>,
    /// Number of plies in a row without a change of the rules' points that makes a draw.
    pub draw_plies: Option<u32>,
    /// A loss that is plain to the bots.
    pub resignation: Option<Resignation>,
    /// A draw that the bots expect.
    pub expected_draw: Option<ExpectedDraw>,
    /// Number of plies that makes a draw, whatever the rules say.
    pub most_plies: Option<u32>,
}

/// A lead that wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lead {
    /// Minimum lead in points.
    pub points: u32,
    /// Number of plies in a row that the lead must last.
    pub plies: u32,
}

/// Adjudication state of one game.
#[derive(Debug, Clone)]
pub struct Adjudicator {
    rules: Adjudication,
    opening_plies: u32,
    /// The last points, if its rules count some.
    rules_points: Option<PerSeat<RulesPoints>>,
    /// Seat with a sufficient lead, and the number of plies it has lasted.
    leader: Option<(Seat, u32)>,
    /// Number of plies in a row without a change of the rules' points.
    still: u32,
    /// The bots' views of their games.
    streaks: PerSeat<Streaks>,
}

impl Adjudicator {
    /// The state at the start of a game whose first `opening_plies` plies are not counted.
    pub fn new(rules: Adjudication, opening_plies: u32, start: &dyn AnyPosition) -> Self {
        Self {
            rules,
            opening_plies,
            rules_points: start.rules_points(),
            leader: None,
            still: 0,
            streaks: PerSeat::defaults(start.seats()),
        }
    }

    /// Updates the state with the position after a ply, and with what the bots that acted reported. Returns the outcome
    /// if the game is adjudicated; an end by the game's rules has priority.
    pub fn outcome_after(
        &mut self,
        position: &dyn AnyPosition,
        reported: &PerSeat<Option<&Values>>,
    ) -> Option<Outcome> {
        if self.rules == Adjudication::default() || position.to_act().is_nobody() {
            return None;
        }
        if position.ply() <= self.opening_plies {
            self.rules_points = position.rules_points();
            return None;
        }
        let is_long = |most| position.ply() >= most;
        if self.rules.most_plies.is_some_and(is_long) {
            return Some(Outcome::drawn(Reason::MAX_PLIES));
        }
        let expected = self.outcome_by_reports(position.ply(), reported);
        if expected.is_some() {
            return expected;
        }
        let points = position.rules_points()?;
        let leader = self.rules.lead.and_then(|lead| {
            let least = RulesPoints::from(lead.points);
            let mut seats = points.iter();
            let leader = seats.find(|(seat, own)| **own - points[seat.other()] >= least);
            leader.map(|(seat, _)| seat)
        });
        self.still = if self.rules_points.as_ref() == Some(&points) {
            self.still + 1
        } else {
            0
        };
        self.rules_points = Some(points);
        self.leader = leader.map(|seat| match self.leader {
            Some((before, plies)) if before == seat => (seat, plies + 1),
            _ => (seat, 1),
        });
        if let (Some(lead), Some((seat, plies))) = (self.rules.lead, self.leader)
            && plies >= lead.plies
        {
            return Some(Outcome::won(seat, Reason::SCORE_LEAD));
        }
        let is_still = self
            .rules
            .draw_plies
            .is_some_and(|plies| self.still >= plies);
        is_still.then(|| Outcome::drawn(Reason::SCORE_UNCHANGED))
    }

    fn outcome_by_reports(
        &mut self,
        plies: u32,
        reported: &PerSeat<Option<&Values>>,
    ) -> Option<Outcome> {
        let Adjudication {
            resignation,
            expected_draw,
            ..
        } = self.rules;
        for (seat, streaks) in self.streaks.iter_mut() {
            if let Some(values) = reported[seat] {
                streaks.add(values, resignation, expected_draw);
            }
        }
        outcome(&self.streaks, plies, resignation, expected_draw)
    }
}
