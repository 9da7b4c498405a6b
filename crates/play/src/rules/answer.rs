//! The answer to `new`, `play` and `drop`: the news of each seat, and who acts next or how the game ended; or a
//! refusal.

use super::{Malformed, split_word};
use crate::game::{NewsLine, RulesPoints, Seat, is_name};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Turn(Turn),
    Refused(Refusal),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Each line with the seat that is told it; `None` is all seats.
    pub news: Vec<(Option<Seat>, NewsLine)>,
    /// Actions of the seats that act, where the program offers them.
    pub offers: Vec<(u8, Vec<String>)>,
    pub score: Option<Vec<RulesPoints>>,
    pub next: Next,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// These seats act, each once, all before any of them hears of the others.
    Act(Vec<u8>),
    End {
        points: Vec<RulesPoints>,
        reason: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Whether the words say what an action looks like, as no rule could be applied to this one.
    pub unparsable: bool,
    /// The seats at fault, in rising order.
    pub seats: Vec<u8>,
    /// The rule that is broken, or the notation that is expected. One for all seats, or one for each, with tabs between.
    pub words: String,
}

impl Refusal {
    /// The words for one seat, which another seat at fault must not hear.
    pub fn words_of(&self, seat: u8) -> &str {
        let place = self.seats.iter().position(|at_fault| *at_fault == seat);
        let mut each = self.words.split('\t');
        match each.clone().count() == self.seats.len() {
            true => place.and_then(|place| each.nth(place)).unwrap_or(""),
            false => &self.words,
        }
    }
}

#[derive(Debug)]
pub struct AnswerReader<'a> {
    seats: u8,
    lines: bool,
    acted: &'a [u8],
    news: Vec<(Option<Seat>, NewsLine)>,
    offers: Vec<(u8, Vec<String>)>,
    score: Option<Vec<RulesPoints>>,
    next: Option<Next>,
    is_first: bool,
}

impl<'a> AnswerReader<'a> {
    /// A reader for a game of `seats` seats. `acted` lists the seats whose actions the request had: nobody with
    /// `new`. Where `lines`, an action is the rest of its line.
    pub fn new(seats: u8, lines: bool, acted: &'a [u8]) -> Self {
        Self {
            seats,
            lines,
            acted,
            news: Vec::new(),
            offers: Vec::new(),
            score: None,
            next: None,
            is_first: true,
        }
    }

    /// Takes the next line, which is no comment. The answer is complete once one is returned.
    pub fn take(&mut self, line: &str) -> Result<Option<Answer>, Malformed> {
        let taken = self.take_line(line);
        taken.map_err(|expected| Malformed::new(line, expected))
    }

    fn take_line(&mut self, line: &str) -> Result<Option<Answer>, &'static str> {
        let is_first = std::mem::take(&mut self.is_first);
        let (word, rest) = split_word(line);
        match word {
            "illegal" | "unparsable" if is_first => {
                return self.refusal(word == "unparsable", rest).map(Some);
            }
            "ok" if rest.is_empty() => {
                let next = self.next.take().ok_or("`act` or `end` before `ok`")?;
                return Ok(Some(Answer::Turn(Turn {
                    news: std::mem::take(&mut self.news),
                    offers: std::mem::take(&mut self.offers),
                    score: self.score.take(),
                    next,
                })));
            }
            _ if self.next.is_some() => return Err("`ok` after `act` or `end`"),
            "did" => self.did(rest)?,
            "see" => self.see(rest)?,
            "can" => self.offers.push(parse_can(line, self.seats, self.lines)?),
            "score" => self.score = Some(self.points(rest)?),
            "act" => self.next = Some(self.act(rest)?),
            "end" => self.next = Some(self.end(rest)?),
            _ => {
                return Err(
                    "did, see, can, score, act, end or ok; illegal and unparsable stand alone",
                );
            }
        }
        Ok(None)
    }

    fn did(&mut self, rest: &str) -> Result<(), &'static str> {
        let (seat, rest) = split_word(rest);
        let (action, public) = if self.lines {
            (rest, "")
        } else {
            split_word(rest)
        };
        let seat = seat_number(seat, self.seats).filter(|_| !action.is_empty());
        let seat = seat.ok_or("`did SEAT ACTION PUBLIC` with a seat of this game")?;
        let did = NewsLine::Did {
            seat: Seat::numbered(seat),
            action: action.to_owned(),
            public: public.to_owned(),
        };
        self.news.push((None, did));
        Ok(())
    }

    fn see(&mut self, rest: &str) -> Result<(), &'static str> {
        let (to, words) = split_word(rest);
        let to = match (to, seat_number(to, self.seats)) {
            ("*", _) => None,
            (_, Some(seat)) => Some(Seat::numbered(seat)),
            _ => return Err("`see SEAT WORDS` with a seat of this game, or `see * WORDS`"),
        };
        self.news.push((to, NewsLine::See(words.to_owned())));
        Ok(())
    }

    fn points(&self, rest: &str) -> Result<Vec<RulesPoints>, &'static str> {
        let points = rest.split_ascii_whitespace().map(RulesPoints::parse);
        let points: Option<Vec<RulesPoints>> = points.collect();
        points
            .filter(|points| points.len() == usize::from(self.seats))
            .ok_or("a decimal number for each seat, below 10^18")
    }

    fn act(&self, rest: &str) -> Result<Next, &'static str> {
        let seats = rest.split_ascii_whitespace();
        let seats: Option<Vec<u8>> = seats.map(|word| seat_number(word, self.seats)).collect();
        seats
            .filter(|seats| !seats.is_empty() && is_rising(seats))
            .map(Next::Act)
            .ok_or("`act SEAT…` with seats of this game, in rising order")
    }

    fn end(&self, rest: &str) -> Result<Next, &'static str> {
        let (points, reason) = rest.rsplit_once(' ').unwrap_or(("", rest));
        if !is_name(reason) {
            return Err(
                "`end POINTS… REASON`, where REASON has 1 to 64 characters of A-Z a-z 0-9 . _ -",
            );
        }
        Ok(Next::End {
            points: self.points(points)?,
            reason: reason.to_owned(),
        })
    }

    fn refusal(&self, unparsable: bool, rest: &str) -> Result<Answer, &'static str> {
        let (seats, words) = match self.acted {
            [] | [_] => (self.acted.to_vec(), rest),
            acted => {
                let (seats, words) = split_word(rest);
                let numbers: Option<Vec<u8>> = seats
                    .split(',')
                    .map(|word| seat_number(word, self.seats).filter(|seat| acted.contains(seat)))
                    .collect();
                let seats = numbers.filter(|seats| is_rising(seats)).ok_or(
                    "the seats at fault, such as `0` or `0,1`, before the words: several acted at once",
                )?;
                (seats, words)
            }
        };
        Ok(Answer::Refused(Refusal {
            unparsable,
            seats,
            words: words.to_owned(),
        }))
    }
}

/// A line `can SEAT ACTION…`: the seat and its actions, or what is expected. Where `lines`, the rest of the line is
/// one action.
pub fn parse_can(line: &str, seats: u8, lines: bool) -> Result<(u8, Vec<String>), &'static str> {
    let (word, rest) = split_word(line);
    let (seat, rest) = split_word(rest);
    let seat = seat_number(seat, seats).filter(|_| word == "can");
    let seat = seat.ok_or("`can SEAT ACTION…` with a seat of this game")?;
    let actions = match lines {
        _ if rest.is_empty() => Vec::new(),
        true => vec![rest.to_owned()],
        false => rest.split_ascii_whitespace().map(str::to_owned).collect(),
    };
    Ok((seat, actions))
}

/// A seat below `seats`, written without a sign or leading zeros.
fn seat_number(word: &str, seats: u8) -> Option<u8> {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_digit());
    let is_shortest = word == "0" || !word.starts_with('0');
    let number: u8 = word.parse().ok()?;
    (is_plain && is_shortest && number < seats).then_some(number)
}

fn is_rising(seats: &[u8]) -> bool {
    seats.windows(2).all(|pair| pair[0] < pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(acted: &[u8], text: &str) -> Result<Option<Answer>, Malformed> {
        let mut reader = AnswerReader::new(2, false, acted);
        let mut answer = None;
        for line in text.lines() {
            assert!(answer.is_none(), "a line after the end: {line}");
            answer = reader.take(line)?;
        }
        Ok(answer)
    }

    #[test]
    fn of_several_that_acted_a_refusal_names_the_seats_at_fault() {
        let refused = |acted: &[u8], text: &str| match read(acted, text) {
            Ok(Some(Answer::Refused(refusal))) => (refusal.seats, refusal.words),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(
            refused(&[1], "illegal the column is full"),
            (vec![1], "the column is full".into())
        );
        assert_eq!(refused(&[1], "unparsable"), (vec![1], String::new()));
        assert_eq!(
            refused(&[0, 1], "illegal 0,1 no such card"),
            (vec![0, 1], "no such card".into())
        );
        for text in [
            "illegal no such card",
            "illegal 1,0 order",
            "illegal 2 seat",
            "illegal",
        ] {
            read(&[0, 1], text).expect_err(text);
        }
    }

    #[test]
    fn what_the_protocol_does_not_allow_is_named() {
        for text in [
            "ok",
            "act 0\nact 1\nok",
            "act 0\nsee * words",
            "end 1 0 won\nact 0",
            "act",
            "act 2",
            "act 1 0",
            "act 0 0",
            "act 00",
            "end 1 won",
            "end 1 0 0 won",
            "end 1 0",
            "end 1 0 a/b",
            "end 1e99 0 won",
            "score 1",
            "did 0",
            "did x e4",
            "see",
            "see 2 words",
            "can",
            "\n",
            "hello",
            "ok then",
            "did 0 e4\nillegal no",
        ] {
            read(&[0], text).expect_err(text);
        }
    }
}
