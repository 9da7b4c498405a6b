//! `referee bot NAME`: a house bot.

use std::io::{stdin, stdout};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::arguments::parse_nodes;
use crate::cli::exit::{Exit, Failure};
use crate::opponents::{self, HouseBot, Widths};

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
    /// How many actions `search` looks at in Cachex: in the position itself, in each later one, and captures at the end
    #[arg(long, default_value = "24,12,4", value_name = "N,N,N", value_parser = parse_widths)]
    widths: Widths,
}

fn parse_widths(text: &str) -> Result<Widths, &'static str> {
    Widths::parse(text).ok_or("expected three numbers such as 24,12,4, the first two above 0")
}

fn house_bots() -> impl TypedValueParser<Value = HouseBot> {
    PossibleValuesParser::new(HouseBot::ALL.map(HouseBot::name))
        .map(|name| HouseBot::from_name(&name).expect("one of the names above"))
}

pub(super) fn run(args: &BotArgs) -> Result<Exit, Failure> {
    opponents::serve(
        args.name,
        args.nodes,
        args.widths,
        stdin().lock(),
        stdout().lock(),
    )?;
    Ok(Exit::Done)
}
