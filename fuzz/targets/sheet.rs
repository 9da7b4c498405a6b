//! Sheets of a learning-management system, which are filled in.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use referee::grade::sheet::fill;

fuzz_target!(|bytes: &[u8]| {
    let marks = BTreeMap::from([
        ("1".to_owned(), Some("2.50".to_owned())),
        ("2".to_owned(), None),
    ]);
    if let Ok(filled) = fill(bytes, "ID", "Mark", &marks) {
        // What was filled in can be filled in again, and stays.
        assert_eq!(fill(&filled.bytes, "ID", "Mark", &marks), Ok(filled));
    }
});
