//! Submissions with one flaw each.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use super::archives::{FIFO, LINK, Zipped, member, tar, zip, zip_of};
use crate::support::gzipped;

/// A file of zeros, which is a thousandth of that when packed.
fn zeros(bytes: usize) -> Vec<u8> {
    vec![0; bytes]
}

/// Submissions that are archives, each with one flaw. The name says which.
pub fn hostile_archives(outside: &str) -> Vec<(&'static str, Vec<u8>)> {
    let file = |name: &str| member(name, b'0', 0o644, "", b"content");
    let of_kind = |kind| {
        tar(&[
            file("agent.py"),
            member("odd", kind, 0o644, "agent.py", b""),
        ])
    };
    let one = |entry: Zipped| zip(&[Zipped::file(b"agent.py", b"content"), entry]);
    let odd = || Zipped::file(b"odd", b"target");
    let good = zip_of(&["agent.py", "README"]);
    let good_tar = tar(&[
        file("agent.py"),
        member("big", b'0', 0o644, "", &zeros(5000)),
    ]);
    let noise: Vec<u8> = (0..4000_u32)
        .map(|i| (i.wrapping_mul(i) >> 7) as u8)
        .collect();
    let noisy = gzipped(&tar(&[member("noise", b'0', 0o644, "", &noise)]));
    let long = "long/".to_owned() + &"x".repeat(200);
    let many: [String; 60] = std::array::from_fn(|i| format!("{i}.py"));
    let many = many.each_ref().map(String::as_str);
    let some: [&str; 40] = std::array::from_fn(|i| many[i]);
    let absolute = format!("{outside}/evil");
    vec![
        ("absolute.zip", zip_of(&[&absolute])),
        ("absolute-tar.tar", tar(&[file(&absolute)])),
        ("parent.zip", zip_of(&["agent.py", "../../outside/evil"])),
        ("parent-inside.zip", zip_of(&["a/../../../outside/evil"])),
        (
            "parent-tar.tar.gz",
            gzipped(&tar(&[file("../../outside/evil")])),
        ),
        (
            "parent-of-left-out.zip",
            zip_of(&["__MACOSX/../../outside/evil"]),
        ),
        ("drive.zip", zip_of(&["C:\\evil.py"])),
        ("backslash.zip", zip_of(&["..\\..\\outside\\evil"])),
        ("server.zip", zip_of(&["\\\\server\\share\\evil"])),
        ("link.zip", one(odd().mode(LINK))),
        ("link-in-tar.tar", of_kind(b'2')),
        (
            "link-and-file-through-it.tar",
            tar(&[member("sub", b'2', 0o777, outside, b""), file("sub/evil")]),
        ),
        ("hard-link.tar", of_kind(b'1')),
        ("character-device.tar.gz", gzipped(&of_kind(b'3'))),
        ("block-device.tar", of_kind(b'4')),
        ("fifo.tar", of_kind(b'6')),
        ("fifo.zip", one(odd().mode(FIFO))),
        ("volume.tar", of_kind(b'V')),
        ("twice.zip", zip_of(&["agent.py", "./agent.py"])),
        ("case.zip", zip_of(&["agent.py", "Agent.py"])),
        ("case-of-folder.zip", zip_of(&["src/a.py", "SRC/b.py"])),
        ("file-and-folder.zip", zip_of(&["agent", "agent/run.py"])),
        (
            "folder-and-file.tar",
            tar(&[file("agent/run.py"), file("agent")]),
        ),
        ("long-path.zip", zip_of(&[&long])),
        ("deep.zip", zip_of(&["a/b/c/d/e/f/g/agent.py"])),
        ("many.zip", zip_of(&many)),
        ("bomb.zip", zip(&[Zipped::file(b"zeros", &zeros(3 << 20))])),
        (
            "bomb-that-lies.zip",
            zip(&[Zipped {
                claimed: Some(10),
                ..Zipped::file(b"zeros", &zeros(3 << 20))
            }]),
        ),
        (
            "bomb-of-many.zip",
            zip(&some.map(|name| Zipped::file(name.as_bytes(), &zeros(50_000)))),
        ),
        (
            "bomb.tar.gz",
            gzipped(&tar(&[member("zeros", b'0', 0o644, "", &zeros(3 << 20))])),
        ),
        (
            "bomb-in-a-name.tar.gz",
            gzipped(&tar(&[
                member("././@LongLink", b'L', 0o644, "", &zeros(3 << 20)),
                file("x"),
            ])),
        ),
        (
            "bomb-at-the-end.tar.gz",
            gzipped(&[tar(&[file("agent.py")]), zeros(3 << 20)].concat()),
        ),
        ("password.zip", one(Zipped { flags: 1, ..odd() })),
        (
            "compression.zip",
            one(Zipped {
                method: 12,
                ..odd()
            }),
        ),
        (
            "checksum.zip",
            one(Zipped {
                crc: Some(7),
                ..odd()
            }),
        ),
        ("cut-off.zip", good[..good.len() - 30].to_vec()),
        ("cut-off.tar", good_tar[..4000].to_vec()),
        ("cut-off.tar.gz", noisy[..noisy.len() - 500].to_vec()),
        ("cut-off-checksum.tgz", noisy[..noisy.len() - 4].to_vec()),
        (
            "web-page.zip",
            b"<!DOCTYPE html><title>Log in</title>".to_vec(),
        ),
        ("text.tar.gz", gzipped(b"print('hello')\n")),
        ("text.tar", b"print('hello')\n".repeat(100)),
        ("seven.7z", b"7z\xbc\xaf\x27\x1c and more".to_vec()),
        ("rar.zip", b"Rar!\x1a\x07\x01 and more".to_vec()),
        ("program.py", b"print('hello')\n".to_vec()),
        ("no-bytes.zip", Vec::new()),
        ("no-files.zip", zip(&[])),
        ("only-folders.zip", zip(&[Zipped::file(b"agent/", b"")])),
        (
            "left-behind.zip",
            zip_of(&["__MACOSX/._agent.py", ".DS_Store", ".git/HEAD"]),
        ),
    ]
}

/// Submissions that are folders, each with one flaw.
pub fn make_hostile_folders(folder: &Path, outside: &Path) -> Vec<&'static str> {
    let make = |name: &str| {
        let folder = folder.join(name);
        fs::create_dir(&folder).expect("made");
        fs::write(folder.join("agent.py"), "content").expect("written");
        folder
    };
    symlink(outside, make("folder-with-link").join("link")).expect("made");
    let listener = UnixListener::bind(make("folder-with-socket").join("s")).expect("bound");
    drop(listener);
    let fifo = make("folder-with-fifo").join("fifo");
    let mode = rustix::fs::Mode::RUSR;
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, kind, mode, 0).expect("made");
    let case = make("folder-with-case");
    fs::write(case.join("AGENT.py"), "content").expect("written");
    fs::create_dir(folder.join("folder-without-files")).expect("made");
    fs::create_dir_all(folder.join("folder-of-folders/a/b")).expect("made");
    let rar = folder.join("folder-with-rar");
    fs::create_dir(&rar).expect("made");
    fs::write(rar.join("agent.rar"), b"Rar!\x1a\x07\x01").expect("written");
    symlink(outside, folder.join("link-to-folder")).expect("made");
    vec![
        "folder-with-link",
        "folder-with-socket",
        "folder-with-fifo",
        "folder-with-case",
        "folder-without-files",
        "folder-of-folders",
        "folder-with-rar",
        "link-to-folder",
    ]
}
