//! Results that somebody else wrote: journals, plain tables, PGN, compressed or not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use referee::game::BUILT_IN;
use referee::report::{NotesOn, ratings, warnings};
use referee::results::{BadRows, ResultRow, Results, Settings, read_results};
use referee::runs::Rows;

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = tempfile::NamedTempFile::new() else {
        return;
    };
    if std::fs::write(file.path(), bytes).is_err() {
        return;
    }
    let _ = Rows::open(file.path(), BUILT_IN).map(Iterator::count);
    let mut results = Results::default();
    let mut add = |row: &ResultRow<'_>| {
        assert!(
            row.names
                .clone()
                .pair()
                .is_none_or(|[first, second]| first != second)
        );
        assert!(row.names.iter().all(|(_, name)| !name.is_empty()));
        results.add(row);
    };
    if read_results(file.path(), 0, BadRows::Skip, &mut add, &mut |_| ()).is_ok() {
        let settings = Settings::default();
        let rated = results.rate(&settings);
        ratings(&rated).csv();
        for one in &rated {
            warnings(one, NotesOn::Screen);
        }
    }
});
