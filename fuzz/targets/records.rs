//! The folder of a run, as `verify` and `replay` read it: its manifest, its journal, and the log of a
//! game.
#![no_main]

use std::fs::{create_dir_all, write};
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use referee::game::BUILT_IN;
use referee::runs::Run;

const MANIFEST: &[u8] = include_bytes!("../../results/sample/manifest.toml");
const JOURNAL: &[u8] = include_bytes!("../../results/sample/games.csv");

/// Reads everything of a run.
fn read(folder: &Path, manifest: &[u8], journal: &[u8], log: &[u8]) {
    let logs = folder.join("games/0000");
    let written = create_dir_all(&logs)
        .and_then(|()| write(folder.join("manifest.toml"), manifest))
        .and_then(|()| write(folder.join("games.csv"), journal))
        .and_then(|()| write(logs.join("000000.csv"), log));
    if written.is_err() {
        return;
    }
    let Ok(run) = Run::open(folder, BUILT_IN) else {
        return;
    };
    let Ok(rows) = run.rows() else { return };
    for row in rows.take(3).flatten() {
        if let Ok(recording) = run.recording_of(row) {
            let _ = recording.play_again(&[], &mut |_| Ok(()));
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else {
        return;
    };
    read(folder.path(), bytes, JOURNAL, b"");
    read(folder.path(), MANIFEST, bytes, b"");
    read(folder.path(), MANIFEST, JOURNAL, bytes);
});
