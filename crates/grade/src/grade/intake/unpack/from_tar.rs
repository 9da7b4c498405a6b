//! Unpacks a submission that is a `.tar` or a `.tar.gz`.

use std::cell::Cell;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use tar::EntryType;

use super::name::decoded;
use super::tree::Tree;
use super::{Flaw, Refusal, UnpackError, at};

/// Maximum bytes between two file contents, or after the last: headers with long names, padding. `tar` holds
/// headers in memory, and a compressed header can be of any length.
const MOST_BETWEEN: u64 = 1 << 20;

pub(super) fn unpack<R: Read>(
    path: &Path,
    open: impl Fn() -> Result<R, UnpackError>,
    tree: &mut Tree,
) -> Result<(), UnpackError> {
    // First pass: find virtual environments. Errors show again in the second pass.
    let _ = each_member(path, open()?, tree, &mut |tree, entry, name| {
        tree.find_environment(name);
        Ok(Content::Skipped(entry.size()))
    });
    each_member(path, open()?, tree, &mut |tree, entry, name| {
        take(path, tree, entry, name)
    })
}

enum Content {
    Read,
    Skipped(u64),
}

type Member<'a, R> = tar::Entry<'a, Bounded<R>>;

type Each<'e, R> =
    dyn FnMut(&mut Tree, &mut Member<'_, R>, &str) -> Result<Content, UnpackError> + 'e;

fn each_member<R: Read>(
    path: &Path,
    from: R,
    tree: &mut Tree,
    each: &mut Each<'_, R>,
) -> Result<(), UnpackError> {
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
        let name = decoded(&entry.path_bytes()).into_owned();
        allowance.set(u64::MAX);
        let between = match each(tree, &mut entry, &name)? {
            Content::Read => 0,
            Content::Skipped(size) => size,
        };
        skipped = skipped.saturating_add(between);
        if skipped > tree.limits().skipped() {
            return Err(Refusal::many_bytes(tree.limits()).into());
        }
        allowance.set(between + MOST_BETWEEN);
    }
    // Read to the end: gzip has its checksum there.
    let mut rest = archive.into_inner();
    io::copy(&mut rest, &mut io::sink()).map_err(damaged)?;
    Ok(())
}

fn take<R: Read>(
    path: &Path,
    tree: &mut Tree,
    entry: &mut Member<'_, R>,
    shown: &str,
) -> Result<Content, UnpackError> {
    let kind = entry.header().entry_type();
    let size = entry.size();
    if kind.is_pax_global_extensions() {
        return Ok(Content::Skipped(size));
    }
    let Some(name) = tree.name(shown)? else {
        return Ok(Content::Skipped(size));
    };
    let is_folder = kind.is_dir() || shown.ends_with(['/', '\\']);
    match kind {
        EntryType::Regular | EntryType::Continuous if !is_folder => {
            let executable = entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0);
            if tree.file(&name, executable, entry, path)? != size {
                let why = "the archive ends within it".to_owned();
                return Err(Refusal::of(shown, Flaw::DamagedMember(why)).into());
            }
            Ok(Content::Read)
        }
        EntryType::Regular | EntryType::Continuous | EntryType::Directory => {
            tree.folder(&name)?;
            Ok(Content::Skipped(size))
        }
        other => Err(Refusal::of(shown, flaw(other)).into()),
    }
}

fn flaw(kind: EntryType) -> Flaw {
    match kind {
        EntryType::Symlink => Flaw::Symlink,
        EntryType::Link => Flaw::HardLink,
        EntryType::Fifo => Flaw::Device("FIFO"),
        EntryType::Char | EntryType::Block => Flaw::Device("device"),
        _ => Flaw::UnknownKind,
    }
}

/// Reader that fails beyond its current allowance.
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
