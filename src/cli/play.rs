//! `referee play GAME BOT BOT`: one game, drawn move by move.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use super::human::Human;
use super::launch::launch;
use super::setup::SetupArgs;
use super::{Exit, Failure, drawing, print, supervisor};
use crate::clock::{Measure, TimeControl};
use crate::game::{AnyPosition, Game, Seat};
use crate::player::{Confinement, Log, OutputLimits, Player, Process, Supervisor};
use crate::random::PairSeeds;
use crate::referee::{self, GameEnd, GameSpec, Participant, Ply, Witness};
use crate::report::say;

/// Play one game and draw it move by move
///
/// A BOT is a house bot (random, greedy, search), `human` for yourself, or a command in quotes, such
/// as "python3 bots/random.py". The first acts first.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    setup: SetupArgs,
    /// Who plays the first seat
    first: String,
    /// Who plays the second seat
    second: String,
    /// Time of each bot for the whole game, such as 60s
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    per_game: Option<Duration>,
    /// Time of each bot for one action
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    per_move: Option<Duration>,
    /// Plies played at random before the players take over
    #[arg(long, value_name = "N", default_value_t = 0)]
    opening_plies: u32,
}

/// The longest that one action may take: long enough for a person's lunch.
const WALL_CAP: Duration = Duration::from_secs(24 * 3600);

/// How long a bot may take to answer outside the game, and to exit.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let setup = args.setup.setup()?;
    let game = setup.game();
    let legal = Rc::new(RefCell::new(Vec::new()));
    let supervisor = supervisor()?;
    let mut first = player(&args.first, &legal, &supervisor)?;
    let mut second = player(&args.second, &legal, &supervisor)?;
    let mut seeds = PairSeeds::new(args.setup.seed, game, 0);
    let mut position = setup.start(&mut seeds.chance);
    *legal.borrow_mut() = position.legal();
    print(&drawing::picture(position.as_ref()))?;
    let end = referee::play(
        &GameSpec {
            game,
            options: &setup.public_options(),
            bot_seeds: seeds.bots,
            opening_plies: args.opening_plies,
            time: &TimeControl {
                measure: Measure::Wall,
                per_game: args.per_game,
                increment: Duration::ZERO,
                per_move: args.per_move,
                margin: Duration::ZERO,
                wall_cap: WALL_CAP,
            },
            handshake: PATIENCE,
            start: PATIENCE,
        },
        position.as_mut(),
        [first.as_mut(), second.as_mut()],
        &mut seeds.chance,
        &mut Drawing { game, legal },
    );
    for participant in [&mut first, &mut second] {
        participant.player.dismiss();
    }
    for participant in [&mut first, &mut second] {
        participant.player.close(Duration::from_secs(1));
    }
    let logs = [first.player.take_log(), second.player.take_log()];
    let end = end.map_err(|void| Failure::new(Exit::Halted, void))?;
    print(&format!("\n{}", drawing::conclusion(game, &end)))?;
    show_logs(game, &end, &logs);
    Ok(Exit::Done)
}

/// The player that a word on the command line stands for.
fn player(
    word: &str,
    legal: &Rc<RefCell<Vec<String>>>,
    supervisor: &Supervisor,
) -> Result<Box<Participant<dyn Player>>, Failure> {
    if word == "human" {
        return Ok(Box::new(Participant::new(Human::new(Rc::clone(legal)))));
    }
    let launch = launch(word, None, "human, ")?;
    let process = Process::supervised(
        &launch,
        OutputLimits::default(),
        supervisor,
        &Confinement::default(),
    )
    .map_err(|fault| Failure::new(Exit::Failed, format!("player `{word}`: {fault}")))?;
    Ok(Box::new(Participant::new(process)))
}

/// Draws every ply, and keeps the list of legal actions for a human.
struct Drawing {
    game: Game,
    legal: Rc<RefCell<Vec<String>>>,
}

impl Witness for Drawing {
    fn ply(&mut self, ply: &Ply<'_>, position: &dyn AnyPosition) {
        *self.legal.borrow_mut() = position.legal();
        let text = format!(
            "\n{}{}",
            drawing::ply(
                ply.number,
                self.game.seat_name(ply.seat),
                ply.action,
                ply.public,
                ply.spent.map(|spent| spent.wall),
            ),
            drawing::picture(position)
        );
        // Who closes the output does not want to see the rest of the game.
        let _ = print(&text);
    }
}

/// What the player at fault wrote besides its answers helps to see why.
fn show_logs(game: Game, end: &GameEnd, logs: &[Log; 2]) {
    for seat in Seat::BOTH {
        let log = &logs[seat.index()];
        if end.blame.includes(seat) && !log.is_empty() {
            say(&format!(
                "what {} wrote to stderr:\n{}",
                game.seat_name(seat),
                String::from_utf8_lossy(&log.text()).trim_end()
            ));
        }
    }
}
