//! `referee completions SHELL` and `referee man`: completions and manual pages.

use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use clap::Command;
use clap_complete::Shell;
use std::path::PathBuf;

/// Print what a shell needs to complete the arguments of referee
///
/// For bash: `referee completions bash > ~/.local/share/bash-completion/completions/referee`. For zsh:
/// the same into a file `_referee` in a folder of $fpath. For fish:
/// `~/.config/fish/completions/referee.fish`.
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the page of referee, or of one of its commands, for man
///
/// To read it at once: `referee man run | man -l -`. To install all of them: `referee man --out
/// ~/.local/share/man/man1`.
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// The command, such as run; the page of referee itself if not given
    #[arg(conflicts_with = "out")]
    command: Option<String>,
    /// Write the pages of all commands into this folder
    ///
    /// They are files such as referee.1, referee-run.1 and referee-game-new.1. The folder is made.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn completions(args: &CompletionsArgs, mut program: Command) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut program, "referee", &mut text);
    print(&String::from_utf8_lossy(&text)).map(|()| Exit::Done)
}

pub(super) fn man(args: &ManArgs, mut program: Command) -> Result<Exit, Failure> {
    if let Some(folder) = &args.out {
        return std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(program, folder))
            .map(|()| Exit::Done)
            .map_err(|error| Failure::of_file(folder, error));
    }
    program.build();
    let command = match &args.command {
        None => &program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| {
            let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
            let problem = format!(
                "there is no command `{name}`: expected one of {}",
                names.join(", ")
            );
            Failure::usage(problem)
        })?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .render(&mut page)
        .map_err(Failure::failed)?;
    print(&String::from_utf8_lossy(&page)).map(|()| Exit::Done)
}
