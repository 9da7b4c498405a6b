//! Reads files that may be compressed by gzip.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::GzDecoder;

/// Bytes that are read at once.
const BLOCK: usize = 64 << 10;

/// The text of a file. A gzip file is recognised by its first two bytes.
///
/// # Errors
/// It cannot be read.
pub fn open_text(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(BLOCK, File::open(path)?);
    Ok(match file.fill_buf()?.starts_with(&MAGIC) {
        true => Box::new(BufReader::with_capacity(BLOCK, Gunzip::new(file))),
        false => Box::new(file),
    })
}

/// Magic number of a gzip member.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Advice for damaged data.
const FETCH: &str = "fetch or compress the file again";

/// Decompressing reader.
struct Gunzip<R>(State<R>);

enum State<R> {
    Member(GzDecoder<R>),
    /// After the last member, or after an error.
    End,
}

impl<R: BufRead> Gunzip<R> {
    pub fn new(file: R) -> Self {
        Self(State::Member(GzDecoder::new(file)))
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let State::Member(member) = &mut self.0 else {
                return Ok(0);
            };
            match member.read(buffer) {
                Ok(0) if !buffer.is_empty() => {}
                read => return read.map_err(in_words),
            }
            let State::Member(member) = std::mem::replace(&mut self.0, State::End) else {
                return Ok(0);
            };
            let mut file = member.into_inner();
            if file.fill_buf()?.starts_with(&MAGIC[..1]) {
                self.0 = State::Member(GzDecoder::new(file));
            } else {
                zeros_to_the_end(file)?;
            }
        }
    }
}

fn zeros_to_the_end(mut file: impl BufRead) -> io::Result<()> {
    loop {
        let bytes = file.fill_buf()?;
        let length = bytes.len();
        if bytes.iter().any(|byte| *byte != 0) {
            return Err(io::Error::other(format!(
                "something that is not gzip follows its gzip data: {FETCH}"
            )));
        }
        if length == 0 {
            return Ok(());
        }
        file.consume(length);
    }
}

/// Rewords errors of the decoder. An error with an OS error number, or an interrupt, comes from reading the
/// file and stays as it is.
fn in_words(error: io::Error) -> io::Error {
    match error.kind() {
        _ if error.raw_os_error().is_some() => error,
        io::ErrorKind::Interrupted => error,
        io::ErrorKind::UnexpectedEof => {
            io::Error::other(format!("its gzip data end too early: {FETCH}"))
        }
        _ => io::Error::other(format!("its gzip data are damaged ({error}): {FETCH}")),
    }
}
