//! `referee play GAME FIRST SECOND`: plays games, drawn move by move.

mod recorded;
mod live_game;
mod unrecorded;

use std::io;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use live_game::LiveGame;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, read};
use signal_hook::consts::SIGINT;
use signal_hook::{flag, low_level};

use crate::bot::{Double, Fault, Player, Reply};
use crate::cli::arguments::{LanguageArgs, SetupArgs, SetupError, parse_small, parse_time};
use crate::cli::drawing;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{print, say, style};
use crate::config::LONGEST_ROW;
use crate::game::{AnyPosition, Game, MOST_SEATS, News, RulesFault, Seat, Setup};
use crate::protocol::{READY, ToBot, VERSION};
use crate::referee::{GameEnd, Ply, Termination};
use crate::report::warn;
use crate::text::excerpt;

pub(super) fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    match (&args.out, args.games) {
        (None, None) => unrecorded::run(args),
        _ => recorded::run(args),
    }
}

/// Play one game and draw it move by move, or several
///
/// A player is a house bot (random, greedy, search), `human` for yourself, or a command in quotes,
/// such as "python3 bots/twenty-lines/bot.py". The first PLAYER acts first. A person types actions, the beginning of
/// one to see how it can go on, `?` for help, `undo` to take back the last action, and `quit` to leave.
/// After `undo` bots start anew, with all their time.
///
/// With --out or --games the games are kept in the folder of a run, for `referee replay`, `games`, `verify`
/// and `rate`. Games between bots are not drawn if there are several.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    pub setup: SetupArgs,
    /// A player for each seat, the first to act first; NAME=COMMAND gives a bot a name
    #[arg(value_name = "PLAYER", required = true, num_args = 2..=MOST_SEATS)]
    pub players: Vec<String>,
    /// How many games to play. Every two have the same start, with the seats swapped
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub games: Option<u32>,
    /// The folder where the games are kept; with --games a new one below results/ if not given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Time of each bot for the whole game, such as 60s
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    pub per_game: Option<Duration>,
    /// Time of each bot for one action
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    pub per_move: Option<Duration>,
    #[command(flatten)]
    pub language: LanguageArgs,
    /// Plies played at random before the players take over
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_small, allow_negative_numbers = true)]
    pub opening_plies: u32,
}

impl PlayArgs {
    /// The game for these players, with its options set.
    pub fn setup(&self) -> Result<Setup, SetupError> {
        self.setup.setup_for(self.players.len())
    }
}

const EXAMPLES: &str = "\
Examples:
  referee play cachex human search
  referee play cachex \"python3 bot.py\" search --out results/lesson
  referee play dark-chess mine=\"python3 bot.py\" random --games 10 --per-move 1s";

/// Name of a person at the terminal.
const HUMAN: &str = "human";

/// Wall cap of an action: a person may be away for a while.
const WALL_CAP: Duration = Duration::from_secs(24 * 3600);

/// Time of a bot for the handshake, and to get ready for a game.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Time of a bot to exit after `quit`.
const QUIT: Duration = Duration::from_secs(1);

/// Help on the commands of a person.
const COMMANDS: &str = "Type an action, or its beginning to see how it can go on. Enter lists all legal actions, undo \
                        takes your last action back, quit leaves the game.";

/// Text for a person before a game.
fn introduction(args: &PlayArgs) -> Result<String, Failure> {
    let goal = args.setup()?.goal();
    Ok(format!("{goal}\n{COMMANDS}\n\n"))
}

/// Warns if all plies of a game were its opening.
fn warn_of_opening(args: &PlayArgs, end: &GameEnd) {
    let plies = end.plies;
    if end.termination != Termination::Left && plies > 0 && plies <= args.opening_plies {
        warn(&format!(
            "the game ended within its --opening-plies {}: all of it was random, and no player \
             was asked",
            args.opening_plies
        ));
    }
}

/// The drawn board. A failure of the rules takes its place; their next answer ends the game.
fn drawn(live: &LiveGame, position: &dyn AnyPosition) -> String {
    let (game, seats) = (live.game(), live.seats_to_show(position.to_act()));
    match drawing::views(position) {
        Ok(now) => {
            let boards = drawing::boards(game, &live.next_views(now), &seats, style());
            boards + &drawing::points(game, position.rules_points().as_ref())
        }
        Err(fault) => format!("{fault}\n"),
    }
}

/// Draws a ply, and records it in the live game.
fn show_ply(game: Game, live: &LiveGame, ply: &Ply<'_>, position: &dyn AnyPosition) {
    let word = ply.word();
    live.played(&word);
    let lines = ply.played().map(|(seat, played)| {
        drawing::action(
            ply.number,
            game.seat_name(seat),
            played.action,
            played.public,
            played.spent.map(|spent| spent.wall),
        )
    });
    let lines: String = lines.collect();
    let text = format!("\n{lines}{}", drawn(live, position));
    // A failed write means that the reader has gone.
    let _ = print(&text);
}

/// Maximum characters shown of rejected input.
const EXCERPT: usize = 100;

/// A person who plays `live`, asked until an action is legal. The `start` message tells the seat.
fn human(live: Arc<LiveGame>) -> impl Player {
    let mut seat = Seat::FIRST;
    Double::new(move |told: &[String]| {
        let asked = Instant::now();
        let answer = match told.last().map(|line| ToBot::parse(line)) {
            Some(Ok(ToBot::Hello { .. })) => Ok(format!("bot {VERSION} human")),
            Some(Ok(ToBot::Start(start))) => {
                // The referee names seats of the game that it plays.
                seat = live.game().seat_from_name(start.seat).unwrap_or(seat);
                Ok(READY.to_owned())
            }
            _ => action(seat, &live),
        };
        match answer {
            Ok(answer) => Reply::Line(answer, asked.elapsed()),
            Err(fault) => Reply::Fault(fault),
        }
    })
}

fn action(seat: Seat, live: &LiveGame) -> Result<String, Fault> {
    let failed = |fault: RulesFault| Fault::Machine(io::Error::other(fault));
    let mut position = live.position().map_err(failed)?;
    let legal = position.listed(seat).map_err(failed)?;
    let name = live.game().seat_name(seat);
    loop {
        let typed = live.line(&format!("{name} (? for help)> "));
        let Some(typed) = typed.map_err(Fault::Machine)? else {
            let _ = print("\n");
            return Err(Fault::Left);
        };
        let exact = typed.trim().to_owned();
        // Actions of built-in games are lower case.
        let answer = exact.to_lowercase();
        if let Some(action) = [&exact, &answer].into_iter().find(|it| legal.contains(it)) {
            return Ok(action.clone());
        }
        let listed = format!("legal: {}\n", legal.join(" "));
        let _ = say(&match answer.as_str() {
            "quit" | "exit" => return Err(Fault::Left),
            "undo" => match live.undo(seat) {
                Ok(()) => return Err(Fault::BrokenOff),
                Err(why) => format!("{why}\n"),
            },
            "?" | "help" => format!("{}\n{COMMANDS}\n{listed}", live.goal()),
            "" => listed,
            other => match refused([other, &exact], seat, &legal, position.as_mut()) {
                Some(words) => words,
                None => return Ok(exact),
            },
        });
    }
}

/// Message for text that is no listed action: its completions, or the rule that it breaks. `None` where rules that list
/// nothing accept it. The text is as it is matched, and as it was typed.
fn refused(
    [typed, exact]: [&str; 2],
    seat: Seat,
    legal: &[String],
    position: &mut dyn AnyPosition,
) -> Option<String> {
    let begins = |action: &&String| typed.len() > 1 && action.starts_with(typed);
    let near: Vec<&str> = legal.iter().filter(begins).map(String::as_str).collect();
    let shown = excerpt(typed, EXCERPT);
    if !near.is_empty() {
        let near = near.join(" ");
        return Some(format!("legal actions that begin with `{shown}`: {near}\n"));
    }
    // A refused action leaves the position unchanged.
    let refused = position.play_of(seat, exact, &mut News::default()).err()?;
    Some(format!(
        "`{shown}` is {refused}; Enter lists the legal actions\n"
    ))
}

/// Reader of stdin's lines. While it waits for one, Ctrl-C ends the input instead of the program.
#[derive(Debug)]
struct Keyboard {
    /// Bytes read but not returned yet.
    typed: Vec<u8>,
    /// Becomes readable on Ctrl-C.
    interrupts: UnixStream,
    /// Whether Ctrl-C has its default effect.
    ends_program: Arc<AtomicBool>,
}

impl Keyboard {
    /// Registers the handlers for Ctrl-C.
    pub fn new() -> io::Result<Self> {
        let (interrupts, noticed) = UnixStream::pair()?;
        let ends_program = Arc::new(AtomicBool::new(true));
        flag::register_conditional_default(SIGINT, Arc::clone(&ends_program))?;
        low_level::pipe::register(SIGINT, noticed)?;
        Ok(Self {
            typed: Vec::new(),
            interrupts,
            ends_program,
        })
    }

    /// Asks for the next line; `None` at the end of input and after Ctrl-C.
    pub fn line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        self.ends_program.store(false, Ordering::Relaxed);
        // A closed stdout shows at the next read, because the person is gone too.
        let _ = print(prompt);
        let line = self.wait();
        self.ends_program.store(true, Ordering::Relaxed);
        Ok(line?.map(|line| String::from_utf8_lossy(&line).into_owned()))
    }

    fn wait(&mut self) -> io::Result<Option<Vec<u8>>> {
        let stdin = io::stdin();
        let mut block = [0; 4096];
        loop {
            if let Some(end) = self.typed.iter().position(|byte| *byte == b'\n') {
                return Ok(Some(self.typed.drain(..=end).collect()));
            }
            if self.typed.len() >= LONGEST_ROW {
                return Ok(Some(std::mem::take(&mut self.typed)));
            }
            let mut waiting = [
                PollFd::new(&stdin, PollFlags::IN),
                PollFd::new(&self.interrupts, PollFlags::IN),
            ];
            match poll(&mut waiting, None) {
                Err(Errno::INTR) => continue,
                polled => polled?,
            };
            if !waiting[1].revents().is_empty() {
                return Ok(None);
            }
            match read(&stdin, &mut block[..]) {
                Err(Errno::INTR) => {}
                Ok(0) if self.typed.is_empty() => return Ok(None),
                Ok(0) => return Ok(Some(std::mem::take(&mut self.typed))),
                Ok(count) => self.typed.extend_from_slice(&block[..count]),
                Err(error) => return Err(error.into()),
            }
        }
    }
}
