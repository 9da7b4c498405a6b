//! The charts of `referee report`: their numbers are those of the files of the run.

use std::collections::BTreeMap;

use crate::support::browser::Browser;
use crate::support::run::TestRun;
use crate::support::tables::Table;

const WIDE: [u32; 2] = [1280, 900];
const PHONE: [u32; 2] = [360, 740];

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
    // A bar in each row of a band.
    let drawn = page.evaluate("document.querySelectorAll('path.band').length");
    let rows: usize = bands.iter().map(|[start, end]| end - start).sum();
    assert_eq!(drawn, rows);
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
fn openings_are_those_of_the_journal_and_the_furthest_from_even_comes_first() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let run = reported(CONFIG);
    let mut expected: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for game in run.rows() {
        let [games, points] = expected.entry(game["opening"].clone()).or_default();
        *games += 1.0;
        *points += number(&game["first_points"]);
    }
    let mut page = browser.open(&run.path("out/report/index.html"), "", WIDE);
    let found = page.records("score of the first seat by opening");
    assert_eq!(found.len(), expected.len());
    let percent = |cell: &str| number(cell.strip_suffix(" %").expect("percent"));
    let mut evidence = Vec::new();
    for row in &found {
        let [games, points] = expected[&row["opening"]];
        assert_eq!(number(&row["games"]), games);
        let [score, low, high] = ["score", "low", "high"].map(|title| percent(&row[title]));
        assert!((score - 100.0 * points / games).abs() < 0.06, "{row:?}");
        assert!(low <= score && score <= high, "{row:?}");
        evidence.push((low - 50.0).max(50.0 - high));
    }
    assert!(
        evidence.is_sorted_by(|a, b| *a >= *b - 0.11),
        "{evidence:?}"
    );
    let text = page.evaluate("document.body.textContent");
    let text = text.as_str().expect("text");
    let of_note = text
        .split("The first seat is worth ")
        .nth(1)
        .expect("a note");
    let elo = of_note.split(' ').next().expect("a number");
    let words = format!("The first seat is worth {elo} Elo, with a 95 % interval from ");
    assert!(text.contains(&words), "no `{words}`: {text}");
    for size in [PHONE, WIDE] {
        page.resize(size);
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })");
        let too_wide =
            "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(page.evaluate(too_wide), 0);
    }
    assert_eq!(page.barriers(), [""; 0]);
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn what_a_run_does_not_have_is_not_shown() {
    let config = CONFIG.replace("opening-plies = 1", "opening-plies = 0");
    let run = reported(&(config + "[record]\nlogs = \"none\"\n"));
    for file in ["index", "player-0"] {
        let page = run.read(&format!("out/report/{file}.html"));
        assert!(!page.contains("by opening"), "{page}");
    }
}

#[test]
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
