//! `referee verify RUN`: checks that the records of a run are true.

use std::path::PathBuf;

use crate::cli::arguments::known_games;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::say;
use crate::report::Stages;
use crate::runs::{Run, SET_ASIDE};
use crate::text::{counted, visible};
use crate::verify::{Verified, verify};

/// Check the records of a run, and replay all games
///
/// Pairings must follow from the plan, the seed and the earlier results. Every action must be legal, its
/// public result must follow from the rules and the seed, and the end must be the one in games.csv. No file
/// may have changed since the run ended, and the folders of records may have no other files and no links. The
/// first difference is reported, with exit code 1.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

pub(super) fn run(args: &VerifyArgs) -> Result<Exit, Failure> {
    let run = Run::open(&args.run, known_games())?;
    let mut work = Stages::of_one(false, "verifying", Stages::GAMES, run.rows_about()?);
    let Verified {
        games,
        unlogged,
        without_tablebases,
        set_aside,
        complete,
        beside,
    } = verify(&run, &mut || work.step())?;
    drop(work);
    say(&format!(
        "{}: {games} games are as recorded{}\n",
        args.run.display(),
        if complete {
            ""
        } else {
            "; the tournament has more games, which were not played"
        }
    ))?;
    if unlogged > 0 {
        say(&format!(
            "{unlogged} of the games left no log, as the plan has it, and were not played again\n"
        ))?;
    }
    if without_tablebases > 0 {
        say(&format!(
            "{without_tablebases} of the games were ended by tablebases that are not here, and their results were taken as recorded\n"
        ))?;
    }
    if set_aside > 0 {
        let games = counted(set_aside, "game", "games");
        say(&format!("{games} could not be played: see {SET_ASIDE}\n"))?;
    }
    if !beside.is_empty() {
        say(&format!(
            "not of the run, and not looked at: {}\n",
            visible(&beside.join(", "))
        ))?;
    }
    Ok(Exit::Done)
}
