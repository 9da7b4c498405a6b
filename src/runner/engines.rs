//! Asks engines for their options before the first game, so that a misspelt one loses no game.

use super::host::Host;
use crate::bot::{EngineTerms, Fault, Language, Launch, Patience, Player};
use crate::clock::Wait;
use crate::config::{Entry, Plan};
use crate::protocol::{ToBot, VERSION};

/// Why an engine cannot be set up as its entry says.
#[derive(Debug, thiserror::Error)]
#[error("player `{player}`: {problem}")]
pub struct UnfitEngine {
    /// Name of the player.
    pub player: String,
    /// The option that does not fit, or why the engine did not say its options.
    pub problem: String,
}

/// Engines to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedEngines {
    /// All. One that does not answer is unfit.
    All,
    /// Engines with options. One that does not answer is passed over: it forfeits its games.
    WithOptions,
}

/// Starts each engine once and checks the options of all players that run it. An engine that is built first is not
/// asked.
///
/// # Errors
///
/// The first player whose options do not fit.
pub fn check_engines(plan: &Plan, host: &Host, asked: AskedEngines) -> Result<(), UnfitEngine> {
    let mut engines: Vec<(&Launch, Vec<usize>)> = Vec::new();
    for (index, entry) in plan.players.iter().enumerate() {
        if !is_asked(entry, asked) {
            continue;
        }
        match engines.iter_mut().find(|(known, players)| {
            let protocol = |player: &Entry| Some(player.language.engine()?.protocol);
            **known == entry.launch && protocol(&plan.players[players[0]]) == protocol(entry)
        }) {
            Some((_, players)) => players.push(index),
            None => engines.push((&entry.launch, vec![index])),
        }
    }
    engines
        .iter()
        .try_for_each(|(_, players)| check_engine(plan, host, players, asked))
}

fn is_asked(entry: &Entry, asked: AskedEngines) -> bool {
    let terms = entry.language.engine();
    let has_options = terms.is_some_and(|terms| !terms.options.is_empty());
    entry.build.is_none() && terms.is_some() && (has_options || asked == AskedEngines::All)
}

/// Checks the options of players that run one engine.
fn check_engine(
    plan: &Plan,
    host: &Host,
    players: &[usize],
    asked: AskedEngines,
) -> Result<(), UnfitEngine> {
    let unfit = |player: usize, problem: String| UnfitEngine {
        player: plan.players[player].name.clone(),
        problem,
    };
    let first = players[0];
    let limits = plan.limits_of(first);
    let Some(terms) = plan.players[first].language.engine() else {
        return Ok(());
    };
    let without_options = Language::Engine(EngineTerms::new(terms.protocol));
    let asked_for_options = host
        .start(plan, first, 0, Patience::Long)
        .and_then(|engine| {
            let mut engine = engine.speaking(&without_options, Default::default());
            let wait = Wait {
                wall: limits.handshake,
                cpu: None,
            };
            engine.tell(&ToBot::Hello { version: VERSION });
            engine.request();
            let answered = engine.answer(wait, &mut String::new());
            engine.dismiss();
            engine.close(limits.quit);
            answered.map(|_| engine)
        });
    let engine = match asked_for_options {
        Ok(engine) => engine,
        Err(Fault::Machine(_) | Fault::Starved { .. }) => return Ok(()),
        Err(fault) if asked == AskedEngines::All => return Err(unfit(first, fault.to_string())),
        Err(_) => return Ok(()),
    };
    for player in players {
        let terms = plan.players[*player].language.engine();
        if let Some(problem) = terms.and_then(|terms| engine.unfit_option(terms)) {
            return Err(unfit(*player, problem));
        }
    }
    Ok(())
}
