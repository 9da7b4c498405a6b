//! Context of the pages of a run: its players and games as links, and the templates.

use std::collections::HashMap;
use std::path::Path;

use minijinja::value::Serde;
use minijinja::{Error, context};

use super::exports::Exports;
use super::game::{DrawnGames, GAME_PAGE, GamesRead};
use super::parts::page::{Page, Templates};
use super::parts::svg::Chart;
use super::parts::table::{CellView, ColumnView, SORTING, TableView};
use super::parts::{NavigationPlace, RunPart, navigation};
use super::{seat_cells, seat_columns};
use crate::game::PerSeat;
use crate::referee::Termination;
use crate::report::{ReportTable, shell_word};
use crate::runs::Run;
use crate::text::{DisplayNames, visible};

/// Upper bound on the players in a table or a chart without a scroll box.
pub(super) const MANY: usize = 25;

pub struct RunContext<'a> {
    pub exports: Exports,
    pub run: &'a Run,
    pub names: &'a DisplayNames,
    /// Index of each player in the manifest, by name.
    pub players: &'a HashMap<&'a str, usize>,
    pub templates: &'a Templates,
    /// The run's folder, quoted for a shell.
    pub folder: &'a str,
    pub drawn: &'a DrawnGames,
    pub read: &'a GamesRead,
    /// Whether there is this page alone, so that it has no links.
    pub is_alone: bool,
    pub refreshes: bool,
}

impl RunContext<'_> {
    /// Number of seats of the games: all have the same.
    pub fn seats(&self) -> usize {
        self.run.seats()
    }

    pub fn seat_names(&self, game: &str) -> &'static [&'static str] {
        let mut games = self.run.games().iter().map(|planned| planned.game());
        games
            .find(|it| it.label() == game)
            .map_or(&[], |it| it.seat_names())
    }

    pub fn seat_columns(&self) -> Vec<ColumnView> {
        seat_columns(self.seats())
    }

    pub fn seat_cells(&self, players: &PerSeat<String>) -> Vec<CellView> {
        seat_cells(
            players,
            |name| self.player(name),
            |name| self.names.shown(name),
        )
    }

    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.players.get(name).copied()
    }

    /// A player's name with a link to its page.
    pub fn player(&self, name: &str) -> CellView {
        let player = self.players.get(name).filter(|_| !self.is_alone);
        CellView::text(&self.names.shown(name))
            .link(player.map(|player| player_file(*player)))
            .heading()
    }

    /// A table of the report with the named columns. Players are links to their pages.
    pub fn report_table(&self, caption: &str, table: &ReportTable, columns: &[&str]) -> TableView {
        TableView::from_report(
            caption,
            table,
            columns,
            &|column, cell, view| match column {
                "player" => self.player(&cell.plain()),
                _ => view,
            },
        )
    }

    /// The number of a game, with a link to its board if it is drawn.
    pub fn game(&self, id: u64, ply: Option<u32>, logged: bool) -> CellView {
        let ply = ply.map(|ply| format!("p{ply}")).unwrap_or_default();
        let is_drawn =
            logged && !self.is_alone && self.drawn.includes(id) && !self.read.damaged.contains(&id);
        let link = is_drawn.then(|| format!("{GAME_PAGE}#g{id}{ply}"));
        CellView::text(&id.to_string()).link(link)
    }

    /// The command that shows a game again to a player's bot, or what it was told, where it was asked for no action.
    pub fn replay_command(
        &self,
        id: u64,
        player: &str,
        termination: &str,
        logged: bool,
    ) -> CellView {
        let player = shell_word(Path::new(player));
        if logged {
            let how = match termination == Termination::Handshake.name() {
                true => "--transcript",
                false => "--into",
            };
            CellView::command(&format!(
                "referee replay {} {id} --seat {player} {how}",
                self.folder
            ))
        } else {
            CellView::text("its log is not kept")
        }
    }

    /// The run's folder, quoted for a shell, with hidden characters made visible.
    pub fn visible_folder(&self) -> String {
        visible(self.folder)
    }

    pub fn table(&self, table: &TableView) -> Result<String, Error> {
        self.templates.table(table)
    }

    pub fn chart(&self, chart: &Chart, numbers: &TableView) -> Result<String, Error> {
        self.exports.chart(chart, numbers);
        self.templates.chart(chart, numbers)
    }

    /// A whole page with the links to all parts. Its script sorts and filters tables.
    pub fn page(&self, title: &str, shown: NavigationPlace, body: &str) -> Result<String, Error> {
        let links = match self.is_alone {
            true => String::new(),
            false => navigation(self.templates, shown)?,
        };
        let page = Page {
            title: &visible(title),
            body: &(links + body),
            data: "",
            script: SORTING,
        };
        match self.refreshes {
            true => self.templates.page_that_refreshes(&page),
            false => self.templates.page(&page),
        }
    }

    pub fn table_page(
        &self,
        part: RunPart,
        [title, words]: [&str; 2],
        table: &str,
        commands: &[[String; 2]],
    ) -> Result<String, Error> {
        let values = context! { title, words, table, commands => Serde(commands) };
        let body = self.templates.render("part", values)?;
        let title = format!("{}: {title}", self.run.manifest().name);
        self.page(&title, NavigationPlace::Page(part), &body)
    }
}

pub fn player_file(player: usize) -> String {
    format!("player-{player}.html")
}
