//! The charts of `referee report`: their numbers are those of the files of the run.

use std::collections::BTreeMap;

use crate::support::browser::Browser;
use crate::support::run::TestRun;
use crate::support::tables::Table;

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

fn number(text: &str) -> f64 {
    text.parse().expect(text)
}

/// A time such as `1.23 ms` in microseconds.
fn micros(text: &str) -> f64 {
    let (value, unit) = text.split_once(' ').expect("a unit");
    let units = [("µs", 1.0), ("ms", 1e3), ("s", 1e6)];
    let (_, factor) = units
        .into_iter()
        .find(|(name, _)| *name == unit)
        .expect(text);
    number(value) * factor
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
fn the_matrix_and_the_bands_are_those_of_the_superiority_table() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
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

/// By player: the time and the memory of each of its games.
fn used(games: &Table) -> BTreeMap<&str, Vec<[f64; 2]>> {
    let mut used: BTreeMap<&str, Vec<[f64; 2]>> = BTreeMap::new();
    for game in games {
        for seat in ["first", "second"] {
            let amount = |column: &str| number(&game[&format!("{seat}_{column}")]);
            let own = used.entry(&game[seat]).or_default();
            own.push([amount("wall_us"), amount("peak_kib") / 1024.0]);
        }
    }
    used
}

#[test]
fn time_and_memory_of_all_players_are_those_of_the_journal() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let run = reported(CONFIG);
    let games = run.rows();
    let used = used(&games);
    let mut page = browser.open(&run.path("out/report/index.html"), "", WIDE);
    let mebibytes = |cell: &str| number(cell.strip_suffix(" MiB").expect("a unit"));
    for (label, kind, read, allowed) in [
        (
            "cachex: time per game",
            0,
            &micros as &dyn Fn(&str) -> f64,
            0.006,
        ),
        ("cachex: peak memory per game", 1, &mebibytes, 0.02),
    ] {
        let rows = page.rows(label);
        assert_eq!(rows.len(), used.len());
        for row in rows {
            let amounts = used[row[0].as_str()].iter().map(|it| it[kind]);
            let sum: f64 = amounts.clone().sum();
            let (mean, most) = (sum / 36.0, amounts.fold(0.0, f64::max));
            let is = |cell: &str, value: f64| {
                assert!(
                    (read(cell) - value).abs() <= allowed * value,
                    "{cell}, {value}"
                );
            };
            is(&row[1], mean);
            is(&row[2], most);
            let id = row[3].parse::<usize>().expect("a number");
            let seat = if games[id]["first"] == row[0] {
                "first"
            } else {
                "second"
            };
            let column = ["wall_us", "peak_kib"][kind];
            let there = number(&games[id][&format!("{seat}_{column}")]);
            is(&row[2], if kind == 0 { there } else { there / 1024.0 });
            match kind {
                0 => is(&row[5], sum),
                _ => assert_eq!(row[4..], ["none"]),
            }
        }
    }
}

#[test]
#[ignore = "slow"]
fn many_players_have_no_matrix() {
    let players =
        (0..61).map(|player| format!("[[player]]\nname = \"p{player}\"\nhouse = \"random\"\n"));
    let config = format!(
        "seed = 1\n[game]\nname = \"cachex\"\nsize = 3\n[format]\nkind = \"swiss\"\nrounds = 3\ngames-per-pairing = 2\n{}",
        players.collect::<String>()
    );
    let run = reported(&config);
    let index = run.read("out/report/index.html");
    assert!(
        index.contains("There are more than 60 players: crosstable.csv"),
        "{index}"
    );
    assert!(!index.contains("in percent that the player of the row"));
}
