//! `referee run CONFIG`: plays a tournament.

mod estimate;
mod live;
mod pgn_file;
mod resume;

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::arguments::{MachineArgs, MatchArgs, ask_engines, host, known_games, signals};
use super::games::{epd_at_end, pgn_at_end, say_games_in};
use super::report::{EndedRun, pages_at_end};
use crate::cli::exit::{CommandError, Exit, Failure};
use crate::cli::output::{print, say, style};
use crate::clock::Measure;
use crate::config::{Openings, Plan, text_from};
use crate::report::{self, Progress, RunEnd, Style, finish_run, print_to_stderr, rough, warn};
use crate::results::{ByResults, Settings};
use crate::runner::{
    AskedEngines, Completed, Conclusion, Event, GameCount, Host, HostOptions, Placing, Portion,
    RunError, Tournament, check_engines, count_games,
};
use crate::runs::{GameRow, PGN, Repeat, Run, RunFileError, RunFolder, SET_ASIDE};
use crate::schedule::Format;
use crate::text::counted;
use estimate::longest_game;
use live::LiveIndex;
use pgn_file::{AppendedGames, PgnFile};
use resume::{newest_unfinished, resume_command};

pub(super) use estimate::{EarlierGames, Workload};
pub(super) use resume::{RESULTS, claim_folder, give_back};

/// Play a tournament and write its results
///
/// The results go to a folder of their own: manifest.toml (the plan), games.csv (a row per game),
/// games/ (a CSV per game with a row per ply), stderr/ (what bots wrote), build/ (what their
/// compilers wrote), report/ (pages for a browser, of up to 10000 games), and the tables ratings.csv,
/// standings.csv, crosstable.csv, superiority.csv and players.csv, with match.csv for two players,
/// places.csv and verdict.csv for what the format decides. See `referee docs formats`, `referee docs ratings` and
/// `referee docs pages`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunArgs {
    /// The tournament's configuration, `-` for stdin; see configs/ for examples. With --game: two or
    /// more bots, each a house bot or a command in quotes, or NAME=COMMAND
    ///
    /// Paths in a configuration start at the folder of its file; --out starts at the current folder.
    #[arg(required = true, value_name = "CONFIG|BOT")]
    words: Vec<String>,
    /// The folder of the results; a new one below results/, named after the tournament, if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    machine: MachineArgs,
    /// Leave it to the system where bots run, also while all of them answer at once
    #[arg(long, conflicts_with = "pin")]
    spread: bool,
    /// Go on with a run that was interrupted: the one in the folder of --out, or the newest unfinished
    /// one of this tournament below results/
    ///
    /// Games that were finished stay, all others are played. A run that is complete stays as it is,
    /// and one that was never begun is begun.
    #[arg(long)]
    resume: bool,
    /// With --resume: go on although bots, clock or limits are not what they were; the games of
    /// players that changed are played again
    #[arg(long, requires = "resume")]
    accept_changes: bool,
    /// Only look whether the configuration is valid, list the variants of players with a grid, and estimate the time, by
    /// games of a few seconds where it may be long; write nothing
    #[arg(long)]
    check: bool,
    /// Write report/index.html also while games are played: a page for a browser that loads itself again
    #[arg(long)]
    live: bool,
    /// Print the state of the match each time this many game pairs end, such as 10: Elo, normalized Elo, LOS, pairs by
    /// points, LLR, time losses and the time left; of the first challenger, or the first player, against its opponents
    #[arg(long, value_name = "PAIRS", conflicts_with = "quiet", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// Show neither progress nor tables; warnings and errors are shown
    #[arg(short, long)]
    quiet: bool,
    /// Print a line for each game, and at the end all tables and notes, and what the columns mean
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    #[command(flatten)]
    quick: MatchArgs,
}

const EXAMPLES: &str = "\
Examples:
  referee run configs/demo.toml
  referee run --game cachex search \"python3 bots/twenty-lines/bot.py\" --games 100 --per-move 1s
  referee run --game dark-chess strong=\"search --nodes 20000\" weak=\"search --nodes 2000\"
  referee run --game chess ./new ./base --tc 8+0.08 --option Hash=16 --book book.epd --sprt 0,5 -j 8";

pub(super) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let plan = read_plan(args)?;
    for game in &plan.games {
        if let Some(left_out) = game.openings().and_then(Openings::left_out) {
            warn(&format!("{}: {left_out}", game.game().label()));
        }
    }
    let mut options = args.machine.options();
    if args.spread {
        options.placing = Placing::Free;
    }
    refuse_to_replace_games(args, &plan)?;
    if args.check {
        return check(args, &plan, options);
    }
    let host = host(&plan, options)?;
    check_engines(&plan, &host, AskedEngines::WithOptions)?;
    let interrupt = signals()?;
    let mut progress = Progress::new(args.quiet, plan.display_names());
    let is_tuning = matches!(plan.format, Format::Tune(_));
    progress.tells_leader = !is_tuning && ByResults::of(&plan.format) != ByResults::Ranking;
    progress.prints_games = args.verbose;
    if let Some(player) = subject(&plan, args.every.is_some()) {
        progress = progress.with_state_of(player, args.every);
    }
    let out = folder_path(args, &plan);
    let mut folder = open_folder(args, &plan, &host, &out, &mut |row| {
        progress.played_before(row);
    })
    .inspect_err(|_| {
        if args.out.is_none() && !args.resume {
            give_back(&out);
        }
    })?;
    let live = args.live.then(|| LiveIndex::start(&out, args.quiet));
    let live = live.transpose()?;
    let mut pgn = match args.resume {
        true => None,
        false => PgnFile::create(&plan, folder.path()),
    };
    let mut appended = AppendedGames::open(&plan)?;
    let mut conclusions = Vec::new();
    let begun = Instant::now();
    let played = Tournament::new(&plan, &host, &interrupt).play(&mut folder, &mut |event| {
        if let Event::Concluded { game, conclusion } = event {
            conclusions.push((*game, (*conclusion).clone()));
        }
        progress.event(event);
        if let Some(pgn) = &mut pgn {
            pgn.event(event);
        }
        appended.event(event);
    });
    let live = live.map(LiveIndex::end);
    let (mut results, forfeits, low_shares) = progress.finish();
    // Finished games count even if the run failed, and its folder may be gone.
    let run = Run::open(folder.path(), known_games());
    let settings = run.as_ref().ok().map(Settings::of_run);
    let settings = settings.unwrap_or_default();
    let rated = results.rate(&settings);
    let shown_run = run.as_ref().ok().filter(|_| !args.quiet);
    let beside = shown_run.and_then(|run| match (plan.players.len(), &plan.games[..]) {
        _ if is_tuning => Some(report::parameters(run, &conclusions)),
        (2, [game]) => report::searches(run, game.game().label()).ok().flatten(),
        _ => None,
    });
    let beside = beside.filter(|table| !table.rows.is_empty());
    let tables = run.and_then(|run| finish_run(&run, &rated, &conclusions));
    let resume = resume_command(folder.path());
    let ending = RunEnd {
        run: &out,
        results: &results,
        rated: &rated,
        forfeits: &forfeits,
        low_shares: &low_shares,
        conclusions: &conclusion_lines(&plan, &conclusions),
        beside: beside.as_ref(),
        names: &settings.display_names,
    };
    let mut shown = print_end(args, &ending, tables.is_ok());
    // Release the lock first: a locked folder counts as a run in progress.
    drop(folder);
    if tables.is_ok() {
        shown = shown.and(export_games(&plan, &out, pgn, args.quiet));
    }
    shown = shown.and(appended.end(args.quiet));
    let pages = match (&tables, &played) {
        (Ok(()), Ok(_) | Err(RunError::Stopped { .. })) => {
            let run = EndedRun {
                path: &out,
                games: rated.iter().map(|one| one.games()).sum(),
                wanted: plan.pages,
                stopped: played.is_err(),
                quiet: args.quiet,
            };
            pages_at_end(&run, &interrupt)
        }
        _ => None,
    };
    if let (Some(live), None) = (live, &pages) {
        live.write();
    }
    if let (Some(index), false) = (pages, args.quiet) {
        shown = shown.and(print(&format!("pages in {}\n", style().link(&index))));
    }
    if played.is_ok() && !args.quiet && io::stderr().is_terminal() {
        print_to_stderr(&format!("finished in {}", rough(begun.elapsed())));
    }
    ended(played, tables, &resume)?;
    shown.map(|()| Exit::Done)
}

/// The player whose match it is: the only challenger, or the first of two players. If it is `wanted`, the first of more.
fn subject(plan: &Plan, is_wanted: bool) -> Option<&str> {
    let (player, is_its) = match &plan.format {
        Format::Sprt { challenger, .. } => (Some(challenger), true),
        Format::Gauntlet { challengers, .. } => (challengers.first(), challengers.len() == 1),
        Format::RoundRobin(_)
        | Format::List(_)
        | Format::Swiss { .. }
        | Format::Knockout { .. }
        | Format::Adaptive { .. }
        | Format::Tune(_) => (None, plan.players.len() == 2),
    };
    let entry = &plan.players[player.copied().unwrap_or(0)];
    (is_its || is_wanted).then_some(entry.name.as_str())
}

fn refuse_to_replace_games(args: &RunArgs, plan: &Plan) -> Result<(), Failure> {
    let export = &plan.export;
    let pgn = export.pgn_file.iter().filter(|_| !export.is_appended);
    let mut files = pgn.chain(&export.epd);
    match files.find(|file| file.exists()) {
        Some(file) if !args.resume => {
            let problem = "exists already: name another file for the games, or remove it";
            Err(Failure::of_file(file, problem))
        }
        _ => Ok(()),
    }
}

fn export_games(plan: &Plan, run: &Path, pgn: Option<PgnFile>, quiet: bool) -> Result<(), Failure> {
    let export = &plan.export;
    if let Some(file) = &export.epd {
        epd_at_end(run, file, quiet)?;
    }
    if !export.pgn {
        return Ok(());
    }
    match pgn.and_then(PgnFile::end) {
        Some(file) => say_games_in(&file, quiet)?,
        None => pgn_at_end(run, &export.style, quiet)?,
    }
    let file = export.pgn_file.as_ref().filter(|_| !export.is_appended);
    let (Some(file), games) = (file, run.join(PGN)) else {
        return Ok(());
    };
    if !games.exists() {
        return Ok(());
    }
    fs::copy(games, file).map_err(|error| Failure::of_file(file, error))?;
    say_games_in(file, quiet)
}

fn check(args: &RunArgs, plan: &Plan, options: HostOptions) -> Result<Exit, Failure> {
    Host::check_places(plan, options)?;
    ask_engines(plan, options, AskedEngines::All)?;
    say(&summary(args, plan, options)).map(|()| Exit::Done)
}

fn print_end(args: &RunArgs, ending: &RunEnd<'_>, are_written: bool) -> Result<(), Failure> {
    if args.quiet {
        let troubles = ending.troubles(Style::default());
        if !troubles.is_empty() {
            print_to_stderr(troubles.trim_end());
        }
        return Ok(());
    }
    let mut text = if args.verbose {
        ending.verbose(style())
    } else {
        ending.short(style())
    };
    if are_written {
        text.push_str(&format!("results in {}\n", ending.run.display()));
    }
    print(&text)
}

fn conclusion_lines(plan: &Plan, conclusions: &[(usize, Conclusion)]) -> Vec<String> {
    let players: Vec<&str> = plan.players.iter().map(|it| it.name.as_str()).collect();
    let names = plan.display_names();
    let line = |(game, conclusion): &(usize, Conclusion)| {
        let game = plan.games[*game].game().label();
        report::conclusion(game, conclusion, &players, &names)
    };
    conclusions.iter().map(line).collect()
}

fn read_plan(args: &RunArgs) -> Result<Plan, Failure> {
    let config = match (args.quick.game.game(), args.words.as_slice()) {
        (Some(game), bots) => return args.quick.plan(game, bots),
        (None, [config]) => Path::new(config),
        (None, [_, second, ..]) => {
            let problem = format!(
                "`{second}` is one configuration too many; for a match between bots add --game, such as \
                 --game cachex"
            );
            return Err(Failure::usage(problem));
        }
        // Clap requires at least one word.
        (None, []) => Path::new("-"),
    };
    args.quick.refuse_any()?;
    if config != Path::new("-") {
        return Ok(Plan::load(config, known_games())?);
    }
    let text = text_from(std::io::stdin())
        .map_err(|error| Failure::new(Exit::File, format!("stdin cannot be read: {error}")))?;
    Ok(Plan::parse(&text, Path::new("stdin"), known_games())?)
}

pub(super) fn in_words(count: GameCount) -> String {
    match count {
        GameCount::Exactly(games) => counted(games, "game", "games"),
        GameCount::AtMost(games) => format!("at most {}", counted(games, "game", "games")),
        GameCount::Unknown => "as many games as the results ask for".to_owned(),
    }
}

fn summary(args: &RunArgs, plan: &Plan, options: HostOptions) -> String {
    let games = in_words(count_games(plan, Portion::All));
    let mut text = format!("{}: valid, {games}\n", args.words.join(", "));
    for game in &plan.games {
        if let Some(openings) = game.openings() {
            let count = counted(openings.count() as u64, "opening", "openings");
            text.push_str(&format!("  {}: {count}\n", game.game().name()));
        }
    }
    for entry in &plan.players {
        let shown = entry.display_name.as_ref();
        let shown = shown.map(|shown| format!("shown as \"{shown}\""));
        let values = entry.variant.iter();
        let values: Vec<String> = values
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let own = [
            entry.terms.time.as_ref().map(|_| "clock"),
            entry.terms.limits.as_ref().map(|_| "limits"),
        ];
        let own = own
            .into_iter()
            .flatten()
            .map(|terms| format!("{terms} of its own"));
        let values = Some(values.join(", ")).filter(|values| !values.is_empty());
        let facts = values.into_iter().chain(shown).chain(own);
        let facts: Vec<String> = facts.collect();
        if !facts.is_empty() {
            text.push_str(&format!("  {}: {}\n", entry.name, facts.join("; ")));
        }
    }
    text + &time(args, plan, options)
}

fn time(args: &RunArgs, plan: &Plan, options: HostOptions) -> String {
    let (GameCount::Exactly(games) | GameCount::AtMost(games)) = count_games(plan, Portion::All)
    else {
        return String::new();
    };
    let earlier = args.out.clone();
    let earlier = earlier.unwrap_or_else(|| newest_unfinished(&plan.name));
    let mut seen = EarlierGames::default();
    seen.add_of(plan, &earlier, options);
    let (work, longest) = (Workload::new(games, args.machine.jobs), longest_game(plan));
    let builds = plan.players.iter().any(|player| player.build.is_some());
    let mut measures = (0..plan.players.len()).map(|player| plan.time_of(player).measure);
    let measure = measures.find(|it| *it == Measure::Cpu);
    let measure = measure.unwrap_or_default();
    if !seen.is_empty() || builds || !work.may_be_long(longest) {
        return work.time("they", longest, measure, &seen, &earlier);
    }
    // Without a sample the bound stands alone.
    let _ = seen.sample(plan, options, work.jobs.get() as u32);
    work.time("they", longest, measure, &seen, Path::new("a sample"))
}

fn folder_path(args: &RunArgs, plan: &Plan) -> PathBuf {
    args.out.clone().unwrap_or_else(|| {
        if args.resume {
            newest_unfinished(&plan.name)
        } else {
            claim_folder(&plan.name)
        }
    })
}

fn open_folder(
    args: &RunArgs,
    plan: &Plan,
    host: &Host,
    out: &Path,
    played_before: &mut dyn FnMut(&GameRow),
) -> Result<RunFolder, Failure> {
    let folder = if args.resume {
        let repeat = Repeat {
            changed: args.accept_changes,
            below: host.again_below,
        };
        RunFolder::resume(out, plan, host.stamp(), repeat, played_before)?
    } else {
        RunFolder::create(out, plan, host.stamp())?
    };
    let run = Run::open(out, known_games())?;
    let without: Vec<&str> = run.manifest().without_folder().collect();
    if !without.is_empty() {
        warn(&format!(
            "the digest of {} covers only the files named in its command, so --resume does not notice \
             other changes in its folder: it has more than 4096 files or 256 MiB",
            without.join(", ")
        ));
    }
    Ok(folder)
}

/// Message and exit code after a run, or the writing of its tables, failed.
fn ended(
    played: Result<Completed, RunError>,
    tables: Result<(), RunFileError>,
    resume: &str,
) -> Result<(), Failure> {
    let (exit, message) = match (played, tables) {
        (Ok(Completed { set_aside: 0 }), Ok(())) => return Ok(()),
        (Ok(Completed { set_aside }), Ok(())) => (
            Exit::Void,
            format!(
                "{} void each time and {} set aside: see {SET_ASIDE} in the folder of the results. All \
                 others were played",
                counted(set_aside as u64, "game was", "games were"),
                if set_aside == 1 { "is" } else { "are" }
            ),
        ),
        (Ok(_), Err(tables)) => (
            tables.exit(),
            format!(
                "{tables}; all games were played and are kept; once the cause is gone, `{resume}` writes \
                 the tables"
            ),
        ),
        (Err(error @ RunError::Stopped { .. }), Err(tables)) => (
            tables.exit(),
            format!("{error}{}. {tables}", advice(&error, resume)),
        ),
        (Err(error), _) => (error.exit(), format!("{error}{}", advice(&error, resume))),
    };
    Err(Failure::new(exit, message))
}

fn advice(error: &RunError, resume: &str) -> String {
    match error {
        RunError::Stopped { .. } => format!("; `{resume}` goes on"),
        RunError::RunFile(_) => format!(
            "; what was played before is kept, and once the cause is gone, `{resume}` goes on"
        ),
        RunError::Build { .. } | RunError::RulesKeepFailing { .. } => {
            format!("; once the cause is gone, `{resume}` goes on")
        }
        RunError::WorkerFailed { .. } => {
            format!("; what was played is kept, and `{resume}` goes on")
        }
        RunError::UnfitGame(_) | RunError::Thread(_) | RunError::Stalled => String::new(),
    }
}
