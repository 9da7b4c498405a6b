//! The rows of a journal, as lines of text.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Take, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::columns::{self, Header};
use super::{GameRow, RowShape};
use crate::config::BoundedRows;
use crate::game::Game;
use crate::runs::JOURNAL;
use crate::runs::error::{RowProblem, RunFileError, RunFileProblem};
use crate::runs::files::{csv_line, csv_words, write_whole};

impl GameRow {
    pub fn header(shape: RowShape) -> Vec<u8> {
        csv_line(&columns::names(shape))
    }

    pub fn line(&self) -> Vec<u8> {
        csv_line(&columns::fields(self))
    }
}

/// Writes a journal whole. An error of a row counts as one of writing.
pub(in crate::runs) fn write_rows<E>(
    journal: &Path,
    shape: RowShape,
    mut rows: impl Iterator<Item = Result<GameRow, E>>,
) -> Result<(), RunFileError>
where
    E: Into<Box<dyn Error + Send + Sync>>,
{
    write_whole(journal, &mut |file| {
        file.write_all(&GameRow::header(shape))?;
        rows.try_for_each(|row| file.write_all(&row.map_err(io::Error::other)?.line()))
    })
}

/// The rows of a journal. One is in memory at a time.
pub struct Rows {
    path: PathBuf,
    games: Vec<Game>,
    reader: csv::Reader<BoundedRows<Take<File>>>,
    header: Header,
    record: csv::StringRecord,
}

impl Rows {
    /// Opens a journal, whose rows name `games`: the games of its run. No two of them share a name.
    pub fn open(path: &Path, games: impl IntoIterator<Item = Game>) -> Result<Self, RunFileError> {
        let file = File::open(path).map_err(RunFileError::at(path, RunFileProblem::Read))?;
        Self::read(path, file.take(u64::MAX), games.into_iter().collect())
    }

    /// Opens a journal that somebody may be writing to, or was when it was killed. A row that is not whole
    /// is left out.
    pub(in crate::runs) fn open_whole(
        path: &Path,
        games: impl IntoIterator<Item = Game>,
    ) -> Result<Self, RunFileError> {
        let open = || {
            let mut file = File::open(path)?;
            let (whole, _) = whole_rows(&mut file)?;
            file.rewind()?;
            Ok(file.take(whole))
        };
        let file = open().map_err(RunFileError::at(path, RunFileProblem::Read))?;
        Self::read(path, file, games.into_iter().collect())
    }

    fn read(path: &Path, file: Take<File>, games: Vec<Game>) -> Result<Self, RunFileError> {
        let mut reader = csv::Reader::from_reader(BoundedRows::new(file));
        let found = reader.headers().map_err(|error| Self::bad(path, error))?;
        let header = if found.is_empty() {
            // The run was killed when it had made the file, and not yet written to it.
            columns::names(RowShape::OF_TWO)
        } else {
            found.clone()
        };
        let header =
            Header::read(&header).map_err(RunFileError::at(path, RunFileProblem::Malformed))?;
        Ok(Self {
            path: path.to_owned(),
            games,
            reader,
            header,
            record: csv::StringRecord::new(),
        })
    }

    /// The error of a row that was read last, or of a file that ends in the middle of a character.
    fn bad(path: &Path, error: csv::Error) -> RunFileError {
        let line = error.position().map_or(0, csv::Position::line);
        if let csv::ErrorKind::Io(_) = error.kind() {
            let error = std::io::Error::from(error);
            return RunFileError::new(path, RunFileProblem::Read(error));
        }
        let words = csv_words(error);
        let problem = RowProblem::Malformed(words);
        RunFileError::new(path, RunFileProblem::Row { line, problem })
    }

    /// Where the row that was read last begins in the file, and its length.
    pub(in crate::runs) fn place(&self) -> (u64, u32) {
        let start = self.record.position().map_or(0, csv::Position::byte);
        let end = self.reader.position().byte();
        (start, end.saturating_sub(start) as u32)
    }

    pub fn refuse(&self, problem: RowProblem) -> RunFileError {
        let line = self.record.position().map_or(0, csv::Position::line);
        RunFileError::new(&self.path, RunFileProblem::Row { line, problem })
    }
}

impl Iterator for Rows {
    type Item = Result<GameRow, RunFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.reader.read_record(&mut self.record) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(Self::bad(&self.path, error))),
        }
        let row = GameRow::from_line(&self.header, &self.record, &self.games);
        Some(row.map_err(|problem| self.refuse(problem)))
    }
}

/// How many bytes are whole rows, and how many there are in all. A line ending inside quotes ends
/// no row.
pub(in crate::runs) fn whole_rows(file: &mut File) -> io::Result<(u64, u64)> {
    let mut buffer = vec![0; 64 << 10];
    let (mut whole, mut length, mut quoted) = (0, 0, false);
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok((whole, length));
        }
        for byte in &buffer[..count] {
            length += 1;
            match byte {
                b'"' => quoted = !quoted,
                b'\n' if !quoted => whole = length,
                _ => {}
            }
        }
    }
}

/// Upper bound on the rows that [`games_in_order`] holds.
const WINDOW: u64 = if cfg!(test) { 1 << 8 } else { 1 << 14 };

/// Reads a journal in the order of the games' numbers, in bounded memory. Rows are nearly in that order
/// unless games were played again later. A row too far ahead is left for another pass over the journal.
pub(in crate::runs) fn games_in_order(
    path: &Path,
    games: impl IntoIterator<Item = Game> + Clone,
    each: &mut dyn FnMut(&GameRow),
) -> Result<(), RunFileError> {
    // All games below are done.
    let mut next = 0;
    loop {
        let mut waiting = BTreeMap::new();
        // Lowest number left for the next pass.
        let mut beyond = None;
        for row in Rows::open(path, games.clone())? {
            let row = row?;
            match row.id.checked_sub(next) {
                None => {}
                Some(0) => {
                    each(&row);
                    next = next.saturating_add(1);
                    while let Some(row) = waiting.remove(&next) {
                        each(&row);
                        next = next.saturating_add(1);
                    }
                }
                Some(ahead) if ahead < WINDOW => {
                    waiting.insert(row.id, row);
                }
                Some(_) => beyond = Some(beyond.unwrap_or(row.id).min(row.id)),
            }
        }
        // Rows still wait here if a number below them has no game. A row beyond the window may come
        // between, so only lower numbers are final.
        let before = |id: &u64| beyond.is_none_or(|beyond| *id < beyond);
        for (_, row) in waiting.iter().take_while(|(id, _)| before(id)) {
            each(row);
        }
        match beyond {
            Some(id) => next = id,
            None => return Ok(()),
        }
    }
}

#[derive(Debug)]
pub(in crate::runs) struct Journal {
    path: PathBuf,
    file: File,
    length: u64,
    /// Device and inode, which stay equal if the file is moved.
    identity: (u64, u64),
}

impl Journal {
    pub fn create(run: &Path, shape: RowShape) -> Result<Self, RunFileError> {
        let path = run.join(JOURNAL);
        let file = OpenOptions::new().create_new(true).append(true).open(&path);
        let mut journal = Self::around(path, file)?;
        journal.write(&GameRow::header(shape))?;
        Ok(journal)
    }

    /// Opens the journal of a resumed run. The file must end with a whole row.
    pub fn open(run: &Path) -> Result<Self, RunFileError> {
        let path = run.join(JOURNAL);
        let file = OpenOptions::new().append(true).open(&path);
        Self::around(path, file)
    }

    fn around(path: PathBuf, file: io::Result<File>) -> Result<Self, RunFileError> {
        let opened = file.and_then(|file| {
            let metadata = file.metadata()?;
            Ok((file, metadata))
        });
        match opened {
            Ok((file, metadata)) => Ok(Self {
                path,
                file,
                length: metadata.len(),
                identity: (metadata.dev(), metadata.ino()),
            }),
            Err(error) => Err(RunFileError::new(path, RunFileProblem::Write(error))),
        }
    }

    /// Adds a row in one write. On failure the journal is truncated to its whole rows.
    pub fn append(&mut self, row: &[u8]) -> Result<(), RunFileError> {
        // The descriptor still accepts writes after the file was moved or removed.
        let there = fs::metadata(&self.path)
            .is_ok_and(|metadata| (metadata.dev(), metadata.ino()) == self.identity);
        if !there {
            return Err(RunFileError::new(&self.path, RunFileProblem::Gone));
        }
        self.write(row)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RunFileError> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.length += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                // A full disk may take a part of the row; truncating needs no space. If it fails all the
                // same, resuming the run cuts off the torn row.
                let _ = self.file.set_len(self.length);
                Err(RunFileError::new(&self.path, RunFileProblem::Write(error)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::BUILT_IN;
    use crate::runs::GameRow;

    fn read(lines: &[&[u8]]) -> Result<Vec<GameRow>, RunFileError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.csv");
        std::fs::write(&path, lines.concat()).expect("written");
        Rows::open(&path, BUILT_IN)?.collect()
    }

    #[test]
    fn columns_that_contradict_each_other_are_refused() {
        const RIGHT: &str = "0,cachex,size=3,0,a,b,red,1.0,0.0,,,rules,,connection,,,,,,,5,00,,,1,1,1,0,1,1,0,,,,,,,,1,2\n";
        assert_eq!(
            read(&[&GameRow::header(RowShape::OF_TWO), RIGHT.as_bytes()])
                .expect("right")
                .len(),
            1
        );
        for row in [
            "red | green | `winner` is `green`: expected red, blue, draw or none",
            "1.0,0.0 | 0.0,1.0 | `first_points` is `0.0`, and should be `1.0`",
            "connection,,, | connection,exited,, | `winner` is `red`, and should be `blue`",
            "rules,, | crash,c, | `forfeited_by` is `c`, and should be ``",
            "connection,,, | connection,bored,, | `first_fault` is `bored`",
            "connection,,, | connection,,,it slept | `first_detail` is `it slept`",
            "rules,, | ruins,, | `termination` is `ruins`",
            "red,1.0 | none,0.0 | `forfeited_by` is ``, and should be `both`",
            "connection | luck | `reason` is `luck`",
            // A rule of another game.
            "connection | score60 | `reason` is `score60`",
            "a,b | a,a | expected two players",
            "0,cachex | 0,shogi | `game` is `shogi`",
        ] {
            let mut parts = row.split(" | ");
            let [right, wrong, said] = std::array::from_fn(|_| parts.next().expect("a row"));
            let row = RIGHT.replace(right, wrong);
            let error =
                read(&[&GameRow::header(RowShape::OF_TWO), row.as_bytes()]).expect_err(wrong);
            assert!(error.to_string().contains(said), "{error}");
        }
    }

    /// In any order, with gaps, and further out of order than the window is wide.
    #[test]
    fn games_are_read_in_the_order_of_their_numbers() {
        const REST: &str = "cachex,size=3,0,a,b,red,1.0,0.0,,,rules,,connection,,,,,,,5,00,,,1,1,1,0,1,1,0,,,,,,,,1,2";
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.csv");
        let late = 3 * WINDOW;
        for ids in [
            vec![],
            vec![5],
            (0..late).rev().collect(),
            (2..late).step_by(3).chain((0..late).step_by(3)).collect(),
            (1..late).chain([late + WINDOW, u64::MAX, 0]).collect(),
            (0..late).map(|id| id ^ 1).collect::<Vec<u64>>(),
        ] {
            let mut text = String::from_utf8(GameRow::header(RowShape::OF_TWO)).expect("text");
            text.extend(ids.iter().map(|id| format!("{id},{REST}\n")));
            std::fs::write(&path, text).expect("written");
            let mut shown = Vec::new();
            games_in_order(&path, BUILT_IN, &mut |row| shown.push(row.id)).expect("read");
            let mut sorted = ids;
            sorted.sort_unstable();
            assert!(shown == sorted, "{} games", sorted.len());
        }
    }
}
