//! A table of random games.

use std::io::{self, Write};

use referee::game::Chance;
use referee::random::Stream;

/// Writes so many games between random players. In pairs, each second one is the first with swapped seats.
pub fn write(out: &mut dyn Write, games: u32, players: u32, pairs: bool) -> io::Result<()> {
    let mut chance = Stream::new(1, 0);
    writeln!(out, "first,second,first_points,block")?;
    let per_meeting = if pairs { 2 } else { 1 };
    for pair in 0..games / per_meeting {
        let a = chance.below(players);
        let b = (a + 1 + chance.below(players - 1)) % players;
        let number = if pairs {
            pair.to_string()
        } else {
            String::new()
        };
        for [a, b] in [[a, b], [b, a]].into_iter().take(per_meeting as usize) {
            // The lower the number, the stronger; a fifth are drawn.
            let apart = (f64::from(a) - f64::from(b)) * 2.5 / f64::from(players);
            let wins = 1.0 / (1.0 + apart.exp());
            let score = match f64::from(chance.below(1000)) / 1000.0 {
                x if x < 0.2 => "0.5",
                x if x < 0.2 + 0.8 * wins => "1",
                _ => "0",
            };
            writeln!(out, "player{a:05},player{b:05},{score},{number}")?;
        }
    }
    Ok(())
}
