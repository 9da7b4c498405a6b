//! `referee report RUN…`: the results of runs as pages.

use std::fs;
use std::path::{Path, PathBuf};

use super::values::parse_whole;
use super::{Exit, Failure, print};
use crate::pages::{GAMES, GamesRead, run_pages};
use crate::record::{RecordError, RecordProblem, Run, write_whole};
use crate::verify::is_complete;

/// Write the results of runs as pages for a browser
///
/// Each run gets `index.html`, with ratings, standings and why games were forfeited, a page for each
/// player, and one that shows every game on its board. The pages work from their folder, without a
/// network. A run may still be going on; make its pages again for newer results.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReportArgs {
    /// The folders of the runs
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Write the pages of one run to this folder; if not given, to `report` in the folder of each run
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Draw this game: the column `id` of games.csv. It can be given several times, and is needed only for
    /// runs of more than 50000 games, of which no others are drawn
    #[arg(long, value_name = "ID", value_parser = parse_whole, allow_negative_numbers = true)]
    game: Vec<u64>,
}

const EXAMPLES: &str = "\
Examples:
  referee report results/demo                  results/demo/report/index.html and the players' pages
  referee report results/demo --out pages      the same in another folder";

pub(super) fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    if let (Some(_), [_, second, ..]) = (&args.out, args.runs.as_slice()) {
        let problem = format!(
            "--out takes the pages of one run, and {} is a second one: leave --out away, and each run has its \
             pages in its own folder",
            second.display()
        );
        return Err(Failure::new(Exit::Usage, problem));
    }
    let mut warnings = Vec::new();
    for path in &args.runs {
        let out = args.out.clone().unwrap_or_else(|| path.join("report"));
        let read = write_pages(path, &out, &args.game)?;
        print(&format!("{}\n", out.join("index.html").display()))?;
        let warning = read.warning();
        warnings.extend(warning.map(|warning| format!("{}: {warning}", path.display())));
    }
    match warnings.is_empty() {
        true => Ok(Exit::Done),
        false => Err(Failure::new(Exit::Failed, warnings.join("\n"))),
    }
}

/// Writes the pages of a run.
fn write_pages(path: &Path, out: &Path, games: &[u64]) -> Result<GamesRead, Failure> {
    let run = Run::open(path)?;
    let complete = match run.format().depends_on_results() {
        true => is_complete(&run).ok(),
        false => None,
    };
    for folder in [out, &out.join(GAMES)] {
        fs::create_dir_all(folder).map_err(|error| RecordError {
            path: folder.to_owned(),
            problem: RecordProblem::Make(error),
        })?;
    }
    let asked = games.iter().copied().collect();
    Ok(run_pages(&run, complete, asked, &mut |name, page| {
        write_whole(&out.join(name), &mut |file| file.write_all(page.as_bytes()))
    })?)
}
