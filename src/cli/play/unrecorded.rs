//! One game that is not kept.

use std::sync::Arc;

use super::live_game::LiveGame;
use super::{
    HANDSHAKE, HUMAN, PlayArgs, QUIT, WALL_CAP, drawn, human, introduction, show_ply,
    warn_of_opening,
};
use crate::bot::{Confinement, OutputLimits, Player, Process, Supervisor};
use crate::cli::arguments::{StartError, launch, named, supervisor, wall_time};
use crate::cli::drawing;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{print, say};
use crate::config::{PlannedGame, PlannedOpening, is_told_legal};
use crate::game::{AnyPosition, Game, PerSeat};
use crate::opponents::HouseBot;
use crate::referee::{self, GameEnd, Line, Participant, Ply, SeatTerms, Void, Witness};
use crate::report::print_to_stderr;
use crate::text::visible_lines;

/// The player in a seat.
type Seated = Box<Participant<dyn Player>>;

pub(super) fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    let opening = PlannedOpening::Random(args.opening_plies);
    let planned = PlannedGame::new(args.setup()?, opening);
    let game = planned.game();
    let is_human = args.players.iter().map(|word| word == HUMAN);
    let is_human: PerSeat<bool> = is_human.collect();
    let has_person = is_human.contains(&true);
    let live = LiveGame::new(planned.clone(), args.setup.seed, is_human, false);
    let live = Arc::new(live.map_err(|error| Failure::new(Exit::Failed, error))?);
    let supervisor = supervisor()?;
    if has_person {
        say(&introduction(args)?)?;
    }
    let (end, mut players) = loop {
        let words = args.players.iter();
        let players = words.map(|word| player(args, word, game, &live, &supervisor));
        let mut players = players.collect::<Result<PerSeat<Seated>, Failure>>()?;
        print(&drawn(&live, live.position()?.as_ref()))?;
        let end = play(args, &planned, &live, &mut players);
        if !live.was_taken_back() {
            break (end?, players);
        }
        print(&format!("\nback to ply {}\n", live.actions().len()))?;
    };
    say(&format!("\n{}", drawing::conclusion(game, &end)))?;
    warn_of_opening(args, &end);
    show_logs(game, &end, &mut players);
    Ok(Exit::Done)
}

/// Continues the game from the actions of the live game, which bots are told as an opening, and closes the players.
fn play(
    args: &PlayArgs,
    planned: &PlannedGame,
    live: &Arc<LiveGame>,
    players: &mut PerSeat<Seated>,
) -> Result<GameEnd, Void> {
    let time = wall_time(args.per_game, args.per_move, WALL_CAP);
    let actions = live.actions();
    let mut start = planned.start(args.setup.seed, 0)?;
    if !actions.is_empty() {
        start.opening_plies = actions.len() as u32;
        start.opening = Box::new(Line(actions.as_slice().into()));
    }
    let terms = SeatTerms {
        time: &time,
        handshake: HANDSHAKE,
        start: HANDSHAKE,
    };
    let end = referee::play(
        &start.spec(planned.game().per_seat(|_| terms)),
        start.position.as_mut(),
        players
            .each_mut()
            .map(|player| &mut **player as &mut Participant<dyn Player>),
        start.opening.as_mut(),
        &mut PlyPrinter {
            game: planned.game(),
            live: Arc::clone(live),
            shown: actions.len() as u32,
        },
    );
    for (_, participant) in players.iter_mut() {
        participant.player.dismiss();
    }
    for (_, participant) in players.iter_mut() {
        participant.player.close(QUIT);
    }
    let mut end = end?;
    let late = players.each_mut().map(|seated| seated.player.late_answer());
    end.add_late_answers(late, start.position.as_mut());
    Ok(end)
}

/// The player named by a word on the command line.
fn player(
    args: &PlayArgs,
    word: &str,
    game: Game,
    live: &Arc<LiveGame>,
    supervisor: &Supervisor,
) -> Result<Seated, Failure> {
    if word == HUMAN {
        return Ok(Box::new(Participant::new(human(Arc::clone(live)))));
    }
    let (_, command) = named(word);
    let launch = launch(command, None, "human, ")?;
    let time = wall_time(args.per_game, args.per_move, WALL_CAP);
    let language = args.language.fit(command, game, &time)?;
    let process = Process::supervised(
        &launch,
        OutputLimits::default(),
        supervisor,
        &Confinement::default(),
    )
    .map_err(|fault| StartError::Process {
        word: word.to_owned(),
        fault,
    })?
    .speaking(&language, time.margin);
    let mut participant = Participant::new(process);
    let house = HouseBot::from_name(command).map(HouseBot::name);
    participant.set_told_legal(is_told_legal(game, house));
    Ok(Box::new(participant))
}

/// Draws every new ply.
struct PlyPrinter {
    game: Game,
    live: Arc<LiveGame>,
    /// Number of plies already drawn.
    shown: u32,
}

impl Witness for PlyPrinter {
    fn ply(&mut self, ply: &Ply<'_>, position: &dyn AnyPosition) {
        if ply.number > self.shown {
            show_ply(self.game, &self.live, ply, position);
        }
    }
}

/// Shows stderr of a player at fault: it may tell why the player failed.
fn show_logs(game: Game, end: &GameEnd, players: &mut PerSeat<Seated>) {
    for seat in end.blamed().iter() {
        let log = players[seat].player.take_log();
        if !log.is_empty() {
            print_to_stderr(&format!(
                "what {} wrote to stderr:\n{}",
                game.seat_name(seat),
                visible_lines(&String::from_utf8_lossy(&log.text())).trim_end()
            ));
        }
    }
}
