//! Writes a table of many random games, to measure ratings with.
//!
//! ```text
//! cargo run --release -p research --bin many_games -- GAMES PLAYERS [pairs] > games.csv
//! ```

use std::io::{self, BufWriter, Write};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u32>().ok());
    let (Some(games), Some(players @ 2..)) = (number(0), number(1)) else {
        eprintln!("expected GAMES PLAYERS [pairs]");
        std::process::exit(2);
    };
    let mut out = BufWriter::new(io::stdout().lock());
    research::many_games::write(&mut out, games, players, arguments.len() > 2)?;
    out.flush()
}
