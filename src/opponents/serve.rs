//! A house bot's conversation with the referee, on stdin and stdout.

use std::fmt::{self, Display};
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use super::{Brain, Budget, Random};
use crate::game::{Game, ParseError, Setup, View, cachex, dark_chess, watch_your_back};
use crate::protocol::{BadMessage, Hello, Millis, READY, Start, ToBot};
use crate::random::Stream;

/// The house bots, as they can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum House {
    /// Any legal action.
    Random,
    /// Looks one ply ahead.
    Greedy,
    /// Looks as far ahead as its budget allows.
    Search,
}

impl House {
    /// The house bot of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [House::Random, House::Greedy, House::Search]
            .into_iter()
            .zip(super::NAMES)
            .find_map(|(house, known)| (known == name).then_some(house))
    }

    /// The name that it is asked for by.
    pub fn name(self) -> &'static str {
        super::NAMES[self as usize]
    }
}

/// Why a house bot gave up.
#[derive(Debug)]
pub enum ServeError {
    /// A line is not a message, or not one that can come now.
    Message {
        /// The line.
        line: String,
        /// What is wrong with it.
        problem: String,
    },
    /// stdin or stdout failed.
    Io(io::Error),
}

impl ServeError {
    fn new(line: &str, problem: impl Display) -> Self {
        Self::Message {
            line: line.to_owned(),
            problem: problem.to_string(),
        }
    }
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message { line, problem } => write!(f, "the referee said `{line}`: {problem}"),
            Self::Io(error) => write!(f, "the conversation broke off: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Plays games until told to quit, or until `input` ends. At most `nodes` search nodes are spent on
/// an action, fewer where the clock is short.
pub fn serve(
    house: House,
    nodes: u64,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), ServeError> {
    let mut line = String::new();
    let mut game: Option<Box<dyn Playing>> = None;
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let text = line.trim_end_matches(['\n', '\r']);
        let message =
            ToBot::parse(text).map_err(|BadMessage { problem }| ServeError::new(text, problem))?;
        let too_early = || ServeError::new(text, "no game has begun");
        match message {
            ToBot::Hello { .. } => {
                let hello = Hello {
                    name: house.name().to_owned(),
                    eager: false,
                };
                writeln!(output, "{hello}")?;
            }
            ToBot::Start(start) => {
                game =
                    Some(begin(house, &start).map_err(|problem| ServeError::new(text, problem))?);
                writeln!(output, "{READY}")?;
            }
            ToBot::Did { action, public, .. } => {
                let game = game.as_mut().ok_or_else(too_early)?;
                game.observe(action, public)
                    .map_err(|problem| ServeError::new(text, problem))?;
            }
            ToBot::Act { mine, .. } => {
                let game = game.as_mut().ok_or_else(too_early)?;
                game.act(nodes, mine, &mut output)?;
            }
            ToBot::End { .. } => game = None,
            ToBot::Quit => return Ok(()),
        }
        output.flush()?;
    }
}

/// One game as a house bot plays it, whichever game it is.
trait Playing {
    fn observe(&mut self, action: &str, public: &str) -> Result<(), String>;
    fn act(&mut self, nodes: u64, left: Millis, output: &mut dyn Write) -> io::Result<()>;
}

struct Seated<V: View> {
    view: V,
    brain: Box<dyn Brain<V>>,
    chance: Stream,
    pace: Pace,
}

fn begin(house: House, start: &Start<'_>) -> Result<Box<dyn Playing>, String> {
    let game = Game::from_name(start.game).ok_or("this house bot does not know the game")?;
    let mut setup = Setup::new(game);
    for (key, value) in &start.options {
        setup
            .set(key, value)
            .map_err(|error| format!("`{key}={value}`: {error}"))?;
    }
    let pace = Pace {
        increment: start.time.increment,
        per_move: start.time.per_move,
    };
    let chance = Stream::new(start.seed, 0);
    Ok(match setup {
        Setup::WatchYourBack(options) => Box::new(Seated {
            view: watch_your_back::State::new(options),
            brain: brain::<_, super::watch_your_back::Greedy, super::watch_your_back::Search>(
                house,
            ),
            chance,
            pace,
        }),
        Setup::Cachex(options) => Box::new(Seated {
            view: cachex::State::new(options),
            brain: brain::<_, super::cachex::Greedy, super::cachex::Search>(house),
            chance,
            pace,
        }),
        Setup::DarkChess(options) => Box::new(Seated {
            view: dark_chess::View::new(&options),
            brain: brain::<_, super::dark_chess::Greedy, super::dark_chess::Search>(house),
            chance,
            pace,
        }),
    })
}

/// The brain of a house bot, given those of the game.
fn brain<V: View, G, S>(house: House) -> Box<dyn Brain<V>>
where
    G: Brain<V> + Default + 'static,
    S: Brain<V> + Default + 'static,
{
    match house {
        House::Random => Box::new(Random),
        House::Greedy => Box::new(G::default()),
        House::Search => Box::new(S::default()),
    }
}

impl<V: View> Playing for Seated<V> {
    fn observe(&mut self, action: &str, public: &str) -> Result<(), String> {
        let unknown = |_: ParseError| "this is not in the notation of the game".to_owned();
        let action = action.parse().map_err(unknown)?;
        let public = public.parse().map_err(unknown)?;
        self.view
            .observe(action, public)
            .map_err(|rule| rule.to_string())
    }

    fn act(&mut self, nodes: u64, left: Millis, output: &mut dyn Write) -> io::Result<()> {
        let deadline = self.pace.allowance(left).map(|time| Instant::now() + time);
        let mut budget = Budget::new(nodes, deadline);
        let action = self.brain.choose(&self.view, &mut budget, &mut self.chance);
        writeln!(output, "{action}")
    }
}

/// How a house bot spreads its time over a game.
struct Pace {
    increment: Millis,
    per_move: Millis,
}

/// How many more actions of its own a house bot plans for, at any moment.
const PLIES_TO_GO: u32 = 40;

/// What a house bot keeps back of any limit, for the way to the referee and back.
const RESERVE: Duration = Duration::from_millis(5);

impl Pace {
    /// How long to think now; `None` is no limit.
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
