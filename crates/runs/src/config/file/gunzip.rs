//! Reads files that may be compressed by gzip.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

const BLOCK: usize = 64 << 10;

/// The text of a file. A gzip file is recognised by its first two bytes.
pub fn open_text(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(BLOCK, File::open(path)?);
    Ok(match file.fill_buf()?.starts_with(&MAGIC) {
        true => Box::new(BufReader::with_capacity(
            BLOCK,
            Gunzip(MultiGzDecoder::new(file)),
        )),
        false => Box::new(file),
    })
}

const MAGIC: [u8; 2] = [0x1f, 0x8b];

const FETCH: &str = "fetch or compress the file again";

struct Gunzip<R>(MultiGzDecoder<R>);

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(in_words)
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
