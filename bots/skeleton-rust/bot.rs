//! A bot for any game whose rules offer actions. It knows the protocol and no game: begin with `choose`.

#![allow(dead_code, reason = "your bot may read more than this one does")]

use std::error::Error;
use std::io::{self, BufRead, Write};

/// YOUR BOT BEGINS HERE. Returns one of `game.actions`; `game.events` has all that happened.
fn choose(game: &mut Game) -> String {
    let at = game.below(game.actions.len());
    game.actions[at].clone()
}

/// One game, as this bot was told of it.
#[derive(Default)]
struct Game {
    /// The line `start`: the game, our seat, the clock and the options.
    start: String,
    /// Lines such as `did yellow 4` and `see card 7`, oldest first.
    events: Vec<String>,
    /// The legal actions.
    actions: Vec<String>,
    /// The state of the random numbers.
    random: u64,
}

impl Game {
    fn new(start: &str) -> Self {
        let seed = start.split(' ').find_map(|field| field.strip_prefix("seed="));
        Self {
            start: start.to_owned(),
            random: seed.and_then(|seed| seed.parse().ok()).unwrap_or(1),
            ..Self::default()
        }
    }

    /// A number from 0 to `bound - 1`, drawn from the seed of the game (SplitMix64).
    fn below(&mut self, bound: usize) -> usize {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % bound as u64) as usize
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut game, mut stdout) = (Game::default(), io::stdout());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "referee" => writeln!(stdout, "bot 1 skeleton-rust")?,
            "start" => {
                game = Game::new(&line);
                writeln!(stdout, "ready")?;
            }
            "did" | "see" => game.events.push(line),
            "can" => game.actions.extend(rest.split(' ').map(str::to_owned)),
            "act" if game.actions.is_empty() => {
                Err("the rules offer no actions: work them out from game.events")?
            }
            "act" => {
                writeln!(stdout, "{}", choose(&mut game))?;
                game.actions.clear();
            }
            _ => {}
        }
        stdout.flush()?;
    }
    Ok(())
}
