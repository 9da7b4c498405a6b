//! `referee bot NAME`: a house bot.

use std::io::{stdin, stdout};

use super::{Exit, Failure};
use crate::opponents::{self, HouseBot};

/// Be a house bot: speak the protocol on stdin and stdout
///
/// `random` plays any legal action, `greedy` looks one ply ahead, `search` as far as its budget
/// allows. All play all games. With the same seeds and a clock that does not bind, they play the
/// same games.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// random, greedy or search
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(HouseBot::ALL.map(HouseBot::name)), hide_possible_values = true)]
    name: String,
    /// How many positions to look at for one action at most, or `none`: the clock alone decides
    #[arg(long, default_value = "20000", value_parser = nodes)]
    nodes: u64,
}

fn nodes(text: &str) -> Result<u64, String> {
    match text {
        "none" => Ok(u64::MAX),
        number => number
            .parse()
            .map_err(|_| "expected a number, or none".to_owned()),
    }
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let bot = HouseBot::from_name(&args.name)
        .ok_or_else(|| Failure::new(Exit::Usage, format!("unknown house bot `{}`", args.name)))?;
    opponents::serve(bot, args.nodes, stdin().lock(), stdout().lock())
        .map(|()| Exit::Done)
        .map_err(|error| Failure::new(Exit::Failed, error))
}
