//! A bot that looks for the layout of its game of dark chess in every place that it can read.

use std::fs::{self, File};
use std::io::{BufRead, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use referee::bot::Tier;

use crate::honest::say;
use crate::tournament::play_inside;

/// The layout of the game. It is in the harness's memory, and with the run's plan on the disk.
fn layout() -> String {
    // Not in one string, since the bot also searches its own program.
    "Kk GG gg MM mm RR rr NN nn CC cc PPPPP ppppp".replace(' ', "")
}

fn pieces() -> String {
    "CC GG K MM NN PPPPP RR cc gg k mm nn ppppp rr".replace(' ', "")
}

/// The most that is read of one file, in bytes.
const MOST: usize = 64 << 20;

/// Runs a bot that answers its first request with the place where it found a layout.
pub fn search() {
    serve(|| match found() {
        Some(place) => say(&format!("found in {place}")),
        None => say("found nowhere"),
    });
}

pub fn flip() {
    serve(|| say("a1"));
}

fn serve(act: fn()) {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match line.split(' ').next() {
            Some("referee") => say("bot 1 test"),
            Some("start") => say("ready"),
            Some("act") => act(),
            _ => {}
        }
    }
}

fn found() -> Option<String> {
    let mut places: Vec<PathBuf> = vec![std::env::temp_dir(), "/dev/shm".into(), "/tmp".into()];
    places.extend(std::env::args().nth(3).map(PathBuf::from));
    let processes = || fs::read_dir("/proc").into_iter().flatten().flatten();
    for process in processes() {
        let own = process.file_name().to_str() == Some(&std::process::id().to_string());
        let path = process.path();
        if own || !path.join("stat").exists() {
            continue;
        }
        if memory_has_a_layout(&path) {
            return Some(path.join("mem").display().to_string());
        }
        places.extend(["environ", "cmdline", "fd", "cwd"].map(|part| path.join(part)));
    }
    for (key, value) in std::env::vars() {
        if holds_a_layout(value.as_bytes()) {
            return Some(format!("the variable {key}"));
        }
    }
    let place = places.iter().find_map(|place| in_files(place, 0));
    place.map(|place| place.display().to_string())
}

/// The first file in or below a place that holds a layout. Links below it are not followed, but for
/// those of open files.
fn in_files(place: &Path, depth: usize) -> Option<PathBuf> {
    let entries = fs::read_dir(place);
    if let Ok(entries) = entries {
        let open_files = place.ends_with("fd");
        return entries
            .flatten()
            .filter(|entry| open_files || !entry.path().is_symlink())
            .filter(|_| depth < 6)
            .find_map(|entry| in_files(&entry.path(), depth + 1));
    }
    // Reading from a pipe or a terminal would wait.
    let text = place.metadata().is_ok_and(|found| found.is_file());
    let mut bytes = Vec::new();
    let file = File::open(place).ok().filter(|_| text)?;
    file.take(MOST as u64).read_to_end(&mut bytes).ok()?;
    holds_a_layout(&bytes).then(|| place.to_owned())
}

/// Whether the memory of a process that it can write to holds a layout.
fn memory_has_a_layout(process: &Path) -> bool {
    let (Ok(maps), Ok(mut memory)) = (
        File::open(process.join("maps")),
        File::open(process.join("mem")),
    ) else {
        return false;
    };
    let maps = std::io::BufReader::new(maps).lines().map_while(Result::ok);
    maps.filter(|line| line.contains(" rw")).any(|line| {
        let range = line
            .split(' ')
            .next()
            .and_then(|range| range.split_once('-'));
        let number = |text| u64::from_str_radix(text, 16).ok();
        let Some((Some(from), Some(to))) = range.map(|(from, to)| (number(from), number(to)))
        else {
            return false;
        };
        let mut bytes = vec![0; usize::try_from(to - from).unwrap_or(MOST).min(MOST)];
        memory.seek(SeekFrom::Start(from)).is_ok()
            && memory.read_exact(&mut bytes).is_ok()
            && holds_a_layout(&bytes)
    })
}

/// Whether 32 letters in a row are all pieces of the game.
fn holds_a_layout(bytes: &[u8]) -> bool {
    let pieces = pieces();
    bytes
        .split(|byte| !pieces.as_bytes().contains(byte))
        .flat_map(|letters| letters.windows(pieces.len()))
        .any(|letters| {
            let mut sorted = letters.to_vec();
            sorted.sort_unstable();
            sorted == pieces.as_bytes()
        })
}

pub fn a_layout_is_out_of_reach(tier: Tier) {
    for rules in RULES {
        assert_eq!(said(tier, rules), "found nowhere");
    }
}

/// Shows that the bot can find a layout, so that finding none in the other tiers means something.
pub fn a_layout_is_within_reach_where_nothing_is_promised(tier: Tier) {
    for rules in RULES {
        let said = said(tier, rules);
        assert!(said.starts_with("found in /"), "{said}");
    }
}

/// Dark chess as it is built in, and as a rules program.
const RULES: [&str; 2] = [
    "name = \"dark-chess\"",
    concat!(
        "rules = [\"",
        env!("CARGO_BIN_EXE_referee"),
        "\", \"rules\", \"dark-chess\"]"
    ),
];

/// What the bot says in a game of dark chess by these rules in a run of that tier.
fn said(tier: Tier, rules: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let own = folder.path().join("own");
    fs::create_dir(&own).expect("made");
    let program = std::env::current_exe().expect("a path");
    let layout = layout();
    assert!(holds_a_layout(layout.as_bytes()));
    let config = format!(
        "seed = 1\n[game]\n{rules}\nlayout = {layout:?}\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 1\n\
         [limits]\nisolation = {:?}\n\
         [[player]]\nname = \"honest\"\ndir = {own:?}\ncommand = [{program:?}, \"bot\", \"flips_a_piece\"]\n\
         [[player]]\nname = \"searcher\"\ndir = {own:?}\n\
         command = [{program:?}, \"bot\", \"looks_for_the_layout\", {out:?}]\n",
        tier.name(),
    );
    let rows = play_inside(&config, 1, &out);
    let row = rows.first().expect("a game");
    assert_eq!(row.forfeited_by(), "searcher", "{row:?}");
    let detail = row.detail();
    let words = detail.split('`').nth(1);
    let words = words.unwrap_or_else(|| unreachable!("no answer: {row:?}"));
    println!(
        "the layout of dark chess in the tier {}: {words}",
        tier.name()
    );
    words.to_owned()
}
