//! Read access to a run.

pub(super) mod recording;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use recording::Recording;

use crate::config::{LARGEST_RECORD, PlannedGame, read_bounded};
use crate::game::{Game, Games, PerSeat, RulesFault, Seat};
use crate::runs::error::{RowError, RunFileError, RunFileProblem};
use crate::runs::files::digest_of_file;
use crate::runs::files::lock::is_locked;
use crate::runs::journal::GameRow;
use crate::runs::journal::done::PlanIndex;
use crate::runs::journal::rows::{Rows, games_in_order};
use crate::runs::journal::set_aside::{self, SetAsideGame};
use crate::runs::logs::LOG_HEADER;
use crate::runs::logs::game_files::{FileDigests, bot_log_path, game_log_path};
use crate::runs::logs::game_log::read_log;
use crate::runs::manifest::Manifest;
use crate::runs::{JOURNAL, MANIFEST};
use crate::schedule::{Format, Schedule};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    #[error("{0}")]
    Records(String),
    #[error(transparent)]
    Rules(#[from] RulesFault),
}

impl From<String> for Difference {
    fn from(words: String) -> Self {
        Self::Records(words)
    }
}

impl From<RowError> for Difference {
    fn from(RowError(words): RowError) -> Self {
        Self::Records(words)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BotOutput {
    text: Vec<u8>,
    /// Length of the prefix that is kept without a gap.
    whole: usize,
}

impl Run {
    /// The output of each bot in a game. It is empty where the bot wrote nothing, and where the file is not there.
    pub fn outputs_of(&self, row: &GameRow) -> PerSeat<BotOutput> {
        row.game.per_seat(|seat: Seat| {
            let path = bot_log_path(self.path(), row.id, row.game.seat_name(seat));
            let is_there = !row.files.stderr[seat].is_empty();
            let text = is_there.then(|| fs::read(path).ok()).flatten();
            let name = row.names()[seat];
            BotOutput {
                text: text.unwrap_or_default(),
                whole: self.manifest().limits_of(name).log,
            }
        })
    }
}

impl BotOutput {
    /// The part between two lengths of the output; empty where it was not kept.
    pub fn between(&self, from: u64, to: u64) -> &[u8] {
        let whole = self.whole.min(self.text.len());
        let [from, to] = [from, to].map(|at| usize::try_from(at).map_or(whole, |at| at.min(whole)));
        self.text.get(from..to).unwrap_or_default()
    }

    /// The part after a length of the output, where that was kept.
    pub fn after(&self, from: u64) -> &[u8] {
        let from = usize::try_from(from)
            .ok()
            .filter(|from| *from <= self.whole);
        from.and_then(|from| self.text.get(from..))
            .unwrap_or_default()
    }
}

/// The folder of a run, open for reading. The run may still be in play.
#[derive(Debug, Clone)]
pub struct Run {
    path: PathBuf,
    manifest: Manifest,
    format: Format,
    games: Vec<PlannedGame>,
}

impl Run {
    pub fn open(path: &Path, games: Games) -> Result<Self, RunFileError> {
        if !path.join(JOURNAL).exists() {
            return Err(RunFileError::new(path, RunFileProblem::NotARun));
        }
        let manifest = Manifest::read(path)?;
        let names: Vec<String> = manifest.players.iter().map(|it| it.name.clone()).collect();
        let planned = manifest.planned_games(path, games)?;
        let seats = PlannedGame::seats_of(&planned);
        let format = manifest.format.format(&names, seats).map_err(|error| {
            let problem = format!("has a format that cannot be: {error}");
            RunFileError::new(path.join(MANIFEST), RunFileProblem::Damaged(problem))
        })?;
        Ok(Self {
            path: path.to_owned(),
            games: planned,
            format,
            manifest,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub fn format(&self) -> &Format {
        &self.format
    }

    pub fn schedules(&self) -> Vec<Box<dyn Schedule>> {
        let (players, seats) = (self.manifest.players.len(), self.seats());
        let games = self.games.iter();
        games
            .map(|_| {
                let seed = self.manifest.seed;
                self.format.schedule_ahead(players, seats, seed, 0)
            })
            .collect()
    }

    pub fn seats(&self) -> usize {
        PlannedGame::seats_of(&self.games)
    }

    pub fn games(&self) -> &[PlannedGame] {
        &self.games
    }

    pub fn player_names(&self) -> Vec<&str> {
        let players = self.manifest.players.iter();
        players.map(|player| player.name.as_str()).collect()
    }

    pub fn plan_index(&self) -> PlanIndex<'_> {
        PlanIndex::new(&self.games, self.player_names().into_iter())
    }

    pub fn planned(&self, game: Game) -> Result<&PlannedGame, RunFileError> {
        let mut games = self.games.iter();
        games.find(|planned| planned.game() == game).ok_or_else(|| {
            let problem = format!("has no game `{}`", game.name());
            RunFileError::new(self.path.join(MANIFEST), RunFileProblem::Damaged(problem))
        })
    }

    pub fn rows(&self) -> Result<Rows, RunFileError> {
        Rows::open(&self.path.join(JOURNAL), PlannedGame::each(&self.games))
    }

    /// The number of rows of the journal. A row with a line break in it counts twice.
    pub fn rows_about(&self) -> Result<u64, RunFileError> {
        let path = self.path.join(JOURNAL);
        let count = || -> io::Result<u64> {
            let (mut file, mut lines) = (BufReader::new(File::open(&path)?), 0);
            loop {
                let chunk = file.fill_buf()?;
                if chunk.is_empty() {
                    return Ok(lines);
                }
                lines += chunk.iter().filter(|byte| **byte == b'\n').count() as u64;
                let read = chunk.len();
                file.consume(read);
            }
        };
        let lines = count().map_err(RunFileError::at(&path, RunFileProblem::Read))?;
        Ok(lines.saturating_sub(1))
    }

    pub fn rows_in_order(&self, each: &mut dyn FnMut(&GameRow)) -> Result<(), RunFileError> {
        let games = PlannedGame::each(&self.games);
        games_in_order(&self.path.join(JOURNAL), games, each)
    }

    pub fn set_aside(&self) -> Result<Vec<SetAsideGame>, RunFileError> {
        let games = PlannedGame::each(&self.games);
        set_aside::unplayed(&self.path, games)
    }

    pub fn keeps_log(&self, row: &GameRow) -> bool {
        self.manifest.record.logs.keeps(row.is_forfeited())
    }

    pub fn is_in_play(&self) -> bool {
        is_locked(&self.path)
    }

    pub fn file_digests(&self, row: &GameRow) -> Result<FileDigests, RunFileError> {
        FileDigests::of(&self.path, row.game, row.id)
    }

    pub fn log_text(&self, id: u64) -> Result<Vec<u8>, RunFileError> {
        let path = game_log_path(&self.path, id);
        let log = read_bounded(&path, LARGEST_RECORD)
            .map_err(RunFileError::at(&path, RunFileProblem::Read))?;
        if log.starts_with(LOG_HEADER.as_bytes()) {
            Ok(log)
        } else {
            let problem = "line 1 is not the header of a game's log".to_owned();
            Err(RunFileError::new(path, RunFileProblem::Malformed(problem)))
        }
    }

    /// A file of a game, by its path in the folder and its digest. A bot that may write to the folder could have
    /// put a link to another file in its place.
    pub fn game_file(&self, name: &Path, digest: &str) -> Result<Vec<u8>, RunFileError> {
        let path = self.path.join(name);
        let found = digest_of_file(&path).map_err(RunFileError::at(&path, RunFileProblem::Read))?;
        if found != digest {
            return Err(RunFileError::new(path, RunFileProblem::Changed));
        }
        fs::read(&path).map_err(RunFileError::at(&path, RunFileProblem::Read))
    }

    pub fn recording_of(&self, row: GameRow) -> Result<Recording, RunFileError> {
        let planned = self.planned(row.game)?.clone();
        let plies = read_log(&self.path, row.id, row.game)?;
        Ok(Recording::new(self.manifest(), planned, row, plies))
    }

    pub fn recording_without_log(&self, row: GameRow) -> Result<Recording, RunFileError> {
        let planned = self.planned(row.game)?.clone();
        Ok(Recording::new(self.manifest(), planned, row, Vec::new()))
    }

    /// The game of that number, with its log; `None` if there is none.
    pub fn recording(&self, id: u64) -> Result<Option<Recording>, RunFileError> {
        for row in self.rows()? {
            let row = row?;
            if row.id == id {
                return self.recording_of(row).map(Some);
            }
        }
        Ok(None)
    }
}
