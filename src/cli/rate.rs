//! `referee rate GAMES.csv…`: ratings from results.

use std::path::PathBuf;

use super::{Exit, Failure, print};
use crate::record::read_games;
use crate::report::{Results, ratings_csv, summary};

/// Ratings from any number of games.csv files together
///
/// Players with the same name are the same player. The order of files and games does not matter.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The journals of runs: results/RUN/games.csv
    #[arg(required = true, value_name = "GAMES.csv")]
    files: Vec<PathBuf>,
    /// Print the ratings as CSV
    #[arg(long)]
    csv: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut results = Results::default();
    for file in &args.files {
        for row in read_games(file).map_err(|error| Failure::new(Exit::File, error))? {
            results.add(&row);
        }
    }
    if args.csv {
        print(&String::from_utf8_lossy(&ratings_csv(&results)))?;
    } else {
        print(&summary(&results))?;
    }
    Ok(Exit::Done)
}
