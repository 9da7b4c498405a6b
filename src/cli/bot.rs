//! `referee bot NAME`: a house bot.

use std::io::{stdin, stdout};

use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::arguments::parse_nodes;
use crate::cli::exit::{Exit, Failure};
use crate::opponents::{self, HouseBot};

/// Run a house bot, which speaks the protocol on stdin and stdout
///
/// `random` plays any legal action, `greedy` looks one ply ahead, `search` looks as far ahead as its
/// budget allows. Each plays every game. From the same seeds they play the same games, unless the
/// clock cuts their search short.
#[derive(Debug, clap::Args)]
pub(super) struct BotArgs {
    /// random, greedy or search
    #[arg(value_enum, hide_possible_values = true)]
    name: HouseBot,
    /// The most positions to look at for one action, or `none`: only the clock limits the search
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
