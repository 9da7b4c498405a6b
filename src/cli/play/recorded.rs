//! Games of `referee play` that are kept in the folder of a run.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use super::live_game::LiveGame;
use super::{
    HANDSHAKE, HUMAN, PlayArgs, QUIT, WALL_CAP, drawn, human, introduction, show_ply,
    warn_of_opening,
};
use crate::bot::Patience;
use crate::cli::arguments::{
    COMMAND_LINE, game_options, known_games, players, supervisor, wall_time,
};
use crate::cli::drawing;
use crate::cli::exit::{CommandError, Exit, Failure};
use crate::cli::output::{print, say, style};
use crate::cli::run::{claim_folder, give_back};
use crate::config::{Match, Plan};
use crate::game::{AnyPosition, Game};
use crate::referee::{Participant, Ply, Termination};
use crate::report::{self, Progress, finish_run, warn};
use crate::results::Settings;
use crate::runner::{
    Audience, Bot, Bots, Completed, Demands, Event, Host, HostOptions, Interrupt, Placing,
    QueuedGame, RunError, Tournament,
};
use crate::runs::{GameRow, Run, RunFileError, RunFileProblem, RunFolder, SET_ASIDE};
use crate::text::visible;

/// Players by seat.
struct SeatedPlayers {
    plan: Plan,
    /// Whether each player is a person, by index in the plan.
    is_human: Vec<bool>,
}

impl SeatedPlayers {
    fn from_args(args: &PlayArgs) -> Result<Self, Failure> {
        // Check options here, so that a wrong one has the same message as in a game that is not kept.
        let game = args.setup()?.game();
        let mut persons = 0;
        let bots = args.players.iter().map(|word| match word == HUMAN {
            false => word.clone(),
            // A person is planned as a bot that is never started.
            true => {
                persons += 1;
                match persons {
                    1 => format!("{HUMAN}=random"),
                    number => format!("{HUMAN}-{number}=random"),
                }
            }
        });
        let bots: Vec<String> = bots.collect();
        let is_human: Vec<bool> = args.players.iter().map(|word| word == HUMAN).collect();
        let text = |time| humantime::format_duration(time).to_string();
        let rules = Match {
            name: format!("{}-play", game.name()),
            seed: Some(args.setup.seed),
            game,
            options: game_options(&args.setup.options)?,
            games: args.games.unwrap_or(1),
            opening_plies: args.opening_plies,
            per_move: args.per_move.map(text),
            per_game: args.per_game.map(text),
            memory: None,
            speaks: args.language.speaks.clone(),
            players: players(&bots)?,
        };
        let mut plan = rules.plan(COMMAND_LINE, known_games())?;
        plan.time = wall_time(args.per_game, args.per_move, WALL_CAP);
        plan.limits.handshake = HANDSHAKE;
        plan.limits.start = HANDSHAKE;
        plan.limits.quit = QUIT;
        for (entry, is_human) in plan.players.iter_mut().zip(&is_human) {
            if *is_human {
                entry.house = Some(HUMAN.to_owned());
            }
        }
        Ok(Self { plan, is_human })
    }

    /// Plays all games into a folder, until the end or until a person leaves.
    fn play(
        &self,
        args: &PlayArgs,
        host: &Host,
        folder: &mut RunFolder,
        listen: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Completed, Failure> {
        let planned = &self.plan.games[0];
        let live = LiveGame::new(
            planned.clone(),
            args.setup.seed,
            self.is_human.iter().copied().collect(),
            true,
        );
        let live = Arc::new(live.map_err(|error| Failure::new(Exit::Failed, error))?);
        if self.is_human.contains(&true) {
            say(&introduction(args)?)?;
        }
        let drawn = DrawnGames {
            game: planned.game(),
            live: Arc::clone(&live),
        };
        let is_drawn = args.games.unwrap_or(1) == 1 || self.is_human.contains(&true);
        let audience: Option<&dyn Audience> = is_drawn.then_some(&drawn);
        let start = |player: usize, worker: usize, patience: Patience| {
            Ok(if self.is_human[player] {
                Box::new(Participant::new(human(Arc::clone(&live)))) as Bot
            } else {
                Box::new(Participant::new(
                    host.start(&self.plan, player, worker, patience)?,
                ))
            })
        };
        // Not connected to signals: Ctrl-C ends the program, or is input of the person asked for an action.
        let interrupt = Interrupt::new().map_err(|error| Failure::new(Exit::Failed, error))?;
        let mut listen = |event: &Event<'_>| {
            listen(event);
            if let Event::Finished(row) = event
                && row.end.termination == Termination::Left
            {
                interrupt.finish_games();
            }
        };
        let tournament = Tournament {
            bots: Bots::From(&start),
            audience,
            ..Tournament::new(&self.plan, host, &interrupt)
        };
        match tournament.play(folder, &mut listen) {
            // A person has left.
            Err(RunError::Stopped { .. }) => Ok(Completed { set_aside: 0 }),
            played => Ok(played?),
        }
    }
}

pub(super) fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    let players = SeatedPlayers::from_args(args)?;
    let plan = &players.plan;
    let host = host(args, plan)?;
    let out = args.out.clone();
    let out = out.unwrap_or_else(|| claim_folder(&plan.name));
    let mut folder = RunFolder::create(&out, plan, host.stamp())
        .inspect_err(|_| {
            if args.out.is_none() {
                give_back(&out);
            }
        })
        .map_err(cannot_keep)?;
    let mut progress = Progress::new(true, plan.display_names());
    let (mut points, mut games) = (vec![0.0; plan.players.len()], 0);
    let played = players.play(args, &host, &mut folder, &mut |event| {
        if let Event::Finished(row) = event {
            show_end(row, &out);
            warn_of_opening(args, &row.end);
            for (points, own) in points.iter_mut().zip(points_of(row, plan)) {
                *points += own;
            }
            games += 1;
        }
        progress.event(event);
    })?;
    let (mut results, forfeits) = progress.finish();
    let run = Run::open(&out, known_games())?;
    let settings = Settings::of_run(&run);
    let rated = results.rate(&settings);
    // A round robin has no conclusion beyond its points.
    finish_run(&run, &rated, &[])?;
    let mut text = String::new();
    if games > 1 {
        let points = plan.players.iter().zip(&points);
        let points = points.map(|(player, points)| format!("{} {points}", visible(&player.name)));
        let points: Vec<String> = points.collect();
        text.push_str(&format!("\n{} of {games} games\n", points.join(", ")));
        let forfeits = report::forfeit_lines(&forfeits, &out, &plan.display_names(), style());
        if !forfeits.is_empty() {
            text.push('\n');
            text.push_str(&forfeits);
        }
    }
    text.push_str(&format!("kept in {}\n", out.display()));
    print(&text)?;
    match played {
        Completed { set_aside: 0 } => Ok(Exit::Done),
        Completed { .. } => {
            let out = out.display();
            let problem = format!("some games were void each time: see {SET_ASIDE} in {out}");
            Err(Failure::new(Exit::Void, problem))
        }
    }
}

/// Host for one game at a time.
fn host(args: &PlayArgs, plan: &Plan) -> Result<Host, Failure> {
    let options = HostOptions {
        jobs: NonZeroUsize::new(1),
        placing: Placing::default(),
    };
    let (host, warnings) = Host::new(&Demands::of(plan), supervisor()?, options)?;
    // Without a time limit, a busy machine costs no player anything.
    let has_limit = args.per_game.or(args.per_move).is_some();
    for warning in warnings.iter().filter(|_| has_limit) {
        warn(&warning.to_string());
    }
    Ok(host)
}

fn cannot_keep(error: RunFileError) -> Failure {
    match error.problem {
        // `play` has no --resume, so the usual advice would be wrong.
        RunFileProblem::HoldsARun => Failure::new(
            error.exit(),
            format!(
                "{}: holds a run already: name another folder with --out",
                error.path.display()
            ),
        ),
        _ => error.into(),
    }
}

/// Draws the games of a run.
struct DrawnGames {
    game: Game,
    live: Arc<LiveGame>,
}

impl Audience for DrawnGames {
    fn begins(&self, game: &QueuedGame, position: &dyn AnyPosition) {
        self.live.begin(game.ticket.block);
        let _ = print(&drawn(&self.live, position));
    }

    fn ply(&self, ply: &Ply<'_>, position: &dyn AnyPosition) {
        show_ply(self.game, &self.live, ply, position);
    }
}

/// Points of the players, by index in the plan.
fn points_of(row: &GameRow, plan: &Plan) -> Vec<f64> {
    let points = plan.players.iter().map(|entry| {
        let seat = row.names().find(|name| *name == entry.name);
        seat.map_or(0.0, |seat| row.end.result.points(seat))
    });
    points.collect()
}

/// Prints the end of a game, and the command that replays it.
fn show_end(row: &GameRow, out: &Path) {
    let seated = row.names();
    let seated = seated.iter();
    let seated =
        seated.map(|(seat, name)| format!("{} as {}", visible(name), row.game.seat_name(seat)));
    // A failed write means that the reader has gone.
    let _ = say(&format!(
        "\ngame {}, {}: {}again: referee replay {} {}\n",
        row.id,
        seated.collect::<Vec<_>>().join(", "),
        drawing::conclusion(row.game, &row.end),
        report::shell_word(out),
        row.id
    ));
}
