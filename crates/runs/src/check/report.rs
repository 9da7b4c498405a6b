//! The report of a check: findings and their verdicts.

use std::time::Duration;

use super::Evidence;

/// CPU time between two turns above which a warning is given. Equal to the allowance of `off-turn = "forbid"`.
const OFF_TURN: Duration = Duration::from_millis(100);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Check {
    Handshake,
    /// The answer to the start of a game.
    Ready,
    Games,
    /// Answers within the time limits.
    Clock,
    Memory,
    /// Plays identical games from equal seeds.
    Determinism,
    /// No game depends on an earlier one in its process.
    NextGame,
    OffTurn,
    /// Output besides answers.
    Output,
    Quit,
    /// No process outlives the bot.
    Leftovers,
}

impl Check {
    /// All checks, in the order of a bot's life.
    pub const ALL: [Check; 11] = [
        Check::Handshake,
        Check::Ready,
        Check::Games,
        Check::Clock,
        Check::Memory,
        Check::Determinism,
        Check::NextGame,
        Check::OffTurn,
        Check::Output,
        Check::Quit,
        Check::Leftovers,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Check::Handshake => "handshake",
            Check::Ready => "ready",
            Check::Games => "games",
            Check::Clock => "clock",
            Check::Memory => "memory",
            Check::Determinism => "determinism",
            Check::NextGame => "next game",
            Check::OffTurn => "off turn",
            Check::Output => "output",
            Check::Quit => "quit",
            Check::Leftovers => "leftovers",
        }
    }
}

/// Outcome of a check, ordered from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckVerdict {
    /// Not checked, since a precondition was not met.
    Skipped,
    Ok,
    /// Loses no game, and may surprise.
    Warn,
    Failed,
}

impl CheckVerdict {
    pub fn name(self) -> &'static str {
        match self {
            CheckVerdict::Skipped => "skipped",
            CheckVerdict::Ok => "ok",
            CheckVerdict::Warn => "warn",
            CheckVerdict::Failed => "failed",
        }
    }

    fn warn_if(surprising: bool) -> Self {
        if surprising {
            CheckVerdict::Warn
        } else {
            CheckVerdict::Ok
        }
    }
}

/// The findings about one bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// One finding for each of [`Check::ALL`], in that order.
    pub findings: Vec<Finding>,
    /// The check that every game failed before the first request for an action: the bot cannot be loaded.
    pub(super) not_loaded: Option<Check>,
    /// Details of contention, if the machine was too busy to play on. Not the bot's fault.
    pub too_busy: Option<String>,
}

impl Report {
    /// The finding that says why the bot cannot be loaded: it failed before its first action at every start. `None` if
    /// it got ready for a game, or the machine was too busy to tell.
    pub fn not_loaded(&self) -> Option<&Finding> {
        let check = self.not_loaded?;
        self.findings.iter().find(|finding| finding.check == check)
    }

    pub fn verdict(&self) -> CheckVerdict {
        let verdicts = self.findings.iter().map(Finding::verdict);
        verdicts.max().unwrap_or(CheckVerdict::Skipped)
    }
}

/// Finding of one check. Its [`Display`](std::fmt::Display) gives the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub check: Check,
    pub evidence: Evidence,
}

impl Finding {
    /// Consequence of the evidence for a tournament.
    pub fn verdict(&self) -> CheckVerdict {
        match &self.evidence {
            Evidence::Missing { .. } => CheckVerdict::Skipped,
            Evidence::Forfeit(_) => CheckVerdict::Failed,
            Evidence::Hello { took, limit, .. }
            | Evidence::Ready { took, limit }
            | Evidence::SlowestAction { took, limit } => CheckVerdict::warn_if(*took > *limit / 2),
            // The finding of another check names the forfeit.
            Evidence::Results(results) if results.finished() < results.begun => {
                CheckVerdict::Failed
            }
            Evidence::Results(_) | Evidence::PeakMemory { .. } | Evidence::Exited => {
                CheckVerdict::Ok
            }
            Evidence::Repeated { differs_at, .. } => CheckVerdict::warn_if(differs_at.is_some()),
            Evidence::OffTurn { used } => CheckVerdict::warn_if(*used > OFF_TURN),
            Evidence::DebugOutput { dropped, .. } => CheckVerdict::warn_if(*dropped > 0),
            Evidence::UnaskedLine { .. } | Evidence::Killed { .. } => CheckVerdict::Warn,
            Evidence::Leftovers { survivors: 1.., .. } => CheckVerdict::Failed,
            Evidence::Leftovers { killed, .. } => CheckVerdict::warn_if(*killed > 0),
        }
    }

    /// The bot's last output, where that may explain a failure.
    pub fn last_lines(&self) -> &[String] {
        match &self.evidence {
            Evidence::Forfeit(forfeit) => &forfeit.last_lines,
            _ => &[],
        }
    }
}
