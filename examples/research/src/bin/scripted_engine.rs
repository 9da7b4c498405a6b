//! An engine that speaks UCI and knows one game of chess by heart: 118 random moves, drawn by the third repetition.
//!
//! It takes next to no time, so that a match of two shows what a harness costs. `docs/performance.md` has figures.

use std::io::{self, BufRead, BufWriter, Write};

const GAME: &str = "\
    f2f3 f7f6 a2a4 d7d5 g2g3 d8d6 e2e3 d6c5 f1a6 c5b5 g1h3 e7e5 h3f2 b5b4 e3e4 c8g4 \
    f2d3 g4e6 e1f2 b8a6 f2e2 b4b5 h2h4 d5d4 c2c3 f8d6 h1g1 e8f8 d1e1 b5d3 e2d1 f8e8 \
    a4a5 b7b6 b2b3 a8c8 e1f1 g8e7 a1a3 e7g8 f1e2 e6d7 c1b2 d7f5 h4h5 a6b4 e2g2 d6c5 \
    g3g4 e8d8 d1c1 d3e2 h5h6 e2b5 g2g3 b5c6 g1h1 c5f8 h1h3 g7g5 c3c4 b4d3 c1c2 c6d6 \
    g3f4 d3b4 c2c1 d8d7 a3a2 d6c5 a2a4 c8a8 b2a3 a8d8 h3g3 b4d5 e4f5 d8c8 f4e4 b6a5 \
    c1c2 d5e3 c2c1 d4d3 e4d3 d7e7 d3d5 c5d6 d5c5 e3d5 c5b4 d5b6 b4c3 d6c5 a4b4 e7d8 \
    c3e3 f8g7 e3e4 c5d4 e4b7 d4d3 b1c3 c7c5 b7c7 d8e8 c3e4 d3b1 c1b1 c8b8 a3b2 b6a4 \
    b2a3 a4b6 a3b2 b6a4 b2a3 a4b6";

fn main() -> io::Result<()> {
    let game: Vec<&str> = GAME.split(' ').collect();
    let (mut out, mut plies) = (BufWriter::new(io::stdout().lock()), 0);
    let (mut input, mut line) = (io::stdin().lock(), String::new());
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let line = line.trim_end();
        match line.split(' ').next().unwrap_or_default() {
            "uci" => writeln!(out, "id name scripted\nuciok")?,
            "isready" => writeln!(out, "readyok")?,
            "position" => plies = plies_of(line),
            "go" => match game.get(plies) {
                Some(action) => writeln!(
                    out,
                    "info depth 1 score cp 0 nodes 1 time 0\nbestmove {action}"
                )?,
                None => writeln!(out, "bestmove 0000")?,
            },
            "quit" => return Ok(()),
            _ => continue,
        }
        out.flush()?;
    }
}

/// The number of plies that a position is from the start: by its FEN, if it has one, and its moves.
fn plies_of(line: &str) -> usize {
    let (position, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let fields: Vec<&str> = position.split(' ').skip(2).collect();
    let before = match fields[..] {
        [_, side, .., number] => {
            let number: usize = number.parse().unwrap_or(1);
            2 * number.saturating_sub(1) + usize::from(side == "b")
        }
        _ => 0,
    };
    // Counted by their separators, which takes a fraction of the time of splitting.
    match moves {
        "" => before,
        moves => before + 1 + moves.bytes().filter(|byte| *byte == b' ').count(),
    }
}
