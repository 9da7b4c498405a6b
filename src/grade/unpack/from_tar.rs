//! A submission that is a `.tar` or a `.tar.gz`.

use std::cell::Cell;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use tar::EntryType;

use super::flaw::{Flaw, Refusal};
use super::name::EntryName;
use super::tree::Tree;
use super::{UnpackError, at};

/// How much may lie between the contents of two files, or after the last: headers with long names, padding.
/// The reader of archives keeps the headers in memory, and a compressed one can be of any length.
const MOST_BETWEEN: u64 = 1 << 20;

/// Unpacks an archive, which may be compressed.
pub(super) fn unpack(path: &Path, from: impl Read, tree: &mut Tree) -> Result<(), UnpackError> {
    let damaged = |error: io::Error| match error.raw_os_error() {
        Some(_) => at(path)(error),
        None => Refusal::new(Flaw::Damaged(error.to_string())).into(),
    };
    let allowance = Rc::new(Cell::new(MOST_BETWEEN));
    let mut archive = tar::Archive::new(Bounded {
        from,
        allowance: Rc::clone(&allowance),
    });
    let mut seen = 0;
    let mut skipped = 0_u64;
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        seen += 1;
        if seen > tree.limits().entries() {
            return Err(Refusal::many_files(tree.limits()).into());
        }
        let name = EntryName::parse(&entry.path_bytes(), tree.limits())?;
        let shown = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let kind = entry.header().entry_type();
        let size = entry.size();
        let is_left_out = name.is_left_out() || kind.is_pax_global_extensions();
        let is_folder = kind.is_dir() || shown.ends_with(['/', '\\']);
        match kind {
            EntryType::Regular | EntryType::Continuous if !is_left_out && !is_folder => {
                allowance.set(u64::MAX);
                let executable = entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0);
                if tree.file(&name, executable, &mut entry, path)? != size {
                    let why = "the archive ends within it".to_owned();
                    return Err(Refusal::of(&shown, Flaw::DamagedMember(why)).into());
                }
                allowance.set(MOST_BETWEEN);
                continue;
            }
            _ if is_left_out => {}
            EntryType::Regular | EntryType::Continuous | EntryType::Directory => {
                tree.folder(&name)?;
            }
            other => return Err(Refusal::of(&shown, flaw(other)).into()),
        }
        // What has no content here is skipped.
        skipped = skipped.saturating_add(size);
        if skipped > tree.limits().bytes {
            return Err(Refusal::many_bytes(tree.limits()).into());
        }
        allowance.set(size + MOST_BETWEEN);
    }
    // The digest of what was compressed is at its very end.
    let mut rest = archive.into_inner();
    io::copy(&mut rest, &mut io::sink()).map_err(damaged)?;
    Ok(())
}

/// What is wrong with a member that is neither a file nor a folder.
fn flaw(kind: EntryType) -> Flaw {
    match kind {
        EntryType::Symlink => Flaw::Symlink,
        EntryType::Link => Flaw::HardLink,
        EntryType::Fifo => Flaw::Device("FIFO"),
        EntryType::Char | EntryType::Block => Flaw::Device("device"),
        _ => Flaw::UnknownKind,
    }
}

/// Reads no more than it is allowed at that moment.
struct Bounded<R> {
    from: R,
    allowance: Rc<Cell<u64>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let allowed = self.allowance.get();
        let length = usize::try_from(allowed).map_or(buffer.len(), |most| most.min(buffer.len()));
        if length == 0 && !buffer.is_empty() {
            return Err(io::Error::other(
                "more than 1 MiB of headers or padding in one place",
            ));
        }
        let read = self.from.read(&mut buffer[..length])?;
        self.allowance.set(allowed - read as u64);
        Ok(read)
    }
}
