//! Feeds a recorded game to a bot, to see its answer.

use std::io::{BufRead, Write, stderr, stdin};
use std::time::Duration;

use super::ReplayArgs;
use crate::bot::{
    BuildLimits, Confinement, Fault, LateAnswer, LateCause, Launch, OutputLimits, Player, Process,
    seconds,
};
use crate::cli::arguments::{launch, own_program, see_that_it_is_built, spoken, supervisor};
use crate::cli::drawing;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{print, say, style};
use crate::clock::{Spent, Wait};
use crate::game::{ActError, Actors, GameResult, News, Refusal, RulesFault, Seat};
use crate::opponents::HouseBot;
use crate::protocol::ToBot;
use crate::referee::{Termination, VOID};
use crate::replay::{ReplayedGame, transcripts, unplayed};
use crate::report::print_to_stderr;
use crate::runner::TierError;
use crate::runs::{LoggedPly, Run};
use crate::text::{excerpt, visible, visible_lines};

/// Default time for an answer, without and with a debugger.
const PATIENCE: Duration = Duration::from_secs(60);
const PATIENCE_WITH_DEBUGGER: Duration = Duration::from_secs(24 * 3600);

/// Interval at which stderr is shown while the bot thinks.
const LOOK: Duration = Duration::from_millis(50);

const GRACE: Duration = Duration::from_secs(1);

const EXCERPT: usize = 100;

pub(super) fn run(
    run: &Run,
    game: &ReplayedGame,
    seat: Option<Seat>,
    bot: &str,
    args: &ReplayArgs,
) -> Result<Exit, Failure> {
    let (seat, index) = place(game, seat, args.until)?;
    let own_language = || game.recording.languages[seat].clone();
    let (launch, language, confinement) = match bot {
        // The player's own command may come from a stranger, so it is isolated as in the run.
        "" => {
            let (launch, confinement) = own_launch(run, game, seat)?;
            (launch, own_language(), confinement)
        }
        bot => {
            let mut language = spoken(args.speaks.as_deref(), bot).unwrap_or_else(own_language);
            // Another engine has other options.
            language.options_mut().clear();
            (launch(bot, None)?, language, Confinement::default())
        }
    };
    let patience = args.time.unwrap_or(if args.wait {
        PATIENCE_WITH_DEBUGGER
    } else {
        PATIENCE
    });
    let process = Process::start(
        &launch,
        OutputLimits::default(),
        &supervisor()?,
        &confinement,
    );
    let mut feed = Feed {
        game,
        seat,
        process: process
            .map_err(Failure::failed)?
            .speaking(&language, Duration::ZERO),
        is_engine: language.engine().is_some(),
        patience,
        answer: String::new(),
        unshown: Vec::new(),
    };
    let exit = feed.until(index, args.wait);
    feed.close();
    exit
}

/// Seat to ask, and number of plies before. Default: the player who forfeited or lost, at its last request.
fn place(
    game: &ReplayedGame,
    seat: Option<Seat>,
    until: Option<u32>,
) -> Result<(Seat, usize), Failure> {
    let was_asked = |index: usize| match game.recording.plies.get(index) {
        Some(ply) => ply.is_chosen(),
        None => !game.asked_in_vain().is_nobody(),
    };
    let plies = game.recording.plies.len();
    let end = &game.recording.row.end;
    let places = end.result.places(game.game().seat_count());
    let mut last = places
        .iter()
        .filter(|(_, place)| usize::from(**place) == places.count());
    let loser = last.next().filter(|_| last.next().is_none());
    let loser = loser.map(|(seat, _)| seat);
    if let Some(ply) = until {
        let index = usize::try_from(ply).unwrap_or(usize::MAX).checked_sub(1);
        let index = index.filter(|index| *index <= plies && !game.actors(*index).is_nobody());
        let Some(index) = index else {
            let last = plies + usize::from(!game.actors(plies).is_nobody());
            return Err(Failure::usage(format!(
                "--until {ply}: nobody was to act there; in this game it is a ply from 1 to {last}"
            )));
        };
        let actors = game.actors(index);
        let actor = match actors {
            Actors::AtOnce(_) => seat.or(loser).unwrap_or(Seat::FIRST),
            Actors::One(actor) if seat.is_none_or(|seat| seat == actor) => actor,
            Actors::One(_) | Actors::Nobody => {
                let actor = game.game().actor_names(actors).unwrap_or_default();
                return Err(Failure::usage(format!(
                    "--until {ply}: {actor} was to act there; leave --seat out, or name another ply"
                )));
            }
        };
        let ply_there = game.recording.plies.get(index);
        if ply_there.is_some_and(|ply| !ply.is_chosen()) {
            return Err(Failure::usage(format!(
                "--until {ply}: this ply is of the random opening, and no bot was asked for it"
            )));
        }
        return Ok((actor, index));
    }
    let wanted = seat.or(loser);
    let asked = (0..=plies).rev().find_map(|index| {
        let mut actors = game.actors(index).seats();
        let actor = actors.find(|actor| wanted.is_none_or(|seat| seat == *actor))?;
        was_asked(index).then_some((actor, index))
    });
    asked.ok_or_else(|| match end.termination {
        Termination::Handshake => Failure::usage(
            "the game ended with the handshake, before anybody was asked for an action: see \
             `referee check`"
                .to_owned(),
        ),
        _ => Failure::usage("that player was not asked for an action in this game"),
    })
}

/// The player's own command and confinement, from the manifest.
fn own_launch(
    run: &Run,
    game: &ReplayedGame,
    seat: Seat,
) -> Result<(Launch, Confinement), Failure> {
    let name = game.recording.row.names()[seat];
    let missing = |problem: String| {
        let problem = format!(
            "the bot of `{name}` cannot be started as the manifest has it: {problem}; paths \
                 are taken from this folder; or name a bot: --into \"python3 bot.py\""
        );
        Failure::usage(problem)
    };
    let player = run.manifest().player(name);
    let player = player.ok_or_else(|| missing("it has no such player".to_owned()))?;
    let command = player.command.as_deref().and_then(<[String]>::split_first);
    let (program, args) = match (&player.house, command) {
        (Some(house), _) if HouseBot::from_name(house).is_none() => {
            return Err(missing("it was a person".to_owned()));
        }
        (Some(house), _) => {
            let words = ["bot".to_owned(), house.clone()].into_iter();
            (own_program()?, words.chain(player.args.clone()).collect())
        }
        (None, Some((program, args))) => (program.into(), args.to_vec()),
        (None, None) => return Err(missing("it has no command".to_owned())),
    };
    let launch = Launch {
        program,
        args,
        dir: player.dir.clone(),
        env: player.env.clone().into_iter().collect(),
        course_files: player.course_files.clone(),
        submitted: player.submitted,
    };
    let build = player.build.as_deref().and_then(<[String]>::split_first);
    let build = build.map(|(program, args)| Launch {
        program: program.into(),
        args: args.to_vec(),
        ..launch.clone()
    });
    let tier = run.manifest().limits.isolation;
    let confinement = Confinement {
        isolation: tier,
        ..Confinement::default()
    };
    let mut needs = launch.needs();
    needs.push(own_program()?);
    confinement
        .probe(&needs)
        .map_err(|problem| Failure::new(Exit::Isolation, TierError { tier, problem }))?;
    let mut limits = BuildLimits::default();
    limits.confinement.isolation = tier;
    if build.is_none() {
        let there = launch.check();
        there.map_err(|problem| missing(problem.to_string()))?;
    }
    see_that_it_is_built(name, &launch, build.as_ref(), &limits)?;
    Ok((launch, confinement))
}

struct Feed<'a> {
    game: &'a ReplayedGame,
    seat: Seat,
    process: Process,
    is_engine: bool,
    patience: Duration,
    answer: String,
    /// Start of a line of stderr whose end has not arrived.
    unshown: Vec<u8>,
}

impl Feed<'_> {
    /// Sends the bot the messages of the game, up to its request after `index` plies, and shows its reaction.
    fn until(&mut self, index: usize, wait: bool) -> Result<Exit, Failure> {
        let mut asked = self.asked()?.into_iter();
        let mut transcripts = transcripts(&self.game.recording)?;
        for line in std::mem::take(&mut transcripts[self.seat]) {
            // The line was formatted from a message, so it parses.
            let message = ToBot::parse(&line).map_err(Failure::failed)?;
            let asks = matches!(
                message,
                ToBot::Hello { .. } | ToBot::Start(_) | ToBot::Act { .. }
            );
            let played = match message {
                ToBot::Act { .. } => asked.next(),
                _ => None,
            };
            if played == Some(index) {
                return self.look(&line, &message, index, wait);
            }
            self.process.tell(&message);
            if !asks {
                continue;
            }
            if let Err(fault) = self.ask() {
                return self.failed(&line, &fault);
            }
            if let Some(played) = played {
                self.compare(played);
            }
        }
        let problem = "the bot was never asked for that ply";
        Err(Failure::failed(problem))
    }

    /// Number of plies played at each request for an action. The last request may have had no answer, and the answer of
    /// another may not have been played, because seats left.
    fn asked(&self) -> Result<Vec<usize>, RulesFault> {
        let plies = &self.game.recording.plies;
        let unplayed = unplayed(&self.game.recording)?;
        let own = |(at, ply): (usize, &LoggedPly)| {
            let has_acted = ply.actors().includes(self.seat) && ply.is_chosen();
            let was_unplayed = unplayed.get(at).is_some_and(|it| it.contains(self.seat));
            (has_acted || was_unplayed).then_some(at)
        };
        let own = plies.iter().enumerate().filter_map(own);
        Ok(own.chain([plies.len()]).collect())
    }

    fn look(
        &mut self,
        line: &str,
        message: &ToBot<'_>,
        index: usize,
        wait: bool,
    ) -> Result<Exit, Failure> {
        let name = self.game.game().seat_name(self.seat);
        let (ply, position) = (index + 1, &self.game.positions[index]);
        self.process.tell(message);
        let queued = match self.is_engine {
            true => self.process.queued(),
            false => line.to_owned(),
        };
        let queued: Vec<String> = queued.lines().map(|line| format!("> {line}\n")).collect();
        print(&format!(
            "ply {ply}, {name} to act:\n{}{}",
            drawing::board(&position.views[self.seat], style()),
            queued.concat()
        ))?;
        if wait {
            let pid = self.process.pid();
            let pid = pid.map_err(Failure::failed)?;
            print_to_stderr(&format!(
                "referee: the bot is process {pid}; attach a debugger, then press Enter here to \
                 send the request. The answer may take {}",
                humantime::format_duration(self.patience)
            ));
            let mut enter = String::new();
            stdin()
                .lock()
                .read_line(&mut enter)
                .map_err(|error| Failure::failed(format!("stdin: {error}")))?;
        }
        let spent = match self.ask() {
            Ok(spent) => spent,
            Err(fault) => return self.failed(line, &fault),
        };
        let short = excerpt(&self.answer, EXCERPT);
        let copy = self.game.recording.position(index);
        let mut copy = copy.map_err(Failure::failed)?;
        let played = copy.play_of(self.seat, &self.answer, &mut News::default());
        let (exit, verdict) = match played {
            Ok(()) => (Exit::Done, "legal".to_owned()),
            Err(ActError::Refused(refusal)) => match refusal {
                Refusal::Illegal { .. } => (Exit::Illegal, refusal.to_string()),
                Refusal::Unparsable { .. } => (Exit::Unparsable, refusal.to_string()),
            },
            Err(ActError::Rules(fault)) => return Err(fault.into()),
        };
        let before = match self.recorded(index) {
            Some(action) if action == self.answer => "the same as in the game".to_owned(),
            Some(action) => format!("in the game it was {action}"),
            None => format!(
                "in the game: {}",
                visible(&self.game.recording.row.detail())
            ),
        };
        say(&format!(
            "< {short}\n{verdict}; took {}\n{before}\n",
            seconds(spent.wall)
        ))?;
        Ok(exit)
    }

    fn recorded(&self, index: usize) -> Option<&str> {
        let ply = self.game.recording.plies.get(index)?;
        let action = &ply.of(self.seat)?.action;
        (!ply.is_drop()).then_some(action)
    }

    fn compare(&self, played: usize) {
        let action = self.recorded(played);
        if let Some(action) = action.filter(|action| *action != self.answer) {
            print_to_stderr(&format!(
                "referee: at ply {} the bot now answers `{}`; in the game it was {action}, and the \
                 game goes on with that",
                played + 1,
                excerpt(&self.answer, EXCERPT)
            ));
        }
    }

    fn close(&mut self) {
        self.process.dismiss();
        self.process.close(GRACE);
        self.show_log(true);
        let Some(LateAnswer { line, cause, .. }) = self.process.late_answer() else {
            return;
        };
        let problem = match cause {
            LateCause::Buffered => {
                "came only when the bot's input was closed: flush standard output after each line"
            }
            LateCause::Unended => "came without a line end: end each line with a newline",
            LateCause::NextLine => "came only with the next line that the bot was sent",
            LateCause::Slow | LateCause::Computing | LateCause::Waiting => return,
        };
        print_to_stderr(&format!("referee: `{}` {problem}", excerpt(&line, EXCERPT)));
    }

    fn failed(&mut self, line: &str, fault: &Fault) -> Result<Exit, Failure> {
        if let Fault::Late { .. } = fault {
            // Send `end`, as a game would: reading on shows why the bot was late.
            self.process.tell(&ToBot::End {
                winner: &self.game.game().result_name(GameResult::Nobody),
                termination: VOID,
                detail: "",
            });
            self.process.flush();
        }
        print(&format!("after `{line}`: {fault}\n"))?;
        Ok(Exit::Failed)
    }

    fn ask(&mut self) -> Result<Spent, Fault> {
        self.process.request();
        let mut wall = LOOK;
        loop {
            let wait = Wait {
                wall: wall.min(self.patience),
                cpu: None,
            };
            let answered = self.process.answer(wait, &mut self.answer);
            self.show_log(false);
            match answered {
                // Keep waiting: the machine may be busy, and patience is left.
                Err(Fault::Late { .. } | Fault::Starved { .. }) if wall < self.patience => {
                    wall += LOOK;
                }
                answered => return answered,
            }
        }
    }

    /// Shows whole lines of stderr since the last call, and all of it at the `end`.
    fn show_log(&mut self, end: bool) {
        self.unshown.extend(self.process.take_log().text());
        let last = self.unshown.iter().rposition(|byte| *byte == b'\n');
        let whole = match end {
            true => self.unshown.len(),
            false => last.map_or(0, |last| last + 1),
        };
        let text: Vec<u8> = self.unshown.drain(..whole).collect();
        let text = visible_lines(&String::from_utf8_lossy(&text));
        // A failed write means that the reader has gone.
        let _ = stderr().lock().write_all(text.as_bytes());
    }
}
