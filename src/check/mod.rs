//! Checks whether a bot is fit for a tournament.
//!
//! [`check`] plays a few games of a bot against an opponent, replays some of them, and returns a [`Report`]: a
//! [`Finding`] for each [`Check`]. A finding holds facts ([`Evidence`]); its verdict, text and hint are derived from
//! them.

mod evidence;
mod findings;
mod games;
mod hints;
mod last_lines;
mod observed;
mod plan;
mod report;
mod finding_text;
pub mod rules;

use games::{Extent, Observations};

pub use evidence::{Evidence, ForfeitedGame, GameLabel, Results};
pub use observed::Request;
pub use plan::{CheckError, CheckPlan, Step};
pub use report::{Check, CheckVerdict, Finding, Report};

/// Plays the games of `plan` and reports the findings. `progress` is called before each game.
///
/// # Errors
///
/// The machine fails, or the opponent forfeits a game. If the machine is too busy, the report covers the games played
/// so far.
pub fn check(plan: &CheckPlan, progress: &mut dyn FnMut(Step)) -> Result<Report, CheckError> {
    let observations = games::play(plan, Extent::Games, progress)?;
    Ok(report(plan, observations))
}

/// Starts the bot of `plan` as often as [`check`] would before giving up, and requests no action. The report tells
/// whether it [cannot be loaded](Report::not_loaded).
///
/// # Errors
///
/// Those documented at [`check`].
pub fn load(plan: &CheckPlan) -> Result<Report, CheckError> {
    let observations = games::play(plan, Extent::Start, &mut |_| {})?;
    Ok(report(plan, observations))
}

fn report(plan: &CheckPlan, observations: Observations) -> Report {
    Report {
        findings: findings::findings(plan, &observations),
        not_loaded: findings::not_loaded(&observations),
        too_busy: observations.too_busy,
    }
}
