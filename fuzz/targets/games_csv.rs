//! Journals that somebody else wrote.
#![no_main]

use libfuzzer_sys::fuzz_target;
use referee::record::read_games;
use referee::report::{Results, ratings_csv};

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = tempfile::NamedTempFile::new() else {
        return;
    };
    if std::fs::write(file.path(), bytes).is_err() {
        return;
    }
    if let Ok(rows) = read_games(file.path()) {
        let mut results = Results::default();
        for row in &rows {
            results.add(row);
        }
        ratings_csv(&results);
    }
});
