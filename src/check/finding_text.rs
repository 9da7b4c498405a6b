//! Texts of findings.

use std::fmt::{self, Display};

use super::{Check, Evidence, Finding, ForfeitedGame, GameLabel};
use crate::bot::{mebibytes, seconds};
use crate::text::counted;

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
