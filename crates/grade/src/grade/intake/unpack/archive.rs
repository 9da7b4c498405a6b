//! Detects the kind of an archive: by its first bytes, where its name is an archive's.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::tree::Tree;
use super::{Flaw, Refusal, UnpackError, at, from_tar, from_zip};
use crate::grade::intake::shown;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Zip,
    TarGz,
    Tar,
}

const ENDINGS: [(&str, Kind); 4] = [
    (".zip", Kind::Zip),
    (".tar.gz", Kind::TarGz),
    (".tgz", Kind::TarGz),
    (".tar", Kind::Tar),
];

const OTHERS: [(&[u8], &str); 5] = [
    (b"Rar!\x1a\x07", ".rar"),
    (b"7z\xbc\xaf\x27\x1c", ".7z"),
    (b"\xfd7zXZ\0", ".xz"),
    (b"BZh", ".bz2"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
];

enum Content {
    Empty,
    Kind(Kind),
    Other(&'static str),
    Unknown,
}

pub fn without_ending(name: &str) -> Option<&str> {
    let endings = ENDINGS.iter().map(|(ending, _)| *ending);
    let others = OTHERS.iter().map(|(_, ending)| *ending);
    let has = |ending: &str| {
        let start = name.len().checked_sub(ending.len())?;
        let (stem, end) = name.split_at_checked(start)?;
        end.eq_ignore_ascii_case(ending).then_some(stem)
    };
    endings.chain(others).find_map(has)
}

pub(super) fn unpack(path: &Path, tree: &mut Tree) -> Result<(), UnpackError> {
    let open = || File::open(path).map(BufReader::new).map_err(at(path));
    let length = fs::metadata(path).map_err(at(path))?.len();
    if length > tree.limits().skipped() {
        return Err(Refusal::many_bytes(tree.limits()).into());
    }
    match kind(path, tree)? {
        Kind::Zip => from_zip::unpack(path, open()?, tree),
        Kind::TarGz => from_tar::unpack(path, || Ok(MultiGzDecoder::new(open()?)), tree),
        Kind::Tar => from_tar::unpack(path, open, tree),
    }
}

fn kind(path: &Path, tree: &mut Tree) -> Result<Kind, UnpackError> {
    let refused = |flaw| Err(Refusal::new(flaw).into());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folded = name.to_ascii_lowercase();
    let mut endings = ENDINGS.iter();
    let named = endings.find(|(ending, _)| folded.ends_with(ending));
    let named = named.map(|(_, kind)| *kind);
    match content(path)? {
        Content::Other(kind) => refused(Flaw::OtherArchive(kind)),
        Content::Empty => refused(Flaw::Empty),
        Content::Kind(kind) if without_ending(&name).is_some() => {
            let own = ENDINGS.iter().find(|(_, of)| *of == kind);
            if let Some((ending, _)) = own.filter(|_| named != Some(kind)) {
                let name = shown(&name);
                tree.notes.push(format!(
                    "`{name}` was unpacked as the {ending} archive that it is"
                ));
            }
            Ok(kind)
        }
        Content::Kind(_) | Content::Unknown => match named {
            Some(named) => Ok(named),
            None => refused(Flaw::NoArchive),
        },
    }
}

fn content(path: &Path) -> Result<Content, UnpackError> {
    let mut start = Vec::new();
    let file = File::open(path).map_err(at(path))?;
    file.take(512).read_to_end(&mut start).map_err(at(path))?;
    let other = OTHERS.iter().find(|(magic, _)| start.starts_with(magic));
    Ok(match other {
        Some((_, kind)) => Content::Other(kind),
        None if start.is_empty() => Content::Empty,
        None if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") => {
            Content::Kind(Kind::Zip)
        }
        None if start.starts_with(b"\x1f\x8b") => Content::Kind(Kind::TarGz),
        None if start.get(257..262) == Some(b"ustar") => Content::Kind(Kind::Tar),
        None => Content::Unknown,
    })
}
