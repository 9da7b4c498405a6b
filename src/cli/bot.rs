//! `referee bot NAME`: a house bot.

use std::io::{stdin, stdout};

use clap::builder::{PossibleValuesParser, TypedValueParser};

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
    #[arg(value_parser = house_bots(), hide_possible_values = true)]
    name: HouseBot,
    /// The most positions to look at for one action, or `none`: only the clock limits the search
    #[arg(long, default_value = "20000", value_parser = parse_nodes)]
    nodes: u64,
}

fn house_bots() -> impl TypedValueParser<Value = HouseBot> {
    PossibleValuesParser::new(HouseBot::ALL.map(HouseBot::name))
        .map(|name| HouseBot::from_name(&name).expect("one of the names above"))
}

pub(super) fn run(args: &BotArgs) -> Result<Exit, Failure> {
    opponents::serve(args.name, args.nodes, stdin().lock(), stdout().lock())?;
    Ok(Exit::Done)
}
