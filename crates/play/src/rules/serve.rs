//! A game of the harness, served as a rules program.

use std::fmt::Write;

use super::answer::{Answer, Next, Refusal as Refused, Turn};
use super::hello::{Capabilities, Hello, OptionValues, RulesOption, SeatNames};
use super::request::{BadRequest, NewGame, Request};
use super::show::ShownPosition;
use super::write::write_offer;
use crate::game::{
    ActError, Actors, AnyPosition, Game, GameResult, News, NewsLine, OptionDoc, Refusal,
    RulesFault, RulesPoints, Seat, Setup, Values,
};
use crate::random::Stream;

/// The value of an option that is not set, where the option has no other default.
const UNSET: &str = "unset";

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(transparent)]
    Request(#[from] BadRequest),
    #[error(transparent)]
    Rules(#[from] RulesFault),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serving {
    Open,
    Over,
}

pub struct RulesServer {
    game: Game,
    hello: Hello,
    position: Option<Box<dyn AnyPosition>>,
    news: News,
}

impl RulesServer {
    pub fn new(game: Game) -> Result<Self, RulesFault> {
        Ok(Self {
            game,
            hello: hello(game)?,
            position: None,
            news: News::default(),
        })
    }

    /// Appends the answer to a line without its ending.
    pub fn answer(&mut self, line: &str, output: &mut String) -> Result<Serving, ServeError> {
        let written = match Request::parse(line)? {
            Request::Hello => writeln!(output, "{}ok", self.hello),
            Request::New(start) => write!(output, "{}", self.begin(&start)?),
            // A line has one action.
            Request::Play(actions) => write!(output, "{}", self.play(line, &actions[0])?),
            Request::Legal(number) => {
                let position = in_progress(&mut self.position, line)?;
                let actions = position.legal(seat(line, number)?)?;
                write_offer(output, number, &actions).and_then(|()| output.write_str("ok\n"))
            }
            Request::Show(number) => {
                let number = number.map(|number| seat(line, number)).transpose()?;
                let position = in_progress(&mut self.position, line)?;
                let shown = ShownPosition::from(position.drawing(number)?);
                writeln!(output, "{shown}ok")
            }
            Request::Quit => return Ok(Serving::Over),
        };
        // Writing to a `String` cannot fail.
        let _ = written;
        Ok(Serving::Open)
    }

    fn begin(&mut self, start: &NewGame) -> Result<Answer, RulesFault> {
        if usize::from(start.seats) != self.game.seat_count() {
            return Ok(refused(false, "this game has 2 seats"));
        }
        let mut setup = Setup::new(self.game);
        for (key, value) in &start.options {
            let known = self.hello.options.iter().find(|option| option.key == *key);
            if *value == UNSET && known.is_some_and(|option| option.default == UNSET) {
                continue;
            }
            if let Err(error) = setup.set(key, value) {
                return Ok(refused(false, format!("{key}={value}: {error}")));
            }
        }
        // As `referee position` starts a game with this seed.
        let position = setup.start(&mut Stream::new(start.seed, 0))?;
        self.news.clear();
        position.dealt(&mut self.news);
        let turn = turn(position.as_ref(), told(&self.news, None))?;
        self.position = Some(position);
        Ok(Answer::Turn(turn))
    }

    fn play(&mut self, line: &str, (number, action): &(u8, String)) -> Result<Answer, ServeError> {
        let seat = seat(line, *number)?;
        let position = in_progress(&mut self.position, line)?;
        match position.to_act() {
            Actors::One(to_act) if to_act == seat => {}
            Actors::One(_) => return Ok(refused(false, "it is not your turn")),
            Actors::Nobody => return Ok(refused(false, "the game is over")),
            // No built-in game has such a turn.
            Actors::AtOnce(_) => return Err(RulesFault::NotAtOnce.into()),
        }
        self.news.clear();
        match position.act(action, &mut self.news) {
            Ok(()) => {}
            Err(ActError::Refused(Refusal::Illegal { rule })) => return Ok(refused(false, rule)),
            Err(ActError::Refused(Refusal::Unparsable { expected })) => {
                return Ok(refused(true, expected));
            }
            Err(ActError::Rules(fault)) => return Err(fault.into()),
        }
        let news = told(&self.news, Some((seat, action)));
        Ok(Answer::Turn(turn(position, news)?))
    }
}

fn seat(line: &str, number: u8) -> Result<Seat, BadRequest> {
    let seat = Seat::BOTH.get(usize::from(number)).copied();
    seat.ok_or_else(|| BadRequest::new(line, "seat 0 or 1"))
}

fn in_progress<'a>(
    position: &'a mut Option<Box<dyn AnyPosition>>,
    line: &str,
) -> Result<&'a mut dyn AnyPosition, BadRequest> {
    match position {
        Some(position) => Ok(position.as_mut()),
        None => Err(BadRequest::new(line, "`new` first")),
    }
}

fn refused(unparsable: bool, words: impl Into<String>) -> Answer {
    Answer::Refused(Refused {
        unparsable,
        seats: Vec::new(),
        words: words.into(),
    })
}

/// The news of an action, or of the start of a game.
fn told(news: &News, action: Option<(Seat, &str)>) -> Vec<(Option<Seat>, NewsLine)> {
    let action = action.filter(|(seat, _)| !news.is_secret(*seat));
    let did = action.map(|(seat, action)| NewsLine::Did {
        seat,
        action: action.to_owned(),
        public: news.public(seat).to_owned(),
    });
    let did = did.map(|line| (None, line));
    did.into_iter().chain(news.lines().cloned()).collect()
}

fn turn(
    position: &dyn AnyPosition,
    news: Vec<(Option<Seat>, NewsLine)>,
) -> Result<Turn, RulesFault> {
    let next = match (position.outcome(), position.to_act()) {
        (Some(outcome), _) => Next::End {
            points: match (outcome.rules_points, outcome.result) {
                (Some(points), _) => points.into_values().collect(),
                (None, GameResult::Won(winner)) => {
                    let points = Seat::BOTH.map(|seat| match seat == winner {
                        true => RulesPoints::ONE,
                        false => RulesPoints::ZERO,
                    });
                    points.to_vec()
                }
                (None, _) => vec![RulesPoints::HALF; 2],
            },
            reason: outcome.reason.name().to_owned(),
        },
        (None, Actors::Nobody) => return Err(RulesFault::NoOutcome),
        (None, actors) => Next::Act(actors.seats().map(|seat| seat.number()).collect()),
    };
    Ok(Turn {
        news,
        offers: Vec::new(),
        score: position
            .rules_points()
            .map(|score| score.into_values().collect()),
        next,
    })
}

fn hello(game: Game) -> Result<Hello, RulesFault> {
    let reasons = game.0.reasons.iter();
    let start = Setup::new(game).start(&mut Stream::new(0, 0))?;
    Ok(Hello {
        name: game.name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seats: SeatNames::Named(game.seat_names().iter().map(ToString::to_string).collect()),
        options: game.options().iter().map(|doc| option(game, doc)).collect(),
        reasons: reasons
            .map(|reason| (reason.name().to_owned(), String::new()))
            .collect(),
        has: Capabilities {
            legal: true,
            hidden: game.hides_something(),
            score: start.rules_points().is_some(),
            ..Capabilities::default()
        },
        notation: game.notation(),
    })
}

/// An option in the words of the protocol. A default that is no value of the option, such as a layout that is
/// drawn, becomes the word `unset`.
fn option(game: Game, doc: &OptionDoc) -> RulesOption {
    let is_value = Setup::new(game).set(doc.key, doc.default).is_ok();
    let unset = (!is_value).then_some(UNSET);
    let mut meaning = doc.meaning.to_owned();
    let values = match doc.values {
        Values::Numbers(least, most) => OptionValues::Numbers(least, most),
        Values::OneOf(words) => {
            let words = words.iter().copied().chain(unset);
            OptionValues::OneOf(words.map(str::to_owned).collect())
        }
        Values::Text(words) => {
            let _ = write!(meaning, "; {words}");
            OptionValues::Text
        }
    };
    if unset.is_some() {
        let _ = write!(meaning, "; {UNSET}: {}", doc.default);
    }
    RulesOption {
        key: doc.key.to_owned(),
        values,
        default: unset.unwrap_or(doc.default).to_owned(),
        meaning,
        secret: doc.secret,
    }
}
