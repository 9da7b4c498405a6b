//! `referee play GAME FIRST SECOND`: plays games, drawn move by move.

mod args;
mod human;
mod keyboard;
mod recorded;
mod shown;
mod live_game;
mod unrecorded;

pub(super) use args::PlayArgs;

use crate::cli::exit::{Exit, Failure};

pub(super) fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    match (&args.out, args.games) {
        (None, None) => unrecorded::run(args),
        _ => recorded::run(args),
    }
}
