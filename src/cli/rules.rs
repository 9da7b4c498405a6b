//! `referee rules GAME`: a built-in game as a rules program.

use std::io::{self, BufRead, BufReader, Read, Write, stdin, stdout};

use super::arguments::{game_names, parse_built_in};
use super::docs;
use crate::cli::exit::{CommandError, Exit, Failure};
use crate::game::Game;
use crate::rules::{Limits, RulesServer, ServeError, Serving};

/// Serve the rules of a built-in game, which speaks `rules 1` on stdin and stdout
///
/// `referee docs rules-protocol` has the protocol. The seed of `new` starts the game that `referee position` shows for it.
#[derive(Debug, clap::Args)]
pub(super) struct RulesArgs {
    #[arg(long, value_parser = parse_built_in, required_unless_present = "word", conflicts_with = "word", help = format!("The game: {}", game_names("or")))]
    game: Option<Game>,
    #[arg(value_parser = parse_built_in, hide = true)]
    word: Option<Game>,
    /// Print the rules for people to read
    #[arg(long)]
    text: bool,
}

/// Capacity of the buffers for requests and answers. A whole game fits.
const BUFFER: usize = 64 << 10;

pub(super) fn run(args: &RulesArgs) -> Result<Exit, Failure> {
    let no_game = || Failure::usage("expected --game");
    // Clap requires one of them.
    let game = args.game.or(args.word).ok_or_else(no_game)?;
    if args.text {
        return docs::page(&format!("rules/{}", game.name()));
    }
    let mut server = RulesServer::new(game)?;
    let mut input = BufReader::with_capacity(BUFFER, stdin().lock());
    let mut output = stdout().lock();
    let mut answers = String::with_capacity(BUFFER);
    let mut request = Vec::new();
    loop {
        read_request(&mut input, &mut request).map_err(broken_off)?;
        let line = String::from_utf8_lossy(&request);
        let serving = match line.as_ref() {
            // The end of the input.
            "" => Ok(Serving::Over),
            line => server.answer(line.trim_end_matches(['\n', '\r']), &mut answers),
        };
        // Answers to requests that came in one write go out in one write.
        let is_last = !matches!(serving, Ok(Serving::Open));
        if is_last || answers.len() >= BUFFER || !input.buffer().contains(&b'\n') {
            let sent = output.write_all(answers.as_bytes());
            sent.and_then(|()| output.flush()).map_err(broken_off)?;
            answers.clear();
        }
        if serving? == Serving::Over {
            return Ok(Exit::Done);
        }
    }
}

fn read_request(input: &mut impl BufRead, request: &mut Vec<u8>) -> io::Result<()> {
    request.clear();
    let mut longest = input.take(Limits::default().line as u64);
    longest.read_until(b'\n', request).map(drop)
}

fn broken_off(error: io::Error) -> Failure {
    Failure::failed(format!("the conversation broke off: {error}"))
}

impl CommandError for ServeError {
    fn exit(&self) -> Exit {
        match self {
            Self::Request(_) => Exit::Failed,
            Self::Rules(fault) => fault.exit(),
        }
    }
}
