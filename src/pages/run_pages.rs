//! The pages of a run: an index, and a page for each player.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use minijinja::value::Serde;
use minijinja::{Error, context};

use super::PageError;
use super::games::{DrawnGames, GAME_PAGE, MOST_GAMES, WritePage, game_pages};
use super::gather::{Gathered, gather};
use super::index::index_page;
use super::page::{Page, Templates};
use super::player::player_page;
use super::svg::Chart;
use super::tables::{CellView, TableView};
use crate::record::{RecordError, Run};
use crate::report::{run_settings, shell_word};
use crate::text::{DisplayNames, counted, visible};

/// How many players a table or a chart shows at most without a box of its own.
pub(super) const MANY: usize = 25;

/// Makes the pages of a run: its index, those of its players, and that of its games. `complete` tells whether
/// all games were played, where their number depends on results and it is known. Of more than
/// [`MOST_GAMES`] only those with the numbers in `asked` are drawn.
///
/// # Errors
/// A record cannot be read or is not true, or `write` fails.
pub fn run_pages(
    run: &Run,
    complete: Option<bool>,
    asked: BTreeSet<u64>,
    write: &mut WritePage<'_>,
) -> Result<Overview, PageError> {
    let gathered = gather(run)?;
    let settings = run_settings(run)?;
    let rated = gathered.results.rate(&settings);
    let names = run.player_names();
    let pages = RunPages {
        run,
        names: &settings.display_names,
        players: names.iter().copied().zip(0..).collect(),
        templates: Templates::new()?,
        word: shell_word(run.path()),
        drawn: match gathered.games <= MOST_GAMES {
            true => DrawnGames::All,
            false => DrawnGames::Some(asked),
        },
    };
    for (player, name) in names.iter().enumerate() {
        let page = player_page(&pages, &gathered.players[player], &rated, name)?;
        write(&player_file(player), &page)?;
    }
    game_pages(run, &pages.drawn, write)?;
    // The last one, so that an index never leads to pages that could not be made.
    let state = state(run, &gathered, complete)?;
    write(
        "index.html",
        &index_page(&pages, &gathered, &rated, &state)?,
    )?;
    Ok(Overview {
        name: run.manifest().name.clone(),
        players: names.len() as u64,
        games: gathered.games,
        state: state.words,
    })
}

/// What a list of runs says of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// The name of the tournament.
    pub name: String,
    /// How many players it has.
    pub players: u64,
    /// How many games were played.
    pub games: u64,
    /// How far it is, in words.
    pub state: String,
}

fn player_file(player: usize) -> String {
    format!("player-{player}.html")
}

/// How far a run is.
pub(super) struct State {
    pub words: String,
    /// Whether there may be more games than the pages have.
    pub open: bool,
}

fn state(run: &Run, gathered: &Gathered, complete: Option<bool>) -> Result<State, RecordError> {
    let schedule = run.format().schedule(run.player_names().len());
    let total = schedule
        .count()
        .exactly()
        .map(|games| games * run.games().len() as u64);
    let played = gathered.games;
    let done = match total {
        Some(total) => format!("{played} of {}", counted(total, "game", "games")),
        None => counted(played, "game", "games"),
    };
    let aside = run.set_aside()?.len() as u64;
    let is_complete = total.map(|total| played + aside >= total).or(complete);
    Ok(match (run.is_in_play(), is_complete) {
        (true, _) => State {
            words: format!("The run is going on: {done} when this page was made."),
            open: true,
        },
        (false, Some(false)) => State {
            words: format!(
                "The run ended early: {done} played. `referee run` with --resume goes on with it."
            ),
            open: true,
        },
        (false, _) => State {
            words: format!("{done} played."),
            open: false,
        },
    })
}

/// What all pages of a run need.
pub(super) struct RunPages<'a> {
    pub run: &'a Run,
    pub names: &'a DisplayNames,
    /// The players by name.
    players: HashMap<&'a str, usize>,
    pub templates: Templates,
    /// The folder of the run as a word for a shell.
    word: String,
    pub drawn: DrawnGames,
}

impl RunPages<'_> {
    /// The page of a player.
    pub fn player_link(&self, name: &str) -> Option<String> {
        self.players.get(name).map(|player| player_file(*player))
    }

    /// A player's name, which leads to its page.
    pub fn player(&self, name: &str) -> CellView {
        CellView::text(&self.names.shown(name))
            .link(self.player_link(name))
            .heading()
    }

    /// The number of a game, which leads to its board if it is drawn.
    pub fn game(&self, id: u64, ply: Option<u32>, logged: bool) -> CellView {
        let ply = ply.map(|ply| format!("p{ply}")).unwrap_or_default();
        let link = (logged && self.drawn.includes(id)).then(|| format!("{GAME_PAGE}#g{id}{ply}"));
        CellView::text(&id.to_string()).link(link)
    }

    /// The command that plays a game again into the bot of a player.
    pub fn replay_command(&self, id: u64, player: &str, logged: bool) -> CellView {
        let player = shell_word(Path::new(player));
        match logged {
            true => CellView::command(&format!(
                "referee replay {} {id} --seat {player} --into",
                self.word
            )),
            false => CellView::text("its log is not kept"),
        }
    }

    /// The folder of the run as a word for a shell.
    pub fn word(&self) -> String {
        visible(&self.word)
    }

    /// A table as HTML.
    pub fn table(&self, table: &TableView) -> Result<String, Error> {
        self.templates.table(table)
    }

    /// A chart as HTML, with its numbers.
    pub fn chart(&self, chart: &Chart, numbers: &TableView) -> Result<String, Error> {
        let numbers = self.table(numbers)?;
        let values = context! { chart => Serde(chart), numbers };
        self.templates.render("chart", values)
    }

    /// A whole page, which runs no script.
    pub fn page(&self, title: &str, body: &str) -> Result<String, Error> {
        self.templates.page(&Page {
            title: &visible(title),
            body,
            data: "",
            script: "",
        })
    }
}
