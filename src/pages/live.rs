//! Live page of a run in play, rewritten after games. Its size does not grow with the games.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;

use super::error::PageError;
use super::parts::forfeits::forfeits_table;
use super::parts::navigation::{NavigationPlace, navigation};
use super::parts::page::{Page, Templates};
use super::parts::table::{CellView, ColumnView, TableView};
use super::parts::test_history::TestHistory;
use super::seats::{places_cell, places_column, result_columns, seat_cells, seat_columns};
use crate::game::{GameResult, Seat};
use crate::report::{self, Forfeits, shell_word};
use crate::results::{Rated, ResultRow, Results, Settings};
use crate::runs::GameRow;
use crate::schedule::{Schedule, TestState};
use crate::text::{DisplayNames, counted, excerpt, visible};

/// The file of the page.
pub const LIVE: &str = "live.html";

const SCRIPT: &str = include_str!("assets/live.js");

/// Refresh interval of a browser without scripts, in seconds.
const SECONDS: u64 = 2;

/// Upper bound on the players listed per game, and on the lines of forfeits.
const LISTED: usize = 100;

/// Number of last games listed.
const LAST: usize = 20;

/// Maximum length of the reason why a game ended, in characters.
const EXCERPT: usize = 160;

/// The games of a run so far.
#[derive(Debug)]
pub struct LiveRun {
    name: String,
    /// The folder of the run, quoted for a shell.
    quoted_folder: String,
    settings: Settings,
    results: Results,
    forfeits: Forfeits,
    last: VecDeque<Vec<CellView>>,
    /// Number of seats of the games: all have the same.
    seats: usize,
    last_date: String,
    /// The sequential tests, by the name of the game.
    tests: BTreeMap<&'static str, TestHistory>,
}

/// Progress of the run.
#[derive(Debug)]
pub struct LiveState<'a> {
    /// In words.
    pub progress: &'a str,
    /// Number of games finished.
    pub done: u64,
    /// Upper bound on the games, if known.
    pub most: Option<u64>,
    /// States of its sequential tests, in words.
    pub tests: &'a [String],
    /// Whether it is in play, so that the page refreshes.
    pub going_on: bool,
    /// Whether `index.html` is beside the page, and is linked.
    pub index: bool,
}

#[derive(Serialize)]
struct GameSection {
    name: String,
    count: String,
    ratings: String,
    /// The sequential test as a chart; empty without one.
    test: String,
}

impl LiveRun {
    /// A run without games yet.
    pub fn new(name: &str, folder: &Path, display_names: DisplayNames) -> Self {
        Self {
            name: visible(name),
            quoted_folder: visible(&shell_word(folder)),
            settings: Settings {
                display_names,
                ..Settings::default()
            },
            results: Results::default(),
            forfeits: Forfeits::default(),
            last: VecDeque::new(),
            seats: 2,
            last_date: String::new(),
            tests: BTreeMap::new(),
        }
    }

    /// Follows the sequential tests of these games, if their schedules are some.
    pub fn with_tests(
        mut self,
        games: impl IntoIterator<Item = (&'static str, Box<dyn Schedule>)>,
        players: &[&str],
    ) -> Self {
        for (game, schedule) in games {
            let test = TestHistory::new(schedule, players);
            self.tests.extend(test.map(|test| (game, test)));
        }
        self
    }

    /// Takes in the state of a game's sequential test.
    pub fn tested(&mut self, game: &str, state: TestState) {
        if let Some(test) = self.tests.get_mut(game) {
            test.tested(state);
        }
    }

    /// Adds a finished game.
    pub fn add(&mut self, row: &GameRow) {
        self.results.add(&ResultRow::from(row));
        self.forfeits.add(row);
        if let Some(test) = self.tests.get_mut(row.game.label()) {
            test.add(row);
        }
        self.last_date.clone_from(&row.date);
        self.seats = row.players.count();
        self.last.truncate(LAST - 1);
        self.last.push_front(self.last_game(row));
    }

    fn last_game(&self, row: &GameRow) -> Vec<CellView> {
        let names = &self.settings.display_names;
        let player = |seat: Seat| names.shown(&row.players[seat]);
        let result = match row.end.result {
            GameResult::Drawn => "drawn".to_owned(),
            result if result.winners().is_empty() => "nobody won".to_owned(),
            result => {
                let winners: Vec<String> = result.winners().iter().map(player).collect();
                match &winners[..] {
                    [winner] => format!("{winner} won"),
                    several => format!("{} share the first place", several.join(" and ")),
                }
            }
        };
        let mut cells = vec![
            CellView::count(row.id).heading(),
            CellView::text(row.game.label()),
        ];
        let shown = |name: &str| names.shown(name);
        cells.extend(seat_cells(
            &row.players,
            |name| CellView::text(&shown(name)),
            shown,
        ));
        cells.push(CellView::text(&result));
        cells.extend(places_cell(row.end.result, row.players.count()));
        cells.extend([
            CellView::text(row.end.termination.name()),
            CellView::text(&excerpt(&row.end.why(row.game), EXCERPT)),
        ]);
        cells
    }

    /// The page.
    ///
    /// # Errors
    /// The template and its values do not fit.
    pub fn page(&mut self, state: &LiveState<'_>) -> Result<String, PageError> {
        let templates = Templates::new()?;
        let rated = self.results.rate(&self.settings);
        let games = rated.iter().map(|one| self.section(&templates, one));
        let games: Vec<GameSection> = games.collect::<Result<_, _>>()?;
        let title = format!("{}: live", self.name);
        let forfeited: u64 = self.forfeits.each().map(|(_, _, it)| it.count).sum();
        let values = context! {
            title => &title,
            progress => visible(state.progress),
            done => state.done,
            most => state.most,
            tests => Serde(state.tests),
            last_date => visible(&self.last_date),
            going_on => state.going_on,
            games => Serde(&games),
            forfeited,
            forfeits => unless_empty(&templates, self.forfeits())?,
            last => unless_empty(&templates, self.last_games())?,
            folder => &self.quoted_folder,
        };
        // Before the end there need not be other pages.
        let links = match state.index {
            true => navigation(&templates, NavigationPlace::Apart)?,
            false => String::new(),
        };
        let body = links + &templates.render("live", values)?;
        let page = Page {
            title: &title,
            body: &body,
            data: "",
            script: SCRIPT,
        };
        let seconds = state.going_on.then_some(SECONDS);
        Ok(templates.page_that_refreshes(&page, seconds)?)
    }

    fn section(
        &self,
        templates: &Templates,
        one: &Rated<'_>,
    ) -> Result<GameSection, minijinja::Error> {
        let players = one.order.len();
        let caption = if players > LISTED {
            format!(
                "{}: the first {LISTED} of {players} players so far",
                one.game
            )
        } else {
            format!("{}: ratings so far, best first", one.game)
        };
        let mut columns = vec!["rank", "player", "elo", "margin", "points", "games"];
        columns.extend(result_columns(one.most_seats()));
        columns.push("forfeits");
        let ratings = report::ratings(std::slice::from_ref(one));
        let mut ratings = TableView::from_report(
            &caption,
            &ratings,
            &columns,
            &|column, cell, view| match column {
                "player" => {
                    let name = self.settings.display_names.shown(&cell.plain());
                    CellView::text(&name).heading()
                }
                _ => view,
            },
        );
        ratings.rows.truncate(LISTED);
        // The index has the explanations.
        for column in &mut ratings.columns {
            column.explanation = None;
        }
        Ok(GameSection {
            name: visible(&one.game),
            count: counted(one.games(), "game", "games"),
            ratings: templates.table(&ratings)?,
            test: match self
                .tests
                .get(one.game.as_str())
                .and_then(|test| test.chart(&one.game))
            {
                Some((chart, numbers)) => templates.chart(&chart, &numbers)?,
                None => String::new(),
            },
        })
    }

    fn forfeits(&self) -> TableView {
        let names = &self.settings.display_names;
        let player = |name: &str| CellView::text(&names.shown(name)).heading();
        forfeits_table(&self.forfeits, LISTED, player, CellView::count)
    }

    fn last_games(&self) -> TableView {
        let mut columns = vec![ColumnView::number("id"), ColumnView::text("game")];
        columns.extend(seat_columns(self.seats));
        columns.push(ColumnView::name("result"));
        columns.extend(places_column(self.seats));
        columns.extend([ColumnView::text("ended by"), ColumnView::sentence("why")]);
        TableView {
            caption: "games that ended last, the last first".to_owned(),
            columns,
            rows: self.last.iter().cloned().collect(),
            ..TableView::default()
        }
    }
}

/// A table as HTML; nothing if it has no rows.
fn unless_empty(templates: &Templates, table: TableView) -> Result<String, minijinja::Error> {
    if table.rows.is_empty() {
        Ok(String::new())
    } else {
        templates.table(&table)
    }
}
