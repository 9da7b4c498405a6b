//! The charts of `referee report`: their numbers are those of the files of the run.

use std::collections::BTreeMap;

use crate::support::{Browser, TestRun, number};

const WIDE: [u32; 2] = [1280, 900];

/// House bots of three strengths, with openings of one ply, which come again.
const CONFIG: &str = "\
    name = \"t\"\nseed = 5\n[game]\nname = \"cachex\"\nsize = 3\n\
    [format]\nkind = \"round-robin\"\ngames-per-pairing = 12\nopening-plies = 1\n\
    [clock]\nper-game = \"60s\"\nper-move = \"20s\"\n\
    [[player]]\nhouse = \"search\"\nargs = [\"--nodes\", \"50\"]\n\
    [[player]]\nhouse = \"greedy\"\n\
    [[player]]\nhouse = \"random\"\n\
    [[player]]\nname = \"other\"\nhouse = \"random\"\n";

fn reported(config: &str) -> TestRun {
    let run = TestRun::played(config);
    run.referee("report out").ok();
    run
}

/// How likely one player is stronger than another, from the file.
fn superiority(run: &TestRun) -> BTreeMap<(String, String), f64> {
    let mut all = BTreeMap::new();
    for row in run.table("superiority.csv") {
        let (player, other) = (row["player"].clone(), row["opponent"].clone());
        let value = number(&row["superiority"]);
        all.insert((other.clone(), player.clone()), 1.0 - value);
        all.insert((player, other), value);
    }
    all
}

#[test]
#[ignore = "slow"]
fn the_matrix_and_the_bands_are_those_of_the_superiority_table() {
    let mut browser = needed!(Browser::start());
    let run = reported(CONFIG);
    let stronger = superiority(&run);
    let mut page = browser.open(&run.path("out/report/index.html"), "", WIDE);
    let matrix = page.rows("in percent that the player of the row");
    let players: Vec<String> = matrix.iter().map(|row| row[0].clone()).collect();
    let ratings = run.table("ratings.csv");
    assert!(ratings.iter().map(|row| &row["player"]).eq(&players));
    for (player, row) in players.iter().zip(&matrix) {
        for (other, cell) in players.iter().zip(&row[1..]) {
            match player == other {
                true => assert_eq!(cell, ""),
                false => {
                    let found = if cell.is_empty() { 0.0 } else { number(cell) };
                    let expected = 100.0 * stronger[&(player.clone(), other.clone())];
                    assert!((found - expected).abs() < 0.06, "{player} {other}: {found}");
                }
            }
        }
    }
    let alike = |a: usize, b: usize| {
        let value = stronger[&(players[a].clone(), players[b].clone())];
        value < 0.95 && value > 0.05
    };
    let is_band =
        |start: usize, end: usize| (start..end).all(|a| (a + 1..end).all(|b| alike(a, b)));
    let mut bands: Vec<[usize; 2]> = Vec::new();
    for start in 0..players.len() {
        let end = (start + 1..=players.len())
            .rev()
            .find(|end| is_band(start, *end));
        let end = end.expect("one player alone");
        if end - start > 1 && bands.last().is_none_or(|last| last[1] < end) {
            bands.push([start, end]);
        }
    }
    assert!(!bands.is_empty(), "no test without a band");
    let found = page.records("standings, by rating");
    for (place, row) in found.iter().enumerate() {
        let own = bands
            .iter()
            .zip('a'..)
            .filter(|([start, end], _)| (*start..*end).contains(&place));
        let own: Vec<String> = own.map(|(_, letter)| letter.to_string()).collect();
        let expected = match own.as_slice() {
            [] => String::new(),
            [first, _, .., last] if own.len() > 2 => format!("{first} to {last}"),
            few => few.join(" "),
        };
        assert_eq!(row["band"], expected, "{place}: {bands:?}");
    }
}
