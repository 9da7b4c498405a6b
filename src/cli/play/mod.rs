//! `referee play --game GAME FIRST SECOND`: plays a game, drawn move by move.

mod live_game;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use live_game::LiveGame;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, read};
use signal_hook::consts::SIGINT;
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use crate::bot::{Contention, Fault, Patience, Player};
use crate::cli::arguments::{
    COMMAND_LINE, SetupArgs, TemporaryFolder, TypedOptions, draft, game_names, known_games,
    parse_small, set_game, supervisor,
};
use crate::cli::drawing;
use crate::cli::exit::{CommandError, Exit, Failure};
use crate::cli::output::{print, say, style};
use crate::clock::{Spent, TimeControl, Wait};
use crate::config::{LONGEST_ROW, Plan};
use crate::game::{AnyPosition, Game, MOST_SEATS, News, PerSeat, RulesFault, Seat};
use crate::protocol::{READY, ToBot, VERSION};
use crate::referee::{GameEnd, Participant, Ply, Termination};
use crate::report::{Progress, finish_run, print_to_stderr, shell_word, warn};
use crate::results::Settings;
use crate::runner::{
    Audience, Bot, Bots, Completed, Demands, Event, Host, HostOptions, Interrupt, QueuedGame,
    Tournament, ending_signals,
};
use crate::runs::{GameRow, Run, RunFileError, RunFileProblem, RunFolder, remove_folder};
use crate::text::{excerpt, visible, visible_lines};

pub(super) fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    let mut args = args.clone();
    if let (None, [bot, other]) = (args.setup.game, &args.players[..])
        && bot.contains(' ')
    {
        // It would be started as a rules program, which has a minute for its first answer.
        return Err(Failure::usage(format!(
            "which game do `{bot}` and `{other}` play? Expected --game with one of {}, or with the command of a rules program",
            game_names("and")
        )));
    }
    args.setup.take_game(&mut args.players)?;
    let args = &args;
    let is_human: PerSeat<bool> = args.players.iter().map(|word| word == HUMAN).collect();
    let (plan, has_person) = (plan(args)?, is_human.contains(&true));
    let names = plan.display_names();
    let names = plan.players.iter().map(|entry| names.shown(&entry.name));
    let names: PerSeat<String> = names.collect();
    let host = host(&plan)?;
    let temporary = TemporaryFolder::new("referee-play-")?;
    let failed = |error: io::Error| Failure::new(Exit::Failed, error);
    let keyboard = end_on_signals(temporary.path().to_owned()).map_err(failed)?;
    let live = Arc::new(LiveGame::new(
        plan.games[0].clone(),
        args.setup.seed,
        names.clone(),
        is_human.clone(),
        keyboard,
    ));
    if has_person {
        let goal = live.goal();
        say(&format!("{goal}\n{COMMANDS}\n\n"))?;
    }
    let out = args.out.as_deref().unwrap_or(temporary.path());
    let mut folder = RunFolder::create(out, &plan, host.stamp()).map_err(cannot_keep)?;
    let start = |player: usize, worker: usize, patience: Patience| {
        Ok(match is_human[Seat::numbered(player as u8)] {
            true => Box::new(Participant::new(Person {
                seat: Seat::FIRST,
                live: Arc::clone(&live),
                ready: None,
                news: String::new(),
            })) as Bot,
            false => Box::new(Participant::new(
                host.start(&plan, player, None, worker, patience)?,
            )),
        })
    };
    let interrupt = Interrupt::new().map_err(failed)?;
    let tournament = Tournament {
        bots: Bots::From(&start),
        audience: Some(live.as_ref()),
        ..Tournament::new(&plan, &host, &interrupt)
    };
    let mut progress = Progress::new(true, plan.display_names());
    let mut ended = None;
    let played = tournament.play(&mut folder, &mut |event| {
        if let Event::Finished(row) = event {
            ended = Some((*row).clone());
        }
        progress.event(event);
    })?;
    let (mut results, ..) = progress.finish();
    let run = Run::open(out, known_games())?;
    if let Some(row) = &ended {
        let conclusion = drawing::conclusion(row.game, &row.end, &names);
        say(&format!("\n{conclusion}"))?;
        warn_of_opening(args, &row.end);
        show_logs(&run, row);
        advise(row, &args.players);
    }
    if args.out.is_some() {
        let settings = Settings::of_run(&run);
        // A game has no conclusion beyond its points.
        finish_run(&run, &results.rate(&settings), &[])?;
        let word = shell_word(out);
        print(&format!(
            "again: referee replay {word} 0\nkept in {}\n",
            out.display()
        ))?;
    }
    match played {
        Completed { set_aside: 0 } => Ok(Exit::Done),
        Completed { .. } => Err(Failure::new(Exit::Void, "the game was void each time")),
    }
}

/// How often a folder is removed that a game still writes into.
const MOST_TRIES: u32 = 100;

/// Lets signals end the program as by default, but without its temporary folder. While a person is asked for an action,
/// Ctrl-C is input of the keyboard that is returned.
fn end_on_signals(folder: PathBuf) -> io::Result<Keyboard> {
    let (interrupts, mut interrupted) = UnixStream::pair()?;
    let ends_program = Arc::new(AtomicBool::new(true));
    let is_up = Arc::clone(&ends_program);
    let mut signals = Signals::new(ending_signals())?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            for signal in signals.forever() {
                // One thread decides, so that a Ctrl-C is never both.
                if signal == SIGINT && !is_up.load(Ordering::Relaxed) {
                    // The keyboard lives as long as the program.
                    let _ = interrupted.write_all(&[0]);
                    continue;
                }
                // The game may write into it meanwhile.
                let _ = (0..MOST_TRIES).find(|_| remove_folder(&folder).is_ok());
                if signal == SIGINT {
                    print_to_stderr("\nstopped: the game has no result");
                }
                // It fails only for signals that cannot be caught.
                let _ = low_level::emulate_default_handler(signal);
            }
        })?;
    Ok(Keyboard {
        typed: Vec::new(),
        interrupts,
        ends_program,
    })
}

/// The plan of one game. A person is planned as a bot that is never started.
fn plan(args: &PlayArgs) -> Result<Plan, Failure> {
    // Check options here, so that a wrong one has the message of other commands.
    let game = args.setup.setup_for(args.players.len())?.game();
    let mut persons = 0;
    let bots = args.players.iter().map(|word| match word == HUMAN {
        false => word.clone(),
        true => {
            persons += 1;
            match persons {
                1 => format!("{HUMAN}=random"),
                number => format!("{HUMAN}-{number}=random"),
            }
        }
    });
    let bots: Vec<String> = bots.collect();
    let mut draft = draft(&format!("{}-play", game.name()), game, &bots)?;
    set_game(&mut draft, &args.setup.options)?;
    draft.set("seed", args.setup.seed as i64);
    draft.set("format.games-per-pairing", 1);
    draft.set("format.opening-plies", args.opening_plies);
    // A person may be away for a while.
    draft.set("clock.wall-cap", "1d");
    args.terms.set(&mut draft)?;
    let mut plan = draft.plan(COMMAND_LINE, known_games())?;
    // Limits are of bots, but where one names the person.
    let unlimited = TimeControl {
        measure: plan.time.measure,
        wall_cap: plan.time.wall_cap,
        ..TimeControl::default()
    };
    for (entry, word) in plan.players.iter_mut().zip(&args.players) {
        if word == HUMAN {
            entry.house = Some(HUMAN.to_owned());
            entry.terms.time.get_or_insert(unlimited.clone());
        }
    }
    Ok(plan)
}

fn host(plan: &Plan) -> Result<Host, Failure> {
    let options = HostOptions {
        jobs: NonZeroUsize::new(1),
        ..HostOptions::default()
    };
    let (host, warnings) = Host::new(&Demands::of(plan), supervisor()?, options)?;
    // Without a time limit, a busy machine costs no player anything.
    let has_limit = plan.time.is_limited();
    for warning in warnings.iter().filter(|_| has_limit) {
        warn(&warning.to_string());
    }
    Ok(host)
}

fn cannot_keep(error: RunFileError) -> Failure {
    match error.problem {
        // `play` has no --resume, so the usual advice would be wrong.
        RunFileProblem::HoldsARun => Failure::new(
            error.exit(),
            format!(
                "{}: holds a run already: name another folder with --out",
                error.path.display()
            ),
        ),
        _ => error.into(),
    }
}

fn show_logs(run: &Run, row: &GameRow) {
    let outputs = run.outputs_of(row);
    for seat in row.end.forfeiters().iter() {
        let text = String::from_utf8_lossy(outputs[seat].after(0));
        if !text.is_empty() {
            print_to_stderr(&format!(
                "what {} wrote to stderr:\n{}",
                row.game.seat_name(seat),
                visible_lines(&text).trim_end()
            ));
        }
    }
}

fn advise(row: &GameRow, players: &[String]) {
    let game = match row.game.program() {
        None => format!("--game {}", row.game.name()),
        Some(rules) => {
            let command = shlex::try_join(rules.command.words.iter().map(String::as_str));
            let command = command.unwrap_or_else(|_| "PROGRAM".to_owned());
            format!("--rules {}", shell_word(Path::new(&command)))
        }
    };
    for seat in row.end.forfeiters().iter() {
        let bot = &players[seat.index()];
        if bot != HUMAN {
            let bot = shell_word(Path::new(bot));
            print_to_stderr(&format!("to see what helps: referee check {game} {bot}"));
        }
    }
}

impl Audience for LiveGame {
    fn begins(&self, _game: &QueuedGame, position: &dyn AnyPosition) {
        self.begin();
        let seating = drawing::seating(self.game(), self.players());
        let _ = print(&format!("{seating}\n{}", drawn(self, position)));
        self.waits_for(position.to_act());
    }

    fn ply(&self, ply: &Ply<'_>, position: &dyn AnyPosition) {
        show_ply(self.game(), self, ply, position);
        self.waits_for(position.to_act());
    }
}

/// Play one game and draw it move by move
///
/// A player is a house bot (random, greedy, search), `human` for yourself, or a command in quotes,
/// such as "python3 bots/twenty-lines/bot.py". The first PLAYER acts first. A person types actions, the beginning of
/// one to see how it can go on, `?` for help, and `quit` to leave.
///
/// With --out the game is kept in the folder of a run, for `referee replay` and `verify`.
/// To play many games, see `referee run`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    pub setup: SetupArgs,
    /// A player for each seat, the first to act first; NAME=COMMAND gives a bot a name
    #[arg(value_name = "PLAYER", required = true, num_args = 2..=MOST_SEATS + 1)]
    pub players: Vec<String>,
    /// The folder where the game is kept
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub terms: TypedOptions<false>,
    /// Plies played at random before the players take over
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_small, allow_negative_numbers = true)]
    pub opening_plies: u32,
}

const EXAMPLES: &str = "\
Examples:
  referee play --game cachex human search
  referee play --game cachex \"python3 bot.py\" search --out results/lesson
  referee play --game dark-chess mine=\"python3 bot.py\" random --per-move 1s";

const HUMAN: &str = "human";

const COMMANDS: &str = "Type an action, or its beginning to see how it can go on. Enter lists all legal actions, quit \
                        leaves the game.";

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

fn show_ply(game: Game, live: &LiveGame, ply: &Ply<'_>, position: &dyn AnyPosition) {
    let hidden = live.played(ply);
    let lines = ply.played().map(|(seat, played)| {
        let [action, public] = match hidden.contains(seat) {
            true => ["(hidden)", ""],
            false => [played.action, played.public],
        };
        drawing::action(
            ply.number,
            game.seat_name(seat),
            action,
            public,
            played.spent.map(|spent| spent.wall),
        )
    });
    let lines: String = lines.collect();
    let text = format!("\n{lines}{}", drawn(live, position));
    // A failed write means that the reader has gone.
    let _ = print(&text);
}

const EXCERPT: usize = 100;

/// A person who plays `live`, asked until an action is legal. The `start` message tells the seat.
struct Person {
    seat: Seat,
    live: Arc<LiveGame>,
    /// The answer to the last message, where no person is asked for it.
    ready: Option<String>,
    /// The news for this seat that are not shown yet.
    news: String,
}

impl Person {
    fn hear(&mut self, words: &str) {
        let name = self.live.game().seat_name(self.seat);
        let line = format!("{name} is told: {}\n", visible(words));
        self.news.push_str(&line);
    }

    fn show_news(&mut self) {
        // A failed write means that the reader has gone.
        let _ = print(&std::mem::take(&mut self.news));
    }
}

impl Player for Person {
    fn tell(&mut self, message: &ToBot<'_>) {
        match message {
            ToBot::Hello { .. } => self.ready = Some(format!("bot {VERSION} human")),
            ToBot::Start(start) => {
                // The referee names seats of the game that it plays.
                let seat = self.live.game().seat_from_name(start.seat);
                self.seat = seat.unwrap_or(self.seat);
                (self.ready, self.news) = (Some(READY.to_owned()), String::new());
            }
            ToBot::See { words } => self.hear(words),
            ToBot::Did {
                seat,
                action,
                public,
            } if self.live.was_hidden(seat) => {
                self.hear(format!("{seat} {action} {public}").trim_end());
            }
            ToBot::End { .. } => self.show_news(),
            _ => {}
        }
    }

    fn request(&mut self) {}

    fn answer(&mut self, _wait: Wait, answer: &mut String) -> Result<Spent, Fault> {
        let asked = Instant::now();
        *answer = match self.ready.take() {
            Some(ready) => ready,
            None => {
                self.show_news();
                action(self.seat, &self.live)?
            }
        };
        let took = asked.elapsed();
        Ok(Spent {
            wall: took,
            cpu: took,
            ..Spent::default()
        })
    }

    fn contention(&mut self) -> Contention {
        Contention::default()
    }
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
        let listed = match &legal[..] {
            [] => "these rules list no legal actions\n".to_owned(),
            legal => format!("legal: {}\n", legal.join(" ")),
        };
        let _ = say(&match answer.as_str() {
            "quit" | "exit" => return Err(Fault::Left),
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
    let begins = |action: &&String| action.starts_with(typed);
    let near: Vec<&str> = legal.iter().filter(begins).map(String::as_str).collect();
    let shown = excerpt(typed, EXCERPT);
    if !near.is_empty() {
        let near = near.join(" ");
        return Some(format!("legal actions that begin with `{shown}`: {near}\n"));
    }
    // A refused action leaves the position unchanged.
    let refused = position.play_of(seat, exact, &mut News::default()).err()?;
    let more = match legal {
        [] => "",
        _ => "; Enter lists the legal actions",
    };
    Some(format!("`{shown}` is {refused}{more}\n"))
}

/// Reader of stdin's lines. While it waits for one, Ctrl-C ends the input instead of the program.
#[derive(Debug)]
struct Keyboard {
    typed: Vec<u8>,
    /// Becomes readable on Ctrl-C.
    interrupts: UnixStream,
    ends_program: Arc<AtomicBool>,
}

impl Keyboard {
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
