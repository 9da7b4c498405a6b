//! One game of Cachex between two house bots, inside this process: `cargo run --example one_game`.

use std::time::Duration;

use referee::bot::{Double, Player, Reply};
use referee::clock::TimeControl;
use referee::game::{AnyPosition, Setup, cachex};
use referee::opponents::{HouseBot, Widths, serve};
use referee::random::Stream;
use referee::referee::{Adjudication, GameSpec, Participant, Ply, SeatTerms, Witness, play};

/// Prints each ply as it is played.
struct Printer;
impl Witness for Printer {
    fn ply(&mut self, ply: &Ply<'_>, _position: &dyn AnyPosition) {
        for (_, played) in ply.played() {
            println!("{}. {} {}", ply.number, played.action, played.public);
        }
    }
}

/// A house bot as a participant. Real tournaments start a process for each bot; a `Double` is a player
/// made of a function, which is given all lines that the referee sent so far.
fn participant(bot: HouseBot) -> Participant<impl Player> {
    Participant::new(Double::new(move |told: &[String]| {
        let mut output = Vec::new();
        // A bot that fails gives no answer, and the referee says what that means for the game.
        let widths = Widths::default();
        let _ = serve(bot, 500, widths, told.join("\n").as_bytes(), &mut output);
        let lines = String::from_utf8_lossy(&output);
        let answer = lines.lines().last().unwrap_or_default().to_owned();
        Reply::Line(answer, Duration::ZERO)
    }))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let setup = Setup::new(cachex::GAME);
    let patience = Duration::from_secs(10);
    let time = TimeControl {
        wall_cap: patience,
        ..TimeControl::default()
    };
    let spec = GameSpec {
        game: cachex::GAME,
        options: setup.public_options().into(),
        bot_seeds: [1, 2].into(),
        opening_plies: 2,
        adjudication: Adjudication::default(),
        drops: false,
        terms: [SeatTerms {
            time: &time,
            handshake: patience,
            start: patience,
        }; 2]
            .into(),
    };
    // The opening plies, and in dark chess the layout, are drawn from this seed.
    let mut chance = Stream::new(2026, 0);
    let mut position = setup.start(&mut chance)?;
    let (mut red, mut blue) = (participant(HouseBot::Search), participant(HouseBot::Greedy));
    let players: [&mut Participant<dyn Player>; 2] = [&mut red, &mut blue];
    let end = play(
        &spec,
        &mut *position,
        players.into(),
        &mut chance,
        &mut Printer,
    )?;
    let winner = cachex::GAME.result_name(end.result);
    println!("{winner}: {}", end.why(cachex::GAME));
    Ok(())
}
