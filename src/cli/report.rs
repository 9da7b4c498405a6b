//! `referee report RUN`: writes the results of a run as pages, also at the end of a run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::arguments::{known_games, parse_whole};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::pages::{GAMES, GamesRead, PageError, Wanted, WritePage, page_files, run_pages};
use crate::report::{Stages, print_to_stderr, shell_word, warn};
use crate::runner::{Interrupt, ScheduleCheck};
use crate::runs::{Run, RunFileError, RunFileProblem, write_bytes, write_whole};
use crate::verify::check_schedule;

/// Maximum number of games for pages at the end of a run, unless the configuration asks for them.
const MOST_GAMES: u64 = 10_000;

/// Maximum number of games for pages after an interrupt: the user is waiting.
const MOST_GAMES_INTERRUPTED: u64 = 1000;

const INDEX: &str = "index.html";

/// Write the results of a run as pages for a browser
///
/// There is `index.html`, with ratings, standings and why games were forfeited, a page for each
/// player, and one that shows every game on its board. The pages work from their folder, without a
/// network. A run may still be going on; make its pages again for newer results. `referee run` makes
/// them at its end.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReportArgs {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Write the pages to this folder; if not given, to `report` in the folder of the run
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write each chart as SVG, and its numbers as CSV, to this folder
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
    /// Draw this game: the column `id` of games.csv. It can be given several times, and is needed only in
    /// runs of more than 50000 games, where no other game is drawn
    #[arg(long, value_name = "ID", value_parser = parse_whole, allow_negative_numbers = true)]
    game: Vec<u64>,
}

const EXAMPLES: &str = "\
Examples:
  referee report results/demo                  results/demo/report/index.html and the players' pages
  referee report results/demo --out pages      the same in another folder
  referee report results/demo --figures figs   and each chart as a file for a paper";

pub(super) fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    let asked: BTreeSet<u64> = args.game.iter().copied().collect();
    let out = args.out.clone();
    let out = out.unwrap_or_else(|| args.run.join(REPORT));
    let figures = args.figures.as_deref();
    let read = write_pages(&args.run, &out, figures, &asked, &|| false, false)?;
    print(&format!("{}\n", out.join(INDEX).display()))?;
    if let Some(figures) = figures {
        print(&format!("{}\n", figures.display()))?;
    }
    match read.warning() {
        None => Ok(Exit::Done),
        Some(warning) => {
            let warning = format!("{}: {warning}", args.run.display());
            Err(Failure::failed(warning))
        }
    }
}

pub(super) const REPORT: &str = "report";

pub(super) fn index_of(run: &Path) -> PathBuf {
    run.join(REPORT).join(INDEX)
}

pub(super) fn write_index(run: &Run) -> Result<(), PageError> {
    let out = run.path().join(REPORT);
    make_folder(&out)?;
    let mut write = |name: &str, page: &str| write_bytes(&out.join(name), page);
    let state = schedule_state(run);
    run_pages(run, state.as_ref(), Wanted::Index, &mut write, None).map(|_| ())
}

fn schedule_state(run: &Run) -> Option<ScheduleCheck> {
    let depends = run.format().depends_on_results();
    depends.then(|| check_schedule(run).ok()).flatten()
}

fn make_folder(folder: &Path) -> Result<(), RunFileError> {
    fs::create_dir_all(folder).map_err(|error| RunFileError {
        path: folder.to_owned(),
        problem: RunFileProblem::Make(error),
    })
}

/// Writes the pages of a run, and its figures if they have a folder, until `interrupted`.
fn write_pages(
    path: &Path,
    out: &Path,
    figures: Option<&Path>,
    asked: &BTreeSet<u64>,
    interrupted: &dyn Fn() -> bool,
    quiet: bool,
) -> Result<GamesRead, PageError> {
    let run = Run::open(path, known_games())?;
    let mut work = Stages::of_one(quiet, "making pages", "files", page_files(&run)?);
    let state = schedule_state(&run);
    for folder in [out, &out.join(GAMES)].into_iter().chain(figures) {
        make_folder(folder)?;
    }
    let write = |folder: &Path, name: &str, page: &str| {
        write_whole(&folder.join(name), &mut |file| {
            if interrupted() {
                Err(io::Error::other("the program was interrupted"))
            } else {
                file.write_all(page.as_bytes())
            }
        })
    };
    let mut pages = |name: &str, page: &str| {
        work.step();
        write(out, name, page)
    };
    let mut in_figures =
        figures.map(|folder| move |name: &str, text: &str| write(folder, name, text));
    let in_figures = in_figures.as_mut().map(|it| it as &mut WritePage<'_>);
    run_pages(
        &run,
        state.as_ref(),
        Wanted::All(asked.clone()),
        &mut pages,
        in_figures,
    )
}

pub(super) struct EndedRun<'a> {
    pub path: &'a Path,
    pub games: u64,
    pub wanted: Option<bool>,
    pub stopped: bool,
    pub quiet: bool,
}

/// Makes the pages of an ended run, unless it has too many games or the configuration refuses them. Returns the
/// path of the first page. A failure is only a warning: the results are written.
pub(super) fn pages_at_end(run: &EndedRun<'_>, interrupt: &Interrupt) -> Option<PathBuf> {
    if run.games == 0 || run.wanted == Some(false) {
        return None;
    }
    let command = format!("referee report {}", shell_word(run.path));
    if run.games > most_games(run.stopped, run.wanted == Some(true)) {
        if !run.quiet {
            print_to_stderr(&format!(
                "`{command}` makes pages of these {} games",
                run.games
            ));
        }
        return None;
    }
    let out = run.path.join(REPORT);
    let level = interrupt.level();
    let interrupted = || interrupt.level() > level;
    match write_pages(
        run.path,
        &out,
        None,
        &BTreeSet::new(),
        &interrupted,
        run.quiet,
    ) {
        Ok(read) => {
            if let Some(warning) = read.warning() {
                warn(&warning);
            }
            Some(index_of(run.path))
        }
        Err(error) => {
            warn(&format!(
                "the pages could not be made: {error}; once the cause is gone, `{command}` makes them"
            ));
            None
        }
    }
}

/// Maximum number of games for pages at the end of a run that was `stopped`, or that is complete with pages
/// explicitly `wanted`.
fn most_games(stopped: bool, wanted: bool) -> u64 {
    match (stopped, wanted) {
        (true, _) => MOST_GAMES_INTERRUPTED,
        (false, false) => MOST_GAMES,
        (false, true) => u64::MAX,
    }
}
