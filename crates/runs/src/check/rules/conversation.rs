//! Requests to a rules program, and its answers.

use super::session::{Reply, RulesSession, StepFailure};
use crate::check::findings::EXCERPT;
use crate::rules::{Actions, Answer, NewGame, Next, Request, Turn};
use crate::text::excerpt;

/// Number of requests at the end of a transcript whose answers it has.
const ANSWERED: usize = 2;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    pub request: Request,
    pub answer: Vec<String>,
}

impl Exchange {
    /// How its answer differs from another one, in words.
    pub fn differs(&self, is_order: bool) -> String {
        let (word, how) = match &self.request {
            Request::New(_) => ("new", "has other lines"),
            Request::Play(_) => ("play", "has other lines"),
            Request::Legal(_) => ("legal", "has other actions"),
            Request::Show(_) | Request::Hello | Request::Quit => ("show", "has other lines"),
        };
        let how = if is_order { "is in another order" } else { how };
        format!("the answer to `{word}` {how}")
    }
}

/// The conversation in lines: all requests that change something and the last one, the last answers, and the last turn.
pub fn transcript(exchanges: &[Exchange]) -> Vec<String> {
    let mut lines = Vec::new();
    let answered = exchanges.len().saturating_sub(ANSWERED);
    let asks = |it: &Exchange| matches!(it.request, Request::Legal(_) | Request::Show(_));
    let turn = exchanges.iter().rposition(|exchange| !asks(exchange));
    for (index, exchange) in exchanges.iter().enumerate() {
        if asks(exchange) && index < answered {
            continue;
        }
        let text = exchange.request.to_string();
        let requests = text.lines().map(|line| excerpt(line, EXCERPT));
        lines.extend(requests.map(|line| format!("> {line}")));
        if index >= answered || Some(index) == turn {
            lines.extend(answer_lines(&exchange.answer));
        }
    }
    lines
}

pub fn answer_lines(answer: &[String]) -> impl Iterator<Item = String> {
    answer
        .iter()
        .map(|line| format!("< {}", excerpt(line, EXCERPT)))
}

/// The first request whose answers differ, and how.
pub fn first_difference(one: &[Exchange], other: &[Exchange]) -> Option<(usize, String)> {
    let mut pairs = one.iter().zip(other).enumerate();
    let (index, (one, other)) = pairs.find(|(_, (one, other))| one.answer != other.answer)?;
    let is_order = unordered(&one.answer) == unordered(&other.answer);
    Some((index, one.differs(is_order)))
}

/// The lines of an answer without their order, nor the order of the words for a seat in `can` and `see`.
fn unordered(answer: &[String]) -> Vec<Vec<&str>> {
    let lines = answer.iter().map(|line| {
        let mut words: Vec<&str> = line.split(' ').collect();
        if let ["can" | "see", _, said @ ..] = words.as_mut_slice() {
            said.sort_unstable();
        }
        words
    });
    let mut lines: Vec<Vec<&str>> = lines.collect();
    lines.sort_unstable();
    lines
}

#[derive(Debug)]
pub struct Played {
    pub start: NewGame,
    pub opening: Turn,
    pub steps: Vec<Step>,
}

#[derive(Debug)]
pub struct Step {
    /// For each seat that acts, a number that stands for its list of legal actions.
    pub lists: Vec<(u8, u64)>,
    pub actions: Actions,
    pub turn: Turn,
}

impl Played {
    pub fn turn(&self, ply: usize) -> &Turn {
        match ply.checked_sub(1) {
            Some(last) => &self.steps[last].turn,
            None => &self.opening,
        }
    }

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
        session: &mut RulesSession,
        plies: usize,
    ) -> Result<Option<usize>, StepFailure> {
        let replies = session.ask(&self.requests(plies))?;
        let mut plies = replies.into_iter().enumerate();
        let differs = |(ply, reply): &(usize, Reply)| match reply {
            Reply::Answer(Answer::Turn(turn)) => turn != self.turn(*ply),
            _ => true,
        };
        Ok(plies.find(differs).map(|(ply, _)| ply))
    }
}

pub fn acting(turn: &Turn) -> &[u8] {
    match &turn.next {
        Next::Act(seats) => seats,
        Next::End { .. } => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_differs_only_where_all_lines_are_there() {
        let differs = |one: &[&str], other: &[&str]| {
            let exchange = |answer: &[&str]| Exchange {
                request: Request::Play(vec![(0, "a".to_owned())]),
                answer: answer.iter().map(|line| (*line).to_owned()).collect(),
            };
            let difference = first_difference(&[exchange(one)], &[exchange(other)]);
            difference.map_or(String::new(), |(_, words)| words)
        };
        let hands = ["see 0 hand 1 2", "see 1 hand 3 4"];
        let order = "the answer to `play` is in another order";
        assert_eq!(
            differs(&hands, &["see 1 hand 4 3", "see 0 hand 1 2"]),
            order
        );
        let lines = "the answer to `play` has other lines";
        assert_eq!(
            differs(&hands, &["see 0 hand 1 3", "see 1 hand 2 4"]),
            lines
        );
        assert_eq!(differs(&["end 1 0 won"], &["end 0 1 won"]), lines);
    }
}
