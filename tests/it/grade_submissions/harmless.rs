//! Submissions that are no harm to anybody, as systems and tools make them.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use referee::grade::{Unpacked, unpack};

use super::archives::{FILE, LINK, Zipped, member, tar, zip, zip_of};
use super::{limits, tree};
use crate::support::{columns, gzipped};

fn files(folder: &Path) -> BTreeSet<String> {
    let is_file = |it: &(String, (u32, Vec<u8>))| !it.1.1.is_empty();
    let files = tree(folder).into_iter().filter(is_file);
    files.map(|(name, _)| name).collect()
}

const UTF_8: u16 = 1 << 11;

#[test]
fn a_name_in_any_encoding_or_with_any_character_is_unpacked() {
    let place = tempfile::tempdir().expect("a folder");
    // As Chinese Windows writes it, so long that it is longer than names may be once it is decoded.
    let long = [&b"\xc8\xcb\xb9\xa4\xd6\xc7\xc4\xdc".repeat(12)[..], b".txt"].concat();
    let other = [&b"\xc8\xcb\xb9\xa4\xd6\xc7\xc4\xdc".repeat(12)[..], b".md"].concat();
    let names: [&[u8]; 9] = [
        b"bot.py",
        b"donn\xe9es.txt",
        b"donn\x82es.txt",
        "donnée\u{200e}s.txt".as_bytes(),
        "\u{202e}yp.exe".as_bytes(),
        b"a\x1b[2J.py",
        b"a\nzoe: full marks",
        b"a\0.txt",
        &long,
    ];
    let mut names = names.to_vec();
    names.push(&other);
    let zipped = names.iter().map(|name| {
        let flags = if name.is_ascii() { UTF_8 } else { 0 };
        Zipped {
            flags,
            ..Zipped::file(name, b"x")
        }
    });
    let mut zipped: Vec<Zipped> = zipped.collect();
    zipped.push(Zipped {
        unicode: Some("信.txt"),
        ..Zipped::file(b"____.txt", b"x")
    });
    // Headers of this kind have room for a hundred bytes, and end at a zero.
    let in_tar = names
        .iter()
        .filter(|name| name.len() <= 100 && !name.contains(&0));
    let in_tar = in_tar.map(|name| member(name, b'0', 0o644, "", b"x"));
    let in_tar: Vec<Vec<u8>> = in_tar.collect();
    let of_zip = &["bot.py", "données.txt", "a_1b[2J.py", "a_00.txt", "信.txt"][..];
    let of_tar = &["bot.py", "données.txt", "donnée\u{200e}s.txt"][..];
    for (archive, bytes, count, some) in [
        ("a.zip", zip(&zipped), 11, of_zip),
        ("a.tar.gz", gzipped(&tar(&in_tar)), in_tar.len(), of_tar),
    ] {
        let [from, to] = [archive, "out"].map(|name| place.path().join(name));
        fs::write(&from, bytes).expect("written");
        unpack(&from, &to, &limits(), &["bot.py".to_owned()], None).expect(archive);
        let found = files(&to);
        assert_eq!(found.len(), count, "{found:?}");
        for name in some {
            assert!(found.contains(*name), "{name}: {found:?}");
        }
        let is_control = found.iter().any(|name| name.contains(char::is_control));
        assert!(!is_control, "{found:?}");
        fs::remove_dir_all(&to).expect("removed");
    }
}

#[test]
fn what_is_left_out_is_left_out_before_it_is_judged() {
    let place = tempfile::tempdir().expect("a folder");
    let deep = "a/".repeat(20);
    let entries = [
        ("project/bot.py", FILE),
        ("project/env/lib64", LINK),
        ("project/env/bin/python", LINK),
        ("project/env/pyvenv.cfg", FILE),
        ("project/env/mine.py", FILE),
        ("project/.venv/lib64", LINK),
        ("project/node_modules/.bin/x", LINK),
        (&*format!("project/node_modules/{deep}x"), FILE),
        ("project/.git/hook", LINK),
        ("project/Icon\r", FILE),
        ("__MACOSX/../../x", FILE),
        ("__MACOSX/project/._bot.py", FILE),
        (".DS_Store", FILE),
    ];
    let zipped = entries.map(|(name, mode)| Zipped::file(name.as_bytes(), b"x").mode(mode));
    let members = entries.map(|(name, mode)| {
        let kind = if mode == LINK { b'2' } else { b'0' };
        let content: &[u8] = if mode == LINK { b"" } else { b"x" };
        member(name, kind, 0o644, "lib", content)
    });
    fs::write(place.path().join("a.zip"), zip(&zipped)).expect("written");
    fs::write(place.path().join("b.tar.gz"), gzipped(&tar(&members))).expect("written");
    let folder = place.path().join("c");
    for (name, mode) in entries.iter().filter(|(name, _)| !name.contains("..")) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        match *mode {
            LINK => symlink("lib", path).expect("made"),
            _ => fs::write(path, "x").expect("written"),
        }
    }
    for name in ["a.zip", "b.tar.gz", "c"] {
        let to = place.path().join(format!("{name}.out"));
        let unpacked = unpack(&place.path().join(name), &to, &limits(), &[], None).expect(name);
        let expected = ["bot.py", "env/mine.py"].map(str::to_owned);
        assert_eq!(files(&to), BTreeSet::from(expected), "{name}");
        let told = "left out of what was handed in: `.DS_Store`, `.git`, `.venv`, `Icon`, `__MACOSX`, 2 more";
        assert_eq!(unpacked.notes, [told], "{name}");
        assert_eq!(unpacked.top.as_deref(), Some("project"));
    }
    // A project may be a virtual environment itself.
    let entries = ["bot.py", "pyvenv.cfg", "bin/pip", "Scripts/pip.exe"];
    fs::write(place.path().join("d.zip"), zip_of(&entries)).expect("written");
    let to = place.path().join("d.out");
    unpack(&place.path().join("d.zip"), &to, &limits(), &[], None).expect("unpacked");
    assert_eq!(files(&to), BTreeSet::from(["bot.py".to_owned()]));
}

#[test]
fn an_archive_under_the_ending_of_another_is_unpacked_as_what_it_is() {
    let place = tempfile::tempdir().expect("a folder");
    let in_tar = tar(&[member("bot.py", b'0', 0o644, "", b"x")]);
    let packed = gzipped(&in_tar);
    let zipped = zip(&[Zipped::file(b"bot.py", b"x")]);
    // Also within an archive.
    let inner = zip(&[Zipped::file(b"a.rar", &packed)]);
    for (name, bytes, as_name, kind) in [
        ("a.zip", &packed, "a.zip", ".tar.gz"),
        ("a.7z", &packed, "a.7z", ".tar.gz"),
        ("a.tgz", &in_tar, "a.tgz", ".tar"),
        ("a.TAR.GZ", &zipped, "a.TAR.GZ", ".zip"),
        ("b.zip", &inner, "a.rar", ".tar.gz"),
    ] {
        let (from, to) = (place.path().join(name), place.path().join("out"));
        fs::write(&from, bytes).expect("written");
        let unpacked = unpack(&from, &to, &limits(), &[], None).expect(name);
        let told = format!("`{as_name}` was unpacked as the {kind} archive that it is");
        assert_eq!(unpacked.notes, [told], "{name}");
        assert_eq!(files(&to), BTreeSet::from(["bot.py".to_owned()]), "{name}");
        fs::remove_dir_all(&to).expect("removed");
    }
    let plain = place.path().join("bot.py");
    fs::write(&plain, &zipped).expect("written");
    let refused = unpack(&plain, &place.path().join("out"), &limits(), &[], None);
    assert!(refused.is_err(), "its name is no archive's");
}

/// The folder that plays, empty where it is the whole, or why that is not decided.
fn decided(unpacked: &Unpacked) -> &str {
    let top = unpacked.top.as_deref().unwrap_or_default();
    unpacked.undecided.as_deref().unwrap_or(top)
}

#[test]
fn the_program_is_found_where_it_can_be_told() {
    let place = tempfile::tempdir().expect("a folder");
    let cases = [
        "bot.py tests/bot.py | bot.py | ",
        "agent/bot.py agent/data/x | bot.py | agent",
        "report.pdf project/bot.py | bot.py | project",
        "my/project/src/bot.py my/project/README x.c | bot.py | my/project/src",
        "x.pdf p/bot.py p/old/bot.py p-1/x | bot.py | p",
        "a/bot.py b/bot.py | bot.py | no `bot.py` at the top; found `a/bot.py`, `b/bot.py`",
        "a/bot.py .history/bot.py x/.ipynb_checkpoints/bot.py | bot.py | a",
        "README.md src/bot.py | src/bot.py | ",
        "README.md src/robot.py | bot.py | ",
        // Packages, whose program the adapter finds.
        "report.pdf team/player.py .vscode/x .gitignore |  | team",
        "report.pdf team/player.py x.py |  | ",
    ];
    for row in cases {
        let [entries, program, expected] = columns(row);
        let entries: Vec<&str> = entries.split(' ').collect();
        let from = place.path().join("a.zip");
        fs::write(&from, zip_of(&entries)).expect("written");
        let to = place.path().join("out");
        let programs = program.split_whitespace().map(str::to_owned);
        let programs: Vec<String> = programs.collect();
        let unpacked = unpack(&from, &to, &limits(), &programs, None).expect("unpacked");
        assert_eq!(decided(&unpacked), expected, "{row}");
        let is_undecided = unpacked.undecided.is_some();
        assert_eq!(is_undecided, expected.starts_with("no "), "{row}");
        let told = "the outermost `bot.py` plays, and not ";
        let is_told = unpacked.notes.iter().any(|note| note.starts_with(told));
        let is_within = row.starts_with("bot.py ") || row.starts_with("x.pdf ");
        assert_eq!(is_told, is_within, "{row}");
        if !program.is_empty() && unpacked.undecided.is_none() {
            let is_there = to.join(program).exists();
            assert!(is_there || expected.is_empty(), "{row}: {unpacked:?}");
        }
        fs::remove_dir_all(&to).expect("removed");
    }
}

#[test]
fn a_folder_that_is_named_is_taken_where_one_can_be_meant() {
    let place = tempfile::tempdir().expect("a folder");
    let from = place.path().join("a.zip");
    let entries = ["x/a/bot.py", "x/b/bot.py", "y/b/main.py", "y/b/c/d.py"];
    fs::write(&from, zip_of(&entries)).expect("written");
    let to = place.path().join("out");
    for (named, expected) in [
        ("x/b", "x/b"),
        ("./x/b/", "x/b"),
        ("x/b/bot.py", "x/b"),
        ("a", "x/a"),
        ("main.py", "y/b"),
        (".", ""),
        ("b", "`b` is the name of `x/b`, `y/b`"),
        ("ot.py", "nothing is called `ot.py`"),
        ("../out", "nothing is called `../out`"),
    ] {
        let program = ["bot.py".to_owned()];
        let unpacked = unpack(&from, &to, &limits(), &program, Some(named)).expect("unpacked");
        assert_eq!(decided(&unpacked), expected, "{named}");
        let is_undecided = unpacked.undecided.is_some();
        assert_eq!(is_undecided, expected.contains('`'), "{named}");
        fs::remove_dir_all(&to).expect("removed");
    }
}
