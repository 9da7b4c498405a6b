//! Reasons to refuse a submission, worded for the student who can fix it.

use std::fmt;

use super::limits::UnpackLimits;
use crate::grade::intake::shown;
use crate::text;

/// Refusal of a submission: one line with the entry, the flaw and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Name of the entry, if the flaw concerns one. It may be hostile.
    pub entry: Option<String>,
    /// The flaw.
    pub flaw: Flaw,
}

/// Flaw of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// A path from the root of a disk.
    Absolute,
    /// A path with `..`.
    Parent,
    /// A symbolic link.
    Symlink,
    /// A hard link.
    HardLink,
    /// A device, a FIFO or a socket.
    Device(&'static str),
    /// A member of a kind that programs do not need.
    UnknownKind,
    /// A path that is too long.
    LongPath(usize),
    /// Folders nested too deep.
    Deep(usize),
    /// A second file of this name.
    Twice,
    /// A name that differs from another in case only.
    CaseOnly(String),
    /// A file and a folder of one name.
    FileAndFolder,
    /// A member that needs a password.
    Encrypted,
    /// A member with an unsupported compression.
    Compression,
    /// A damaged or truncated member.
    DamagedMember(String),
    /// A damaged or truncated archive.
    Damaged(String),
    /// An unsupported kind of archive.
    OtherArchive(&'static str),
    /// A supported kind of archive under another kind's extension.
    OtherEnding(&'static str),
    /// Neither a folder nor an archive.
    NoArchive,
    /// No file inside.
    Empty,
    /// Too many files and folders.
    ManyFiles(u32),
    /// Too many bytes.
    ManyBytes(u64),
}

impl Refusal {
    pub(super) fn new(flaw: Flaw) -> Self {
        Self { entry: None, flaw }
    }

    pub(super) fn of(entry: &str, flaw: Flaw) -> Self {
        Self {
            entry: Some(entry.to_owned()),
            flaw,
        }
    }

    pub(super) fn many_files(limits: &UnpackLimits) -> Self {
        Self::new(Flaw::ManyFiles(limits.files))
    }

    pub(super) fn many_bytes(limits: &UnpackLimits) -> Self {
        Self::new(Flaw::ManyBytes(limits.bytes))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.entry {
            Some(entry) => write!(f, "`{}` {}", shown(entry), self.flaw),
            None => write!(f, "it {}", self.flaw),
        }
    }
}

/// Predicate of a sentence about the entry.
impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absolute => f.write_str(
                "is a path from the root of a disk: pack the folder itself, so that paths begin inside it",
            ),
            Self::Parent => f.write_str(
                "leads out of the folder with `..`: pack the folder itself, so that paths begin inside it",
            ),
            Self::Symlink => f.write_str("is a symbolic link: put the file itself there"),
            Self::HardLink => f.write_str("is a hard link: put the file itself there"),
            Self::Device(kind) => write!(f, "is a {kind}: only files and folders are taken, leave it out"),
            Self::UnknownKind => {
                f.write_str("is neither a file nor a folder, or a sparse file: send a .zip, or leave it out")
            }
            Self::LongPath(most) => {
                write!(f, "has a path of more than {most} characters: give it a shorter name")
            }
            Self::Deep(most) => write!(f, "lies more than {most} folders deep: move it up"),
            Self::Twice => f.write_str("is in the archive twice: pack the folder again, as a new archive"),
            Self::CaseOnly(other) => write!(
                f,
                "differs from `{}` by upper and lower case only: rename one of them",
                shown(other)
            ),
            Self::FileAndFolder => {
                f.write_str("is a file and a folder at once: pack the folder again, as a new archive")
            }
            Self::Encrypted => f.write_str("is encrypted: pack the folder again, without a password"),
            Self::Compression => f.write_str(
                "is compressed in an uncommon way: pack the folder again as a plain .zip (\"deflate\")",
            ),
            Self::DamagedMember(why) => write!(
                f,
                "is damaged or cut off ({}): pack the folder again, and open the archive before you send it",
                text::excerpt(why, 80)
            ),
            Self::Damaged(why) => write!(
                f,
                "is a damaged or cut off archive ({}): pack the folder again, and open the archive before you \
                 send it",
                text::excerpt(why, 80)
            ),
            Self::OtherArchive(kind) => write!(f, "is a {kind} archive: send a .zip or .tar.gz"),
            Self::OtherEnding(kind) => {
                write!(f, "is a {kind} archive under another ending: name it what it is")
            }
            Self::NoArchive => f.write_str("is neither a folder nor an archive: send a .zip or .tar.gz"),
            Self::Empty => f.write_str("holds no file: send the folder with the program"),
            Self::ManyFiles(most) => write!(
                f,
                "holds more than {most} files and folders: leave out what was installed or built"
            ),
            Self::ManyBytes(most) => write!(
                f,
                "holds more than {} MiB when unpacked: leave out what was installed, built or recorded",
                most >> 20
            ),
        }
    }
}
