//! Speed of the ratings: a million games among a thousand players, read, fitted, and with
//! intervals, each apart. First in no pairs, then all in pairs.

#[path = "../examples/research/src/many_games.rs"]
mod many_games;

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::time::Instant;

use referee::rating::Model;
use referee::results::{BadRows, Results, Settings, read_results};

const PLAYERS: u32 = 1000;
const GAMES: u32 = 1_000_000;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    for pairs in [false, true] {
        let path = folder.path().join("games.csv");
        let mut file = BufWriter::new(File::create(&path).expect("a file"));
        many_games::write(&mut file, GAMES, PLAYERS, pairs).expect("written");
        file.flush().expect("written");
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
        for (_, games) in results.games() {
            let standings = games.clone().standings();
            black_box(referee::rating::Ratings::new(&standings, Model::default()));
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
