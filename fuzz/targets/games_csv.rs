//! Results that somebody else wrote: journals, plain tables, PGN headers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use referee::record::{BadRows, ResultRow, Rows, read_results};
use referee::report::{Results, Settings, ratings};

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = tempfile::NamedTempFile::new() else {
        return;
    };
    if std::fs::write(file.path(), bytes).is_err() {
        return;
    }
    let _ = Rows::open(file.path()).map(Iterator::count);
    let mut results = Results::default();
    let mut add = |row: &ResultRow<'_>| results.add(row);
    if read_results(file.path(), 0, BadRows::Skip, &mut add, &mut |_| ()).is_ok() {
        ratings(&results.rate(&Settings::default())).csv();
    }
});
