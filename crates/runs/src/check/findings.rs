//! Findings about a bot: the observation, its consequence for a tournament, and a remedy.

use std::time::Duration;

use super::games::{CheckedGame, Observations, Repetition, longest_wait};
use super::observed::Request;
use super::{Check, CheckPlan, CheckVerdict, Finding};
use crate::bot::{Language, LateAnswer, LateCause, Log, mebibytes, seconds};
use crate::game::GameResult;
use crate::referee::{FaultKind, PlayerFault, Termination};
use crate::text::{counted, excerpt, foreign_encoding, output_line};

/// CPU time between two turns above which a warning is given. Equal to the allowance of `off-turn = "forbid"`.
const OFF_TURN: Duration = Duration::from_millis(100);

/// Memory above which a warning is given where there is no limit, in bytes.
const MUCH_MEMORY: u64 = 1 << 30;

const ANSWER: usize = 60;

const SLOW: &str =
    "more than half of the limit: on a busy machine it may take twice as long and forfeit";
const IN_TIME: &str = "stop thinking in time, with a margin for a busy machine";
const WAITS: &str = "answer when nothing is left to compute: a clock of processor time does not count it, and the limit of wall \
                     time for an action, `wall-cap`, does";
const FLUSH: &str = "flush after every line: print(..., flush=True) or python3 -u, \
                     fflush(stdout), std::endl, System.out.flush()";

const UNASKED: &str = "answer `referee`, `start` and `act` only; `did` and `end` want no answer, and a line that is \
                       written there is taken for the next one";
const ENCODING: &str = "write plain UTF-8, without a byte order mark and without zero bytes; in Python, \
                        sys.stdout.reconfigure(encoding=\"utf-8\")";

impl Finding {
    /// A finding. It has the hint if it failed or warns.
    pub fn new(
        name: &'static str,
        verdict: CheckVerdict,
        words: impl Into<String>,
        hint: &str,
    ) -> Self {
        let has_hint = verdict >= CheckVerdict::Warn && !hint.is_empty();
        Self {
            name,
            verdict,
            words: words.into(),
            hint: has_hint.then(|| hint.to_owned()),
            last_lines: Vec::new(),
            fault: None,
        }
    }
}

/// A finding for each check, in the order of [`Check::ALL`].
pub(super) fn findings(plan: &CheckPlan, seen: &Observations) -> Vec<Finding> {
    let finding = |check| {
        let mut forfeits = forfeits(seen.all_games());
        match forfeits.find(|(game, fault)| forfeited_check(game, fault) == check) {
            Some((game, fault)) => forfeit(plan, seen, check, game, fault),
            None => observed(plan, seen, check).unwrap_or_else(|needs| {
                let words = format!("needs {needs}");
                Finding::new(check.name(), CheckVerdict::Skipped, words, "")
            }),
        }
    };
    Check::ALL.map(|(check, _)| finding(check)).into()
}

fn forfeits<'a>(
    games: impl Iterator<Item = &'a CheckedGame>,
) -> impl Iterator<Item = (&'a CheckedGame, &'a PlayerFault)> {
    games.filter_map(|game| Some((game, game.end.fault(game.seat)?)))
}

fn forfeited_check(game: &CheckedGame, fault: &PlayerFault) -> Check {
    match (fault.kind, game.notes.request) {
        (FaultKind::Memory, _) => Check::Memory,
        (_, Some(Request::Hello)) => Check::Handshake,
        (_, Some(Request::Start)) => Check::Ready,
        _ => match game.end.termination {
            Termination::Time | Termination::Stall => Check::Clock,
            _ => Check::Games,
        },
    }
}

/// The check that every game failed before the first action, if the bot cannot be loaded.
pub(super) fn not_loaded(seen: &Observations) -> Option<Check> {
    let first = seen.games.first().filter(|_| seen.cannot_be_loaded())?;
    Some(forfeited_check(first, first.end.fault(first.seat)?))
}

fn forfeit(
    plan: &CheckPlan,
    seen: &Observations,
    check: Check,
    game: &CheckedGame,
    fault: &PlayerFault,
) -> Finding {
    let (label, detail) = (label(plan, game), &fault.detail);
    let words = match check {
        Check::Handshake | Check::Ready if !game.failed_between_games() => detail.clone(),
        Check::Games => format!("{label}: {}: {detail}", game.end.termination.name()),
        _ => format!("{label}: {detail}"),
    };
    let mut departures = seen.departures.iter();
    let late = departures.find_map(|departure| departure.late_answer.as_ref());
    Finding {
        hint: hint(plan, game, fault, late),
        last_lines: match fault.kind {
            // A thread of a bot that does not answer may have failed.
            FaultKind::Exited | FaultKind::HungUp | FaultKind::Late => last_lines(&game.log),
            _ => Vec::new(),
        },
        fault: Some(fault.clone()),
        ..Finding::new(check.name(), CheckVerdict::Failed, words, "")
    }
}

fn label(plan: &CheckPlan, game: &CheckedGame) -> String {
    let seat = plan.game.game().seat_name(game.seat);
    format!("game {}, as {seat}", game.index + 1)
}

/// The finding of a check that no game failed by a forfeit, or what it needs.
fn observed(plan: &CheckPlan, seen: &Observations, check: Check) -> Result<Finding, &'static str> {
    let tell = |verdict, words: String, hint| Finding::new(check.name(), verdict, words, hint);
    let warn_if = |is_surprising: bool, words: String, hint| match is_surprising {
        true => tell(CheckVerdict::Warn, words, hint),
        false => tell(CheckVerdict::Ok, words, hint),
    };
    let warn_if_slow = |took: Duration, limit: Duration, words| {
        let words = format!("{words} {} of {}", seconds(took), seconds(limit));
        warn_if(took > limit / 2, words, SLOW)
    };
    let (games, actions) = (&seen.games, || seen.actions());
    Ok(match check {
        Check::Handshake => {
            let hellos = seen.notes().filter_map(|notes| notes.hello.as_ref());
            let slowest = hellos.max_by_key(|(_, spent)| spent.wall);
            let (line, spent) = slowest.ok_or("an answer")?;
            let words = format!("`{}` after", excerpt(line, ANSWER));
            warn_if_slow(spent.wall, plan.handshake, words)
        }
        Check::Ready => {
            let ready = seen.notes().filter_map(|notes| notes.ready);
            let slowest = ready.map(|spent| spent.wall).max();
            let (took, limit) = (slowest.ok_or("an answer to the handshake")?, plan.handshake);
            let words = format!("after {} at most, of {}", seconds(took), seconds(limit));
            warn_if(took > limit / 2, words, SLOW)
        }
        Check::Games => results(plan, seen).ok_or(match seen.cut {
            None => "a bot that is ready",
            Some(_) => "a game that was played to its end",
        })?,
        Check::Clock => {
            if let Some(waits) = seen.waits() {
                let words = format!(
                    "waits up to {} an action without computing; the check ended after {} of it",
                    seconds(waits),
                    seconds(longest_wait(plan))
                );
                return Ok(tell(CheckVerdict::Warn, words, WAITS));
            }
            let slowest = actions().map(|spent| spent.wall).max().ok_or("an action")?;
            let limit = plan.time.per_move.unwrap_or(plan.time.wall_cap);
            warn_if_slow(slowest, limit, "slowest answer".to_owned())
        }
        Check::Memory => {
            let peak = games.iter().filter_map(|game| game.peak_kib).max();
            let held = peak.ok_or("a bot that lives to the end of a game")? << 10;
            let peak = mebibytes(held);
            let hint = "few machines have so much for each bot, and few tournaments: hold less, or try --memory";
            match plan.confinement.memory {
                Some(limit) => tell(
                    CheckVerdict::Ok,
                    format!("{peak} at most, of {}", mebibytes(limit)),
                    "",
                ),
                None => {
                    let words = format!("{peak} at most; no limit was set");
                    warn_if(held > MUCH_MEMORY, words, hint)
                }
            }
        }
        Check::Determinism => {
            let again = seen.again.as_ref();
            let again = again.ok_or("a game that was played to its end")?;
            let label = label(plan, &again.game);
            if again.rules_differ {
                return Ok(tell(
                    CheckVerdict::Warn,
                    format!("{label} again, with the same seed: the rules gave other answers"),
                    "the rules do not follow from the seed and the actions alone, which is no fault of the bot: \
                     `referee game check` says where",
                ));
            }
            let words = match again.differs_at {
                Some(ply) => {
                    format!("{label} again, with the same seed: another game from ply {ply} on")
                }
                None => format!("{label} again: the same actions"),
            };
            let hint = "draw all randomness from the seed in `start`; a search that stops by the clock \
                        differs too. This loses no game, but a lost game cannot be reproduced";
            warn_if(again.differs_at.is_some(), words, hint)
        }
        Check::NextGame => next_game(plan, seen)?,
        Check::OffTurn => {
            let used = actions().map(|spent| spent.idle_cpu).max();
            let used = used.ok_or("an action")?;
            let words = format!(
                "{} of processor time at most between its turns",
                seconds(used)
            );
            let hint = "it forfeits in a tournament with off-turn = \"forbid\"";
            warn_if(used > OFF_TURN, words, hint)
        }
        Check::Output => output(games),
        Check::Quit => {
            let mut asked = seen.departures.iter().filter(|it| !it.forfeited).peekable();
            asked.peek().ok_or("a game that was played to its end")?;
            match asked.all(|departure| departure.by_itself) {
                true => tell(CheckVerdict::Ok, "exits when it is told to".to_owned(), ""),
                false => tell(
                    CheckVerdict::Warn,
                    format!(
                        "still there {} after `quit`, and killed",
                        seconds(plan.quit)
                    ),
                    "exit at `quit` or at the end of the input, which follows at once; nobody reads what \
                     the bot writes after that",
                ),
            }
        }
        Check::Leftovers => leftovers(seen),
    })
}

fn results(plan: &CheckPlan, seen: &Observations) -> Option<Finding> {
    let games = &seen.games;
    let acted = |game: &&CheckedGame| game.notes.request == Some(Request::Act);
    let begun = games.iter().filter(acted).count();
    let finished = || games.iter().filter(|game| !game.forfeited());
    let won = |game: &&CheckedGame| game.end.result.winners().contains(game.seat);
    let (won, drawn) = (
        finished().filter(won).count(),
        finished()
            .filter(|game| game.end.result == GameResult::Drawn)
            .count(),
    );
    let kind = plan.game.game();
    let has_sat = |seat: &_| games.iter().any(|game| game.seat == *seat);
    let seats = kind.seats().filter(has_sat);
    let seats: Vec<&str> = seats.map(|seat| kind.seat_name(seat)).collect();
    let finished = finished().count();
    let words = format!(
        "{finished} of {begun} to their end, as {}: {won} won, {drawn} drawn, {} lost",
        seats.join(" and "),
        finished - won - drawn
    );
    // The finding of another check names the forfeit.
    let verdict = match finished < begun {
        true => CheckVerdict::Failed,
        false => CheckVerdict::Ok,
    };
    (begun > 0).then(|| Finding::new(Check::Games.name(), verdict, words, ""))
}

fn next_game(plan: &CheckPlan, seen: &Observations) -> Result<Finding, &'static str> {
    if plan.game.game().hides_something() {
        return Err("a game that one process plays several of");
    }
    let differs_at = |it: &Option<Repetition>| it.as_ref().and_then(|it| it.differs_at);
    let (alone, again) = (differs_at(&seen.alone), differs_at(&seen.again));
    if alone.is_some() && again.is_some() {
        return Err("a bot that plays a game again");
    }
    let repetition = seen.alone.as_ref().ok_or("a second game in one process")?;
    if repetition.rules_differ {
        return Err("rules that give the same answers again");
    }
    let label = label(plan, &repetition.game);
    let (verdict, how) = match alone {
        Some(ply) => (
            CheckVerdict::Warn,
            format!("another game from ply {ply} on"),
        ),
        None => (CheckVerdict::Ok, "the same".to_owned()),
    };
    let words = format!("{label} in a process of its own: {how}");
    let hint = "forget the game before at `start`: the bot kept something from it; if it must, enter \
                the bot with fresh-process = true";
    Ok(Finding::new(Check::NextGame.name(), verdict, words, hint))
}

fn output(games: &[CheckedGame]) -> Finding {
    let mut unasked = games
        .iter()
        .filter(|game| game.out_of_step && !game.forfeited());
    if let Some(game) = unasked.next() {
        let words = format!("an unrequested line as game {} ended", game.index + 1);
        return Finding::new(Check::Output.name(), CheckVerdict::Warn, words, UNASKED);
    }
    let bytes: u64 = games.iter().map(|game| game.log.len()).sum();
    let dropped: u64 = games.iter().map(|game| game.log.dropped).sum();
    let games = counted(games.len() as u64, "game", "games");
    let (verdict, words) = match (bytes, dropped) {
        (0, 0) => (CheckVerdict::Ok, "no debug output".to_owned()),
        (_, 0) => (
            CheckVerdict::Ok,
            format!("{bytes} bytes of debug output in {games}"),
        ),
        _ => {
            let words =
                format!("{bytes} bytes of debug output in {games}; {dropped} were not kept");
            (CheckVerdict::Warn, words)
        }
    };
    let hint = "write less: a tournament keeps a limited amount of each game, by default 256 KiB";
    Finding::new(Check::Output.name(), verdict, words, hint)
}

fn leftovers(seen: &Observations) -> Finding {
    let cleanups = || seen.departures.iter().map(|departure| departure.cleanup);
    let killed: u32 = cleanups().map(|cleanup| cleanup.killed).sum();
    let survivors: u32 = cleanups().map(|cleanup| cleanup.survivors).sum();
    let processes = |count: u32| counted(count.into(), "process", "processes");
    let (verdict, words, hint) = match (killed, survivors) {
        (0, 0) => (CheckVerdict::Ok, "no process is left".to_owned(), ""),
        (killed, 0) => (
            CheckVerdict::Warn,
            format!(
                "{} outlived the bot, and {} killed",
                processes(killed),
                if killed == 1 { "was" } else { "were" }
            ),
            "before the bot exits, let it wait for the processes that it started",
        ),
        (_, survivors) => (
            CheckVerdict::Failed,
            format!("{} could not be killed", processes(survivors)),
            "look for them by hand; the machine may be stuck",
        ),
    };
    Finding::new(Check::Leftovers.name(), verdict, words, hint)
}

/// The remedy for a fault of the bot, whose answer to `request` may have come late.
fn hint(
    plan: &CheckPlan,
    game: &CheckedGame,
    fault: &PlayerFault,
    late: Option<&LateAnswer>,
) -> Option<String> {
    let hint = match fault.kind {
        FaultKind::Late => return Some(hint_for_late(fault, late, game.notes.request)),
        FaultKind::Exited | FaultKind::HungUp if wanted_memory(&game.log) => {
            return Some(match plan.confinement.memory {
                Some(limit) => format!("the limit is {}: hold less at a time", mebibytes(limit)),
                None => "no limit was set here: its own runtime has one, as `java -Xmx` sets it, or the machine gave no more; \
                         hold less at a time"
                    .to_owned(),
            });
        }
        FaultKind::Exited if game.failed_between_games() => {
            "read on after `end`, until `quit`: look at what the bot does at `end`, and at `start` of a second game"
        }
        FaultKind::NotReady | FaultKind::OutOfTurn if game.failed_between_games() => UNASKED,
        FaultKind::Exited if has_line_ends_of_windows(&game.log) => {
            "its first line ends as on Windows: save it with the line ends of Linux, or run `sed -i 's/\\r$//'` on it"
        }
        FaultKind::Exited if game.log.is_empty() => {
            "it wrote nothing to standard error: a program that answers has to read on until `quit`; a fault of memory, such as a stack that is \
             too deep, ends it by a signal"
        }
        FaultKind::Exited | FaultKind::HungUp => {
            "what it wrote last usually says why; `referee play` with it shows the same"
        }
        FaultKind::LineTooLong => {
            "an answer is one short line; write long notes to standard error, lines that begin with # have the same limit"
        }
        FaultKind::NotText => ENCODING,
        FaultKind::OutOfTurn | FaultKind::Flood => {
            "standard output is for answers alone: write debug output to standard error, or begin \
             such lines with #"
        }
        FaultKind::NotStarted | FaultKind::NotBuilt | FaultKind::Left => return None,
        FaultKind::NoAction if matches!(plan.language, Language::Engine(_)) => {
            "an engine answers with a legal action as long as there is one; `referee docs engines` says what it may answer"
        }
        FaultKind::NoAction => {
            "the adapter or bridge in the bot's command says this of the program behind it; its README \
             says what that program may answer"
        }
        FaultKind::Memory => "hold less at a time, or ask for a higher limit",
        FaultKind::CpuSpent => {
            "stop thinking in time: look at a clock of processor time in the search \
             (time.process_time(), clock()), which all threads and child processes share; an endless loop \
             ends here too"
        }
        FaultKind::OffTurn | FaultKind::DelayedOpponent => {
            "compute only when the bot is asked to act"
        }
        FaultKind::Uncounted => "make the programs that the bot starts readable: chmod +r",
        FaultKind::BadHello
            if hello(game).is_some_and(|line| foreign_encoding(line.as_bytes()).is_some()) =>
        {
            ENCODING
        }
        FaultKind::BadHello if hello(game).is_some_and(|line| line.starts_with("bot ")) => {
            "answer `bot 1 NAME`: version 1, and a name of one word, such as the one of the bot's file"
        }
        FaultKind::BadHello if has_prompt(game) => {
            "what stands before `bot` is a prompt: read lines without one, such as input() in place of input(\"> \")"
        }
        FaultKind::BadHello => {
            "the first line on standard output must be the answer to `referee 1`: nothing may be \
             printed before it, not even by an import; print notes to standard error, or as lines that begin with #"
        }
        FaultKind::Refused => {
            "the engine has to take each command of the game; `referee docs engines` lists them"
        }
        FaultKind::NotReady => "answer `start ...` with the single word ready",
        FaultKind::Overrun => IN_TIME,
        FaultKind::Illegal if plan.game.game().program().is_some() => {
            "answer what the rules allow: their author says it, and `can` lines list it where the rules offer actions; all \
             that was done and seen is in the `did` and `see` lines"
        }
        FaultKind::Illegal => {
            "follow the `did` lines, your own actions among them; `referee rules` with --text prints the rules, \
             and `referee position` lists the legal actions"
        }
        FaultKind::NotAnAction => {
            "an answer is one action and nothing else, spelt as in `referee docs protocol`, capitals and signs too, and \
             `did` wants none; print notes to standard error, or as lines that begin with #"
        }
    };
    Some(hint.to_owned())
}

fn hello(game: &CheckedGame) -> Option<&str> {
    game.notes.hello.as_ref().map(|(line, _)| line.as_str())
}

/// Whether a program greets in the right words, behind others.
fn has_prompt(game: &CheckedGame) -> bool {
    hello(game).is_some_and(|line| {
        let mut words = line.split_whitespace().skip(1);
        words.next() == Some("bot") && words.next() == Some("1")
    })
}

/// Whether `env` looked for an interpreter whose name ends with a carriage return.
fn has_line_ends_of_windows(log: &Log) -> bool {
    let text = log.text();
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines();
    lines.any(|line| line.contains("env: ") && line.replace("\\r", "\r").contains('\r'))
}

/// Whether a program was refused memory, as runtimes say it on standard error.
fn wanted_memory(log: &Log) -> bool {
    const WORDS: [&str; 4] = [
        "MemoryError",
        "OutOfMemoryError",
        "bad_alloc",
        "memory allocation of",
    ];
    let lines = last_lines(log);
    lines
        .iter()
        .any(|line| WORDS.iter().any(|words| line.contains(words)))
}

fn hint_for_late(
    fault: &PlayerFault,
    answer: Option<&LateAnswer>,
    request: Option<Request>,
) -> String {
    let advice = match request {
        Some(Request::Hello | Request::Start) => {
            "if loading takes long, load after the answer, or ask for a higher limit"
        }
        _ => IN_TIME,
    };
    let Some(LateAnswer { line, late, cause }) = answer else {
        return match fault.late {
            Some(LateCause::Computing) => {
                format!("it computed all that time: an endless loop? If not, {advice}")
            }
            Some(LateCause::Waiting) => {
                "it used next to no processor time: it slept, or waited for input, or for another program; each request \
                 is one line with a newline at its end, and nothing comes before its answer"
                    .to_owned()
            }
            _ => format!("{advice}; if the bot did answer, {FLUSH}"),
        };
    };
    let line = excerpt(line, ANSWER);
    match cause.after(fault.late) {
        LateCause::NextLine => format!(
            "`{line}` came only with the next line that the bot was sent: it reads a line too many before it \
             answers"
        ),
        LateCause::Buffered => {
            let hello = match request {
                Some(Request::Hello) => {
                    "; or the program reads all input before it answers, as readlines() and read() do: read one line at a time"
                }
                _ => "",
            };
            let set = match std::env::var_os("PYTHONUNBUFFERED") {
                Some(_) => " (PYTHONUNBUFFERED is set here, and no bot is given it)",
                None => "",
            };
            format!(
                "`{line}` came when its input was closed: the answer lay in its buffer; {FLUSH}{set}{hello}"
            )
        }
        LateCause::Unended => {
            format!(
                "`{line}` came without a line end: end each answer with a newline, and flush it; a prompt, such as that of \
                 input(\"> \"), is no answer: leave it out"
            )
        }
        LateCause::Slow | LateCause::Computing | LateCause::Waiting => format!(
            "`{line}` came {} after the limit: the bot is too slow; {advice}",
            seconds(*late)
        ),
    }
}

const LINES: usize = 6;

pub(super) const EXCERPT: usize = 160;

/// Last lines of a program's output, escaped for a terminal.
pub(super) fn last_lines(log: &Log) -> Vec<String> {
    let text = log.text();
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let last = lines
        .rev()
        .take(LINES)
        .map(|line| output_line(line, EXCERPT));
    let mut last: Vec<String> = last.collect();
    last.reverse();
    last
}
