//! Reads files that may be compressed by gzip or Zstandard.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

const BLOCK: usize = 64 << 10;

/// The text of a file. A compressed one is recognised by its first bytes.
pub fn open_text(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(BLOCK, File::open(path)?);
    let begin = file.fill_buf()?;
    if begin.starts_with(b"\xff\xfe") || begin.starts_with(b"\xfe\xff") {
        return Err(io::Error::other("it is UTF-16 text: save it as UTF-8"));
    }
    let (name, unpacking): (_, Box<dyn Read>) = if begin.starts_with(&GZIP) {
        ("gzip", Box::new(MultiGzDecoder::new(file)))
    } else if begin.starts_with(&ZSTANDARD) {
        ("zstd", Box::new(Frames::Between(file)))
    } else {
        return Ok(Box::new(file));
    };
    let unpacked = Unpacked { name, unpacking };
    Ok(Box::new(BufReader::with_capacity(BLOCK, unpacked)))
}

/// Magic numbers of a member of gzip, and of a frame of Zstandard.
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

const FETCH: &str = "fetch or compress the file again";

struct Unpacked {
    name: &'static str,
    unpacking: Box<dyn Read>,
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let name = self.name;
        self.unpacking
            .read(buffer)
            .map_err(|error| in_words(name, error))
    }
}

enum Frames<R: BufRead> {
    In(Box<StreamingDecoder<R, FrameDecoder>>),
    Between(R),
    /// After an error.
    Nowhere,
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Self::In(frame) = self {
                match frame.read(buffer)? {
                    0 if !buffer.is_empty() => {}
                    count => return Ok(count),
                }
            }
            let mut input = match std::mem::replace(self, Self::Nowhere) {
                Self::In(frame) => frame.into_inner(),
                Self::Between(input) => input,
                Self::Nowhere => return Ok(0),
            };
            if input.fill_buf()?.is_empty() {
                return Ok(0);
            }
            let frame = StreamingDecoder::new(input).map_err(io::Error::other)?;
            *self = Self::In(Box::new(frame));
        }
    }
}

/// Rewords errors of the decoder. An error with an OS error number, or an interrupt, comes from reading the
/// file and stays as it is.
fn in_words(name: &str, error: io::Error) -> io::Error {
    match error.kind() {
        _ if error.raw_os_error().is_some() => error,
        io::ErrorKind::Interrupted => error,
        io::ErrorKind::UnexpectedEof => {
            io::Error::other(format!("its {name} data end too early: {FETCH}"))
        }
        _ => io::Error::other(format!("its {name} data are damaged ({error}): {FETCH}")),
    }
}
