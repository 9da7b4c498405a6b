//! Protocol loop of a house bot, on stdin and stdout.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use super::{Brain, Budget, HouseBot, Random, Widths};
use crate::game::{
    Chance, Game, GameOptions, ParseError, View, cachex, chess, dark_chess, watch_your_back,
};
use crate::protocol::{Hello, Millis, READY, Start, ToBot};
use crate::random::Stream;

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the referee said `{line}`: {problem}")]
    Line { line: String, problem: String },
    #[error("the conversation broke off: {0}")]
    Io(#[from] io::Error),
}

const UNKNOWN_GAME: &str = "this house bot does not know the game";

/// Plays games until `quit` or the end of `input`. Searches at most `nodes` nodes per action, fewer if the clock is
/// short.
pub fn serve(
    bot: HouseBot,
    nodes: u64,
    widths: Widths,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), ServeError> {
    let mut line = String::new();
    let mut game: Option<Box<dyn OngoingGame>> = None;
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let text = line.trim_end_matches(['\n', '\r']);
        let failed = |problem| ServeError::Line {
            line: text.to_owned(),
            problem,
        };
        let message = ToBot::parse(text).map_err(|error| failed(error.to_string()))?;
        let no_game = || failed("no game has begun".to_owned());
        match message {
            ToBot::Hello { .. } => {
                let hello = Hello {
                    name: bot.name().to_owned(),
                    eager: false,
                    tunes: false,
                };
                writeln!(output, "{hello}")?;
            }
            ToBot::Start(start) => {
                let known = GAMES.iter().find(|(game, _)| game.name() == start.game);
                let begun = match known {
                    Some((game, begin)) => match game.seat_names() {
                        seats if seats.contains(&start.seat) => begin((bot, widths), &start),
                        seats => Err(format!(
                            "the seats of {} are {}",
                            game.name(),
                            seats.join(" and ")
                        )),
                    },
                    None => Err(UNKNOWN_GAME.to_owned()),
                };
                game = Some(match bot {
                    HouseBot::Random => Box::new(OfferedGame {
                        known: begun,
                        offers: Vec::new(),
                        chance: Stream::new(start.seed, 0),
                    }),
                    HouseBot::Greedy | HouseBot::Search => begun.map_err(failed)?,
                });
                writeln!(output, "{READY}")?;
            }
            ToBot::Did { action, public, .. } => {
                let game = game.as_mut().ok_or_else(no_game)?;
                game.observe(action, public).map_err(failed)?;
            }
            ToBot::Act { mine, .. } => {
                let game = game.as_mut().ok_or_else(no_game)?;
                let action = game.act(nodes, mine).map_err(failed)?;
                writeln!(output, "{action}")?;
            }
            ToBot::Can { actions } => game.as_mut().ok_or_else(no_game)?.offer(actions),
            // Games that house bots know tell everything by `did`.
            ToBot::Set { .. } | ToBot::See { .. } | ToBot::Points { .. } => {}
            ToBot::End { .. } => game = None,
            ToBot::Quit => return Ok(()),
        }
        output.flush()?;
    }
}

/// An ongoing game of a house bot, independent of the kind of game.
trait OngoingGame {
    fn observe(&mut self, action: &str, public: &str) -> Result<(), String>;
    fn act(&mut self, nodes: u64, left: Millis) -> Result<String, String>;

    /// Takes legal actions for the next request.
    fn offer(&mut self, _actions: &str) {}
}

/// A game of the house bot random, which needs no rules where it is told the legal actions.
struct OfferedGame {
    /// The game, if its rules are known here.
    known: Result<Box<dyn OngoingGame>, String>,
    /// The lines that offered actions. An empty one says that each of the others is an action, blanks included.
    offers: Vec<String>,
    chance: Stream,
}

impl OngoingGame for OfferedGame {
    fn observe(&mut self, action: &str, public: &str) -> Result<(), String> {
        if let Ok(known) = &mut self.known
            && let Err(problem) = known.observe(action, public)
        {
            self.known = Err(problem);
        }
        Ok(())
    }

    fn act(&mut self, nodes: u64, left: Millis) -> Result<String, String> {
        if self.offers.is_empty() {
            return match &mut self.known {
                Ok(known) => known.act(nodes, left),
                Err(problem) => Err(problem.clone()),
            };
        }
        let are_lines = self.offers.iter().any(String::is_empty);
        let words = self.offers.iter().flat_map(|line| match are_lines {
            true => vec![line.as_str()],
            false => line.split(' ').collect(),
        });
        let actions: Vec<&str> = words.filter(|action| !action.is_empty()).collect();
        let count = (actions.len() as u32).max(1);
        let chosen = actions.get(self.chance.below(count) as usize);
        let action = chosen.map(|action| (*action).to_owned());
        self.offers.clear();
        action.ok_or_else(|| UNKNOWN_GAME.to_owned())
    }

    fn offer(&mut self, actions: &str) {
        self.offers.push(actions.to_owned());
    }
}

struct PlayedGame<V: View> {
    view: V,
    brain: Box<dyn Brain<V>>,
    chance: Stream,
    pace: Pace,
}

type Begin = fn((HouseBot, Widths), &Start<'_>) -> Result<Box<dyn OngoingGame>, String>;

const GAMES: [(Game, Begin); 4] = [
    (watch_your_back::GAME, |bot, start| {
        use super::watch_your_back::{Greedy, Search};
        begin::<_, _, Greedy, Search>(bot, start, |options| watch_your_back::State::new(*options))
    }),
    (cachex::GAME, |bot, start| {
        use super::cachex::{Greedy, Search};
        begin::<_, _, Greedy, Search>(bot, start, |options| cachex::State::new(*options))
    }),
    (dark_chess::GAME, |bot, start| {
        use super::dark_chess::{Greedy, Search};
        begin::<_, _, Greedy, Search>(bot, start, dark_chess::View::new)
    }),
    (chess::GAME, |bot, start| {
        use super::chess::{Greedy, Search};
        // The referee tells every start that is drawn, so nothing is left to chance.
        begin::<_, _, Greedy, Search>(bot, start, |options| {
            chess::State::new(options, &mut Stream::new(0, 0))
        })
    }),
];

/// Begins a game that `view` makes of its options.
fn begin<O, V, G, S>(
    (bot, widths): (HouseBot, Widths),
    start: &Start<'_>,
    view: fn(&O) -> V,
) -> Result<Box<dyn OngoingGame>, String>
where
    O: GameOptions + Default,
    V: View + 'static,
    G: Brain<V> + Default + 'static,
    S: Brain<V> + Default + 'static,
{
    let mut options = O::default();
    for (key, value) in &start.options {
        let set = options.set(key, value);
        set.map_err(|problem| format!("`{key}={value}`: {problem}"))?;
    }
    let mut brain: Box<dyn Brain<V>> = match bot {
        HouseBot::Random => Box::new(Random),
        HouseBot::Greedy => Box::new(G::default()),
        HouseBot::Search => Box::new(S::default()),
    };
    brain.set_widths(widths);
    Ok(Box::new(PlayedGame {
        view: view(&options),
        brain,
        chance: Stream::new(start.seed, 0),
        pace: Pace {
            increment: start.time.increment,
            per_move: start.time.per_move,
        },
    }))
}

impl<V: View> OngoingGame for PlayedGame<V> {
    fn observe(&mut self, action: &str, public: &str) -> Result<(), String> {
        let failed = |error: ParseError| error.to_string();
        let action = action.parse().map_err(failed)?;
        let seen = self.view.observe(action, public.parse().map_err(failed)?);
        seen.map_err(|rule| rule.to_string())
    }

    fn act(&mut self, nodes: u64, left: Millis) -> Result<String, String> {
        let deadline = self.pace.allowance(left).map(|time| Instant::now() + time);
        let mut budget = Budget::new(nodes, deadline);
        let action = self.brain.choose(&self.view, &mut budget, &mut self.chance);
        Ok(action.to_string())
    }
}

struct Pace {
    increment: Millis,
    per_move: Millis,
}

/// Number of its own further actions that a house bot always plans for.
const PLIES_TO_GO: u32 = 40;

/// Part of a limit reserved for the way to the referee and back.
const RESERVE: Duration = Duration::from_millis(5);

impl Pace {
    /// Thinking time for the next action; `None`: unlimited.
    fn allowance(&self, left: Millis) -> Option<Duration> {
        let time = |millis: Millis| millis.0.map(Duration::from_millis);
        let share = time(left).map(|left| {
            let share = left / PLIES_TO_GO + time(self.increment).unwrap_or_default() / 2;
            share.min(left / 2)
        });
        let most = time(self.per_move).map(|limit| limit.saturating_sub(RESERVE));
        [share, most].into_iter().flatten().min()
    }
}
