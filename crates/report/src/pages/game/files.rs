//! The page that shows every game of a run, and the files with the games.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use minijinja::context;
use serde_json::json;

use super::board::{GameMeans, Reported, Tables, means};
use super::data;
use crate::game::{PerSeat, Seat};
use crate::pages::PageError;
use crate::pages::parts::page::{Page, Templates, script_json};
use crate::pages::parts::{NavigationPlace, RunPart, navigation};
use crate::parallel;
use crate::report::shell_word;
use crate::runs::{BotOutput, Difference, GameRow, Recording, Run, RunFileError};
use crate::text::{DisplayNames, counted, visible};

const VIEWER: &str = concat!(
    include_str!("../assets/board.js"),
    include_str!("../assets/charts.js"),
    include_str!("../assets/viewer.js")
);
const ONE_GAME: &str = include_str!("../assets/one_game.js");
const MANY_GAMES: &str = include_str!("../assets/many_games.js");

pub const GAME_PAGE: &str = "game.html";

pub const GAMES: &str = "games";

pub const GAMES_PER_FILE: u64 = 1000;

/// Batch size of games handed to the threads that read logs.
const AT_ONCE: usize = 128;

/// Upper bound on the games drawn by default. A larger run draws only the games asked for.
pub const MOST_GAMES: u64 = 50_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DrawnGames {
    All,
    /// The games with these numbers, if they have a log.
    Some(BTreeSet<u64>),
}

impl DrawnGames {
    pub(in crate::pages) fn includes(&self, id: u64) -> bool {
        match self {
            Self::All => true,
            Self::Some(ids) => ids.contains(&id),
        }
    }
}

/// A recorded game on its board, as one page that needs no other file.
pub fn game_page(
    recording: &Recording,
    names: &DisplayNames,
    outputs: &PerSeat<BotOutput>,
) -> Result<String, PageError> {
    let DrawnGame { json, tables, .. } = game(recording, names, outputs, None, None)?;
    let data = format!("{{\"tables\":{},\"game\":{json}}}", tables.json());
    let title = format!("game {}: {}", recording.row.id, recording.game().label());
    let script = [VIEWER, ONE_GAME].concat();
    page(&title, None, &data, &script)
}

/// Takes the name of a file, which may be in a folder, and its text.
pub type WritePage<'a> = dyn FnMut(&str, &str) -> Result<(), RunFileError> + 'a;

/// Upper bound on the damaged games that a warning names.
const NAMED: usize = 10;

#[derive(Debug, Default)]
pub struct GamesRead {
    pub drawn: u64,
    /// Games left out because their records are damaged, or cannot be read.
    pub damaged: BTreeSet<u64>,
    pub first: Option<PageError>,
    /// Values that bots reported in the games that were drawn, by the name of the game.
    pub reported: BTreeMap<&'static str, Reported>,
}

impl GamesRead {
    /// Warning about the missing games; `None` if none is missing.
    pub fn warning(&self) -> Option<String> {
        let first = self.first.as_ref()?;
        let named = self.damaged.iter().take(NAMED).map(u64::to_string);
        let rest = if self.damaged.len() > NAMED {
            " and more"
        } else {
            ""
        };
        Some(format!(
            "{} not on boards: {}{rest}. The first: {first}",
            counted(self.damaged.len() as u64, "game is", "games are"),
            named.collect::<Vec<_>>().join(", "),
            first = visible(&first.to_string()),
        ))
    }
}

/// A game as JSON for the page, the tables with its boards and pieces, and means of what its bots reported.
struct DrawnGame {
    json: String,
    tables: Tables,
    means: GameMeans,
}

/// Makes the page that shows the games of a run, and the files with the games. Games that cannot be read are left out.
/// For a `player`, it shows its own games, without what other bots reported, output of bots, and commands and links that
/// need the run.
pub fn game_pages(
    run: &Run,
    drawn: &DrawnGames,
    player: Option<&str>,
    write: &mut WritePage<'_>,
) -> Result<GamesRead, PageError> {
    let names = run.manifest().display_names();
    let players: HashMap<&str, usize> = run.player_names().into_iter().zip(0..).collect();
    let draw = |row: &GameRow| -> Option<Result<DrawnGame, PageError>> {
        let is_drawn = drawn.includes(row.id) && run.keeps_log(row);
        let Some(player) = player else {
            return is_drawn.then(|| {
                let recording = run.recording_of(row.clone())?;
                let seated = row.names();
                let places = seated.values().map(|name| players.get(name).copied());
                let outputs = run.outputs_of(row);
                game(&recording, &names, &outputs, places.collect(), None)
            });
        };
        let own = row.names().find(|name| *name == player)?;
        is_drawn.then(|| {
            let mut row = row.clone();
            row.end.hide_words_of_others(own);
            let outputs = PerSeat::defaults(row.game.seat_count());
            game(&run.recording_of(row)?, &names, &outputs, None, Some(own))
        })
    };
    let mut files = GameFiles {
        write,
        number: 0,
        text: String::new(),
        tables: Tables::default(),
    };
    let mut read = GamesRead::default();
    // The first and the last number of games without a gap.
    let mut spans: Vec<(u64, u64)> = Vec::new();
    let mut lost: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut add = |row: &GameRow, drawn: Option<Result<DrawnGame, PageError>>| {
        match drawn {
            Some(Ok(game)) => {
                let reported = read.reported.entry(row.game.label()).or_default();
                reported.add(&row.names(), game.means);
                files.add(row.id, &game.json, game.tables)?;
                match spans.last_mut() {
                    Some((_, last)) if *last + 1 == row.id => *last = row.id,
                    _ => spans.push((row.id, row.id)),
                }
                for loser in losers(row).filter(|name| player.is_none_or(|own| own == *name)) {
                    lost.entry(names.shown(loser)).or_default().push(row.id);
                }
                read.drawn += 1;
            }
            Some(Err(problem)) => {
                read.damaged.insert(row.id);
                read.first.get_or_insert(problem);
            }
            None => {}
        }
        Ok::<_, PageError>(())
    };
    let mut waiting = Vec::new();
    let mut outcome = Ok(());
    let mut draw_waiting = |waiting: &mut Vec<GameRow>| {
        let drawn = parallel::map(waiting, draw);
        let rows = std::mem::take(waiting);
        rows.iter()
            .zip(drawn)
            .try_for_each(|(row, drawn)| add(row, drawn))
    };
    run.rows_in_order(&mut |row| {
        if outcome.is_ok() {
            waiting.push(row.clone());
        }
        if waiting.len() == AT_ONCE {
            outcome = draw_waiting(&mut waiting);
        }
    })?;
    outcome?;
    draw_waiting(&mut waiting)?;
    files.write()?;
    let is_whole = player.is_none();
    let run = is_whole.then(|| visible(&shell_word(run.path())));
    let links = is_whole.then_some(NavigationPlace::Below(RunPart::Games));
    let data = script_json(&json!({
        "perFile": GAMES_PER_FILE,
        "drawn": spans,
        "lost": lost.into_iter().collect::<Vec<_>>(),
        "run": run,
    }))?;
    let script = [VIEWER, MANY_GAMES].concat();
    write(GAME_PAGE, &page("games", links, &data, &script)?)?;
    Ok(read)
}

/// The players in the last place of a game, unless all share it.
fn losers(row: &GameRow) -> impl Iterator<Item = &str> {
    let places = row.end.result.places(row.players.count());
    let last = places.values().copied().max().filter(|last| *last > 1);
    let players = row.players.iter();
    let lost = players.filter(move |(seat, _)| Some(places[*seat]) == last);
    lost.map(|(_, name)| name.as_str())
}

/// A game with its players' places in the plan, if they have pages; with what the bot in the `own` seat alone reported, if
/// there is one.
fn game(
    recording: &Recording,
    names: &DisplayNames,
    outputs: &PerSeat<BotOutput>,
    plan: Option<Vec<usize>>,
    own: Option<Seat>,
) -> Result<DrawnGame, PageError> {
    let id = recording.row.id;
    let read = data::read(recording, names, outputs, own);
    let (mut game, tables) = read.map_err(|difference| match difference {
        Difference::Rules(fault) => fault.into(),
        difference => PageError::Untrue { id, difference },
    })?;
    game.plan = plan;
    Ok(DrawnGame {
        json: script_json(&game)?,
        means: means(recording),
        tables,
    })
}

/// A page with a board. It begins with links to the other pages of a run, if it is `shown` among them.
fn page(
    title: &str,
    shown: Option<NavigationPlace>,
    data: &str,
    script: &str,
) -> Result<String, PageError> {
    let templates = Templates::new()?;
    let links = shown.map(|shown| navigation(&templates, shown));
    let links = links.transpose()?.unwrap_or_default();
    let body = links + &templates.render("viewer", context! {})?;
    Ok(templates.page(&Page {
        title,
        body: &body,
        data,
        script,
    })?)
}

/// Writer of the files with the games. A file is written once all its games are added.
struct GameFiles<'a, 'w> {
    write: &'a mut WritePage<'w>,
    number: u64,
    /// Text of that file so far; empty without games.
    text: String,
    tables: Tables,
}

impl GameFiles<'_, '_> {
    fn add(&mut self, id: u64, json: &str, tables: Tables) -> Result<(), PageError> {
        let number = id / GAMES_PER_FILE;
        if number != self.number {
            self.write()?;
            self.number = number;
        }
        if self.text.is_empty() {
            self.text.push_str(&format!("refereeGames({number},[\n"));
        } else {
            self.text.push_str(",\n");
        }
        self.text.push_str(json);
        self.tables.extend(tables);
        Ok(())
    }

    fn write(&mut self) -> Result<(), PageError> {
        if self.text.is_empty() {
            return Ok(());
        }
        let tables = std::mem::take(&mut self.tables);
        self.text.push_str(&format!("\n],{});\n", tables.json()));
        (self.write)(&format!("{GAMES}/{}.js", self.number), &self.text)?;
        self.text.clear();
        Ok(())
    }
}
