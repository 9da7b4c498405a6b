//! Bots of a class before their games, and the reasons why others do not play.

use std::collections::BTreeMap;

use super::build::Prepared;
use super::cause::{BrokenBot, Cause};
use super::fitness::Fitness;
use crate::config::Entry;
use crate::grade::class::Candidate;
use crate::grade::marks::Status;

/// Prepared submissions, by index of the candidate.
pub struct PreparedBots {
    pub prepared: BTreeMap<usize, Prepared>,
    pub fitness: BTreeMap<usize, Fitness>,
}

impl PreparedBots {
    /// Bot of a candidate, or the reason why none can be loaded; `None` without a submission to mark.
    pub fn bot(&self, at: usize) -> Option<Result<&Entry, &BrokenBot>> {
        let bot = self.prepared.get(&at)?.bot.as_ref();
        let not_loaded = self.fitness.get(&at).and_then(|it| it.not_loaded.as_ref());
        Some(bot.and_then(|bot| match not_loaded {
            None => Ok(bot),
            Some(broken) => Err(broken),
        }))
    }

    /// Cause of a bot's failure, from its check or before.
    pub fn cause(&self, at: usize) -> Option<&Cause> {
        if let Some(Err(broken)) = self.bot(at) {
            return Some(&broken.cause);
        }
        let findings = &self.fitness.get(&at)?.findings;
        findings.iter().find_map(|finding| finding.cause.as_ref())
    }
}

/// Status of a candidate without games, and the reason in words.
pub fn why_not(candidate: &Candidate, bot: Option<Result<&Entry, &BrokenBot>>) -> (Status, String) {
    if candidate.path.is_none() {
        return (Status::None, "nothing was handed in".to_owned());
    }
    if candidate.is_too_late {
        let why = format!(
            "handed in {} days late, which is not marked",
            candidate.days_late
        );
        return (Status::Late, why);
    }
    match bot {
        Some(Err(broken)) if broken.is_held() => (Status::Held, broken.why.clone()),
        Some(Err(broken)) => (Status::Broken, broken.why.clone()),
        // A candidate with a bot plays.
        Some(Ok(_)) | None => (Status::Held, "it was not played".to_owned()),
    }
}
