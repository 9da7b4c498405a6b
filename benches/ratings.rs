//! Speed of the ratings: a million games among a thousand players, read, fitted, and with
//! intervals, each apart. First in no pairs, then all in pairs.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use referee::game::Chance;
use referee::random::Stream;
use referee::rating::Model;
use referee::record::{BadRows, read_results};
use referee::report::{Results, Settings};

const PLAYERS: u32 = 1000;
const GAMES: u32 = 1_000_000;

fn table(pairs: bool) -> String {
    let mut chance = Stream::new(1, 0);
    let mut text = String::from("first,second,first_points,pair\n");
    let per_meeting = if pairs { 2 } else { 1 };
    for pair in 0..GAMES / per_meeting {
        let a = chance.below(PLAYERS);
        let b = (a + 1 + chance.below(PLAYERS - 1)) % PLAYERS;
        for seat in 0..per_meeting {
            let [a, b] = if seat == 0 { [a, b] } else { [b, a] };
            // The lower the number, the stronger; a fifth are drawn.
            let edge = 1.0 / (1.0 + (f64::from(a) / 400.0 - f64::from(b) / 400.0).exp());
            let score = match f64::from(chance.below(1000)) / 1000.0 {
                x if x < 0.2 => "0.5",
                x if x < 0.2 + 0.8 * edge => "1",
                _ => "0",
            };
            let number = if pairs {
                pair.to_string()
            } else {
                String::new()
            };
            writeln!(text, "player{a:04},player{b:04},{score},{number}").expect("memory");
        }
    }
    text
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    for pairs in [false, true] {
        let path = folder.path().join("games.csv");
        std::fs::write(&path, table(pairs)).expect("written");
        let begun = Instant::now();
        let mut results = Results::default();
        read_results(
            &path,
            0,
            BadRows::Refuse,
            &mut |row| results.add(row),
            &mut |warning| eprintln!("{warning}"),
        )
        .expect("read");
        let read = begun.elapsed();
        let begun = Instant::now();
        for (_, standings) in results.games() {
            black_box(referee::rating::Ratings::new(standings, Model::default()));
        }
        let fitted = begun.elapsed();
        let begun = Instant::now();
        let settings = Settings::default();
        black_box(referee::report::ratings(&results.rate(&settings)).csv());
        let printed = begun.elapsed();
        println!(
            "{} games, {PLAYERS} players, {}: read {:.2} s; fit and intervals {:.2} s; \
             fit, intervals, notes and table {:.2} s",
            GAMES,
            if pairs { "in pairs" } else { "no pairs" },
            read.as_secs_f64(),
            fitted.as_secs_f64(),
            printed.as_secs_f64(),
        );
    }
}
