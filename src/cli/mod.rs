//! The command line: arguments, subcommands, exit codes.

use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

mod arguments;
mod bot;
mod check;
mod drawing;
mod exit;
mod games;
mod grade;
mod play;
mod position;
mod rate;
mod replay;
mod report;
mod run;
mod shards;
mod shell;
mod verify;

pub use exit::Exit;

use exit::Failure;

use crate::bot::supervise;
use crate::report::{Style, in_lines, is_dumb, print_repeated_warnings, print_to_stderr};
use crate::runner::report_file_limits;
use crate::text::escaped_json;

/// A tournament harness for game-playing programs.
#[derive(Debug, Parser)]
#[command(name = "referee", version = env!("REFEREE_VERSION"), long_about = about(), after_help = AFTER_HELP, max_term_width = 100)]
struct Cli {
    /// When to print in colour: auto, always or never; NO_COLOR in the environment turns auto off
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        hide_possible_values = true,
        global = true
    )]
    color: Colour,
    #[command(subcommand)]
    command: Command,
}

fn about() -> String {
    format!(
        "A tournament harness for game-playing programs.\n\n\
         It starts each player as its own process, talks to it over stdin and stdout, referees {}, and writes \
         ratings and per-game logs as CSV.",
        arguments::game_names()
    )
}

/// Colour policy for output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Colour {
    #[default]
    Auto,
    Always,
    Never,
}

/// Value of `--color`, set once.
static COLOUR: OnceLock<Colour> = OnceLock::new();

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 failed, also a check or a verification; 2 wrong arguments or configuration; 3 illegal action; \
4 not an action; 5 a file could not be read or written; 6 games were void; \
7 stopped before its end; 8 this machine cannot isolate the bots as asked; 9 shards are not done: try again.

Start with:  referee run configs/demo.toml";

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::RunArgs),
    Play(play::PlayArgs),
    Position(position::PositionArgs),
    Check(check::CheckArgs),
    Replay(replay::ReplayArgs),
    Games(games::GamesArgs),
    Rate(rate::RateArgs),
    Report(report::ReportArgs),
    Verify(verify::VerifyArgs),
    Grade(grade::GradeArgs),
    Plan(shards::PlanArgs),
    Work(shards::WorkArgs),
    Lead(shards::LeadArgs),
    Merge(shards::MergeArgs),
    Status(shards::StatusArgs),
    Bot(bot::BotArgs),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

/// Writes a result to stdout. A closed reader (`| head`) is no failure.
fn print(text: &str) -> Result<(), Failure> {
    print_part(text).map(|_| ())
}

/// Writes sentences to stdout, wrapped at the width of the terminal.
fn say(text: &str) -> Result<(), Failure> {
    print(&in_lines(text, style().width))
}

/// Writes part of a result to stdout. Returns whether the reader is still there for the next part.
fn print_part(text: &str) -> Result<bool, Failure> {
    use std::io::{ErrorKind, Write};
    let mut stdout = std::io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::new(
            Exit::File,
            format!("cannot write to stdout: {error}"),
        )),
    }
}

/// A JSON object on one line.
fn json_line(value: &impl serde::Serialize) -> String {
    // Plain structs of strings and numbers always serialize.
    escaped_json(&serde_json::to_string(value).unwrap_or_default()) + "\n"
}

/// Width of the terminal, and whether stdout shows colours by `--color` and NO_COLOR.
fn style() -> Style {
    use std::io::IsTerminal;
    let stdout = std::io::stdout();
    let is_terminal = stdout.is_terminal();
    let size = rustix::termios::tcgetwinsize(&stdout).ok();
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    Style {
        width: size
            .filter(|_| is_terminal)
            .map(|size| size.ws_col.into())
            .filter(|width| *width > 0),
        colour: match COLOUR.get().copied().unwrap_or_default() {
            Colour::Auto => is_terminal && wanted && !is_dumb(),
            Colour::Always => true,
            Colour::Never => false,
        },
    }
}

/// Parses the command line, runs the command, and returns its exit code.
pub fn main() -> ExitCode {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == supervise::SUBCOMMAND)
    {
        return match supervise::main(std::env::args_os().skip(2)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                print_to_stderr(&format!("referee: a supervisor failed: {error}"));
                ExitCode::FAILURE
            }
        };
    }
    report_file_limits();
    // With `CI` set, the colour detection would take any terminal for one with colours.
    let colours = if is_dumb() {
        ColorChoice::Never
    } else {
        ColorChoice::Auto
    };
    let matches = Cli::command().color(colours).get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    COLOUR.get_or_init(|| cli.color);
    let result = match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Position(args) => position::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Games(args) => games::run(&args),
        Command::Rate(args) => rate::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Grade(args) => grade::run(&args),
        Command::Plan(args) => shards::plan(&args),
        Command::Work(args) => shards::work(&args),
        Command::Lead(args) => shards::lead(&args),
        Command::Merge(args) => shards::merge(&args),
        Command::Status(args) => shards::status(&args),
        Command::Bot(args) => bot::run(&args),
        Command::Completions(args) => shell::completions(&args, Cli::command()),
        Command::Man(args) => shell::man(&args, Cli::command()),
    };
    print_repeated_warnings();
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            print_to_stderr(&format!("referee: {}", failure.message));
            failure.exit.into()
        }
    }
}
