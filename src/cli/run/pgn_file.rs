//! The games of a run as PGN, in its folder while they are played.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::exit::Failure;
use crate::cli::games::say_games_in;
use crate::config::{Plan, PlannedGame};
use crate::pgn;
use crate::runner::Event;
use crate::runs::PGN;

/// Most games that wait for one with a smaller number.
const MOST_WAITING: usize = 1000;

#[derive(Debug)]
pub(super) struct PgnFile {
    path: PathBuf,
    /// `None` once a write failed, or too many games waited.
    file: Option<File>,
    next: u64,
    /// Games after the next one, as PGN.
    waiting: BTreeMap<u64, String>,
    /// Numbers of finished games, and of their texts.
    finished: u64,
    texts: u64,
}

impl PgnFile {
    /// The file of a run without games; `None` if its plan asks for none, or it cannot be made.
    pub fn create(plan: &Plan, run: &Path) -> Option<Self> {
        let is_chess = |planned: &PlannedGame| pgn::is_writable(planned.game());
        if !plan.export.pgn || !plan.games.iter().any(is_chess) {
            return None;
        }
        let path = run.join(PGN);
        Some(Self {
            file: Some(File::create(&path).ok()?),
            path,
            next: 0,
            waiting: BTreeMap::new(),
            finished: 0,
            texts: 0,
        })
    }

    pub fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Finished(row) if pgn::is_writable(row.game) => self.finished += 1,
            Event::Finished(row) => self.add(row.id, ""),
            Event::SetAside(game) => self.add(game.id, ""),
            Event::Pgn { id, text } => {
                self.texts += 1;
                self.add(*id, text);
            }
            _ => {}
        }
    }

    fn add(&mut self, id: u64, text: &str) {
        if self.file.is_none() {
            return;
        }
        if id != self.next {
            self.waiting.insert(id, text.to_owned());
            if self.waiting.len() > MOST_WAITING {
                self.file = None;
                self.waiting.clear();
            }
            return;
        }
        self.write(text);
        self.next += 1;
        while let Some(text) = self.waiting.remove(&self.next) {
            self.write(&text);
            self.next += 1;
        }
    }

    fn write(&mut self, text: &str) {
        let file = self.file.as_mut();
        if file.is_some_and(|file| file.write_all(text.as_bytes()).is_err()) {
            self.file = None;
        }
    }

    /// Adds the games that still wait. Returns the path; `None` unless all games are in the file.
    pub fn end(mut self) -> Option<PathBuf> {
        for text in std::mem::take(&mut self.waiting).into_values() {
            self.write(&text);
        }
        let is_whole = self.finished == self.texts;
        self.file.filter(|_| is_whole).map(|_| self.path)
    }
}

/// The file of the plan that each game is added to as it ends.
#[derive(Debug)]
pub(super) struct AppendedGames(Option<(PathBuf, File, io::Result<()>)>);

impl AppendedGames {
    pub fn open(plan: &Plan) -> Result<Self, Failure> {
        let file = plan.export.pgn_file.clone();
        let Some(path) = file.filter(|_| plan.export.is_appended) else {
            return Ok(Self(None));
        };
        let file = File::options().append(true).create(true).open(&path);
        let file = file.map_err(|error| in_file(&path, &error))?;
        Ok(Self(Some((path, file, Ok(())))))
    }

    pub fn event(&mut self, event: &Event<'_>) {
        if let (Some((_, file, written @ Ok(()))), Event::Pgn { text, .. }) = (&mut self.0, event) {
            *written = file.write_all(text.as_bytes());
        }
    }

    pub fn end(self, quiet: bool) -> Result<(), Failure> {
        match self.0 {
            Some((path, _, Ok(()))) => say_games_in(&path, quiet),
            Some((path, _, Err(error))) => Err(in_file(&path, &error)),
            None => Ok(()),
        }
    }
}

fn in_file(path: &Path, error: &io::Error) -> Failure {
    Failure::of_file(path, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(run: &Path) -> PgnFile {
        let path = run.join(PGN);
        PgnFile {
            file: Some(File::create(&path).expect("a file")),
            path,
            next: 0,
            waiting: BTreeMap::new(),
            finished: 0,
            texts: 0,
        }
    }

    fn add(file: &mut PgnFile, ids: impl IntoIterator<Item = u64>) {
        for id in ids {
            let text = &format!("{id} ");
            file.finished += 1;
            file.event(&Event::Pgn { id, text });
        }
    }

    #[test]
    fn a_game_waits_for_games_before_it() {
        let run = tempfile::tempdir().expect("a folder");
        let text = || std::fs::read_to_string(run.path().join(PGN)).expect("text");
        let mut file = file(run.path());
        add(&mut file, [1, 0, 3, 4]);
        assert_eq!(text(), "0 1 ");
        // A game that is set aside.
        file.add(2, "");
        assert_eq!(text(), "0 1 3 4 ");
        // Games that will never come hold none back at the end.
        add(&mut file, [9, 7]);
        assert!(file.end().is_some());
        assert_eq!(text(), "0 1 3 4 7 9 ");
    }

    #[test]
    fn a_file_without_some_game_is_not_whole() {
        let run = tempfile::tempdir().expect("a folder");
        let mut without_text = file(run.path());
        add(&mut without_text, [0, 1]);
        without_text.finished += 1;
        assert_eq!(without_text.end(), None);
        let mut waits_too_long = file(run.path());
        add(&mut waits_too_long, 1..=MOST_WAITING as u64);
        assert!(waits_too_long.file.is_some());
        add(&mut waits_too_long, [MOST_WAITING as u64 + 1, 0]);
        assert_eq!(waits_too_long.end(), None);
    }
}
