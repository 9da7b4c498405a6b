//! A short game in a tier of isolation.

use std::time::Duration;

use crate::bot::{Confinement, Language, Launch, Supervisor, Tier};
use crate::check::{self, CheckPlan, CheckVerdict};
use crate::clock::TimeControl;
use crate::config::PlannedGame;

/// Time for each step of a bot, on a very busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Plays two games of `bot` against itself in a tier.
///
/// # Errors
///
/// The tier does not hold here, or no game could be played in it; the text says why, and what would help.
pub(super) fn play(
    tier: Tier,
    bot: &Launch,
    game: &PlannedGame,
    supervisor: &Supervisor,
) -> Result<(), String> {
    let confinement = Confinement {
        isolation: tier,
        ..Confinement::default()
    };
    confinement
        .probe(std::slice::from_ref(&supervisor.program))
        .map_err(|problem| problem.to_string())?;
    let plan = CheckPlan {
        game: game.clone(),
        bot: bot.clone(),
        language: Language::default(),
        opponent: bot.clone(),
        supervisor: supervisor.clone(),
        confinement,
        time: TimeControl {
            per_move: Some(PATIENCE),
            wall_cap: PATIENCE,
            ..TimeControl::default()
        },
        handshake: PATIENCE,
        start: PATIENCE,
        quit: PATIENCE,
        games: 2,
        seed: 0,
        cancel: None,
    };
    let report = check::check(&plan, &mut |_| {}).map_err(|error| error.to_string())?;
    let mut findings = report.findings.iter();
    match findings.find(|finding| finding.verdict() == CheckVerdict::Failed) {
        Some(finding) => Err(format!("{}: {finding}", finding.check.name())),
        None => Ok(()),
    }
}
