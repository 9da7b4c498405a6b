//! Finds the folders where a Python interpreter looks for installed packages.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use wait_timeout::ChildExt;

use crate::bot::environment::passed_on;
use crate::bot::supervise;

/// Prints each entry of `sys.path` except the standard library, NUL-terminated. Run with `-I`, as the caller's folder
/// and variables would be among the entries otherwise.
const SCRIPT: &str = "import sys, sysconfig\n\
    own = [sysconfig.get_path(name) for name in ('stdlib', 'platstdlib')]\n\
    for place in sys.path:\n    \
    if place not in own and not place.endswith(('.zip', 'lib-dynload')): sys.stdout.write(place + '\\0')\n";

/// Timeout for the interpreter's answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Maximum bytes read of its answer.
const LONGEST: u64 = 32 << 10;

/// The folders where the interpreter `program` finds installed packages; empty if it is not Python or does not
/// answer. Runs `program` unconfined, so it must not be a file that a bot's author could have written.
pub fn package_places(program: &Path) -> Vec<PathBuf> {
    let name = program.file_name().unwrap_or_default();
    if !["python", "pypy"]
        .iter()
        .any(|known| name.as_bytes().starts_with(known.as_bytes()))
    {
        return Vec::new();
    }
    let answer = ask(program).unwrap_or_default();
    let places = answer.split(|byte| *byte == 0);
    places
        .filter(|place| !place.is_empty())
        .map(|place| PathBuf::from(OsStr::from_bytes(place)))
        .collect()
}

fn ask(program: &Path) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    command
        .args(["-I", "-B", "-c", SCRIPT])
        .env_clear()
        .envs(passed_on())
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = supervise::spawn(&mut command).ok()?;
    // The answer fits into the pipe, so the process ends without a reader.
    let ended = child.wait_timeout(PATIENCE).ok().flatten();
    if ended.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let mut answer = Vec::new();
    let output = child.stdout.take()?;
    output.take(LONGEST).read_to_end(&mut answer).ok()?;
    ended.filter(|status| status.success()).map(|_| answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_python_is_not_run() {
        assert_eq!(package_places(Path::new("/bin/sh")), Vec::<PathBuf>::new());
        let missing = Path::new("/no/such/python3");
        assert_eq!(package_places(missing), Vec::<PathBuf>::new());
    }
}
