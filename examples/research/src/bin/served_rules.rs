//! Are built-in rules and the same rules served as a program equal, ply by ply, in many random games?
//!
//! ```text
//! cargo build --release && cargo run --release -p research --bin served_rules -- 2000
//! ```

#[path = "../../../../tests/it/support/served.rs"]
mod served;

use std::error::Error;
use std::time::Instant;

use referee::game::BUILT_IN;

/// Games of each game, unless an argument says otherwise.
const GAMES: u64 = 2_000;

fn main() -> Result<(), Box<dyn Error>> {
    let games = std::env::args()
        .nth(1)
        .map_or(Ok(GAMES), |count| count.parse())?;
    // Beside this program.
    let referee = std::env::current_exe()?.with_file_name("referee");
    for game in BUILT_IN {
        let begun = Instant::now();
        let equal = served::compare(&referee, game, games);
        println!(
            "{}: {equal} ({:.1} s)",
            game.name(),
            begun.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
