//! The folder of a run, as `verify` and `replay` read it: the manifest, and the log of a game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use referee::record::{Conditions, Recorded, read_log};

fuzz_target!(|bytes: &[u8]| {
    let Ok(run) = tempfile::tempdir() else {
        return;
    };
    let logs = run.path().join("games/0000");
    let written = std::fs::create_dir_all(&logs)
        .and_then(|()| std::fs::write(run.path().join("manifest.toml"), bytes))
        .and_then(|()| std::fs::write(logs.join("000000.csv"), bytes));
    if written.is_ok() {
        let _ = Recorded::read(run.path());
        let _ = Conditions::read(run.path());
        let _ = read_log(run.path(), 0);
    }
});
