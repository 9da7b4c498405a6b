//! The pages of a run: an index, and a page for each player.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use minijinja::value::Serde;
use minijinja::{Error, context};

use super::PageError;
use super::games::{DrawnGames, GAME_PAGE, GamesRead, MOST_GAMES, WritePage, game_pages};
use super::gather::{Gathered, gather};
use super::history::Histories;
use super::index::index_page;
use super::page::{Page, Templates};
use super::player::player_page;
use super::svg::{CURVE, Chart};
use super::tables::{CellView, TableView};
use super::times::{PliesOfGame, Times};
use crate::parallel;
use crate::report::shell_word;
use crate::results::{Rated, Settings};
use crate::runs::{GameRow, RecordError, Run};
use crate::schedule::Conclusion;
use crate::text::{DisplayNames, counted, visible};

/// Upper bound on the players in a table or a chart without a scroll box.
pub(super) const MANY: usize = 25;

/// Batch size of player pages rendered in parallel.
const PAGES_AT_ONCE: usize = 32;

/// Makes the pages of a run: an index, a page for each player, and one for the games. `checked` is the state of
/// its schedule, if games depend on results and it could be worked out. A run of more than [`MOST_GAMES`] draws
/// only the games in `asked`. Commands on the pages call the run's folder `shown`. Damaged records of games do
/// not stop the pages: they are reported in the returned [`Overview`].
///
/// # Errors
/// The journal cannot be read, or `write` fails.
pub fn run_pages(
    run: &Run,
    checked: Option<&Checked>,
    asked: BTreeSet<u64>,
    shown: &Path,
    write: &mut WritePage<'_>,
) -> Result<Overview, PageError> {
    let gathered = gather(run)?;
    let settings = Settings::of_run(run);
    let rated = gathered.results.rate(&settings);
    let names = run.player_names();
    let players: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let drawn = if gathered.games <= MOST_GAMES {
        DrawnGames::All
    } else {
        DrawnGames::Some(asked)
    };
    let mut histories = Histories::new(&rated);
    let mut times = (drawn == DrawnGames::All).then(|| Times::new(players.clone(), &gathered));
    let mut each = |row: &GameRow, found: Option<PliesOfGame>| {
        histories.add(row);
        if let (Some(times), Some(plies)) = (&mut times, found) {
            times.add(row, &plies);
        }
    };
    let read = game_pages(run, &drawn, &PliesOfGame::new, &mut each, write)?;
    let pages = RunPages {
        run,
        names: &settings.display_names,
        players,
        templates: Templates::new()?,
        word: shell_word(shown),
        drawn,
        read: &read,
    };
    let found = Found {
        state: state(run, &gathered, checked.map(|it| it.complete))?,
        checked,
        gathered: &gathered,
        rated: &rated,
        histories,
        times,
    };
    let numbered: Vec<(usize, &str)> = names.iter().copied().enumerate().collect();
    for some in numbered.chunks(PAGES_AT_ONCE) {
        let made = parallel::map(some, |(player, name)| {
            player_page(&pages, &found, *player, name)
        });
        for ((player, _), page) in some.iter().zip(made) {
            write(&player_file(*player), &page?)?;
        }
    }
    // Written last, so that an index never links to pages that could not be made.
    write("index.html", &index_page(&pages, &found)?)?;
    Ok(Overview {
        name: run.manifest().name.clone(),
        players: names.len() as u64,
        games: gathered.games,
        state: found.state.words,
        read,
    })
}

/// State of a run's schedule after the games in its journal.
#[derive(Debug)]
pub struct Checked {
    /// Whether all games were played.
    pub complete: bool,
    /// Conclusions of the format, by index of the game. Undecided ones are left out.
    pub conclusions: Vec<(usize, Conclusion)>,
}

/// Summary of a run, for a list of runs.
#[derive(Debug)]
pub struct Overview {
    /// The name of the tournament.
    pub name: String,
    /// Number of players.
    pub players: u64,
    /// Number of games played.
    pub games: u64,
    /// Progress, in words.
    pub state: String,
    /// Counts of games drawn and damaged.
    pub read: GamesRead,
}

/// Results that the pages show.
pub(super) struct Found<'a> {
    pub state: State,
    pub checked: Option<&'a Checked>,
    pub gathered: &'a Gathered,
    pub rated: &'a [Rated<'a>],
    pub histories: Histories<'a>,
    /// `None` if there are too many games to read all logs.
    pub times: Option<Times<'a>>,
}

fn player_file(player: usize) -> String {
    format!("player-{player}.html")
}

/// Progress of a run.
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

/// Context of all pages of a run.
pub(super) struct RunPages<'a> {
    pub run: &'a Run,
    pub names: &'a DisplayNames,
    /// Index of each player in the manifest, by name.
    players: HashMap<&'a str, usize>,
    pub templates: Templates,
    /// The folder of the run as a word for a shell.
    word: String,
    pub drawn: DrawnGames,
    pub read: &'a GamesRead,
}

impl RunPages<'_> {
    /// The page of a player.
    pub fn player_link(&self, name: &str) -> Option<String> {
        self.players.get(name).map(|player| player_file(*player))
    }

    /// Index of a player in the manifest.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.players.get(name).copied()
    }

    /// A player's name with a link to its page.
    pub fn player(&self, name: &str) -> CellView {
        CellView::text(&self.names.shown(name))
            .link(self.player_link(name))
            .heading()
    }

    /// The number of a game, with a link to its board if it is drawn.
    pub fn game(&self, id: u64, ply: Option<u32>, logged: bool) -> CellView {
        let ply = ply.map(|ply| format!("p{ply}")).unwrap_or_default();
        let is_drawn = logged && self.drawn.includes(id) && !self.read.damaged.contains(&id);
        let link = is_drawn.then(|| format!("{GAME_PAGE}#g{id}{ply}"));
        CellView::text(&id.to_string()).link(link)
    }

    /// The command that replays a game into a player's bot.
    pub fn replay_command(&self, id: u64, player: &str, logged: bool) -> CellView {
        let player = shell_word(Path::new(player));
        if logged {
            CellView::command(&format!(
                "referee replay {} {id} --seat {player} --into",
                self.word
            ))
        } else {
            CellView::text("its log is not kept")
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
        let values = context! { chart => Serde(chart), numbers, curve => CURVE };
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
