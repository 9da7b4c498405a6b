//! `referee league table` and `league pages`.

use std::path::{Path, PathBuf};

use super::open;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{print, style};
use crate::league::{League, Snapshot, Standing, publish, write_pages};
use crate::pages::{TableView, table_markdown};
use crate::report::{self, Cell, NotesOn, ReportTable};
use crate::text::escaped_json;

/// Show the table: a row for each bot, with its newest version
#[derive(Debug, clap::Args)]
pub(super) struct TableArgs {
    /// The folder of the league
    league: PathBuf,
    /// An earlier season, by its name; "" is the first one
    #[arg(long, value_name = "NAME")]
    season: Option<String>,
    /// Print it as JSON
    #[arg(long, conflicts_with_all = ["csv", "markdown"])]
    json: bool,
    /// Print it as CSV
    #[arg(long, conflicts_with = "markdown")]
    csv: bool,
    /// Print it as Markdown
    #[arg(long)]
    markdown: bool,
}

pub(super) fn run(args: &TableArgs) -> Result<Exit, Failure> {
    let league = open(&args.league, args.season.as_deref())?;
    let (standing, roster) = (Standing::read(&league)?, league.roster()?);
    let now = standing.rate(&roster);
    let table = now.table();
    if args.json {
        let json = format!(
            "{:#}\n",
            report::json(now.rated.as_slice(), &[table], NotesOn::League)
        );
        print(&escaped_json(&json))?;
    } else if args.csv {
        print(&String::from_utf8_lossy(&table.csv()))?;
    } else if args.markdown {
        let columns: Vec<&str> = table.columns.iter().map(|it| it.name.as_str()).collect();
        let same = |_: &str, _: &Cell, cell| cell;
        print(&table_markdown(&TableView::from_report(
            "", &table, &columns, &same,
        )))?;
    } else {
        print(&shown(&table))?;
    }
    Ok(Exit::Done)
}

pub(super) fn shown(table: &ReportTable) -> String {
    report::plain(table, style())
}

/// Write the pages of the league: the table, and a page for each bot
///
/// `referee league play` writes them after each batch.
#[derive(Debug, clap::Args)]
pub(super) struct PagesArgs {
    /// The folder of the league
    league: PathBuf,
    /// An earlier season, by its name; "" is the first one
    #[arg(long, value_name = "NAME")]
    season: Option<String>,
    /// Replace this folder by the pages of the league and of all its runs, for any web server
    #[arg(long, value_name = "DIR")]
    publish: Option<PathBuf>,
}

pub(super) fn pages(args: &PagesArgs) -> Result<Exit, Failure> {
    let league = open(&args.league, args.season.as_deref())?;
    let (standing, roster) = (Standing::read(&league)?, league.roster()?);
    let index = write(&league, &standing.rate(&roster), args.publish.as_deref())?;
    print(&format!("{}\n", index.display()))?;
    Ok(Exit::Done)
}

/// Writes the pages, and perhaps another copy of them. Returns the path of the first page.
pub(super) fn write(
    league: &League,
    now: &Snapshot<'_>,
    to: Option<&Path>,
) -> Result<PathBuf, Failure> {
    let own = league.report();
    write_pages(league, now, &own, "../")?;
    if let Some(to) = to {
        publish(league, now, to)?;
    }
    Ok(to.unwrap_or(&own).join("index.html"))
}
