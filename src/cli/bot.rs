//! `referee bot NAME`: a house bot.

use std::io::{stdin, stdout};

use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::values::parse_nodes;
use super::{Exit, Failure};
use crate::opponents::{self, HouseBot};

/// Be a house bot: speak the protocol on stdin and stdout
///
/// `random` plays any legal action, `greedy` looks one ply ahead, `search` as far as its budget
/// allows. All play all games. With the same seeds and a clock that does not bind, they play the
/// same games.
#[derive(Debug, clap::Args)]
pub(super) struct BotArgs {
    /// random, greedy or search
    #[arg(value_enum, hide_possible_values = true)]
    name: HouseBot,
    /// How many positions to look at for one action at most, or `none`: the clock alone decides
    #[arg(long, default_value = "20000", value_parser = parse_nodes)]
    nodes: u64,
}

impl ValueEnum for HouseBot {
    fn value_variants<'a>() -> &'a [Self] {
        &HouseBot::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

pub(super) fn run(args: &BotArgs) -> Result<Exit, Failure> {
    opponents::serve(args.name, args.nodes, stdin().lock(), stdout().lock())?;
    Ok(Exit::Done)
}
