//! `referee play GAME FIRST SECOND`: one game, drawn move by move.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use super::human::{SharedPosition, human};
use super::launch::{StartError, launch, supervisor};
use super::setup::SetupArgs;
use super::values::{parse_small, parse_time, wall_time};
use super::{Exit, Failure, drawing, print};
use crate::config::{PlannedGame, PlannedOpening};
use crate::game::{AnyPosition, Game, Seat};
use crate::player::{Confinement, OutputLimits, Player, Process, Supervisor};
use crate::referee::{self, GameEnd, Participant, Ply, Witness};
use crate::report::print_to_stderr;
use crate::text::visible_lines;

/// Play one game and draw it move by move
///
/// A player is a house bot (random, greedy, search), `human` for yourself, or a command in quotes,
/// such as "python3 bots/twenty-lines/bot.py". FIRST acts first. A person types actions, the beginning of
/// one to see how it can go on, `?` for help and `quit` to leave.
#[derive(Debug, clap::Args)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    setup: SetupArgs,
    /// The player in the first seat
    first: String,
    /// The player in the second seat
    second: String,
    /// Time of each bot for the whole game, such as 60s
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    per_game: Option<Duration>,
    /// Time of each bot for one action
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    per_move: Option<Duration>,
    /// Plies played at random before the players take over
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_small, allow_negative_numbers = true)]
    opening_plies: u32,
}

/// The longest that one action may take: a person may be away for a while.
const WALL_CAP: Duration = Duration::from_secs(24 * 3600);

/// How long a bot may take to answer the handshake, and to get ready for the game.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// How long a bot may take to exit after `quit`.
const QUIT: Duration = Duration::from_secs(1);

/// Who plays one of the seats.
type Seated = Box<Participant<dyn Player>>;

pub(super) fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    let opening = PlannedOpening::Random(args.opening_plies);
    let planned = PlannedGame::new(args.setup.setup()?, opening);
    let game = planned.game();
    let time = wall_time(args.per_game, args.per_move, WALL_CAP);
    let mut start = planned.start(args.setup.seed, 0);
    // The same start again: a person tries actions on it and sees which rule they break.
    let copy: SharedPosition = Rc::new(RefCell::new(planned.start(args.setup.seed, 0).position));
    let supervisor = supervisor()?;
    let mut players = [
        player(&args.first, &copy, &supervisor)?,
        player(&args.second, &copy, &supervisor)?,
    ];
    let [first, second] = &mut players;
    print(&start.position.picture(Seat::First))?;
    let end = referee::play(
        &start.spec(&time, HANDSHAKE, HANDSHAKE),
        start.position.as_mut(),
        [first.as_mut(), second.as_mut()],
        start.opening.as_mut(),
        &mut PlyPrinter { game, copy },
    );
    for participant in &mut players {
        participant.player.dismiss();
    }
    for participant in &mut players {
        participant.player.close(QUIT);
    }
    let mut end = end?;
    let late = players.each_mut().map(|seated| seated.player.late_answer());
    end.add_late_answers(late, start.position.as_mut());
    print(&format!("\n{}", drawing::conclusion(game, &end)))?;
    if end.plies > 0 && end.plies <= args.opening_plies {
        print_to_stderr(&format!(
            "referee: the game ended within its --opening-plies {}: all of it was random, and no player \
             was asked",
            args.opening_plies
        ));
    }
    show_logs(game, &end, &mut players);
    Ok(Exit::Done)
}

/// The player that a word on the command line stands for.
fn player(
    word: &str,
    copy: &SharedPosition,
    supervisor: &Supervisor,
) -> Result<Seated, StartError> {
    if word == "human" {
        return Ok(Box::new(Participant::new(human(Rc::clone(copy)))));
    }
    let launch = launch(word, None, "human, ")?;
    let process = Process::supervised(
        &launch,
        OutputLimits::default(),
        supervisor,
        &Confinement::default(),
    )
    .map_err(|fault| StartError::Process {
        word: word.to_owned(),
        fault,
    })?;
    Ok(Box::new(Participant::new(process)))
}

/// Draws every ply, and plays it in the copy for a human.
struct PlyPrinter {
    game: Game,
    copy: SharedPosition,
}

impl Witness for PlyPrinter {
    fn ply(&mut self, ply: &Ply<'_>, position: &dyn AnyPosition) {
        // It is legal in the copy, since it was in the game.
        let _ = self.copy.borrow_mut().act(ply.action, &mut String::new());
        let text = format!(
            "\n{}{}",
            drawing::ply(
                ply.number,
                self.game.seat_name(ply.seat),
                ply.action,
                ply.public,
                ply.spent.map(|spent| spent.wall),
            ),
            position.picture(Seat::First)
        );
        // Somebody who closed the output does not want to see the rest of the game.
        let _ = print(&text);
    }
}

/// Shows what a player at fault wrote besides its answers, which may say why it failed.
fn show_logs(game: Game, end: &GameEnd, players: &mut [Seated; 2]) {
    for seat in Seat::BOTH
        .into_iter()
        .filter(|seat| end.blame.includes(*seat))
    {
        let log = players[seat.index()].player.take_log();
        if !log.is_empty() {
            print_to_stderr(&format!(
                "what {} wrote to stderr:\n{}",
                game.seat_name(seat),
                visible_lines(&String::from_utf8_lossy(&log.text())).trim_end()
            ));
        }
    }
}
