//! One game of Cachex between two house bots, inside this process: `cargo run --example one_game`.

use std::time::Duration;

use referee::clock::{Measure, TimeControl};
use referee::game::{AnyPosition, Game, Setup};
use referee::opponents::{HouseBot, serve};
use referee::player::{Double, Reply};
use referee::random::Stream;
use referee::referee::{GameSpec, Participant, Ply, Witness, play};

/// Prints each ply as it is played.
struct Printer;

impl Witness for Printer {
    fn ply(&mut self, ply: &Ply<'_>, _position: &dyn AnyPosition) {
        println!("{}. {} {}", ply.number, ply.action, ply.public);
    }
}

/// A house bot's answer to the last of these lines from the referee.
fn answer(bot: HouseBot, told: &[String]) -> Reply {
    let mut output = Vec::new();
    // A bot that fails gives no answer, and the referee says what that means for the game.
    let _ = serve(bot, 500, told.join("\n").as_bytes(), &mut output);
    let lines = String::from_utf8_lossy(&output);
    let last = lines.lines().last().unwrap_or_default();
    Reply::Line(last.to_owned(), Duration::ZERO)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let setup = Setup::new(Game::Cachex);
    let patience = Duration::from_secs(10);
    let spec = GameSpec {
        game: Game::Cachex,
        options: &setup.public_options(),
        bot_seeds: [1, 2],
        opening_plies: 2,
        time: &TimeControl {
            measure: Measure::Wall,
            per_game: None,
            increment: Duration::ZERO,
            per_move: None,
            margin: Duration::ZERO,
            wall_cap: patience,
        },
        handshake: patience,
        start: patience,
    };
    // The opening plies, and in dark chess the layout, are drawn from this seed.
    let mut chance = Stream::new(2026, 0);
    let mut position = setup.start(&mut chance);
    // Real tournaments start a process for each bot; a double is a player made of a function.
    let [mut red, mut blue] = [HouseBot::Search, HouseBot::Greedy]
        .map(|bot| Participant::new(Double::new(move |told: &[String]| answer(bot, told))));
    let end = play(
        &spec,
        &mut *position,
        [&mut red, &mut blue],
        &mut chance,
        &mut Printer,
    )?;
    println!(
        "{}: {}",
        end.result.name(Game::Cachex),
        end.why(Game::Cachex)
    );
    Ok(())
}
