//! A new folder, its name, and the line that its maker types next.

use std::path::Path;

use super::kits::NewFile;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::runs::{RunFileError, RunFileProblem, make_parent, write_whole};

/// Writes the files into a new folder, or into an empty one.
pub fn write(name: &str, files: &[NewFile]) -> Result<(), Failure> {
    let folder = Path::new(name);
    refuse_content(folder)?;
    for (file, text) in files {
        let path = folder.join(file);
        make_parent(&path)?;
        write_whole(&path, &mut |file| file.write_all(text.as_bytes()))?;
    }
    Ok(())
}

/// Refuses to write where something is.
fn refuse_content(folder: &Path) -> Result<(), Failure> {
    let Ok(metadata) = folder.symlink_metadata() else {
        return Ok(());
    };
    let is_empty = metadata.is_dir() && {
        let entries = std::fs::read_dir(folder);
        let mut entries = entries.map_err(RunFileError::at(folder, RunFileProblem::Read))?;
        entries.next().is_none()
    };
    if is_empty {
        return Ok(());
    }
    let problem = format!(
        "{}: it is already there, and nothing is overwritten; take another name, or remove it first",
        folder.display()
    );
    Err(Failure::new(Exit::Usage, problem))
}

/// Prints what the new folder has, the line to type next, and the steps after it.
pub fn tell([made, next, then]: &[String; 3]) -> Result<Exit, Failure> {
    print(&format!("{made} Next:\n\n    {}\n\n{then}\n", typed(next)))?;
    Ok(Exit::Done)
}

/// A line with this program called as it was called now.
fn typed(line: &str) -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    let has_folder = Path::new(&called).components().count() > 1;
    let path = has_folder.then(|| std::path::absolute(&called)).transpose();
    let Ok(Some(path)) = path else {
        return line.to_owned();
    };
    let path = path.to_string_lossy();
    match shlex::try_quote(&path) {
        Ok(quoted) => line.replace("referee ", &format!("{quoted} ")),
        // Only a path with a zero byte has no quoted form, and no argument has one.
        Err(_) => line.to_owned(),
    }
}

/// A name of a folder that is also the name of a game, a player or a run.
pub fn parse_name(text: &str) -> Result<String, String> {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = text.starts_with(|first: char| first.is_ascii_lowercase());
    if begins && text.len() <= 64 && text.bytes().all(is_allowed) {
        Ok(text.to_owned())
    } else {
        Err("expected 1 to 64 characters of a-z, 0-9 and -, the first a letter".to_owned())
    }
}
