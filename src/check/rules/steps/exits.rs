//! Whether the program exits in time: at `quit`, and at the end of the input.

use super::progress::Progress;
use crate::check::rules::report::{Check, RulesFlaw};
use crate::check::rules::request::Request;
use crate::check::rules::session::{RulesSession, StepFailure};

pub fn check(progress: &mut Progress<'_>) -> Result<(), StepFailure> {
    let waited = progress.plan.quit;
    let session = begun(progress)?;
    let at_quit = session.finding(RulesFlaw::IgnoresQuit { waited });
    let mut is_clean = true;
    if !session.into_program().exits_at_quit(waited) {
        let mut finding = at_quit;
        finding.transcript.push("> quit".to_owned());
        progress.report.add(finding);
        is_clean = false;
    }
    let session = begun(progress)?;
    let at_end = session.finding(RulesFlaw::IgnoresEnd { waited });
    if !session.into_program().exits_at_end_of_input(waited) {
        progress.report.add(at_end);
        is_clean = false;
    }
    progress.report.facts.exits = is_clean;
    Ok(())
}

/// A process with a game.
fn begun<'a>(progress: &Progress<'a>) -> Result<RulesSession<'a>, StepFailure> {
    let mut session = progress.start(Check::Exit)?;
    session.answer(&Request::New(progress.start_of(0)))?;
    Ok(session)
}
