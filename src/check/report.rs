//! What a check found, and how bad it is.

use std::time::Duration;

use super::Evidence;

/// More processor time than this between two turns is worth a warning, as for `off-turn = "forbid"`.
const OFF_TURN: Duration = Duration::from_millis(100);

/// What is checked of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Check {
    /// The answer to the handshake.
    Handshake,
    /// The answer to the start of a game.
    Ready,
    /// That it plays whole games.
    Games,
    /// That it answers in time.
    Clock,
    /// How much memory it holds.
    Memory,
    /// That it plays the same game again from the same seed.
    Determinism,
    /// That no game depends on the one before in the same process.
    NextGame,
    /// How much it computes while it is not asked.
    OffTurn,
    /// What it writes besides its answers.
    Output,
    /// That it exits when it is told to.
    Quit,
    /// That no process outlives it.
    Leftovers,
}

impl Check {
    /// All checks, in the order in which a bot meets them.
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

    /// The name in reports.
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

/// How a check went, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It could not be looked at.
    Skipped,
    /// Nothing is wrong.
    Ok,
    /// It loses no game, and may surprise.
    Warn,
    /// It loses games.
    Failed,
}

impl Verdict {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Skipped => "skipped",
            Verdict::Ok => "ok",
            Verdict::Warn => "warn",
            Verdict::Failed => "failed",
        }
    }

    fn warn_if(surprising: bool) -> Self {
        match surprising {
            true => Verdict::Warn,
            false => Verdict::Ok,
        }
    }
}

/// What was found out about one bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// A finding for each of [`Check::ALL`], in that order.
    pub findings: Vec<Finding>,
    /// The check that every game failed before the bot was asked for an action: then it cannot be loaded.
    pub(super) not_loaded: Option<Check>,
    /// How late an answer was through the machine, where it was too busy for more games. That is not the
    /// bot's fault.
    pub too_busy: Option<String>,
}

impl Report {
    /// Why the bot cannot be loaded: it failed before its first action, each time that it was started. `None` if it
    /// was ready for a game, or the machine was too busy to tell.
    pub fn not_loaded(&self) -> Option<&Finding> {
        let check = self.not_loaded?;
        self.findings.iter().find(|finding| finding.check == check)
    }

    /// The worst verdict of all checks.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.findings.iter().map(Finding::verdict);
        verdicts.max().unwrap_or(Verdict::Skipped)
    }
}

/// What one check found. Its [`Display`](std::fmt::Display) says it in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which check.
    pub check: Check,
    /// What was seen.
    pub evidence: Evidence,
}

impl Finding {
    /// What the evidence means for a tournament.
    pub fn verdict(&self) -> Verdict {
        match &self.evidence {
            Evidence::Missing { .. } => Verdict::Skipped,
            Evidence::Forfeit(_) => Verdict::Failed,
            Evidence::Hello { took, limit, .. }
            | Evidence::Ready { took, limit }
            | Evidence::SlowestAction { took, limit } => Verdict::warn_if(*took > *limit / 2),
            // The finding of another check says why a game was not played to its end.
            Evidence::Results(results) if results.finished() < results.begun => Verdict::Failed,
            Evidence::Results(_) | Evidence::PeakMemory { .. } | Evidence::Exited => Verdict::Ok,
            Evidence::Repeated { differs_at, .. } => Verdict::warn_if(differs_at.is_some()),
            Evidence::OffTurn { used } => Verdict::warn_if(*used > OFF_TURN),
            Evidence::DebugOutput { dropped, .. } => Verdict::warn_if(*dropped > 0),
            Evidence::UnaskedLine { .. } | Evidence::Killed { .. } => Verdict::Warn,
            Evidence::Leftovers { survivors: 1.., .. } => Verdict::Failed,
            Evidence::Leftovers { killed, .. } => Verdict::warn_if(*killed > 0),
        }
    }

    /// What the bot wrote last, where that may say why it failed.
    pub fn last_lines(&self) -> &[String] {
        match &self.evidence {
            Evidence::Forfeit(forfeit) => &forfeit.last_lines,
            _ => &[],
        }
    }
}
