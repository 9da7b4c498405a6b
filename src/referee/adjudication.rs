//! Games with a score that end before their rules end them: one seat leads by enough, or the score stands
//! still.

use crate::game::{AnyPosition, Outcome, Reason, Seat};

/// When a game with a score ends before its rules end it; by default never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Adjudication {
    /// The lead that wins.
    pub lead: Option<Lead>,
    /// A draw after so many plies in a row that did not change the score.
    pub draw_plies: Option<u32>,
}

/// A lead that wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lead {
    /// By so many points.
    pub points: u32,
    /// After so many plies in a row.
    pub plies: u32,
}

/// Follows one game.
#[derive(Debug, Clone)]
pub struct Adjudicator {
    rules: Adjudication,
    opening_plies: u32,
    score: [u32; 2],
    /// Who leads by enough, and after how many plies.
    leader: Option<(Seat, u32)>,
    /// How many plies did not change the score.
    still: u32,
}

impl Adjudicator {
    /// A game that begins with an opening of so many plies, in which nothing is decided.
    pub fn new(rules: Adjudication, opening_plies: u32) -> Self {
        Self {
            rules,
            opening_plies,
            score: [0; 2],
            leader: None,
            still: 0,
        }
    }

    /// Takes in the position after a ply. The outcome, if the game is over by that and not by its rules.
    pub fn outcome_after(&mut self, position: &dyn AnyPosition) -> Option<Outcome> {
        let is_opening = position.ply() <= self.opening_plies;
        if self.rules == Adjudication::default() || is_opening || position.to_act().is_none() {
            return None;
        }
        let score = position.score()?;
        self.still = match score == self.score {
            true => self.still + 1,
            false => 0,
        };
        self.score = score;
        let leader = self.rules.lead.and_then(|lead| {
            let mut seats = Seat::BOTH.into_iter();
            seats.find(|seat| {
                let ahead = score[seat.index()].checked_sub(score[seat.other().index()]);
                ahead.is_some_and(|points| points >= lead.points)
            })
        });
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
}
