//! `referee league play`: batch after batch, each of them an ordinary run.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::table::write;
use super::{Machine, table};
use crate::cli::arguments::{MachineArgs, parse_time, parse_whole};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{print, say};
use crate::cli::report::{EndedRun, pages_at_end};
use crate::grade::GradeError;
use crate::league::{Batch, Session, Snapshot, Standing, name_of, run_of};
use crate::report::{Progress, print_to_stderr, shell_word, warn};
use crate::runner::{Event, HostOptions, Interrupt, RunError};
use crate::runs::GameRow;
use crate::text::counted;

/// Play games where they tell most, batch after batch, until Ctrl-C or what the options say
///
/// Each batch is a run of its own in the folder `runs`, which all other commands take. A batch that was broken off goes on
/// first. Bots may come and go meanwhile.
#[derive(Debug, clap::Args)]
pub(super) struct PlayArgs {
    /// The folder of the league
    league: PathBuf,
    #[command(flatten)]
    machine: MachineArgs,
    /// Begin no game after this time, such as 8h
    #[arg(long = "for", value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Begin no batch after this many games
    #[arg(long, value_name = "N", value_parser = parse_whole)]
    games: Option<u64>,
    /// Begin no batch once all ratings are known to this many Elo, up and down, with 95 %
    #[arg(long, value_name = "ELO")]
    until: Option<f64>,
    /// Replace this folder by the pages after each batch, for any web server
    #[arg(long, value_name = "DIR")]
    publish: Option<PathBuf>,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    let machine = Machine::new(&args.league)?;
    let (league, session) = (&machine.league, machine.session(args.machine.options()));
    let is_late = args.time.map(|time| end_after(time, &machine.interrupt));
    let is_late = || is_late.as_ref().is_some_and(|it| it.load(Ordering::SeqCst));
    let mut standing = Standing::read(league)?;
    let (mut played, mut is_new) = (0, false);
    let mut ended = None;
    loop {
        let roster = league.roster()?;
        let now = standing.rate(&roster);
        let is_end = ended.is_some() || is_late() || is_over(args, &now, played);
        // Bots may have come although no batch has ended.
        if is_new || (is_end && args.publish.is_some()) {
            write(league, &now, args.publish.as_deref())?;
        }
        if is_end {
            if !args.quiet {
                print(&table::shown(&now.table()))?;
                let games = counted(played, "game", "games");
                let pages = league.report().join("index.html");
                say(&format!("{games} played; pages in {}\n", pages.display()))?;
            }
            return ended.unwrap_or(Ok(Exit::Done));
        }
        let mut before = Vec::new();
        let keep = &mut |row: &GameRow| before.push(row.clone());
        let batch = session.next(&now, args.games.unwrap_or(u64::MAX), keep)?;
        drop(now);
        if let Some(batch) = batch {
            let path = run_of(&batch.config);
            let outcome = play_to_end(&session, batch, &before, args.quiet, &mut played);
            is_new = outcome.is_ok();
            ended = match outcome {
                Ok(()) => None,
                Err(GradeError::Run(RunError::Stopped { .. })) if is_late() => Some(Ok(Exit::Done)),
                Err(error) => Some(Err(failure(error))),
            };
            standing.update(league)?;
            if is_new {
                let games = standing.batches.last().map_or(0, |batch| batch.games);
                let run = EndedRun {
                    path: &path,
                    games,
                    wanted: None,
                    stopped: false,
                    quiet: true,
                };
                pages_at_end(&run, session.interrupt);
                tell_benched(&session, &standing)?;
            }
        } else {
            standing.update(league)?;
        }
    }
}

pub(super) fn failure(error: GradeError) -> Failure {
    match error {
        GradeError::Run(RunError::Stopped { .. }) => Failure::new(
            Exit::Stopped,
            "the league was stopped; what was played is kept, and the same command goes on",
        ),
        error => error.into(),
    }
}

fn end_after(time: Duration, interrupt: &Arc<Interrupt>) -> Arc<AtomicBool> {
    let is_late = Arc::new(AtomicBool::new(false));
    let (told, interrupt) = (Arc::clone(&is_late), Arc::clone(interrupt));
    thread::spawn(move || {
        thread::sleep(time);
        told.store(true, Ordering::SeqCst);
        interrupt.finish_games();
    });
    is_late
}

fn is_over(args: &PlayArgs, now: &Snapshot<'_>, played: u64) -> bool {
    let is_known = |most: f64| {
        let mut intervals = now.roster.active().map(|version| now.rating(version));
        intervals.all(|it| it.is_some_and(|[low, _, high]| high - low <= 2.0 * most))
    };
    args.games.is_some_and(|most| played >= most) || args.until.is_some_and(is_known)
}

pub(super) fn play_to_end(
    session: &Session<'_>,
    mut batch: Batch,
    before: &[GameRow],
    quiet: bool,
    played: &mut u64,
) -> Result<(), GradeError> {
    batch.warnings.iter().for_each(|warning| warn(warning));
    let mut progress = Progress::new(quiet, batch.plan.display_names());
    progress.tells_leader = false;
    if !quiet {
        let goes_on = if before.is_empty() { "" } else { " goes on" };
        print_to_stderr(&format!("run {}{goes_on}", name_of(&batch.config)));
    }
    before.iter().for_each(|row| progress.played_before(row));
    let ended = session.play(&mut batch, &mut |event| {
        *played += u64::from(matches!(event, Event::Finished(_)));
        progress.event(event);
    });
    progress.finish();
    ended
}

fn tell_benched(session: &Session<'_>, standing: &Standing) -> Result<(), GradeError> {
    for version in session.bench(standing)? {
        let league = session.league.folder().display();
        warn(&format!(
            "{} is benched: {}. `referee league add {league} {}` adds a new version",
            version.shown_name(),
            version.why,
            version.owner
        ));
    }
    Ok(())
}

/// Write the next batch as a configuration, to play it on many machines by `referee plan`
///
/// The folder of the merged run is then moved to the place that this names.
#[derive(Debug, clap::Args)]
pub(super) struct PlanArgs {
    /// The folder of the league
    league: PathBuf,
    /// At least this many games
    #[arg(long, value_name = "N", value_parser = parse_whole, default_value_t = 0, hide_default_value = true)]
    games: u64,
}

pub(super) fn plan(args: &PlanArgs) -> Result<Exit, Failure> {
    let machine = Machine::new(&args.league)?;
    let session = machine.session(HostOptions::default());
    let (config, note) = session.plan_ahead(args.games)?;
    note.iter().for_each(|note| warn(note));
    let run = run_of(&config);
    let [config, run] = [config, run].map(|path| shell_word(&path));
    say(&format!(
        "{config} is the next batch. Next:\n\n    referee plan {config} --out DIR --shards K\n\nThen play and merge \
         the shards, and `mv DIR/run {run}` brings the games in.\n"
    ))?;
    Ok(Exit::Done)
}
