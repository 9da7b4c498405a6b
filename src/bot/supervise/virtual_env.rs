//! Python virtual environments: paths that must be visible to a bot whose interpreter is in one.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file that marks a virtual environment. Python looks for it in the interpreter's parent folders.
const SETTINGS: &str = "pyvenv.cfg";

/// Maximum bytes read of it.
const LONGEST: u64 = 64 << 10;

/// Folders of the virtual environment that contains `program`: its own, and the programs and libraries of its base
/// Python. Empty if `program` is in no virtual environment.
pub(super) fn parts(program: &Path) -> Vec<PathBuf> {
    // Links are not resolved: the interpreter of an environment is a link to its base interpreter.
    let Some(folder) = program.parent().and_then(Path::parent) else {
        return Vec::new();
    };
    let mut settings = String::new();
    let read = File::open(folder.join(SETTINGS))
        .and_then(|file| file.take(LONGEST).read_to_string(&mut settings));
    if read.is_err() {
        return Vec::new();
    }
    let mut parts = vec![folder.to_owned()];
    if let Some(home) = home(&settings) {
        let libraries = home.parent().into_iter().flat_map(|prefix| {
            let folders = ["lib", "lib64"].map(|name| prefix.join(name));
            folders.into_iter().filter(|folder| folder.is_dir())
        });
        parts.extend(libraries);
        parts.push(home);
    }
    parts
}

/// The folder of the base interpreter.
fn home(settings: &str) -> Option<PathBuf> {
    let mut entries = settings.lines().filter_map(|line| line.split_once('='));
    let (_, value) = entries.find(|(key, _)| key.trim() == "home")?;
    Some(PathBuf::from(value.trim())).filter(|home| home.is_absolute() && home.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_an_environment() {
        let temporary = tempfile::tempdir().expect("a folder");
        let root = temporary.path();
        for folder in ["env/bin", "python/bin", "python/lib", "plain/bin"] {
            std::fs::create_dir_all(root.join(folder)).expect("made");
        }
        let settings = |text: &str| {
            let text = text.replace("ROOT", &root.to_string_lossy());
            std::fs::write(root.join("env").join(SETTINGS), text).expect("written");
        };
        let program = root.join("env/bin/python3");
        let env = || root.join("env");
        for (text, parts_of_it) in [
            (
                "home = ROOT/python/bin\nversion = 3.12\n",
                vec![env(), root.join("python/lib"), root.join("python/bin")],
            ),
            ("version = 3.12\n", vec![env()]),
            ("home = python/bin\n", vec![env()]),
            ("home = ROOT/no/such\n", vec![env()]),
            ("", vec![env()]),
        ] {
            settings(text);
            assert_eq!(parts(&program), parts_of_it, "{text}");
        }
        for other in ["plain/bin/python3", "python3", "no/such/python3"] {
            assert_eq!(parts(&root.join(other)), Vec::<PathBuf>::new());
        }
        assert_eq!(parts(Path::new("python3")), Vec::<PathBuf>::new());
    }
}
