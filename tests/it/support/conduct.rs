//! Players that behave in each way that the referee tells apart, for games whose seats act at once.

use std::time::Duration;

use referee::bot::{Fault, Reply};
use referee::clock::Measure;
use referee::game::PerSeat;
use referee::referee::{FaultKind, Termination};

use super::doubles::{MS, Planned, acts, line};

/// The time for each action in which a player behaves.
pub const LIMIT: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conduct {
    Honest,
    /// Its answer took too long.
    Slow,
    /// It gives no answer in time.
    Hanging,
    Crashing,
    Illegal,
    Nonsense,
}

use Conduct::{Crashing, Hanging, Honest, Illegal, Nonsense, Slow};

pub const CONDUCTS: [Conduct; 6] = [Honest, Slow, Hanging, Crashing, Illegal, Nonsense];

#[derive(Debug, Clone, Copy)]
pub struct Words {
    pub honest: &'static str,
    pub illegal: &'static str,
    pub nonsense: &'static str,
}

impl Conduct {
    pub fn player(self, words: Words) -> Planned {
        let (limit, waited) = (LIMIT, LIMIT);
        acts(vec![match self {
            Honest => Reply::Line(words.honest.to_owned(), 10 * MS),
            Slow => Reply::Line(words.honest.to_owned(), 60 * MS),
            Hanging => Reply::Fault(Fault::Late {
                missing: "answer".into(),
                limit,
                waited,
            }),
            Crashing => Reply::Fault(Fault::HungUp),
            Illegal => line(words.illegal),
            Nonsense => line(words.nonsense),
        }])
    }

    /// Its fault and the termination, if no other goes before it.
    pub fn fault(self, measure: Measure) -> Option<(FaultKind, Termination)> {
        Some(match self {
            Honest => return None,
            Slow => (FaultKind::Overrun, Termination::Time),
            // Only the wall cap limits who waits and uses no processor.
            Hanging if measure == Measure::Cpu => (FaultKind::Late, Termination::Stall),
            Hanging => (FaultKind::Late, Termination::Time),
            Crashing => (FaultKind::HungUp, Termination::Crash),
            Illegal => (FaultKind::Illegal, Termination::IllegalAction),
            Nonsense => (FaultKind::NotAnAction, Termination::ProtocolError),
        })
    }

    fn is_no_answer(self) -> bool {
        matches!(self, Slow | Hanging | Crashing)
    }

    pub fn spent(self) -> Duration {
        match self {
            Honest => 10 * MS,
            Slow => 60 * MS,
            // A double has spent nothing when it fails.
            Hanging | Crashing | Illegal | Nonsense => Duration::ZERO,
        }
    }
}

/// Who forfeits, by what: all that gave no answer, and only if all answered, those whose action is refused.
pub fn due(
    conducts: &PerSeat<Conduct>,
    measure: Measure,
) -> PerSeat<Option<(FaultKind, Termination)>> {
    let somebody_failed = conducts.values().any(|conduct| conduct.is_no_answer());
    conducts.each_ref().map(|conduct| {
        let is_judged = conduct.is_no_answer() || !somebody_failed;
        conduct.fault(measure).filter(|_| is_judged)
    })
}
