//! Openings that come again, and what they are worth to the first seat. The first test is a small edition of
//! `examples/openings.rs`.

use crate::support::openings::{Reuse, study};
use crate::support::program::referee_in;

#[test]
fn the_worth_of_the_first_seat_is_as_certain_as_so_many_openings_make_it() {
    let tournaments = 200;
    let three_deviations = 300.0 * (0.95 * 0.05 / tournaments as f64).sqrt();
    for (reuse, deviation) in [
        (Reuse::Same(4), 0.0),
        (Reuse::Same(8), 100.0),
        (Reuse::Never, 50.0),
    ] {
        let found = study(reuse, deviation, 4, 16, tournaments);
        let held = found.advantage.percent();
        assert!(
            (held - 95.0).abs() < three_deviations,
            "{reuse:?} {deviation}: {held} %"
        );
        if let (Reuse::Same(_), 100.0) = (reuse, deviation) {
            let without = found.without_openings.percent();
            assert!(without < 85.0, "{without} % without the openings");
        }
    }
}

/// Two openings that all of four players play with both seats: one favours the first seat, the other the second.
fn games() -> String {
    let mut rows = "first,second,score,pair,opening\n".to_owned();
    let mut pair = 0;
    let players = ["ann", "bob", "cat", "dan"];
    for (at, one) in players.iter().enumerate() {
        for other in &players[..at] {
            for round in 0..6 {
                for (opening, won) in [("a1", 5), ("b2", 1)] {
                    let score = [0, 1].map(|game| u8::from((round + game) % 6 < won));
                    rows += &format!("{one},{other},{},{pair},{opening}\n", score[0]);
                    rows += &format!("{other},{one},{},{pair},{opening}\n", score[1]);
                    pair += 1;
                }
            }
        }
    }
    rows
}

/// A screen without its line breaks.
fn in_one_line(screen: &str) -> String {
    screen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_note_says_how_much_openings_differ() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("two.csv"), games()).expect("written");
    let screen = in_one_line(&referee_in(folder.path(), "rate two.csv").ok());
    assert!(
        screen.contains("varies between openings, with a standard deviation of"),
        "{screen}"
    );

    // From one opening nothing is known of others.
    let one: String = games()
        .lines()
        .filter(|row| !row.ends_with("b2"))
        .map(|row| format!("{row}\n"))
        .collect();
    std::fs::write(folder.path().join("one.csv"), one).expect("written");
    let screen = in_one_line(&referee_in(folder.path(), "rate one.csv").ok());
    assert!(
        screen.contains("from the one opening that was played"),
        "{screen}"
    );
}
