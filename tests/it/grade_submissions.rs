//! What comes in: rosters, whose submission is whose, and archives that are not what they should be.

pub mod archives;
mod harmless;
mod hostile;
mod layouts;
mod rosters;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use jiff::tz::TimeZone;
use proptest::prelude::*;
use referee::grade::{IntakeIssue, Roster, UnpackError, UnpackLimits, Unpacked, unpack};

use crate::support::gzipped;
use crate::support::python::python;
use archives::{FILE, PROGRAM, Zipped, member, tar, zip, zip_of};
use hostile::{hostile_archives, make_hostile_folders};

/// Small, so that a test has no large files.
fn limits() -> UnpackLimits {
    UnpackLimits {
        files: 50,
        bytes: 1 << 20,
        path_length: 100,
        depth: 6,
    }
}

/// Everything below a folder: its path, its mode, and its content if it is a file.
fn tree(folder: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut tree = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(here).expect("a folder") {
            let path = entry.expect("an entry").path();
            let metadata = path.symlink_metadata().expect("metadata");
            let content = match metadata.is_file() {
                true => fs::read(&path).expect("read"),
                false => Vec::new(),
            };
            let name = path.strip_prefix(folder).expect("below").to_string_lossy();
            let mode = metadata.permissions().mode() & 0o7777;
            tree.insert(name.into_owned(), (mode, content));
            if metadata.is_dir() {
                folders.push(path);
            }
        }
    }
    tree
}

fn unpacked(from: &Path, to: &Path) -> Result<Unpacked, UnpackError> {
    unpack(from, to, &limits(), &[], None)
}

/// Each hostile submission is one line that names it, nothing is written elsewhere, and the class goes on.
#[test]
fn a_hostile_submission_is_refused_by_name_and_the_class_goes_on() {
    let place = tempfile::tempdir().expect("a folder");
    let folders = ["in", "out", "outside"].map(|name| {
        let folder = place.path().join(name);
        fs::create_dir(&folder).expect("made");
        folder
    });
    let [handed_in, out, outside] = &folders;
    fs::write(outside.join("secret"), "of somebody else").expect("written");
    let mut ids: Vec<String> = Vec::new();
    for (name, bytes) in hostile_archives(&outside.display().to_string()) {
        fs::write(handed_in.join(name), bytes).expect("written");
        ids.push(name.to_owned());
    }
    ids.extend(
        make_hostile_folders(handed_in, outside)
            .into_iter()
            .map(str::to_owned),
    );
    fs::write(handed_in.join("zoe.zip"), zip_of(&["agent/run.py"])).expect("written");
    ids.push("zoe".to_owned());
    let roster = place.path().join("roster.csv");
    fs::write(&roster, format!("id\n{}\n", ids.join("\n"))).expect("written");
    let before = tree(place.path());

    let (roster, problems) = Roster::read(&roster, &TimeZone::UTC, &[]).expect("a roster");
    assert_eq!(problems, []);
    let entrants = roster.entrants();
    let mut lines = Vec::new();
    for (entrant, id) in entrants.iter().zip(&ids) {
        let found = handed_in.join(if id == "zoe" { "zoe.zip" } else { id });
        match unpacked(&found, &out.join(&entrant.key)) {
            Ok(_) => assert_eq!(id, "zoe"),
            Err(error @ UnpackError::Refused(_)) => {
                let problem = IntakeIssue::new(&entrant.key, error.to_string());
                lines.push(problem.to_string());
            }
            Err(error) => panic!("{id}: {error}"),
        }
    }
    assert_eq!(lines.len(), ids.len() - 1);
    let place_name = outside.display().to_string();
    assert_screen!(lines.join("\n").replace(&place_name, "/OUTSIDE"));

    let mut after = tree(place.path());
    let file = after.remove("out/zoe/run.py");
    assert_eq!(file, Some((0o644, b"content".to_vec())));
    assert!(after.remove("out/zoe").is_some());
    assert!(after == before, "nothing else was written");
}

/// Of two files, as `hashlib` in Python has it: for each the name, 0, 1 if it is executable, and its SHA-256.
const DIGEST: &str = "d75524cfe6590d97cfc7dc5114b33ec1f295e974814c21abe118e30ae488af52";

#[test]
fn a_submission_is_the_same_however_it_was_packed() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name);
    let entries = [
        Zipped::file(b"agent/run.sh", b"#!/bin/sh\n").mode(PROGRAM | 0o6000),
        Zipped::file(b"agent\\data\\book.txt", b"e4").mode(0),
        Zipped::file(b"agent/.git/HEAD", b"main"),
        Zipped::file(b"agent/__pycache__/run.pyc", b"x"),
        Zipped::file(b"__MACOSX/agent/._run.sh", b"x"),
    ];
    fs::write(path("a.zip"), zip(&entries)).expect("written");
    let members = [
        member("./", b'5', 0o700, "", b""),
        member("._agent", b'0', 0o600, "", b"attributes"),
        member("./agent/", b'5', 0o700, "", b""),
        member("./agent/data/book.txt", b'0', 0o600, "", b"e4"),
        member("./agent/.git/config", b'2', 0o777, "/etc/passwd", b""),
        member("./agent/run.sh", b'0', 0o4711, "", b"#!/bin/sh\n"),
    ];
    fs::write(path("b.TAR"), tar(&members)).expect("written");
    fs::write(path("c.tgz"), gzipped(&tar(&members))).expect("written");
    fs::create_dir_all(path("d/data")).expect("made");
    fs::write(path("d/data/book.txt"), "e4").expect("written");
    fs::write(path("d/run.sh"), "#!/bin/sh\n").expect("written");
    let mode = fs::Permissions::from_mode(0o4750);
    fs::set_permissions(path("d/run.sh"), mode).expect("set");
    fs::create_dir_all(path("e/__MACOSX")).expect("made");
    fs::copy(path("a.zip"), path("e/agent.zip")).expect("copied");
    fs::write(path("e/Report.PDF"), "beside it").expect("written");
    // Windows writes no modes.
    let windows = Zipped::file(b"agent/run.sh", b"#!/bin/sh\n").mode(0);
    let book = Zipped::file(b"agent/data/book.txt", b"e4").mode(0);
    let inner = zip(&[windows, book]);
    let outer = zip(&[
        Zipped::file(b"x/Project.ZIP", &inner),
        Zipped::file(b"a.pdf", b"x"),
    ]);
    fs::write(path("f.zip"), zip(&[Zipped::file(b"f/f.zip", &outer)])).expect("written");
    for name in ["a.zip", "b.TAR", "c.tgz", "d", "e", "f.zip"] {
        // What a process left behind that was killed here.
        fs::create_dir_all(path(".out.unpacking/half")).expect("made");
        let unpacked = unpacked(&path(name), &path("out")).expect(name);
        let top = (name != "d").then_some("agent");
        assert_eq!(unpacked.top.as_deref(), top, "{name}");
        let run = (0o755, b"#!/bin/sh\n".to_vec());
        let expected = [
            ("data".to_owned(), (0o755, Vec::new())),
            ("data/book.txt".to_owned(), (0o644, b"e4".to_vec())),
            ("run.sh".to_owned(), run),
        ];
        assert_eq!(tree(&path("out")), BTreeMap::from(expected), "{name}");
        assert!(!path(".out.unpacking").exists(), "{name}");
        assert_eq!(unpacked.digest, DIGEST, "{name}");
        let again = unpack(&path(name), &path("out"), &limits(), &[], None);
        let error = again.expect_err("it is there").to_string();
        assert!(error.ends_with("out: entity already exists"), "{error}");
        fs::remove_dir_all(path("out")).expect("removed");
    }
}

/// Makes archives in formats of their own kind: a `.zip` in one pass, and names that are long and not ASCII.
const PYTHON: &str = include_str!("files/makes_archives.py");

#[test]
fn archives_that_python_makes_are_unpacked() {
    let python = needed!(python());
    let place = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(python.program);
    let ran = command.args(["-c", PYTHON]).current_dir(&place).status();
    assert!(ran.expect("started").success());
    let digests = ["one-pass.zip", "pax.tar.gz", "gnu.tar"].map(|name| {
        let (from, to) = (
            place.path().join(name),
            place.path().join(format!("{name}.out")),
        );
        let unpacked = unpack(&from, &to, &UnpackLimits::default(), &[], None).expect(name);
        let long = "longer-".repeat(12);
        let book = fs::read(to.join(format!("données/{long}/{long}.txt"))).expect(name);
        assert!(book == b"book".repeat(5000), "{name}");
        unpacked.digest
    });
    assert!(
        digests.iter().all(|digest| *digest == digests[0]),
        "{digests:?}"
    );
}

/// Names of files and folders that cannot be taken for one another.
fn files() -> impl Strategy<Value = BTreeMap<String, (bool, Vec<u8>)>> {
    let name = "([a-c]{1,2}/){0,3}[a-c]{1,2}[.]py";
    let file = (any::<bool>(), prop::collection::vec(any::<u8>(), 0..200));
    prop::collection::btree_map(name, file, 1..12)
}

proptest! {
    #![proptest_config(crate::support::properties::cases(48))]

    #[test]
    fn what_was_packed_is_unpacked(files in files()) {
        let place = tempfile::tempdir().expect("a folder");
        let path = |name: &str| place.path().join(name);
        let mode = |executable: &bool| if *executable { 0o755 } else { 0o644 };
        let zipped: Vec<Zipped> = files
            .iter()
            .map(|(name, (executable, content))| {
                Zipped::file(name.as_bytes(), content).mode(FILE | mode(executable))
            })
            .collect();
        let members: Vec<Vec<u8>> = files
            .iter()
            .map(|(name, (executable, content))| member(name, b'0', mode(executable), "", content))
            .collect();
        fs::write(path("a.zip"), zip(&zipped)).expect("written");
        fs::write(path("b.tar.gz"), gzipped(&tar(&members))).expect("written");
        for (name, (executable, content)) in &files {
            let file = path("c").join(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            fs::write(&file, content).expect("written");
            fs::set_permissions(&file, fs::Permissions::from_mode(mode(executable))).expect("set");
        }
        let tops: Vec<Option<&str>> = files.keys().map(|name| Some(name.split_once('/')?.0)).collect();
        let top = tops[0].filter(|_| tops.iter().all(|it| *it == tops[0]));
        let digests = ["a.zip", "b.tar.gz", "c"].map(|name| {
            let out = path("out").join(name);
            fs::create_dir_all(path("out")).expect("made");
            let unpacked = unpacked(&path(name), &out).expect("unpacked");
            assert_eq!(unpacked.top.as_deref(), top);
            let is_file = |it: &(String, (u32, Vec<u8>))| out.join(&it.0).is_file();
            let found: BTreeMap<String, (u32, Vec<u8>)> = tree(&out).into_iter().filter(is_file).collect();
            let expected = files.iter().map(|(name, (executable, content))| {
                let name = top.map_or(name.as_str(), |top| &name[top.len() + 1..]);
                (name.to_owned(), (mode(executable), content.clone()))
            });
            assert_eq!(found, expected.collect());
            unpacked.digest
        });
        prop_assert!(digests.iter().all(|digest| *digest == digests[0]));
    }

    #[test]
    fn a_damaged_archive_is_unpacked_or_refused(at in 0..2000_usize, byte: u8, cut in 0..3000_usize) {
        let place = tempfile::tempdir().expect("a folder");
        let content: Vec<u8> = (0..300_u32).map(|i| (i * i) as u8).collect();
        let archives = [
            ("a.zip", zip(&[Zipped::file(b"agent/run.py", &content), Zipped::file(b"x", b"y")])),
            ("b.tar", tar(&[member("run.py", b'0', 0o644, "", &content), member("x", b'0', 0o644, "", b"y")])),
        ];
        for (name, mut bytes) in archives {
            let at = at % bytes.len();
            bytes[at] = byte;
            bytes.truncate(cut.max(1));
            let path = place.path().join(name);
            fs::write(&path, bytes).expect("written");
            fs::create_dir_all(place.path().join("out")).expect("made");
            match unpacked(&path, &place.path().join("out").join(name)) {
                Ok(_) | Err(UnpackError::Refused(_)) => {}
                Err(error) => prop_assert!(false, "{name}: {error}"),
            }
        }
    }
}
