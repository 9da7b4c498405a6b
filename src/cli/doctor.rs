//! `referee doctor`: what this machine can do, and what follows for a run.

use super::arguments::{known_games, launch, supervisor};
use super::exit::{Exit, Failure};
use super::output::{checked, say};
use crate::bot::Tier;
use crate::config::{Draft, Plan};
use crate::doctor::{Examined, examine};
use crate::game::cachex;
use crate::opponents::HouseBot;
use crate::text::counted;

/// Say what this machine can do, and what follows for a run
///
/// Looks at isolation, clocks, control groups, processors and limits, and plays a short game in each tier of isolation.
/// `warn` means that something holds less than it could, `failed` that no tournament can be played. Please add the
/// report to a question about a machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct DoctorArgs {}

const EXIT_CODES: &str = "\
Exit codes: 0 a tournament of the default kind works; 1 it does not.";

pub(super) fn run(_args: &DoctorArgs) -> Result<Exit, Failure> {
    let supervisor = supervisor()?;
    let bot = launch(HouseBot::Random.name(), None)?;
    let examined = examine(&plan()?, &bot, &supervisor)?;
    say(&text(&examined))?;
    Ok(match examined.tiers.contains(&Tier::Containment) {
        true => Exit::Done,
        false => Exit::Failed,
    })
}

/// A run of the default kind: two house bots at a short game.
fn plan() -> Result<Plan, Failure> {
    let mut run = Draft::new("doctor", cachex::GAME);
    for name in ["one", "other"] {
        run.add_player(name, [("house", HouseBot::Random.name().into())]);
    }
    run.set("game.size", 5);
    run.set("format.games-per-pairing", 2);
    run.set("clock.per-game", "60s");
    Ok(run.plan("doctor", known_games())?)
}

fn text(examined: &Examined) -> String {
    let machine = &examined.machine;
    let mut text = format!(
        "referee {} on {} {} ({}) {}\n\n",
        env!("REFEREE_VERSION"),
        machine.os,
        machine.kernel,
        machine.arch,
        machine.processor
    );
    text.extend(examined.findings.iter().map(checked));
    text + &format!("\n{}\n", conclusion(examined))
}

fn conclusion(examined: &Examined) -> String {
    let jobs = counted(examined.jobs as u64, "game", "games");
    if !examined.tiers.contains(&Tier::Containment) {
        return "No tournament can be played here.".to_owned();
    }
    let advice = match examined.tiers.last() {
        None | Some(Tier::Containment) => {
            "No isolation but \"containment\" holds, so play only bots that you trust.".to_owned()
        }
        Some(tier) => format!(
            "For bots of others set `isolation = \"{}\"`; without it a run has \"containment\".",
            tier.name()
        ),
    };
    format!("A tournament works here, with {jobs} at a time. {advice}")
}
