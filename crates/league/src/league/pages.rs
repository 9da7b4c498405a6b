//! The pages of a league: the table, and a page for each bot. They lead to the pages of runs.

use std::path::Path;

use super::table::{against, league_table, rating};
use super::{League, LeagueError, Roster, Standing, Version};
use crate::pages::{Article, CellView, ColumnView, Passage, TableView, Words};
use crate::report::{Cell, json};
use crate::results::Rated;
use crate::runs::{
    RunFileError, RunFileProblem, copy_folder, make_parent, remove_folder, write_bytes,
};
use crate::text::counted;

/// Most runs that the first page names.
const RUNS: usize = 50;

/// The table as CSV, which marks a folder as written by a league.
const TABLE: &str = "league.csv";

/// Writes `index.html`, a page for each bot, and the table as `league.csv` and `league.json`, into a folder. `runs` is the
/// way from there to the folder of all runs.
pub fn write_pages(
    league: &League,
    standing: &Standing,
    roster: &Roster,
    folder: &Path,
    runs: &str,
) -> Result<(), LeagueError> {
    std::fs::create_dir_all(folder).map_err(RunFileError::at(folder, RunFileProblem::Make))?;
    let rated = standing.rate(roster);
    let view = View {
        name: league.terms()?.name,
        league,
        standing,
        rated: rated.as_ref(),
        roster,
        runs,
    };
    let write = |name: &str, bytes: &[u8]| -> Result<(), LeagueError> {
        Ok(write_bytes(&folder.join(name), bytes)?)
    };
    let table = league_table(standing, rated.as_ref(), roster);
    let of_table = json(rated.as_slice(), std::slice::from_ref(&table));
    write(TABLE, &table.csv())?;
    write("league.json", format!("{of_table:#}\n").as_bytes())?;
    for version in roster.newest() {
        write(&page_of(version), view.bot(version).page()?.as_bytes())?;
    }
    write("index.html", view.index().page()?.as_bytes())
}

/// Replaces a folder by the pages of the league and of its runs.
///
/// # Errors
/// The folder has something else, or a file cannot be written. The old pages stay until the new ones are whole.
pub fn publish(
    league: &League,
    standing: &Standing,
    roster: &Roster,
    to: &Path,
) -> Result<(), LeagueError> {
    let is_empty = std::fs::read_dir(to).is_ok_and(|mut entries| entries.next().is_none());
    if to.exists() && !is_empty && !to.join(TABLE).is_file() {
        return Err(LeagueError::Usage(format!(
            "{}: has something that no league wrote, and would be replaced: give another folder, or remove it first",
            to.display()
        )));
    }
    let beside = |ending: &str| {
        let mut name = to.file_name().unwrap_or_default().to_owned();
        name.push(ending);
        to.with_file_name(name)
    };
    let (new, old) = (beside(".new"), beside(".old"));
    for folder in [&new, &old] {
        remove_folder(folder)?;
    }
    write_pages(league, standing, roster, &new, "runs")?;
    for batch in &standing.batches {
        let pages = league.run(batch.number).join("report");
        if pages.is_dir() {
            let copy = new.join(format!("runs/{:04}/report", batch.number));
            make_parent(&copy)?;
            copy_folder(&pages, &copy)?;
        }
    }
    let rename = |from: &Path, to: &Path| {
        std::fs::rename(from, to).map_err(RunFileError::at(to, RunFileProblem::Write))
    };
    if to.exists() {
        rename(to, &old)?;
    }
    rename(&new, to)?;
    Ok(remove_folder(&old)?)
}

struct View<'a> {
    name: String,
    league: &'a League,
    standing: &'a Standing,
    rated: Option<&'a Rated<'a>>,
    roster: &'a Roster,
    runs: &'a str,
}

/// The page of a bot. No bot is called `index`, as its name is followed by a dash here.
fn page_of(version: &Version) -> String {
    format!("bot-{}.html", version.owner)
}

fn text(words: impl Into<String>) -> Passage {
    Passage::Text(vec![Words::plain(words)])
}

fn elo_cells(rating: Option<[f64; 3]>) -> Vec<CellView> {
    let cells = rating.map_or([const { Cell::Missing }; 3], |it| it.map(Cell::Elo));
    let [low, elo, high] = cells.map(|it| CellView::text(&it.shown()));
    vec![elo, low, high]
}

impl View<'_> {
    fn index(&self) -> Article {
        let table = league_table(self.standing, self.rated, self.roster);
        let columns: Vec<&str> = table.columns.iter().map(|it| it.name.as_str()).collect();
        let newest: Vec<&Version> = self.roster.newest().collect();
        let link = |column: &str, cell: &Cell, view: CellView| match (column, cell) {
            ("bot", Cell::Text(shown)) => {
                let version = newest.iter().find(|it| it.shown == *shown);
                view.link(version.map(|it| page_of(it))).heading()
            }
            _ => view,
        };
        let caption = "a bot leads to its page; low to high: the 95 % interval";
        let table = TableView::from_report(caption, &table, &columns, &link);
        let files =
            ["league.csv", "league.json"].map(|it| Words::Link(it.to_owned(), it.to_owned()));
        let [csv, json] = files;
        let mut blocks = vec![
            text(format!(
                "{} between {} in {}.",
                counted(self.standing.games(), "game", "games"),
                counted(newest.len() as u64, "bot", "bots"),
                counted(self.standing.batches.len() as u64, "run", "runs"),
            )),
            Passage::Table(table.sortable()),
            Passage::Text(vec![
                Words::plain("The table for other programs: "),
                csv,
                Words::plain(", "),
                json,
                Words::plain("."),
            ]),
            Passage::Heading("Runs".to_owned()),
        ];
        blocks.push(Passage::Table(self.runs()));
        Article {
            title: self.name.clone(),
            blocks,
        }
    }

    /// The last runs, the newest first.
    fn runs(&self) -> TableView {
        let batches = self.standing.batches.iter().rev().take(RUNS);
        let rows = batches.map(|batch| {
            let folder = self.league.run(batch.number);
            let has_pages = folder.join("report/index.html").is_file();
            let name = format!("{:04}", batch.number);
            let link = has_pages.then(|| format!("{}/{name}/report/index.html", self.runs));
            vec![
                CellView::text(&name).link(link).heading(),
                CellView::count(batch.games),
                CellView::text(&batch.ended),
                CellView::text(if batch.is_ended { "" } else { "goes on" }),
            ]
        });
        let columns = vec![
            ColumnView::text("run"),
            ColumnView::number("games"),
            ColumnView::text("last game"),
            ColumnView::text(""),
        ];
        let caption = match self.standing.batches.len() {
            all if all > RUNS => format!("the last {RUNS} of {all} runs"),
            _ => "all runs, the newest first".to_owned(),
        };
        TableView::new(caption, columns, rows)
    }

    fn bot(&self, newest: &Version) -> Article {
        let mut blocks = vec![
            Passage::Text(vec![Words::Link(
                format!("league {}", self.name),
                "index.html".to_owned(),
            )]),
            Passage::Heading("Versions".to_owned()),
            Passage::Table(self.versions(newest)),
        ];
        if let Some((rated, player)) = self
            .rated
            .and_then(|it| Some((it, it.find(&newest.player_name())?)))
        {
            blocks.push(Passage::Heading("Opponents".to_owned()));
            blocks.push(Passage::Table(self.opponents(rated, player, newest)));
        }
        Article {
            title: newest.shown.clone(),
            blocks,
        }
    }

    fn versions(&self, newest: &Version) -> TableView {
        let versions = self.roster.of(&newest.owner).rev();
        let rows = versions.map(|version| {
            let conduct = self.standing.conduct(version);
            let mut cells = vec![CellView::count(version.version.into()).heading()];
            cells.extend(elo_cells(rating(self.rated, version)));
            cells.extend([
                CellView::count(conduct.games),
                CellView::count(conduct.forfeits),
                CellView::text(&version.added),
                CellView::text(version.state.name()),
                CellView::text(&version.why),
            ]);
            cells
        });
        let mut columns = vec![ColumnView::number("version")];
        columns.extend(["Elo", "low", "high", "games", "forfeits"].map(ColumnView::number));
        columns.extend(["added", "state"].map(ColumnView::text));
        columns.push(ColumnView::sentence("why"));
        let caption = "the newest first; low to high: the 95 % interval".to_owned();
        TableView::new(caption, columns, rows)
    }

    /// The games of the newest version against all versions of others.
    fn opponents(&self, rated: &Rated<'_>, player: usize, newest: &Version) -> TableView {
        let mut met: Vec<_> = self
            .roster
            .versions
            .iter()
            .filter(|it| it.owner != newest.owner)
            .filter_map(|other| Some((other, against(rated, player, other)?)))
            .collect();
        let score = |tally: &crate::rating::Tally| tally.points() / tally.games() as f64;
        met.sort_by(|one, other| score(&one.1).total_cmp(&score(&other.1)));
        let rows = met.iter().map(|(other, tally)| {
            let expected = rated
                .find(&other.player_name())
                .map_or(0.5, |it| rated.ratings.expected(player, it));
            vec![
                CellView::text(&other.shown_name())
                    .link(Some(page_of(other)))
                    .heading(),
                CellView::count(tally.games()),
                CellView::count(tally.wins),
                CellView::count(tally.draws),
                CellView::count(tally.losses),
                CellView::share(score(tally)).heat(score(tally)),
                CellView::share(expected),
            ]
        });
        let mut columns = vec![ColumnView::name("opponent")];
        let numbers = ["games", "won", "drawn", "lost", "score", "expected"];
        columns.extend(numbers.map(ColumnView::number));
        let caption = format!(
            "games of version {}, the worst first; expected: the score that the ratings make likely",
            newest.version
        );
        TableView::new(caption, columns, rows).sortable()
    }
}
