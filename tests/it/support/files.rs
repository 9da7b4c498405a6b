//! The files of a folder.

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    files
}

pub fn copy_folder(from: &Path, to: &Path) {
    for file in files_below(from) {
        let copy = to.join(file.strip_prefix(from).expect("inside"));
        std::fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        std::fs::copy(file, copy).expect("copied");
    }
}

/// Whether the name of a file has this ending, such as `rs`.
pub fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|ending| ending == extension)
}

/// How many lines a file has; none if it is not there.
pub fn lines(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

pub fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}
