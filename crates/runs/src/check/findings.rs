//! Derives findings from observations of a bot.

use std::fmt::{self, Display};

use super::games::{CheckedGame, Observations, Repetition};
use super::{Check, CheckPlan, Evidence, Finding, ForfeitedGame, GameLabel, Request, Results};
use crate::bot::{Log, mebibytes, seconds};
use crate::game::GameResult;
use crate::referee::{FaultKind, PlayerFault, Termination};
use crate::text::{counted, excerpt};

/// A finding for each check, in the order of [`Check::ALL`].
pub(super) fn findings(plan: &CheckPlan, seen: &Observations) -> Vec<Finding> {
    let finding = |check| Finding {
        check,
        evidence: match forfeits(seen.all_games())
            .find(|(game, fault)| forfeited_check(game, fault) == check)
        {
            Some((game, fault)) => Evidence::Forfeit(forfeit(plan, seen, game, fault)),
            None => evidence(plan, seen, check),
        },
    };
    Check::ALL.into_iter().map(finding).collect()
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
    game: &CheckedGame,
    fault: &PlayerFault,
) -> ForfeitedGame {
    let late = seen
        .departures
        .iter()
        .find_map(|departure| departure.late_answer.as_ref());
    ForfeitedGame {
        game: label(plan, game),
        termination: game.end.termination,
        fault: fault.clone(),
        request: game.notes.request,
        late_answer: late.filter(|_| fault.kind == FaultKind::Late).cloned(),
        last_lines: match fault.kind {
            FaultKind::Exited | FaultKind::HungUp => last_lines(&game.log),
            _ => Vec::new(),
        },
    }
}

fn label(plan: &CheckPlan, game: &CheckedGame) -> GameLabel {
    GameLabel {
        number: game.index + 1,
        seat: plan.game.game().seat_name(game.seat),
    }
}

/// Evidence for a check that no game failed by a forfeit.
fn evidence(plan: &CheckPlan, seen: &Observations, check: Check) -> Evidence {
    let evidence = match check {
        Check::Handshake => hello(plan, seen).ok_or("an answer"),
        Check::Ready => ready(plan, seen).ok_or("an answer to the handshake"),
        Check::Games => results(plan, seen).ok_or("a bot that is ready"),
        Check::Clock => slowest_action(plan, seen).ok_or("an action"),
        Check::Memory => peak_memory(plan, seen).ok_or("a bot that lives to the end of a game"),
        Check::Determinism => {
            repeated(plan, seen.again.as_ref()).ok_or("a game that was played to its end")
        }
        Check::NextGame => next_game(plan, seen),
        Check::OffTurn => off_turn(seen).ok_or("an action"),
        Check::Output => Ok(output(seen)),
        Check::Quit => quit(plan, seen).ok_or("a game that was played to its end"),
        Check::Leftovers => Ok(leftovers(seen)),
    };
    evidence.unwrap_or_else(|needs| Evidence::Missing { needs })
}

fn hello(plan: &CheckPlan, seen: &Observations) -> Option<Evidence> {
    let hellos = seen
        .games
        .iter()
        .filter_map(|game| game.notes.hello.as_ref());
    let (line, spent) = hellos.max_by_key(|(_, spent)| spent.wall)?;
    Some(Evidence::Hello {
        line: excerpt(line, EXCERPT),
        took: spent.wall,
        limit: plan.handshake,
    })
}

fn ready(plan: &CheckPlan, seen: &Observations) -> Option<Evidence> {
    let ready = seen.games.iter().filter_map(|game| game.notes.ready);
    Some(Evidence::Ready {
        took: ready.map(|spent| spent.wall).max()?,
        limit: plan.handshake,
    })
}

fn results(plan: &CheckPlan, seen: &Observations) -> Option<Evidence> {
    let games = &seen.games;
    let acted = |game: &&CheckedGame| game.notes.request == Some(Request::Act);
    let begun = games.iter().filter(acted).count();
    let finished = |is_wanted: fn(&CheckedGame) -> bool| {
        let ended = games.iter().filter(|game| !game.forfeited());
        ended.filter(|game| is_wanted(game)).count()
    };
    let has_won = |game: &CheckedGame| game.end.result.winners().contains(game.seat);
    let is_drawn = |game: &CheckedGame| game.end.result == GameResult::Drawn;
    let kind = plan.game.game();
    let seats = kind
        .seats()
        .filter(|seat| games.iter().any(|game| game.seat == *seat))
        .map(|seat| kind.seat_name(seat));
    (begun > 0).then(|| {
        Evidence::Results(Results {
            begun,
            seats: seats.collect(),
            won: finished(has_won),
            drawn: finished(is_drawn),
            lost: finished(|game| {
                let result = game.end.result;
                result != GameResult::Drawn && !result.winners().contains(game.seat)
            }),
        })
    })
}

fn slowest_action(plan: &CheckPlan, seen: &Observations) -> Option<Evidence> {
    Some(Evidence::SlowestAction {
        took: seen.actions().map(|spent| spent.wall).max()?,
        limit: plan.time.per_move.unwrap_or(plan.time.wall_cap),
    })
}

fn peak_memory(plan: &CheckPlan, seen: &Observations) -> Option<Evidence> {
    let peak_kib = seen.games.iter().filter_map(|game| game.peak_kib).max()?;
    Some(Evidence::PeakMemory {
        bytes: peak_kib << 10,
        limit: plan.confinement.memory,
    })
}

fn repeated(plan: &CheckPlan, repetition: Option<&Repetition>) -> Option<Evidence> {
    let repetition = repetition?;
    Some(Evidence::Repeated {
        game: label(plan, &repetition.game),
        differs_at: repetition.differs_at,
    })
}

fn next_game(plan: &CheckPlan, seen: &Observations) -> Result<Evidence, &'static str> {
    if plan.game.game().hides_something() {
        return Err("a game that one process plays several of");
    }
    let differs = |repetition: &Option<Repetition>| {
        repetition
            .as_ref()
            .is_some_and(|repetition| repetition.differs_at.is_some())
    };
    if differs(&seen.alone) && differs(&seen.again) {
        return Err("a bot that plays a game again");
    }
    repeated(plan, seen.alone.as_ref()).ok_or("a second game in one process")
}

fn off_turn(seen: &Observations) -> Option<Evidence> {
    Some(Evidence::OffTurn {
        used: seen.actions().map(|spent| spent.idle_cpu).max()?,
    })
}

fn output(seen: &Observations) -> Evidence {
    let mut games = seen.games.iter();
    if let Some(game) = games.find(|game| game.out_of_step && !game.forfeited()) {
        return Evidence::UnaskedLine {
            game: game.index + 1,
        };
    }
    Evidence::DebugOutput {
        games: seen.games.len(),
        bytes: seen.games.iter().map(|game| game.log.len()).sum(),
        dropped: seen.games.iter().map(|game| game.log.dropped).sum(),
    }
}

fn quit(plan: &CheckPlan, seen: &Observations) -> Option<Evidence> {
    let mut asked = seen
        .departures
        .iter()
        .filter(|departure| !departure.forfeited)
        .peekable();
    asked.peek()?;
    Some(if asked.all(|departure| departure.by_itself) {
        Evidence::Exited
    } else {
        Evidence::Killed { waited: plan.quit }
    })
}

fn leftovers(seen: &Observations) -> Evidence {
    let cleanups = || seen.departures.iter().map(|departure| departure.cleanup);
    Evidence::Leftovers {
        killed: cleanups().map(|cleanup| cleanup.killed).sum(),
        survivors: cleanups().map(|cleanup| cleanup.survivors).sum(),
    }
}

impl Display for Finding {
    /// Writes the evidence as text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&finding_text(self))
    }
}

fn finding_text(finding: &Finding) -> String {
    let check = finding.check;
    match &finding.evidence {
        Evidence::Missing { needs } => format!("needs {needs}"),
        Evidence::Forfeit(forfeit) => of_forfeit(check, forfeit),
        Evidence::Hello { line, took, limit } => {
            format!("`{line}` after {} of {}", seconds(*took), seconds(*limit))
        }
        Evidence::Ready { took, limit } => {
            format!("after {} at most, of {}", seconds(*took), seconds(*limit))
        }
        Evidence::Results(results) => results.to_string(),
        Evidence::SlowestAction { took, limit } => {
            format!("slowest answer {} of {}", seconds(*took), seconds(*limit))
        }
        Evidence::PeakMemory { bytes, limit } => match limit {
            Some(limit) => format!("{} at most, of {}", mebibytes(*bytes), mebibytes(*limit)),
            None => format!("{} at most; no limit was set", mebibytes(*bytes)),
        },
        Evidence::Repeated { game, differs_at } => of_repetition(check, *game, *differs_at),
        Evidence::OffTurn { used } => {
            let used = seconds(*used);
            format!("{used} of processor time at most between its turns")
        }
        Evidence::UnaskedLine { game } => format!("an unrequested line as game {game} ended"),
        Evidence::DebugOutput {
            games,
            bytes,
            dropped,
        } => of_output(*games, *bytes, *dropped),
        Evidence::Exited => "exits when it is told to".to_owned(),
        Evidence::Killed { waited } => {
            format!("still there {} after `quit`, and killed", seconds(*waited))
        }
        Evidence::Leftovers { killed, survivors } => of_leftovers(*killed, *survivors),
    }
}

fn of_forfeit(check: Check, forfeit: &ForfeitedGame) -> String {
    let (game, detail) = (&forfeit.game, &forfeit.fault.detail);
    match check {
        Check::Handshake | Check::Ready => detail.clone(),
        Check::Games => format!("{game}: {}: {detail}", forfeit.termination.name()),
        _ => format!("{game}: {detail}"),
    }
}

fn of_repetition(check: Check, game: GameLabel, differs_at: Option<usize>) -> String {
    let again = match check {
        Check::NextGame => "in a process of its own",
        _ => "again, with the same seed",
    };
    match (differs_at, check) {
        (Some(ply), _) => format!("{game} {again}: another game from ply {ply} on"),
        (None, Check::NextGame) => format!("{game} {again}: the same"),
        (None, _) => format!("{game} again: the same actions"),
    }
}

fn of_output(games: usize, bytes: u64, dropped: u64) -> String {
    let games = counted(games as u64, "game", "games");
    match (bytes, dropped) {
        (0, _) => "no debug output".to_owned(),
        (_, 0) => format!("{bytes} bytes of debug output in {games}"),
        (_, dropped) => {
            format!("{bytes} bytes of debug output in {games}; {dropped} were not kept")
        }
    }
}

fn of_leftovers(killed: u32, survivors: u32) -> String {
    let processes = |count: u32| counted(count.into(), "process", "processes");
    match (killed, survivors) {
        (0, 0) => "no process is left".to_owned(),
        (killed, 0) => format!(
            "{} outlived the bot, and {} killed",
            processes(killed),
            if killed == 1 { "was" } else { "were" }
        ),
        (_, survivors) => format!("{} could not be killed", processes(survivors)),
    }
}

/// Maximum number of quoted lines.
const LINES: usize = 6;

/// Maximum characters of a quoted line.
pub(super) const EXCERPT: usize = 160;

/// Last lines of a program's output, escaped for a terminal.
pub(super) fn last_lines(log: &Log) -> Vec<String> {
    let text = log.text();
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut last: Vec<String> = lines
        .rev()
        .take(LINES)
        .map(|line| excerpt(line, EXCERPT))
        .collect();
    last.reverse();
    last
}
