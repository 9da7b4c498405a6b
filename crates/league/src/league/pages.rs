//! The pages of a league: the table, and a page for each bot. They lead to the pages of runs.

use std::collections::BTreeSet;
use std::path::Path;

use super::history::{Day, HISTORY, history_table, owner_of};
use super::table::score;
use super::{GradeError, League, Snapshot, Version};
use crate::pages::{Article, CellView, ColumnView, GAME_PAGE, Passage, TableView, Words};
use crate::report::{Cell, NotesOn, ReportTable, json};
use crate::results::Rated;
use crate::runs::{
    RunFileError, RunFileProblem, copy_folder, make_parent, remove_folder, write_bytes,
};
use crate::text::counted;

const RUNS: usize = 50;

/// The table as CSV, which marks a folder as written by a league.
const TABLE: &str = "league.csv";
const JSON: &str = "league.json";

/// Most bots of the head to head: more do not fit any screen.
const MATRIX: usize = 40;

/// Most days of a bot's history on its page.
const DAYS: usize = 60;

/// Writes `index.html`, the head to head, a page for each bot and version, the table as `league.csv` and `league.json`, and
/// the history into a folder. `up` is the way from there to the folder with the folder of all runs.
pub fn write_pages(
    league: &League,
    now: &Snapshot<'_>,
    folder: &Path,
    up: &str,
) -> Result<(), GradeError> {
    std::fs::create_dir_all(folder).map_err(RunFileError::at(folder, RunFileProblem::Make))?;
    let view = View {
        name: match league.season.as_str() {
            "" => league.terms()?.name,
            season => format!("{}, season {season}", league.terms()?.name),
        },
        days: now.standing.days(now.rated.as_ref()),
        now,
        up,
    };
    let write = |name: &str, bytes: &[u8]| -> Result<(), GradeError> {
        Ok(write_bytes(&folder.join(name), bytes)?)
    };
    let table = now.table();
    let of_table = json(
        now.rated.as_slice(),
        std::slice::from_ref(&table),
        NotesOn::League,
    );
    write(TABLE, &table.csv())?;
    write(JSON, format!("{of_table:#}\n").as_bytes())?;
    write(HISTORY, &history_table(&view.days).csv())?;
    let newest: BTreeSet<String> = now.roster.newest().map(Version::player_name).collect();
    for version in now.roster.versions.iter().filter(|it| it.state.counts()) {
        let page = view.version(version).page()?;
        write(&page_of(version), page.as_bytes())?;
        if newest.contains(&version.player_name()) {
            write(&page_of_bot(version), page.as_bytes())?;
        }
    }
    let head_to_head = view.head_to_head(&table);
    write("head-to-head.html", head_to_head.page()?.as_bytes())?;
    write(
        "index.html",
        view.index(&table, &league.seasons()).page()?.as_bytes(),
    )
}

/// Replaces a folder by the pages of the league and of its runs.
///
/// # Errors
/// The folder has something else, or a file cannot be written. The old pages stay until the new ones are whole.
pub fn publish(league: &League, now: &Snapshot<'_>, given: &Path) -> Result<(), GradeError> {
    // A link stays, and leads to the new pages.
    let to = std::fs::canonicalize(given).or_else(|_| std::path::absolute(given));
    let to = &to.unwrap_or_else(|_| given.to_owned());
    let beside = |ending: &str| {
        let mut name = to.file_name().unwrap_or_default().to_owned();
        name.push(ending);
        to.with_file_name(name)
    };
    let (new, old) = (beside(".new"), beside(".old"));
    for folder in [to, &new, &old] {
        let is_empty = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        if folder.symlink_metadata().is_ok() && !is_empty && !folder.join(TABLE).is_file() {
            return Err(GradeError::Usage(format!(
                "{}: has something that no league wrote, and would be replaced: give another folder, or remove it first",
                folder.display()
            )));
        }
    }
    for folder in [&new, &old] {
        remove_folder(folder)?;
    }
    write_pages(league, now, &new, "")?;
    for batch in &now.standing.batches {
        let pages = batch.run.join("report");
        if pages.is_dir() {
            let copy = new.join(batch.place()).join("report");
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
    days: Vec<Day>,
    now: &'a Snapshot<'a>,
    up: &'a str,
}

fn page_of(version: &Version) -> String {
    format!("bot-{}.html", version.player_name())
}

fn page_of_bot(version: &Version) -> String {
    format!("bot-{}.html", version.owner)
}

fn link(text: &str, to: &str) -> Words {
    Words::Link(text.to_owned(), to.to_owned())
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
    fn index(&self, table: &ReportTable, seasons: &[String]) -> Article {
        let columns = table.columns.iter().map(|it| it.name.as_str());
        let columns: Vec<&str> = columns.filter(|it| table.has_values(it)).collect();
        let newest: Vec<&Version> = self.now.roster.newest().collect();
        let bot = |column: &str, cell: &Cell, view: CellView| match (column, cell) {
            ("bot", Cell::Text(shown)) => {
                let version = newest.iter().find(|it| it.shown == *shown);
                view.link(version.map(|it| page_of_bot(it))).heading()
            }
            _ => view,
        };
        let caption = "a bot leads to its page; low to high: the 95 % interval";
        let mut view = TableView::from_report(caption, table, &columns, &bot);
        let ends = ["elo_low", "elo", "elo_high"].map(|name| table.place(name));
        if columns.contains(&"elo") {
            view.insert_intervals(2, |row| {
                let end = |at: usize| match table.rows[row][at] {
                    Cell::Elo(elo) => Some(elo),
                    _ => None,
                };
                let [low, elo, high] = ends.map(|at| end(at?));
                Some([low?, elo?, high?])
            });
        }
        let mut more = vec![
            link("Head to head", "head-to-head.html"),
            Words::plain(". For other programs: "),
        ];
        for file in [TABLE, JSON, HISTORY] {
            more.extend([link(file, file), Words::plain(" ")]);
        }
        // Only the folder of the league has the pages of other seasons beside it.
        for season in seasons.iter().filter(|_| !self.up.is_empty()) {
            let page = format!("{}{season}/index.html", self.up);
            let name = season.split_once('-').map_or("first", |(_, name)| name);
            more.extend([Words::plain(" "), link(&format!("season {name}"), &page)]);
        }
        let blocks = vec![
            text(format!(
                "{} between {} in {}.",
                counted(self.now.standing.games(), "game", "games"),
                counted(newest.len() as u64, "bot", "bots"),
                counted(self.now.standing.batches.len() as u64, "run", "runs"),
            )),
            Passage::Table(view.sortable()),
            Passage::Text(more),
            Passage::Heading("Runs".to_owned()),
            Passage::Table(self.runs()),
        ];
        Article {
            title: self.name.clone(),
            blocks,
        }
    }

    /// The games between the newest versions, in the order of the table.
    fn head_to_head(&self, table: &ReportTable) -> Article {
        let shown = table.rows.iter().take(MATRIX).map(|row| row[1].plain());
        let version = |shown: String| self.now.roster.newest().find(|it| it.shown == shown);
        let bots: Vec<&Version> = shown.filter_map(version).collect();
        let cell = |one: &Version, other: &Version| {
            let tally = self.now.against(one, other);
            tally.map_or_else(CellView::default, |tally| {
                let text = format!("{}-{}-{}", tally.wins, tally.draws, tally.losses);
                CellView::text(&text).heat(score(&tally))
            })
        };
        let mut columns = vec![ColumnView::name("bot")];
        columns.extend(bots.iter().map(|it| ColumnView::number(&it.shown)));
        let rows = bots.iter().map(|one| {
            let name = CellView::text(&one.shown).link(Some(page_of_bot(one)));
            let mut row = vec![name.heading()];
            row.extend(bots.iter().map(|other| cell(one, other)));
            row
        });
        let rated = self.now.rated.as_ref();
        let words = rated.map_or("won-drawn-lost", Rated::outcomes);
        let caption = format!("{words} of the newest versions, best first");
        Article {
            title: format!("{}: head to head", self.name),
            blocks: vec![
                self.back(),
                Passage::Table(TableView::new(caption, columns, rows)),
            ],
        }
    }

    fn back(&self) -> Passage {
        Passage::Text(vec![link(&format!("league {}", self.name), "index.html")])
    }

    fn runs(&self) -> TableView {
        let batches = self.now.standing.batches.iter().rev().take(RUNS);
        let rows = batches.map(|batch| {
            let has_pages = batch.run.join("report/index.html").is_file();
            let place = batch.place().display().to_string();
            let link = has_pages.then(|| format!("{}{place}/report/index.html", self.up));
            vec![
                CellView::text(&place).link(link).heading(),
                CellView::count(batch.games),
                CellView::text(&batch.ended),
                CellView::text(if batch.is_ended { "" } else { "not ended" }),
            ]
        });
        let columns = vec![
            ColumnView::text("run"),
            ColumnView::number("games"),
            ColumnView::text("last game"),
            ColumnView::text(""),
        ];
        let caption = match self.now.standing.batches.len() {
            all if all > RUNS => format!("the last {RUNS} of {all} runs"),
            _ => "all runs, the newest first".to_owned(),
        };
        TableView::new(caption, columns, rows)
    }

    fn version(&self, version: &Version) -> Article {
        let mut blocks = vec![self.back()];
        let mut part = |heading: &str, table: TableView| {
            if !table.rows.is_empty() {
                blocks.push(Passage::Heading(heading.to_owned()));
                blocks.push(Passage::Table(table));
            }
        };
        part("Versions", self.versions(version));
        part("Opponents", self.opponents(version));
        part("Last games", self.last_games(version));
        part("History", self.history(version));
        Article {
            title: version.shown_name(),
            blocks,
        }
    }

    fn last_games(&self, version: &Version) -> TableView {
        let shown = |name: &String| {
            let mut versions = self.now.roster.versions.iter();
            let version = versions.find(|it| it.player_name() == *name);
            version.map_or_else(|| name.clone(), Version::shown_name)
        };
        let games = &self.now.standing.conduct(version).last;
        let rows = games.iter().rev().map(|game| {
            let run = &self.now.standing.batches[game.batch];
            let has_pages = run.run.join("report").join(GAME_PAGE).is_file();
            let place = run.place().display().to_string();
            let page = format!("{}{place}/report/{GAME_PAGE}#g{}", self.up, game.id);
            let opponents: Vec<String> = game.opponents.iter().map(shown).collect();
            vec![
                CellView::text(&format!("{place} {}", game.id)).link(has_pages.then_some(page)),
                CellView::share(game.points).heat(game.points),
                CellView::text(game.seat),
                CellView::text(&opponents.join(", ")),
                CellView::text(game.termination),
                CellView::text(&game.date),
            ]
        });
        let mut columns = vec![ColumnView::name("game"), ColumnView::number("points")];
        columns.push(ColumnView::text("seat"));
        columns.push(ColumnView::sentence("opponent"));
        columns.extend(["end", "date"].map(ColumnView::text));
        TableView::new("the newest first", columns, rows)
    }

    /// The last days with games of any version of the bot.
    fn history(&self, version: &Version) -> TableView {
        let days = self.days.iter().rev().flat_map(|day| {
            let ratings = day.ratings.iter().rev();
            let own = ratings.filter(|it| owner_of(it.0) == version.owner);
            own.map(|(player, rating)| (&day.day, player, *rating))
        });
        let rows = days.take(DAYS).map(|(day, player, rating)| {
            let number = player.rsplit('.').next().unwrap_or_default();
            let mut row = vec![CellView::text(day).heading(), CellView::text(number)];
            row.extend(elo_cells(Some(rating)));
            row
        });
        let mut columns = vec![ColumnView::text("day"), ColumnView::number("version")];
        columns.extend(["Elo", "low", "high"].map(ColumnView::number));
        TableView::new(
            "at the end of each day with games, the newest first",
            columns,
            rows,
        )
    }

    fn versions(&self, newest: &Version) -> TableView {
        let versions = self.now.roster.of(&newest.owner).rev();
        let rows = versions.map(|version| {
            let conduct = self.now.standing.conduct(version);
            let number = CellView::count(version.version.into());
            let page = version.state.counts().then(|| page_of(version));
            let mut cells = vec![number.link(page).heading()];
            cells.extend(elo_cells(self.now.rating(version)));
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

    /// The games of a version against all others, also of its own bot.
    fn opponents(&self, version: &Version) -> TableView {
        let mut met: Vec<_> = self
            .now
            .roster
            .versions
            .iter()
            .filter_map(|other| Some((other, self.now.against(version, other)?)))
            .collect();
        met.sort_by(|one, other| score(&one.1).total_cmp(&score(&other.1)));
        let rows = met.iter().map(|(other, tally)| {
            let expected = self.now.rated.as_ref().and_then(|rated| {
                let [one, other] = [version, other].map(|it| rated.find(&it.player_name()));
                Some(rated.ratings.expected(one?, other?))
            });
            vec![
                CellView::text(&other.shown_name())
                    .link(Some(page_of(other)))
                    .heading(),
                CellView::share(score(tally)).heat(score(tally)),
                CellView::count(tally.games()),
                CellView::count(tally.wins),
                CellView::count(tally.draws),
                CellView::count(tally.losses),
                expected.map_or_else(CellView::default, CellView::share),
            ]
        });
        let mut columns = vec![ColumnView::name("opponent")];
        let numbers = ["score", "games", "won", "drawn", "lost", "expected"];
        columns.extend(numbers.map(ColumnView::number));
        let caption = format!(
            "games of version {}, the worst first; expected: the score that the ratings make likely",
            version.version
        );
        TableView::new(caption, columns, rows).sortable()
    }
}
