//! Facts about a student's games: forfeits, use of time and memory, and the fastest losses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use super::PlayedTest;
use super::folders::Folders;
use super::trace::{Trace, trace};
use crate::clock::{CpuShare, Measure, TimeControl};
use crate::game::{GameResult, Seat};
use crate::grade::marks::waiting_matters;
use crate::referee::{FaultKind, Termination};
use crate::replay::transcripts;
use crate::runs::{GameRow, Recording, Run, RunFileError, bot_log_path};
use crate::text::excerpt;

/// Maximum number of causes of forfeits that are listed; games of further ones are only counted.
const MOST_CAUSES: usize = 12;

const MOST_LOSSES: usize = 3;

const DETAIL: usize = 300;

#[derive(Debug, Default)]
pub(super) struct Facts {
    pub tests: Vec<TestFacts>,
    /// Causes of forfeits, the most frequent first.
    pub causes: Vec<Cause>,
    /// Number of games forfeited by causes that are not listed.
    pub further: u64,
    /// Games lost without a forfeit after the fewest plies.
    pub losses: Vec<LostGame>,
}

#[derive(Debug)]
pub(super) struct TestFacts {
    pub name: String,
    pub games: u64,
    pub measure: Measure,
    pub time: (Duration, u64),
    pub time_limit: Option<Duration>,
    pub memory: Option<(u64, u64)>,
    pub memory_limit: Option<u64>,
    pub cpu_share: CpuShare,
}

#[derive(Debug)]
pub(super) struct Cause {
    pub termination: Termination,
    pub fault: FaultKind,
    pub games: BTreeMap<String, u64>,
    pub example: Example,
}

#[derive(Debug)]
pub(super) struct Example {
    pub test: String,
    pub id: u64,
    pub plies: u32,
    pub seat: &'static str,
    pub opponents: String,
    pub detail: String,
    pub trace: Option<Trace>,
    pub board: Option<String>,
    pub game: &'static str,
    pub options: String,
    pub command: Vec<String>,
    pub sent: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) struct LostGame {
    pub test: String,
    pub id: u64,
    pub plies: u32,
    pub opponents: String,
    pub why: String,
}

/// Identity of a cause: termination of the game, kind of fault, and place in the program.
type CauseKey = (Termination, FaultKind, String);

struct CauseGames {
    by_test: BTreeMap<String, u64>,
    first: (usize, GameRow),
    trace: Option<Trace>,
}

impl CauseGames {
    fn add(&mut self, test: &str, at: usize, row: GameRow, trace: Option<Trace>) {
        *self.by_test.entry(test.to_owned()).or_default() += 1;
        if (at, row.id) < (self.first.0, self.first.1.id) {
            self.first = (at, row);
            self.trace = trace;
        }
    }
}

/// Reads the games of tests that count in marks.
pub(super) fn facts(
    played: &[PlayedTest<'_>],
    player: &str,
    own_files: &BTreeSet<String>,
    folders: &Folders,
) -> Result<Facts, RunFileError> {
    let mut facts = Facts::default();
    let mut causes: BTreeMap<CauseKey, CauseGames> = BTreeMap::new();
    for (at, PlayedTest { name, run, end }) in played.iter().enumerate() {
        let mut used = TestFacts::unused(run, player, name);
        for row in run.rows()? {
            let mut row = row?;
            let Some(seat) = seat_of(&row, player) else {
                continue;
            };
            if row.id >= *end {
                continue;
            }
            used.add(&row, seat, run.manifest().time_of(player));
            row.end.hide_words_of_others(seat);
            if let Some(fault) = row.end.fault(seat) {
                let output = output(run, &row, seat)?;
                let trace = trace(&folders.text(&output), own_files);
                let place = trace.as_ref().map(|it| it.place.clone());
                let key = (
                    row.end.termination_for(seat),
                    fault.kind,
                    place.unwrap_or_default(),
                );
                if causes.len() >= MOST_CAUSES && !causes.contains_key(&key) {
                    facts.further += 1;
                    continue;
                }
                let cause = causes.entry(key).or_insert_with(|| CauseGames {
                    by_test: BTreeMap::new(),
                    first: (at, row.clone()),
                    trace: trace.clone(),
                });
                cause.add(name, at, row, trace);
            } else if row.end.result != GameResult::Nobody && row.end.result.points(seat) == 0.0 {
                facts.add_loss(name, &row, seat);
            }
        }
        if used.games > 0 {
            facts.tests.push(used);
        }
    }
    let listed = causes.into_iter().map(|((termination, fault, _), cause)| {
        let (at, row) = cause.first;
        Cause {
            termination,
            fault,
            games: cause.by_test,
            example: example(&played[at], row, player, folders, cause.trace),
        }
    });
    facts.causes = listed.collect();
    facts
        .causes
        .sort_by_key(|cause| std::cmp::Reverse(cause.count()));
    Ok(facts)
}

impl Facts {
    /// Adds a game that the seat lost without a forfeit, if it is one of the shortest.
    fn add_loss(&mut self, test: &str, row: &GameRow, seat: Seat) {
        self.losses.push(LostGame {
            test: test.to_owned(),
            id: row.id,
            plies: row.end.plies,
            opponents: opponents(row, seat),
            why: excerpt(&row.end.why(row.game), DETAIL),
        });
        // Rows of the journal follow the ends of games, whose order varies.
        self.losses
            .sort_by_key(|it| (it.plies, it.test.clone(), it.id));
        self.losses.truncate(MOST_LOSSES);
    }
}

impl Cause {
    pub fn count(&self) -> u64 {
        self.games.values().sum()
    }
}

impl TestFacts {
    pub(super) fn unused(run: &Run, player: &str, test: &str) -> Self {
        let manifest = run.manifest();
        let clock = manifest.time_of(player);
        Self {
            name: test.to_owned(),
            games: 0,
            measure: clock.measure,
            time: (Duration::ZERO, 0),
            time_limit: clock.whole_game(),
            memory: None,
            memory_limit: manifest.limits_of(player).memory.map(|bytes| bytes / 1024),
            cpu_share: CpuShare::default(),
        }
    }

    pub(super) fn add(&mut self, row: &GameRow, seat: Seat, clock: &TimeControl) {
        let spent = row.end.spent[seat];
        let time = match self.measure {
            Measure::Cpu => spent.cpu,
            Measure::Wall => spent.wall,
        };
        if self.games == 0 || time > self.time.0 {
            self.time = (time, row.id);
        }
        if let Some(kib) = row.peak_kib[seat]
            && self.memory.is_none_or(|(most, _)| kib > most)
        {
            self.memory = Some((kib, row.id));
        }
        self.games += 1;
        if waiting_matters(row, seat, clock) {
            self.cpu_share.add(row.id, &spent);
        }
    }
}

pub(super) fn seat_of(row: &GameRow, player: &str) -> Option<Seat> {
    row.names().find(|name| *name == player)
}

/// The players of the other seats, in words. Copies of one player are named once.
fn opponents(row: &GameRow, seat: Seat) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (other, name) in row.players.iter() {
        if other != seat && !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.join(" and ")
}

fn output(run: &Run, row: &GameRow, seat: Seat) -> Result<String, RunFileError> {
    let digest = row.files.stderr[seat].as_str();
    if digest.is_empty() {
        return Ok(String::new());
    }
    let name = bot_log_path(Path::new(""), row.id, row.game.seat_name(seat));
    let bytes = run.game_file(&name, digest)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn example(
    PlayedTest { name, run, .. }: &PlayedTest<'_>,
    row: GameRow,
    player: &str,
    folders: &Folders,
    trace: Option<Trace>,
) -> Example {
    // Never absent: the caller found the row by this player.
    let seat = seat_of(&row, player).unwrap_or(Seat::FIRST);
    let table = run.manifest().player(player);
    let command = table.and_then(|table| {
        let command = table.command.as_ref()?;
        let words = command.iter().chain(&table.args);
        Some(words.map(|word| folders.word(word)).collect())
    });
    let detail = row.end.fault(seat).map(ToString::to_string);
    // There is none where the records are damaged or the rules failed, which `verify` tells.
    let recording = run.recording_of(row.clone()).ok();
    let recording = recording.as_ref();
    Example {
        test: (*name).to_owned(),
        id: row.id,
        plies: row.end.plies,
        seat: row.game.seat_name(seat),
        opponents: opponents(&row, seat),
        detail: excerpt(&folders.text(&detail.unwrap_or_default()), DETAIL),
        trace,
        game: row.game.name(),
        options: row.options.clone(),
        command: command.unwrap_or_default(),
        board: recording.and_then(|it| board(it, seat)),
        // Its last line may quote what the bot wrote.
        sent: recording
            .and_then(|it| sent(it, seat))
            .map(|it| folders.text(&it)),
    }
}

fn board(recording: &Recording, seat: Seat) -> Option<String> {
    let plies = recording.plies.len();
    let drawing = |ply| recording.position(ply).ok()?.drawing(Some(seat)).ok();
    let before = drawing(plies.saturating_sub(1))?;
    Some(drawing(plies)?.changed_since(&before).to_string())
}

/// The lines that the bot of a seat was sent, in its own language.
fn sent(recording: &Recording, seat: Seat) -> Option<String> {
    let mut lines = transcripts(recording).ok()?;
    let lines = std::mem::take(&mut lines[seat]);
    Some(recording.languages[seat].lines(lines).join("\n") + "\n")
}
