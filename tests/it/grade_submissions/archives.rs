//! Archives as bytes, also such as no program makes.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// The modes of a file, a link, and a FIFO.
pub const FILE: u32 = 0o100_644;
pub const PROGRAM: u32 = 0o100_755;
pub const LINK: u32 = 0o120_777;
pub const FIFO: u32 = 0o010_644;

pub struct Zipped<'a> {
    pub name: &'a [u8],
    pub mode: u32,
    pub content: Vec<u8>,
    /// 0: stored, 8: deflate. Others only say that they are.
    pub method: u16,
    pub flags: u16,
    /// How large it says that it is, unpacked.
    pub claimed: Option<u32>,
    pub crc: Option<u32>,
    /// Its name in Unicode, in the field that Info-ZIP has for it.
    pub unicode: Option<&'a str>,
}

impl<'a> Zipped<'a> {
    pub fn file(name: &'a [u8], content: &[u8]) -> Self {
        Self {
            name,
            mode: FILE,
            content: content.to_vec(),
            method: 8,
            flags: 0,
            claimed: None,
            crc: None,
            unicode: None,
        }
    }

    pub fn mode(mut self, mode: u32) -> Self {
        self.mode = mode;
        self
    }
}

pub fn zip_of(names: &[&str]) -> Vec<u8> {
    let entries: Vec<Zipped> = names
        .iter()
        .map(|name| Zipped::file(name.as_bytes(), b"content"))
        .collect();
    zip(&entries)
}

pub fn zip(entries: &[Zipped]) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        let offset = archive.len() as u32;
        let mut crc = Crc::new();
        crc.update(&entry.content);
        let packed = match entry.method {
            8 => deflated(&entry.content),
            _ => entry.content.clone(),
        };
        let mut common = Vec::new();
        for field in [20, entry.flags, entry.method, 0, 0x5a21] {
            common.extend(u16::to_le_bytes(field));
        }
        for field in [
            entry.crc.unwrap_or(crc.sum()),
            packed.len() as u32,
            entry.claimed.unwrap_or(entry.content.len() as u32),
        ] {
            common.extend(u32::to_le_bytes(field));
        }
        common.extend((entry.name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        archive.extend(b"PK\x03\x04");
        archive.extend(&common);
        archive.extend(entry.name);
        archive.extend(packed);
        // Made by version 2.0 on Unix.
        directory.extend(b"PK\x01\x02\x14\x03");
        let extra = entry
            .unicode
            .map_or_else(Vec::new, |unicode| unicode_path(entry.name, unicode));
        let lengths = common.len() - 2;
        directory.extend(&common[..lengths]);
        directory.extend((extra.len() as u16).to_le_bytes());
        directory.extend([0; 6]);
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(entry.name);
        directory.extend(extra);
    }
    let start = archive.len() as u32;
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend((entries.len() as u16).to_le_bytes());
    archive.extend((entries.len() as u16).to_le_bytes());
    archive.extend((directory.len() as u32).to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend([0, 0]);
    archive
}

/// The field of the Unicode path: a version, the checksum of the other name, and the name.
fn unicode_path(name: &[u8], unicode: &str) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(name);
    let mut field = vec![0x75, 0x70];
    field.extend((unicode.len() as u16 + 5).to_le_bytes());
    field.push(1);
    field.extend(crc.sum().to_le_bytes());
    field.extend(unicode.as_bytes());
    field
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// One member of a `.tar`, under a name of at most 100 bytes that nothing looks at.
pub fn member(name: impl AsRef<[u8]>, kind: u8, mode: u32, link: &str, content: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    let name = name.as_ref();
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
    header.set_entry_type(tar::EntryType::new(kind));
    header.set_mode(mode);
    header.set_size(content.len() as u64);
    header.set_cksum();
    let mut member = header.as_bytes().to_vec();
    member.extend(content);
    member.resize(member.len().next_multiple_of(512), 0);
    member
}

pub fn tar(members: &[Vec<u8>]) -> Vec<u8> {
    let mut archive = members.concat();
    archive.extend([0; 1024]);
    archive
}
