//! Unpacks a submission that is a `.zip`.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use zip::read::Config;
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, ZipReadOptions};

use super::tree::Tree;
use super::{Flaw, Refusal, UnpackError, at};

// The stable reader merges entries of one name, and allocates a record for each of a million entries.

const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const NONE: u32 = 0;

pub(super) fn unpack(
    path: &Path,
    file: BufReader<File>,
    tree: &mut Tree,
) -> Result<(), UnpackError> {
    let damaged = |error| zip_error(error, path, |why| Refusal::new(Flaw::Damaged(why)));
    let mut contents = BufReader::new(File::open(path).map_err(at(path))?);
    let mut archive = ZipIterable::try_new(file, Config::default()).map_err(damaged)?;
    if archive.len() > tree.limits().entries() {
        return Err(Refusal::many_files(tree.limits()).into());
    }
    for entry in archive.files().map_err(damaged)? {
        let entry = entry.map_err(damaged)?;
        tree.find_environment(&entry.name().map_err(damaged)?);
    }
    for entry in archive.files().map_err(damaged)? {
        let entry = entry.map_err(damaged)?;
        // Decoded by the UTF-8 flag and the Unicode extra field, else as UTF-8, else as code page 437.
        let shown = entry.name().map_err(damaged)?.into_owned();
        let Some(name) = tree.name(&shown)? else {
            continue;
        };
        let mode = entry.external_attributes() >> 16;
        if mode & KIND == FOLDER || shown.ends_with(['/', '\\']) {
            tree.folder(&name)?;
            continue;
        }
        let flaw = flaw(mode & KIND, entry.encrypted(), entry.compression());
        if let Some(flaw) = flaw {
            return Err(Refusal::of(&shown, flaw).into());
        }
        let damaged = |error| {
            zip_error(error, path, |why| {
                Refusal::of(&shown, Flaw::DamagedMember(why))
            })
        };
        let mut content = entry
            .with_reader(&mut contents, ZipReadOptions::default())
            .map_err(damaged)?;
        tree.file(&name, mode & 0o100 != 0, &mut content, path)?;
    }
    Ok(())
}

fn flaw(kind: u32, encrypted: bool, compression: CompressionMethod) -> Option<Flaw> {
    let is_known = matches!(
        compression,
        CompressionMethod::Stored | CompressionMethod::Deflated
    );
    match kind {
        NONE | FILE if encrypted => Some(Flaw::Encrypted),
        NONE | FILE if !is_known => Some(Flaw::Compression),
        NONE | FILE => None,
        0o120_000 => Some(Flaw::Symlink),
        0o010_000 => Some(Flaw::Device("FIFO")),
        0o140_000 => Some(Flaw::Device("socket")),
        0o020_000 | 0o060_000 => Some(Flaw::Device("device")),
        _ => Some(Flaw::UnknownKind),
    }
}

/// A read error is the author's fault, unless the system reports it.
fn zip_error(error: ZipError, path: &Path, refusal: impl Fn(String) -> Refusal) -> UnpackError {
    match error {
        ZipError::Io(error) if error.raw_os_error().is_some() => at(path)(error),
        error => refusal(error.to_string()).into(),
    }
}
