//! `referee league try`, `promote` and `reject`: candidates.

use std::path::PathBuf;

use super::add::{HandedArgs, added_text, notes_text};
use super::play::{failure, play_to_end};
use super::{Machine, open, table};
use crate::cli::arguments::MachineArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{print, say};
use crate::league::{Evidence, State, Trial, Version, run_of};
use crate::report::{self, Cell, NotesOn, shell_word};
use crate::runs::is_ended;
use crate::text::{counted, escaped_json};

/// Try a candidate beside the bot's newest version, against the newest versions of all others
///
/// Both play the same opponents from the same starts, in the stages of [[try.stage]] in league.toml, until their difference
/// is clear. The candidate is in no table: `league promote` lets it play, and `league reject` sets its games aside. Without
/// --dir and --command, the trial of the newest candidate goes on.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TryArgs {
    #[command(flatten)]
    bot: HandedArgs,
    #[command(flatten)]
    machine: MachineArgs,
    /// Print the comparison at the end as JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  referee league try spring alice --command \"python3 bot.py\" --dir new
  referee league try spring alice                  after an interrupt
  referee league promote spring alice";

/// Which candidate is judged.
#[derive(Debug, clap::Args)]
pub(super) struct JudgeArgs {
    /// The folder of the league
    league: PathBuf,
    /// The name of the bot
    name: String,
    /// The number of the candidate; if not given, the newest one
    #[arg(long, value_name = "N")]
    version: Option<u32>,
}

pub(super) fn judge(args: &JudgeArgs, to: State) -> Result<Version, Failure> {
    let league = open(&args.league, None)?;
    Ok(league.change(|roster| roster.judge(&args.name, args.version, to))?)
}

pub(super) fn run(args: &TryArgs) -> Result<Exit, Failure> {
    let (bot, machine) = (&args.bot, Machine::new(&args.bot.league)?);
    if bot.is_handed() {
        machine.session(args.machine.options()).present(&bot.name)?;
        match bot.add(&machine, State::Candidate)? {
            Some(added) if !args.json => say(&(added_text(&added) + &notes_text(&added.equal)))?,
            Some(_) => {}
            None => return Ok(Exit::Failed),
        }
    }
    let session = machine.session(args.machine.options());
    let mut trial = session.trial(&bot.name)?;
    let stages = machine.league.terms()?.stages;
    for (at, stage) in stages.iter().enumerate() {
        for config in session.next_stage(&mut trial, stage)? {
            if is_ended(&run_of(&config)) {
                continue;
            }
            let mut before = Vec::new();
            let batch = session.begin(config, &mut |row| before.push(row.clone()))?;
            play_to_end(&session, batch, &before, args.quiet, &mut 0).map_err(failure)?;
        }
        let evidence = session.evidence(&trial)?;
        let is_last = at + 1 == stages.len() || evidence.is_enough(stage);
        match args.json {
            false => print(&evidence_text(&trial, &evidence))?,
            true if is_last => {
                let json = format!("{:#}\n", evidence_json(&trial, &evidence));
                print(&escaped_json(&json))?;
            }
            true => {}
        }
        if is_last {
            break;
        }
    }
    if !args.json {
        let (league, name) = (shell_word(&bot.league), &bot.name);
        say(&format!(
            "`referee league promote {league} {name}` lets it play, `referee league reject {league} {name}` sets it aside\n"
        ))?;
    }
    Ok(Exit::Done)
}

fn evidence_text(trial: &Trial, evidence: &Evidence) -> String {
    let [present, candidate] = trial.versions.each_ref().map(Version::shown_name);
    let [low, elo, high] = evidence.difference.map(|it| Cell::Elo(it).shown());
    let mut text = format!(
        "\n{candidate} beside {present} after {} each: {elo} Elo, 95 % interval {low} to {high}, by these and all games of the league\n\n{}",
        counted(evidence.games, "game", "games"),
        table::shown(&evidence.table)
    );
    for (fault, [before, games]) in &evidence.faults {
        text.push_str(&format!(
            "new forfeits: {fault} in {games} games, {before} before\n"
        ));
    }
    text
}

fn evidence_json(trial: &Trial, evidence: &Evidence) -> serde_json::Value {
    let [present, candidate] = trial.versions.each_ref().map(Version::player_name);
    let [low, elo, high] = evidence.difference.map(|it| (10.0 * it).round() / 10.0);
    let mut json = report::json(&[], std::slice::from_ref(&evidence.table), NotesOn::League);
    json["candidate"] = candidate.into();
    json["before"] = present.into();
    json["games_each"] = evidence.games.into();
    json["difference"] = serde_json::json!({ "elo": elo, "elo_low": low, "elo_high": high });
    json
}
