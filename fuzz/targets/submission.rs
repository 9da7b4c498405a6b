//! What students hand in: archives, and the roster of a class.
#![no_main]

use std::fs;

use libfuzzer_sys::fuzz_target;
use referee::grade::{Roster, UnpackLimits, unpack};

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = UnpackLimits {
        files: 100,
        bytes: 1 << 20,
        ..UnpackLimits::default()
    };
    for name in ["a.zip", "a.tar", "a.tar.gz"] {
        let archive = folder.path().join(name);
        fs::write(&archive, bytes).expect("written");
        let to = folder.path().join("unpacked");
        if unpack(&archive, &to, &limits, &[], None).is_ok() {
            fs::remove_dir_all(&to).expect("removed");
        }
        assert!(!to.exists(), "something is left");
    }
    let roster = folder.path().join("roster.csv");
    fs::write(&roster, bytes).expect("written");
    if let Ok((roster, _)) = Roster::read(&roster, &jiff::tz::TimeZone::UTC, &[]) {
        let members: usize = roster.entrants().iter().map(|it| it.members.len()).sum();
        assert_eq!(members, roster.students.len());
    }
});
