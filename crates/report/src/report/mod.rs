//! Results as text for people and programs. This module runs no games, and the only files that it writes are the
//! tables of a run.

mod notes;
mod progress;
mod screen;
mod table;
mod tables;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{IsTerminal, Write, stderr};
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};

pub use notes::{
    NotesOn, TOLD_APART, conclusion, conclusion_words, facts, stopping, strength,
    unit as unit_of_test, warnings,
};
pub use progress::{Progress, Stages, rough};
pub use screen::{RunEnd, Style, forfeit_lines, plain, summary};
pub use table::{Cell, Column, ReportTable};
pub use tables::{
    PAIRS, PLACES, crosstable, finish_run, games, matches, parameters, places, ratings, searches,
    standings, superiority, verdicts, write_tables,
};
pub use text::{in_lines, listed, sheet_text, shell_word, shortened, width};

use crate::clock::CpuShare;
use crate::rating::Estimate;
use crate::results::Rated;
use crate::runs::{GameRow, Manifest, PlayerTable};
use crate::text::{DisplayNames, excerpt, visible_lines};

/// Maximum length of a player's fault, in characters.
const EXCERPT: usize = 160;

/// The forfeits of a run, by player and by the termination of the game.
#[derive(Debug, Default)]
pub struct Forfeits(BTreeMap<(String, &'static str), ForfeitCount>);

/// The games that a player forfeited in one way.
#[derive(Debug)]
pub struct ForfeitCount {
    pub count: u64,
    /// The lowest number of a game among them.
    pub first: u64,
    /// The player's fault in that game.
    pub detail: String,
}

impl Forfeits {
    pub fn add(&mut self, row: &GameRow) {
        for seat in row.game.seats() {
            if let Some(fault) = row.end.fault(seat) {
                self.count(
                    &row.players[seat],
                    row.end.termination_for(seat).name(),
                    row.id,
                    &fault.to_string(),
                );
            }
        }
    }

    fn count(&mut self, player: &str, termination: &'static str, id: u64, detail: &str) {
        let forfeit = self
            .0
            .entry((player.to_owned(), termination))
            .or_insert_with(|| ForfeitCount {
                count: 0,
                first: u64::MAX,
                detail: String::new(),
            });
        forfeit.count += 1;
        if id < forfeit.first {
            forfeit.first = id;
            forfeit.detail = excerpt(detail, EXCERPT);
        }
    }

    /// The forfeits of each player, by the termination that its faults led to.
    pub fn each(&self) -> impl ExactSizeIterator<Item = (&str, &'static str, &ForfeitCount)> {
        let each = self.0.iter();
        each.map(|((player, termination), forfeit)| (player.as_str(), *termination, forfeit))
    }
}

/// The share of the processor time that each player of a run wanted.
#[derive(Debug, Default)]
pub struct CpuShares(BTreeMap<String, CpuShare>);

impl CpuShares {
    pub fn add(&mut self, row: &GameRow) {
        for (seat, name) in row.players.iter() {
            if !self.0.contains_key(name) {
                self.0.insert(name.clone(), CpuShare::default());
            }
            if let Some(share) = self.0.get_mut(name) {
                share.add(row.id, &row.end.spent[seat]);
            }
        }
    }

    /// A sentence about each player whose share was low in a game.
    pub fn low(&self, names: &DisplayNames) -> Vec<String> {
        let all = self.0.iter();
        let low = all.filter_map(|(name, share)| Some((name, share.words()?)));
        low.map(|(name, words)| format!("{} {words}", names.shown(name)))
            .collect()
    }
}

/// The columns before the grid's.
const FIXED: [&str; 8] = [
    "player",
    "display_name",
    "house",
    "args",
    "command",
    "dir",
    "build",
    "digest",
];

/// The table `players`: a row per player in the order of the plan, with a column for each parameter of a
/// grid.
pub fn players(manifest: &Manifest) -> ReportTable {
    let players = &manifest.players;
    let parameters: BTreeSet<&String> = players.iter().flat_map(|it| it.grid.keys()).collect();
    let row = |player: &PlayerTable| {
        let mut row = fixed(player);
        let value = |name: &&String| player.grid.get(*name);
        row.extend(parameters.iter().map(|name| optional(value(name))));
        row
    };
    let fixed = FIXED.map(str::to_owned).into_iter();
    let names = fixed.chain(parameters.iter().map(|name| column_of(name)));
    ReportTable::new(
        "players",
        names.map(|name| Column::text(&name, &name)).collect(),
        players.iter().map(row),
    )
}

fn fixed(player: &PlayerTable) -> Vec<Cell> {
    let words = |words: &[String]| Cell::text(shell_words(words));
    let dir = player.dir.as_ref().map(|dir| dir.display().to_string());
    vec![
        Cell::text(&player.name),
        optional(player.display_name.as_ref()),
        optional(player.house.as_ref()),
        words(&player.args),
        words(player.command.as_deref().unwrap_or_default()),
        optional(dir.as_ref()),
        words(player.build.as_deref().unwrap_or_default()),
        optional(player.digest.as_ref()),
    ]
}

fn optional(text: Option<&String>) -> Cell {
    text.map_or(Cell::Missing, Cell::text)
}

/// The column of a parameter: its name, unless another column has that.
fn column_of(parameter: &str) -> String {
    match FIXED.contains(&parameter) {
        true => format!("grid_{parameter}"),
        false => parameter.to_owned(),
    }
}

fn shell_words(words: &[String]) -> String {
    let words = words.iter().map(String::as_str);
    // Only a NUL cannot be quoted, and no program can be started with one.
    shlex::try_join(words).unwrap_or_default()
}

static WARNINGS: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());

/// Prints a message to stderr, with hidden characters made visible. On a terminal it is broken into lines between
/// words. An error is ignored, so that a closed stderr (`2>&1 | head`) does not end a run, as it would with
/// `eprintln!`.
pub fn print_to_stderr(message: &str) {
    let message = in_lines(&visible_lines(message), stderr_width());
    let _ = writeln!(stderr(), "{message}");
}

/// Width of stderr in columns; `None` if it is no terminal.
fn stderr_width() -> Option<usize> {
    let stderr = stderr();
    let size = rustix::termios::tcgetwinsize(&stderr).ok();
    let width = size.map(|size| size.ws_col.into());
    width.filter(|width| stderr.is_terminal() && *width > 0)
}

/// Prints a warning to stderr. A repeated warning is only counted.
pub fn warn(warning: &str) {
    let mut warnings = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
    let times = warnings.entry(warning.to_owned()).or_default();
    *times += 1;
    if *times == 1 {
        print_to_stderr(&format!("warning: {warning}"));
    }
}

/// Prints the warnings that came more than once, with their number of occurrences.
pub fn print_repeated_warnings() {
    let warnings = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
    for (warning, times) in warnings.iter().filter(|(_, times)| **times > 1) {
        print_to_stderr(&format!("warning: {warning} ({times} times)"));
    }
}

/// Whether the terminal takes text alone, and shows escape sequences as text: `TERM=dumb`, as in the shells of editors.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

pub fn json(rated: &[Rated<'_>], tables: &[ReportTable], on: NotesOn) -> Value {
    let by_name = tables
        .iter()
        .map(|table| (table.name.to_owned(), table.json()));
    let games = rated
        .iter()
        .map(|one| (one.game.clone(), facts_of(one, on)));
    let has_margins = tables.iter().any(|it| it.place("margin").is_some());
    let mut json = json!({
        "tables": by_name.collect::<Map<_, _>>(),
        "games": games.collect::<Map<_, _>>(),
    });
    if has_margins {
        json["intervals"] = format!("margin: {}", tables::MARGIN).into();
    }
    json
}

fn facts_of(one: &Rated<'_>, on: NotesOn) -> Value {
    let seats = one.seats.iter().filter_map(|seats| {
        let worths = one.seat_worths(*seats)?;
        Some((seats.to_string(), worths.iter().map(in_elo).collect()))
    });
    json!({
        "games": one.games(),
        "players": one.order.len(),
        "blocks": one.standings.blocks().block_count(),
        "openings": one.standings.blocks().openings,
        "variation": one.ratings.variation(),
        "first_seat_advantage": one.advantage().as_ref().map(in_elo),
        "seats": seats.collect::<Map<_, _>>(),
        "draw_rate_between_equals": one.ratings.draws_of_equals(),
        "draw_rate_with_equal_seats": one.ratings.draw_rate(),
        "notes": notes::facts(one),
        "warnings": notes::warnings(one, on),
    })
}

fn in_elo(estimate: &Estimate) -> Value {
    let rounded = |value: f64| (10.0 * value).round() / 10.0;
    json!({ "elo": rounded(estimate.elo), "margin": rounded(estimate.margin()) })
}
