//! The progress of games, for the rule on players that never play.

use super::row::GameRow;
use crate::game::{Blame, GameResult, PerSeat, Seat};
use crate::referee::Termination;
use crate::schedule::{GameEvidence, Standing};

/// The progress of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// Both players acted.
    Played,
    /// It ended before both had acted, and not because the player at fault gave no action.
    Short,
    /// The player that forfeited it had given no action, and failed in this way.
    Unbegun(Termination),
    /// It was forfeited unplayed.
    Unplayed,
    /// It could not be played, at least at first. It is no evidence about its players, even if it is played
    /// later: decisions made by then stand.
    SetAside,
}

/// Terminations of a game by a player that gives no action.
const FAILURES: [Termination; 6] = [
    Termination::Handshake,
    Termination::ProtocolError,
    Termination::Time,
    Termination::Stall,
    Termination::Crash,
    Termination::Memory,
];

/// The courses that are no failure, in the order of their codes.
const OTHERS: [Course; 4] = [
    Course::Played,
    Course::Short,
    Course::Unplayed,
    Course::SetAside,
];

impl Course {
    /// The course of a game in the journal.
    pub fn of(row: &GameRow) -> Self {
        let end = &row.end;
        if end.termination == Termination::Unplayed {
            return Self::Unplayed;
        }
        if end.blame() == Blame::Nobody {
            return Self::Played;
        }
        let opening = row.start.opening_plies();
        let plies = end.plies.saturating_sub(opening);
        // Seats take turns, in the opening and after it. A rules program may decide otherwise, and a start of its own lets
        // either seat begin. Such a game with a ply is no evidence against anybody.
        let takes_turns = row.game.program().is_none() && !row.start.has_own_start();
        let begins = Seat::BOTH[(opening % 2) as usize];
        let acted = |seat: Seat| plies > u32::from(takes_turns && seat != begins);
        let mut at_fault = end.blamed().iter();
        if FAILURES.contains(&end.termination) && !at_fault.any(acted) {
            return Self::Unbegun(end.termination);
        }
        if row.players.seats().all(acted) {
            Self::Played
        } else {
            Self::Short
        }
    }

    /// Evidence of a game of `seats` with this course and result about its players, by seat.
    pub fn evidence(self, result: GameResult, seats: usize) -> PerSeat<GameEvidence<Termination>> {
        PerSeat::of(seats, |seat| match self {
            Self::Played => GameEvidence::Acted,
            Self::Short if is_at_fault(result, seat) => GameEvidence::Acted,
            Self::Unbegun(termination) if is_at_fault(result, seat) => {
                GameEvidence::Failed(termination)
            }
            Self::Short | Self::Unbegun(_) => GameEvidence::Nothing,
            Self::Unplayed | Self::SetAside => GameEvidence::NotPlayed,
        })
    }

    /// Whether this course and result agree with the rule for players with these standings; `None` if that
    /// depends on unfinished games.
    pub fn fits(
        self,
        result: GameResult,
        standings: PerSeat<Standing<Termination>>,
    ) -> Option<bool> {
        let fits = standings.iter().map(|(seat, standing)| {
            let is_hopeless = self == Self::Unplayed && is_at_fault(result, seat);
            match standing {
                Standing::Plays => Some(!is_hopeless),
                Standing::Hopeless(_) => Some(is_hopeless),
                Standing::Open => None,
            }
        });
        let fits: Vec<Option<bool>> = fits.collect();
        match (fits.contains(&Some(false)), fits.contains(&None)) {
            (true, _) => Some(false),
            (false, true) => None,
            (false, false) => Some(true),
        }
    }

    /// Code of the course, below 16: four bits in [`DoneGames`](super::DoneGames).
    pub(in crate::runs) fn code(self) -> u64 {
        let place = OTHERS.iter().position(|other| *other == self);
        let failure = || match self {
            Self::Unbegun(kind) => FAILURES.iter().position(|failure| *failure == kind),
            _ => None,
        };
        let code = place.or_else(|| Some(OTHERS.len() + failure()?));
        code.unwrap_or_default() as u64
    }

    pub(in crate::runs) fn of_code(code: u64) -> Self {
        let code = code as usize;
        let failure = FAILURES.get(code.saturating_sub(OTHERS.len())).copied();
        let other = OTHERS.get(code).copied();
        other.or(failure.map(Self::Unbegun)).unwrap_or(Self::Played)
    }
}

/// Whether the player of a seat lost a forfeited game, alone or with others.
fn is_at_fault(result: GameResult, seat: Seat) -> bool {
    match result {
        GameResult::Won(winner) => winner != seat,
        GameResult::Nobody => true,
        GameResult::Drawn => false,
        GameResult::Placed(places) => usize::from(places.of(seat)) == places.count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_course_has_a_code_of_its_own() {
        let failures = FAILURES.into_iter().map(Course::Unbegun);
        for (code, course) in (0..).zip(OTHERS.into_iter().chain(failures)) {
            assert_eq!((course.code(), Course::of_code(code)), (code, course));
        }
    }
}
