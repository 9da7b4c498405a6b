//! `referee doctor`: what this machine can do, and what follows for a run.

use serde::Serialize;

use super::arguments::{known_games, launch, supervisor};
use super::exit::{Exit, Failure};
use super::output::{json_line, print, say};
use crate::bot::Tier;
use crate::check::CheckVerdict;
use crate::config::{Match, MatchPlayer, Plan, Program};
use crate::doctor::{Facts, Finding, examine, findings, verdict};
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
pub(super) struct DoctorArgs {
    /// Print all facts as one JSON object
    #[arg(long)]
    json: bool,
}

const EXIT_CODES: &str = "\
Exit codes: 0 a tournament of the default kind works; 1 it does not.";

pub(super) fn run(args: &DoctorArgs) -> Result<Exit, Failure> {
    let supervisor = supervisor()?;
    let bot = launch(HouseBot::Random.name(), None, "")?;
    let facts = examine(&plan()?, &bot, &supervisor)?;
    let findings = findings(&facts);
    let verdict = verdict(&findings);
    if args.json {
        print(&json(&facts, &findings, verdict))?;
    } else {
        say(&text(&facts, &findings))?;
    }
    Ok(match verdict {
        CheckVerdict::Failed => Exit::Failed,
        CheckVerdict::Skipped | CheckVerdict::Ok | CheckVerdict::Warn => Exit::Done,
    })
}

/// A run of the default kind: two house bots at a short game.
fn plan() -> Result<Plan, Failure> {
    let random = || Program::House(HouseBot::Random.name().to_owned(), Vec::new());
    let players = ["one", "other"].map(|name| MatchPlayer {
        name: name.to_owned(),
        program: random(),
    });
    let run = Match {
        name: "doctor".to_owned(),
        seed: None,
        game: cachex::GAME,
        options: vec![("size", "5")],
        games: 2,
        opening_plies: 0,
        per_move: None,
        per_game: Some("60s".to_owned()),
        memory: None,
        speaks: None,
        players: players.into(),
    };
    Ok(run.plan("doctor", known_games())?)
}

fn text(facts: &Facts, findings: &[Finding]) -> String {
    let machine = &facts.machine;
    let mut text = format!(
        "referee {} on {} {} ({}) {}\n\n",
        env!("REFEREE_VERSION"),
        machine.os,
        machine.kernel,
        machine.arch,
        machine.processor
    );
    for finding in findings {
        let Finding {
            name,
            verdict,
            seen,
            hint,
        } = finding;
        text.push_str(&format!("{:<8} {name:<12} {seen}\n", verdict.name()));
        if let Some(hint) = hint {
            text.push_str(&format!("{}-> {hint}\n", " ".repeat(22)));
        }
    }
    text.push_str(&format!("\n{}\n", conclusion(facts)));
    text
}

/// The consequences for a run, in words.
fn conclusion(facts: &Facts) -> String {
    let holds = |tier: Tier| {
        let mut tiers = facts.isolation.iter();
        tiers.any(|it| it.tier == tier && it.problem.is_none())
    };
    if !holds(Tier::Containment) {
        return "No tournament can be played here.".to_owned();
    }
    let jobs = counted(facts.processors.jobs as u64, "game", "games");
    let strongest = Tier::ALL.into_iter().rev().find(|tier| holds(*tier));
    let advice = match strongest {
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

#[derive(Serialize)]
struct DoctorObject<'a> {
    referee: &'static str,
    verdict: &'static str,
    facts: &'a Facts,
    checks: Vec<ShownFinding<'a>>,
}

#[derive(Serialize)]
struct ShownFinding<'a> {
    name: &'static str,
    verdict: &'static str,
    seen: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

fn json(facts: &Facts, findings: &[Finding], verdict: CheckVerdict) -> String {
    let checks = findings.iter().map(|finding| ShownFinding {
        name: finding.name,
        verdict: finding.verdict.name(),
        seen: &finding.seen,
        hint: finding.hint.as_deref(),
    });
    json_line(&DoctorObject {
        referee: env!("REFEREE_VERSION"),
        verdict: verdict.name(),
        facts,
        checks: checks.collect(),
    })
}
