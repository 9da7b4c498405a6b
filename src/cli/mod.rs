//! The command line: arguments, subcommands, exit codes.

use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

mod arguments;
mod bot;
mod check;
mod convert;
mod docs;
mod doctor;
mod drawing;
mod exit;
mod game;
mod games;
mod grade;
mod league;
mod mistyped;
mod new;
mod output;
mod play;
mod position;
mod rate;
mod replay;
mod report;
mod rules;
mod run;
mod shards;
mod shell;
mod verify;

pub use exit::Exit;

use output::{Colour, set_colour};

use crate::bot::supervise;
use crate::report::{is_dumb, print_repeated_warnings, print_to_stderr};
use crate::runner::report_file_limits;

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
         It starts each player as its own process, talks to it over stdin and stdout, referees any game whose rules \
         are a program, or {}, and writes ratings and per-game logs as CSV.",
        arguments::game_names("or")
    )
}

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 failed, also a check or a verification; 2 wrong arguments or configuration; 3 illegal action; \
4 not an action; 5 a file could not be read or written; 6 games were void; \
7 stopped before its end; 8 this machine cannot isolate the bots as asked; 9 shards are not done: try again; 10 the rules of a game failed.

Start with:  referee new bot alice";

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::RunArgs),
    Play(play::PlayArgs),
    Position(position::PositionArgs),
    Check(check::CheckArgs),
    Convert(convert::ConvertArgs),
    Game(game::GameArgs),
    New(new::NewArgs),
    Docs(docs::DocsArgs),
    Doctor(doctor::DoctorArgs),
    Replay(replay::ReplayArgs),
    Games(games::GamesArgs),
    Rate(rate::RateArgs),
    Report(report::ReportArgs),
    Verify(verify::VerifyArgs),
    Grade(grade::GradeArgs),
    League(league::LeagueArgs),
    Plan(shards::plan::PlanArgs),
    Work(shards::work::WorkArgs),
    Lead(shards::lead::LeadArgs),
    Merge(shards::merge::MergeArgs),
    Status(shards::StatusArgs),
    Bot(bot::BotArgs),
    Rules(rules::RulesArgs),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

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
    let matches = command_by_task().color(colours).try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    set_colour(cli.color);
    let result = match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Position(args) => position::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Game(args) => game::run(&args),
        Command::New(args) => new::run(&args),
        Command::Docs(args) => docs::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Games(args) => games::run(&args),
        Command::Rate(args) => rate::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Grade(args) => grade::run(&args),
        Command::League(args) => league::run(&args),
        Command::Plan(args) => shards::plan::run(&args),
        Command::Work(args) => shards::work::run(&args),
        Command::Lead(args) => shards::lead::run(&args),
        Command::Merge(args) => shards::merge::run(&args),
        Command::Status(args) => shards::status(&args),
        Command::Bot(args) => bot::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Completions(args) => shell::completions(&args, Cli::command()),
        Command::Man(args) => shell::man(&args, Cli::command()),
    };
    arguments::close_rules_programs();
    print_repeated_warnings();
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            print_to_stderr(&format!("referee: {}", failure.message));
            if matches!(failure.exit, Exit::Usage | Exit::File) {
                print_hint();
            }
            failure.exit.into()
        }
    }
}

/// Commands by what they are for, as the first help lists them.
const TASKS: [(&str, &[&str]); 7] = [
    ("A bot of your own", &["new", "play", "check", "docs"]),
    (
        "A tournament, and its results",
        &[
            "run", "convert", "games", "replay", "report", "rate", "verify", "doctor",
        ],
    ),
    ("A class", &["grade"]),
    ("A league", &["league"]),
    ("The rules of a game", &["position", "game"]),
    (
        "A tournament in shards, for many machines",
        &["plan", "work", "lead", "status", "merge"],
    ),
    (
        "For other programs",
        &["bot", "rules", "completions", "man"],
    ),
];

fn command_by_task() -> clap::Command {
    let command = Cli::command();
    let about = |name: &str| {
        let found = command.find_subcommand(name).and_then(|it| it.get_about());
        found.map_or_else(String::new, ToString::to_string)
    };
    let line = |name: &&str| format!("  {name:<11}  {}\n", about(name));
    let tasks = TASKS.map(|(title, names)| {
        let lines: String = names.iter().map(line).collect();
        format!("{title}:\n{lines}\n")
    });
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
        tasks.concat()
    );
    command.help_template(template)
}

fn refused(error: &clap::Error) -> ExitCode {
    // Nobody is there to be told that stderr is closed.
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    print_hint();
    Exit::Usage.into()
}

fn print_hint() {
    let typed = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    if let Some(hint) = mistyped::hint(&typed.collect::<Vec<_>>()) {
        print_to_stderr(&format!("hint: {hint}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_is_listed_once() {
        let command = Cli::command();
        let mut known: Vec<&str> = command.get_subcommands().map(|it| it.get_name()).collect();
        let mut listed = TASKS.map(|(_, names)| names).concat();
        known.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, known);
    }
}
