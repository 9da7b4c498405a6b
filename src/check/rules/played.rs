//! A game that was played, and how it is played again.

use super::conversation::{Actions, Request, Start};
use super::session::{Reply, RulesSession, StepFailure};
use crate::rules::{Answer, Next, Turn};

/// A game with all actions and answers.
#[derive(Debug)]
pub struct Played {
    pub start: Start,
    pub opening: Turn,
    pub steps: Vec<Step>,
}

/// One turn of a game.
#[derive(Debug)]
pub struct Step {
    /// For each seat that acts, a number that stands for its list of legal actions.
    pub lists: Vec<(u8, u64)>,
    pub actions: Actions,
    pub turn: Turn,
}

impl Played {
    /// The turn after a number of plies.
    pub fn turn(&self, ply: usize) -> &Turn {
        match ply.checked_sub(1) {
            Some(last) => &self.steps[last].turn,
            None => &self.opening,
        }
    }

    /// Requests that play the game up to a ply.
    fn requests(&self, plies: usize) -> Vec<Request> {
        let steps = self.steps[..plies].iter();
        std::iter::once(Request::New(self.start.clone()))
            .chain(steps.map(|step| Request::Play(step.actions.clone())))
            .collect()
    }

    /// Requests that play the whole game, and ask for all lists and boards at each ply.
    pub fn requests_with_questions(&self, has_legal: bool) -> Vec<Request> {
        let mut requests = Vec::new();
        for (ply, request) in self.requests(self.steps.len()).into_iter().enumerate() {
            requests.push(request);
            let seats = 0..self.start.seats;
            if has_legal {
                requests.extend(seats.clone().map(Request::Legal));
            }
            // Boards can be large; one at each eighth ply is enough to find a difference.
            if ply % 8 == 0 {
                requests.push(Request::Show(None));
                requests.extend(seats.map(|seat| Request::Show(Some(seat))));
            }
        }
        requests
    }

    /// Plays the game again up to a ply, in one write. Returns the first ply whose answer is not the recorded one.
    pub fn restore(
        &self,
        session: &mut RulesSession<'_>,
        plies: usize,
    ) -> Result<Option<usize>, StepFailure> {
        let replies = session.ask(&self.requests(plies))?;
        let mut plies = replies.into_iter().enumerate();
        let differs = |(ply, reply): &(usize, Reply)| match &reply.answer {
            Some(Answer::Turn(turn)) => turn != self.turn(*ply),
            _ => true,
        };
        Ok(plies.find(differs).map(|(ply, _)| ply))
    }
}

/// The seats that act.
pub fn acting(turn: &Turn) -> &[u8] {
    match &turn.next {
        Next::Act(seats) => seats,
        Next::End { .. } => &[],
    }
}
