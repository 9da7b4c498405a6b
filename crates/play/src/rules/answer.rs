//! The answer to `new`, `play` and `drop`: the news of each seat, and who acts next or how the game ended; or a
//! refusal.

use super::{Malformed, split_word};
use crate::game::{RulesPoints, is_name};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Turn(Turn),
    Refused(Refusal),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    pub news: Vec<News>,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    All,
    Seat(u8),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    Did {
        seat: u8,
        action: String,
        public: String,
    },
    See {
        to: To,
        words: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Whether the words say what an action looks like, as no rule could be applied to this one.
    pub unparsable: bool,
    /// The seats at fault, in rising order.
    pub seats: Vec<u8>,
    /// The rule that is broken, or the notation that is expected.
    pub words: String,
}

#[derive(Debug)]
pub struct AnswerReader<'a> {
    seats: u8,
    lines: bool,
    acted: &'a [u8],
    news: Vec<News>,
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
        let is_first = std::mem::take(&mut self.is_first);
        let (word, rest) = split_word(line);
        match word {
            "illegal" | "unparsable" if is_first => {
                return self.refusal(line, word == "unparsable", rest).map(Some);
            }
            "ok" if rest.is_empty() => return self.finish(line).map(Some),
            _ if self.next.is_some() => {
                return Err(Malformed::new(line, "`ok` after `act` or `end`"));
            }
            "did" => self.did(line, rest)?,
            "see" => self.see(line, rest)?,
            "can" => {
                let offer = parse_can(line, self.seats, self.lines)?;
                self.offers.push(offer);
            }
            "score" => self.score = Some(self.points(line, rest)?),
            "act" => self.next = Some(self.act(line, rest)?),
            "end" => self.next = Some(self.end(line, rest)?),
            _ => {
                let expected =
                    "did, see, can, score, act, end or ok; illegal and unparsable stand alone";
                return Err(Malformed::new(line, expected));
            }
        }
        Ok(None)
    }

    fn did(&mut self, line: &str, rest: &str) -> Result<(), Malformed> {
        let (seat, rest) = split_word(rest);
        let (action, public) = if self.lines {
            (rest, "")
        } else {
            split_word(rest)
        };
        match seat_number(seat, self.seats) {
            Some(seat) if !action.is_empty() => {
                self.news.push(News::Did {
                    seat,
                    action: action.to_owned(),
                    public: public.to_owned(),
                });
                Ok(())
            }
            _ => Err(Malformed::new(
                line,
                "`did SEAT ACTION PUBLIC` with a seat of this game",
            )),
        }
    }

    fn see(&mut self, line: &str, rest: &str) -> Result<(), Malformed> {
        let (to, words) = split_word(rest);
        let to = match to {
            "*" => To::All,
            _ => To::Seat(seat_number(to, self.seats).ok_or_else(|| {
                let expected = "`see SEAT WORDS` with a seat of this game, or `see * WORDS`";
                Malformed::new(line, expected)
            })?),
        };
        self.news.push(News::See {
            to,
            words: words.to_owned(),
        });
        Ok(())
    }

    fn points(&self, line: &str, rest: &str) -> Result<Vec<RulesPoints>, Malformed> {
        let points = rest.split_ascii_whitespace().map(RulesPoints::parse);
        let points: Option<Vec<RulesPoints>> = points.collect();
        points
            .filter(|points| points.len() == usize::from(self.seats))
            .ok_or_else(|| Malformed::new(line, "a decimal number for each seat, below 10^18"))
    }

    fn act(&self, line: &str, rest: &str) -> Result<Next, Malformed> {
        let seats = rest.split_ascii_whitespace();
        let seats: Option<Vec<u8>> = seats.map(|word| seat_number(word, self.seats)).collect();
        seats
            .filter(|seats| !seats.is_empty() && is_rising(seats))
            .map(Next::Act)
            .ok_or_else(|| {
                Malformed::new(line, "`act SEAT…` with seats of this game, in rising order")
            })
    }

    fn end(&self, line: &str, rest: &str) -> Result<Next, Malformed> {
        let (points, reason) = rest.rsplit_once(' ').unwrap_or(("", rest));
        if !is_name(reason) {
            let expected =
                "`end POINTS… REASON`, where REASON has 1 to 64 characters of A-Z a-z 0-9 . _ -";
            return Err(Malformed::new(line, expected));
        }
        Ok(Next::End {
            points: self.points(line, points)?,
            reason: reason.to_owned(),
        })
    }

    fn refusal(&self, line: &str, unparsable: bool, rest: &str) -> Result<Answer, Malformed> {
        let (seats, words) = match self.acted {
            [] | [_] => (self.acted.to_vec(), rest),
            acted => {
                let (seats, words) = split_word(rest);
                let numbers: Option<Vec<u8>> = seats
                    .split(',')
                    .map(|word| seat_number(word, self.seats).filter(|seat| acted.contains(seat)))
                    .collect();
                let seats = numbers.filter(|seats| is_rising(seats)).ok_or_else(|| {
                    let expected = "the seats at fault, such as `0` or `0,1`, before the words: several acted at once";
                    Malformed::new(line, expected)
                })?;
                (seats, words)
            }
        };
        Ok(Answer::Refused(Refusal {
            unparsable,
            seats,
            words: words.to_owned(),
        }))
    }

    fn finish(&mut self, line: &str) -> Result<Answer, Malformed> {
        let next = self
            .next
            .take()
            .ok_or_else(|| Malformed::new(line, "`act` or `end` before `ok`"))?;
        Ok(Answer::Turn(Turn {
            news: std::mem::take(&mut self.news),
            offers: std::mem::take(&mut self.offers),
            score: self.score.take(),
            next,
        }))
    }
}

#[derive(Debug)]
pub struct LegalReader {
    seat: u8,
    seats: u8,
    lines: bool,
    actions: Vec<String>,
}

impl LegalReader {
    /// A reader for the actions of `seat` in a game of `seats` seats. Where `lines`, an action is the rest of its
    /// line.
    pub fn new(seat: u8, seats: u8, lines: bool) -> Self {
        Self {
            seat,
            seats,
            lines,
            actions: Vec::new(),
        }
    }

    pub fn take(&mut self, line: &str) -> Result<(), Malformed> {
        let (of, some) = parse_can(line, self.seats, self.lines)?;
        if of != self.seat {
            return Err(Malformed::new(line, format!("`can {} ACTION…`", self.seat)));
        }
        self.actions.extend(some);
        Ok(())
    }

    pub fn finish(self) -> Vec<String> {
        self.actions
    }
}

/// A line `can SEAT ACTION…`: the seat and its actions. Where `lines`, the rest of the line is one action.
fn parse_can(line: &str, seats: u8, lines: bool) -> Result<(u8, Vec<String>), Malformed> {
    let (word, rest) = split_word(line);
    let (seat, rest) = split_word(rest);
    let seat = seat_number(seat, seats).filter(|_| word == "can");
    let seat =
        seat.ok_or_else(|| Malformed::new(line, "`can SEAT ACTION…` with a seat of this game"))?;
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
